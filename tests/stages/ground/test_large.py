"""Large evidence: what is found of a few rows is found among thousands of others."""

from __future__ import annotations

from functools import cache

import pytest
from pydantic import JsonValue

from affidavit.ledger.ledger import Ledger
from affidavit.policy import Policy
from affidavit.report import ClaimVerdict
from affidavit.stages.ground import ground
from affidavit.stages.ground.contexts import contexts_of
from affidavit.stages.ground.split import split_claims
from affidavit.trace import DataPart, Message, RunTrace, TextPart, ToolCallPart, ToolResultPart

TOWNS = "Aldmere Brackwater Cindervale Dunmoor Eastfold".split()


def rows(count: int) -> list[JsonValue]:
    return [
        {
            "id": f"WH-{7 * n:06}",
            "town": TOWNS[n % 5],
            "rent_eur": 200 + 3 * n,
            "open": n % 2 == 0,
            "bays": [{"bay": f"{n}-A", "pallets": 40 + n}, {"bay": f"{n}-B", "pallets": 41 + n}],
        }
        for n in range(count)
    ]


@cache
def ledger(count: int) -> Ledger:
    return ledger_of(rows(count))


def ledger_of(table: list[JsonValue]) -> Ledger:
    call = ToolCallPart(id="1", name="list_warehouses", arguments={})
    result = ToolResultPart(id="1", content=(DataPart(value={"warehouses": table}),))
    messages = (
        Message(role="user", parts=(TextPart(text="How are the warehouses?"),)),
        Message(role="assistant", parts=(call,)),
        Message(role="tool", parts=(result,)),
    )
    return Ledger.of(RunTrace(run_id="r", messages=messages, answer=""))


def judged(answer: str, count: int) -> tuple[ClaimVerdict, ...]:
    return ground(answer, ledger(count), Policy(), None).claims


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("Warehouse WH-000049 is in Cindervale.", "supported"),
        ("Warehouse WH-000049 is in Aldmere.", "contradicted"),
        ("Warehouse WH-000049 costs €221 a month.", "supported"),
        ("Warehouse WH-000049 costs €224 a month.", "contradicted"),
        ("Warehouse WH-000049 is not open.", "supported"),
        ("Warehouse WH-000049 is open.", "contradicted"),
        ("Bay 7-B has 48 pallets.", "supported"),
    ],
)
def test_other_rows_change_nothing(answer: str, status: str) -> None:
    for count in (10, 1500):
        assert [claim.status for claim in judged(answer, count)] == [status], count


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("There are 1,500 warehouses.", "supported"),
        ("There are 1,707 warehouses.", "contradicted"),
        ("The highest rent is €4,697.", "supported"),
        ("The highest rent is €4,694.", "contradicted"),
        ("All warehouses cost more than €150.", "supported"),
        ("All warehouses cost more than €250.", "contradicted"),
    ],
)
def test_what_is_said_of_all_rows_is_computed_over_all(answer: str, status: str) -> None:
    assert [claim.status for claim in judged(answer, 1500)] == [status]


@pytest.mark.parametrize(("count", "status"), [(10, "supported"), (1500, "unsupported")])
def test_no_row_named_proves_no_difference_among_thousands(count: int, status: str) -> None:
    """By chance, one of thousands of rows has any difference between two of its figures."""
    table: list[JsonValue] = [
        {"id": f"O-{n:04}", "gross_eur": 5000 + 3 * n, "net_eur": 4000.5 + n} for n in range(count)
    ]
    claims = ground("The difference is €1,009.50.", ledger_of(table), Policy(), None).claims
    assert [claim.status for claim in claims] == [status]


def test_the_passages_that_fit_are_those_in_no_other_row() -> None:
    answer = (
        "Warehouse WH-000049 is in Cindervale. It costs €221. There are 40 warehouses. "
        "Bay 9-A has 49 pallets. All warehouses in Dunmoor are open."
    )
    claims = split_claims(answer)
    contexts = contexts_of(claims, answer, "", ledger(40), Policy())
    assert any(context.topic.rows for context in contexts)
    for context in contexts:
        chain, topic = context.rows.chain, context.topic
        expected = [p for p in context.search.passages if topic.fits(chain(p))]
        assert list(context.fitting) == expected
