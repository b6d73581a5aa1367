"""Statements of people about one result each, chosen so that a statement alone says nothing of its label.

False statements sound false: whoever writes them writes "all", "will" and "must" into them. Of statements that a
bag of words likes equally well, as many are taken that hold as do not (after adversarial filtering, Le Bras et al.
2020); what is left over on one side is not used.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from affidavit.trace import Message, TextPart
from affidavit.training.claim_only import cross_fitted
from affidavit.training.pairs.pair import Label, Pair, returned, shown
from affidavit.training.runs import read_rows

_LABELS: dict[str, Label] = {
    "entailed": "entailment",
    "open": "neutral",
    "contradicted": "contradiction",
}
_BANDS = 40


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement, the item it is about, and how it stands to that."""

    row: dict[str, Any]
    text: str
    label: Label

    @property
    def subject(self) -> str:
        return str(
            self.row.get("tool") or self.row.get("results", [{}])[0].get("tool") or self.text
        )


def read_statements(file: Path) -> list[Statement]:
    """The statements of a file, in order."""
    rows = read_rows([file])
    return [Statement(row, text, _LABELS[label]) for row in rows for label, text in row["claims"]]


def even(statements: Sequence[Statement], rng: random.Random) -> list[Statement]:
    """As many that hold as do not among those that sound alike, shuffled."""
    texts, holds = [s.text for s in statements], [s.label == "entailment" for s in statements]
    scores = cross_fitted(texts, holds, [s.subject for s in statements])
    order = sorted(range(len(statements)), key=lambda i: scores[i])
    width = len(order) // _BANDS + 1
    chosen: list[Statement] = []
    for start in range(0, len(order), width):
        sides: dict[bool, list[int]] = defaultdict(list)
        for i in order[start : start + width]:
            sides[holds[i]].append(i)
        least = min(len(sides[True]), len(sides[False]))
        for side in sides.values():
            chosen += [statements[i] for i in rng.sample(side, least)]
    rng.shuffle(chosen)
    return chosen


def statement_pairs(statements: Iterable[Statement]) -> Iterator[Pair]:
    """Each statement beside what a run would show with it."""
    for one in statements:
        yield shown(one.text, list(_said(one.row)), one.label, "written", one.subject)


def _said(row: dict[str, Any]) -> Iterator[Message]:
    if "policy" in row:
        yield Message(role="system", parts=(TextPart(text=row["policy"]),))
    if "user" in row:
        yield Message(role="user", parts=(TextPart(text=row["user"]),))
        return
    for number, done in enumerate(row.get("results", [row])):
        yield from returned(done["tool"], done["result"], done["args"], number)
