"""A bound that a list is led in with: "Three tents under €200:", and below it one for €249.

Each line is right by itself, and the lead by its figure; only together are they wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.values import Value, parse_values
from affidavit.stages.ground.checks.lists.bounds import ANY_BOUND, is_within
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "led_bounds"

_LEADS = re.compile(r":[\s*_]*$")
_BOUND_OF = re.compile(
    rf"\b(?P<bound>{ANY_BOUND})(?: (?:the|a|an|your|my|our|its|his|her|their)(?: [\w'’-]+){{1,5}})?(?:,| of)?\W{{0,4}}$",
    re.I,
)
"""A bound, and what the limit is of: "at or below your current lease ($410)"."""
_APART = re.compile(
    r"\W*(?:more|less|off|of|cheaper|dearer|extra|discount|savings?|saved?|higher|lower|difference|apart|away|each|per|a|back|over|under|above|below)\b",
    re.I,
)
"""Behind a figure that bounds a difference, a share or a rate: "within $50 of your budget", "up to $20 off"."""
_DENIED = re.compile(r"\b(?:not|none|no|never)\b|n['’]t\b", re.I)
_LINE = re.compile(r"\s*(?:[-*•–]|\d{1,2}[.)])\s+")
_BREAK = re.compile(r"\\n|\n")
"""Ends of lines, also those of a JSON text's own."""


def check_led_bounds(claim: Claim, context: GroundContext) -> Finding:
    """Hold each line below a lead against the bound in it."""
    if claim.is_datum or not _LEADS.search(claim.text) or _DENIED.search(claim.text):
        return Finding.skip(NAME, "leads in no list of what keeps to a bound")
    bounds = [
        (value, found["bound"])
        for value in claim.values
        if value.number is not None
        and value.kind != "duration"
        and not _APART.match(claim.text, value.end)
        and (found := _BOUND_OF.search(claim.text[: value.start]))
    ]
    if len(bounds) != 1:
        return Finding.skip(NAME, "leads in no list of what keeps to a bound")
    limit, bound = bounds[0]
    figures = list(_figures(context.answer[claim.end :], limit))
    if not figures or None in figures or limit.number is None:
        return Finding.skip(NAME, "the lines below do not each tell one such figure")
    for figure in figures:
        if figure is not None and figure.number is not None:
            if not is_within(figure.number, bound, limit.number):
                detail = f"the list below has {figure.text}"
                return Finding(NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail)
    detail = f"each of the {len(figures)} below is {bound} {limit.text}"
    return Finding(NAME, "checked", "supports", 0.9, None, detail, settles="values")


def _figures(below: str, limit: Value) -> Iterator[Value | None]:
    """The one figure of the limit's measure in each line of the list that follows; None where a line has
    none or several."""
    begun = False
    for line in _BREAK.split(below):
        if not line.strip():
            if begun:
                return
            continue
        if not _LINE.match(line):
            return
        begun = True
        alike = [
            v for v in parse_values(line) if (v.kind, v.unit) == (limit.kind, limit.unit) and v.number is not None
        ]  # fmt: skip
        yield alike[0] if len(alike) == 1 else None
