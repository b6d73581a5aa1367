"""What holds for every text: it reads, nothing said is lost, and no size or depth is too much."""

from __future__ import annotations

import json
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.ledger.passages import PASSAGE_CHARS, PROSE_CHARS, render_record
from affidavit.ledger.shapes import read_data, read_text

MARKS = (
    "\n \n\n   \t , ; | : :\\s = # ## - * ** --- === +--+ |-|-| [1] (2) 1. { } [ ] {\" \": \"} \" ' \\ "
    "& ! % @ > < </p> <p> <table> <tr> <td> <th> <h1> </h1> <!-- --> &amp; &# ``` ```py INFO "
    "2026-03-03T03:00:04Z Error at: a.py:3: Traceback \u00a0 \ufeff \x00 ─ │"
).split(" ")  # fmt: skip
WORDS = "name id total price Alice Bob W123 red 12.50 $5 March no yes kind status".split()
LAYOUT = ["\n", "\n\n", " ", "  ", "    ", "\t", "\r\n"]

texts = st.lists(st.sampled_from(MARKS + WORDS + LAYOUT) | st.text(max_size=4), max_size=60).map(
    "".join
)

SAFE = [
    mark
    for mark in MARKS
    if not re.search(r"[<&`{}\\]", mark)  # markup and escapes say things in their own way
]
written = st.lists(st.sampled_from(SAFE + WORDS + LAYOUT * 2), max_size=60).map("".join)
lines = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).flatmap(
        lambda words: st.sampled_from([", ", ",", "  ", "    ", " | ", "\t", ": ", " "]).map(
            lambda mark: mark.join(words)
        )
    ),
    max_size=12,
).map("\n".join)


@settings(max_examples=400)
@given(texts)
def test_any_text_reads(text: str) -> None:
    records, prose = read_text(text, root="tool")
    for record in records:
        list(render_record(record))
    for piece in prose:
        assert 0 <= piece.start <= piece.end <= len(text)


@settings(max_examples=400)
@given(written | lines)
def test_nothing_said_is_lost(text: str) -> None:
    """Every word of the source is in a record (its cells, its field names, its place) or in prose."""
    records, prose = read_text(text)
    shown = [f"{p.text} {p.heading}" for p in prose]
    for record in records:
        shown.append(record.place)
        shown += [f"{cell.key} {cell.text}" for cell in record.cells]
    blob = re.sub(r"[\W_]", "", " ".join(shown)).casefold()
    for word in re.findall(r"[^\W_]+", text):
        assert word.casefold() in blob


tagged = st.recursive(
    st.sampled_from([*WORDS, "Ann &amp; Bob", "a\n\nb", ""]),
    lambda inner: st.tuples(
        st.sampled_from("p div b td tr table th h2 li ul span order item".split()),
        st.lists(inner, max_size=4),
    ).map(lambda pair: f"<{pair[0]}>{' '.join(pair[1])}</{pair[0]}>"),
    max_leaves=20,
)


@settings(max_examples=300)
@given(tagged)
def test_nothing_said_is_lost_between_tags(text: str) -> None:
    records, prose = read_text(text)
    shown = [f"{p.text} {p.heading}" for p in prose]
    for record in records:
        shown += [record.place, *(f"{cell.key} {cell.text}" for cell in record.cells)]
    blob = re.sub(r"[\W_]", "", " ".join(shown)).casefold()
    for word in re.findall(r"[^\W_]+", re.sub(r"</?\w+>", " ", text)):
        assert re.sub("amp", "", word.casefold()) in blob


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda v: st.lists(v, max_size=4) | st.dictionaries(st.text(max_size=4), v, max_size=4),
    max_leaves=20,
))  # fmt: skip
def test_json_reads_alike_alone_and_in_a_text(data: object) -> None:
    alone, _ = read_text(json.dumps(data))
    if isinstance(data, dict) and alone:
        within, _ = read_text("It said:\n" + json.dumps(data))
        assert [[c.raw for c in r.cells] for r in within] == [
            [c.raw for c in r.cells] for r in alone
        ]


ROWS = [{"id": i, "name": f"Item {i}", "price": i * 1.5, "status": "ok"} for i in range(10_000)]
LARGE = {
    "json": json.dumps(ROWS),
    "json in a text": "Rows:\n" + json.dumps(ROWS),
    "ndjson": "\n".join(map(json.dumps, ROWS)),
    "csv": "id,name,price\n" + "\n".join(f"{r['id']},{r['name']},{r['price']}" for r in ROWS),
    "markdown": "|id|name|\n|--|----|\n" + "\n".join(f"|{r['id']}|{r['name']}|" for r in ROWS),
    "html": "<table><tr><th>id</th><th>name</th></tr>"
    + "".join(f"<tr><td>{r['id']}</td><td>{r['name']}</td></tr>" for r in ROWS)
    + "</table>",
    "fields": "\n\n".join(f"Id: {r['id']}\nName: {r['name']}" for r in ROWS),
}


