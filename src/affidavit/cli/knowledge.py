"""``affidavit knowledge``: filling, searching and measuring a knowledge base."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from datetime import date
from pathlib import Path

from rich.text import Text

from affidavit._sync import run_sync
from affidavit.cli.marks import printable
from affidavit.cli.terminal import console, error_console, working
from affidavit.errors import KnowledgeError
from affidavit.grounding.knowledge.base import KnowledgeBase
from affidavit.grounding.knowledge.floor import FloorMeasurement, measure_floor
from affidavit.grounding.knowledge.freshness import freshness_warnings
from affidavit.grounding.knowledge.picture import floor_picture
from affidavit.grounding.knowledge.questions import read_questions
from affidavit.grounding.knowledge.readers.folder import read_documents
from affidavit.grounding.knowledge.retriever import Source

_FEW = 30
"""Questions of a kind below which a floor is mostly chance."""


def run(arguments: argparse.Namespace) -> int:
    command = _COMMANDS[arguments.knowledge_command]
    if arguments.knowledge_command != "ingest" and "://" not in arguments.base:
        if not Path(arguments.base).exists():
            raise KnowledgeError(f"{arguments.base}: no such knowledge base; ingest makes one")
    with KnowledgeBase(arguments.base, encoder=arguments.encoder) as base:
        return command(base, arguments)


def _ingest(base: KnowledgeBase, arguments: argparse.Namespace) -> int:
    with working("Encoding"):
        done = base.ingest(read_documents(arguments.path))
    errors = error_console()
    for unread in done.unread:
        errors.print(f"affidavit: {unread.place}: not read: {unread.reason}", style="red")
    counts = [
        f"{len(done.added)} added",
        f"{len(done.updated)} updated",
        f"{len(done.unchanged)} unchanged",
    ]
    if arguments.withdraw_missing:
        counts.append(
            _withdraw_missing(base, {*done.added, *done.updated, *done.unchanged}, done.unread)
        )
    if done.unread:
        counts.append(f"{len(done.unread)} not read")
    console().print(f"{', '.join(counts)} in {arguments.base}")
    return 1 if done.unread else 0


def _withdraw_missing(base: KnowledgeBase, present: set[str], unread: tuple[object, ...]) -> str:
    if unread:
        return "none withdrawn, because what was not read may be among the missing"
    missing = [s.document_id for s in base.documents() if s.document_id not in present]
    return f"{base.withdraw(*missing)} withdrawn"


def _search(base: KnowledgeBase, arguments: argparse.Namespace) -> int:
    with working("Searching"):
        hits = base.search_sync(arguments.query, limit=arguments.limit, by=arguments.by)
    screen = console()
    for hit in hits:
        if arguments.json:
            print(json.dumps(asdict(hit), ensure_ascii=False, default=_plain))
            continue
        screen.print(Text(f"{hit.score:.2f}  ", "bold").append(_named(hit.source), "bold"))
        screen.print(Text(f"      {printable(hit.id)}", "dim"))
        _print_passage(hit.text, hit.source)
    if not hits and not arguments.json:
        screen.print("nothing found")
    return 0


def _show(base: KnowledgeBase, arguments: argparse.Namespace) -> int:
    passage = base.resolve(arguments.id)
    console().print(Text(_named(passage.source), "bold"))
    _print_passage(passage.text, passage.source)
    return 0


def _print_passage(text: str, source: Source) -> None:
    screen = console()
    for line in text.splitlines():
        screen.print(Text(f"      {printable(line)}"))
    for warning in freshness_warnings(source):
        screen.print(Text(f"      {warning}", "yellow"))


def _named(source: Source) -> str:
    parts = [
        source.title,
        f"version {source.version}" if source.version else "",
        source.section or "",
        f"page {source.page}" if source.page else "",
        f"dated {source.document_date.isoformat()}" if source.document_date else "",
        source.url or "",
    ]
    return printable(" · ".join(part for part in parts if part))


def _floor(base: KnowledgeBase, arguments: argparse.Namespace) -> int:
    questions = read_questions(arguments.questions)
    with working("Asking"):
        measured = run_sync(
            measure_floor(
                base,
                [q.text for q in questions if q.answerable],
                [q.text for q in questions if not q.answerable],
            )
        )
    if arguments.svg:
        try:
            arguments.svg.write_text(floor_picture(measured), encoding="utf-8")
        except OSError as error:
            raise KnowledgeError(f"{arguments.svg}: cannot be written: {error.strerror}") from error
    if arguments.json:
        print(json.dumps(asdict(measured)))
    else:
        _print_floor(measured)
    return 0


def _print_floor(measured: FloorMeasurement) -> None:
    screen = console()
    screen.print(Text(f"floor {measured.floor:.2f}", "bold"))
    for name, errors in (
        ("at this floor", measured.errors),
        ("on held-out questions", measured.held_out),
        ("at the default 0.55", measured.errors_at(0.55)),
    ):
        screen.print(
            f"  {name:<22} {1 - errors.let_through:7.1%} of unanswerable questions refused, "
            f"{errors.wrongly_refused:.1%} of answerable ones wrongly"
        )
    screen.print(f"  separation (AUROC)     {measured.separation:7.3f}")
    if min(len(measured.answerable), len(measured.unanswerable)) < _FEW:
        screen.print(
            Text("  few questions: a floor from fewer than 30 of a kind is mostly chance", "yellow")
        )


def _plain(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no JSON form")


_COMMANDS = {"ingest": _ingest, "search": _search, "show": _show, "floor": _floor}
