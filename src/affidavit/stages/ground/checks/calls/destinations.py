"""Destinations: what money goes back to or is taken from, held against what was chosen for it.

"The difference will be charged to your PayPal" follows from no rule. It follows from a call that was told
so, from what the user chose last, or from how the thing was paid where a rule says that money goes back there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.ledger import CallEntry
from affidavit.ledger.records import records_of
from affidavit.ledger.values import fold
from affidavit.ledger.words import is_negated
from affidavit.stages.ground.checks.calls.deeds import writes
from affidavit.stages.ground.checks.calls.outcomes import span_of
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext
from affidavit.stages.ground.payment import ORIGINAL, PAID_WITH, in_words
from affidavit.stages.ground.rules import rule_sentences

NAME = "destinations"

_MOVES = re.compile(
    r"\b(?:refund(?:s|ed)?|(?:price )?difference|charged?|credit(?:ed)? (?:to|back)|amount|payment)\b"
    r"[^.;]*\b(?:to|using|via|through|with|by|from|on)\b",
    re.I,
)
_METHOD_FIELD = re.compile(r"\b(?:payment method|paid with|refund method|refund to|source)\b", re.I)
_CONDITION = re.compile(
    r"\b(?:if|whether|either|or|unless|in case|after|once|until|when|as soon as)\b", re.I
)
"""What makes of it a rule, or says more than where the money goes."""
_RECENT = 3
"""How many messages back the user's choice holds."""


def check_destinations(claim: Claim, context: GroundContext) -> Finding:
    """Look for what chose the one way of paying that the claim names."""
    if claim.is_datum or claim.kind not in ("fact", "restatement") or is_negated(claim.text):
        return Finding.skip(NAME, "says nothing of where money goes")
    if not _MOVES.search(claim.text) or _CONDITION.search(claim.text):
        return Finding.skip(NAME, "says nothing of where money goes")
    known = context.search.once("ways of paying", lambda: frozenset(_ways(context)))
    named = _named(claim.text, known)
    if len(named) != 1:
        return Finding.skip(NAME, "names no way of paying that is on record, or several")
    (way,) = named
    told = [(entry, _told(entry, known)) for entry in context.ledger.calls if writes(entry)]
    latest = [
        (entry, ways)
        for entry, ways in told
        if ways and entry.message >= context.ledger.last_said and entry.outcome in ("ok", "empty")
    ]
    if latest and not any(way in ways for _, ways in latest):
        entry, ways = latest[-1]
        detail = f"{entry.call.name} was told {', '.join(sorted(ways))}"
        return Finding(
            NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail,
            spans=(span_of(entry),),
        )  # fmt: skip
    for entry, ways in reversed(told):
        if way in ways and entry.outcome in ("ok", "empty"):
            return _chosen(f"{entry.call.name} was told so", context, entry)
    if _users_choice(context, known) == {way}:
        return _chosen("the user chose it", context)
    if _paid_so(way, context, known) and any(
        ORIGINAL.search(rule.text) for rule in rule_sentences(context.search)
    ):
        return _chosen("it was paid so, and a rule says that money goes back there", context)
    return Finding.skip(NAME, "nothing chose it")


def _chosen(detail: str, context: GroundContext, entry: CallEntry | None = None) -> Finding:
    spans = (span_of(entry),) if entry is not None else ()
    return Finding(NAME, "checked", "supports", 0.9, None, detail, spans=spans, settles="values")


def _ways(context: GroundContext) -> Iterator[str]:
    """The ways of paying that results speak of, in words: ``gift_card_41`` is a "gift card"."""
    for passage in filter(is_result, context.search.passages):
        for cell, _, _ in passage.cells:
            if _METHOD_FIELD.search(cell.key) and isinstance(cell.raw, str) and not cell.is_blank:
                if way := in_words(cell.raw):
                    yield way


def _named(text: str, known: frozenset[str]) -> set[str]:
    plain = f" {fold(text).replace('_', ' ')} "
    return {way for way in known if f" {way} " in plain}


def _told(entry: CallEntry, known: frozenset[str]) -> set[str]:
    """The ways of paying that a call was given."""
    cells = (cell for record in records_of(entry.call.arguments) for cell in record.cells)
    ways = (in_words(c.text) for c in cells if _METHOD_FIELD.search(c.key))
    return {way for way in ways if way in known}


def _users_choice(context: GroundContext, known: frozenset[str]) -> set[str]:
    """What the user named last, where only one way of paying was named."""
    said = [s.text for s in context.ledger.sources if s.kind == "user"][-_RECENT:]
    return next((named for text in reversed(said) if (named := _named(text, known))), set())


def _paid_so(way: str, context: GroundContext, known: frozenset[str]) -> bool:
    """Whether the things that the claim speaks about were paid in one way, and this is it."""
    ways = {
        found
        for passage in context.fitting
        if is_result(passage)
        for cell, _, _ in passage.cells
        if PAID_WITH.search(cell.key) and isinstance(cell.raw, str) and not cell.is_blank
        if (found := in_words(cell.raw)) in known
    }
    return ways == {way}
