"""Capabilities: what is said to be impossible here, held against what the tools and the rules are for.

"Our system doesn't support splitting a payment" cannot be read anywhere: it holds because no tool splits
anything and no rule speaks of it. Where some tool or rule does speak of the deed and of its object, the
check says nothing: whether it may be done in this case is for the rules to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.records import words_of
from affidavit.ledger.words import content_stems, stem, words
from affidavit.stages.ground.checks.actions import is_deed, same_deed
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext
from affidavit.stages.ground.generic import beside_rules
from affidavit.stages.ground.rules import rule_sentences

NAME = "capabilities"

_CANNOT = re.compile(
    r"\b(?:can['’]t|cannot|can not|(?:not able|unable) to|"
    r"(?:does|do)(?:n['’]t| not) (?:currently |yet |directly )?(?:support|allow|permit|let|enable)(?: (?:me|us|you|for))?(?: to)?|"
    r"there(?:['’]s| is) no (?:way|option|possibility)(?: for (?:me|us|you))? (?:to|of))\s+(?:be |have |get )?",
    re.I,
)
"""What stands before a deed that is said to be impossible."""
_UNSUPPORTED = re.compile(
    r"\b(?:is|are)(?:n['’]t| not)(?: \w+ly)? (?:supported|possible|configurable|an option|something (?:I|we) can do)\b"
    r"|\b(?:is|are) (?:unsupported|impossible)\b",
    re.I,
)
"""What stands behind it."""
_ENDS = re.compile(
    r"[,;:.()]|\s[–—-]\s|—|\b(?:because|since|unless|if|until|before|after|once|as|so|but|while|when|and|or)\b", re.I
)
_GROUNDS = re.compile(r"\b(?:because|since|due to|as (?:it|they|the|your|this)|so)\b", re.I)
"""A reason given for it is a statement of its own, which silence does not bear out."""
_LIGHT = frozenset(
    stem(word)
    for word in "do make process proceed perform handle complete submit provide give offer help assist see find tell "
    "say look check access confirm verify answer share view send show have take go get be place put use work".split()
)
"""Verbs that say little of what is done, or that are no deeds of a tool."""
_VERBS_IN_LY = frozenset("apply reply supply rely imply comply multiply fly".split())
_BEFORE_OBJECT = re.compile(r"\b(?:from|to|on|for|in|with|across|between|at|into|by|under|through|among)\b", re.I)
_VAGUE = frozenset(stem(word) for word in "it them this that these those both one any all exact same".split())
_DOES_ANYTHING = frozenset(
    "execute run bash shell sql python query request http browser code terminal computer".split()
)
"""Words of tools whose calls may do anything."""


def check_capabilities(claim: Claim, context: GroundContext) -> Finding:
    """Hold "X is not possible" against every tool and every rule that speaks of doing X."""
    tools = context.ledger.tools
    if claim.is_datum or claim.kind not in ("fact", "absence"):
        return Finding.skip(NAME, "says nothing of what is possible")
    if not tools or any(_DOES_ANYTHING & set(words(words_of(tool.name))) for tool in tools):
        return Finding.skip(NAME, "what the agent can do is not declared")
    if _GROUNDS.search(claim.text):
        return Finding.skip(NAME, "gives a reason, which is a statement of its own")
    ruled_out = _ruled_out(claim.text)
    if ruled_out is None:
        return Finding.skip(NAME, "does not say that something is impossible")
    deed, rest = ruled_out
    clauses = context.search.once("clauses of rules", lambda: list(_clauses(context)))
    alike = [clause for clause in clauses if not same_deed(deed).isdisjoint(clause)]
    if not alike:
        return _silent(f"no tool and no rule speaks of it: {deed}", "all")
    passages = [rule.passage for rule in rule_sentences(context.search)][:1]
    object_ = _head(beside_rules(rest, passages, context.search))
    if object_ is None or any(object_ in clause for clause in alike):
        return Finding.skip(NAME, "a tool or a rule speaks of it")
    if any(deed in clause for clause in alike) and not any(object_ in clause for clause in clauses):
        return Finding.skip(NAME, "the rules may call its object otherwise")
    return _silent(f"no tool and no rule speaks of it: {deed} … {object_}", "nothing")


def _silent(detail: str, settles: str) -> Finding:
    return Finding(NAME, "checked", "supports", 0.88, None, detail, settles=settles)  # type: ignore[arg-type]


def _ruled_out(text: str) -> tuple[str, str] | None:
    """The stem of the deed that is said to be impossible, and the words behind it."""
    if m := _CANNOT.search(text):
        told = _ENDS.split(text[m.end() :], maxsplit=1)[0]
    elif m := _UNSUPPORTED.search(text):
        told = _ENDS.split(text[: m.start()])[-1]
    else:
        return None
    said = [w for w in re.findall(r"\w[\w'’-]*", told) if w.lower() in _VERBS_IN_LY or not w.endswith("ly")]
    if not said:
        return None
    first = stem(said[0])
    if _CANNOT.search(text) and first not in _LIGHT:
        return first, " ".join(said[1:])
    if said[0].lower().endswith("ing") and first not in _LIGHT:
        return first, " ".join(said[1:])
    nouns = (i for i, word in enumerate(said) if is_deed(stem(word)) and not word.endswith("ing"))
    at = next(nouns, None)
    if at is None or stem(said[at]) in _LIGHT:
        return None
    behind = said[at + 1 :] or said[:at]  # "partial cancellation of an item", "item removal"
    return stem(said[at]), " ".join(behind)


def _head(rest: str) -> str | None:
    """The stem of the noun that a deed is done to: "line item" of "of a single line item on an order"."""
    told = _BEFORE_OBJECT.split(re.sub(r"^(?:of|up)\s+", "", rest.strip()), maxsplit=1)[0]
    named = [stem(word) for word in words(told) if content_stems(word)]
    return named[-1] if named and named[-1] not in _VAGUE else None


def _clauses(context: GroundContext) -> Iterator[frozenset[str]]:
    """The words of each clause of the rules, and of each tool's name and parameters."""
    for rule in rule_sentences(context.search):
        for part in re.split(r"[,;:()]", rule.text):
            yield content_stems(part)
    for tool in context.ledger.tools or ():
        fields = (tool.input_schema or {}).get("properties")
        named = fields if isinstance(fields, dict) else ()
        yield content_stems(" ".join(map(words_of, (tool.name, *named))))
