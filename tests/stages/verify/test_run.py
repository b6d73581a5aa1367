from __future__ import annotations

import pytest

from affidavit.policy import Policy, TaskType
from affidavit.report import ToolCallValidation
from affidavit.stages.verify import CallVerifier, call_feedback, verify_run
from affidavit.trace import Message, RunTrace, ToolDefinition

from .runs import assistant, call, checked, result, tool, user  # noqa: TID252

TOOLS = (tool("list_orders", limit="integer"), tool("get_order", order_id="string"))


def verdicts(
    *messages: Message, tools: tuple[ToolDefinition, ...] | None = TOOLS
) -> tuple[ToolCallValidation, ...]:
    trace = RunTrace(run_id="run", messages=messages, answer="Done.", tools=tools)
    return verify_run(trace, Policy())


@pytest.mark.spec("AFF-204")
def test_a_call_is_held_against_what_came_before_it() -> None:
    early, late = verdicts(
        user("my orders"),
        assistant(call("get_order", {"order_id": "ORD-88213"}, call_id="a")),
        result("no such order", call_id="a", is_error=True),
        assistant(call("list_orders", call_id="b")),
        result({"orders": ["ORD-88213"]}, call_id="b"),
        assistant(call("get_order", {"order_id": "ORD-88213"}, call_id="c")),
    )[::2]
    assert (early.status, early.corrected_by, early.message) == ("rejected", "c", 1)
    assert (late.status, late.final_turn, late.message) == ("accepted", True, 5)


@pytest.mark.spec("AFF-204")
def test_siblings_of_one_message_do_not_supply_each_other() -> None:
    _, second = verdicts(
        user("my orders"),
        assistant(
            call("list_orders", call_id="a"),
            call("get_order", {"order_id": "ORD-88213"}, call_id="b"),
        ),
        result({"orders": ["ORD-88213"]}, call_id="a"),
        result("{}", call_id="b"),
    )
    assert second.status == "rejected"


@pytest.mark.parametrize(
    ("told", "order", "status"),
    [
        ("Where is ORD-88213?", "ORD-88213", "accepted"),
        ("Where is my lamp?", "ORD-88213", "rejected"),
    ],
)
def test_the_calls_of_an_agent_under_the_agent_are_held_alike(
    told: str, order: str, status: str
) -> None:
    """The task a model writes for it is the model's word: an identifier in it came from nowhere."""
    tools = (*TOOLS, tool("delegate", task="string"))
    task = f"Find out about {order}"
    *_, inner = verdicts(
        user(told),
        assistant(call("delegate", {"task": task}, call_id="outer")),
        user(task),
        assistant(call("get_order", {"order_id": order}, call_id="inner")),
        tools=tools,
    )
    assert (inner.status, inner.final_turn) == (status, True)


def test_a_result_of_the_provider_within_the_message_supplies_the_next_call() -> None:
    inner = result({"orders": ["ORD-88213"]}, call_id="a").parts[0]
    first = call("web_lookup", call_id="a", server_side=True)
    second = call("get_order", {"order_id": "ORD-88213"}, call_id="b")
    found, used = verdicts(user("my orders"), assistant(first, inner, second))
    assert (found.status, found.preventable) == ("unchecked", False)
    assert (used.status, used.preventable) == ("accepted", True)


@pytest.mark.spec("AFF-105")
@pytest.mark.parametrize(
    ("returned", "is_error"),
    [
        ("The call of list_orders was not run:\n- `limit`: ORD-88213", True),
        ("denied by a hook: The call of list_orders was not run: ORD-88213", False),
        ("The call of list_orders was not run:\n- `limit`: ORD-88213", False),
    ],
    ids=["flagged", "as a host shows it", "unflagged"],
)
def test_a_rejected_call_that_did_not_run_supplies_nothing(
    returned: object, is_error: bool
) -> None:
    first, second = verdicts(
        user("my orders"),
        assistant(call("list_orders", {"limit": "5"}, call_id="a")),
        result(returned, call_id="a", is_error=is_error),
        assistant(call("get_order", {"order_id": "ORD-88213"}, call_id="b")),
    )
    assert (first.ran, second.status) == (False, "rejected")


@pytest.mark.spec("AFF-210")
def test_a_rejected_call_that_ran_is_marked_and_supplies_what_it_returned() -> None:
    first, second = verdicts(
        user("my orders"),
        assistant(call("list_orders", {"limit": "5"}, call_id="a")),
        result({"orders": ["ORD-88213"]}, call_id="a"),
        assistant(call("get_order", {"order_id": "ORD-88213"}, call_id="b")),
    )
    assert (first.status, first.ran, "ran" in first.note) == ("rejected", True, True)
    assert second.status == "accepted"


@pytest.mark.parametrize(
    ("returned", "known"),
    [
        ({"order_id": "ORD-77777", "status": "open"}, True),
        ({"error": "there is no order ORD-77777"}, False),
        ("there is no order ORD-77777", False),
    ],
)
def test_a_result_that_only_repeats_the_argument_makes_it_no_better_known(
    returned: object, known: bool
) -> None:
    _, later = verdicts(
        user("my order"),
        assistant(call("get_order", {"order_id": "ORD-77777"}, call_id="a")),
        result(returned, call_id="a"),
        assistant(call("get_order", {"order_id": "ORD-77777", "x": 1}, call_id="b")),
    )
    assert (later.status == "accepted") is known


