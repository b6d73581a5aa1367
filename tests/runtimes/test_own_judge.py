"""The agent's own model as judge, over the client that an adapter holds."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest

from affidavit.models.llm import AnthropicModel
from affidavit.policy import JudgePolicy, Policy
from affidavit.runtimes.anthropic import guard_client
from affidavit.runtimes.contract import TOOL, ModelTurn
from affidavit.runtimes.contract.providers import (
    anthropic_events,
    anthropic_message,
    chat_chunks,
    chat_completion,
    responses_events,
    responses_response,
)
from affidavit.runtimes.contract.scenarios import FALSE, ORDER, TRUE, detector_of
from affidavit.runtimes.openai import guard_client as guard_openai
from affidavit.runtimes.sse import write_event
from affidavit.runtimes.transport import inner_library

anthropic = pytest.importorskip("anthropic")
openai = pytest.importorskip("openai")
httpx = inner_library(anthropic.Anthropic(api_key="k")._client)

RESULT = json.dumps({"order_id": ORDER, "status": "shipped", "total": "$45.18"})
QUESTION = f"What is the total of order {ORDER}?"
# Where every second claim holds, one word of a judge shows in the decision.
DOUBTS = Policy(prior=0.85, judge=JudgePolicy(low=0, high=1))
"""Every critical claim is in doubt."""


class Api:
    """The model behind: it says its turns one after another, and judges what it is asked to judge."""

    def __init__(self, turns: list[str], verdict: str, *, fails: bool = False) -> None:
        self.turns, self.verdict, self.fails = turns, verdict, fails
        self.runs: list[Any] = []
        self.questions: list[Any] = []

    def __call__(self, request: Any) -> Any:
        body = json.loads(request.content)
        text = request.content.decode()
        wires = {
            "messages": (anthropic_message, anthropic_events),
            "completions": (chat_completion, chat_chunks),
            "responses": (responses_response, responses_events),
        }
        whole, events = wires[request.url.path.rpartition("/")[2]]
        if "<claim>" in text:
            self.questions.append(body)
            if self.fails:
                return httpx.Response(500, json={"error": {"message": "down"}})
            told = [
                {
                    "claim": c,
                    "verdict": self.verdict,
                    "record": "R1",
                    "quote": "total: $45.18",
                    "why": "w",
                }
                for c in dict.fromkeys(re.findall(r"id: (C\d+)", text))
            ]
            return httpx.Response(200, json=whole(ModelTurn(json.dumps({"verdicts": told}))))
        self.runs.append(body)
        turn = ModelTurn(self.turns[min(len(self.runs), len(self.turns)) - 1])
        if body.get("stream"):
            content = b"".join(write_event(event) for event in events(turn)) + b"data: [DONE]\n\n"
            kind = {"content-type": "text/event-stream"}
            return httpx.Response(200, headers=kind, content=content)
        return httpx.Response(200, json=whole(turn))


CALLED = [
    {"role": "user", "content": QUESTION},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": TOOL.name, "input": {"order_id": ORDER}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": RESULT}]},
]  # fmt: skip
CALLED_CHAT = [
    {"role": "user", "content": QUESTION},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": TOOL.name, "arguments": json.dumps({"order_id": ORDER})}}]},
    {"role": "tool", "tool_call_id": "c1", "content": RESULT},
]  # fmt: skip
CALLED_RESPONSES = [
    {"role": "user", "content": QUESTION},
    {"type": "function_call", "call_id": "c1", "name": TOOL.name, "arguments": json.dumps({"order_id": ORDER})},
    {"type": "function_call_output", "call_id": "c1", "output": RESULT},
]  # fmt: skip


def ask_anthropic(api: Api, detector: Any, *, stream: bool = False, **how: Any) -> tuple[str, Any]:
    http = httpx.Client(transport=httpx.MockTransport(api))
    own = anthropic.Anthropic(api_key="k", max_retries=0, http_client=http)
    tools = [{"name": TOOL.name, "input_schema": TOOL.input_schema}]
    request: Any = {"model": "m", "max_tokens": 9, "messages": CALLED, "tools": tools}
    client = guard_client(own, detector, **how)
    if stream:
        with client.messages.stream(**request) as events:
            message = events.get_final_message()
    else:
        message = client.messages.create(**request)
    return message.content[0].text, message.usage.input_tokens


def ask_anthropic_in_a_loop(api: Api, detector: Any, **how: Any) -> tuple[str, Any]:
    http = httpx.AsyncClient(transport=httpx.MockTransport(api))
    own = anthropic.AsyncAnthropic(api_key="k", max_retries=0, http_client=http)
    tools = [{"name": TOOL.name, "input_schema": TOOL.input_schema}]
    asked = guard_client(own, detector, **how).messages.create(
        model="m", max_tokens=9, messages=CALLED, tools=tools
    )
    message = asyncio.run(asked)
    return message.content[0].text, message.usage.input_tokens


def _openai(api: Api, detector: Any, how: Any) -> Any:
    http = httpx.Client(transport=httpx.MockTransport(api))
    return guard_openai(
        openai.OpenAI(api_key="k", max_retries=0, http_client=http), detector, **how
    )


def ask_chat(api: Api, detector: Any, **how: Any) -> tuple[str, Any]:
    made = _openai(api, detector, how).chat.completions.create(model="m", messages=CALLED_CHAT)
    return made.choices[0].message.content, made.usage.prompt_tokens


def ask_responses(api: Api, detector: Any, **how: Any) -> tuple[str, Any]:
    made = _openai(api, detector, how).responses.create(model="m", input=CALLED_RESPONSES)
    return made.output_text, made.usage.input_tokens


def ask_stream(api: Api, detector: Any, **how: Any) -> tuple[str, Any]:
    return ask_anthropic(api, detector, stream=True, **how)


WAYS = {
    "Messages": ask_anthropic,
    "Messages, streamed": ask_stream,
    "Messages, in a loop": ask_anthropic_in_a_loop,
    "Chat Completions": ask_chat,
    "Responses": ask_responses,
}


@pytest.mark.spec("AFF-1408")
@pytest.mark.parametrize("ask", WAYS.values(), ids=WAYS)
def test_the_same_client_is_asked_once_beside_the_run(ask: Any) -> None:
    reports: list[Any] = []
    api = Api([TRUE], "supported")
    seen, tokens = ask(api, detector_of(DOUBTS), on_report=reports.append)
    assert seen == TRUE
    assert (len(api.runs), len(api.questions)) == (1, 1)
    (question,) = api.questions
    assert question["model"] == "m" and not question.get("tools") and not question.get("stream")
    assert question.get("store") in (None, False)
    assert tokens == 20, "the caller is told of all that it pays for"
    (report,) = reports
    assert report.judge is not None and report.judge.model == "own:m"
    assert (report.judge.requests, report.judge.input_tokens) == (1, 10)
    assert report.claims[0].decided_by == "judge"


@pytest.mark.spec("AFF-1408")
@pytest.mark.parametrize("ask", WAYS.values(), ids=WAYS)
def test_its_word_counts(ask: Any) -> None:
    """A true draft that the own model contradicts goes back; each draft is asked about once."""
    reports: list[Any] = []
    api = Api([TRUE], "contradicted")
    ask(api, detector_of(DOUBTS), on_report=reports.append)
    assert len(api.runs) == 3 and len(api.questions) == 1, "the same claim is asked about once"
    assert reports[0].action == "block" and len(reports[0].attempts) == 2


@pytest.mark.spec("AFF-1405", "AFF-1408")
@pytest.mark.parametrize("ask", WAYS.values(), ids=WAYS)
def test_an_own_model_that_fails_changes_nothing(ask: Any) -> None:
    reports: list[Any] = []
    api = Api([TRUE], "supported", fails=True)
    seen, _ = ask(api, detector_of(DOUBTS), on_report=reports.append)
    assert seen == TRUE and len(api.questions) == 1
    assert reports[0].judge.state == "failed" and "down" in reports[0].judge.reason


@pytest.mark.spec("AFF-1408")
@pytest.mark.parametrize("judge", [JudgePolicy(model="none"), JudgePolicy(when="never")])
def test_a_policy_switches_it_off(judge: JudgePolicy) -> None:
    api = Api([TRUE], "contradicted")
    assert ask_chat(api, detector_of(Policy(judge=judge)))[0] == TRUE
    assert not api.questions


@pytest.mark.spec("AFF-1408")
def test_by_default_only_what_is_critical_and_in_doubt_is_asked_about() -> None:
    api = Api([FALSE, TRUE], "contradicted")
    ask_anthropic(api, detector_of())
    assert len(api.questions) == 1, "the false draft is in doubt, the true one is not"
    api = Api([f"Order {ORDER} is at your service."], "contradicted")
    ask_anthropic(api, detector_of())
    assert not api.questions


@pytest.mark.spec("AFF-1408")
def test_a_judge_behind_a_guarded_client_is_not_guarded_itself() -> None:
    reports: list[Any] = []
    api = Api([FALSE], "contradicted")
    http = httpx.AsyncClient(transport=httpx.MockTransport(api))
    sdk = anthropic.AsyncAnthropic(api_key="k", max_retries=0, http_client=http)
    guarded = guard_client(sdk, detector_of(DOUBTS), on_report=reports.append)
    detector = type(detector_of())(
        Policy(prior=0.5, on_critical="block", judge=JudgePolicy(low=0, high=1)),
        entailment=detector_of().entailment,
        judge=AnthropicModel("judge", client=guarded),
    )
    from affidavit import read_run

    run = read_run({"messages": [*CALLED, {"role": "assistant", "content": TRUE}]})
    report = detector.check(run)
    assert report.judge is not None and report.judge.state == "checked", report.judge
    assert len(api.questions) == 1 and not reports
