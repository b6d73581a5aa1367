"""The OpenAI SDK: a client whose every answer and tool call has been checked.

Chat Completions and Responses, streamed or not, synchronous and asynchronous, against OpenAI, Azure
or a server that speaks the same: all requests pass one place, and that is where the guard stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar, Unpack, cast

from affidavit.guard import AnswerChecker, GuardOptions
from affidavit.runtimes.adapter import Adapter
from affidavit.runtimes.openai_routes import ROUTES
from affidavit.runtimes.transport import guarded

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

    Client = TypeVar("Client", bound=OpenAI | AsyncOpenAI)

ADAPTER = Adapter(
    name="OpenAI SDK (Chat Completions, Responses, Azure)",
    package="openai",
    versions="3.54, 2.54",
    use="client = guard_client(OpenAI(), detector)",
    notes=(
        "one choice a request, text only; no background responses, no conversations kept by the API",
        "a streamed answer arrives without annotations and log probabilities",
    ),
)


def guard_client(
    client: Client,
    detector: AnswerChecker,
    *,
    allow_unguarded: Iterable[str] = (),
    **options: Unpack[GuardOptions],
) -> Client:
    """A guarded copy of ``client``, which may be one of Azure's; ``client`` itself stays as it is.

    A turn whose calls do not pass is answered with what is wrong and asked again, within the policy's
    ``max_call_retries``; a draft that does not pass likewise, within ``max_revisions``. What the caller
    gets is a response with calls that may run, an answer that may go out, or the refusal.

    A path of the API whose answers cannot be checked is refused; ``allow_unguarded`` lists those that may
    go past the guard, such as ``"files/*/content"``, or ``"websocket"`` for connections.
    """
    return cast("Client", guarded(client, ROUTES, detector, options, allow_unguarded))
