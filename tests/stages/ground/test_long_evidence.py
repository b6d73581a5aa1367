"""Evidence too long to be read value by value: what a claim leads to is found, and what was left unread is told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import JsonValue

from affidavit import Detector, read_run
from affidavit.ledger.extent import READ_WHOLE, read_whole
from affidavit.ledger.ledger import Ledger
from affidavit.ledger.search import Search, search_of
from affidavit.ledger.values import parse_values
from affidavit.report import HallucinationReport
from affidavit.testing import FixedEntailment


def run(answer: str, *results: JsonValue) -> dict[str, Any]:
    """A run with one call for each result."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "What does the order come to?"}]
    for n, result in enumerate(results):
        call = {"type": "tool_use", "id": f"t{n}", "name": "list_orders", "input": {}}
        back = {"type": "tool_result", "tool_use_id": f"t{n}", "content": json.dumps(result)}
        messages.append({"role": "assistant", "content": [call]})
        messages.append({"role": "user", "content": [back]})
    return {"messages": [*messages, {"role": "assistant", "content": answer}]}


PEOPLE = ("Anna Berg", "Omar Haddad", "Li Wei", "Eva Lund", "Paul Keller")


def order(n: int) -> dict[str, JsonValue]:
    return {
        "id": f"ORD-{100_000 + n}", "customer": PEOPLE[n % 5], "email": f"user{n}@example.com",
        "created_at": f"2026-{1 + n % 12:02}-{1 + n % 28:02}T{n % 24:02}:15:00Z", "paid_at": 1_760_000_000 + 86_400 * n,
        "total_cents": 50_000 + 37 * n, "currency": "EUR", "weight_kg": 4 + n / 7919, "ride_minutes": 7 + n % 911,
        "version": f"{n % 40}.{n % 90}.{n}", "note": "leave it at the door, please, and ring twice",
    }  # fmt: skip


ROW = 1_877
"""A row in the last tenth of the list."""
ORDERS = [order(n) for n in range(2_000)]
ORDERS[ROW] |= {
    "created_at": "2031-10-26T09:15:00Z",
    "ride_minutes": 5_133,
    "paid_at": 2_080_000_000,
}


@pytest.fixture(scope="module")
def search() -> Search:
    return search_of(Ledger.of(read_run(run("It is on its way.", {"orders": list(ORDERS)}))))


def test_it_is_too_long_to_be_read_whole(search: Search) -> None:
    assert sum(len(p.text) for p in search.passages) > READ_WHOLE
    assert not search.is_whole


@pytest.mark.spec("AFF-321")
@pytest.mark.parametrize(
    "said",
    [
        "ORD-101877", "user1877@example.com", "€1,194.49", "EUR 1194.5", "version 37.77.1877", "4.237 kg", "4237 g",
        "5133 minutes", "85.55 hours", "October 26, 2031", "26.10.2031 09:15", "November 30, 2035",
    ],
)  # fmt: skip
def test_a_value_of_a_row_deep_in_it_is_found(search: Search, said: str) -> None:
    (value,) = parse_values(said)
    found = {h.passage.record.pointer for h in search.hits(value) if h.passage.record}
    assert f"/orders/{ROW}" in found


@pytest.mark.parametrize("said", ["ORD-999999", "nobody@example.com", "€7.77", "77.5 kg"])
def test_what_is_not_there_is_not_found(search: Search, said: str) -> None:
    assert not [hit for value in parse_values(said) for hit in search.hits(value)]


def judged(result: JsonValue, answer: str) -> HallucinationReport:
    return Detector(entailment=FixedEntailment()).check(run(answer, result))


@pytest.mark.spec("AFF-321")
def test_what_was_left_unread_is_told_and_so_is_how_far_was_looked() -> None:
    true, false = "Order ORD-101877 of Li Wei came to €1,194.49.", "Order ORD-999999 came to €3."
    report = judged({"orders": list(ORDERS)}, f"{true} {false}")
    assert [claim.status == "supported" for claim in report.claims] == [True, False]
    told = [check.detail for check in report.claims[1].checks]
    assert "“ORD-999999” is nowhere in what was read of the results" in told
    assert report.coverage.passages > len(ORDERS)
    assert 0 < report.coverage.unread < report.coverage.passages
    assert f"{report.coverage.unread:,}" in report.coverage.unread_note


def test_of_evidence_that_is_read_whole_nothing_is_unread() -> None:
    report = judged({"orders": list(ORDERS[:200])}, "Order ORD-100177 came to €565.49.")
    assert (report.coverage.unread, report.coverage.unread_note) == (0, "")
    assert report.coverage.passages >= 200


def test_small_results_are_read_whole_beside_a_long_one() -> None:
    ledger = Ledger.of(
        read_run(run("It is on its way.", {"orders": list(ORDERS)}, {"order": order(5)}))
    )
    whole = read_whole(ledger.passages)
    read = {p.source.id for p, is_whole in zip(ledger.passages, whole, strict=True) if is_whole}
    long = max(ledger.sources, key=lambda source: len(source.records)).id
    assert read == {source.id for source in ledger.sources} - {long}


def test_what_is_found_does_not_hang_on_what_was_asked_before(search: Search) -> None:
    values = [parse_values(one)[0] for one in ("ORD-101877", "€1,194.49", "Li Wei")]
    again = Search(search.passages)
    backwards = [again.hits(value) for value in reversed(values)]
    assert [search.hits(value) for value in values] == backwards[::-1]
