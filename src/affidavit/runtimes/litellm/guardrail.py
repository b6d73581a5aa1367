"""The guardrail itself. This module imports LiteLLM."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from typing import Any
from urllib.parse import urlsplit

from litellm.integrations.custom_guardrail import CustomGuardrail
from litellm.types.utils import ModelResponse, ModelResponseStream

from affidavit.detector import Detector
from affidavit.guard import AnswerChecker, GuardOptions
from affidavit.policy import Policy
from affidavit.runtimes.cited_writing import warn_of_cite
from affidavit.runtimes.exchange import Broken
from affidavit.runtimes.exchanges import Exchanges
from affidavit.runtimes.identity import Identity, identity_of
from affidavit.runtimes.litellm.host import ProxyHost, as_json
from affidavit.runtimes.own_model import tell_of_judge
from affidavit.runtimes.routes import allowed
from affidavit.runtimes.sse import write_event
from affidavit.runtimes.wire import (
    AnthropicWire,
    Json,
    OpenAIChatWire,
    OpenAIResponsesWire,
    Wire,
)

# Numbers, labels, pictures and what was heard in the caller's own recording.
_HARMLESS = frozenset(
    {
        "EmbeddingResponse",
        "ImageResponse",
        "RerankResponse",
        "TranscriptionResponse",
        "ModerationCreateResponse",
        "OpenAIModerationResponse",
        "HttpxBinaryResponseContent",
    }
)


class AffidavitGuardrail(CustomGuardrail):
    """Checks each answer and tool call of the proxy's models; what does not pass is asked again, over
    the proxy's own routing, until it does or is refused.

    ``policy`` is the path of a policy file. In Python a ``detector`` may be given instead. What cannot be
    checked is answered with an error, unless ``allow_unguarded`` has its path.
    """

    def __init__(
        self,
        *,
        policy: str | None = None,
        allow_unguarded: Iterable[str] = (),
        detector: AnswerChecker | None = None,
        options: GuardOptions | None = None,
        **of_litellm: Any,
    ) -> None:
        super().__init__(**of_litellm)
        checker = detector or Detector(Policy.load(policy) if policy else None)
        # The proxy has asked the model by then.
        self._exchanges = Exchanges(checker, options or {}, instructs=False)
        warn_of_cite("LiteLLM", checker, options or {})
        tell_of_judge("LiteLLM", checker)
        self._allow_unguarded = tuple(allow_unguarded)

    async def async_post_call_success_hook(
        self,
        data: Json,
        user_api_key_dict: Any,  # noqa: ARG002
        response: Any,
    ) -> Any:
        """The response that goes to the caller in place of ``response``."""
        wire = _wire_of(data, response)
        if wire is None:
            if self._passes(data, response):
                return response
            raise ValueError(
                f"affidavit: a {type(response).__name__} cannot be checked; "
                f"allow_unguarded: [{_path(data)!r}] lets it go past the guard"
            )
        host = ProxyHost(wire, data, response)
        exchange = self._exchanges.begin(wire, host.body, host, _identity(data))
        if exchange is None:
            return response
        settled = await exchange.complete()
        if settled == as_json(response):
            return response
        return settled if isinstance(response, dict) else type(response)(**settled)

    def _passes(self, data: Json, response: Any) -> bool:
        """Whether a response that is no answer may go on: it holds no words of a model, or its path may go
        past the guard."""
        harmless = type(response).__name__ in _HARMLESS
        return harmless or allowed(self._allow_unguarded, _path(data))

    async def async_post_call_streaming_iterator_hook(
        self,
        user_api_key_dict: Any,  # noqa: ARG002
        response: Any,
        request_data: Json,
    ) -> AsyncGenerator[Any, None]:
        """The chunks that go to the caller, in the form in which ``response`` has them."""
        wire = _wire_of(request_data, None)
        if wire is None or isinstance(wire, OpenAIResponsesWire):
            raise ValueError(
                "affidavit: a stream of this kind cannot be checked; ask without `stream`"
            )
        host = ProxyHost(wire, request_data, response)
        exchange = self._exchanges.begin(wire, host.body, host, _identity(request_data))
        if exchange is None:
            async for chunk in response:
                yield chunk
            return
        try:
            async for event in exchange.stream():
                yield (
                    ModelResponseStream(**event)
                    if isinstance(wire, OpenAIChatWire)
                    else write_event(event)
                )
        except Broken as broken:
            if isinstance(wire, OpenAIChatWire):
                raise  # the proxy makes an error of it in its own form
            yield write_event(broken.event)


def _path(data: Json) -> str:
    url = str((data.get("proxy_server_request") or {}).get("url", ""))
    return urlsplit(url).path.rstrip("/")


def _identity(data: Json) -> Identity:
    """The run that the proxy's caller names in a header; its key tells it from other callers."""
    headers = dict((data.get("proxy_server_request") or {}).get("headers") or {})
    named = {str(name).lower(): str(value) for name, value in headers.items()}
    return identity_of(named, in_process=False)


def _wire_of(data: Json, response: Any) -> Wire | None:
    """The wire format of a response, or of a request where it is streamed; None for embeddings, images
    and the like."""
    if isinstance(response, ModelResponse):
        return OpenAIChatWire()
    path = _path(data)
    if path.endswith("/v1/messages"):
        return AnthropicWire()
    if path.endswith("/responses"):
        return OpenAIResponsesWire()
    return OpenAIChatWire() if path.endswith("/chat/completions") and response is None else None
