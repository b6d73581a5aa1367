"""Verifying a run log: whether every record is what was written, where it was written.

A chain of hashes finds what was done to records in it. It cannot find that its last records were cut
off, or that somebody who can write the log wrote all of it anew: that takes an anchor kept elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from affidavit.records.runlog.facets import facets_of
from affidavit.records.runlog.record import Anchor, Record, hash_of
from affidavit.records.runlog.review import ReviewKey

FaultKind = Literal[
    "changed", "removed", "reordered", "inserted", "unlinked", "truncated", "index", "signature"
]
"""``changed``: it does not have the content it was hashed with; ``unlinked``: it was not hashed after
the record that stands before it; ``truncated``: an anchor witnesses what is not there; ``index``:
it would be found by what it does not say."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and at which record."""

    kind: FaultKind
    seq: int
    message: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What verifying came to. ``head`` is the last record; ``pruned`` how many were removed on record."""

    records: int
    head: Anchor | None
    pruned: int
    faults: tuple[Fault, ...]

    @property
    def ok(self) -> bool:
        return not self.faults


def verify(
    records: Iterable[Record], anchors: Iterable[Anchor] = (), keys: Sequence[ReviewKey] = ()
) -> Verification:
    """Hold the records, in the order in which they are kept, against their hashes and anchors.

    With ``keys``, every review must be signed by one of them.
    """
    walk = _Walk({anchor.seq: anchor for anchor in anchors}, tuple(keys))
    for record in records:
        walk.take(record)
    return walk.verification()


@dataclass
class _Walk:
    anchors: dict[int, Anchor]
    keys: tuple[ReviewKey, ...] = ()
    first: Record | None = None
    last: Anchor | None = None
    highest: int = 0
    count: int = 0
    witnessed: set[int] = field(default_factory=set)
    gaps: list[range] = field(default_factory=list)
    late: set[int] = field(default_factory=set)
    prunes: set[Anchor] = field(default_factory=set)
    faults: list[Fault] = field(default_factory=list)

    def take(self, record: Record) -> None:
        self.count += 1
        self.faults += _of_content(record)
        if self.first is None:
            self.first = record
            self.highest = record.seq - 1
        self._place(record)
        self._witness(record)
        if record.kind == "prune":
            self._note_prune(record)
        elif record.kind == "overrule" and self.keys:
            self._check_signature(record)
        if record.seq > self.highest:
            self.last, self.highest = Anchor(record.seq, record.hash), record.seq

    def _place(self, record: Record) -> None:
        """Whether the record follows the one before it."""
        seq = record.seq
        if seq > self.highest + 1:
            self.gaps.append(range(self.highest + 1, seq))
        elif seq <= self.highest:
            missed = any(seq in gap for gap in self.gaps) and seq not in self.late
            self.late.add(seq)
            self._fault(
                "reordered" if missed else "inserted",
                seq,
                "stands after a later record" if missed else "stands where none was written",
            )
        elif self.last and not self._linked(record, self.last):
            self._fault("unlinked", seq, f"was not written after record {self.last.seq} as it is")

    @staticmethod
    def _linked(record: Record, last: Anchor) -> bool:
        # What could not be read has no hash; that it could not is a fault already.
        return record.previous == last.hash or not record.hash or not last.hash

    def _witness(self, record: Record) -> None:
        anchor = self.anchors.get(record.seq)
        if anchor is None:
            return
        self.witnessed.add(record.seq)
        if anchor.hash != record.hash:
            self._fault("changed", record.seq, "is not the record that the anchor witnesses")

    def _note_prune(self, record: Record) -> None:
        try:
            data = record.data
            self.prunes.add(Anchor(data["through"], data["head"]))
        except (ValueError, KeyError, TypeError):
            self._fault("changed", record.seq, "does not say what was removed")

    def _check_signature(self, record: Record) -> None:
        try:
            signed = any(key.signed(record.review()) for key in self.keys)
        except ValueError:
            signed = False
        if not signed:
            self._fault("signature", record.seq, "is not signed by a known key")

    def _fault(self, kind: FaultKind, seq: int, message: str) -> None:
        self.faults.append(Fault(kind, seq, message))

    def verification(self) -> Verification:
        pruned = self._beginning()
        for gap in self.gaps:
            for missing in _without(gap, self.late):
                self._fault("removed", missing[0], _told(missing))
        for seq, anchor in sorted(self.anchors.items()):
            if seq not in self.witnessed:
                self._missing_anchor(anchor, pruned)
        faults = tuple(sorted(self.faults, key=lambda fault: fault.seq))
        return Verification(self.count, self.last, pruned, faults)

    def _beginning(self) -> int:
        """How many records a prune record says were removed before the first that is there."""
        if self.first is None or (self.first.seq == 1 and not self.first.previous):
            return 0
        before = Anchor(self.first.seq - 1, self.first.previous)
        if before not in self.prunes:
            what = _told(range(1, self.first.seq)) if self.first.seq > 1 else "follows something"
            self._fault("removed", 1, what)
            return 0
        return before.seq

    def _missing_anchor(self, anchor: Anchor, pruned: int) -> None:
        if anchor.seq > self.highest:
            self._fault("truncated", anchor.seq, "was there when the anchor was taken")
        elif anchor.seq <= pruned:
            through = [known for known in self.prunes if known.seq == anchor.seq]
            if through and anchor not in through:
                self._fault(
                    "changed", anchor.seq, "is not what the anchor witnesses; it was pruned"
                )


def _of_content(record: Record) -> Iterator[Fault]:
    r = record
    if hash_of(r.seq, r.time, r.kind, r.run_id, r.body, r.previous) != r.hash:
        yield Fault("changed", r.seq, "does not have the content it was written with")
        return
    try:
        found_by = facets_of(r.kind, r.data)
    except (ValueError, KeyError, TypeError) as error:
        yield Fault("changed", r.seq, f"cannot be read: {type(error).__name__}: {error}")
        return
    if found_by != r.facets:
        yield Fault("index", r.seq, "is found by a search for what it does not say")


def _without(gap: range, found: Iterable[int]) -> Iterator[range]:
    """What is left of a gap without what was found elsewhere; a gap may be of any size."""
    start = gap.start
    for number in sorted(number for number in found if number in gap):
        if start < number:
            yield range(start, number)
        start = number + 1
    if start < gap.stop:
        yield range(start, gap.stop)


def _told(missing: range) -> str:
    if len(missing) == 1:
        return "is missing"
    return f"to {missing[-1]} are missing: {len(missing)} records"
