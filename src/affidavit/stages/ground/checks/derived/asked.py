"""What the user gives to reckon with: so many people, so many kilograms, so many nights."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from affidavit.ledger.values import Value, parse_values
from affidavit.stages.ground.finding import GroundContext

_OF_US = re.compile(
    r"\b(?:for|party of|group of|we(?: are|['’]re|['’]ll be| will be)(?: (?:a )?(?:party|group) of)?|there(?: are|['’]ll be| will be)|all)\s+"
    r"(?P<n>\d{1,3}|[a-z]+)(?= (?:of us|people|persons|at|on|in|for|this|next|tonight|tomorrow)\b|[.,?!]|$)"
    r"|\b(?P<us>\d{1,3}|[a-z]+) of us\b",
    re.I,
)
"""How many people the user speaks of: "a table for 4 at…", "the six of us"."""


def people(context: GroundContext) -> Iterator[Decimal]:
    """How many people the user speaks of; of several such numbers, "we'll be 18, two of us vegan", the most."""
    found = [
        said.number
        for match in _OF_US.finditer(context.question if _counts(context) else "")
        for said in parse_values(match["n"] or match["us"])
        if said.kind == "number" and said.number is not None and said.number > 1
    ]
    if found:
        yield max(found)


def asked_values(context: GroundContext) -> list[Value]:
    """The measured values of what the user has said in this run."""

    def read() -> list[Value]:
        if not _counts(context):
            return []
        said = [p.values for p in context.search.passages if p.source.kind == "user"]
        values = [*parse_values(context.question), *(v for values in said for v in values)]
        found = {
            (v.kind, v.unit, v.number): v
            for v in reversed(values)
            if v.number is not None and v.kind != "percent"
        }
        return list(reversed(found.values()))

    return context.search.once(f"given by the user: {context.question}", read)


def _counts(context: GroundContext) -> bool:
    """Whether what the user says is evidence at all."""
    return context.policy.evidence_scope == "run"
