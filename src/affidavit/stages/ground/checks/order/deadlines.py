"""Deadlines: whether something is still possible, from a date, a window of days and the run's date."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from affidavit.ledger.words import content_stems, named_in, stem
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "deadlines"

_OVER = re.compile(
    r"\b(?:too late|expired|has (?:passed|ended|closed|lapsed)|is (?:over|closed)|no longer|any ?more|"
    r"outside (?:of )?(?:the|your)|past (?:the|your)|missed)\b",
    re.I,
)
_OPEN = re.compile(
    r"\b(?:can still|still (?:be |have |able|possible|eligible|open|time|within|in time)|not too late|"
    r"within (?:the|your)|in time|remains open|is still)\b",
    re.I,
)
_WINDOWS = frozenset(stem(word) for word in "window period within days deadline limit".split())


@dataclass(frozen=True, slots=True)
class _Window:
    ends: date
    formula: str
    spans: tuple[EvidenceSpan, ...]


def check_deadlines(claim: Claim, context: GroundContext) -> Finding:
    """Hold "you can still…" and "it is too late…" against the window that the evidence gives."""
    over, open_ = bool(_OVER.search(claim.text)), bool(_OPEN.search(claim.text))
    if over == open_ or context.today is None:
        return Finding.skip(NAME, "says nothing of being in time, or the run has no date")
    windows = list(_windows(context))
    if len({window.ends >= context.today for window in windows}) != 1:
        return Finding.skip(NAME, "no window of time, or several that disagree")
    window = windows[0]
    in_time = window.ends >= context.today
    detail = f"{window.formula}; today is {context.today.isoformat()}"
    if in_time == open_:
        return Finding(
            NAME, "checked", "supports", 0.93, None, detail, window.formula, window.spans
        )
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, window.formula,
        window.spans,
    )  # fmt: skip


def _windows(context: GroundContext) -> Iterator[_Window]:
    """A date of a result plus a span of days of the same result that says it runs from such a date."""
    for source in {p.source.id: p.source for p in context.search.passages}.values():
        passages = [p for p in context.search.passages if p.source is source]
        cells = [(p, c, v) for p in passages for c, v in p.cell_values]
        spans = [
            (p, c, v)
            for p, c, v in cells
            if v.kind == "duration" and v.unit == "s" and v.number is not None
            and named_in(content_stems(c.key), _WINDOWS) - {stem("days")}
        ]  # fmt: skip
        begins = frozenset(
            word
            for p in passages
            for c, _, _ in p.cells
            if isinstance(c.raw, str) and content_stems(c.key) & {stem("starts"), stem("from")}
            for word in content_stems(c.text.replace("_", " "))
        )
        for span_passage, span_cell, span in spans:
            for p, c, v in cells:
                if v.moment is None or v.moment.date is None or span.number is None:
                    continue
                key = content_stems(c.key)
                if begins and not named_in(begins, key):
                    continue
                if not begins and not key & {
                    stem("delivered"),
                    stem("received"),
                    stem("purchased"),
                }:
                    continue
                ends = v.moment.date + timedelta(seconds=int(span.number))
                yield _Window(
                    ends,
                    f"{c.text} + {span_cell.text} {span_cell.key} = {ends.isoformat()}",
                    (p.span(c), span_passage.span(span_cell)),
                )
