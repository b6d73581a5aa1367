"""``affidavit audit``: recorded runs in bulk."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

from affidavit.audit.batch import Summary, audit
from affidavit.audit.fleet import cores
from affidavit.audit.mirror import Mirror, mirrored
from affidavit.audit.ray.cluster import check_installed, connected
from affidavit.audit.remote import Remote
from affidavit.audit.sources import Moved, Source, files_of, items, size_of
from affidavit.audit.store import Store
from affidavit.audit.summary import AuditSummary, summarize
from affidavit.audit.work import Work
from affidavit.cli.check import EXIT
from affidavit.cli.ci import ReportsOf, write_for_ci
from affidavit.cli.marks import ACTION, CLAIM, marked
from affidavit.cli.terminal import console, error_console, policy_of
from affidavit.cli.tools import read_tools
from affidavit.errors import AffidavitError, TraceError
from affidavit.records.page.words import REASON

_SHOWN = 5
"""Of the worst claims, as many as a screen has room for."""


def run(arguments: argparse.Namespace) -> int:
    _check_distribution(arguments)
    target: Path | Remote = arguments.out
    if isinstance(target, Path):
        return _run(arguments, target)
    with mirrored(target) as mirror:
        return _run(arguments, mirror.out, mirror)


def _run(arguments: argparse.Namespace, out: Path, mirror: Mirror | None = None) -> int:
    work = _work(arguments)
    files = files_of(arguments.inputs)
    folder = is_folder(out)
    if arguments.parquet and not folder:
        raise AffidavitError("--parquet writes tables into a folder: give --out one")
    for file in arguments.summary or ():  # told now, and not after a night's work
        check_summary(file)
    try:
        store = Store(out, work, folder=folder)
    except OSError as error:
        raise AffidavitError(f"{out}: cannot be written: {error.strerror}") from error
    try:
        if arguments.retry:
            store.forget_aside()
        with _progress(files) as moved, _faults(out if folder else None) as told:

            def kept() -> None:
                if mirror is not None:
                    mirror.keep(store)

            summary = _audited(arguments, files, store, work, told, moved, kept)
        figures = summarize(store.rows())
        if folder:
            write_folder(store, figures, parquet=arguments.parquet)
        for file in arguments.summary or ():
            write_summary(figures, file, out.name)
        write_for_ci(arguments, ReportsOf(store))
    finally:
        store.close()
    _print(summary, figures, arguments.out, folder=folder)
    if summary.faults:
        return 1
    return _worst(summary, arguments.fail_on)


def _audited(
    arguments: argparse.Namespace,
    files: list[Source],
    store: Store,
    work: Work,
    told: Callable[[AffidavitError], None],
    moved: Moved,
    kept: Callable[[], None],
) -> Summary:
    timeout = arguments.timeout or None
    if arguments.ray is None:
        jobs = cores() if arguments.jobs is None else arguments.jobs
        return audit(
            items(files, moved), store, work, jobs=jobs, timeout=timeout, on_fault=told, kept=kept
        )
    from affidavit.audit.ray.audit import audit_on

    with connected(arguments.ray or None) as capacity:
        return audit_on(
            capacity, files, store, work,
            actors=arguments.jobs, timeout=timeout, gpu=arguments.gpu, on_fault=told, moved=moved,
            kept=kept,
        )  # fmt: skip


def _check_distribution(arguments: argparse.Namespace) -> None:
    """Refuse arguments that do not go together, before anything is written."""
    if arguments.ray is None:
        if arguments.gpu:
            raise AffidavitError("--gpu is for the workers of a Ray cluster: give --ray too")
        return
    check_installed()
    if arguments.ray and Path(arguments.ray).exists():
        raise AffidavitError(
            f"--ray takes an address, and {arguments.ray} is a file: name the inputs first, or write "
            "--ray=ADDRESS"
        )
    if arguments.jobs == 0:
        raise AffidavitError("--jobs 0 judges in this process; with --ray it is a number of actors")
    if arguments.log and not arguments.log.startswith(("postgresql://", "postgres://")):
        raise AffidavitError(
            f"--log {arguments.log}: workers on other machines cannot write there; with --ray a run log is a "
            "PostgreSQL database, or is left out"
        )


def _worst(summary: Summary, fail_on: str | None) -> int:
    """The exit code of the worst action, where the arguments ask for one."""
    if fail_on and summary.actions["block"]:
        return EXIT["block"]
    return EXIT["revise"] if fail_on == "revise" and summary.actions["revise"] else 0


def is_folder(out: Path) -> bool:
    """Whether ``--out`` means a folder: one that is there, or a name that is no file's."""
    return out.is_dir() or (not out.exists() and not out.suffix)


