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
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
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
    changed: frozenset[int] = frozenset()
    """Of a mixture: the claims that an edit of the answer bears on, told in its true or in its false form."""
    edits: tuple[tuple[int, int, bool], ...] = ()
    """Of a mixture: the places of the answer that an edit bears on, and whether what is said there holds."""
    messages: tuple[Row, ...] = field(default=(), repr=False)
    """Of a mixture: what came before the answer."""

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


def twins(row: Row, rng: random.Random) -> tuple[Labelled, Labelled]:
    """Two mixtures with the same answer: what patches of the results make true in one is false in the other."""
    seed = rng.random()
    return mixed_up(row, random.Random(seed)), mixed_up(row, random.Random(seed), turned=True)


def mixed_up(
    row: Row,
    rng: random.Random,
    *,
    told: float = 0.5,
    shown: float = 0.4,
    turned: bool = False,
) -> Labelled:
    """A mixture of a run: each edit of the answer is made with chance ``told``, and each patch of the results that makes
    an edit true with chance ``shown``, as far as they do not meddle with one another. ``turned`` makes the patches that
    otherwise were not made, and those alone.

    A claim that an edit bears on is true where edit and patch were both made or neither was. All other claims count as
    true.
    """
    answer = str(row["answer"])
    messages: Sequence[Row] = row["messages"]
    agree: dict[int, bool] = {}
    edits: list[tuple[int, int, dict[str, str], int, bool]] = []
    for n in rng.sample(range(len(row["false"])), len(row["false"])):
        false = row["false"][n]
        places = [
            (answer.index(e["old"]), answer.index(e["old"]) + len(e["old"]), e)
            for e in false["edits"]
        ]
        if any(s < end and start < e for start, end, _ in places for s, e, *_ in edits):
            continue
        patch = _patched(messages, false.get("evidence") or ())
        # What no evidence makes true is told in its true form for the most part, or its words would give it away.
        says = rng.random() < (told if patch else 0.25)
        shows = ((rng.random() < shown) != turned) and patch is not None
        if shows and patch is not None:
            messages = patch
        agree[n] = says == shows
        edits += [(start, end, e, n, says) for start, end, e in places]
    text, at = "", 0
    spans: list[tuple[int, int, int]] = []
    for start, end, e, n, says in sorted(edits, key=lambda edit: edit[0]):
        left, right = _differ(e["old"], e["new"])
        text += answer[at:start]
        said = e["new"] if says else e["old"]
        spans.append((len(text) + left, len(text) + max(len(said) - right, left), n))
        text += said
        at = end
    trace, claims = _split(row, messages, text + answer[at:])
    labels: list[bool | None] = []
    changed: set[int] = set()
    for i, claim in enumerate(claims):
        own = [
            n for start, end, n in spans if claim.start <= max(end - 1, start) and start < claim.end
        ]
        labels.append(all(agree[n] for n in own))
        if own:
            changed.add(i)
    return Labelled(
        row["id"], "mixed", "", trace, claims, tuple(labels), frozenset(changed),
        tuple((start, end, agree[n]) for start, end, n in spans), tuple(messages),
    )  # fmt: skip


def over(row: Row, one: Labelled, messages: Sequence[Row]) -> Labelled:
    """The same claims over other messages."""
    said = {"role": "assistant", "content": one.trace.answer}
    run = {"system": row["system"], "tools": row["tools"], "messages": [*messages, said]}
    return replace(one, trace=read_run(run, run_id=row["id"]), messages=tuple(messages))


def results_of(messages: Sequence[Row]) -> dict[str, str]:
    """What each call returned, by the call's id."""
    return {
        block["tool_use_id"]: str(block["content"])
        for message in messages
        if isinstance(message["content"], list)
        for block in message["content"]
        if block.get("type") == "tool_result"
    }


def _patched(messages: Sequence[Row], edits: Sequence[dict[str, str]]) -> list[Row] | None:
    """The messages with their results edited; None where there is no edit, or one that is not to be made."""
    results = results_of(messages)
    for edit in edits:
        if edit["old"] not in results.get(edit["call"], ""):
            return None
        results[edit["call"]] = results[edit["call"]].replace(edit["old"], edit["new"], 1)
    return patched(messages, edits) if edits else None


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
