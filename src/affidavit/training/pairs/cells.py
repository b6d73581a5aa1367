"""Claims about single cells of real tables: Wikipedia's, fact boxes', API results'.

The tables bring thousands of column names that no template has. Each claim says which row and which
column it means, and its twins take the value one row down, one column over, one digit off or beyond
a bound: what a passage full of the right words does not support.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from affidavit.ledger.records import words_of
from affidavit.training.pairs.faults import perturb_value
from affidavit.training.pairs.pair import Label, Pair, read_rows
from affidavit.training.pairs.sgd import name_slot, rendered
from affidavit.training.pairs.tables import detokenised
from affidavit.training.pairs.voice import spoken

PREMISE_CHARS = 380

Cells = Mapping[str, Any]

_ONE = (
    "the {k} of {n} is {v}", "{n} has a {k} of {v}", "for {n}, the {k} is {v}", "{n}'s {k} is {v}",
    "{n}: {k} {v}", "the {k} for {n} is {v}", "{n} is listed with {v} as its {k}",
    "the {k} given for {n} is {v}", "{v} is the {k} of {n}",
)  # fmt: skip
_DENIED = (
    "the {k} of {n} is not {v}", "{n}'s {k} isn't {v}", "{n} does not have a {k} of {v}",
    "for {n}, the {k} is something other than {v}",
)  # fmt: skip
_MORE = ("more than {b}", "over {b}", "above {b}", "greater than {b}", "higher than {b}")
_LESS = ("less than {b}", "under {b}", "below {b}", "fewer than {b}", "lower than {b}")
_LEAST = ("at least {b}", "{b} or more", "no less than {b}", "a minimum of {b}")
_MOST = ("at most {b}", "{b} or less", "no more than {b}", "up to {b}")
_ABSENT = ("there is no {k} listed for {n}", "{n} has no {k}", "no {k} is given for {n}")
_NUMBER = re.compile(r"^[$€£]?\d[\d,]*(?:\.\d+)?$")


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows of one result, the column that names them, and where they come from."""

    rows: Sequence[Cells]
    names: str
    root: str
    origin: str

    def name(self, row: Cells) -> str:
        return str(row[self.names])

    def shown(self, rows: Sequence[Cells]) -> str:
        kept = sorted(rows, key=self.rows.index)
        return rendered(list(kept) if len(kept) > 1 else dict(kept[0]), self.root)


def tabfact_cells(data: Path, rng: random.Random) -> Iterator[Pair]:
    for row in read_rows(data / "tables" / "tabfact.train.jsonl.gz"):
        header = row["header"]
        rows = [dict(zip(header, cells, strict=False)) for cells in row["rows"]]
        named = next((h for h in header if all(_wordy(r.get(h)) for r in rows)), None)
        if named and len({r[named] for r in rows}) == len(rows) and len(set(header)) == len(header):
            yield from cell_pairs(
                Sheet(rows, named, detokenised(row["caption"]) or "table", "cells"), rng
            )


def infotabs_cells(data: Path, rng: random.Random) -> Iterator[Pair]:
    seen: set[str] = set()
    for row in read_rows(data / "tables" / "infotabs.train.jsonl.gz"):
        box = {key: values[0] for key, values in row["record"].items() if len(values) == 1}
        title = str(box.get("title", ""))
        if title and title not in seen and len(box) > 2:
            seen.add(title)
            for _ in range(2):
                keys = rng.sample([k for k in box if k != "title"], k=min(6, len(box) - 1))
                short = {k: box[k] for k in ["title", *keys] if k == "title" or len(box[k]) < 60}
                yield from cell_pairs(Sheet([short], "title", "", "cells"), rng)


def sgd_cells(data: Path, rng: random.Random) -> Iterator[Pair]:
    for row in read_rows(data / "agent" / "sgd.train.jsonl.gz"):
        results = row["results"]
        named = name_slot(results[0]) if results else ""
        if not named or rng.random() > 0.25:
            continue
        rows = list({r[named]: r for r in results if named in r}.values())
        columns = [k for k in rows[0] if k != named and rows[0][k] not in ("True", "False")]
        kept = [named, *rng.sample(columns, k=min(len(columns), 5))]
        slim = [{k: r[k] for k in kept if k in r} for r in rows[:6]]
        yield from cell_pairs(Sheet(slim, named, row["call"]["method"], "cells"), rng)


