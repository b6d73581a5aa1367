"""What an exchange needs to know of a wire format. Everything is plain JSON; nothing given is changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from affidavit.models.llm import Usage
from affidavit.trace import Message, ToolCallPart, ToolDefinition

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """What a request says of the run so far."""

    messages: tuple[Message, ...]
    tools: tuple[ToolDefinition, ...] | None
    model: str | None
    continues: str | None = None
    """The response that it goes on from, where the API keeps what went before."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What the model said in one response. ``unfinished`` is a turn that the provider has paused,
    ``cut_off`` one that broke off at the limit of tokens."""

    message: Message
    text: str
    unfinished: bool = False
    cut_off: bool = False
    tools: tuple[ToolDefinition, ...] = ()
    """Tools that the response itself tells of: those of servers that the provider calls."""

    @property
    def calls(self) -> tuple[ToolCallPart, ...]:
        """The calls that the caller is to run; the provider's own have been run."""
        return tuple(call for call in self.message.tool_calls if not call.server_side)


class StreamReader(Protocol):
    """Takes the events of one streamed response."""

    def feed(self, event: Json) -> str:
        """Take an event; return the text of the answer that it adds."""
        ...

    @property
    def response(self) -> Json:
        """The response as it would have come in one piece."""
        ...

    @property
    def complete(self) -> bool:
        """Whether the stream has come to its own end, rather than broken off."""
        ...


class StreamWriter(Protocol):
    """Makes the events of one streamed response that may be put together from several."""

    @property
    def id(self) -> str | None:
        """The id under which the caller knows the response, once it has begun."""
        ...

    def text(self, piece: str, source: StreamReader) -> Iterable[Json]:
        """The events that add ``piece`` to the answer, while ``source`` is being read."""
        ...

    def finish(self, response: Json, source: StreamReader) -> Iterable[Json]:
        """The events that end the stream with what ``response`` holds besides text."""
        ...


class Wire(Protocol):
    """One wire format."""

    name: str
    end_mark: bytes
    """What a stream ends with besides its events."""
    api_remembers: bool
    """Whether a request may go on from a response that the API has kept."""

    def request(self, body: Json) -> Request:
        """The run as the request tells it. Raises :class:`~affidavit.errors.TraceError`."""
        ...

    def fault(self, body: Json) -> Json | None:
        """What is answered to a request that cannot be guarded; None where it can."""
        ...

    def streams(self, body: Json) -> bool:
        """Whether the request asks for a stream."""
        ...

    def failure(self, event: Json) -> Json | None:
        """What a caller is sent of an event of a stream that says that the API has failed: nothing that
        the model said. None for any other event."""
        ...

    def broken(self, message: str) -> Json:
        """The event that ends a stream which has failed here."""
        ...

    def turn(self, response: Json) -> Turn:
        """What the model said."""
        ...

    def with_results(self, body: Json, response: Json, results: Mapping[str, str]) -> Json:
        """The next request: the model's turn, and an error in place of each call's result."""
        ...

    def with_feedback(self, body: Json, response: Json, feedback: str) -> Json:
        """The next request: the model's draft, and what is wrong with it."""
        ...

    def with_text(self, response: Json, text: str, *, ends: bool = True) -> Json:
        """The response with ``text`` in place of its own; with ``ends``, an answer without calls."""
        ...

    def with_usage(self, response: Json, earlier: Iterable[Json]) -> Json:
        """The response with the tokens of earlier ones added to its own."""
        ...

    def resumed(self, body: Json, response_id: str) -> Json:
        """The request going on from another response."""
        ...

    def instructed(self, body: Json, text: str) -> Json | None:
        """The request with ``text`` at the end of its system prompt. None where this format has no place for it."""
        ...

    def question(self, body: Json, text: str) -> Json | None:
        """A request of its own to the model that ``body`` asks: ``text`` alone, no tools, kept by nobody. None where that
        cannot be asked in this format."""
        ...

    def usage(self, response: Json) -> Usage | None:
        """What a response has cost, where it tells."""
        ...

    def error(self, message: str) -> Json:
        """The body of an answer with status 400."""
        ...

    def reader(self) -> StreamReader: ...

    def writer(self) -> StreamWriter: ...


def joined(prompt: str, text: str) -> str:
    """A system prompt with a paragraph more."""
    return f"{prompt}\n\n{text}" if prompt else text


def usage_of(told: Any, input_name: str, output_name: str) -> Usage | None:
    """The tokens under two names of an object; None where they are not both there."""
    if not isinstance(told, dict):
        return None
    counts = told.get(input_name), told.get(output_name)
    return Usage(*counts) if all(map(_is_count, counts)) else None  # type: ignore[arg-type]


def added(a: Any, b: Any) -> Any:
    """Counts of tokens, added field by field."""
    if isinstance(a, dict) and isinstance(b, dict):
        return {**b, **{k: added(v, b[k]) if k in b else v for k, v in a.items()}}
    if _is_count(a) and _is_count(b):
        return a + b
    return b if a is None else a


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
