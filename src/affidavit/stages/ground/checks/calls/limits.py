"""Limits: "I can't place new orders from here", held against what the agent's tools do.

The tools that were declared to the model are all that it can do. That none of them does such a thing
bears the sentence out; that one does proves nothing against it, since a rule may forbid its use here.
What a system does not support can be read nowhere either: "removing a single item isn't supported"
holds where no tool and no rule speaks of removing items. What others cannot do is no limit of this kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from affidavit.ledger.records import words_of
from affidavit.ledger.words import content_stems, is_negated, stem, words
from affidavit.stages.ground.checks.calls.deeds import READS, is_deed, same_deed
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext
from affidavit.stages.ground.generic import beside_rules
from affidavit.stages.ground.rules import rule_sentences
from affidavit.trace import ToolDefinition

NAME = "limits"

_UNABLE = re.compile(
    r"\b(?:I|we)\s?(?:(?:can['’]t|cannot|can not)|(?:['’]m|['’]re| am| are) (?:currently |also )?(?:not able|unable) to"
    r"|(?:do not|don['’]t) have (?:a|the) (?:way|tool|ability|option) to)"
    r"(?: (?:also|currently|directly|actually|personally|just))* (?P<deeds>\w+[^.;:]*)"
    r"|\b(?:does|do|will|would)(?:n['’]t| not) (?:currently )?(?:allow|let|permit|enable) (?:me|us)(?: to)? (?P<allowed>\w+[^.;:]*)"
    r"|\bthere(?:['’]s| is| are|['’]re)(?:n['’]t| not)? (?:an?|any|no) (?:\w+ )?(?:ways?|options?|places?|tools?|fields?|features?|functions?|settings?|methods?) (?:for (?:me|us) )?"
    r"to (?P<nowhere>\w+(?=[^.;:]*\b(?:here|from (?:here|my end|our end|this chat)|(?:in|on|by|through|within) (?:our|the|this|your) (?:system|chat|tools?|workflow|profile|account|record|order|booking|file))\b)[^.;:]*)",
    re.I,
)
_UNSUPPORTED = re.compile(
    r"\b(?:does|do)(?:n['’]t| not) (?:currently |yet |directly )?support (?P<behind>[^.;:]+)"
    r"|(?P<before>[^.;:,–—]+?) (?:is|are)(?:n['’]t| not)(?: currently| yet)? supported\b"
    r"|\b(?:cannot|can['’]t|can not) be (?P<inside>[^.;:,]+?) (?:in|by|through|within) (?:our|the|this) (?:system|chat|tools?|workflow)\b",
    re.I,
)
"""What no system of the agent's does, said of nobody: before it, behind it or inside of it."""
_LOOKED_UP_BY = re.compile(
    r"(?:locate|find|look up|search(?: for)?|retrieve|access|pull up) [^.;,]*?\b(?:by|with|from|using) (?:the |your |an? |just |only )*(\w+)",
    re.I,
)
"""What something is not looked up by: "I can't locate accounts by username alone"."""
_ALSO = re.compile(r"\b(?:or|nor|and)\s+(?:to )?(\w+)", re.I)
_NO_DEED = frozenset(
    stem(word)
    for word in "see tell confirm verify guarantee share provide say promise know find locate view access determine assist help "
    "discuss comment speak disclose reveal give recommend advise be do make have process handle proceed continue complete "
    "perform carry go start begin fulfil honour honor accept take allow".split()
)
"""Verbs that no tool is called by: what an agent does not see or know is for :mod:`.absence` to judge."""
_LIGHT = frozenset(map(stem, ("make", "give", "offer", "provide")))
"""Verbs that say little of what is done."""
_DOES_ANYTHING = frozenset(
    "execute run bash shell sql python request http browser code terminal computer".split()
)
"""Words of tools whose calls may do anything."""
_ENDS = re.compile(
    r"[,()]|\s[–—-]\s|—|\b(?:because|since|unless|if|until|before|after|once|as|so|but|while|when|and|or)\b",
    re.I,
)
_BEFORE_OBJECT = re.compile(
    r"\b(?:from|to|on|for|in|with|across|between|at|into|by|under|through|among)\b", re.I
)


def check_limits(claim: Claim, context: GroundContext) -> Finding:
    """Look for a tool or a rule that does what is said to be impossible here."""
    tools = context.ledger.tools
    if not tools:
        return Finding.skip(NAME, "no tools were declared")
    if any(_DOES_ANYTHING & set(words(words_of(tool.name))) for tool in tools):
        return Finding.skip(NAME, "a tool of the agent may do anything")
    if (affirmed := _affirmed(claim, context)) is not None:
        return affirmed
    said = _UNABLE.search(claim.text) or _UNABLE.search(claim.statement)
    deeds = next(filter(None, said.groups()), "") if said is not None else ""
    own = _own(deeds, tools) if deeds and is_negated(claim.text) else None
    if own is not None:
        return own
    ruled_out = _ruled_out(deeds or claim.text, whole=not deeds)
    if claim.is_datum or ruled_out is None:
        return Finding.skip(NAME, "tells no limit, or one that takes no tool")
    return _unheard_of(*ruled_out, context)


