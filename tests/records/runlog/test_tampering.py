"""What verifying finds: each way of tampering, in each back end."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affidavit.errors import LogError
from affidavit.records.runlog import Anchor, RunLog, open_log
from affidavit.records.runlog.chain import FaultKind, verify
from affidavit.records.runlog.record import Facets, Record, hash_of
from affidavit.testing import claim_verdict, report_of

LAST = 8

TABLES = ("sqlite", pytest.param("postgresql", marks=pytest.mark.postgres))


def filled(address: str) -> Anchor:
    """A log of eight reports; returns the anchor taken at its end."""
    with open_log(address) as log:
        for number in range(1, LAST + 1):
            claim = claim_verdict(f"Order {number} costs $5.", 0.1, reason="value_not_in_evidence")
            log.report(report_of(claim, run_id=f"run-{number}", action="block"))
        anchor = log.anchor()
    assert anchor is not None
    return anchor


Rows = list[dict[str, Any]]


def edit(address: str, change: Callable[[Rows], Rows]) -> None:
    """Rewrite a log behind its back: its records as dictionaries, in stored order."""
    columns = ("seq", "time", "kind", "run_id", "previous", "hash", "body", "facets")
    statement = f"SELECT {', '.join(columns)} FROM affidavit_records ORDER BY seq"
    insert = f"INSERT INTO affidavit_records ({', '.join(columns)}) VALUES "
    if address.startswith("jsonl:"):
        path = Path(address.removeprefix("jsonl:"))
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        path.write_text(
            "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in change(lines))
        )
        return
    if address.startswith("sqlite:"):
        connection: Any = sqlite3.connect(address.removeprefix("sqlite:///"))
        mark = "?"
    else:
        import psycopg

        connection, mark = psycopg.connect(address), "%s"
    cursor = connection.cursor()
    cursor.execute(statement)
    rows = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
    for row in rows:
        row["body"] = json.loads(row["body"])
        row["facets"] = (
            row["facets"] if isinstance(row["facets"], dict) else json.loads(row["facets"])
        )
    changed = change(rows)
    cursor.execute("DELETE FROM affidavit_records")
    for row in changed:
        row["body"] = json.dumps(row["body"], separators=(",", ":"))
        row["facets"] = json.dumps(row["facets"])
        cursor.execute(insert + f"({', '.join([mark] * len(columns))})", [row[c] for c in columns])
    connection.commit()
    connection.close()


def rehashed(row: dict[str, Any]) -> dict[str, Any]:
    """The row with the hash that its content would have had."""
    body = json.dumps(row["body"], separators=(",", ":"))
    return row | {
        "hash": hash_of(row["seq"], row["time"], row["kind"], row["run_id"], body, row["previous"])
    }


def changed(at: int, /, **fields: Any) -> Callable[[Rows], Rows]:
    return lambda rows: [row | fields if row["seq"] == at else row for row in rows]


def change_body(rows: Rows) -> Rows:
    rows[3]["body"]["report"]["action"] = "emit"
    return rows


def change_and_rehash(rows: Rows) -> Rows:
    rows[3]["body"]["report"]["claims"][0]["text"] = "Nothing was wrong."
    rows[3] = rehashed(rows[3])
    return rows


def rewrite_all_from_there(rows: Rows) -> Rows:
    rows = change_and_rehash(rows)
    for before, at in zip(range(3, LAST), range(4, LAST), strict=False):
        rows[at] = rehashed(rows[at] | {"previous": rows[before]["hash"]})
    return rows


def swap(rows: Rows) -> Rows:
    """Two records change places: in a file their lines, in a table their numbers."""
    rows[3], rows[4] = rows[4], rows[3]
    return rows


def swap_numbers(rows: Rows) -> Rows:
    rows[3]["seq"], rows[4]["seq"] = rows[4]["seq"], rows[3]["seq"]
    return sorted(rows, key=lambda row: row["seq"])


def insert_between(rows: Rows) -> Rows:
    """A record with a hash of its own takes a number, and those after it move up."""
    later = [row | {"seq": row["seq"] + 1} for row in rows[4:]]
    new = rehashed(rows[3] | {"seq": 5, "run_id": "invented", "previous": rows[3]["hash"]})
    return [*rows[:4], new, *later]


def hide(rows: Rows) -> Rows:
    for row in rows:
        row["facets"] = row["facets"] | {"action": "emit"}
    return rows


TAMPERING: dict[str, tuple[Callable[[Rows], Rows], FaultKind]] = {
    "a body is changed": (change_body, "changed"),
    "a time is changed": (changed(4, time="2020-01-01T00:00:00.000000Z"), "changed"),
    "a kind is changed": (changed(4, kind="call"), "changed"),
    "a run is renamed": (changed(4, run_id="another"), "changed"),
    "a hash is changed": (changed(4, hash="0" * 64), "changed"),
    "a link is changed": (changed(4, previous="0" * 64), "changed"),
    "a record is changed and hashed again": (change_and_rehash, "unlinked"),
    "a record is removed": (lambda rows: rows[:3] + rows[4:], "removed"),
    "several records are removed": (lambda rows: rows[:2] + rows[5:], "removed"),
    "the first records are removed": (lambda rows: rows[3:], "removed"),
    "two numbers are swapped": (swap_numbers, "changed"),
    "a record is inserted between others": (insert_between, "changed"),
}
ONLY_IN_A_FILE: dict[str, tuple[Callable[[Rows], Rows], FaultKind]] = {
    "two lines are swapped": (swap, "reordered"),
    "a line is moved to the end": (lambda rows: [*rows[:3], *rows[4:], rows[3]], "reordered"),
    "a number becomes a text": (changed(4, seq="4"), "changed"),
    "a text becomes a number": (changed(4, run_id=4), "changed"),
    "a line is repeated": (lambda rows: [*rows[:4], *rows[3:]], "inserted"),
}
ONLY_WITH_AN_ANCHOR: dict[str, tuple[Callable[[Rows], Rows], FaultKind]] = {
    "the end is cut off": (lambda rows: rows[:-2], "truncated"),
    "everything is removed": (lambda rows: [], "truncated"),
    "all is written anew": (rewrite_all_from_there, "changed"),
}


@pytest.mark.spec("AFF-1203")
@pytest.mark.parametrize("how", TAMPERING)
def test_tampering_is_found(address: str, how: str) -> None:
    filled(address)
    change, kind = TAMPERING[how]
    edit(address, change)
    with open_log(address) as log:
        assert kind in {fault.kind for fault in log.verify().faults}


@pytest.mark.spec("AFF-1203")
@pytest.mark.parametrize("how", ONLY_IN_A_FILE)
def test_the_order_of_a_file_counts(tmp_path: Path, how: str) -> None:
    address = f"jsonl:{tmp_path}/runs.jsonl"
    filled(address)
    change, kind = ONLY_IN_A_FILE[how]
    edit(address, change)
    assert [fault.kind for fault in open_log(address).verify().faults] == [kind]


@pytest.mark.spec("AFF-1204")
@pytest.mark.parametrize("how", ONLY_WITH_AN_ANCHOR)
def test_an_anchor_witnesses_what_a_chain_cannot(address: str, how: str) -> None:
    anchor = filled(address)
    change, kind = ONLY_WITH_AN_ANCHOR[how]
    edit(address, change)
    with open_log(address) as log:
        assert log.verify().ok
        assert {fault.kind for fault in log.verify([anchor]).faults} == {kind}


@pytest.mark.spec("AFF-1203")
@pytest.mark.parametrize("address", TABLES, indirect=True)
def test_a_search_index_that_hides_a_record_is_found(address: str) -> None:
    filled(address)
    edit(address, hide)
    with open_log(address) as log:
        assert [fault.kind for fault in log.verify().faults] == ["index"] * LAST


@pytest.mark.parametrize("column", ["time", "kind", "run_id", "previous", "hash", "body", "facets"])
def test_what_is_no_text_is_a_fault(tmp_path: Path, column: str) -> None:
    path = tmp_path / "runs.db"
    filled(str(path))
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE affidavit_records SET {column} = x'00ff' WHERE seq = 4")
    connection.close()
    with open_log(path) as log:
        assert {fault.seq for fault in log.verify().faults} <= {4, 5}
        assert not log.verify().ok


def test_what_was_not_touched_is_whole(address: str) -> None:
    anchor = filled(address)
    edit(address, lambda rows: rows)
    with open_log(address) as log:
        found = log.verify([anchor])
    assert (found.ok, found.records, found.head) == (True, LAST, anchor)


@pytest.mark.parametrize("damage", ["", "{}", "null", '{"format":1,"seq":', "\x00\x01"])
def test_a_line_that_is_no_record_is_a_fault_and_not_the_end(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "runs.jsonl"
    filled(f"jsonl:{path}")
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:3], damage, *lines[4:]]) + "\n")
    found = open_log(f"jsonl:{path}").verify()
    assert [(fault.kind, fault.seq) for fault in found.faults] == [("changed", 4)]
    assert found.records == LAST


def test_a_gap_of_any_size_is_told_at_once() -> None:
    first = Record(1, "", "prune", "", Facets(), "", "", "{}")
    far = Record(10**15, "", "prune", "", Facets(), "", "", "{}")
    kinds = [fault.kind for fault in verify([first, far]).faults]
    assert kinds.count("removed") == 1


@pytest.mark.parametrize("text", ["", "5", "5:abc", "x:" + "0" * 64, "-1:" + "0" * 64])
def test_what_is_no_anchor_is_refused(text: str) -> None:
    with pytest.raises(LogError, match=re.escape("SEQ:HASH")):
        Anchor.parse(text)


def test_an_anchor_reads_what_it_writes(log: RunLog) -> None:
    log.report(report_of())
    assert Anchor.parse(str(log.anchor())) == log.anchor()
