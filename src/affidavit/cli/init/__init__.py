"""``affidavit init``: the hook, or the few lines, for the framework that is found in a folder."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from affidavit.cli.init import claude_code, python
from affidavit.cli.init.change import Change
from affidavit.cli.init.found import frameworks_in
from affidavit.cli.init.snippets import SNIPPETS
from affidavit.errors import AffidavitError

CLAUDE_CODE = "claude_code"
FRAMEWORKS = (CLAUDE_CODE, *SNIPPETS)


def run(arguments: argparse.Namespace) -> int:
    folder: Path = arguments.folder
    if not folder.is_dir():
        raise AffidavitError(f"{folder}: no such folder")
    if arguments.framework and arguments.framework not in FRAMEWORKS:
        raise AffidavitError(f"--framework {arguments.framework}: one of {', '.join(FRAMEWORKS)}")
    wanted = [arguments.framework] if arguments.framework else frameworks_in(folder)
    if not wanted:
        print(
            f"{folder}: neither Claude Code's settings nor an agent framework was found. Name one "
            f"with --framework: {', '.join(FRAMEWORKS)}"
        )
        return 1
    for change in _changes(folder, wanted, arguments):
        if not arguments.dry_run:
            change.make()
        print(change.told(dry=arguments.dry_run))
    return 0


def _changes(folder: Path, wanted: list[str], arguments: argparse.Namespace) -> Iterator[Change]:
    if CLAUDE_CODE in wanted:
        yield claude_code.change(folder, port=arguments.http)
    if lines := [name for name in wanted if name != CLAUDE_CODE]:
        yield python.change(folder, lines)
