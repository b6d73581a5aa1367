"""Equations that a claim writes out: "$212.79 − $201.95 = $10.84", "$42.64 ($195.11 − $152.47)"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from affidavit.ledger.values import Value
from affidavit.stages.ground.claim import Claim

_EQUALS = re.compile(r"[^=\d]{0,40}=\s*[^\w]*$")
_LABELLED = re.compile(r"\s*\(\s*[\w ]{0,24}?[€$£¥]?\s*$")
"""From a value to the first operand behind it: " (new lamp "."""


@dataclass(frozen=True, slots=True)
class Equation:
    """``operands`` joined by the claim's own signs, left to right, come to ``result``; the claim says
    that they come to ``value``."""

    value: Value
    operands: tuple[Value, ...]
    result: Decimal
    text: str


def equations(claim: Claim) -> Iterator[Equation]:
    """The equations of a claim, right or wrong."""
    numbers = [v for v in claim.values if v.number is not None]
    for value in numbers:
        before = [v for v in numbers if v.end <= value.start]
        after = [v for v in numbers if v.start >= value.end]
        if before and _EQUALS.match(claim.text[before[-1].end : value.start]):
            run = _run(claim.text, before[::-1])[::-1]
        elif after and _LABELLED.match(claim.text[value.end : after[0].start]):
            run = _run(claim.text, after)
        else:
            continue
        if len(run) > 1 and len({(v.kind, v.unit) for v in (*run, value)}) == 1:
            yield _solved(claim.text, value, run)


def _run(text: str, values: Sequence[Value]) -> list[Value]:
    """The values from the first on that signs join, with a few words between: "$5 – original $4"."""
    run = [values[0]]
    for value in values[1:]:
        left, right = sorted((run[-1], value), key=lambda v: v.start)
        if _sign(text, left, right) is None:
            break
        run.append(value)
    return run


def _sign(text: str, left: Value, right: Value) -> str | None:
    """The sign between two values, None where something else stands there."""
    between = re.sub(r"\([^()]{0,60}\)", " ", text[left.end : right.start])
    if not between.strip() and right.text[:1] in "+−–-" and between != "":
        return "+"  # "- $48.15" has been read as an amount below zero
    found = re.fullmatch(r"\s*([+−–×x*-])\s*(?:[A-Za-z]+ ){0,3}[€$£¥]?\s*", between)
    return found[1] if found else None


def _solved(text: str, value: Value, run: Sequence[Value]) -> Equation:
    total, written = run[0].number or Decimal(0), run[0].text
    for left, right in pairwise(run):
        sign = _sign(text, left, right) or "+"
        amount = right.number or Decimal(0)
        match sign:
            case "+":
                total += amount
            case "×" | "x" | "*":
                total *= amount
            case _:
                total -= amount
        written += f" {sign} {right.text}"
    return Equation(value, tuple(run), total, written)
