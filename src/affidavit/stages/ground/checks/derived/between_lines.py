"""From one line of a log to another that goes on about the same: "a yaw fault at 10:34, cleared three minutes later"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import Moment, Value, parse_values
from affidavit.ledger.words import content_stems
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Table,
    number_like,
    text_results,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_ASKS = re.compile(
    r"\b(?:later|after\w*|earlier|before\w*|within|lasted|lasts|took|takes|for|until|between|over|long|down(?:time)?|outage)\b",
    re.I,
)
_NEAR = 2
"""Claims back in which the time of the first line may have been told."""
_MOST = 400
"""Lines beyond which none are paired."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with its time, and the words that tell it from the other lines."""

    passage: Passage
    moment: Moment
    text: str
    words: frozenset[str]


def between_lines(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The time from the line that is told of to one that shares most words with the claim."""
    if value.number is None or value.kind != "duration" or not _ASKS.search(claim.text):
        return
    near = [*context.before[-_NEAR:], claim]
    told = [v.moment.clock for c in near for v in c.values if v.moment and v.moment.clock]
    said = content_stems(f"{claim.statement} {claim.context}")
    around = said | content_stems(" ".join(c.text for c in near if c.sentence == claim.sentence))
    for lines in context.search.once("timed lines", lambda: _timed(context)):
        first = [line for line in lines if _is_at(line, told)] or _nearest(lines, around, ())
        for a in first:
            for b in _nearest(lines, said, (a,)) or _nearest(lines, around, (a,)):
                seconds = _seconds(a.moment, b.moment)
                if seconds:
                    shown = number_like(value, Decimal(seconds), "s")
                    text = f"{a.text[:40].strip()} to {b.text[:40].strip()} = {seconds} s"
                    spans = (a.passage.span(), b.passage.span())
                    yield Derivation("elapsed", shown, text, spans)


def _is_at(line: _Line, told: Sequence[time]) -> bool:
    own = line.moment.clock
    return own is not None and any(
        own == t or (t.second == 0 and own.replace(second=0, microsecond=0) == t) for t in told
    )


def _nearest(lines: Sequence[_Line], said: frozenset[str], but: Sequence[_Line]) -> list[_Line]:
    """The lines that have most of the words; none where those are many."""
    ranked = [(len(line.words & said), line) for line in lines if line not in but]
    best = max((named for named, _ in ranked), default=0)
    found = [line for named, line in ranked if named == best]
    return found if best and len(found) <= _FEW else []


_FEW = 3


def _timed(context: GroundContext) -> list[list[_Line]]:
    """The lines of each text result that open with a time."""
    found: dict[int, list[tuple[Passage, Moment, str]]] = {}
    for source, passages in text_results(context):
        lines = source.text.splitlines()
        for line in lines if len(lines) <= _MOST else ():
            opening = next(iter(parse_values(line[:_HEAD])), None)
            if opening is not None and opening.moment is not None and opening.start <= _INDENT:
                if opening.moment.clock is not None:
                    rest = line[opening.end :]
                    shown = next((p for p in passages if line in p.text), passages[0])
                    found.setdefault(source.id, []).append((shown, opening.moment, rest))
    return [_told_apart(lines) for lines in found.values() if len(lines) > 1]


_HEAD, _INDENT = 40, 2


def _told_apart(lines: Sequence[tuple[Passage, Moment, str]]) -> list[_Line]:
    """The lines with the words that not most of them have: no host, no level that is everywhere."""
    stems = [content_stems(text) for _, _, text in lines]
    seen = Counter(word for own in stems for word in own)
    return [
        _Line(passage, moment, text, frozenset(w for w in own if seen[w] * 2 <= len(lines)))
        if len(lines) > _FEW
        else _Line(passage, moment, text, own)
        for (passage, moment, text), own in zip(lines, stems, strict=True)
    ]


def _seconds(a: Moment, b: Moment) -> int:
    """Seconds between two times of one log, 0 where only one has a date."""
    if a.clock is None or b.clock is None or (a.date is None) != (b.date is None):
        return 0
    day = date(2000, 1, 1)
    one = datetime.combine(a.date or day, a.clock)
    two = datetime.combine(b.date or day, b.clock)
    return abs(int((two - one).total_seconds()))