def _work(arguments: argparse.Namespace) -> Work:
    return Work(
        policy=policy_of(arguments.policy, arguments.judge),
        tools=None if arguments.tools is None else read_tools(arguments.tools),
        system=None if arguments.system is None else _read_text(arguments.system),
        every_turn=arguments.every_turn,
        log=arguments.log,
    )


def write_folder(store: Store, figures: AuditSummary, *, parquet: bool) -> None:
    """What stands in an audit's folder beside its reports and claims."""
    for name in ("summary.json", "summary.html"):
        write_summary(figures, store.out / name, store.out.name)
    if parquet:
        from affidavit.audit.tables import write_claims, write_reports

        write_reports(store.reports, store.out / "reports.parquet")
        if store.claims is not None:
            write_claims(store.claims, store.out / "claims.parquet")


def check_summary(file: Path) -> None:
    """Refuse a name that says no kind of summary."""
    _kind(file)


def _kind(file: Path) -> str:
    kind = file.suffix.lower().removeprefix(".")
    if kind not in ("html", "json", "csv"):
        raise AffidavitError(f"{file}: a summary is .html, .json or .csv")
    return kind


def write_summary(figures: AuditSummary, file: Path, name: str) -> None:
    """The figures, as the ending of the file's name says."""
    match _kind(file):
        case "json":
            text = json.dumps(figures.as_json(), indent=2, ensure_ascii=False) + "\n"
        case "csv":
            text = figures.as_csv()
        case _:
            from affidavit.audit.page import summary_page

            text = summary_page(figures, name)
    write_text(file, text)


def write_text(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise AffidavitError(f"{file}: cannot be written: {error.strerror}") from error


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TraceError(f"cannot be read as text: {error}", file=str(path)) from error


@contextmanager
def _faults(folder: Path | None) -> Iterator[Callable[[AffidavitError], None]]:
    """What tells of a record that could not be judged: on the screen, and in the audit's folder."""
    errors = error_console()
    with (folder / "faults.jsonl").open("w", encoding="utf-8") if folder else nullcontext() as kept:

        def told(error: AffidavitError) -> None:
            errors.print(f"affidavit: {error}", style="red")
            if kept is not None and isinstance(error, TraceError):
                row = {"file": error.file, "line": error.line, "field": error.field}
                kept.write(json.dumps(row | {"message": error.message}, ensure_ascii=False) + "\n")

        yield told


@contextmanager
def _progress(files: list[Source]) -> Iterator[Callable[[int], None]]:
    """A bar over the bytes of all inputs on a terminal, nothing elsewhere."""
    screen = error_console()
    if not (screen.is_terminal or screen.is_jupyter):
        yield lambda at: None
        return
    columns = (TextColumn("Auditing"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen) as bar:
        task = bar.add_task("", total=sum(map(size_of, files)))
        yield lambda at: bar.update(task, completed=at)


def _print(summary: Summary, figures: AuditSummary, out: Path | Remote, *, folder: bool) -> None:
    screen = console()
    judged = sum(summary.actions.values())
    resumed = f", {summary.resumed} of them from before" if summary.resumed else ""
    replaced = f", {summary.replaced} in place of older ones" if summary.replaced else ""
    bad = f"; {summary.faults} could not be judged" if summary.faults else ""
    screen.print(f"{judged} reports in {out}{resumed}{replaced}{bad}")
    print_counts(summary, screen)
    _print_worst(figures, screen)
    if folder:
        told = " and faults.jsonl" if summary.faults else ""
        screen.print(f"More: {out}/summary.html{told}")


def _print_worst(figures: AuditSummary, screen: Console) -> None:
    """What counts against answers, the worst of it, and what labels say of that."""
    labelled = (("good", figures.false_stops), ("bad", figures.catches))
    for name, rate in labelled:
        if rate is not None:
            screen.print(f"{name} answers held back: {rate.count:,} of {rate.of:,}")
    if figures.reasons:
        words: dict[str, str] = dict(REASON.items())
        screen.print(Text("reasons", "bold"))
        for code, number in figures.reasons.items():
            screen.print(f"  {words.get(code, code):<46}{number:>7,}")
    if figures.worst:
        screen.print(Text("worst claims", "bold"))
        for worst in figures.worst[:_SHOWN]:
            score = "" if worst.score is None else f"{worst.score:.2f}  "
            screen.print(f"  {score}{worst.run_id}: {' '.join(worst.text.split())}")


def print_counts(summary: Summary, screen: Console) -> None:
    """Answers by action and claims by status."""
    for title, looks, counts in (
        ("answers", ACTION, summary.actions),
        ("claims", CLAIM, summary.claims),
    ):
        screen.print(Text(title, "bold"))
        for name, look in looks.items():
            share = f"{counts[name] / counts.total():7.1%}" if counts else ""
            line = marked(look, f"{name:<13}").append(f"{counts[name]:>7}{share}")
            screen.print(Text("  ").append_text(line))
