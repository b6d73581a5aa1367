"""What a guarded client does besides the contract: errors, usage, turns of several parts."""

import json
from typing import Any, cast

import pytest

from affidavit.errors import AffidavitError
from affidavit.policy import JudgePolicy, Policy
from affidavit.report import HallucinationReport, ToolCallValidation
from affidavit.runtimes.anthropic import guard_client
from affidavit.runtimes.contract import TOOL, Call, ModelTurn
from affidavit.runtimes.contract.providers import (
    anthropic_events,
    anthropic_message,
    chat_completion,
    responses_response,
)
from affidavit.runtimes.contract.scenarios import FALSE, ORDER, SHIPPED, TRUE, Crashing, detector_of
from affidavit.runtimes.exchange import NOT_RUN
from affidavit.runtimes.exchanges import Exchanges
from affidavit.runtimes.google_routes import ROUTES as GOOGLE
from affidavit.runtimes.openai import guard_client as guard_openai
from affidavit.runtimes.transport import Paths, guarded_http
from affidavit.runtimes.wire import AnthropicWire, GoogleWire, OpenAIChatWire
from affidavit.trace import RunTrace
from tests.runtimes.scripted import served

anthropic = pytest.importorskip("anthropic")
openai = pytest.importorskip("openai")
DETECTOR = detector_of(Policy(judge=JudgePolicy(when="never")))  # replies are counted out here
QUESTION = {"role": "user", "content": f"What is the total of order {ORDER}?"}
RESULT = json.dumps({"order_id": ORDER, "status": "shipped", "total": "$45.18"})
HISTORY = [
    QUESTION,
    {
        "role": "assistant",
        "content": [
            {"type": "tool_use", "id": "c1", "name": TOOL.name, "input": {"order_id": ORDER}}
        ],
    },
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": RESULT}]},
]
REQUEST: dict[str, Any] = {
    "model": "m",
    "max_tokens": 100,
    "messages": HISTORY,
    "tools": [{"name": TOOL.name, "input_schema": TOOL.input_schema}],
}


def client(*replies: Any, detector: Any = DETECTOR, **how: Any) -> Any:
    http = served(*replies, asked=how.pop("asked", None))
    return guard_client(
        anthropic.Anthropic(api_key="k", max_retries=0, http_client=http), detector, **how
    )


def said(text: str, *calls: Call) -> dict[str, Any]:
    return anthropic_message(ModelTurn(text, calls))


def test_the_callers_client_stays_as_it_is() -> None:
    http = served(said(FALSE), said(TRUE), said(FALSE))
    own = anthropic.Anthropic(api_key="k", max_retries=0, http_client=http)
    assert guard_client(own, DETECTOR).messages.create(**REQUEST).content[0].text == TRUE
    assert own.messages.create(**REQUEST).content[0].text == FALSE


def test_the_callers_objects_are_not_changed() -> None:
    before = json.dumps(REQUEST)
    client(said(FALSE), said(TRUE)).messages.create(**REQUEST)
    assert json.dumps(REQUEST) == before


def test_raw_responses_are_guarded_too() -> None:
    raw = client(said(FALSE), said(TRUE)).messages.with_raw_response.create(**REQUEST)
    assert raw.parse().content[0].text == TRUE


def test_other_requests_pass_untouched() -> None:
    counted = client({"input_tokens": 7}).messages.count_tokens(model="m", messages=[QUESTION])
    assert counted.input_tokens == 7


OVERLOADED = (529, {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}})


@pytest.mark.parametrize("replies", [[OVERLOADED], [said(FALSE), OVERLOADED]])
def test_errors_of_the_api_pass_unchanged(replies: Any) -> None:
    with pytest.raises(anthropic.APIStatusError, match="busy") as error:
        client(*replies).messages.create(**REQUEST)
    assert error.value.status_code == 529


def test_an_error_in_mid_stream_is_an_error_of_the_stream() -> None:
    guarded = client(list(anthropic_events(ModelTurn(f"{SHIPPED} {FALSE}"))), OVERLOADED)
    with guarded.messages.stream(**REQUEST) as stream:
        assert next(iter(stream.text_stream)).startswith(SHIPPED)
        with pytest.raises(anthropic.APIStatusError, match="busy"):
            stream.until_done()


