"""The index over the evidence: what it finds is what a look at everything would find."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from affidavit.ledger.ledger import Ledger
from affidavit.ledger.postings import Postings
from affidavit.ledger.search import Search, search_of
from affidavit.ledger.values import Value, compare, parse_values
from affidavit.trace import DataPart, Message, RunTrace, TextPart, ToolCallPart, ToolResultPart

WORDS = st.text("abc", min_size=1, max_size=2)
ROWS = st.lists(
    st.fixed_dictionaries(
        {"id": st.integers(1, 40).map("W-{:04}".format)},
        optional={
            "price_eur": st.sampled_from([9, 9.5, 90, 1187, 1200, 0]),
            "weight_kg": st.sampled_from([1, 1.5, 1000]),
            "share": st.sampled_from([0.125, 12.5]),
            "due": st.sampled_from(["2026-03-05", "2026-03-06T10:00:00Z"]),
            "note": st.sampled_from(
                ["nine boxes, about 90 kg", "see W-0007", "from €9", "Red Mill"]
            ),
        },
    ),
    min_size=1,
    max_size=12,
)
CLAIM = st.sampled_from(
    "It costs €9.50.|It costs about €1,200.|W-0007 is due on March 5, 2026.|It weighs 1 t.|"
    "12.5% of them|nine of them weigh at least 1 kg|Red Mill has it|over 90 kg|0 kg".split("|")
)


def ledger_of(*results: JsonValue | str) -> Ledger:
    messages = [Message(role="user", parts=(TextPart(text="How are the orders?"),))]
    for n, result in enumerate(results):
        part = TextPart(text=result) if isinstance(result, str) else DataPart(value=result)
        call = ToolCallPart(id=str(n), name="list_orders", arguments={})
        messages.append(Message(role="assistant", parts=(call,)))
        messages.append(Message(role="tool", parts=(ToolResultPart(id=str(n), content=(part,)),)))
    return Ledger.of(RunTrace(run_id="r", messages=tuple(messages), answer=""))


def without_place(value: Value) -> Value:
    return replace(value, start=0, end=0)


@settings(deadline=None)  # the first example loads the names of months and days
@given(ROWS, CLAIM)
def test_hits_are_what_comparing_with_everything_finds(rows: list[Any], said: str) -> None:
    search = search_of(ledger_of({"orders": rows}, "Sent nine boxes of W-0007 for €9.50 each."))
    for value in parse_values(said):
        found = {(h.passage.id, h.cell, without_place(h.value)) for h in search.hits(value)}
        for passage in search.passages:
            readings = passage.cell_values or [(None, other) for other in passage.values]
            for cell, other in readings:
                like = other.kind == value.kind
                if like and compare(value, other) in ("same", "rounded"):
                    assert (passage.id, cell, without_place(other)) in found


@given(st.lists(st.frozensets(WORDS, max_size=5), max_size=20), WORDS)
def test_postings_are_the_things_that_hold_a_word(things: list[frozenset[str]], word: str) -> None:
    expected = [at for at, words in enumerate(things) if word in words]
    assert Postings.of(things)[word].tolist() == expected


def test_by_words_ranks_the_passage_that_says_most_first() -> None:
    rows: list[JsonValue] = [{"id": f"W-{n}", "town": "Aldmere"} for n in range(50)]
    rows.append({"id": "W-99", "town": "Aldmere", "note": "bicycle with a wicker basket"})
    ranked = search_of(ledger_of({"orders": rows})).by_words("The basket of the bicycle", 3)
    assert "wicker" in ranked[0][0].text
    assert [score for _, score in ranked] == sorted((score for _, score in ranked), reverse=True)
    assert search_of(ledger_of({"orders": rows})).by_words("an unheard-of word", 3) == []


def test_the_earlier_of_two_passages_that_say_as_much_comes_first() -> None:
    search = search_of(ledger_of([{"town": "Aldmere", "n": n} for n in range(30)]))
    assert [p.id for p, _ in search.by_words("Aldmere", 5)] == [
        p.id for p in search.passages if "Aldmere" in p.text
    ][:5]


def test_copies_share_one_index_until_something_is_added() -> None:
    ledger = ledger_of({"orders": [{"id": "W-1", "total": 57}]})
    first = search_of(ledger)
    twin = ledger.copy()
    assert search_of(twin) is first
    twin.add(Message(role="user", parts=(TextPart(text="I paid €58."),)))
    (value,) = parse_values("€58")
    assert search_of(ledger) is first
    assert not first.hits(value)
    assert search_of(twin).hits(value)


def test_texts_of_failed_calls_are_in_their_own_index_only() -> None:
    call = ToolCallPart(id="1", name="f", arguments={})
    failed = ToolResultPart(id="1", content=(TextPart(text="no route to db-7"),), is_error=True)
    messages = (Message(role="assistant", parts=(call,)), Message(role="tool", parts=(failed,)))
    ledger = Ledger.of(RunTrace(run_id="r", messages=messages, answer=""))
    assert not search_of(ledger).by_words("route", 3)
    assert search_of(ledger, failed=True).by_words("route", 3)


def test_threads_share_one_index() -> None:
    ledger = ledger_of({"orders": [{"id": f"W-{n:04}", "total": n} for n in range(300)]})
    (value,) = parse_values("W-0123")

    def look(_: int) -> tuple[Search, int]:
        search = search_of(ledger)
        return search, len(search.hits(value))

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(look, range(16)))
    assert len({id(search) for search, _ in found}) == 1
    assert {hits for _, hits in found} == {1}


@pytest.mark.parametrize("said", ["€57.00", "W-0057", "57"])
def test_a_value_of_one_row_is_found_among_ten_thousand(said: str) -> None:
    rows: list[JsonValue] = [{"id": f"W-{n:04}", "total_eur": n} for n in range(10_000)]
    (value,) = parse_values(f"order {said}" if said == "57" else said)
    hits = search_of(ledger_of({"orders": rows})).hits(value)
    assert {h.passage.record.pointer for h in hits if h.passage.record} == {"/orders/57"}


@pytest.mark.parametrize("results", [[], ["To be or not to be"], [[]]])
def test_evidence_without_words_finds_nothing(results: list[JsonValue | str]) -> None:
    search = search_of(ledger_of(*results), "tool_results")
    assert search.by_words("the bicycle", 3) == []
    assert not search.has_word("bicycl")
    assert all(not search.hits(value) for value in parse_values("€57 on March 5"))
