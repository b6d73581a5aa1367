"""The Anthropic SDK: a client whose every answer and tool call has been checked.

``messages.create`` and ``.stream``, their beta forms, ``parse`` and the tool runner, synchronous and
asynchronous: all of them pass one place, and that is where the guard stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar, Unpack, cast

from affidavit.guard import AnswerChecker, GuardOptions
from affidavit.runtimes.adapter import Adapter
from affidavit.runtimes.anthropic_routes import ROUTES
from affidavit.runtimes.transport import guarded

if TYPE_CHECKING:
    from anthropic import Anthropic, AsyncAnthropic

    Client = TypeVar("Client", bound=Anthropic | AsyncAnthropic)

ADAPTER = Adapter(
    name="Anthropic SDK (also on Bedrock, Vertex AI, Foundry)",
    package="anthropic",
    versions="2.12, 0.125",
    use="client = guard_client(Anthropic(), detector)",
    notes=(
        "thinking is passed on as it came; a streamed answer arrives without the API's citations",
    ),
)


def guard_client(
    client: Client,
    detector: AnswerChecker,
    *,
    allow_unguarded: Iterable[str] = (),
    **options: Unpack[GuardOptions],
) -> Client:
    """A guarded copy of ``client``, which may be that of a cloud; ``client`` itself stays as it is.

    A turn whose calls do not pass is answered with what is wrong and asked again, within the policy's
    ``max_call_retries``; a draft that does not pass likewise, within ``max_revisions``. What the caller
    gets is a response with calls that may run, an answer that may go out, or the refusal.

    A path of the API whose answers cannot be checked is refused; ``allow_unguarded`` lists those that may
    go past the guard, such as ``"files/*/content"``.
    """
    return cast("Client", guarded(client, ROUTES, detector, options, allow_unguarded))