_SUPPORTED = re.compile(
    r"\b(?:system|tools?|platform|chat|workflow|I|we) (?:does |do |can )?(?:also |currently )?supports? (?P<behind>\w+ing\b[^.;:]*)"
    r"|(?P<before>\b\w+ing [^.;:,]*?) can be done (?:through me|by me|here|from here|from my end|in this chat|by us)\b",
    re.I,
)
"""What the agent's own system is said to do."""


def _affirmed(claim: Claim, context: GroundContext) -> Finding | None:
    """A deed that the system is said to support, of which no tool and no rule speaks."""
    said = None if is_negated(claim.text) else _SUPPORTED.search(claim.text)
    told = re.findall(r"\w[\w'’-]*", (said["behind"] or said["before"]) if said else "")
    if len(told) < 2 or stem(told[0]) in _NO_DEED | _LIGHT:
        return None
    own = _own(" ".join(told), context.ledger.tools or ())
    unheard = own and _unheard_of(stem(told[0]), " ".join(told[1:]), context)
    if unheard is None or unheard.verdict != "supports":
        return None
    return Finding(NAME, "checked", "missing", 0.2, "not_entailed", unheard.detail)


def _own(deeds: str, tools: Sequence[ToolDefinition]) -> Finding | None:
    """What an agent cannot do, held against what its tools are called; None where one may do it."""
    by = _LOOKED_UP_BY.match(deeds)
    if by and not content_stems(by[1]) & _taken(tools):
        return _holds(f"none of the {len(tools)} tools takes a {by[1]}")
    verbs = {stem(deeds.split()[0]), *(stem(w) for w in _ALSO.findall(deeds) if is_deed(stem(w)))}
    names = [words_of(tool.name).split() for tool in tools]
    does = {stem(name[0]) for name in names if name} - READS
    if verbs & _NO_DEED or any(same_deed(done) & verbs for done in does):
        return None
    return _holds(f"none of the {len(tools)} tools does that")


def _holds(detail: str, settles: Literal["all", "nothing"] = "all") -> Finding:
    return Finding(NAME, "checked", "supports", 0.88, None, detail, settles=settles)


def _taken(tools: Sequence[ToolDefinition]) -> frozenset[str]:
    """The words of what the tools are called and of what they take."""
    return frozenset().union(*map(_signature, tools))


def _signature(tool: ToolDefinition) -> frozenset[str]:
    properties = (tool.input_schema or {}).get("properties")
    named = properties if isinstance(properties, dict) else ()
    return content_stems(" ".join(map(words_of, (tool.name, *named))))


def _ruled_out(text: str, *, whole: bool) -> tuple[str, str] | None:
    """The stem of the deed that is said not to be supported, and the words of what it is done to. Of a
    ``whole`` sentence, "removing items isn't supported"; else of what stands behind "I can't"."""
    told, verb_first = text, not whole
    if whole:
        m = _UNSUPPORTED.search(text)
        if m is None:
            return None
        told = m["behind"] or m["inside"] or _ENDS.split(m["before"])[-1]
        verb_first = bool(m["inside"])
    said = re.findall(r"\w[\w'’-]*", _ENDS.split(told, maxsplit=1)[0])
    if not said:
        return None
    first = stem(said[0])
    if verb_first and first in _LIGHT:  # "make an exception"
        named = _head(" ".join(said[1:]))
        return (named, "") if named else None
    if verb_first or said[0].lower().endswith("ing"):
        return None if first in _NO_DEED else (first, " ".join(said[1:]))
    nouns = (i for i, word in enumerate(said) if is_deed(stem(word)) and not word.endswith("ing"))
    at = next(nouns, None)
    if at is None:
        return None
    return stem(said[at]), " ".join(said[at + 1 :] or said[:at])  # "item removal"


def _unheard_of(deed: str, rest: str, context: GroundContext) -> Finding:
    """What no rule and no tool speaks of; or speaks of, but never of doing it to this."""
    clauses = context.search.once("clauses of rules", lambda: list(_clauses(context)))
    alike = [clause for clause in clauses if not same_deed(deed).isdisjoint(clause)]
    if not alike:
        return _holds(f"no tool and no rule speaks of it: {deed}")
    passages = [rule.passage for rule in rule_sentences(context.search)][:1]
    object_ = _head(beside_rules(rest, passages, context.search))
    if object_ is None or any(object_ in clause for clause in alike):
        return Finding.skip(NAME, "a tool or a rule speaks of it")
    if any(deed in clause for clause in alike) and not any(object_ in clause for clause in clauses):
        return Finding.skip(NAME, "the rules may call its object otherwise")
    return _holds(f"no tool and no rule speaks of it: {deed} … {object_}", "nothing")


def _head(rest: str) -> str | None:
    """The stem of the noun that a deed is done to: "line item" of "of a single line item on an order"."""
    told = _BEFORE_OBJECT.split(re.sub(r"^(?:of|up)\s+", "", rest.strip()), maxsplit=1)[0]
    named = [stem(word) for word in words(told) if content_stems(word)]
    return named[-1] if named else None


def _clauses(context: GroundContext) -> Iterator[frozenset[str]]:
    """The words of each clause of the rules, and of each tool's name and parameters."""
    for rule in rule_sentences(context.search):
        for part in re.split(r"[,;:()]", rule.text):
            yield content_stems(part)
    yield from map(_signature, context.ledger.tools or ())
