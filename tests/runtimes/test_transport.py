"""What a guarded client does besides the contract: errors, usage, turns of several parts."""

import json
from typing import Any, cast
from unittest.mock import ANY

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
    responses_events,
    responses_response,
)
from affidavit.runtimes.contract.scenarios import FALSE, ORDER, SHIPPED, TRUE, Crashing, detector_of
from affidavit.runtimes.exchange import NOT_RUN
from affidavit.runtimes.exchanges import Exchanges
from affidavit.runtimes.google_routes import ROUTES as GOOGLE
from affidavit.runtimes.openai import guard_client as guard_openai
from affidavit.runtimes.sse import write_event
from affidavit.runtimes.transport import Paths, guarded_http, inner_library
from affidavit.runtimes.wire import AnthropicWire, GoogleWire, OpenAIChatWire
from affidavit.trace import RunTrace

anthropic = pytest.importorskip("anthropic")
openai = pytest.importorskip("openai")
httpx = inner_library(anthropic.Anthropic(api_key="k")._client)
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


def served(*replies: Any, asked: list[Any] | None = None) -> Any:
    """A transport that gives one reply after another: JSON, events, or a status with JSON."""
    left = list(replies)

    def respond(request: Any) -> Any:
        if asked is not None:
            asked.append(json.loads(request.content or b"{}"))
        reply = left.pop(0)
        if isinstance(reply, tuple):
            return httpx.Response(reply[0], json=reply[1])
        if isinstance(reply, list):
            content = b"".join(write_event(event) for event in reply)
            return httpx.Response(
                200, headers={"content-type": "text/event-stream"}, content=content
            )
        return httpx.Response(200, json=reply)

    return httpx.Client(transport=httpx.MockTransport(respond))


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


SHELL = {"type": "shell_call", "id": "s1", "call_id": "c1", "status": "completed",
         "action": {"commands": ["ls"]}}  # fmt: skip
CLICK = {"type": "computer_call", "id": "k1", "call_id": "c1", "status": "completed",
         "pending_safety_checks": [], "action": {"type": "click", "x": 1, "y": 2, "button": "left"}}  # fmt: skip
APPROVE = {"type": "mcp_approval_request", "id": "a1", "server_label": "s", "name": "f",
           "arguments": "{}"}  # fmt: skip
FOUND = {"type": "web_search_call", "id": "w1", "status": "completed",
         "action": {"type": "search", "query": "orders"}}  # fmt: skip
BUILT_IN = [{"type": "shell"}, {"type": "apply_patch"}]


def with_items(text: str, *items: Any) -> dict[str, Any]:
    response = responses_response(ModelTurn(text))
    return {**response, "output": [*response["output"], *items]}


@pytest.mark.parametrize("asks", [SHELL, CLICK, APPROVE])
def test_false_words_do_not_go_out_beside_what_the_caller_is_to_do(asks: Any) -> None:
    own = openai.OpenAI(api_key="k", http_client=served(with_items(FALSE, asks)))
    made = guard_openai(own, DETECTOR).responses.create(
        model="m", input=QUESTION["content"], tools=BUILT_IN
    )
    assert [item.type for item in made.output] == [asks["type"]]


@pytest.mark.parametrize("stream", [False, True])
def test_a_refusal_leaves_the_caller_nothing_to_do(stream: bool) -> None:
    # A kind that nobody knows might be a call, too.
    reply: Any = with_items(FALSE, FOUND, {**SHELL, "type": "errand_call"})
    if stream:
        reply = list(responses_events(ModelTurn(FALSE)))
        for n, item in enumerate((FOUND, {**SHELL, "type": "errand_call"}), 1):
            done = {"type": "response.output_item.done", "output_index": n, "item": item}
            reply.insert(-1, done)
            reply[-1]["response"]["output"].append(item)
    own = openai.OpenAI(api_key="k", http_client=served(reply))
    of = guard_openai(own, detector_of(Policy(max_revisions=0))).responses
    if stream:
        (*_, last) = of.create(model="m", input=QUESTION["content"], stream=True)
        made = last.response
    else:
        made = of.create(model="m", input=QUESTION["content"])
    assert sorted(item.type for item in made.output) == ["message", "web_search_call"]
    assert "can't give you" in made.output_text


