"""Citations of the agent's model, over the real SDKs: asked for, taken out, looked up."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

import pytest

from affidavit.guard import CITE_AS_YOU_WRITE
from affidavit.policy import JudgePolicy, Policy
from affidavit.report import CITED
from affidavit.runtimes.anthropic import guard_client
from affidavit.runtimes.cited_writing import warn_of_cite
from affidavit.runtimes.claude_code.events import HookEvent
from affidavit.runtimes.claude_code.hooks import Hooks
from affidavit.runtimes.contract import TOOL, ModelTurn
from affidavit.runtimes.contract.providers import (
    anthropic_events,
    anthropic_message,
    chat_chunks,
    chat_completion,
    responses_events,
    responses_response,
)
from affidavit.runtimes.contract.scenarios import FALSE, ORDER, SHIPPED, TRUE, detector_of
from affidavit.runtimes.openai import guard_client as guard_openai
from affidavit.runtimes.sse import write_event
from affidavit.runtimes.transport import inner_library

anthropic = pytest.importorskip("anthropic")
openai = pytest.importorskip("openai")
httpx = inner_library(anthropic.Anthropic(api_key="k")._client)

RESULT = json.dumps({"order_id": ORDER, "status": "shipped", "total": "$45.18"})
QUESTION = f"How is order {ORDER}?"
ALONE = Policy(judge=JudgePolicy(model="none"))
WIRES: dict[str, tuple[Any, Any]] = {
    "messages": (anthropic_message, anthropic_events),
    "completions": (chat_completion, chat_chunks),
    "responses": (responses_response, responses_events),
}


class Api:
    """The model behind: it says its turns one after another, and keeps what it was asked."""

    def __init__(self, *turns: ModelTurn | str) -> None:
        self.turns = [ModelTurn(turn) if isinstance(turn, str) else turn for turn in turns]
        self.asked: list[Any] = []

    def __call__(self, request: Any) -> Any:
        body = json.loads(request.content)
        self.asked.append(body)
        whole, events = WIRES[request.url.path.rpartition("/")[2]]
        turn = self.turns[min(len(self.asked), len(self.turns)) - 1]
        if body.get("stream"):
            content = b"".join(write_event(event) for event in events(turn)) + b"data: [DONE]\n\n"
            kind = {"content-type": "text/event-stream"}
            return httpx.Response(200, headers=kind, content=content)
        return httpx.Response(200, json=whole(turn))

    def http(self) -> Any:
        return httpx.Client(transport=httpx.MockTransport(self))


def messages(api: Api, how: Any, *, stream: bool = False, **more: Any) -> str:
    own = anthropic.Anthropic(api_key="k", max_retries=0, http_client=api.http())
    called = [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": TOOL.name, "input": {"order_id": ORDER}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": RESULT}]},
    ]  # fmt: skip
    tools = [{"name": TOOL.name, "input_schema": TOOL.input_schema}]
    asked: Any = {"model": "m", "max_tokens": 9, "messages": called, "tools": tools, **more}
    client = guard_client(own, **how)
    if not stream:
        return str(client.messages.create(**asked).content[0].text)
    with client.messages.stream(**asked) as events:
        seen = "".join(events.text_stream)
        assert events.get_final_message().content[0].text == seen
    return seen


def chat(api: Api, how: Any, *, stream: bool = False, before: Any = (), **more: Any) -> str:
    client = guard_openai(openai.OpenAI(api_key="k", max_retries=0, http_client=api.http()), **how)
    called = [
        *before,
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "toolu_1", "type": "function", "function": {"name": TOOL.name, "arguments": json.dumps({"order_id": ORDER})}}]},
        {"role": "tool", "tool_call_id": "toolu_1", "content": RESULT},
    ]  # fmt: skip
    made = client.chat.completions.create(model="m", messages=called, stream=stream, **more)
    if not stream:
        return str(made.choices[0].message.content)
    return "".join(c.delta.content or "" for chunk in made for c in chunk.choices)


def responses(api: Api, how: Any, *, stream: bool = False, **more: Any) -> str:
    client = guard_openai(openai.OpenAI(api_key="k", max_retries=0, http_client=api.http()), **how)
    called = [
        {"role": "user", "content": QUESTION},
        {"type": "function_call", "call_id": "toolu_1", "name": TOOL.name, "arguments": json.dumps({"order_id": ORDER})},
        {"type": "function_call_output", "call_id": "toolu_1", "output": RESULT},
    ]  # fmt: skip
    if not stream:
        return str(client.responses.create(model="m", input=called, **more).output_text)
    with client.responses.stream(model="m", input=called, **more) as events:
        seen = "".join(e.delta for e in events if e.type == "response.output_text.delta")
        assert events.get_final_response().output_text == seen
    return seen


WAYS: dict[str, Callable[..., str]] = {
    "Messages": messages, "Chat Completions": chat, "Responses": responses,
}  # fmt: skip
ways = pytest.mark.parametrize("ask", WAYS.values(), ids=WAYS)
streams = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])


@pytest.mark.spec("AFF-1501", "AFF-1502", "AFF-1503")
@ways
@streams
def test_a_revision_cites_and_the_user_does_not_see_it(ask: Any, stream: bool) -> None:
    reports: list[Any] = []
    cited = f'{SHIPPED} [toolu_1] "status": "shipped"\n\n{TRUE[:-1]} [toolu_1] "total: $45.18".'
    api = Api(FALSE, cited)
    how = {"detector": detector_of(ALONE), "on_report": reports.append}
    assert ask(api, how, stream=stream) == f"{SHIPPED}\n\n{TRUE}"
    assert "[toolu_1] get_order" in json.dumps(api.asked[1])
    assert CITE_AS_YOU_WRITE not in json.dumps(api.asked)
    told = [check for claim in reports[0].claims for check in claim.checks if check.name == CITED]
    assert [(check.state, len(check.evidence_spans)) for check in told] == [("checked", 1)] * 2


@pytest.mark.spec("AFF-1505")
@ways
@streams
def test_a_revision_that_cites_falsely_is_told_so(ask: Any, stream: bool) -> None:
    api = Api(FALSE, f'{FALSE} [toolu_1] "total: $93.70"', TRUE)
    assert ask(api, {"detector": detector_of(ALONE)}, stream=stream) == TRUE
    again = json.dumps(api.asked[2], ensure_ascii=False)
    assert "does not stand in the result of get_order [toolu_1]" in again
    assert "[toolu_1]" in json.dumps(api.asked[2]), "the model sees what it wrote itself"


@pytest.mark.spec("AFF-1501", "AFF-1506")
@ways
@streams
def test_what_is_said_beside_a_call_has_no_marks_either(ask: Any, stream: bool) -> None:
    from affidavit.runtimes.contract import Call

    said = f"{SHIPPED[:-1]} [toolu_1]. I'll look again."
    api = Api(ModelTurn(said, (Call(ORDER, "toolu_2"),)))
    seen = ask(api, {"detector": detector_of(ALONE), "cite": True}, stream=stream)
    assert seen.strip() == f"{SHIPPED} I'll look again."


@pytest.mark.spec("AFF-1506")
@pytest.mark.parametrize(
    ("ask", "given", "sent"),
    [
        (messages, {}, lambda b: b["system"]),
        (messages, {"system": "Be brief."}, lambda b: b["system"]),
        (messages, {"system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]}, lambda b: [p["text"] for p in b["system"]]),
        (chat, {}, lambda b: b["messages"][0]["content"]),
        (chat, {"before": [{"role": "system", "content": "Be brief."}]}, lambda b: b["messages"][0]["content"]),
        (chat, {"before": [{"role": "developer", "content": [{"type": "text", "text": "Be brief."}]}]}, lambda b: [p["text"] for p in b["messages"][0]["content"]]),
        (responses, {}, lambda b: b["instructions"]),
        (responses, {"instructions": "Be brief."}, lambda b: b["instructions"]),
    ],
)  # fmt: skip
def test_the_line_stands_at_the_end_of_the_system_prompt(ask: Any, given: Any, sent: Any) -> None:
    reports: list[Any] = []
    api = Api(FALSE, f"{TRUE[:-1]} [toolu_1].")
    how = {"detector": detector_of(ALONE), "cite": True, "on_report": reports.append}
    assert ask(api, how, **given) == TRUE
    prompts = [sent(body) for body in api.asked]
    whole = "\n\n".join(prompts[0]) if isinstance(prompts[0], list) else prompts[0]
    assert whole == "\n\n".join([*(["Be brief."] if given else []), CITE_AS_YOU_WRITE])
    assert len(prompts) == 2 and prompts[0] == prompts[1], "once, whatever is sent back"
    assert all("[call_id]" not in attempt.answer for attempt in reports[0].attempts)


@pytest.mark.spec("AFF-1506")
def test_the_line_is_no_part_of_the_run() -> None:
    traces: list[Any] = []

    class Log:
        def call(self, run_id: str, validation: Any) -> None: ...

        def report(self, report: Any, trace: Any) -> None:
            traces.append(trace)

    how = {"detector": detector_of(ALONE), "cite": True, "recorders": [Log()]}
    messages(Api(TRUE), how, system="Be brief.")
    assert "Be brief." in str(traces[0].messages) and CITE_AS_YOU_WRITE not in str(traces[0])


@pytest.mark.spec("AFF-1506")
@ways
def test_nothing_is_added_unless_it_is_asked_for(ask: Any) -> None:
    for how in ({}, {"cite": False}, {"cite": True, "shadow": True}):
        api = Api(TRUE)
        ask(api, {"detector": detector_of(ALONE), **how})
        assert "[call_id]" not in json.dumps(api.asked[0])


@pytest.mark.spec("AFF-1506")
def test_a_policy_asks_for_it_in_a_loop_too() -> None:
    api = Api(f"{TRUE[:-1]} [get_order].")
    http = httpx.AsyncClient(transport=httpx.MockTransport(api))
    own = anthropic.AsyncAnthropic(api_key="k", max_retries=0, http_client=http)
    client = guard_client(own, detector_of(Policy(cite=True, judge=JudgePolicy(model="none"))))
    said = [
        {"role": "user", "content": f"{QUESTION} It cost $45.18."},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": TOOL.name, "input": {"order_id": ORDER}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": RESULT}]},
    ]  # fmt: skip
    asking: Any = client.messages.create(model="m", max_tokens=9, messages=said)
    assert asyncio.run(asking).content[0].text == TRUE
    assert api.asked[0]["system"] == CITE_AS_YOU_WRITE


@pytest.mark.spec("AFF-1507", "AFF-1502")
def test_a_runtime_that_cannot_ask_for_citations_says_so(caplog: Any) -> None:
    with caplog.at_level(logging.WARNING, logger="affidavit.runtimes"):
        Hooks(detector_of(), cite=True)
        assert "Claude Code" in caplog.text and "marks could not be taken out" in caplog.text
        assert "CITE_AS_YOU_WRITE" not in caplog.text, "marks would be seen"
        caplog.clear()
        warn_of_cite("some framework", detector_of(), {"cite": True})
        assert "some framework" in caplog.text and "CITE_AS_YOU_WRITE" in caplog.text
        caplog.clear()
        Hooks(detector_of())
        Hooks(detector_of(Policy(cite=True)), cite=False)
        assert not caplog.text


@pytest.mark.spec("AFF-1502")
def test_claude_code_is_offered_no_marks_that_would_be_seen(tmp_path: Any) -> None:
    hooks = Hooks(detector_of(), folder=tmp_path)
    told = {
        "session_id": "s",
        "cwd": str(tmp_path),
        "transcript_path": str(tmp_path / "none.jsonl"),
    }

    def event(name: str, **more: Any) -> Any:
        return hooks.answer(HookEvent.model_validate({"hook_event_name": name, **told, **more}))

    event("UserPromptSubmit", prompt=QUESTION)
    event("PostToolUse", tool_name=TOOL.name, tool_use_id="toolu_1", tool_input={"order_id": ORDER}, tool_response=RESULT)  # fmt: skip
    sent_back = event("Stop", last_assistant_message=FALSE)
    assert "93.70" in str(sent_back) and "call_id" not in str(sent_back)
