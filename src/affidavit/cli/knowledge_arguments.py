"""The arguments of ``affidavit knowledge`` and its commands."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

DEFAULT = "knowledge.db"
BASE = f"an SQLite file (made where there is none), or postgresql://…; default: {DEFAULT}"

_Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_knowledge(group: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]) -> None:
    commands = group.add_subparsers(required=True, metavar="COMMAND", dest="knowledge_command")
    for add in (_ingest, _search, _show, _floor):
        add(commands).set_defaults(run=run)


def _add(commands: _Commands, name: str, about: str, epilog: str = "") -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=about, description=about, epilog=epilog)
    command.add_argument("base", metavar="BASE", nargs="?", default=DEFAULT, help=BASE)
    command.add_argument(
        "--encoder",
        metavar="ENCODER",
        help="embedded (the default), or sentence-transformers:NAME; the one that filled the base",
    )
    return command


def _ingest(commands: _Commands) -> argparse.ArgumentParser:
    command = _add(
        commands,
        "ingest",
        "Add Markdown, HTML, PDF, JSON, JSON Lines and text files. Of a document that has changed a "
        "new version is kept; the old one stays resolvable and is found by no search.",
        "Exit code: 0 all files were read, 1 some were not, 2 bad input.",
    )
    command.add_argument("path", metavar="FOLDER_OR_FILE", type=Path)
    command.add_argument(
        "--withdraw-missing",
        action="store_true",
        help="make outdated every document of the base that is not in FOLDER_OR_FILE any more",
    )
    return command


def _search(commands: _Commands) -> argparse.ArgumentParser:
    command = _add(commands, "search", "Show the passages most relevant to a question.")
    command.add_argument("query", metavar="QUESTION")
    command.add_argument("--limit", type=int, default=5, help="the most to show (default 5)")
    command.add_argument(
        "--by", choices=("hybrid", "words", "vectors"), default="hybrid", help="default hybrid"
    )
    command.add_argument("--json", action="store_true", help="one JSON object a line")
    return command


def _show(commands: _Commands) -> argparse.ArgumentParser:
    command = _add(
        commands, "show", "Show the passage that a citation names, of whatever version it is."
    )
    command.add_argument("id", metavar="PASSAGE", help="such as fees.md@2#14")
    return command


def _floor(commands: _Commands) -> argparse.ArgumentParser:
    command = _add(
        commands,
        "floor",
        "Measure where relevance begins: ask questions that the documents answer and others that "
        "they do not, and draw the line between the scores.",
    )
    command.add_argument(
        "questions",
        metavar="QUESTIONS.jsonl",
        type=Path,
        help='one a line: {"question": "…", "answerable": true or false}',
    )
    command.add_argument("--svg", metavar="FILE", type=Path, help="draw both distributions")
    command.add_argument("--json", action="store_true", help="print the measurement as JSON")
    return command
