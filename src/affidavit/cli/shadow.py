"""``affidavit shadow``: what would have been stopped, claim by claim, with a key for right or wrong."""

from __future__ import annotations

import argparse
import getpass
import json
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from rich.console import Console
from rich.text import Text

from affidavit._excerpt import excerpt
from affidavit.cli.keys import read_key
from affidavit.cli.marks import ACTION, CLAIM, marked, printable
from affidavit.cli.terminal import console
from affidavit.records.runlog import ReviewKey, RunLog, open_log
from affidavit.records.runlog.shadow import Question, Shadowed, questions, shadowed

_KEYS = {"r": True, "w": False}
_ASK = "[r]ight  [w]rong  [s]kip  [q]uit: "
_LONGEST = 400


def run(arguments: argparse.Namespace) -> int:
    with open_log(arguments.log, create=False) as log:
        found = shadowed(log, arguments.since)
        asked = islice(questions(log, found, passed=arguments.passed), arguments.limit)
        if arguments.json:
            for question in asked:
                print(json.dumps(_row(question), ensure_ascii=False))
            return 0
        screen = console()
        _head(found, screen)
        if arguments.list:
            for question in asked:
                _show(question, screen)
        else:
            _ask_all(log, asked, arguments, screen)
    return 0


def _ask_all(
    log: RunLog, asked: Iterator[Question], arguments: argparse.Namespace, screen: Console
) -> None:
    key = None if arguments.key is None else ReviewKey.load(arguments.key)
    reviewer = arguments.reviewer or getpass.getuser()
    said: Counter[bool] = Counter()
    for question in asked:
        _show(question, screen)
        pressed = _answer(screen)
        if pressed == "q":
            break
        if pressed == "s":
            continue
        right = _KEYS[pressed]
        log.overrule(
            question.record.seq, question.as_verdict(right), claim=question.claim,
            reviewer=reviewer, reason=arguments.reason, key=key,
        )  # fmt: skip
        said[right] += 1
    screen.print()
    screen.print(f"{said.total()} reviews kept: {said[True]} right, {said[False]} wrong")
    if said.total():
        screen.print(f"learn from them: affidavit tune --log {arguments.log} --out policy.toml")


def _answer(screen: Console) -> str:
    """The next key that means something; the end of the input means to end."""
    screen.print(_ASK, end="", style="bold")
    while True:
        pressed = read_key(sys.stdin).lower()
        if pressed in ("", "q", "\x1b", "\x03", "\x04"):
            pressed = "q"
        if pressed in (*_KEYS, "s", "q"):
            screen.print({"r": "right", "w": "wrong", "s": "skipped", "q": "end"}[pressed])
            return pressed


def _head(found: Shadowed, screen: Console) -> None:
    share = f" ({len(found.stopped) / found.runs:.1%})" if found.runs else ""
    ran = "answers in shadow mode" if found.marked else "answers in the log"
    screen.print(
        f"{found.runs} {ran}: {len(found.stopped)} would have been stopped or sent back{share}"
    )
    if not found.marked and found.runs:
        screen.print("no run is marked as in shadow mode, so all are taken", style="dim")


def _show(question: Question, screen: Console) -> None:
    report, claim = question.report, question.verdict
    screen.print()
    line = marked(ACTION[report.action], report.action)
    screen.print(line.append(f"  {printable(report.run_id)}, record {question.record.seq}", "dim"))
    trace = question.record.trace()
    if trace is not None and trace.question:
        screen.print(Text(f"asked: {_flat(trace.question)}", "dim"))
    if claim is None:
        screen.print(Text(printable(report.answer), "bold"))
        for reason in report.reasons:
            screen.print(Text(f"  {_flat(reason)}"))
        return
    score = "" if claim.score is None else f" {claim.score:.2f}"
    screen.print(Text(_flat(claim.text), "bold"))
    told = marked(CLAIM[claim.status], f"{claim.status}{score}")
    screen.print(told.append(f"  {_flat(claim.explanation)}", "not bold"))
    for span in claim.evidence_spans[:3]:
        place = " ".join(part for part in (span.tool or span.source, span.pointer) if part)
        screen.print(Text(f"  {printable(place)}: {_flat(span.text)}", "dim"))


def _row(question: Question) -> dict[str, object]:
    """A question as a row that can be labelled elsewhere, for ``tune --labels``."""
    report, claim = question.report, question.verdict
    row: dict[str, object] = {"run_id": report.run_id, "action": report.action, "label": None}
    if claim is None or question.claim is None:
        return row | {"answer": report.answer, "reasons": list(report.reasons)}
    return row | {
        "claim": question.claim + 1, "text": claim.text, "status": claim.status, "score": claim.score,
        "explanation": claim.explanation, "evidence": [span.text for span in claim.evidence_spans],
    }  # fmt: skip


def _flat(text: str) -> str:
    return printable(excerpt(text, _LONGEST))
