"""The Anthropic SDK: a client whose every answer and tool call has been checked.

``messages.create`` and ``.stream``, their beta forms, ``parse`` and the tool runner, synchronous and
asynchronous: all of them pass one place, and that is where the guard stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, Unpack, cast

from affidavit.guard import AnswerChecker, GuardOptions
from affidavit.runtimes.adapter import Adapter
from affidavit.runtimes.transport import guarded
from affidavit.runtimes.wire import AnthropicWire, Wire

if TYPE_CHECKING:
    from anthropic import Anthropic, AsyncAnthropic

    Client = TypeVar("Client", bound=Anthropic | AsyncAnthropic)

ADAPTER = Adapter(
    name="Anthropic SDK",
    package="anthropic",
    versions="2.12, 0.125",
    use="client = guard_client(Anthropic(), detector)",
    notes=(
        "thinking is passed on as it came; a streamed answer arrives without the API's citations",
    ),
)

_PATH = "/v1/messages"


def guard_client(
    client: Client, detector: AnswerChecker, **options: Unpack[GuardOptions]
) -> Client:
    """A guarded copy of ``client``; ``client`` itself stays as it is.

    A turn whose calls do not pass is answered with what is wrong and asked again, within the policy's
    ``max_call_retries``; a draft that does not pass likewise, within ``max_revisions``. What the caller
    gets is a response with calls that may run, an answer that may go out, or the refusal.
    """
    return cast("Client", guarded(client, wire_of, detector, options))


def wire_of(path: str) -> Wire | None:
    """The wire format of a request; None for what is none of the guard's business."""
    return AnthropicWire() if path.endswith(_PATH) else None
