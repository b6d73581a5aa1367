"""A number or a code that only the question names, beside others of its form that were found."""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import records_of
from affidavit.ledger.values import Value, fold
from affidavit.ledger.words import (
    content_stems,
    is_negated,
    named_in,
)
from affidavit.stages.ground.checks.sources.asked import MARKUP, NO_HEAD, QUERY, Other, told_of
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_DESIGNATION = r"(?:\d{1,4}[A-Za-z]?|[IVX]{1,4}|[A-Z]\d{0,3})"
_NUMBERED = re.compile(rf"\b(?P<head>[A-Z][a-zà-ÿ][\w’'-]*)[ -](?P<which>{_DESIGNATION})\b")
_AND_MORE = re.compile(
    r"^\W{0,2}(?:(?:and|or) (?:later|newer|above|up|higher|all)\b|\+|(?:to|through|[–-]) ?\d|,? \w+,? and )",
    re.I,
)


def of_another_number(claim: Claim, context: GroundContext) -> Iterator[Other]:
    """A model, gate or level of one number, where the results only speak of another one: "Model 3"."""
    told = told_of(context)
    for named in _NUMBERED.finditer(MARKUP.sub("", claim.text)):
        head, which = named["head"], named["which"]
        if head.lower() in NO_HEAD or not told.is_asked_only(f"{head} {which}"):
            continue
        same = re.compile(rf"\b{re.escape(head)}[ -]({_DESIGNATION})\b", re.I)
        for passage, _ in told.texts:
            for rival in same.finditer(passage.text):
                if rival[1].lower() != which.lower() and not _AND_MORE.match(
                    passage.text[rival.end() :]
                ):
                    yield Other(named[0], rival[0], passage)


_DRAWN_FROM = 2
"""Words that a claim shares with what was found, from which it is told of the thing asked about."""


def of_another_code(claim: Claim, context: GroundContext) -> Iterator[Other]:
    """A code that only the question names, where what is told of it is told of other codes of its form: "your
    batch L6112 was recalled" beside the recalled lots L6083 and L6090."""
    for value in claim.values:
        before, after = claim.text[: value.start], claim.text[value.end :]
        if _CALLED.search(before) and not re.search(r"\w", after):
            continue  # "the pack's batch is L6112" is what the user told
        least = 0 if _CONCERNED.search(after) else _DRAWN_FROM
        said = content_stems(MARKUP.sub("", claim.text)) - content_stems(value.text)
        for rival, passage, text in _of_its_form(value, claim, context):
            if len(named_in(said, content_stems(text))) >= least:
                yield Other(value.text, rival.text, passage)


_CALLED = re.compile(
    r"\b(?:is|was|reads|says|has|have|had|from|of|bears|carries|shows|with|number|code|id|serial|batch|lot|no)\W*$",
    re.I,
)
_CONCERNED = re.compile(
    r"\b(?:affected|recalled|concerned|covered|included|listed|named|mentioned|among|eligible|registered|found|valid|on the list|one of)\b",
    re.I,
)
"""That a thing is one of those that were found."""


def _of_its_form(
    value: Value, claim: Claim, context: GroundContext
) -> Iterator[tuple[Value, Passage, str]]:
    """The codes of the results that look like one that only the question names, where passages have them."""
    told = told_of(context)
    asked_only = value.kind == "identifier" and told.is_asked_only(value.text)
    if not asked_only or _is_fetched(value, context):
        return
    for passage, text in told.texts:
        for rival in passage.values:
            known = f" {fold(rival.text)} " in told.asked or rival.text in claim.text
            if rival.kind == "identifier" and _form(rival) == _form(value) and not known:
                yield rival, passage, text


def says_not_among(claim: Claim, context: GroundContext) -> str | None:
    """Why it is right that a code is none of those that were found: "L6112 isn't among the lots"."""
    if not is_negated(claim.text) or claim.kind not in ("fact", "absence"):
        return None
    for value in claim.values:
        denied = _NOT_ONE_OF.search(claim.text)
        others = [rival.text for rival, _, _ in _of_its_form(value, claim, context)]
        if denied and others:
            return f"what was found names {', '.join(dict.fromkeys(others))}"
    return None


_NOT_ONE_OF = re.compile(
    r"(?:\b(?:not|never)|n['’]t) (?:\w+ )?(?:among|one of|on the list|(?:in|on|part of) (?:the|this|that)|listed|named|included|mentioned|affected|concerned|recalled|covered)\b"
    r"|\bnone of (?:the|those|these|them)\b",
    re.I,
)


def _form(code: Value) -> str:
    """What a code looks like: "L6112" and "L6083" are of one form."""
    return re.sub(r"\d", "9", code.text.upper())


def _is_fetched(value: Value, context: GroundContext) -> bool:
    """Whether a tool was asked for the very thing, so that its result is about it: no search with other words."""
    return any(
        fold(cell.text) == fold(value.text) and not QUERY.search(cell.key)
        for entry in context.ledger.calls
        for record in records_of(entry.call.arguments)
        for cell in record.cells
    )