@pytest.mark.parametrize("name", LARGE)
def test_ten_thousand_rows(name: str) -> None:
    started = time.process_time()
    records, prose = read_text(LARGE[name], root="tool")
    assert time.process_time() - started < (3 if name.startswith("json") else 6)
    assert len(records) == 10_000
    assert len(prose) <= 1


HUGE = {
    "deep list": "[" * 10_000 + "]" * 10_000,
    "deep object": '{"a":' * 10_000 + "1" + "}" * 10_000,
    "deep enough to parse": '{"a":[' * 450 + "1" + "]}" * 450,
    "deep in a text": "It said: " + '{"a":' * 10_000 + "1" + "}" * 10_000,
    "never closed": '[{"a":' * 20_000,
    "one word": "a" * 500_000,
    "one line": "word " * 100_000,
    "tags": "<div>" * 50_000 + "</div>",
    "unclosed tags": "<p a=" * 50_000 + "</p>",
    "open quotes": '"a,b\n' * 30_000,
    "bars": "|" * 300_000,
    "yaml that breaks": "a:\n" * 30_000,
    "paths": "a/b" * 100_000,
    "elements": "<a>" * 50_000 + "x",
    "elements that close": "<a><b>1</b>" * 3_000 + "</a>" * 3_000,
    "bullets": "- " * 100_000,
}


@pytest.mark.parametrize("name", HUGE)
def test_no_depth_and_no_length_is_too_much(name: str) -> None:
    started = time.process_time()
    records, prose = read_text(HUGE[name])
    assert time.process_time() - started < 10
    assert records or prose or name in ("tags", "bullets")  # a rule across the page says nothing


def test_decoded_data() -> None:
    records, prose = read_data({"id": 1, "body": '{"city": "Oslo"}'}, root="tool")
    assert [cell.pointer for cell in records[0].cells] == ["/id", "/body/city"]
    assert not prose
    assert read_data(42)[0][0].cells[0].raw == 42
    deep: object = "bottom"
    for n in range(5_000):
        deep = {"down": deep, "n": n} if n % 2 else [deep, True]
    records, prose = read_data(deep)
    assert not records
    assert "bottom" in prose[-1].text or any("bottom" in p.text for p in prose)


def test_aliases_are_not_followed() -> None:
    bomb = "a: &a [x, x]\n" + "\n".join(f"{c}: [*a, *a]\n  - 1" for c in "bcd")
    records, prose = read_text(bomb)
    assert prose or records


def test_long_texts_are_dealt_out() -> None:
    body = " ".join(f"Sentence number {n} says {n * 7}." for n in range(60))
    ((record,), _) = read_text(json.dumps({"id": "D1", "title": "T", "body": body, "n": 3}))
    passages = list(render_record(record))
    assert "".join(p.text.split("body: ")[-1] for p in passages).count("Sentence") == 60
    for passage in passages:
        assert len(passage.text) < PASSAGE_CHARS + 60
        for cell, left, right in passage.cells:
            assert passage.text[left:right] == cell.text
            assert cell.pointer in ("/id", "/title", "/body", "/n")
    assert all(p.text.startswith("id D1, title T | ") for p in passages[1:])


@given(st.lists(st.integers(1, 90), min_size=1, max_size=12))
def test_prose_is_read_a_few_sentences_at_a_time(words: list[int]) -> None:
    said = [f"Sentence {n}" + " word" * length + "." for n, length in enumerate(words)]
    _, prose = read_text(" ".join(said))
    assert " ".join(p.text for p in prose) == " ".join(said)
    for passage in prose:
        # Whole sentences only, but for one that is longer than any passage.
        whole = [one for one in said if one in passage.text]
        assert whole or len(passage.text) <= PASSAGE_CHARS
        assert len(passage.text) <= PROSE_CHARS or len(whole) <= 1


def test_long_lists_are_dealt_out() -> None:
    ((record,), _) = read_text(json.dumps({"id": 1, "tags": [f"tag-{n}" for n in range(500)]}))
    passages = list(render_record(record))
    assert max(len(p.text) for p in passages) < PASSAGE_CHARS + 60
    assert sum(len(p.cells) for p in passages) == 501
