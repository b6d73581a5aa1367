"""``affidavit log``: reading, verifying and keeping a run log."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from affidavit.cli.marks import ACTION, CALL, CLAIM, marked, printable
from affidavit.cli.render import render_call, render_report
from affidavit.cli.terminal import console, working
from affidavit.errors import LogError
from affidavit.records.runlog import (
    Anchor,
    Entry,
    Query,
    Record,
    ReviewKey,
    RunLog,
    labels,
    open_log,
    reviewed_cases,
)
from affidavit.records.runlog.lines import to_line

_LOOKS = CLAIM | CALL | ACTION


def run(arguments: argparse.Namespace) -> int:
    with open_log(arguments.log, create=False) as log:
        return _COMMANDS[arguments.log_command](log, arguments)


def _list(log: RunLog, arguments: argparse.Namespace) -> int:
    query = replace(_query(arguments), newest_first=True, limit=arguments.limit)
    if arguments.json:
        for entry in log.search(query):
            print(json.dumps(asdict(entry), ensure_ascii=False))
        return 0
    table = Table(box=None, pad_edge=False)
    for name in ("record", "time", "kind", "run", "action", "reasons", "tools"):
        table.add_column(name, no_wrap=True, justify="right" if name == "record" else "left")
    for entry in log.search(query):
        table.add_row(*_row(entry))
    console().print(table)
    return 0


def _row(entry: Entry) -> Iterator[Text]:
    facets = entry.facets
    yield Text(str(entry.seq))
    yield Text(entry.time[:19].replace("T", " "))
    yield Text(printable(entry.kind))
    yield Text(printable(entry.run_id))
    action = facets.action or ""
    yield marked(_LOOKS[action], action) if action in _LOOKS else Text(printable(action))
    yield Text(printable(" ".join(facets.reasons)))
    yield Text(printable(" ".join(facets.tools)))


def _show(log: RunLog, arguments: argparse.Namespace) -> int:
    name = arguments.record
    record = log.get(int(name)) if name.isdecimal() else log.latest(name)
    if arguments.json:
        print(to_line(record))
        return 0
    out = console()
    out.print(Text(f"record {record.seq}  {record.time}  {record.kind}  {record.hash}", "dim"))
    _print_body(record, log, out)
    return 0


def _print_body(record: Record, log: RunLog, out: Console) -> None:
    match record.kind:
        case "report":
            render_report(record.report(), out)
            for review in log.reviews(record.seq):
                of = "the answer" if review.claim is None else f"claim {review.claim + 1}"
                said = f"{review.reviewer} says of {of}: {review.verdict}: {review.reason}"
                out.print(Text(printable(said), "bold"))
        case "call":
            render_call(record.validation(), out)
        case _:
            out.print(Text(printable(json.dumps(record.data, indent=2, ensure_ascii=False))))


def _verify(log: RunLog, arguments: argparse.Namespace) -> int:
    anchors = [Anchor.parse(text) for text in (*arguments.anchor, *_lines(arguments.anchors))]
    keys = [] if arguments.key is None else [ReviewKey.load(arguments.key)]
    with working("Verifying"):
        found = log.verify(anchors, keys)
    out = console()
    for fault in found.faults:
        line = marked(("✗", "bold red"), fault.kind)
        out.print(line.append(f"  record {fault.seq} {printable(fault.message)}"))
    summary = f"{found.records} records, {len(found.faults)} faults"
    if found.pruned:
        summary += f"; 1 to {found.pruned} were removed on record"
    out.print(marked(("✓", "bold green"), summary) if found.ok else Text(summary))
    out.print(Text(f"head {found.head}", "dim"))
    return 0 if found.ok else 1


def _anchor(log: RunLog, arguments: argparse.Namespace) -> int:  # noqa: ARG001
    anchor = log.anchor()
    if anchor is None:
        raise LogError("the log is empty: there is nothing to witness")
    print(anchor)
    return 0


def _overrule(log: RunLog, arguments: argparse.Namespace) -> int:
    record = log.overrule(
        arguments.record,
        arguments.verdict,
        claim=None if arguments.claim is None else arguments.claim - 1,
        reviewer=arguments.reviewer,
        reason=arguments.reason,
        key=None if arguments.key is None else ReviewKey.load(arguments.key),
    )
    print(f"record {record.seq}")
    return 0


def _prune(log: RunLog, arguments: argparse.Namespace) -> int:
    print(f"{log.prune(arguments.before)} records removed")
    return 0


def _export(log: RunLog, arguments: argparse.Namespace) -> int:
    query = _query(arguments)
    lines: Iterator[str]
    match arguments.what:
        case "labels":
            lines = (json.dumps(label.model_dump()) for label in labels(log, query))
        case "cases":
            lines = map(json.dumps, reviewed_cases(log, query))
        case "records":
            lines = (to_line(log.get(entry.seq)) for entry in log.search(query))
        case what:
            lines = _parts(log, query, "report" if what == "reports" else "trace")
    for line in lines:
        print(line)
    return 0


def _serve(log: RunLog, arguments: argparse.Namespace) -> int:
    from affidavit.cli.log_serve import serve

    return serve(log, arguments)


def _parts(log: RunLog, query: Query, part: str) -> Iterator[str]:
    for entry in log.search(query):
        if entry.kind == "report" and (kept := log.get(entry.seq).data[part]) is not None:
            yield json.dumps(kept)


def _query(arguments: argparse.Namespace) -> Query:
    names = ("run_id", "kind", "action", "reason", "tool", "since", "until")
    return Query(**{name: getattr(arguments, name) for name in names})


def _lines(path: Path | None) -> list[str]:
    if path is None:
        return []
    try:
        return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise LogError(f"{path}: cannot be read: {error}") from error


_COMMANDS: dict[str, Callable[[RunLog, argparse.Namespace], int]] = {
    "list": _list,
    "search": _list,
    "show": _show,
    "verify": _verify,
    "anchor": _anchor,
    "overrule": _overrule,
    "prune": _prune,
    "export": _export,
    "serve": _serve,
}
