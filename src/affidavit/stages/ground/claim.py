"""A claim: one factual proposition of the answer, with its place there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from affidavit.ledger.values import Value
from affidavit.report import ClaimKind

BEFORE = 160
"""Characters of the answer that are read before a claim or a clause of it, to understand it."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One proposition of the answer.

    ``text`` is ``answer[start:end]``; ``statement`` is the same proposition made to stand alone: the
    list's lead-in, the table's row and column. ``values`` are the values in ``text``, with spans in it; an exempt claim
    has none.
    """

    text: str
    start: int
    end: int
    kind: ClaimKind
    statement: str
    critical: bool
    values: tuple[Value, ...] = ()
    before: str = ""
    """What the answer says just before the claim, without markup: who "it" is, and what "so" follows from."""
    lead: str = ""
    """What holds for it as well: the beginning of its sentence, or the line that announces its list."""
    covered: bool = True
    """Whether the entailment model reads this claim's language."""
    json_path: tuple[str | int, ...] | None = None
    """Path of the leaf, for a claim of a JSON answer."""
    cell: TableCell | None = None
    citations: tuple[str, ...] = ()
    """Markers in the claim, such as ``[2]``."""
    sentence: int = 0
    """Number of the sentence it is from; claims of one sentence share it."""
    performer: Literal["", "agent", "unsaid"] = ""
    """Who is said to have done an action: ``unsaid`` for "has been cancelled", which a record may tell of
    as well, where "I've cancelled" can only mean a call of this run."""


@dataclass(frozen=True, slots=True)
class TableCell:
    """Where a table cell stands: labels of its row and its column, and the whole row by column."""

    row: str
    column: str
    cells: dict[str, str] = field(default_factory=dict)
