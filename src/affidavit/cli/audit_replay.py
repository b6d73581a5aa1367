"""``affidavit audit replay``: an audit's reports under another policy."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from affidavit.audit.replayed import replay_audit
from affidavit.audit.summary import summarize
from affidavit.cli.audit import check_summary, is_folder, print_counts, write_folder, write_summary
from affidavit.cli.terminal import console, working
from affidavit.errors import AffidavitError
from affidavit.policy import Policy


def run(arguments: argparse.Namespace) -> int:
    policy = Policy.load(arguments.policy)
    for file in arguments.summary or ():
        check_summary(file)
    if arguments.out is not None:
        _replay(arguments, policy, arguments.out, folder=is_folder(arguments.out))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        _replay(arguments, policy, Path(folder) / "reports.jsonl", folder=False)
    return 0


def _replay(arguments: argparse.Namespace, policy: Policy, out: Path, *, folder: bool) -> None:
    if out.exists() and out.resolve() == arguments.reports.resolve():
        raise AffidavitError(f"{out}: is what is replayed; name another --out")
    with working("Replaying"):
        summary, store = replay_audit(arguments.reports, out, policy, folder=folder)
    try:
        figures = summarize(store.rows())
        if folder:
            write_folder(store, figures, parquet=False)
        for file in arguments.summary or ():
            write_summary(figures, file, out.name)
    finally:
        store.close()
    where = f" in {out}" if arguments.out is not None else ""
    screen = console()
    resumed = f", {summary.resumed} of them from before" if summary.resumed else ""
    screen.print(f"{summary.actions.total()} reports{where}{resumed}, under {arguments.policy}")
    print_counts(summary, screen)
    if arguments.out is not None:
        screen.print(f"what changed: affidavit audit compare {arguments.reports} {out}")
