"""What a deed was confined to: "the return is for the lamp only", held against what the call was given.

A call that was given the kettle as well contradicts it.
"""

from __future__ import annotations

import re

from affidavit.ledger.ledger import CallEntry, Passage
from affidavit.ledger.records import words_of
from affidavit.ledger.values import fold
from affidavit.ledger.words import content_stems, is_negated, stem
from affidavit.stages.ground.checks.calls.deeds import same_deed, writes
from affidavit.stages.ground.checks.calls.outcomes import span_of
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "only_passed"

_DEED = r"(?:request|return|exchange|cancell?ation|refund|change|modification|booking|reservation|claim|transfer|repair|order|upgrade)"
_ONLY = re.compile(
    rf"\b(?:this|the|your|that) (?:\w+ )?(?P<deed>{_DEED})(?: request)? (?:is|was|covers?|covered|includes?|included|applies to|applied to|concerns|affects)"
    r"(?: for| to| of)? (?P<what>[^.;:]{3,80})",
    re.I,
)
_NAMING = re.compile(r"(?:^| )(?:name|title|product|article|label)$")


def check_only_passed(claim: Claim, context: GroundContext) -> Finding:
    """Look up by name what the call was given, and whether the claim names all of it."""
    said = _ONLY.search(claim.text)
    if (
        claim.is_datum
        or said is None
        or not re.search(r"\bonly\b|\bjust\b", claim.text, re.I)
        or is_negated(claim.text)
    ):
        return Finding.skip(NAME, "does not confine a deed to something")
    entry = _call(stem(said["deed"].lower()), context)
    codes = _listed(entry) if entry is not None else []
    if entry is None or not codes:
        return Finding.skip(NAME, "no call was given a list of things")
    told = content_stems(said["what"])
    named = {code: _name(code, context) for code in codes}
    if any(name is None for name in named.values()):
        return Finding.skip(NAME, "what it was given is known by no name")
    others = [
        name for name in named.values() if name is not None and not content_stems(name) & told
    ]
    span = span_of(entry)
    if len(others) == len(codes) and not _is_beside(codes[0], told, context):
        return Finding.skip(NAME, "speaks of other things than it was given")
    if others:
        detail = f"{entry.call.name} was given {others[0]} as well"
        return Finding(
            NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=(span,)
        )
    detail = f"{entry.call.name} was given nothing else"
    return Finding(NAME, "checked", "supports", 0.9, None, detail, spans=(span,))


def _call(deed: str, context: GroundContext) -> CallEntry | None:
    """The last call that did such a deed; any that changed something for a mere "request"."""
    done = [e for e in context.ledger.calls if writes(e) and e.outcome in ("ok", "empty")]
    if deed != stem("request"):
        done = [
            e
            for e in done
            if any(same_deed(deed) & {stem(w)} for w in words_of(e.call.name).split())
        ]
    return done[-1] if done else None


def _listed(entry: CallEntry) -> list[str]:
    """The codes of the one list that a call was given."""
    given = entry.call.arguments
    lists = [
        [item for item in value if isinstance(item, str)]
        for key, value in (given.items() if isinstance(given, dict) else ())
        if isinstance(value, list) and "new" not in words_of(key).split()
    ]
    return lists[0] if len(lists) == 1 else []


def _name(code: str, context: GroundContext) -> str | None:
    """What the results call the thing of a code."""
    for passage in context.search.passages:
        if passage.source.kind == "tool_result" and _has(passage, code):
            for cell, _, _ in passage.cells:
                if isinstance(cell.raw, str) and _NAMING.search(cell.key):
                    return cell.text
    return None


def _is_beside(code: str, told: frozenset[str], context: GroundContext) -> bool:
    """Whether a thing that is named stands in one list with that of a code."""
    passages = [p for p in context.search.passages if p.record is not None and p.record.group]
    lists = {(p.source.id, p.record.group) for p in passages if p.record and _has(p, code)}
    return any(
        (p.source.id, p.record.group) in lists and content_stems(cell.text) <= told
        for p in passages
        for cell, _, _ in p.cells
        if p.record and isinstance(cell.raw, str) and _NAMING.search(cell.key)
    )


def _has(passage: Passage, code: str) -> bool:
    return any(fold(cell.text) == fold(code) for cell, _, _ in passage.cells)
