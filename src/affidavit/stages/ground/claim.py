"""A claim: one factual proposition of the answer, with its place there."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems, named_in
from affidavit.report import ClaimKind


@dataclass(frozen=True, slots=True)
class Claim:
    """One proposition of the answer.

    ``text`` is ``answer[start:end]``; ``statement`` is the same proposition made to stand alone: the
    list's lead-in, the table's row and column, the subject of the sentence before. ``values`` are the
    values in ``text``, with spans in it. ``context`` are values and names that the statement takes
    from around it (the row label of a cell, the item a list line is about).
    """

    text: str
    start: int
    end: int
    kind: ClaimKind
    statement: str
    critical: bool
    values: tuple[Value, ...] = ()
    context: str = ""
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
    presumes: bool = False
    """Whether an exempt claim takes a price or a share for granted: "I can upgrade you for $99"."""

    @property
    def is_datum(self) -> bool:
        """Whether it is a leaf of JSON or a cell of a table: all value, with no words around it that
        could mean something else."""
        return self.json_path is not None or self.cell is not None

    @property
    def is_elliptic(self) -> bool:
        """Whether its last word stands for what another clause says: "but Corner Pharmacy does". Its values
        are found in the row of whatever it names, and bear out nothing of that."""
        spelled_out = len(self.statement.split()) > len(self.text.split())
        return not self.is_datum and spelled_out and bool(_STANDS_FOR.search(self.text))


_STANDS_FOR = re.compile(
    r"\b(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|must|should)(?:n['’]t| not)?(?: too| as well)?\W*\Z"
    r"|^\W*(?:and |but )?(?:so|neither|nor) (?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|must|should) [^,;]*\Z",
    re.I,
)


@dataclass(frozen=True, slots=True)
class TableCell:
    """Where a table cell stands: labels of its row and its column, and the whole row by column."""

    row: str
    column: str
    cells: dict[str, str] = field(default_factory=dict)


_SUBJECT = re.compile(
    r"\W*(?:and |but |so |also )*(?:the |its |their |his |her |your )?(?P<subject>[\w-]+(?: [\w-]+){0,3}?) "
    r"(?:is|are|was|were|will be|has been|costs?|(?:comes?|came|amounts?|amounted) to|starts?|started|ends?|ended|begins?|began|"
    r"lasts?|lasted|takes?|took|runs?|ran|opens?|opened|closes?|closed|(?:stands?|stood) at|totals?|totall?ed|(?:falls?|fell) on)\b",
    re.I,
)


def tells_field(claim: Claim, value: Value, field_name: str) -> bool:
    """Whether the subject of a claim is a field, whose value it tells: "check-in is from 15:00" of ``check_in``,
    "the next match is on 9 May" of ``next``."""
    found = _SUBJECT.match(claim.text)
    if found is None or found.end() > value.start:
        return False
    subject, key = content_stems(found["subject"]), content_stems(field_name)
    if not subject or not key:
        return False
    return subject <= named_in(subject, key) or key <= named_in(key, subject)


def bare_words(claim: Claim) -> str:
    """The claim without its measured values: its words, names and quotations."""
    text = claim.text
    for value in sorted(claim.values, key=lambda v: v.start, reverse=True):
        if value.kind not in ("name", "quoted"):
            text = f"{text[: value.start]} {text[value.end :]}"
    return text
