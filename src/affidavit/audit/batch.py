"""Many recorded runs in, one report a line out; can be stopped and started again at any point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from affidavit.audit.fleet import Outcome, in_processes
from affidavit.audit.item import Fault, Item, Judged
from affidavit.audit.store import Store
from affidavit.audit.work import Work, judge
from affidavit.errors import AffidavitError, TraceError


@dataclass
class Summary:
    """What a batch came to, the part done by earlier runs of it included."""

    actions: Counter[str] = field(default_factory=Counter)
    claims: Counter[str] = field(default_factory=Counter)
    resumed: int = 0
    """Records whose reports were there already."""
    replaced: int = 0
    """Records whose earlier reports were taken out, because the record has changed since."""
    faults: int = 0
    """Records that could not be judged."""


class Batch:
    """The bookkeeping of one pass over the records: which are new, and what came of each."""

    def __init__(self, store: Store, on_fault: Callable[[AffidavitError], None]) -> None:
        self._store, self._on_fault = store, on_fault
        self._summary = Summary()

    def fault(self, error: AffidavitError) -> None:
        """Tell of a record that could not be read or judged."""
        self._summary.faults += 1
        self._on_fault(error)

    def is_new(self, item: Item) -> bool:
        """Whether an item is still to be judged. Told once an item: a report stands for one of several alike."""
        if self._store.seen(item):
            self._summary.resumed += 1
            return False
        if (before := self._store.aside(item)) is not None:
            self.fault(item.fault(f"set aside before: {before.message}"))
            return False
        return True

    def keep(self, item: Item, outcome: Judged | Fault) -> None:
        """Keep what came of an item."""
        if not isinstance(outcome, Fault):
            self._store.add(item, outcome)
            return
        if outcome.poisoned:
            self._store.set_aside(item, outcome)
        error = item.fault(outcome.message)
        self.fault(
            TraceError(outcome.message, field=outcome.field, file=error.file, line=error.line)
        )

    def finish(self) -> Summary:
        """Take out reports of records that have changed since, and count what there is."""
        gone = self._store.superseded()
        self._store.drop(gone)
        self._summary.replaced = len(gone)
        for row in self._store.rows():
            self._summary.actions[row.action] += 1
            self._summary.claims.update(row.statuses)
        return self._summary


def audit(
    items: Iterable[Item | TraceError],
    store: Store,
    work: Work,
    *,
    jobs: int | None = 0,
    timeout: float | None = None,
    on_fault: Callable[[AffidavitError], None] = lambda error: None,
    kept: Callable[[], None] = lambda: None,
) -> Summary:
    """Judge each record that ``store`` has no report of yet, and keep what comes of it.

    ``jobs`` is the number of processes: 0 judges in this one, None takes all cores. A record that
    cannot be read or checked is handed to ``on_fault`` and left out; the rest goes on. One that ended
    its process, or took more than ``timeout`` seconds, is set aside: it is told, and not tried again.
    ``kept`` is called after each that was judged.
    """
    batch = Batch(store, on_fault)

    def new() -> Iterator[Item]:
        for item in items:
            if isinstance(item, TraceError):
                batch.fault(item)
            elif batch.is_new(item):
                yield item

    for item, outcome in _outcomes(new(), work, jobs, timeout):
        batch.keep(item, outcome)
        kept()
    return batch.finish()


def _outcomes(
    items: Iterator[Item], work: Work, jobs: int | None, timeout: float | None
) -> Iterator[Outcome]:
    if jobs == 0:
        with work.checking() as check:
            yield from ((item, judge(item, work, check)) for item in items)
    else:
        yield from in_processes(items, work, jobs=jobs, timeout=timeout)
