"""Missing fields: data that records are said not to tell, "no delivery date is shown", "Width: not specified".

That a record is silent is borne out where none of what is spoken of has a field of that name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from affidavit.ledger.records import Cell
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.asking import LACKING_LEAD
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext


def speaks_of_data(text: str) -> bool:
    """Whether a text says that a record tells nothing of some data."""
    return bool(_UNRECORDED.search(text))


def shown_missing(claim: Claim, told: str, context: GroundContext) -> str | None:
    """Why the data that a claim calls missing are missing; None where they are not, or may not be.

    ``told`` is the claim without the keys of JSON that it stands under.
    """
    if (labelled := _NOT_GIVEN.match(told)) and _lacks(labelled[1], context):
        return f"no field of it is called {labelled[1].strip()}"
    if (asked := _WH_UNTOLD.search(told)) and (blank := _blank(asked["what"], claim, context)):
        return blank
    if (silent_on := _UNRECORDED.search(claim.text)) and _no_field(silent_on[0], context):
        return "no field of what is spoken of is called so"
    if (option := _NO_OPTION.search(claim.text)) and _no_option(option["what"], context):
        return f"among the options none is called {option['what']}"
    lead = claim.statement.partition(": ")[0]
    listed = LACKING_LEAD.search(lead) and lead not in claim.text
    if listed and not _NEGATIVE.search(claim.text) and _unlisted(claim, context):
        return "no field of the results is called so"
    return None


_NOT_GIVEN = re.compile(
    r"\W*([\w/ -]{2,30}?)(?:(?:\*\*)?:(?:\*\*)? not (?:specified|listed|provided|given|stated|shown|recorded)"
    r"| (?:is|are|was|were) not (?:specified|listed|stated|recorded))\b",
    re.I,
)
"""A field that is said to be missing: "Width: not specified for this product"."""


_WH_UNTOLD = re.compile(
    r"\b(?:how (?P<much>many|much|long|often|far|old|big)|when|where|who|whose|what|which|whether|the)\b(?P<what>[^.;:]{3,90}?)\s+"
    r"(?:is|are|was|were|has|have|had)(?:n['’]t| not)(?: yet| currently| been)*\s+(?:recorded|listed|stated|given|specified|noted|known|shown|mentioned|set|"
    r"indicated|documented|provided|filled in|entered|available|announced|confirmed|published|assigned|decided)\b",
    re.I,
)
"""A question that a record leaves open: "how many it will bring is not recorded"."""
_ASKS = {
    "who": content_stems("person name owner assignee contact author agent manager supplier operator by technician driver"),
    "whose": content_stems("owner name person"),
    "when": content_stems("date time at day due start end until since eta deadline expiry expires on scheduled"),
    "where": content_stems("place location address venue room site city branch position country"),
    "how many": content_stems("quantity qty count number amount total size units stock seats"),
    "how much": content_stems("amount price cost total fee sum quantity rate charge balance"),
    "how long": content_stems("duration length minutes hours days time term period"),
}  # fmt: skip
"""What a question word asks for, in the words of fields."""


def _blank(asked: str, claim: Claim, context: GroundContext) -> str | None:
    """The blank field that an open question asks for, where none that is filled in answers it."""
    lead = _QUESTION_WORD.search(claim.text)
    kinds = _ASKS.get(re.sub(r"\s+", " ", lead[0].lower()), frozenset()) if lead else frozenset()
    said = content_stems(f"{claim.context} {claim.statement}")
    cells = [
        (passage, cell)
        for passage in context.fitting
        if passage.source.kind == "tool_result" and passage.source.outcome == "ok"
        for cell, _, _ in passage.cells
    ]
    named = content_stems(asked)
    blank: list[tuple[int, str]] = []
    for _, cell in cells:
        key = content_stems(cell.key)
        asks = kinds & key if kinds else named_in(key, named)
        if asks and cell.is_blank:
            blank.append((len(named_in(key, said)), f"{cell.key}: none"))
    if not blank:
        return None
    most, detail = max(blank)
    filled = any(
        not cell.is_blank
        and kinds & (key := content_stems(cell.key))
        and len(named_in(key, said)) > most
        for _, cell in cells
    )
    return None if filled else detail


_QUESTION_WORD = re.compile(r"\b(?:how (?:many|much|long)|when|where|whose|who)\b", re.I)


_DATA = (
    r"(?:dates?|times?|estimates?|etas?|tracking(?: (?:number|link|id|info\w*|details?))?|numbers?|details?|information|info|timelines?|"
    r"schedules?|deadlines?|windows?|links?|urls?|names?|attributes?|fields?|holds?|flags?|timing|durations?)"
)
_RECORDED = r"(?:shown|listed|recorded|noted|flagged|specified|indicated|provided|available|on file|on record)"
_UNRECORDED = re.compile(
    rf"\bno (?:[\w/-]+ ){{0,5}}?{_DATA}\b(?: (?:or|and) (?:[\w-]+ ){{0,3}}{_DATA})?(?= (?:(?:is|are|was|were) )?(?:currently |yet )?{_RECORDED}\b)"
    rf"|(?<=: )?\b[\w/ -]*{_DATA}\b(?=:? (?:is |are )?(?:currently )?not (?:yet )?(?:available|listed|shown|recorded|provided)\b)"
    r"|\b[\w/ -]*(?:fees?|tax(?:es)?|charges?|durations?|timelines?|deadlines?|windows?|timing|dates?)\b[^.;:]{0,40}?(?= (?:is|are|was|were)(?:n['’]t| not) "
    r"(?:currently |yet )?(?:shown|listed|recorded|noted|specified|indicated|displayed|itemi[sz]ed|exposed)\b)"
    r"|(?:\bnot|n['’]t) (?:see|show|list|return|include|flag|report|indicate|have|contain|display) (?:any |an? )?(?:specific )?"
    rf"(?P<what>(?:[\w/-]+ ){{0,6}}?{_DATA})\b(?: (?:or|and) (?:[\w-]+ ){{0,3}}(?:{_DATA}|deductions?|charges?))?"
    r"|\bno (?:[\w/-]+ ){0,6}(?:fees?|deductions?|charges?|delays?|surcharges?)(?= (?:is|are|was|were) (?:\w+ )?(?:shown|listed|recorded|noted|flagged|indicated)\b)"
    r"|(?:\bnot|n['’]t) (?:see|show|list|flag|report|indicate) (?:any )?(?:[\w/-]+ ){0,6}?(?:fees?|deductions?|charges?|delays?)\b",
    re.I,
)
"""Data that a record is said to be silent about: "no delivery date is available yet", "did not flag any delays"."""


_NO_OPTION = re.compile(
    r"\b(?:is|are|was|were|has|have|had)(?: currently)? no (?:separate |specific |such )?(?P<what>[\w-]+(?: [\w-]+)?) "
    r"(?:options?|attributes?|settings?|choices?|propert(?:y|ies)|parameters?|specifications?)\b",
    re.I,
)
"""A thing that one cannot choose: "there was no width option to change"."""
_OPTIONS = content_stems("option attribute setting choice property parameter specification")


def _no_option(what: str, context: GroundContext) -> bool:
    """Whether the options of what is spoken of were read, and neither their names nor what they say is that."""
    said = content_stems(what)
    cells = [
        cell
        for passage in context.fitting
        if passage.source.kind == "tool_result" and passage.source.outcome == "ok"
        for cell, _, _ in passage.cells
        if content_stems(cell.key) & _OPTIONS
    ]
    told = (content_stems(f"{cell.key} {cell.text}") for cell in cells)
    return bool(said and cells) and not any(named_in(said, own) for own in told)


def _no_field(told: str, context: GroundContext) -> bool:
    """Whether results were read, and none of what is spoken of has a field, filled in, that is called so."""
    cells = [
        cell
        for passage in context.fitting
        if passage.source.kind == "tool_result" and passage.source.outcome == "ok"
        for cell, _, _ in passage.cells
        if not cell.is_blank and cell.raw not in (0, False)
    ]
    parts = [told] if not _LINK.search(told) else re.split(r"\b(?:or|and|nor)\b|,", told)
    return bool(cells) and all(_is_untold(part, cells) for part in parts)


def _is_untold(part: str, cells: Sequence[Cell]) -> bool:
    """Whether no field is called as one of the data; a link is told by its address alone, not by a number that
    it might lead to."""
    if _LINK.search(part):
        return not any(_LINK.search(cell.key) or _ADDRESS.search(cell.text) for cell in cells)
    said = content_stems(part) - _SILENT
    return bool(said) and not any(content_stems(cell.key) & said for cell in cells)


_LINK = re.compile(r"\b(?:links?|urls?)\b", re.I)
_ADDRESS = re.compile(r"https?://|\bwww\.", re.I)


_SILENT = content_stems(
    "date time number detail information info field attribute flag specific additional estimated recorded shown return "
    "indicate flag report display provide show order item product separate record list see find available contain include "
    "exist match data currently yet entry document name direct"
)
"""Words that do not tell one field from another."""


def _lacks(label: str, context: GroundContext) -> bool:
    """Whether no row that the claim speaks about has a field of that name."""
    rows = [
        passage
        for passage in context.fitting
        if passage.record is not None and context.topic.names(context.rows.chain(passage))
    ]
    ways = [content_stems(way) for way in _OR.split(label)]
    keys = [content_stems(cell.key) for passage in rows for cell, _, _ in passage.cells]
    return bool(rows) and not any(way and named_in(way, key) == way for way in ways for key in keys)


def _unlisted(claim: Claim, context: GroundContext) -> bool:
    """Whether no field of the results is called as an item of "What I don't see: - delivery date"."""
    ways = [content_stems(way) for way in _OR.split(_ASIDE.sub("", claim.text))]
    wanted = [way for way in ways if way]
    keys = context.search.once("keys of results", lambda: _keys(context))
    return bool(wanted) and not any(named_in(way, key) == way for way in wanted for key in keys)


_NEGATIVE = re.compile(r"\b(?:no|not|none|nothing|never|nowhere|without|n/a)\b|n['’]t\b", re.I)
_ASIDE = re.compile(r"\([^()]*\)")
_OR = re.compile(r"\s*/\s*|,|\bor\b|\band\b", re.I)


def _keys(context: GroundContext) -> frozenset[frozenset[str]]:
    """The words of every field's name."""
    return frozenset(
        content_stems(cell.key)
        for passage in context.search.passages
        if passage.source.kind == "tool_result"
        for cell, _, _ in passage.cells
        if not cell.is_blank
    )
