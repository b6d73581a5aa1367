"""The ledger: kept whole, filled as the run goes on, every passage leading back to its place."""

from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.ledger.ledger import Ledger
from affidavit.ledger.walk import records_of
from affidavit.trace import (
    DataPart,
    Message,
    RunTrace,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=20,
)


def call(name: str = "get_order", call_id: str = "c1", **arguments: object) -> Message:
    part = ToolCallPart(id=call_id, name=name, arguments=arguments)  # type: ignore[arg-type]
    return Message(role="assistant", parts=(part,))


def result(text: str, call_id: str = "c1", *, is_error: bool = False) -> Message:
    part = ToolResultPart(id=call_id, content=(TextPart(text=text),), is_error=is_error)
    return Message(role="tool", parts=(part,))


def at(pointer: str, data: object) -> object:
    """Follow a JSON Pointer (RFC 6901)."""
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        data = data[int(key)] if isinstance(data, list) else data[key]  # type: ignore[index]
    return data


@given(JSON)
def test_every_cell_points_back_to_its_value(data: object) -> None:
    cells = [cell for record in records_of(data) for cell in record.cells]
    for cell in cells:
        found = at(cell.pointer, data)
        # That a list is empty is worth a cell: "errors: none".
        assert found == cell.raw or (cell.raw is None and found in ([], {}))


@given(JSON)
def test_no_scalar_is_lost(data: object) -> None:
    def scalars(value: object) -> int:
        if isinstance(value, dict):
            return sum(map(scalars, value.values()))
        if isinstance(value, list):
            return sum(map(scalars, value))
        return 1

    cells = [cell for record in records_of(data) for cell in record.cells]
    assert sum(at(cell.pointer, data) not in ([], {}) for cell in cells) == scalars(data)


@given(st.text(max_size=400))
def test_prose_points_back_to_its_characters(text: str) -> None:
    ledger = Ledger()
    ledger.add(Message(role="user", parts=(TextPart(text=text),)))
    for passage in ledger.passages:
        if passage.record is None:
            start, end = map(int, passage.pointer.removeprefix("char=").split(","))
            assert passage.text.endswith(text[start:end])


@pytest.mark.parametrize(
    ("text", "is_error", "outcome"),
    [
        ('{"id": "W1"}', False, "ok"),
        ("mia_garcia_4516", False, "ok"),
        ("[]", False, "empty"),
        ("{}", False, "empty"),
        ('{"results": []}', False, "empty"),
        ("", False, "empty"),
        ("  \n", False, "empty"),
        ("upstream timeout", True, "error"),
        # Words never decide: a tool that answers "Error: …" without the flag has answered.
        ("Error: no such order", False, "ok"),
    ],
)
def test_outcome_is_read_from_flag_and_shape(text: str, is_error: bool, outcome: str) -> None:
    ledger = Ledger()
    ledger.add(call())
    ledger.add(result(text, is_error=is_error))
    assert ledger.calls[0].outcome == outcome
    assert bool(list(ledger.evidence())) == (outcome == "ok")


def test_a_rejected_call_is_no_evidence() -> None:
    ledger = Ledger()
    rejected = frozenset({"c1"})
    ledger.add(call(), rejected=rejected)
    ledger.add(result('{"id": "W1"}'), rejected=rejected)
    assert ledger.calls[0].outcome == "rejected"
    assert not list(ledger.evidence())


def test_evidence_scope_leaves_out_what_was_only_said() -> None:
    ledger = Ledger()
    ledger.add(Message(role="system", parts=(TextPart(text="You sell tea."),)))
    ledger.add(Message(role="user", parts=(TextPart(text="Where is W1?"),)))
    ledger.add(call())
    ledger.add(result('{"id": "W1", "status": "shipped"}'))
    assert {p.source.kind for p in ledger.evidence()} == {"tool_result", "user", "system"}
    assert {p.source.kind for p in ledger.evidence("tool_results")} == {"tool_result"}


def test_what_the_assistant_said_is_no_evidence() -> None:
    ledger = Ledger()
    ledger.add(Message(role="assistant", parts=(TextPart(text="It costs $5."),)))
    assert ledger.sources
    assert not list(ledger.evidence())


def test_a_task_the_model_wrote_is_not_what_the_user_said() -> None:
    task = "The total is $74.90; book it."
    messages = (
        Message(role="user", parts=(TextPart(text="Book it."),)),
        call("delegate", task=task),
        Message(role="user", parts=(TextPart(text=task),)),
    )
    ledger = Ledger.of(RunTrace(run_id="r", messages=messages, answer="Done."))
    assert [p.text for p in ledger.evidence()] == ["Book it."]
    assert ledger.question == "Book it."


def test_structured_and_unknown_content_is_kept() -> None:
    parts = (DataPart(value={"id": 7}), UnknownPart(kind="image", raw={"data": "…"}))
    ledger = Ledger()
    ledger.add(call())
    ledger.add(Message(role="tool", parts=(ToolResultPart(id="c1", content=parts),)))
    assert [p.text for p in ledger.evidence()] == ["get order | id: 7"]
    assert len(ledger.unknown) == 1


def test_copy_is_independent() -> None:
    ledger = Ledger()
    ledger.add(call())
    twin = ledger.copy()
    twin.add(result('{"id": "W1"}'))
    assert ledger.calls[0].outcome == "pending"
    assert twin.calls[0].outcome == "ok"


def test_filling_step_by_step_gives_the_same_ledger() -> None:
    data = json.dumps({"orders": [{"id": "W1", "total": 9}, {"id": "W2", "total": 7}]})
    messages = [call(), result(data), call(call_id="c2"), result("none", "c2")]
    whole, steps = Ledger(), Ledger()
    for message in messages:
        whole.add(message)
    for message in messages:
        steps = steps.copy()
        steps.add(message)
    assert [p.text for p in whole.passages] == [p.text for p in steps.passages]


@pytest.mark.parametrize(
    ("system", "asked", "today"),
    [
        ("Today is 2026-05-13.", "hi", "2026-05-13"),
        ("Current date: 2026-05-13", "hi", "2026-05-13"),
        ("Current date and time: 2026-05-13T09:30:00Z", "hi", "2026-05-13"),
        ("Today's date (UTC) is Wednesday, 2026-05-13.", "hi", "2026-05-13"),
        ("You help.", "Today is 13 May 2026. What is due?", "2026-05-13"),
        ("Knowledge cutoff date: 2024-06-01. Today is Friday, 13 March 2026.", "hi", "2026-03-13"),
        ("You help.", "Please change the delivery date to 2026-05-03.", None),
        ("You help.", "My current contract ends 2031-12-31.", None),
        ("Today is 2026-05-13.", "Pretend that today is 2020-01-01.", "2026-05-13"),
    ],
)
def test_the_day_of_a_run_is_what_it_says_it_is(system: str, asked: str, today: str | None) -> None:
    ledger = Ledger()
    ledger.add(Message(role="system", parts=(TextPart(text=system),)))
    ledger.add(Message(role="user", parts=(TextPart(text=asked),)))
    assert ledger.today == (date.fromisoformat(today) if today else None)
