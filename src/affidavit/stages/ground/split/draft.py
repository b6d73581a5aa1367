"""A claim before its kind and values are read: a span and what it says."""

from __future__ import annotations

from dataclasses import dataclass

from affidavit.report import ClaimKind
from affidavit.stages.ground.claim import TableCell


@dataclass(frozen=True, slots=True)
class Draft:
    """A span of the answer and its statement. ``said`` is the text that tells the kind: the clause
    without markup, label or context. ``kind`` is set where its place already tells."""

    start: int
    end: int
    statement: str
    said: str
    context: str = ""
    kind: ClaimKind | None = None
    json_path: tuple[str | int, ...] | None = None
    cell: TableCell | None = None
    sentence: int = 0
    alone: bool = True
    """Whether no label, key or column says what it is the value of."""
    english: bool = True
    """Whether to read it by the rules for English."""
    presumes: bool = False
    """With a ``kind``: whether the values in it are to be found all the same."""
    values_from: int = 0
    """Where in the answer the words begin that values are read from: behind the key of a JSON leaf."""
