"""What must go one of some ways, refused for another way: "I'm unable to refund it to your credit card", where the
refund "must either go to the original payment method or an existing gift card" and a gift card paid.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from affidavit.ledger.ledger import Passage
from affidavit.ledger.words import content_stems
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext
from affidavit.stages.ground.payment import ORIGINAL, in_words, paid_with
from affidavit.stages.ground.rules import rule_sentences

NAME = "other_ways"

_ONE_OF = re.compile(
    r"\b(?P<deed>[a-z]+) (?:must|can only|may only|has to|have to|should only|can|is|are)(?: only)? (?:either )?(?:only )?(?:be )?(?:[a-z]+ )?(?:back )?"
    r"(?:to|by|via|through|with|on) (?P<ways>[^.;]+)",
    re.I,
)
_EXCLUSIVE = re.compile(r"\b(?:must|only|has to|have to)\b", re.I)
_CANNOT = re.compile(
    r"\b(?:cannot|can not|can['’]t|unable to|not able to|not possible to|not allowed to|won['’]t be able to)\b(?P<rest>[^.;]*)",
    re.I,
)
_WAY = re.compile(
    r"\b(?:to|by|via|through|with|on) (?:(?:your|a|an|the|another|that|this|any) )(?P<way>[\w'’-]+(?: [\w'’-]+){0,2}?)(?=\W*$|,| \(| (?:ending|instead|for|as|because|since|on file)\b)",
    re.I,
)
_REASON = re.compile(r"\b(?:because|since|as|due to|given that|unless|without|until)\b[^;.]*", re.I)
_OF_PAYING = re.compile(r"\b(?:original|paid|payment|polic(?:y|ies)|rules?|only)\b", re.I)
_LIGHT = content_stems(
    "existing original valid same own user customer method payment account new another"
)


@dataclass(frozen=True, slots=True)
class _Ways:
    """The only ways of a deed, and the rule."""

    ways: tuple[str, ...]
    passage: Passage


def check_other_ways(claim: Claim, context: GroundContext) -> Finding:
    """Hold the way that is refused against the only ones that a rule allows."""
    denied = _CANNOT.search(claim.text)
    way = _WAY.search(denied["rest"]) if denied else None
    if claim.is_datum or denied is None or way is None:
        return Finding.skip(NAME, "refuses no way of doing something")
    reason = _REASON.search(claim.text)
    if reason and not _OF_PAYING.search(reason[0]):
        return Finding.skip(NAME, "gives another reason")
    refused = content_stems(way["way"]) - content_stems("my your")
    rule = _rule(content_stems(denied["rest"]) - refused, context)
    if rule is None or not refused:
        return Finding.skip(NAME, "no rule tells the only ways")
    paid = _payment(context)
    original = content_stems(in_words(paid_with(paid) or "")) if paid else frozenset()
    for told in rule.ways:
        allowed = original if ORIGINAL.search(told) else content_stems(told) - _LIGHT
        if not allowed or refused <= allowed or allowed <= refused:
            return Finding.skip(NAME, "that way may be one of those allowed")
    if ORIGINAL.search(claim.text) or re.search(r"\boriginal", claim.text, re.I):
        if not original <= content_stems(claim.text[: denied.start()]):
            return Finding.skip(NAME, "tells the original way otherwise")
    spans = (rule.passage.span(), *((paid.span(),) if paid else ()))
    detail = f"a rule allows only {' or '.join(rule.ways)}"
    return Finding(NAME, "checked", "supports", 0.9, None, detail, spans=spans, settles="values")


def _rule(deeds: frozenset[str], context: GroundContext) -> _Ways | None:
    """The rule that names the only ways of one of the deeds."""
    for rule in rule_sentences(context.search):
        found = _ONE_OF.search(rule.text)
        if found is None or not _EXCLUSIVE.search(rule.text):
            continue
        if not content_stems(found["deed"]) & deeds:
            continue
        ways = tuple(w.strip() for w in re.split(r",|\bor\b", found["ways"]) if w.strip())
        return _Ways(ways, rule.passage)
    return None


def _payment(context: GroundContext) -> Passage | None:
    """The record of how the thing was paid that is spoken of; where none is, of all where they agree."""
    paid = [p for p in context.search.passages if is_result(p) and paid_with(p)]
    meant = [p for p in paid if context.topic.names(context.rows.chain(p))] or paid
    return meant[0] if len({in_words(paid_with(p) or "") for p in meant}) == 1 else None
