"""Results of any shape as records and prose.

Filled in by one reader a file; :func:`read_text` tries them from the strictest shape to the loosest.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from affidavit.ledger.passages import split_prose
from affidavit.ledger.records import Record, records_of


@dataclass(frozen=True, slots=True)
class Prose:
    """A stretch of text: ``start`` and ``end`` are characters of the source; ``heading`` is the way of
    headings above it."""

    text: str
    start: int
    end: int
    heading: str = ""


def read_text(text: str, *, root: str = "") -> tuple[list[Record], list[Prose]]:
    """Records and prose of a text, whatever its shape. Never raises; nothing is dropped."""
    try:
        data = json.loads(text)
    except ValueError:
        pass
    else:
        if isinstance(data, dict | list):
            return list(records_of(data, root=root)), []
    return [], [Prose(text[a:b], a, b) for a, b in split_prose(text)]
