"""Labelled runs: a true answer over the results of a run, false edits of it, and results under which these are true.

A row is a run of an agent in the Messages form with its true ``answer``; ``false`` lists edits of it that make one
statement false, each, where there is one, with ``evidence``: edits of the results under which the edited answer is
true and the statement that it replaced is false. So every statement occurs with evidence for it and against it, and a
statement alone says nothing (contrast sets, Gardner et al. 2020; VitaminC, Schuster et al. 2021).
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from affidavit.formats import read_run
from affidavit.ledger.ledger import Ledger
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.split import split_claims
from affidavit.trace import RunTrace

Row = dict[str, Any]
Span = tuple[int, int]


@dataclass(frozen=True)
class Labelled:
    """An answer over one state of a run's evidence, its claims, and which of them are known to be true or false."""

    run: str
    variant: str
    """``true``, ``falseN`` (the N-th edit over the run's results), ``patchedN`` and ``wrongN`` (the edit and the true
    answer over the results that the N-th edit brings)."""
    kind: str
    """What was made false, in the words of whoever wrote it."""
    trace: RunTrace
    claims: tuple[Claim, ...]
    labels: tuple[bool | None, ...]
    """True or false; None for a claim of which nothing is known, or that another variant has as well."""

    @property
    def is_true(self) -> bool:
        return self.variant == "true" or self.variant.startswith("patched")

    def ledger(self) -> Ledger:
        return Ledger.of(self.trace)


def read_rows(files: Iterable[Path]) -> Iterator[Row]:
    """Rows of files of JSON lines, gzip or plain, in order."""
    for file in files:
        opened = gzip.open if file.suffix == ".gz" else open
        with opened(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                if line.strip():
                    yield json.loads(line)


def part_of(row: Row, parts: int = 10) -> int:
    """Which of so many parts a run belongs to, by its subject: no subject is in two of them."""
    subject = " ".join(str(row["domain"]).lower().split()[:1])
    return int.from_bytes(hashlib.sha256(subject.encode()).digest()[:4], "big") % parts


def labelled(row: Row) -> Iterator[Labelled]:
    """Every answer of a row over every evidence that it is labelled for."""
    answer = str(row["answer"])
    true = _split(row, row["messages"], answer)
    yield Labelled(row["id"], "true", "", true[0], true[1], (True,) * len(true[1]))
    for n, false in enumerate(row["false"]):
        edited, changed, was = apply_edits(answer, false["edits"])
        told = _split(row, row["messages"], edited)
        labels = tuple(_touches(claim, changed, answer) or None for claim in told[1])
        wrong = tuple(None if label is None else False for label in labels)
        yield Labelled(row["id"], f"false{n}", false["kind"], told[0], told[1], wrong)
        if not false.get("evidence"):
            continue
        messages = patched(row["messages"], false["evidence"])
        now = _split(row, messages, edited)
        right = tuple(True if label else None for label in labels)
        yield Labelled(row["id"], f"patched{n}", false["kind"], now[0], now[1], right)
        before = _split(row, messages, answer)
        lost = tuple(False if _touches(claim, was, edited) else None for claim in before[1])
        yield Labelled(row["id"], f"wrong{n}", false["kind"], before[0], before[1], lost)


def among(row: Row, other: Row) -> Row:
    """The run with the calls of another one before its own: results that it does not need."""
    more = [
        {**message, "content": [_renamed(block) for block in message["content"]]}
        for message in other["messages"]
        if isinstance(message["content"], list)
    ]
    at = next(n for n, m in enumerate(row["messages"]) if isinstance(m["content"], list))
    messages = [*row["messages"][:at], *more, *row["messages"][at:]]
    return {**row, "messages": messages, "tools": [*row["tools"], *other["tools"]]}


def _renamed(block: Row) -> Row:
    return {k: f"o{v}" if k in ("id", "tool_use_id") else v for k, v in block.items()}


def apply_edits(answer: str, edits: Sequence[dict[str, str]]) -> tuple[str, list[Span], list[Span]]:
    """The edited answer, what is new in it, and what of the answer is gone: the words that differ."""
    places = sorted((answer.index(e["old"]), e["old"], e["new"]) for e in edits)
    text, at = "", 0
    new: list[Span] = []
    old: list[Span] = []
    for start, before, after in places:
        text += answer[at:start]
        left, right = _differ(before, after)
        new.append((len(text) + left, len(text) + len(after) - right))
        old.append((start + left, start + len(before) - right))
        text += after
        at = start + len(before)
    return text + answer[at:], new, old


def _differ(a: str, b: str) -> tuple[int, int]:
    """How many characters two texts share at both ends, in whole words."""
    left = 0
    while left < min(len(a), len(b)) and a[left] == b[left]:
        left += 1
    while left and not a[left - 1].isspace():
        left -= 1
    right = 0
    while right < min(len(a), len(b)) - left and a[-1 - right] == b[-1 - right]:
        right += 1
    while right and not a[len(a) - right].isspace():
        right -= 1
    return left, right


def patched(messages: Sequence[Row], edits: Sequence[dict[str, str]]) -> list[Row]:
    """The messages with their results edited."""
    changed: list[Row] = json.loads(json.dumps(messages))
    for message in changed:
        for block in message["content"] if isinstance(message["content"], list) else ():
            for edit in edits:
                if block.get("tool_use_id") == edit["call"]:
                    block["content"] = block["content"].replace(edit["old"], edit["new"], 1)
    return changed


def _split(row: Row, messages: Sequence[Row], answer: str) -> tuple[RunTrace, tuple[Claim, ...]]:
    said = {"role": "assistant", "content": answer}
    run = {"system": row["system"], "tools": row["tools"], "messages": [*messages, said]}
    trace = read_run(run, run_id=row["id"])
    return trace, tuple(split_claims(answer, question=trace.question))


def _touches(claim: Claim, changed: Sequence[Span], other: str) -> bool:
    """Whether a claim holds what is new, and is not in the other answer as well."""
    within = any(claim.start <= max(end - 1, start) and start < claim.end for start, end in changed)
    return within and claim.text not in other
