"""Many recorded runs in, one report a line out; can be stopped and started again at any point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from affidavit.audit.fleet import Outcome, in_processes
from affidavit.audit.item import Fault, Item
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


def audit(
    items: Iterable[Item | TraceError],
    store: Store,
    work: Work,
    *,
    jobs: int | None = 0,
    timeout: float | None = None,
    on_fault: Callable[[AffidavitError], None] = lambda error: None,
) -> Summary:
    """Judge each record that ``store`` has no report of yet, and keep what comes of it.

    ``jobs`` is the number of processes: 0 judges in this one, None takes all cores. A record that
    cannot be read or checked is handed to ``on_fault`` and left out; the rest goes on. One that ended
    its process, or took more than ``timeout`` seconds, is set aside: it is told, and not tried again.
    """
    summary = Summary()

    def fault(error: AffidavitError) -> None:
        summary.faults += 1
        on_fault(error)

    def new() -> Iterator[Item]:
        for item in items:
            if isinstance(item, TraceError):
                fault(item)
            elif store.seen(item):
                summary.resumed += 1
            elif (before := store.aside(item)) is not None:
                fault(item.fault(f"set aside before: {before.message}"))
            else:
                yield item

    for item, outcome in _outcomes(new(), work, jobs, timeout):
        if isinstance(outcome, Fault):
            if outcome.poisoned:
                store.set_aside(item, outcome)
            error = item.fault(outcome.message)
            fault(
                TraceError(outcome.message, field=outcome.field, file=error.file, line=error.line)
            )
        else:
            store.add(item, outcome)
    gone = store.superseded()
    store.drop(gone)
    summary.replaced = len(gone)
    for row in store.rows():
        summary.actions[row.action] += 1
        summary.claims.update(row.statuses)
    return summary


def _outcomes(
    items: Iterator[Item], work: Work, jobs: int | None, timeout: float | None
) -> Iterator[Outcome]:
    if jobs == 0:
        check = work.check()
        yield from ((item, judge(item, work, check)) for item in items)
    else:
        yield from in_processes(items, work, jobs=jobs, timeout=timeout)
