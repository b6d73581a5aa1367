"""What the commands share at the terminal: consoles, the policy option, a sign of life."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TextIO

from rich.console import Console

from affidavit.policy import Policy

# When piped, lines stay whole: a line broken at 80 columns cannot be searched for.
_PIPE_WIDTH = 10_000


def console(file: TextIO | None = None) -> Console:
    """A console on standard output: styled on a terminal, plain and unwrapped in a pipe."""
    file = file or sys.stdout
    width = None if file.isatty() else _PIPE_WIDTH
    return Console(file=file, highlight=False, emoji=False, markup=False, width=width)


def error_console() -> Console:
    return console(sys.stderr)


def policy_of(path: Path | None, judge: str | None = None) -> Policy:
    """The policy in a file, the default without one. Where the command was given a ``judge``, that one is asked even
    if the file says that none is."""
    policy = Policy() if path is None else Policy.load(path)
    if judge is None:
        return policy
    when = "doubtful" if policy.judge.when == "never" else policy.judge.when
    told = policy.judge.model_copy(update={"when": when})
    return policy.model_copy(update={"judge": told}).with_judge(judge)


def working(what: str) -> AbstractContextManager[object]:
    """A spinner while something slow goes on, on a terminal only."""
    screen = error_console()
    return screen.status(f"{what}…") if screen.is_terminal else nullcontext()