@pytest.mark.parametrize(
    ("tool", "call", "answer"),
    [
        ("shell", {**SHELL, "action": {"commands": ["ls"], "file_path": "/etc/x.conf"}}, "output"),
        ("local_shell", {"type": "local_shell_call", "id": "l1", "call_id": "c1",
                         "status": "completed", "action": {"type": "exec", "command": ["ls"],
                         "env": {}, "working_directory": "/srv/x-77"}}, "id"),
        ("apply_patch", {"type": "apply_patch_call", "id": "p1", "call_id": "c1",
                         "status": "completed",
                         "operation": {"type": "delete_file", "path": "/srv/x-77.py"}}, "status"),
    ],
)  # fmt: skip
def test_calls_of_the_tools_that_the_api_declares_are_checked(
    tool: str, call: Any, answer: str
) -> None:
    asked: list[Any] = []
    right = {**SHELL, "call_id": "c2"}
    http = served(with_items("", call), with_items("", right), asked=asked)
    of = guard_openai(openai.OpenAI(api_key="k", http_client=http), DETECTOR).responses
    made = of.create(model="m", input="Hello", tools=[{"type": tool}, {"type": "shell"}])
    assert [item.call_id for item in made.output] == ["c2"]
    given, refused = asked[1]["input"][-2:]
    assert given == call
    assert refused["type"] == f"{call['type']}_output"
    assert (
        refused[answer]
        == {
            "output": [{"stdout": "", "stderr": ANY, "outcome": {"type": "exit", "exit_code": 1}}],
            "id": "c1",
            "status": "failed",
        }[answer]
    )
    assert "was not run" in str(refused)


REMOTE = {"type": "mcp", "server_label": "shop", "server_url": "https://shop.example/mcp"}
LISTED = {"type": "mcp_list_tools", "id": "l1", "server_label": "shop", "tools": [
    {"name": "cancel_order", "description": "Cancel an order", "annotations": None,
     "input_schema": {"type": "object", "required": ["order_id"],
                      "properties": {"order_id": {"type": "string"}}}}]}  # fmt: skip


def approval(request_id: str, arguments: str) -> dict[str, Any]:
    return {
        "type": "mcp_approval_request", "id": request_id, "server_label": "shop",
        "name": "cancel_order", "arguments": arguments,
    }  # fmt: skip


@pytest.mark.parametrize("wrong", ['{"order_id": "A-9999"}', '{"order": "A-1001"}'])
def test_a_remote_call_is_checked_before_the_caller_is_asked_to_approve_it(wrong: str) -> None:
    asked: list[Any] = []
    right = '{"order_id": "A-1001"}'
    http = served(
        with_items("", LISTED, approval("r1", wrong)),
        with_items("", approval("r2", right)),
        with_items("", approval("r3", wrong)),
        with_items("", approval("r4", right)),
        asked=asked,
    )
    of = guard_openai(openai.OpenAI(api_key="k", http_client=http), DETECTOR).responses
    made = of.create(model="m", input="Cancel A-1001.", tools=[REMOTE])
    assert [item.id for item in made.output if item.type == "mcp_approval_request"] == ["r2"]
    refused = asked[1]["input"][-1]
    assert (refused["type"], refused["approval_request_id"]) == ("mcp_approval_response", "r1")
    assert refused["approve"] is False
    assert "was not run" in refused["reason"]
    # The list is not sent again, and is known all the same.
    said = {"type": "mcp_approval_response", "approval_request_id": "r2", "approve": False}
    again = of.create(model="m", input=[said], tools=[REMOTE], previous_response_id=made.id)
    assert [item.id for item in again.output if item.type == "mcp_approval_request"] == ["r4"]


def test_a_remote_call_of_a_tool_that_was_not_listed_may_be_approved() -> None:
    http = served(with_items("", approval("r1", '{"order_id": "A-1001"}')))
    of = guard_openai(openai.OpenAI(api_key="k", http_client=http), DETECTOR).responses
    made = of.create(model="m", input="Cancel A-1001.", tools=[REMOTE])
    assert [item.type for item in made.output] == ["mcp_approval_request"]


def test_a_patch_may_create_a_file() -> None:
    operation = {"type": "create_file", "path": "src/parser_77.py", "diff": "+a = 1"}
    call = {"type": "apply_patch_call", "id": "p1", "call_id": "c1", "status": "completed"}
    http = served(with_items("", {**call, "operation": operation}))
    of = guard_openai(openai.OpenAI(api_key="k", http_client=http), DETECTOR).responses
    made = of.create(model="m", input="Add a parser.", tools=BUILT_IN)
    assert [item.type for item in made.output] == ["apply_patch_call"]


def test_a_call_of_a_tool_that_takes_free_text_may_run() -> None:
    custom = chat_completion(ModelTurn())
    custom["choices"][0]["message"]["tool_calls"] = [
        {"id": "c9", "type": "custom", "custom": {"name": "run_sql", "input": "select 1"}}
    ]
    own = openai.OpenAI(api_key="k", http_client=served(custom))
    tools: Any = [{"type": "custom", "custom": {"name": "run_sql"}}]
    made = guard_openai(own, DETECTOR).chat.completions.create(**CHAT, tools=tools)
    assert made.choices[0].message.tool_calls[0].id == "c9"
