"""Results of every shape, and what they read to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from affidavit.ledger.passages import render_record
from affidavit.ledger.shapes import read_text

CASES = yaml.safe_load(Path(__file__).with_name("test_shapes_cases.yaml").read_text("utf-8"))


@pytest.mark.parametrize("name", CASES)
def test_reads_as(name: str) -> None:
    case = CASES[name]
    records, prose = read_text(case["text"], root="tool")
    rendered = [passage.text for record in records for passage in render_record(record)]
    assert rendered == [
        f"tool{line}" if line[0] == "[" else f"tool {line}" for line in case["records"]
    ]
    assert [
        f"{p.heading} | {p.text.strip()}" if p.heading else p.text.strip() for p in prose
    ] == case["prose"]


# Where the source is escaped or marked up, a place holds the text as it was written there.
MARKED_UP = {
    "json in a json string",
    "json in a field",
    "text in a json string",
    "csv",
    "html",
    "xml",
}


@pytest.mark.parametrize("name", CASES)
def test_places_hold_the_text(name: str) -> None:
    text = CASES[name]["text"]
    records, prose = read_text(text, root="tool")
    places = [(cell.pointer, cell.text) for record in records for cell in record.cells]
    for pointer, said in places:
        if pointer.startswith("char=") and name not in MARKED_UP:
            left, right = (int(n) for n in pointer.removeprefix("char=").split(","))
            assert text[left:right].strip("\"'").casefold() in (said.casefold(), _as_json(said))
    for piece in prose:
        if name not in MARKED_UP:
            assert text[piece.start : piece.end].rstrip() == piece.text


def _as_json(said: str) -> str:
    return {"yes": "true", "no": "false", "none": "null"}.get(said, said)


def test_rows_share_their_group() -> None:
    for name in ("csv", "mysql", "aligned", "ndjson", "several things"):
        records, _ = read_text(CASES[name]["text"], root="tool")
        assert len({record.group for record in records}) == 1
        assert records[0].group


def test_places_of_json_within_a_text() -> None:
    data = {"id": "W1", "a/b": {"é~": [1, {"x": None}]}, "s": 'q"\\', "e": []}
    text = "Lead " + json.dumps(data, ensure_ascii=False, indent=1) + " end"
    records, _ = read_text(text)
    for record in records:
        for cell in record.cells:
            left, right = (int(n) for n in cell.pointer.removeprefix("char=").split(","))
            # An empty list has a place, and no scalar to be.
            assert json.loads(text[left:right]) in (
                ([], {}, None) if cell.raw is None else (cell.raw,)
            )
    assert records[-1].parent is records[0]
    assert records[0].identity == "id W1"
