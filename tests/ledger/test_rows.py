"""Rows of a list share what is alike in them, and read as each would by itself."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.ledger.passages import PASSAGE_CHARS, render_record
from affidavit.ledger.records import Record, identity_of
from affidavit.ledger.walk import records_of
from affidavit.ledger.word_index import WordIndex
from affidavit.ledger.words import content_stems, stems_of_run, word_runs
from tests.ledger.test_search import ledger_of

SCALARS = st.none() | st.booleans() | st.integers(-9, 99) | st.floats(0, 9) | st.text(max_size=9)
KEYS = st.sampled_from(["id", "name", "Order No", "unitPrice", "a/b", "c~d", "tags", "to", "2024"])
ROW = st.dictionaries(
    KEYS,
    SCALARS
    | st.lists(SCALARS, max_size=3)
    | st.dictionaries(KEYS, SCALARS, max_size=3)
    | st.just("A long text says so. " * 30),
    max_size=6,
)


def own(record: Record, above: str = "") -> list[Any]:
    """What a record says, its places told from ``above`` on."""
    return [(c.path, repr(c.raw), c.pointer.removeprefix(above), c.key) for c in record.cells]


@settings(deadline=None)
@given(st.lists(ROW.filter(bool), min_size=2, max_size=6))
def test_a_row_says_in_a_list_what_it_says_alone(rows: list[dict[str, Any]]) -> None:
    listed = [
        record
        for record in records_of({"rows": rows, "n": 1}, pointer="/all")
        if record.pointer.startswith("/all/rows/")
    ]
    alone = [
        (f"/all/rows/{n}", record)
        for n, row in enumerate(rows)
        for record in records_of([row, {"zz": 0}])
        if record.pointer.startswith("/0")
    ]
    assert [own(record, f"/all/rows/{record.pointer.split('/')[3]}") for record in listed] == [
        own(record, "/0") for _, record in alone
    ]
    for record in listed:
        assert record.identity == identity_of(record.cells)
        assert dict(enumerate(record.said)) == {
            n: (cell.key, cell.raw) for n, cell in enumerate(record.cells)
        }


@settings(deadline=None)
@given(st.lists(ROW.filter(bool), min_size=1, max_size=4))
def test_what_a_passage_shows_stands_where_it_says(rows: list[dict[str, Any]]) -> None:
    for record in records_of({"rows": rows}, root="list orders"):
        for passage in render_record(record):
            assert len(passage.cells) == len(list(passage.cells))
            for cell, left, right in passage.cells:
                assert passage.text[left:right] == cell.text
                own = next(one for one in record.cells if one.path == cell.path)
                # Shown whole it is the record's own; of a long text each stretch is a cell.
                assert cell is own or len(own.text) > PASSAGE_CHARS


def test_a_cell_is_the_same_one_for_whoever_asks() -> None:
    rows = [{"id": f"W-{n}", "total": n} for n in range(40)]
    ledger = ledger_of(json.dumps(rows))
    lines = [line for line in ledger.passages if line.record is not None]

    def seen(_: int) -> list[int]:
        return [id(cell) for line in lines for cell, _, _ in line.cells]

    with ThreadPoolExecutor(8) as pool:
        assert len(set(map(tuple, pool.map(seen, range(32))))) == 1
    for line in lines:
        assert line.record is not None
        assert [id(cell) for cell in line.record.cells] == [id(cell) for cell, _, _ in line.cells]
        assert list(line.field_names) == [cell.key for cell, _, _ in line.cells]


PIECES = st.sampled_from(
    ["DVDs", "don't", "PayPal", "unitPrice", "user_id", "URLs_x", "it’s", "'a", "OOMKilled", "12", "W-7",
     "ß", "中文", "A's", "1,5", "PDFs", "_", "'", "–", " ", "\n", "aB", "Ab", "s", "Xs", "iPhones", "é"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=12).map("".join))
def test_the_stems_of_a_text_are_those_of_its_runs(text: str) -> None:
    assert frozenset().union(*map(stems_of_run, word_runs(text))) == content_stems(text)


@settings(deadline=None)
@given(st.lists(st.lists(PIECES, max_size=8).map("".join), min_size=1, max_size=5))
def test_words_lead_to_the_passages_that_say_them(texts: list[str]) -> None:
    passages = ledger_of(*(f"So: {text}" for text in texts)).passages
    index = WordIndex(passages)
    for stem in {stem for passage in passages for stem in passage.stems} | {"nowhere"}:
        expected = [at for at, passage in enumerate(passages) if stem in passage.stems]
        assert index.postings[stem].tolist() == expected