def test_tokens_of_all_attempts_are_counted() -> None:
    message = client(said(FALSE), said(TRUE)).messages.create(**REQUEST)
    assert (message.usage.input_tokens, message.usage.output_tokens) == (20, 10)


@pytest.mark.spec("AFF-801")
def test_a_good_call_beside_a_rejected_one_waits_for_it() -> None:
    good, bad = Call(ORDER, "good"), Call("BL-999999", "bad")
    asked: list[Any] = []
    guarded = client(said("", good, bad), said("", Call(ORDER, "again")), asked=asked)
    message = guarded.messages.create(**{**REQUEST, "messages": [QUESTION]})
    assert [block.id for block in message.content] == ["again"]
    results = asked[1]["messages"][-1]["content"]
    assert {r["tool_use_id"]: r["is_error"] for r in results} == {"good": True, "bad": True}
    assert results[0]["content"] == NOT_RUN


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("words", "kept"), [(SHIPPED, [SHIPPED]), (FALSE, [])])
def test_words_beside_a_call_go_out_if_they_are_true(
    words: str, kept: list[str], stream: bool
) -> None:
    turn = ModelTurn(words, (Call(ORDER, "c2"),))
    if stream:
        with client(list(anthropic_events(turn))).messages.stream(**REQUEST) as events:
            message = events.get_final_message()
    else:
        message = client(anthropic_message(turn)).messages.create(**REQUEST)
    assert [b.text for b in message.content if b.type == "text"] == kept
    assert [b.id for b in message.content if b.type == "tool_use"] == ["c2"]


def test_what_was_said_beside_a_rejected_call_stands_by_itself() -> None:
    first = ModelTurn("Let me look that up. Then I can tell you.", (Call("BL-999999", "bad"),))
    second = ModelTurn(SHIPPED, (Call(ORDER, "good"),))
    turns = [list(anthropic_events(turn)) for turn in (first, second)]
    with client(*turns).messages.stream(**REQUEST) as stream:
        assert stream.get_final_text() == f"Let me look that up. \n\n{SHIPPED}"


def test_thinking_comes_first_and_whole() -> None:
    thinking = {"type": "thinking", "thinking": "", "signature": ""}
    delta = {"type": "thinking_delta", "thinking": "Let me see."}
    signed = {"type": "signature_delta", "signature": "s"}
    start, *rest = anthropic_events(ModelTurn(f"{SHIPPED} {TRUE}"))
    events = [
        start,
        {"type": "content_block_start", "index": 0, "content_block": thinking},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_delta", "index": 0, "delta": signed},
        {"type": "content_block_stop", "index": 0},
        *({**event, "index": 1} if "index" in event else event for event in rest),
    ]
    with client(events).messages.stream(**REQUEST) as stream:
        message = stream.get_final_message()
    assert [block.type for block in message.content] == ["thinking", "text"]
    assert (message.content[0].thinking, message.content[0].signature) == ("Let me see.", "s")
    assert message.content[1].text == f"{SHIPPED} {TRUE}"


@pytest.mark.parametrize("stream", [False, True])
def test_what_the_providers_own_tools_found_is_evidence(stream: bool) -> None:
    found = [{"type": "web_search_result", "title": "Orders", "url": "https://x.example/o",
              "encrypted_content": "x", "page_age": f"Order {ORDER}: total $45.18"}]  # fmt: skip
    blocks: list[Any] = [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "order"}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": found},
    ]
    request = {**REQUEST, "messages": [QUESTION]}
    if not stream:
        whole = said(TRUE)
        message = client({**whole, "content": blocks + whole["content"]}).messages.create(**request)
    else:
        start, *rest = anthropic_events(ModelTurn(TRUE))
        events = [start]
        for i, block in enumerate(blocks):
            events.append({"type": "content_block_start", "index": i, "content_block": block})
            events.append({"type": "content_block_stop", "index": i})
        events += [{**event, "index": 2} if "index" in event else event for event in rest]
        with client(events).messages.stream(**request) as stream_of:
            message = stream_of.get_final_message()
    assert {block.type for block in message.content} == {
        "server_tool_use", "web_search_tool_result", "text",
    }  # fmt: skip
    assert [block.text for block in message.content if block.type == "text"] == [TRUE]


