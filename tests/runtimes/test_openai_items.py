"""Items of the Responses API that ask the caller to do something: run a command, apply a patch, approve a remote call."""

from typing import Any
from unittest.mock import ANY

import pytest

from affidavit.policy import JudgePolicy, Policy
from affidavit.runtimes.contract import ModelTurn
from affidavit.runtimes.contract.providers import responses_events, responses_response
from affidavit.runtimes.contract.scenarios import FALSE, detector_of
from affidavit.runtimes.openai import guard_client
from tests.runtimes.scripted import served

openai = pytest.importorskip("openai")
DETECTOR = detector_of(Policy(judge=JudgePolicy(when="never")))  # replies are counted out here
QUESTION = "What is the total of order A-1001?"
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
    made = guard_client(own, DETECTOR).responses.create(model="m", input=QUESTION, tools=BUILT_IN)
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
    of = guard_client(own, detector_of(Policy(max_revisions=0))).responses
    if stream:
        (*_, last) = of.create(model="m", input=QUESTION, stream=True)
        made = last.response
    else:
        made = of.create(model="m", input=QUESTION)
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
    of = guard_client(openai.OpenAI(api_key="k", http_client=http), DETECTOR).responses
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
    of = guard_client(openai.OpenAI(api_key="k", http_client=http), DETECTOR).responses
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
    of = guard_client(openai.OpenAI(api_key="k", http_client=http), DETECTOR).responses
    made = of.create(model="m", input="Cancel A-1001.", tools=[REMOTE])
    assert [item.type for item in made.output] == ["mcp_approval_request"]


def test_a_patch_may_create_a_file() -> None:
    operation = {"type": "create_file", "path": "src/parser_77.py", "diff": "+a = 1"}
    call = {"type": "apply_patch_call", "id": "p1", "call_id": "c1", "status": "completed"}
    http = served(with_items("", {**call, "operation": operation}))
    of = guard_client(openai.OpenAI(api_key="k", http_client=http), DETECTOR).responses
    made = of.create(model="m", input="Add a parser.", tools=BUILT_IN)
    assert [item.type for item in made.output] == ["apply_patch_call"]
