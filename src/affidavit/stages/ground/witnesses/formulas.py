"""Does a value that stands nowhere follow from others?"""

from __future__ import annotations

from collections.abc import Iterator

from affidavit.stages.ground.case import Case
from affidavit.stages.ground.signal import Signal


def formulas(case: Case) -> Iterator[Signal]:
    """One signal for each value that was worked out, as strong as it is no coincidence."""
    for link in case.linked.links:
        if link.formula is None or link.is_found:
            continue
        text = f"{link.value.text.strip()} = {link.formula.text}"
        lines = {
            id(o.line): o.line.span(o.cell) for o in link.formula.operands if o.line is not None
        }
        yield Signal(
            "formulas",
            "derived",
            link.formula.strength,
            "figure",
            text,
            text,
            tuple(lines.values()),
        )
