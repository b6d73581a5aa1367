"""A recorded run on its way to being judged, and what came of it: all that passes between processes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from affidavit.errors import TraceError


@dataclass(frozen=True, slots=True)
class Item:
    """One recorded run as it was read, not parsed yet: ``raw`` is its JSON."""

    raw: bytes
    file: str = ""
    line: int | None = None

    def content(self) -> bytes:
        """A digest that the same record always has, wherever it stands."""
        return hashlib.sha256(self.raw.strip()).digest()[:16]

    def fault(self, message: str) -> TraceError:
        return TraceError(message, file=self.file, line=self.line)


@dataclass(frozen=True, slots=True)
class JudgedItem(Item):
    """A record by the digest that its audit knew it by; ``raw`` is not kept."""

    digest: bytes = b""

    def content(self) -> bytes:
        return self.digest


@dataclass(frozen=True, slots=True)
class RunRow:
    """What a summary needs to know of one judged run."""

    run_id: str
    action: str
    score: float
    scored: bool
    statuses: dict[str, int]
    """Claims by status."""
    reasons: dict[str, int]
    """Claims held against the answer, by reason code."""
    agent: str = ""
    task: str = ""
    week: str = ""
    model: str = ""
    label: str = ""
    """``good`` or ``bad``, where the record says what is right."""
    tools: tuple[str, ...] = ()
    worst: str = ""
    """The claim with the lowest score among those held against the answer."""
    worst_score: float | None = None
    worst_why: str = ""
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Judged:
    """The reports on one item, several where each turn was judged. All texts are JSON, a line each."""

    rows: tuple[RunRow, ...]
    reports: tuple[str, ...]
    claims: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """An item that could not be judged. ``kind`` tells what is wrong with the record from what it did."""

    message: str
    kind: str = "unreadable"
    """``unreadable``, ``failed`` (its check raised), ``crash`` (its worker died) or ``timeout``."""
    field: str = ""

    @property
    def poisoned(self) -> bool:
        """Whether trying it again would cost a worker or a long wait again."""
        return self.kind in ("crash", "timeout")
