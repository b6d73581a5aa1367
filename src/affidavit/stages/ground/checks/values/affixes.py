"""What a number begins or ends with: "your booking reference starts with ‘QX’", over the references that were read.

Where none was read, the examples count that the declarations of tools give: "such as '#W0000000'".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.records import words_of
from affidavit.ledger.words import content_stems, is_negated
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "affixes"

_AFFIX = re.compile(
    r"\b(?P<what>(?:[\w'’]+ ){0,3}?(?:ids?|numbers?|codes?|references?|refs?)) (?:always |usually |should |will )?(?P<side>begins?|starts?|ends?) (?:with|in)"
    r"(?: (?:an?|the)(?: (?:letters?|symbol|sign|prefix|hash))?)? (?:[\"“'‘`*\\]+(?P<quoted>[^\s\"”'’`*.,;:()\\]{1,6})(?=[\"”'’`*\\])|(?P<bare>(?-i:[A-Z\d#_-]{1,6}))(?!\w))",
    re.I,
)
"""The affix in quotes, or in capitals and digits: "with the letters of your name" gives none."""
_EXAMPLE = re.compile(r"['\"`](?P<text>[^'\"`\s]{3,30})['\"`]")
_LIGHT = content_stems("your its unique own every each")


def check_affixes(claim: Claim, context: GroundContext) -> Finding:
    """Hold the affix against every number of that name."""
    said = _AFFIX.search(claim.text)
    if said is None or is_negated(claim.text):
        return Finding.skip(NAME, "does not say what a number begins with")
    what = content_stems(said["what"]) - _LIGHT
    read = list(_read(what, context))
    texts = read or list(_examples(what, context))
    if not what or not texts:
        return Finding.skip(NAME, "no number of that name was read")
    affix = (said["quoted"] or said["bare"]).casefold()
    ends = said["side"].lower().startswith("end")
    fits = [t.casefold().endswith(affix) if ends else t.casefold().startswith(affix) for t in texts]
    if all(fits):
        return Finding(NAME, "checked", "supports", 0.93, None, f"as {texts[0]} does")
    if any(fits):
        return Finding.skip(NAME, "some do and some do not")
    detail = f"the evidence has {texts[0]}"
    return Finding(NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail)


def _read(what: frozenset[str], context: GroundContext) -> Iterator[str]:
    for passage in context.search.passages:
        for cell, _, _ in passage.cells if passage.source.kind == "tool_result" else ():
            if isinstance(cell.raw, str) and what and what <= content_stems(cell.key):
                yield cell.text


def _examples(what: frozenset[str], context: GroundContext) -> Iterator[str]:
    """The examples that tools give of a parameter of that name."""
    for tool in context.ledger.tools or ():
        properties = (tool.input_schema or {}).get("properties")
        for name, about in properties.items() if isinstance(properties, dict) else ():
            described = about.get("description") if isinstance(about, dict) else None
            if isinstance(described, str) and what and what <= content_stems(words_of(name)):
                yield from (m["text"] for m in _EXAMPLE.finditer(described))
