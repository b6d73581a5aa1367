"""What became of one value of a claim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from affidavit.ledger.values import Value
from affidavit.report import EvidenceSpan, ReasonCode

SOFT = frozenset({"name", "quoted"})
"""Kinds of value that are words: found by their words where they are not found whole."""

Outcome: TypeAlias = Literal["found", "unlinked", "open", "missing", "contradicted"]


@dataclass(frozen=True, slots=True)
class ValueVerdict:
    """What became of one value of a claim.

    ``found`` in a place the claim's words lead to; ``unlinked``: found, but nothing in the claim leads
    there; ``open``: so small or so common that the evidence need not spell it out; ``missing``
    everywhere; ``contradicted``: the evidence has another in its place.
    """

    value: Value
    outcome: Outcome
    span: EvidenceSpan | None = None
    reason: ReasonCode | None = None
    detail: str = ""
    derivable: bool = True
    """Whether a derivation may still prove it: not where it was found in the wrong field."""
    named_field: bool = False
    """The value is all that a field holds, and the claim names that field."""
    proves_nothing: bool = False
    """That it is found says nothing of what the claim tells: it only says which row of a list is meant, or some
    rows have it where all are spoken of."""