def cell_pairs(sheet: Sheet, rng: random.Random) -> Iterator[Pair]:
    """A few claims about one row of a sheet, over it and up to three of its neighbours."""
    home = rng.choice(list(sheet.rows))
    rivals = [r for r in sheet.rows if r is not home]
    beside = rng.sample(rivals, k=min(len(rivals), rng.choice([0, 1, 1, 2, 3])))
    while beside and len(sheet.shown([home, *beside])) > PREMISE_CHARS:
        beside.pop()
    keys = [k for k, v in home.items() if k != sheet.names and _plain(v) and k.strip()]
    if not keys or len(sheet.shown([home])) > PREMISE_CHARS * 1.2:
        return
    cell = Cell(sheet, home, beside, rng.choice(keys), keys)
    premise = sheet.shown([home, *beside])
    yield Pair(premise, cell.told(cell.value, rng), "entailment", sheet.origin)
    for make in rng.sample(_MAKERS, k=3):
        yield from make(cell, premise, rng)


@dataclass(frozen=True, slots=True)
class Cell:
    sheet: Sheet
    home: Cells
    beside: Sequence[Cells]
    key: str
    keys: Sequence[str]

    @property
    def value(self) -> str:
        return str(self.home[self.key])

    def told(self, value: str, rng: random.Random, forms: Sequence[str] = _ONE) -> str:
        text = rng.choice(forms).replace("{k}", words_of(self.key).strip() or self.key)
        return spoken(
            text.replace("{n}", self.sheet.name(self.home)).replace("{v}", value), rng, 0.15
        )

    def wrong(self, text: str, fault: str, premise: str) -> Pair:
        return Pair(premise, text, "contradiction", self.sheet.origin, fault)


def _field(cell: Cell, premise: str, rng: random.Random) -> Iterator[Pair]:
    """The value of another column of the same row, numbers for numbers where there are any."""
    number = bool(_NUMBER.match(cell.value))
    others = [k for k in cell.keys if k != cell.key and not _same(cell.home[k], cell.value)]
    alike = [k for k in others if bool(_NUMBER.match(str(cell.home[k]))) == number]
    if alike or others:
        key = rng.choice(alike or others)
        yield cell.wrong(cell.told(str(cell.home[key]), rng), "field", premise)


def _row(cell: Cell, premise: str, rng: random.Random) -> Iterator[Pair]:
    """Another row's value; half of the time the passage shows where it comes from."""
    values = [r[cell.key] for r in cell.beside if cell.key in r and _plain(r[cell.key])]
    values = [str(v) for v in values if not _same(v, cell.value)]
    if values:
        yield cell.wrong(cell.told(rng.choice(values), rng), "row", premise)


def _digit(cell: Cell, premise: str, rng: random.Random) -> Iterator[Pair]:
    changed = perturb_value(cell.value, rng) if any(c.isdigit() for c in cell.value) else None
    if changed and not _same(changed, cell.value):
        yield cell.wrong(cell.told(changed, rng), "digit", premise)


def _denied(cell: Cell, premise: str, rng: random.Random) -> Iterator[Pair]:
    if rng.random() < 0.6:
        yield cell.wrong(cell.told(cell.value, rng, _DENIED), "negation", premise)
    else:
        for pair in _row(cell, premise, rng):
            value = next(
                str(r[cell.key])
                for r in cell.beside
                if not _same(r.get(cell.key, cell.value), cell.value)
            )
            yield Pair(
                pair.premise,
                cell.told(value, rng, _DENIED),
                "entailment",
                cell.sheet.origin,
                "negation",
            )


