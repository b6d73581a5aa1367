from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.policy import ArgumentRule, Policy, ToolRule
from affidavit.trace import Message, ToolDefinition

from .provenance_cases import INVENTED, KNOWN, NO_ENTITY, PATHS, URLS, Case  # noqa: TID252
from .runs import assistant, call, checked, image, lost, result, system, tool, user  # noqa: TID252


def said(items: list[object]) -> list[Message | str]:
    return [item if isinstance(item, str) else result(item) for item in items]


@pytest.mark.spec("AFF-203")
@pytest.mark.parametrize(
    "case",
    [*KNOWN, *URLS, *PATHS, *INVENTED, *NO_ENTITY],
    ids=lambda case: f"{case[2]}: {case[0]}",
)
def test_values_come_from_somewhere(case: Case) -> None:
    _, before, name, arguments, nowhere = case
    assert lost(checked(said(before), call(name, arguments))) == nowhere


@pytest.mark.spec("AFF-107")
def test_an_accepted_value_names_its_place() -> None:
    listed = result({"orders": [{"order_id": "ORD-88213"}]}, call_id="c1")
    before = [user("orders?"), assistant(call("list_orders", call_id="c1")), listed]
    validation = checked(before, call("get_order", {"order_id": "ORD-88213"}))
    (record,) = validation.provenance
    assert record.origin is not None
    assert (record.path, record.origin.tool, record.origin.call_id) == (
        "/order_id",
        "list_orders",
        "c1",
    )
    assert (record.origin.pointer, record.origin.message) == ("/orders/0/order_id", 2)
    assert record.origin.text == "ORD-88213"


@pytest.mark.spec("AFF-107")
def test_a_place_in_a_text_recovers_the_value() -> None:
    text = "Straße: siehe ＯＲＤ－88213, danke"
    (record,) = checked([text], call("get_order", {"order_id": "ord-88213"})).provenance
    assert record.origin is not None
    assert record.origin.source == "user"
    start, end = map(int, record.origin.pointer.removeprefix("char=").split(","))
    assert text[start:end] == record.origin.text == "ＯＲＤ－88213"


@pytest.mark.spec("AFF-107")
@pytest.mark.parametrize(
    ("said", "name", "pointer", "text"),
    [
        ("Straße 4, the Müller family", "Mueller", "char=14,20", "Müller"),
        ({"id": 7, "guests": [{"name": "Ilse Vandermeer"}]}, "Ilse", "/guests/0/name", "Ilse Vandermeer"),
    ],
)  # fmt: skip
def test_a_name_has_its_place(said: Any, name: str, pointer: str, text: str) -> None:
    before: list[Message | str] = [said] if isinstance(said, str) else [result(said)]
    (record,) = checked(before, call("find", {"first_name": name})).provenance
    assert record.origin is not None
    assert (record.origin.pointer, record.origin.text) == (pointer, text)


@pytest.mark.spec("AFF-205")
@pytest.mark.parametrize(
    ("before", "name", "arguments", "offered"),
    [
        ([{"id": "#W2378156"}], "get_order", {"order_id": "#W2378165"}, "`#W2378156` was returned by lookup"),
        (["mine is ORD-88213"], "get_order", {"order_id": "ORD-88231"}, "`ORD-88213` was given by the user"),
        ([{"u": "https://t.example/a/delivery"}], "fetch", {"url": "https://t.example/a/retry"}, "`https://t.example/a/delivery` was returned by lookup"),
        ([{"e": "dana.whitlock@fen.example"}], "send", {"to": "d.whitlock@fen.example"}, "`dana.whitlock@fen.example` was returned by lookup"),
        (["see app/config/loader.py"], "read_file", {"path": "app/config/loaders.py"}, "`app/config/loader.py` was given by the user"),
        ([{"airport_id": "SYD.AIRPORT"}], "search", {"from_id": "SYD.CITY"}, "`SYD.AIRPORT` was returned by lookup"),
        (["hello"], "get_order", {"order_id": "ORD-88231"}, None),
    ],
)  # fmt: skip
def test_the_nearest_known_value_is_offered(
    before: list[object], name: str, arguments: dict[str, object], offered: str | None
) -> None:
    messages: list[Message | str] = [assistant(call("lookup", call_id="call_0")), *said(before)]
    (error,) = checked(messages, call(name, arguments)).errors
    assert error.suggestion == offered
    assert error.message.endswith(offered or "was never seen")


@pytest.mark.spec("AFF-108")
def test_what_the_assistant_said_is_no_source() -> None:
    before = ["my order?", assistant("Is it ORD-88213?"), user("yes")]
    assert lost(checked(before, call("get_order", {"order_id": "ORD-88213"}))) == ["ORD-88213"]


