"""The arguments of ``affidavit log`` and its commands."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeAlias

LOG_ADDRESS = "a path, sqlite:///PATH, postgresql://… or jsonl:PATH"
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}

_Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_log(group: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]) -> _Commands:
    """Give the group its commands, all run by ``run``; returns it for more to be added."""
    commands = group.add_subparsers(required=True, metavar="COMMAND", dest="log_command")
    for add in (_list, _show, _verify, _anchor, _overrule, _prune, _export, _serve):
        add(commands).set_defaults(run=run)
    return commands


def _add(commands: _Commands, name: str, about: str, epilog: str = "") -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=about, description=about, epilog=epilog)
    command.add_argument("log", metavar="LOG", help=LOG_ADDRESS)
    return command


def _list(commands: _Commands) -> argparse.ArgumentParser:
    about = "List records, newest first: all, or those that match."
    command = commands.add_parser("list", aliases=["search"], help=about, description=about)
    command.add_argument("log", metavar="LOG", help=LOG_ADDRESS)
    _filters(command)
    command.add_argument("--limit", type=int, default=50, help="the most to list (default 50)")
    command.add_argument("--json", action="store_true", help="one JSON object a line")
    return command


def _show(commands: _Commands) -> argparse.ArgumentParser:
    command = _add(commands, "show", "Show one record whole.")
    command.add_argument("record", metavar="SEQ_OR_RUN", help="a record's number, or a run's id")
    command.add_argument("--json", action="store_true", help="print the record's line")
    return command


def _verify(commands: _Commands) -> argparse.ArgumentParser:
    command = _add(
        commands,
        "verify",
        "Find records that were changed, removed, reordered or inserted; with an anchor, also whether "
        "the log's end was cut off or all of it was written anew.",
        "Exit code: 0 nothing is wrong, 1 something is, 2 bad input.",
    )
    command.add_argument(
        "--anchor", action="append", default=[], metavar="SEQ:HASH", help="kept from log anchor"
    )
    command.add_argument(
        "--anchors", type=Path, metavar="FILE", help="a file of anchors, one a line"
    )
    _key(command, "every review must be signed with this key")
    return command


def _anchor(commands: _Commands) -> argparse.ArgumentParser:
    return _add(
        commands,
        "anchor",
        "Print number and hash of the last record. Kept where the log's writers cannot reach it, it "
        "witnesses every record so far.",
    )


def _overrule(commands: _Commands) -> argparse.ArgumentParser:
    command = _add(commands, "overrule", "Put a person's verdict beside the detector's.")
    command.add_argument("record", metavar="SEQ", type=int, help="the report's record")
    command.add_argument("verdict", help="a claim's status; without --claim, the action")
    command.add_argument("--claim", type=int, metavar="N", help="the claim, counted from 1")
    command.add_argument("--reviewer", required=True, metavar="WHO")
    command.add_argument("--reason", required=True, metavar="WHY")
    _key(command, "sign the review with this key")
    return command


def _prune(commands: _Commands) -> argparse.ArgumentParser:
    command = _add(
        commands, "prune", "Remove the oldest records. A record of that takes their place."
    )
    command.add_argument(
        "--before", type=moment, required=True, metavar="WHEN", help="a date, or an age as in 90d"
    )
    return command


def _export(commands: _Commands) -> argparse.ArgumentParser:
    command = _add(
        commands,
        "export",
        "Write the log to standard output, one JSON object a line. All its records make a log that "
        "can be verified as jsonl:FILE.",
    )
    command.add_argument(
        "--what",
        choices=("records", "reports", "runs", "labels", "cases"),
        default="records",
        help="labels are the reviewed verdicts, as examples to measure or train a detector; cases are "
        "the reviewed runs, for affidavit conformance",
    )
    _filters(command)
    return command


def _serve(commands: _Commands) -> argparse.ArgumentParser:
    command = _add(
        commands,
        "serve",
        "Show the log in a browser on this machine: runs with filters, a timeline, the page of each "
        "run, and verdicts to be reviewed. Whoever can reach the address can read the log.",
    )
    command.add_argument("--port", type=int, default=8377, help="default 8377; 0 for any free one")
    command.add_argument("--host", default="127.0.0.1", help="default 127.0.0.1: this machine only")
    command.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a further name that browsers reach it by, where --host is not this machine only",
    )
    command.add_argument(
        "--reviewer", default="", metavar="WHO", help="the name that forms suggest"
    )
    command.add_argument(
        "--make-key", action="store_true", help="make the key, a shared secret, if it is not there"
    )
    _key(command, "take reviews, and sign them with this key")
    return command


def _filters(command: argparse.ArgumentParser) -> None:
    command.add_argument("--run", dest="run_id", metavar="ID", help="of this run")
    command.add_argument("--kind", choices=("report", "call", "overrule", "prune"))
    command.add_argument(
        "--action", help="emit, revise or block; of calls: accepted, rejected or unchecked"
    )
    command.add_argument("--reason", metavar="CODE", help="with this reason code")
    command.add_argument("--tool", metavar="NAME", help="with this tool")
    command.add_argument("--since", type=moment, metavar="WHEN", help="a date, or an age as in 7d")
    command.add_argument("--until", type=moment, metavar="WHEN", help="a date, or an age as in 7d")


def _key(command: argparse.ArgumentParser, about: str) -> None:
    command.add_argument(
        "--key", type=Path, metavar="FILE", help=f"{about}: an Ed25519 PEM file, or a shared secret"
    )


def moment(text: str) -> datetime:
    """A date or time (UTC unless it says otherwise), or how long ago: ``90d``, ``12h``."""
    if age := re.fullmatch(r"(\d+)([mhdw])", text):
        return datetime.now(UTC) - timedelta(**{_UNITS[age[2]]: int(age[1])})
    try:
        at = datetime.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither a date nor an age as in 90d"
        ) from error
    return at if at.tzinfo else at.replace(tzinfo=UTC)
