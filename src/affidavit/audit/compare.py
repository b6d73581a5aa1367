"""Two audits held against each other: what a new prompt, model or policy changed, and which runs flipped."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.request import pathname2url

from affidavit.audit.item import RunRow
from affidavit.audit.reports import read_reports
from affidavit.audit.statistics import Difference, Rate, holm, paired, rate, unpaired
from affidavit.audit.store import COLUMNS, SCHEMA, columns_of, index_of, insert_run, row_from
from affidavit.errors import AffidavitError

_MOST_FLIPS = 1000
SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True)
class Change:
    """One measure in both audits. ``p`` counts in that several measures were looked at (Holm)."""

    measure: str
    a: Rate
    b: Rate
    difference: Difference
    p: float

    @property
    def significant(self) -> bool:
        return self.p < SIGNIFICANT


@dataclass(frozen=True, slots=True)
class Flip:
    """A run that came to another action."""

    run_id: str
    before: str
    after: str
    score_before: float
    score_after: float
    why: str
    """The worst claim of the side that held it back."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between two audits. Runs are paired by what was recorded, then by their name."""

    pairs: int
    only_a: int
    only_b: int
    same_record: int
    """Pairs that are the same record judged twice, as under another policy."""
    changes: list[Change]
    by_group: dict[str, list[Change]]
    """Answers held back, by task and tool."""
    moves: dict[str, int]
    """Pairs by action before and after, such as ``emit → block``."""
    flips: list[Flip]
    """Up to a thousand; ``moves`` counts them all."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def compare(a: Path, b: Path, on_flip: Callable[[Flip], None] = lambda flip: None) -> Comparison:
    """Compare two audits: folders, or files of reports. ``on_flip`` is told of every run that came to another action."""
    with closing(sqlite3.connect(":memory:", uri=True)) as db:
        _attach(db, "a", a)
        _attach(db, "b", b)
        same, pairs = _pair(db)
        counts = {
            side: db.execute(f"SELECT COUNT(*) FROM {side}.runs").fetchone()[0] for side in "ab"
        }
        if pairs:
            changes, groups, moves, flips = _paired(db, pairs, on_flip)
        else:
            changes, groups, moves, flips = _unpaired(db), {}, Counter[str](), []
    return Comparison(
        pairs=pairs, only_a=counts["a"] - pairs, only_b=counts["b"] - pairs, same_record=same,
        changes=changes, by_group=groups, moves=dict(moves.most_common()), flips=flips,
    )  # fmt: skip


def _attach(db: sqlite3.Connection, side: str, path: Path) -> None:
    index = index_of(path, folder=path.is_dir())
    if index.exists():
        url = f"file:{pathname2url(str(index.resolve()))}?mode=ro"
        try:
            db.execute(f"ATTACH ? AS {side}", (url,))
            db.execute(f"SELECT run_id FROM {side}.runs LIMIT 1").fetchone()
        except sqlite3.Error as error:
            raise AffidavitError(f"{path}: cannot be read as an audit: {error}") from error
        return
    if not path.is_file():
        raise AffidavitError(f"{path}: no audit (a folder, or a file of reports, that audit wrote)")
    db.execute(f"ATTACH '' AS {side}")
    db.execute(SCHEMA["runs"].replace("TABLE IF NOT EXISTS runs", f"TABLE {side}.runs"))
    for number, recorded in enumerate(read_reports(path), 1):
        # Reports do not say of which record they are: two alike are no sign of the same one.
        content = hashlib.sha256(f"{path}:{number}".encode()).digest()[:16]
        for row in recorded.rows:
            insert_run(db, columns_of(number, content, row), schema=side)
    for name in ("run_id", "content"):
        db.execute(f"CREATE INDEX {side}.by_{name} ON runs ({name})")


def _pair(db: sqlite3.Connection) -> tuple[int, int]:
    """Pairs in a table of rowids: the same record first, then the same name."""
    db.execute("CREATE TEMP TABLE pairs (a INTEGER PRIMARY KEY, b INTEGER UNIQUE)")
    ranked = (
        "(SELECT rowid AS at, run_id, content, row_number() OVER (PARTITION BY {by} ORDER BY rowid) AS n"
        " FROM {side}.runs WHERE rowid NOT IN (SELECT {side} FROM pairs)) {side}"
    )
    counts = []
    for by in ("content, run_id", "run_id"):
        sides = [ranked.format(by=by, side=side) for side in "ab"]
        on = " AND ".join(f"a.{name} = b.{name}" for name in (*by.split(", "), "n"))
        db.execute(f"INSERT INTO pairs SELECT a.at, b.at FROM {sides[0]} JOIN {sides[1]} ON {on}")
        counts.append(int(db.execute("SELECT COUNT(*) FROM pairs").fetchone()[0]))
    return counts[0], counts[1]


def _rows(db: sqlite3.Connection) -> Iterator[tuple[RunRow, RunRow]]:
    wanted = ", ".join(f"{side}.{name}" for side in "ab" for name in COLUMNS)
    found = db.execute(
        f"SELECT {wanted} FROM pairs JOIN a.runs a ON a.rowid = pairs.a JOIN b.runs b ON b.rowid = pairs.b"
        " ORDER BY pairs.a"
    )
    n = len(COLUMNS)
    for row in found:
        yield row_from(row[:n]), row_from(row[n:])


@dataclass
class _Cells:
    both: int = 0
    only_a: int = 0
    only_b: int = 0
    neither: int = 0

    def add(self, a: bool, b: bool) -> None:
        self.both += a and b
        self.only_a += a and not b
        self.only_b += b and not a
        self.neither += not (a or b)

    def change(self, measure: str) -> Change:
        n = self.both + self.only_a + self.only_b + self.neither
        a, b = rate(self.both + self.only_a, n), rate(self.both + self.only_b, n)
        difference = paired(self.only_a, self.only_b, n)
        return Change(measure, a, b, difference, difference.p)


def _measures(row: RunRow) -> set[str]:
    found = {f"a claim: {reason}" for reason in row.reasons}
    if row.action != "emit":
        found.add("held back")
    if row.action == "block":
        found.add("block")
    return found


def _paired(
    db: sqlite3.Connection, pairs: int, on_flip: Callable[[Flip], None]
) -> tuple[list[Change], dict[str, list[Change]], Counter[str], list[Flip]]:
    cells: dict[str, _Cells] = {"held back": _Cells(), "block": _Cells()}
    groups: dict[str, dict[str, _Cells]] = {"task": {}, "tool": {}}
    moves, flips = Counter[str](), list[Flip]()
    for a, b in _rows(db):
        of_a, of_b = _measures(a), _measures(b)
        for name in of_a | of_b:
            cells.setdefault(name, _Cells()).add(name in of_a, name in of_b)
        held = a.action != "emit", b.action != "emit"
        for name in filter(None, {a.task, b.task} if a.task == b.task else ()):
            groups["task"].setdefault(name, _Cells()).add(*held)
        for name in {*a.tools, *b.tools}:
            groups["tool"].setdefault(name, _Cells()).add(*held)
        if a.action != b.action:
            moves[f"{a.action} → {b.action}"] += 1
            flip = _flip(a, b)
            on_flip(flip)
            if len(flips) < _MOST_FLIPS:
                flips.append(flip)
    for one in cells.values():  # where neither side had it, it was not counted on the way
        one.neither = pairs - one.both - one.only_a - one.only_b
    by_group = {
        by: _corrected([c.change(name) for name, c in of.items()]) for by, of in groups.items()
    }
    return _corrected([c.change(name) for name, c in cells.items()]), by_group, moves, flips


def _flip(a: RunRow, b: RunRow) -> Flip:
    worse = b if (b.action != "emit") >= (a.action != "emit") and b.worst else a
    return Flip(b.run_id, a.action, b.action, a.score, b.score, worse.worst)


def _unpaired(db: sqlite3.Connection) -> list[Change]:
    """No run is in both: two samples, and what holds of them as such."""
    counted: dict[str, tuple[Counter[str], int]] = {}
    for side in "ab":
        counts, runs = Counter[str](), 0
        for row in db.execute(f"SELECT {', '.join(COLUMNS)} FROM {side}.runs"):
            counts.update(_measures(row_from(row)))
            runs += 1
        counted[side] = counts, runs
    (in_a, of_a), (in_b, of_b) = counted["a"], counted["b"]
    changes = []
    for name in dict.fromkeys(["held back", "block", *in_a, *in_b]):
        a, b = rate(in_a[name], of_a), rate(in_b[name], of_b)
        difference = unpaired(a, b)
        changes.append(Change(name, a, b, difference, difference.p))
    return _corrected(changes)


def _corrected(changes: list[Change]) -> list[Change]:
    adjusted = holm([change.p for change in changes])
    told = [
        Change(c.measure, c.a, c.b, c.difference, p) for c, p in zip(changes, adjusted, strict=True)
    ]
    first = {"held back": 0, "block": 1}
    return sorted(told, key=lambda c: (first.get(c.measure, 2), c.p, c.measure))


def told_p(p: float) -> str:
    """A p value to read."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