def test_a_weak_claim_that_goes_out_is_marked() -> None:
    # Nothing can be checked, and the fail mode lets it out.
    guarded = client(said(TRUE), detector=Crashing(Policy(fail_mode="open")))
    text = guarded.messages.create(**REQUEST).content[0].text
    assert text.startswith(TRUE)
    assert "could not be fully confirmed" in text


@pytest.mark.spec("AFF-811")
@pytest.mark.parametrize(("mode", "passes"), [("open", True), ("closed", False)])
@pytest.mark.parametrize("where", ["request", "response"])
def test_what_cannot_be_read_follows_the_fail_mode(where: str, mode: Any, passes: bool) -> None:
    odd = {**said(TRUE), "content": [{"type": "text"}]}
    request = {**REQUEST, "messages": [{"role": "critic", "content": "?"}]}
    policy = Policy(fail_mode=mode)
    replies, body = ([odd], REQUEST) if where == "response" else ([said(TRUE)], request)
    guarded = client(*replies, detector=detector_of(policy))
    if passes:
        assert guarded.messages.create(**body).id == "msg_1"
    else:
        with pytest.raises(anthropic.APIStatusError, match="affidavit") as raised:
            guarded.messages.create(**body)
        told = "invalid_request_error" if where == "request" else "api_error"
        assert raised.value.body["error"]["type"] == told


@pytest.mark.parametrize("wire", [OpenAIChatWire(), AnthropicWire(), GoogleWire(streams=False)])
def test_what_cannot_be_guarded_says_why(wire: Any) -> None:
    with pytest.raises(AffidavitError, match=r"^affidavit: .*(messages|contents)"):
        Exchanges(DETECTOR, {}).begin(wire, {"messages": 7, "contents": 7}, cast("Any", None))


def test_a_broken_answer_of_google_is_no_invalid_argument() -> None:
    paths = Paths(lambda _: GOOGLE)
    http = guarded_http(
        served({"candidates": 7}), paths, detector_of(Policy(fail_mode="closed")), {}
    )
    asked = {"contents": [{"role": "user", "parts": [{"text": "Hello"}]}]}
    raised = http.post("https://g.example/v1beta/models/m:generateContent", json=asked)
    told = raised.json()["error"]
    assert (raised.status_code, told["code"], told["status"]) == (502, 500, "INTERNAL")


def test_a_thread_kept_by_the_api_is_refused() -> None:
    with pytest.raises(anthropic.BadRequestError, match="would keep rejected drafts"):
        client().beta.messages.create(**REQUEST, thread={"type": "create"})


CHAT = {"model": "m", "messages": [QUESTION]}
INPUT = {"model": "m", "input": "Hello"}


@pytest.mark.parametrize(
    ("api", "body", "why"),
    [
        ("chat.completions", {**CHAT, "n": 2}, "one choice"),
        ("chat.completions", {**CHAT, "modalities": ["text", "audio"]}, "audio"),
        ("chat.completions", {**CHAT, "functions": [{"name": "f"}]}, "deprecated"),
        ("responses", {**INPUT, "background": True}, "background"),
        ("responses", {**INPUT, "conversation": "conv_1"}, "rejected drafts"),
        ("responses", {**INPUT, "previous_response_id": "resp_9"}, "nothing is known"),
    ],
)
def test_what_could_not_be_checked_is_refused_with_the_reason(
    api: str, body: Any, why: str
) -> None:
    own = openai.OpenAI(api_key="k", max_retries=0, http_client=served())
    of = guard_openai(own, DETECTOR)
    for name in api.split("."):
        of = getattr(of, name)
    with pytest.raises(openai.BadRequestError, match=why):
        of.create(**body)