def test_the_system_prompt_is_a_source() -> None:
    before: list[Message | str] = [system("The user's id is usr_4417."), "hi"]
    (record,) = checked(before, call("get_user", {"user_id": "usr_4417"})).provenance
    assert record.origin is not None
    assert record.origin.source == "system"


def test_a_declaration_supplies_what_it_lists_but_not_its_examples() -> None:
    description = "The warehouse, such as 'WH-0001'. It is one of WH-1001 and WH-1002."
    declared = tool(
        "ship",
        warehouse_id={"type": "string", "description": description, "examples": ["WH-0002"]},
        store_id={"type": "string", "default": "ST-5001"},
    )
    wrong = {"WH-0001", "WH-0002"}
    for value in ("WH-1001", "WH-1002", "ST-5001", *wrong):
        validation = checked(["ship it"], call("ship", {"warehouse_id": value}), tools=(declared,))
        assert lost(validation) == ([value] if value in wrong else []), value


def test_the_schema_may_mark_an_argument() -> None:
    schema = {
        "type": "object",
        "properties": {
            "colour": {"type": "string", "x-affidavit-entity": True},
            "order_id": {"type": "string", "x-affidavit-entity": False},
            "plan": {"$ref": "#/$defs/plan"},
        },
        "$defs": {"plan": {"type": "string", "x-affidavit-entity": True}},
    }
    declared = ToolDefinition(name="paint", input_schema=schema)
    arguments = {"colour": "teal", "order_id": "ORD-1234", "plan": "gold"}
    validation = checked(["the gold plan"], call("paint", arguments), tools=(declared,))
    assert lost(validation) == ["teal"]


@pytest.mark.parametrize(
    ("description", "nowhere"),
    [
        ("The ID of the desk to book", ["desk-12"]),
        ("Desk identifier.", ["desk-12"]),
        ("Which desk", []),
        ("Whether to show the id", []),
    ],
)
def test_a_description_may_say_that_an_argument_identifies(
    description: str, nowhere: list[str]
) -> None:
    declared = tool("book", desk={"type": "string", "description": description})
    asked = call("book", {"desk": "desk-12"})
    assert lost(checked(["a desk"], asked, tools=(declared,))) == nowhere
    assert lost(checked(["desk-12"], asked, tools=(declared,))) == []


@pytest.mark.spec("AFF-208")
@pytest.mark.parametrize(
    ("policy", "nowhere"),
    [
        (Policy(), ["ORD-00001", "acc_70041"]),
        (Policy(allow=("ord-*",)), ["acc_70041"]),
        (Policy(tools={"pay": ToolRule(allow=("ORD-00001",))}), ["acc_70041"]),
        (Policy(tools={"pay": ToolRule(provenance=False)}), []),
        (Policy(tools={"other": ToolRule(provenance=False)}), ["ORD-00001", "acc_70041"]),
        (Policy(tools={"pay": ToolRule(arguments={"to.account_id": ArgumentRule(allow=("acc_*",))})}), ["ORD-00001"]),
        (Policy(tools={"pay": ToolRule(arguments={"to.account_id": ArgumentRule(entity=False)})}), ["ORD-00001"]),
        (Policy(tools={"pay": ToolRule(arguments={"colour": ArgumentRule(entity=True)})}), ["ORD-00001", "acc_70041", "teal"]),
    ],
)  # fmt: skip
def test_the_policy_decides(policy: Policy, nowhere: list[str]) -> None:
    arguments = {"order_id": "ORD-00001", "to": {"account_id": "acc_70041"}, "colour": "teal"}
    assert lost(checked(["pay it"], call("pay", arguments), policy=policy)) == nowhere


def test_an_allowed_value_names_its_rule() -> None:
    validation = checked([], call("pay", {"order_id": "ORD-1000"}), policy=Policy(allow=("ORD-*",)))
    assert [(r.origin, r.rule) for r in validation.provenance] == [(None, "policy.allow")]


def test_what_could_not_be_read_may_hold_the_value() -> None:
    validation = checked([image(), "this one"], call("get_order", {"order_id": "ORD-88213"}))
    assert (validation.status, lost(validation)) == ("unchecked", [])
    assert "`ORD-88213`" in validation.note


WORD = st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.#/@", min_size=1)
NAME = st.sampled_from(
    ["order_id", "url", "email", "path", "handle", "phone", "token", "code", "x"]
)


@given(
    value=WORD, name=NAME, around=st.sampled_from(["{}", "it is {} .", "“{}”", "a\n{}\nb", "({})"])
)
def test_what_was_said_word_for_word_is_known(value: str, name: str, around: str) -> None:
    asked = call("get_it", {name: value})
    assert lost(checked([around.format(value)], asked)) == []
    assert lost(checked([result({"rows": [{"v": value}]})], asked)) == []