def test_an_earlier_turn_supplies_a_later_one_but_does_not_correct_it() -> None:
    first, second, third = verdicts(
        user("order ORD-99999?"),
        assistant(call("get_order", {"order_id": "ORD-88888"}, call_id="a")),
        user("ORD-88888, I mean"),
        assistant(call("get_order", {"order_id": "ORD-88888"}, call_id="b")),
        assistant(call("get_order", {"order_id": "ORD-99999"}, call_id="c")),
    )
    assert (first.status, first.corrected_by, first.final_turn) == ("rejected", None, False)
    assert [second.status, third.status] == ["accepted", "accepted"]
    assert (second.final_turn, third.final_turn) == (True, True)


@pytest.mark.spec("AFF-206")
def test_the_same_call_is_not_accepted_twice() -> None:
    wrong = {"order_id": "ORD-88888"}
    first, second = verdicts(
        user("my order"),
        assistant(call("get_order", wrong, call_id="a")),
        assistant(call("get_order", wrong, call_id="b")),
    )
    assert [e.kind for e in first.errors] == ["provenance"]
    assert [e.kind for e in second.errors] == ["provenance", "repeated_call"]
    assert "same call again" in call_feedback(second)


def test_a_corrected_name_corrects() -> None:
    first, _ = verdicts(
        user("my orders"),
        assistant(call("listOrders", call_id="a")),
        assistant(call("list_orders", call_id="b")),
    )
    assert first.corrected_by == "b"


@pytest.mark.spec("AFF-202")
def test_undeclared_tools_are_unchecked_but_their_values_are_not() -> None:
    right, wrong = verdicts(
        user("order ORD-88213"),
        assistant(call("get_order", {"order_id": "ORD-88213"}, call_id="a")),
        assistant(call("get_order", {"order_id": "ORD-77777"}, call_id="b")),
        tools=None,
    )
    assert (right.status, len(right.provenance)) == ("unchecked", 1)
    assert wrong.status == "rejected"


def test_a_broken_schema_of_a_recorded_run_leaves_its_calls_unchecked() -> None:
    broken = ToolDefinition(name="get_order", input_schema={"type": "objekt"})
    (verdict,) = verdicts(user("hi"), assistant(call("get_order")), tools=(broken,))
    assert verdict.status == "unchecked"
    assert "'objekt'" in verdict.note


def test_what_a_call_created_is_known_once_it_succeeded() -> None:
    def read_after(*, is_error: bool) -> str:
        written = assistant(call("write_file", {"path": "notes/a.md", "content": "x"}, call_id="a"))
        read = assistant(call("read_file", {"path": "notes/a.md"}, call_id="b"))
        done = result("ok", call_id="a", is_error=is_error)
        return verdicts(user("note it"), written, done, read, tools=None)[1].status

    assert read_after(is_error=False) == "unchecked"
    assert read_after(is_error=True) == "rejected"


def test_live_and_recorded_agree() -> None:
    messages = (
        user("my orders"),
        assistant(call("list_orders", call_id="a")),
        result({"orders": ["ORD-88213"]}, call_id="a"),
        assistant(call("get_order", {"order_id": "ORD-88231"}, call_id="b")),
    )
    live = CallVerifier(TOOLS)
    found = []
    for message in messages:
        found += [live.check(asked) for asked in message.tool_calls]
        live.observe(message)
    recorded = verdicts(*messages)
    assert [v.model_copy(update={"final_turn": True}) for v in found] == list(recorded)


@pytest.mark.spec("AFF-105")
def test_an_error_vouches_for_what_it_says_but_not_for_what_it_was_asked() -> None:
    said = "ORD-88231 not found; did you mean ORD-88213? (app/orders.py:12)"
    *_, asked, meant, file = verdicts(
        user("my order"),
        assistant(call("search", {"query": "ORD-88231"}, call_id="a")),
        result(said, call_id="a", is_error=True),
        assistant(call("get_order", {"order_id": "ORD-88231"}, call_id="b")),
        assistant(call("get_order", {"order_id": "ORD-88213"}, call_id="c")),
        assistant(call("read_file", {"path": "app/orders.py"}, call_id="d")),
        tools=None,
    )
    assert [v.status for v in (asked, meant, file)] == ["rejected", "unchecked", "unchecked"]


@pytest.mark.spec("AFF-209")
@pytest.mark.parametrize("task_type", ["general", "high_stakes", "creative"])
def test_every_task_type_has_its_calls_verified(task_type: TaskType) -> None:
    messages = (user("my order"), assistant(call("get_order", {"order_id": "ORD-88213"})))
    trace = RunTrace(run_id="run", messages=messages, answer="Done.", tools=TOOLS)
    (verdict,) = verify_run(trace, Policy(task_type=task_type, groundedness="off"))
    assert verdict.status == "rejected"


def test_feedback_says_everything_once_and_what_to_do_next() -> None:
    asked = call(
        "get_order", {"order_id": "ORD-88231", "lines": [{"item_id": "it_9901"}], "n": "5"}
    )
    declared = tool("get_order", order_id="string", n="integer")
    said = call_feedback(checked(["It is ORD-88213"], asked, tools=(declared,)))
    assert said.splitlines() == [
        "The call of get_order was not run:",
        '- `n` must be an integer, got "5": a string that holds an integer; send 5.',
        "- `order_id`: `ORD-88231` was never seen; `ORD-88213` was given by the user.",
        "- `lines[0].item_id`: `it_9901` was never seen.",
        "Correct the arguments to fit the tool's schema.",
        (
            "If the value named is the one you meant, send that. "
            "Otherwise look it up with a tool, or ask the user for it. Do not guess."
        ),
    ]
    assert call_feedback(checked(["ORD-1000"], call("x", {"order_id": "ORD-1000"}))) == ""