def test_a_conversation_kept_by_the_api_goes_on_with_what_was_known() -> None:
    asked: list[Any] = []
    call = ModelTurn(calls=(Call(ORDER, "c1"),))
    turns = [call, ModelTurn(TRUE), ModelTurn(FALSE), ModelTurn(SHIPPED)]
    replies = [responses_response(turn, n) for n, turn in enumerate(turns, 1)]
    own = openai.OpenAI(api_key="k", http_client=served(*replies, asked=asked))
    of = guard_openai(own, DETECTOR)
    about = {
        "model": "m",
        "tools": [{"type": "function", "name": TOOL.name, "parameters": TOOL.input_schema}],
    }
    called = of.responses.create(input=QUESTION["content"], **about)
    result = {"type": "function_call_output", "call_id": "c1", "output": RESULT}
    first = of.responses.create(input=[result], previous_response_id=called.id, **about)
    assert first.output_text == TRUE
    again = of.responses.create(input="And has it shipped?", previous_response_id=first.id, **about)
    assert again.output_text == SHIPPED
    # The false draft is gone on from by its own id, with nothing but the feedback.
    assert asked[3]["previous_response_id"] == "resp_3"
    assert "93.70" in str(asked[3]["input"])


BUSY = (429, {"error": {"message": "slow down", "type": "rate_limit", "code": None}})


class Traces:
    """Keeps what each report was about."""

    def __init__(self) -> None:
        self.kept: list[RunTrace] = []

    def call(self, run_id: str, validation: ToolCallValidation) -> None:
        pass

    def report(self, report: HallucinationReport, trace: RunTrace) -> None:
        self.kept.append(trace)


@pytest.mark.parametrize("failed", ["the results", "the next question"])
def test_a_request_that_goes_on_may_be_sent_again_where_it_failed(failed: str) -> None:
    said: dict[str, Any] = {
        "the question": QUESTION["content"],
        "the results": [{"type": "function_call_output", "call_id": "c1", "output": RESULT}],
        "the next question": "And has it shipped?",
    }
    turns = [ModelTurn(calls=(Call(ORDER, "c1"),)), ModelTurn(TRUE), ModelTurn(SHIPPED)]
    replies: list[Any] = [responses_response(turn, n) for n, turn in enumerate(turns, 1)]
    replies.insert(list(said).index(failed), BUSY)
    own = openai.OpenAI(api_key="k", max_retries=0, http_client=served(*replies))
    of = guard_openai(own, DETECTOR, recorders=[traces := Traces()])
    tools = [{"type": "function", "name": TOOL.name, "parameters": TOOL.input_schema}]
    about: dict[str, Any] = {"model": "m", "tools": tools}
    for name, new in said.items():
        if name == failed:
            with pytest.raises(openai.RateLimitError):
                of.responses.create(input=new, **about)
        response = of.responses.create(input=new, **about)
        about["previous_response_id"] = response.id
    assert response.output_text == SHIPPED
    (answered, _) = traces.kept
    assert [message.role for message in answered.messages] == ["user", "assistant", "tool"]


def test_a_tool_may_be_new_in_a_later_turn_of_a_conversation() -> None:
    turns = [ModelTurn("Hello!"), ModelTurn(calls=(Call(ORDER, "c1"),))]
    replies = [responses_response(turn, n) for n, turn in enumerate(turns, 1)]
    own = openai.OpenAI(api_key="k", http_client=served(*replies))
    of = guard_openai(own, DETECTOR)
    known = {"type": "function", "name": "get_weather", "parameters": TOOL.input_schema}
    new = {"type": "function", "name": TOOL.name, "parameters": TOOL.input_schema}
    first = of.responses.create(model="m", input="Hello", tools=[known])
    called = of.responses.create(
        model="m", input=QUESTION["content"], tools=[known, new], previous_response_id=first.id
    )
    assert [item.type for item in called.output] == ["function_call"]


def test_a_call_of_a_tool_that_takes_free_text_may_run() -> None:
    custom = chat_completion(ModelTurn())
    custom["choices"][0]["message"]["tool_calls"] = [
        {"id": "c9", "type": "custom", "custom": {"name": "run_sql", "input": "select 1"}}
    ]
    own = openai.OpenAI(api_key="k", http_client=served(custom))
    tools: Any = [{"type": "custom", "custom": {"name": "run_sql"}}]
    made = guard_openai(own, DETECTOR).chat.completions.create(**CHAT, tools=tools)
    assert made.choices[0].message.tool_calls[0].id == "c9"
