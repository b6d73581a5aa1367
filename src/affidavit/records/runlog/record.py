"""One record of the run log, and what its hash covers (specs/runlog.md).

The hash covers the record's place, time, kind and run, the digest of its body, and the hash of the
record before it. The body is kept as the text that was digested, so that no number or key order has
to be written the same way twice. What records are searched by (:class:`Facets`) is derived from the
body and not hashed: it can be derived anew when the log learns to search by something else.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Literal

from affidavit.errors import LogError
from affidavit.records.runlog.review import Review
from affidavit.report import HallucinationReport, ToolCallValidation
from affidavit.trace import RunTrace

HASH_FORMAT = 1
"""Version of what a hash covers; part of what it covers."""

Kind = Literal["report", "call", "overrule", "prune"]
"""``report``: an answer was judged; ``call``: a tool call was checked; ``overrule``: a person
overruled a verdict; ``prune``: the oldest records were removed."""


@dataclass(frozen=True, slots=True)
class Facets:
    """What a record is searched by. ``action`` is the gate's, a checked call's status, or what
    a reviewer says; ``reasons`` are reason codes of claims and kinds of call errors."""

    action: str | None = None
    reasons: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Anchor:
    """The place and hash of one record: kept elsewhere, it witnesses all records up to it."""

    seq: int
    hash: str

    def __str__(self) -> str:
        return f"{self.seq}:{self.hash}"

    @classmethod
    def parse(cls, text: str) -> Anchor:
        """Read ``SEQ:HASH``; raises :class:`LogError`."""
        seq, _, digest = text.strip().partition(":")
        if not seq.isdecimal() or len(digest) != 64 or set(digest) - set("0123456789abcdef"):
            raise LogError(
                f"not an anchor: {text.strip()!r}; expected SEQ:HASH as log anchor prints"
            )
        return cls(int(seq), digest)


@dataclass(frozen=True, slots=True)
class Entry:
    """A record without its body. ``time`` is UTC, as hashed; ``previous`` is empty for the first."""

    seq: int
    time: str
    kind: str
    run_id: str
    facets: Facets
    previous: str
    hash: str

    @property
    def at(self) -> datetime:
        return datetime.fromisoformat(self.time)

    @property
    def anchor(self) -> Anchor:
        return Anchor(self.seq, self.hash)


@dataclass(frozen=True, slots=True)
class Record(Entry):
    """A record with its body, the JSON text that was hashed."""

    body: str

    @property
    def data(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.body)
        return value

    def report(self) -> HallucinationReport:
        """The report of a ``report`` record."""
        return HallucinationReport.model_validate(self._part("report", "report"))

    def trace(self) -> RunTrace | None:
        """The run that a ``report`` record judged, where it was kept."""
        kept = self._part("report", "trace")
        return None if kept is None else RunTrace.model_validate(kept)

    def validation(self) -> ToolCallValidation:
        """The verdict of a ``call`` record."""
        return ToolCallValidation.model_validate(self._part("call", "validation"))

    def review(self) -> Review:
        """What a person said, of an ``overrule`` record."""
        return Review.model_validate(self._part("overrule", "review"))

    def _part(self, kind: Kind, name: str) -> Any:
        if self.kind != kind:
            raise LogError(f"record {self.seq} is of kind {self.kind}, not {kind}")
        return self.data[name]


def seal(
    after: Anchor | None, *, kind: Kind, run_id: str, body: str, facets: Facets, at: datetime
) -> Record:
    """The record that follows ``after``."""
    seq, previous = (after.seq + 1, after.hash) if after else (1, "")
    time, run_id = stamp(at), searchable(run_id)
    digest = hash_of(seq, time, kind, run_id, body, previous)
    return Record(seq, time, kind, run_id, facets, previous, digest, body)


def hash_of(seq: int, time: str, kind: str, run_id: str, body: str, previous: str) -> str:
    """SHA-256 over a JSON array of integers and strings, written in ASCII without spaces."""
    digest = sha256(body.encode()).hexdigest()
    head = [HASH_FORMAT, seq, time, kind, run_id, digest, previous]
    return sha256(json.dumps(head, separators=(",", ":")).encode()).hexdigest()


def stamp(at: datetime) -> str:
    """A moment as it is hashed and compared: UTC, to the microsecond, always of the same length."""
    if at.tzinfo is None:
        raise LogError(f"a time without a zone: {at.isoformat()}; use datetime.now(UTC)")
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def searchable(text: str) -> str:
    """Text that every back end can hold in a column: no NUL, no half of a surrogate pair."""
    return text.replace("\0", "␀").encode(errors="replace").decode()
