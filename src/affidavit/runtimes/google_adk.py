"""Google ADK: a plugin for ``App``.

    app = App(name=..., root_agent=agent, plugins=[GuardPlugin(Detector())])

A stream shows each sentence when it has been verified. Where an agent has an ``output_schema`` there is no
place for a refusal: an answer that is blocked raises :class:`~affidavit.errors.AnswerRefused`. Live
(bidirectional) sessions are not guarded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Unpack

from affidavit.errors import AnswerRefused, MissingExtra, ModelError
from affidavit.formats import google_genai
from affidavit.formats.draft import Draft
from affidavit.formats.node import Node
from affidavit.formats.parts import tool_call
from affidavit.guard import AnswerChecker, AnswerStream, GuardOptions
from affidavit.models.llm import Completion, LanguageModel, Usage
from affidavit.runtimes.conversation import Conversation, Said, Shown
from affidavit.runtimes.own_model import model_of, tell_of_judge
from affidavit.trace import Message, ToolDefinition

try:
    from google.adk.models import LlmRequest, LlmResponse
    from google.adk.plugins.base_plugin import BasePlugin
    from google.genai import types
except ImportError as error:
    raise MissingExtra("google-adk", "google-adk") from error


class GuardPlugin(BasePlugin):
    """Checks each call before its tool runs, and each answer before it becomes an event."""

    def __init__(self, detector: AnswerChecker, **options: Unpack[GuardOptions]) -> None:
        super().__init__(name="affidavit")
        self._detector, self._options = detector, options
        tell_of_judge("Google ADK", detector)
        self._runs: dict[str, Conversation] = {}
        self._requests: dict[tuple[str, str], LlmRequest] = {}
        self._drafts: dict[tuple[str, str], AnswerStream] = {}

    async def before_run_callback(self, *, invocation_context: Any) -> None:
        run = Conversation(self._detector, self._options)
        self._runs[invocation_context.invocation_id] = run

    async def after_run_callback(self, *, invocation_context: Any) -> None:
        self._end(invocation_context)

    async def on_run_error_callback(self, *, invocation_context: Any, error: Exception) -> None:  # noqa: ARG002
        self._end(invocation_context)

    async def before_tool_callback(
        self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any
    ) -> dict[str, Any] | None:
        call = tool_call(tool_context.function_call_id, tool.name, Node(tool_args))
        feedback = await self._runs[tool_context.invocation_id].acheck(call)
        return None if feedback is None else {"error": feedback}

    async def before_model_callback(
        self, *, callback_context: Any, llm_request: LlmRequest
    ) -> LlmResponse | None:
        run = self._runs[callback_context.invocation_id]
        run.follow(_messages(callback_context, llm_request), _tools(llm_request))
        run.guard.own = _judge(_model(callback_context), llm_request)
        if run.stopped:
            decision = await run.guard.agive_up()
            return _refusal(llm_request, decision.text or "", decision.report)
        if line := run.guard.instruction:
            llm_request.append_instructions([line])
        # What the model answers comes to another callback, which is not shown the request.
        self._requests[_place(callback_context)] = llm_request.model_copy()
        llm_request.contents = run.reminded(llm_request.contents)
        return None

    async def after_model_callback(
        self, *, callback_context: Any, llm_response: LlmResponse
    ) -> LlmResponse | None:
        place, run = _place(callback_context), self._runs[callback_context.invocation_id]
        if llm_response.partial:
            writing = self._drafts.setdefault(place, run.guard.stream())
            piece = await writing.afeed(_said(llm_response).text)
            return LlmResponse(partial=True, content=_content(piece) if piece else None)
        if llm_response.content is None:  # an error, which ends what was being written
            self._drafts.pop(place, None)
            return None
        request = self._requests[place]
        model = _model(callback_context)
        came = [llm_response]

        async def ask(shown: Shown) -> LlmResponse:
            if came:
                return came.pop()
            again = request.model_copy(update={"contents": shown})
            responses = [r async for r in model.generate_content_async(again, stream=False)]
            return responses[-1]

        draft = self._drafts.pop(place, None)
        settled = await run.aanswer(request.contents, ask, _said, _exchange, draft)
        response, decision = settled.response, settled.decision
        if settled.text is None:
            return None if response is llm_response else response
        if decision is not None and request.config.response_schema is not None:
            if decision.action == "emit":
                return response
            return _refusal(request, settled.text, decision.report)
        parts = response.content.parts or []
        at = next((i for i, part in enumerate(parts) if _words(part)), len(parts))
        words = [types.Part(text=settled.text)] if settled.text else []
        others = [part for part in parts[at:] if not _words(part)]
        content = types.Content(role="model", parts=[*parts[:at], *words, *others])
        return response.model_copy(update={"content": content})

    def _end(self, context: Any) -> None:
        run = self._runs.pop(context.invocation_id, None)
        for place in [place for place in self._requests if place[0] == context.invocation_id]:
            del self._requests[place]
            self._drafts.pop(place, None)
        if run is not None:
            run.guard.finish()


def _place(context: Any) -> tuple[str, str]:
    """Agents of one run may be asked at the same time, but each only one thing at a time."""
    return context.invocation_id, context.agent_name


def _model(context: Any) -> Any:
    return context.get_invocation_context().agent.canonical_model


def _judge(model: Any, request: LlmRequest) -> LanguageModel:
    # How the API is reached is the agent's; what it is told there is not.
    config = types.GenerateContentConfig(http_options=request.config.http_options)

    async def ask(text: str) -> Completion:
        asked = [types.Content(role="user", parts=[types.Part(text=text)])]
        question = LlmRequest(model=request.model, contents=asked, config=config)
        *_, last = [r async for r in model.generate_content_async(question, stream=False)]
        if last.error_code or last.error_message:
            raise ModelError(f"{last.error_code}: {last.error_message}")
        used = last.usage_metadata
        counts = (used.prompt_token_count, used.candidates_token_count) if used else (None, None)
        usage = Usage(*(count or 0 for count in counts)) if any(counts) else None
        return Completion(_said(last).text, usage)

    return model_of(request.model or model.model, ask)


def _refusal(request: LlmRequest, text: str, report: object) -> LlmResponse:
    if request.config.response_schema is not None:
        raise AnswerRefused(text, report)
    return LlmResponse(content=_content(text))


def _content(text: str) -> Any:
    return types.Content(role="model", parts=[types.Part(text=text)])


def _words(part: Any) -> str:
    return "" if part.thought else part.text or ""


def _said(response: LlmResponse) -> Said:
    parts = response.content.parts or () if response.content else ()
    text = "".join(map(_words, parts))
    calls = any(part.function_call for part in parts)
    return Said(text, calls=calls, cut_off=response.finish_reason == types.FinishReason.MAX_TOKENS)


def _exchange(response: LlmResponse, feedback: str) -> Sequence[Any]:
    told = types.Content(role="user", parts=[types.Part(text=feedback)])
    return [response.content, told]


def _messages(context: Any, request: LlmRequest) -> Iterator[Message]:
    """The run as the session has it. What the model is shown has other agents' words in it as if the
    user had said them."""
    contents = list(_contents(context.session.events))
    yield from _read(request, {"system_instruction"}, contents).messages


def _tools(request: LlmRequest) -> Iterator[ToolDefinition]:
    yield from _read(request, {"tools"}, []).tools or ()


def _read(request: LlmRequest, fields: set[str], contents: list[Any]) -> Draft:
    config = request.config.model_dump(mode="json", exclude_none=True, include=fields)
    return google_genai.read(Node({**config, "contents": contents}))


def _contents(events: Sequence[Any]) -> Iterator[dict[str, Any]]:
    for event in events:
        if event.content is not None and not event.partial:
            by_user = event.author == "user" or event.get_function_responses()
            dumped = event.content.model_dump(mode="json", exclude_none=True)
            yield {**dumped, "role": "user" if by_user else "model"}
