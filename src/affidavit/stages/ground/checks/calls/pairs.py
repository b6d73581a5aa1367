"""What was changed into what: "seat 12A → 14C", held against a call that was given the two lists side by side.

Both seats were passed, so each value is in the evidence; only the places in the lists say which became which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from affidavit.ledger.ledger import CallEntry
from affidavit.ledger.values import fold
from affidavit.stages.ground.checks.calls.deeds import writes
from affidavit.stages.ground.checks.calls.outcomes import span_of
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "pairs"

_INTO = re.compile(r"\s*(?:\([^()]*\)\s*)?(?:→|->|–>|=>|⇒|➝|➔)\s*(?:[A-Za-z_ ]{0,16})?", re.I)


def check_pairs(claim: Claim, context: GroundContext) -> Finding:
    """Look for the call that turned the one into the other, or something else into it."""
    told = [
        (fold(a.text), fold(b.text))
        for a, b in pairwise(v for v in claim.values if v.kind == "identifier")
        if _INTO.fullmatch(claim.text[a.end : b.start])
    ]
    done = [e for e in context.ledger.calls if writes(e) and e.outcome in ("ok", "empty")]
    known = [(one, other, entry) for entry in done for one, other in _pairs(entry)]
    for one, other in told:
        into = [(was, entry) for was, became, entry in known if became == other]
        if into and all(was != one for was, _ in into):
            was, entry = into[-1]
            detail = f"{entry.call.name} was given {was} for {other}"
            return Finding(
                NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail,
                spans=(span_of(entry),),
            )  # fmt: skip
    held = [entry for pair in told for *known_pair, entry in known if tuple(known_pair) == pair]
    if told and len(held) >= len(told):
        detail = f"{held[-1].call.name} was given just that"
        return Finding(
            NAME, "checked", "supports", 0.92, None, detail, spans=(span_of(held[-1]),),
            settles="values",
        )  # fmt: skip
    return Finding.skip(NAME, "no call turned something into it")


def _pairs(entry: CallEntry) -> Iterator[tuple[str, str]]:
    """What stands in the same places of the two lists that a call was given, of one length."""
    given = entry.call.arguments
    lists = [
        [fold(item) for item in value if isinstance(item, str)]
        for value in (given.values() if isinstance(given, dict) else ())
        if isinstance(value, list)
    ]
    if len(lists) == 2 and len(lists[0]) == len(lists[1]):
        yield from zip(*lists, strict=True)
