"""A claim before its kind and values are read: a span and what it says."""

from __future__ import annotations

from dataclasses import dataclass

from affidavit.report import ClaimKind
from affidavit.stages.ground.claim import TableCell


@dataclass(frozen=True, slots=True)
class Draft:
    """A span of the answer and its statement. ``said`` is the text that tells the kind: the sentence without markup or
    what it stands under. ``kind`` is set where its place already tells."""

    start: int
    end: int
    statement: str
    said: str
    kind: ClaimKind | None = None
    json_path: tuple[str | int, ...] | None = None
    cell: TableCell | None = None
    sentence: int = 0
    values_from: int = 0
    """Where in the answer the words begin that values are read from: behind the key of a JSON leaf."""
