"""Which rows of a list are meant: the one that some words call, and the part that is spoken of without a word."""

from __future__ import annotations

import re
from collections import Counter

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Record
from affidavit.ledger.words import content_stems
from affidavit.stages.ground.checks.derived.derivation import Table
from affidavit.stages.ground.finding import GroundContext

_LONGEST = 40
"""Longest text of a row whose words may call it, in characters."""
_MOST = 400
"""Rows beyond which one word calls none of them."""


def named_row(table: Table, text: str, context: GroundContext) -> list[Passage]:
    """The passages of the row that a text calls: "the music folder" of ``/studio/music``. None where it calls none of
    the list, or several."""
    topic = context.rows.named_by(text)
    named = [p for p in table.passages if topic.touches(context.rows.chain(p)[:1])]
    if not named and len(table.rows) <= _MOST:
        said = content_stems(text)
        own = {row.pointer: content_stems(_texts(row)) for row in table.rows}
        everywhere = Counter(stem for stems in own.values() for stem in stems)
        apart = {at for at, stems in own.items() if any(everywhere[s] == 1 for s in stems & said)}
        named = [p for p in table.passages if p.pointer in apart]
    return named if len({p.pointer for p in named}) == 1 else []


def parts_meant(table: Table, context: GroundContext) -> list[Table]:
    """The rows that a superlative may range over without saying so: those that the question singles out, or
    the sentence before does. The cheapest is that of the red ones where red ones were asked for."""
    before = context.before[-1].statement if context.before else ""
    parts = [table.that_say(text) for text in (context.question, before) if text]
    return [part for part in parts if 1 < len(part.rows) < len(table.rows)]


def _texts(row: Record) -> str:
    """What the short texts of a row say, the words of codes and paths among them."""
    short = (c.text for c in row.cells if isinstance(c.raw, str) and len(c.text) <= _LONGEST)
    return re.sub(r"[/_.-]", " ", " ".join(short))