def _bound(cell: Cell, premise: str, rng: random.Random) -> Iterator[Pair]:
    """Over, under, at least, at most: true and false, near the value and at it."""
    if not _NUMBER.match(cell.value):
        return
    amount = float(cell.value.strip("$€£").replace(",", ""))
    step = max(1.0, abs(amount) * rng.choice([0.05, 0.2, 0.5, 1.0]))
    bound = rng.choice([amount - step, amount + step, amount])
    if bound < 0 or amount.is_integer() and bound == amount == 0:
        return
    bound = float(round(bound)) if amount.is_integer() else round(bound, 1)
    shown = f"{bound:,.0f}" if bound.is_integer() and bound > 2100 else f"{bound:g}"
    facts = (
        (_MORE, amount > bound),
        (_LESS, amount < bound),
        (_LEAST, amount >= bound),
        (_MOST, amount <= bound),
    )
    for forms, true in rng.sample(facts, k=2):
        text = cell.told(rng.choice(forms).replace("{b}", shown), rng, _ONE[:4])
        label: Label = "entailment" if true else "contradiction"
        yield Pair(premise, text, label, cell.sheet.origin, "bound")


def _compared(cell: Cell, premise: str, rng: random.Random) -> Iterator[Pair]:
    """Two rows of one column: which is higher."""
    for other in cell.beside:
        theirs = str(other.get(cell.key, ""))
        if _NUMBER.match(theirs) and _NUMBER.match(cell.value) and not _same(theirs, cell.value):
            mine, their = (float(v.strip("$€£").replace(",", "")) for v in (cell.value, theirs))
            key = words_of(cell.key).strip()
            more = rng.random() < 0.5
            word = rng.choice(["higher", "greater", "larger"] if more else ["lower", "smaller"])
            text = f"{cell.sheet.name(cell.home)} has a {word} {key} than {cell.sheet.name(other)}"
            label: Label = "entailment" if (mine > their) == more else "contradiction"
            yield Pair(premise, spoken(text, rng, 0.15), label, cell.sheet.origin, "compared")
            return


def _lacking(cell: Cell, _: str, rng: random.Random) -> Iterator[Pair]:
    """The column is not shown, or the row is not: nothing is said either way."""
    claim = cell.told(cell.value, rng)
    if rng.random() < 0.6 and len(cell.keys) > 1:
        rows = [{k: v for k, v in r.items() if k != cell.key} for r in [cell.home, *cell.beside]]
        text = rendered(rows if len(rows) > 1 else rows[0], cell.sheet.root)
        fault = "lacking"
    elif cell.beside:
        text, fault = cell.sheet.shown(cell.beside), "stranger"
    else:
        return
    if cell.value.lower() not in text.lower() or fault == "stranger":
        yield Pair(text, claim, "neutral", cell.sheet.origin, fault)


def _absence(cell: Cell, premise: str, rng: random.Random) -> Iterator[Pair]:
    """ "No such thing is given", where it is, where it is empty, and where nothing is said."""
    claim = cell.told("", rng, _ABSENT)
    if rng.random() < 0.5:
        yield cell.wrong(claim, "absence", premise)
    else:
        blank = {**cell.home, cell.key: None}
        yield Pair(rendered(blank, cell.sheet.root), claim, "entailment", cell.sheet.origin, "null")
        yield Pair(
            rendered(blank, cell.sheet.root),
            cell.told(cell.value, rng),
            "contradiction",
            cell.sheet.origin,
            "null",
        )


_MAKERS: tuple[Callable[[Cell, str, random.Random], Iterator[Pair]], ...] = (
    _field, _field, _row, _row, _digit, _denied, _bound, _bound, _compared, _lacking, _lacking, _absence,
)  # fmt: skip


def _plain(value: object) -> bool:
    return 0 < len(str(value)) <= 48 and str(value) not in ("-", "n / a", "n/a", "none", "dontcare")


def _wordy(value: object) -> bool:
    text = str(value or "")
    return 2 < len(text) <= 40 and any(c.isalpha() for c in text)


def _same(a: object, b: object) -> bool:
    """Whether one value says the other: "2,004" and "2004", "Oslo" and "Oslo, Norway"."""
    x, y = (re.sub(r"[,$\s]", "", str(v)).lower() for v in (a, b))
    return x in y or y in x if not (x.isdigit() and y.isdigit()) else x == y
