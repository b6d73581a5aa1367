"""Arguments that several commands take."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from affidavit.cli.log_arguments import LOG_ADDRESS

if TYPE_CHECKING:
    from affidavit.audit.remote import Remote


def take_policy(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--policy", metavar="FILE", type=Path, help="the policy, TOML, YAML or JSON: what differs"
    )


def take_tools(command: argparse.ArgumentParser, which: str) -> None:
    command.add_argument(
        "--tools",
        metavar="FILE",
        type=Path,
        help=f"tool declarations {which}: a list as any provider takes it, or an OpenAPI document",
    )


def take_judge(command: argparse.ArgumentParser, more: str = "") -> None:
    command.add_argument(
        "--judge",
        metavar="MODEL",
        help="ask a language model about the claims that are in doubt, in one request an answer: "
        f"anthropic:NAME, openai:NAME, openai:NAME@BASE_URL{more}",
    )


def take_every_turn(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--every-turn",
        action="store_true",
        help="judge the answers given during the conversation too, not only the last",
    )


def take_log(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--log", metavar="LOG", help=f"keep each report, with its run, in a run log: {LOG_ADDRESS}"
    )


def take_files_for_ci(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--junit",
        metavar="FILE",
        type=Path,
        help="write JUnit XML: an answer held back is a failure",
    )
    command.add_argument(
        "--sarif",
        metavar="FILE",
        type=Path,
        help="write SARIF: a result for each claim not borne out",
    )


def count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


def location(text: str) -> Path | Remote:
    from affidavit.audit.remote import location

    return location(text)
