"""What an arrow says that something changes by: "the pool would grow by three" of ``size: 6 -> 9``, and shrink by
none."""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import Value
from affidavit.stages.ground.checks.derived.change import ARROW, DIFFERENCE
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Table,
    is_result,
    measured_as,
    number_like,
)
from affidavit.stages.ground.checks.derived.enumerated.asks import Asks
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_ARROW = re.compile(ARROW)
_MOST = 200
"""Passages beyond which arrows are not looked for in each."""


def arrows(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The difference, or the change in percent, of the two figures on either side of an arrow, in the direction
    that the claim tells."""
    asks = Asks.of(claim, value)
    if not value.number or not (asks.changed or DIFFERENCE.search(claim.statement)):
        return
    for passage in filter(is_result, context.fitting if len(context.fitting) <= _MOST else ()):
        for old, new in _on_either_side(passage):
            assert old.number is not None and new.number is not None
            by = new.number - old.number
            if not by or asks.changed and asks.grown != (by > 0):
                continue
            text = f"{old.text} → {new.text}"
            if asks.percent:
                if old.number:
                    shown = number_like(value, round(abs(by / old.number) * 100, 6))
                    yield Derivation("change", shown, f"{text}: {shown.text} %", (passage.span(),))
            elif old.kind in ("number", value.kind):
                shown = measured_as(value, abs(by), new)
                yield Derivation("difference", shown, f"{text}: {shown.text}", (passage.span(),))


def _on_either_side(passage: Passage) -> Iterator[tuple[Value, Value]]:
    """The figures before and behind each arrow, of one kind."""
    texts = (
        [(cell.text, [v for c, v in passage.cell_values if c is cell]) for cell, _, _ in passage.cells]
        if passage.record is not None
        else [(passage.text, list(passage.values))]
    )  # fmt: skip
    for text, values in texts:
        for arrow in _ARROW.finditer(text):
            before = [v for v in values if v.number is not None and v.end == arrow.start()]
            behind = [v for v in values if v.number is not None and v.start == arrow.end()]
            yield from (
                (old, new) for old in before for new in behind
                if old.kind == new.kind or old.kind == "number"
            )  # fmt: skip
