"""A whole audit under another policy: its reports replayed into an audit of their own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from affidavit.audit.batch import Summary
from affidavit.audit.item import Judged
from affidavit.audit.replay import Replay, check_replayable, policy_of_report
from affidavit.audit.reports import Recorded, read_reports, row_again
from affidavit.audit.store import Store
from affidavit.audit.work import Work, claim_rows
from affidavit.errors import AffidavitError
from affidavit.policy import Policy

_TOGETHER = 500
"""Reports between two points that an interrupted replay goes on from."""


def replay_audit(source: Path, out: Path, policy: Policy, *, folder: bool) -> tuple[Summary, Store]:
    """Put the reports at ``source`` under ``policy``, into ``out`` as an audit writes it.

    Returns the open store, to summarize from. Nothing is written where the first report already cannot
    be replayed; started again, it goes on where it was interrupted.
    """
    recorded = read_reports(source)
    first = next(recorded, None)
    if first is None:
        raise AffidavitError(f"{source}: holds no reports")
    for report in first.reports:
        check_replayable(policy_of_report(report), policy)
    try:
        store = Store(out, Work(policy=policy), folder=folder)
    except OSError as error:
        raise AffidavitError(f"{out}: cannot be written: {error.strerror}") from error
    try:
        return _replayed(chain([first], recorded), store, policy), store
    except BaseException:
        store.close()
        raise


def _replayed(recorded: Iterable[Recorded], store: Store, policy: Policy) -> Summary:
    summary, replay = Summary(), Replay(policy)
    for number, one in enumerate(recorded, 1):
        if store.seen(one.item):
            summary.resumed += 1
            continue
        store.add(one.item, _judged(one, replay, claims=store.claims is not None), settle=False)
        if number % _TOGETHER == 0:
            store.settle()
    store.settle()
    for row in store.rows():
        summary.actions[row.action] += 1
        summary.claims.update(row.statuses)
    return summary


def _judged(one: Recorded, replay: Replay, *, claims: bool) -> Judged:
    reports = [replay(report) for report in one.reports]
    rows = tuple(row_again(report, row) for report, row in zip(reports, one.rows, strict=True))
    table: Iterator[str] = (
        json.dumps(row, ensure_ascii=False) for report in reports for row in claim_rows(report)
    )
    return Judged(
        rows, tuple(report.model_dump_json() for report in reports), tuple(table) if claims else ()
    )
