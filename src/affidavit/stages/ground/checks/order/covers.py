"""Whether an amount covers what is to be had: "€44 won't cover a new tablet", of which the cheapest is €903.95.

The figure told first is held against the one told after it, or against every price in the list of such things.
"""

from __future__ import annotations

import re

from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.derivation import Operand, same_measure, tables
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "covers"

_COVERS = re.compile(
    r"\b(?:(?:won['’]t|will not|does not|doesn['’]t|do not|don['’]t|cannot|can['’]t|would not|wouldn['’]t|will|would|can|does) (?:quite |fully |even |also )*(?:cover|pay for|buy|be enough for)"
    r"|(?:covers|pays for|buys)|(?:is|are|was)(?: not|n['’]t)? (?:quite |even )*(?:enough|sufficient) (?:for|to (?:cover|buy|pay for)))"
    r" (?P<what>[^.;:]+)",
    re.I,
)
_VAGUE = content_stems(
    "new purchase order one other another any whole full item product cost price total replacement"
)
_GOES_ON = re.compile(r"\W*(?:and |but |so )*(?:which|that|this|it)\b", re.I)
_ANY = re.compile(r"(?:an?|any|one|another|all|every|either|even)\b", re.I)
"""One of a sort, so that each of the list may be it."""
_PART = re.compile(r"\b(?:part|some|half|partly|partially|unless|if|only)\b", re.I)


def check_covers(claim: Claim, context: GroundContext) -> Finding:
    """Hold the amount against what it is to cover."""
    said = _COVERS.search(claim.text)
    if claim.is_datum or said is None or _PART.search(claim.text):
        return Finding.skip(NAME, "does not say that an amount covers something")
    amount = _amount(claim, said.start(), context)
    if amount is None or amount.number is None:
        return Finding.skip(NAME, "no one amount is told")
    if any(v.number is not None and v.start >= said.start("what") for v in claim.values):
        return Finding.skip(NAME, "is of a figure of its own")
    if not _ANY.match(said["what"]):
        return Finding.skip(NAME, "is of a thing that is meant, which may be another")
    prices = _prices(content_stems(said["what"]) - _VAGUE, amount, context)
    if not prices:
        return Finding.skip(NAME, "no prices of such things were listed")
    lowest, highest = min(prices, key=lambda o: o.number), max(prices, key=lambda o: o.number)
    denied = is_negated(claim.text)
    if (amount.number < lowest.number) if denied else (amount.number >= highest.number):
        return _finding(True, amount, lowest if denied else highest)
    if (amount.number >= highest.number) if denied else (amount.number < lowest.number):
        return _finding(False, amount, highest if denied else lowest)
    return Finding.skip(NAME, "it covers some of them")


def _finding(holds: bool, amount: Value, price: Operand) -> Finding:
    spans: tuple[EvidenceSpan, ...] = (price.span,)
    detail = f"{amount.text} against {price.span.text}"
    if holds:
        return Finding(NAME, "checked", "supports", 0.9, None, detail, spans=spans)
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=spans
    )


def _amount(claim: Claim, before: int, context: GroundContext) -> Value | None:
    """The amount told last before the verb, in this claim or in the one of its sentence before it."""
    own = [v for v in claim.values if v.number is not None and v.end <= before]
    goes_on = bool(context.before) and (
        context.before[-1].sentence == claim.sentence or _GOES_ON.match(claim.text) is not None
    )
    last = context.before[-1:] if goes_on else ()
    told = own or [v for c in last for v in c.values if v.number is not None]
    money = [v for v in told if v.kind in ("money", "quantity")]
    return money[-1] if money else None


def _prices(what: frozenset[str], amount: Value, context: GroundContext) -> list[Operand]:
    """The one column of such amounts in a list of such things."""
    found = []
    for table in tables(context):
        named = content_stems(table.name).union(*(p.stems for p in table.passages))
        if not what or named_in(what, named) != what:
            continue
        columns = [
            operands
            for column in table.columns.values()
            if column[0].value.kind == amount.kind
            and len(operands := same_measure(column, amount)) == len(table.rows)
        ]
        if len(columns) == 1 and len(table.rows) > 1:
            found.append(columns[0])
    return found[-1] if found else []
