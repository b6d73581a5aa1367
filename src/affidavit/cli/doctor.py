"""``affidavit doctor``: the grounding checklist, carried out on the user's own tools and agent."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.text import Text

from affidavit.cli.marks import printable
from affidavit.cli.terminal import console, policy_of, working
from affidavit.detector import Detector
from affidavit.errors import AffidavitError
from affidavit.grounding.doctor import Finding, examine

_LOOKS = {"passed": ("✓", "green"), "failed": ("✗", "red"), "skipped": ("·", "yellow")}
_PARTS = ("tools", "question", "expected", "missing", "ask")


def run(arguments: argparse.Namespace) -> int:
    examinee = load_examinee(arguments.object)
    detector = Detector(policy_of(arguments.policy))
    with working("Examining"):
        try:
            found = examine(examinee, detector)
        except TypeError as error:
            raise AffidavitError(f"{arguments.object}: {error}") from error
    if arguments.json:
        print(json.dumps([asdict(finding) for finding in found], indent=2, ensure_ascii=False))
    else:
        _print(found)
    failed = any(finding.state == "failed" for finding in found)
    skipped = any(finding.state == "skipped" for finding in found)
    return 1 if failed or (arguments.strict and skipped) else 0


def load_examinee(spec: str) -> Any:
    """The object that ``MODULE:OBJECT`` names; a class, or a function without arguments, is called."""
    module, _, name = spec.partition(":")
    if not module or not name:
        raise AffidavitError(f"{spec}: expected MODULE:OBJECT, such as shop.agent:examinee")
    # As with python -m: modules of the folder one is in can be named.
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise AffidavitError(f"{spec}: cannot be loaded: {error}") from error
    if isinstance(found, type) or (callable(found) and _lacking(found)):
        found = _made(found, spec)
    if lacking := _lacking(found):
        raise AffidavitError(
            f"{spec}: lacks {', '.join(lacking)}; see affidavit.grounding.doctor.Examinee"
        )
    if not isinstance(found.tools, Mapping) or not callable(found.ask):
        raise AffidavitError(f"{spec}: tools must be functions by name, and ask a function")
    return found


def _lacking(found: object) -> list[str]:
    return [part for part in _PARTS if not hasattr(found, part)]


def _made(found: Any, spec: str) -> Any:
    """What a class or a function makes when it is called with nothing."""
    try:
        return found()
    except Exception as error:  # a Protocol, or a function that is to be given something
        raise AffidavitError(
            f"{spec}: expected an object with {', '.join(_PARTS)}, or what makes one when called with "
            f"nothing; calling it raised {type(error).__name__}: {error}"
        ) from error


def _print(found: list[Finding]) -> None:
    screen = console()
    for finding in found:
        sign, style = _LOOKS[finding.state]
        line = Text.assemble((f"{sign} ", style), finding.item)
        if finding.state == "skipped":
            line.append("  (not examined)", "yellow")
        screen.print(line)
        if finding.detail:
            screen.print(Text(f"    {printable(finding.detail)}", "dim"))
    counts = {state: sum(f.state == state for f in found) for state in _LOOKS}
    told = f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} not examined"
    screen.print(Text(told, "bold"))
