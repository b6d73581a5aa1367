"""What may only be changed within its kind, refused for another kind: "I can't swap the lamp for a kettle, they are
different product types", where a rule says that there is no change of product types.
"""

from __future__ import annotations

import re

from affidavit.ledger.words import content_stems, stem
from affidavit.stages.ground.checks.calls.deeds import same_deed
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext
from affidavit.stages.ground.rules import RuleSentence, rule_sentences

NAME = "same_kind"

_KIND = r"(?:[a-z]+ ){0,2}?(?:types?|kinds?|products?|categor(?:y|ies)|class(?:es)?|sorts?|models?|brands?|routes?|plans?|families|family|lines?)"
_SWAP = re.compile(
    r"\b(?:cannot|can not|can['’]t|unable to|not able to|not possible to|not allowed to) (?:\w+ly |simply |just )?"
    r"(?P<verb>swap|exchange|change|modify|replace|switch|trade|convert|turn|move) "
    r"(?:(?:the|your|a|an|this|that|my|his|her|their) )?(?P<one>[\w'’ -]{2,40}?) (?:for|to|into|with|by) (?:(?:the|your|a|an|another|some) )?"
    r"(?P<other>[\w'’ -]{2,40}?)(?=\W*$|,|;| (?:as|because|since|which|unless|for that)\b)",
    re.I,
)
_DIFFERS = re.compile(
    rf"\b(?:different|another|not (?:of )?the same|separate) (?P<kind>{_KIND})\b|\bnot (?:of )?the same\b",
    re.I,
)
_REASON = re.compile(r"\b(?:because|since|as|due to|given that|unless|without|until)\b", re.I)
_ONE_KIND = re.compile(
    rf"\b(?:(?:the )?same (?P<same>{_KIND})|(?:no|not be any|cannot be any|not) changes? (?:of|in|between) (?P<change>{_KIND})|within (?:the|one|its) (?P<within>{_KIND}))\b",
    re.I,
)


def check_same_kind(claim: Claim, context: GroundContext) -> Finding:
    """Look for a rule that keeps the change within one kind, and for the two being of two."""
    said = _SWAP.search(claim.text)
    if claim.is_datum or said is None:
        return Finding.skip(NAME, "does not say that one thing cannot be changed for another")
    one, other = content_stems(said["one"]), content_stems(said["other"])
    rule = _rule(stem(said["verb"].lower()), context)
    if rule is None or not one or not other or one & other:
        return Finding.skip(NAME, "no rule keeps such a change within one kind")
    asked = content_stems(context.question)
    differs = _DIFFERS.search(claim.text) is not None
    if not differs and (_REASON.search(claim.text) or not other <= asked):
        return Finding.skip(NAME, "gives another reason")
    own = [
        passage
        for passage in context.search.passages
        if is_result(passage)
        and any(one <= content_stems(c.text) and _NAMING.search(c.key) for c, _, _ in passage.cells)
    ]
    if not own and not one <= asked:
        return Finding.skip(NAME, "nothing of that name is known")
    if any(other <= passage.stems for passage in own):
        return Finding.skip(NAME, "the other may be one of its kind")
    spans = (rule.passage.span(), *(passage.span() for passage in own[:1]))
    return Finding(
        NAME, "checked", "supports", 0.9, None, f"a rule: {rule.text[:120]}", spans=spans
    )


_NAMING = re.compile(r"(?:^| )(?:name|title|product|article|item|type|kind)$")


def _rule(verb: str, context: GroundContext) -> RuleSentence | None:
    """The rule that keeps a deed within one kind."""
    for rule in rule_sentences(context.search):
        if _ONE_KIND.search(rule.text) and same_deed(verb) & rule.stems:
            return rule
    return None
