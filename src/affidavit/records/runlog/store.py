"""What a back end of the run log does: keep records in order, and find them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from affidavit.records.runlog.record import Anchor, Entry, Kind, Record, stamp


@dataclass(frozen=True, slots=True)
class Query:
    """Which records to find; what is None does not restrict. All conditions must hold.

    ``since`` is inclusive, ``until`` exclusive; ``after`` and ``before`` are sequence numbers, both
    exclusive, for going on from an earlier search. ``limit`` is the most that is returned.
    """

    run_id: str | None = None
    kind: Kind | None = None
    action: str | None = None
    reason: str | None = None
    tool: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    after: int | None = None
    before: int | None = None
    newest_first: bool = False
    limit: int | None = None

    def matches(self, entry: Entry) -> bool:
        facets = entry.facets
        return (
            self.run_id in (None, entry.run_id)
            and self.kind in (None, entry.kind)
            and self.action in (None, facets.action)
            and (self.reason is None or self.reason in facets.reasons)
            and (self.tool is None or self.tool in facets.tools)
            and (self.since is None or entry.time >= stamp(self.since))
            and (self.until is None or entry.time < stamp(self.until))
            and (self.after is None or entry.seq > self.after)
            and (self.before is None or entry.seq < self.before)
        )


class Store(Protocol):
    """A back end. Safe to share by threads; several processes may have the same one open."""

    def append(self, follow: Callable[[Anchor | None], Record], *, dropping: int = 0) -> Record:
        """Keep the record that ``follow`` makes after the last one, and return it when it is durable.

        Nothing else is appended in between. ``dropping`` removes the records up to that number in
        the same step.
        """
        ...

    def last(self) -> Anchor | None:
        """The last record's place, None where there is none."""
        ...

    def get(self, seq: int) -> Record | None: ...

    def search(self, query: Query) -> Iterator[Entry]: ...

    def records(self, after: int = 0) -> Iterator[Record]:
        """All records whose number is above ``after``, in the order in which they are kept."""
        ...

    def close(self) -> None: ...
