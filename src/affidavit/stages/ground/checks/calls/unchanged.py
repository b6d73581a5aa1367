"""Unchanged: "no changes were made", "the other items stay as they are", held against the calls of the run.

What was not done leaves no result that says so; that no call did it does. "No other changes" is true
where each call that changes something is spoken of.
"""

from __future__ import annotations

import re

from affidavit.ledger.ledger import CallEntry
from affidavit.ledger.records import words_of
from affidavit.ledger.words import content_stems, is_negated, stem
from affidavit.stages.ground.checks.calls.actions import passes
from affidavit.stages.ground.checks.calls.deeds import same_deed, writes
from affidavit.stages.ground.checks.calls.objects import is_on
from affidavit.stages.ground.checks.calls.outcomes import span_of
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "unchanged"

_THINGS = r"(?:changes?|modifications?|updates?|edits?|alterations?|actions?|cancell?ations?|exchanges?|returns?|orders?|items?|fields?|details?|bookings?)"
_DONE = r"(?:made|taken|applied|carried out|performed|changed|modified|updated|altered|touched|affected|cancell?ed|returned|exchanged|submitted)"
_OF_WHAT = r"(?: (?:to|on|in|for|of) (?:[\w#'’-]+ ){0,4}?[\w#'’-]+)?"
_NOT_CHANGED = re.compile(
    rf"\b(?:no (?:(?P<other>other|further|additional) )?(?:[\w-]+ )?{_THINGS}|nothing(?P<else> else)?)"
    rf"{_OF_WHAT} (?:was|were|has been|have been|got) (?:yet )?{_DONE}\b"
    r"|(?P<label>: no changes?\b(?! (?:to|in|of)\b))|\bno changes? (?:yet )?(?:applied|made)(?: yet)?\b"
    rf"|^\W*no (?P<more>other|further|additional) (?:changes?|modifications?|updates?|edits?){_OF_WHAT}\W*$",
    re.I,
)
_STAYS = re.compile(
    r"^(?P<what>[^.;:]{3,80}?) (?:will )?(?:(?:remains?|stays?|(?:is|are) (?:still )?(?:kept|left)) (?:unchanged|the same|as (?:is|it is|they are)|as-is|untouched|in place)"
    r"|(?:is|are|was|were|has been|have been) (?:unchanged|unaffected|untouched|not (?:changed|modified|affected|touched)))\b",
    re.I,
)
_AFFECTED = re.compile(r"\b(?:un)?affected\b", re.I)
_REST = re.compile(r"\b(?:other|others|rest|remaining|everything else|all else)\b", re.I)


_WHOLE = re.compile(r"\W*(?:(?:the|your|this|that)\s+)?(?:[a-z]+\s+)?#?[\w-]*\d[\w-]*\W*", re.I)
"""A thing by its number, and not some part of it: "loan L7", but not "the due date of loan L7"."""


def check_unchanged(claim: Claim, context: GroundContext) -> Finding:
    """Look for a call that changed what is said to be as it was."""
    made, stays = _NOT_CHANGED.search(claim.text), _STAYS.search(claim.text)
    if stays is not None and is_negated(stays["what"]):
        stays = None  # "will not remain the same"
    if (
        stays is not None
        and _AFFECTED.search(stays[0])
        and not any(map(writes, context.ledger.calls))
    ):
        stays = None  # by something in the world: nothing was done here
    if claim.is_datum or (made is None and stays is None):
        return Finding.skip(NAME, "does not say that something was left as it was")
    if context.ledger.tools is None and not context.ledger.calls:
        return Finding.skip(NAME, "no calls are known")
    changing = [e for e in context.ledger.calls if writes(e) and e.outcome in ("ok", "empty")]
    named = [v for v in claim.values if v.kind in ("identifier", "email", "url", "path", "handle")]
    numbers = [v.text for v in named if any(map(str.isdigit, v.text))]
    if made is not None and made["label"] and numbers:
        # "Umbrella: no change (98792)": the call on the whole order shows it, but was not told to change it.
        changing = [e for e in changing if any(passes(e, number) for number in numbers)]
    touching = [e for e in changing if _touches(e, claim, context)]
    if not named and (_REST.search(claim.text) or _besides(made)):
        changing = [e for e in changing if not _is_told(e, context)]
    elif named or stays is not None or claim.context or context.named.rows:
        changing = touching if named or context.topic.rows else changing
    if not changing:
        detail = "no call of this run changed it"
        return Finding(NAME, "checked", "supports", 0.9, None, detail, settles="all")
    entry = changing[-1]
    if stays is not None and touching and _WHOLE.fullmatch(stays["what"]):
        detail, spans = f"{entry.call.name} changed it", (span_of(entry),)
        return Finding(
            NAME, "checked", "contradicts", 0.08, "contradicts_evidence", detail, spans=spans
        )
    return Finding.skip(NAME, f"{entry.call.name} may have changed it")


def _besides(made: re.Match[str] | None) -> bool:
    """Whether nothing is said to have been done besides what is told: "no other changes"."""
    return made is not None and any(made[name] for name in ("other", "else", "more"))


def _touches(entry: CallEntry, claim: Claim, context: GroundContext) -> bool:
    """Whether a call is on something that the claim names by its number, or on a row that it names."""
    if any(is_on(entry, value, context) for value in claim.values if value.kind != "name"):
        return True
    meant = context.named if context.named.rows else context.topic
    return any(
        passes(entry, cell.text)
        for passage in (context.rows.fitting(meant) if meant.rows else ())
        if meant.names(context.rows.chain(passage))
        for cell, _, _ in passage.cells
        if cell.key.split()[-1:] in (["id"], ["number"], ["code"])
    )


def _is_told(entry: CallEntry, context: GroundContext) -> bool:
    """Whether a deed was told: before, or in this answer."""
    if entry.message < context.ledger.last_said:
        return True
    said = content_stems(context.answer)
    return any(
        not same_deed(stem(word)).isdisjoint(said) for word in words_of(entry.call.name).split()
    )
