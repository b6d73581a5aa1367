"""The model that a run asks, asked once more beside the run: as a judge of what it has said."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Protocol, TypeVar, cast, runtime_checkable

from affidavit.errors import ModelError
from affidavit.guard import AnswerChecker
from affidavit.models.llm import CallableModel, ChatMessage, Completion, LanguageModel
from affidavit.policy import JudgePolicy
from affidavit.runtimes.exchange import Exchange, Reply
from affidavit.runtimes.sse import Garbled
from affidavit.runtimes.wire import Json, Wire

_log = logging.getLogger("affidavit.runtimes")

T = TypeVar("T")

JUDGE_SPAN = "affidavit judge"
"""What the question is called in a framework's own traces."""


@runtime_checkable
class AsksBeside(Protocol):
    """A host that can send a request which is none of the run's."""

    async def send(self, body: Json) -> Reply: ...

    async def beside(self, asking: Coroutine[Any, Any, T]) -> T:
        """What ``asking`` comes to, awaited from the guard's own loop."""
        ...


def own_model(exchange: Exchange) -> LanguageModel | None:
    """The model that an exchange asks, over the same client; None where it cannot be asked beside the run. What it
    says costs the caller tokens, which the response that the caller gets says as well."""
    wire, host, body = exchange.wire, exchange.host, exchange.body
    if not isinstance(host, AsksBeside) or wire.question(body, "") is None:
        return None
    return OwnModel(wire, host, body, exchange.spent)


def model_of(
    name: str, ask: Callable[[str], Completion] | Callable[[str], Awaitable[Completion]]
) -> LanguageModel:
    """The model that a framework's run asks, as a judge beside it. ``ask`` puts a text to that model below the guard's own
    hooks, without tools and without the conversation. A plain function is called in a thread of its own."""

    def text_of(messages: Sequence[ChatMessage]) -> str:
        return "\n\n".join(message.text for message in messages)

    async def awaited(messages: Sequence[ChatMessage]) -> Any:
        return await cast("Awaitable[Completion]", ask(text_of(messages)))

    def waited(messages: Sequence[ChatMessage]) -> Any:
        return ask(text_of(messages))

    asked = awaited if inspect.iscoroutinefunction(ask) else waited
    return CallableModel(asked, name=f"own:{name}")


def judged_by(policy: JudgePolicy, own: str = "the agent's own model") -> str:
    """Who is asked about claims in doubt, what that costs, and how to switch it off. ``own`` is what the run's own model is
    called."""
    if policy.when == "never" or policy.model == "none":
        return "judge: nobody is asked about claims in doubt"
    if policy.asks_own:
        return (
            f"judge: {own} is asked about critical claims in doubt, with the caller's key, "
            "in one request an answer at most"
        )
    return (
        f"judge: {policy.model} is asked about claims in doubt, in {policy.requests} requests an answer at most, "
        f"of {policy.tokens} tokens at most"
    )


def tell_of_judge(adapter: str, detector: AnswerChecker) -> None:
    """Log who is asked about claims in doubt, once an adapter is made whose runs' own model can be asked."""
    policy = detector.policy.judge
    given = getattr(detector, "judge", None)
    if given is not None:
        policy = policy.model_copy(update={"model": given.name})
    off = ' (judge = { model = "none" } in the policy switches it off)' if policy.asks_own else ""
    _log.info("%s: %s%s", adapter, judged_by(policy), off)


class OwnModel:
    """Asks with the caller's own client, key and model. It goes out behind the guard, not through it."""

    def __init__(
        self, wire: Wire, host: AsksBeside, body: Json, spent: Callable[[Json], None]
    ) -> None:
        self._wire, self._host, self._body, self._spent = wire, host, body, spent

    @property
    def name(self) -> str:
        return f"own:{self._body.get('model') or self._wire.name}"

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        temperature: float | None = None,  # noqa: ARG002
        max_tokens: int | None = None,  # noqa: ARG002
    ) -> str:
        body = self._wire.question(self._body, "\n\n".join(m.text for m in messages))
        assert body is not None
        try:
            response = await self._host.beside(self._response(body))
            self._spent(response)
            text, usage = self._wire.turn(response).text, self._wire.usage(response)
        except ModelError:
            raise
        except Exception as error:  # of the client's library, which may be either httpx
            raise ModelError(f"{self.name}: {type(error).__name__}: {error}") from error
        if not text.strip():
            raise ModelError(f"{self.name}: no answer")
        return Completion(text, usage)

    async def _response(self, body: Json) -> Json:
        reply = await self._host.send(body)
        try:
            if not reply.ok:
                raise ModelError(f"{self.name}: {(await reply.text())[:200]}")
            if not self._wire.streams(body):
                return await reply.json()
            reader = self._wire.reader()
            async for event in reply.events():
                if self._wire.failure(event) is not None:
                    raise ModelError(f"{self.name}: the stream broke off")
                reader.feed(event)
            return reader.response
        except Garbled as error:
            raise ModelError(f"{self.name}: {error}") from error
        finally:
            await reply.close()
