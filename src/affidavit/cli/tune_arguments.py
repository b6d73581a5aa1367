"""The arguments of ``affidavit tune`` and ``affidavit shadow``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TypeAlias

from affidavit.cli.log_arguments import LOG_ADDRESS, moment

_Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_tune(commands: _Commands) -> argparse.ArgumentParser:
    about = (
        "Learn a policy from your own runs: the rate at which claims hold, and the threshold that stops "
        "no more good answers than you allow. Shows what it catches, how certain that is, and how many "
        "labels are missing."
    )
    command = commands.add_parser(
        "tune",
        help=about,
        description=about,
        epilog="Labels come from --labels, from reviews in the log, or from the records themselves (label: "
        "good or bad); where there are none, all runs are taken to be good. What `affidavit audit` wrote is "
        "not judged again. Exit code: 0 written, 2 too few labels or bad input.",
    )
    command.add_argument(
        "runs",
        metavar="RUNS",
        nargs="*",
        type=Path,
        help="recorded runs, or what audit wrote of them",
    )
    source = command.add_mutually_exclusive_group()
    source.add_argument(
        "--labels",
        metavar="FILE",
        type=Path,
        help='JSON Lines: {"run_id": …, "label": "good" or "bad"}, with "claim" or "text" for one claim',
    )
    source.add_argument("--log", metavar="LOG", help=f"reviews in a run log: {LOG_ADDRESS}")
    command.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        help="the policy, .toml or .json; without it nothing is written",
    )
    command.add_argument(
        "--max-false-stops",
        metavar="SHARE",
        type=float,
        default=0.05,
        help="of good answers, the most that may be stopped (default %(default)g)",
    )
    command.add_argument(
        "--prior",
        metavar="SHARE",
        type=float,
        help="the share of claims that hold in your runs, where the labelled ones are no sample of them",
    )
    command.add_argument(
        "--scores-only",
        action="store_true",
        help="leave out answers that something else than a score holds back, such as a rejected call",
    )
    command.add_argument(
        "--held-out",
        metavar="RUNS",
        nargs="+",
        type=Path,
        default=[],
        help="other labelled runs, to judge what was learnt on: says whether the promise holds there",
    )
    command.add_argument(
        "--policy",
        metavar="FILE",
        type=Path,
        help="the policy to start from (default: the reports' own)",
    )
    command.add_argument("--html", metavar="FILE", type=Path, help="write the curve as a page")
    command.add_argument("--json", action="store_true", help="print the figures as JSON")
    return command


def add_shadow(commands: _Commands) -> argparse.ArgumentParser:
    about = (
        "Go through what ran in shadow mode and would have been stopped, claim by claim: one key says "
        "whether the claim is right or wrong. `affidavit tune --log` learns from it."
    )
    command = commands.add_parser(
        "shadow",
        help=about,
        description=about,
        epilog="Keys: r right, w wrong, s skip, q end. Every key is kept in the log at once. "
        "Exit code: 0 done, 2 bad input.",
    )
    command.add_argument("log", metavar="LOG", help=LOG_ADDRESS)
    command.add_argument("--list", action="store_true", help="only show them, ask nothing")
    command.add_argument(
        "--json", action="store_true", help="print them as JSON Lines, ask nothing"
    )
    command.add_argument(
        "--passed",
        action="store_true",
        help="go through answers that would have gone out instead, whole: what was missed is among them",
    )
    command.add_argument("--since", type=moment, metavar="WHEN", help="a date, or an age as in 7d")
    command.add_argument("--limit", metavar="N", type=int, help="end after so many")
    command.add_argument(
        "--reviewer", metavar="WHO", help="who says so (default: the user of this machine)"
    )
    command.add_argument(
        "--reason",
        metavar="WHY",
        default="said in shadow review",
        help="what the reviews give as their reason (default: %(default)s)",
    )
    command.add_argument(
        "--key",
        type=Path,
        metavar="FILE",
        help="sign with this key: an Ed25519 PEM file, or a shared secret",
    )
    return command
