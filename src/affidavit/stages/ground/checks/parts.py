"""Parts: "the order holds a speaker and a purifier, not two watches", "it does not include a lamp".

What is said or denied to be part of the thing that the claim names can be looked for: its parts are known.
"""

from __future__ import annotations

import re

from affidavit.ledger.ledger import Passage
from affidavit.ledger.words import content_stems, is_negated
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "parts"

_CONTRAST = re.compile(
    r"\b(?:includes?|contains?|has|have|holds?|lists?|shows?|consists? of|comes? with)\b(?P<held>.*\w.*?)"
    r"(?:, (?:and |but )?(?:not|no)|,? but (?:not|no)|,? and (?:not|no))\s+"
    r"(?:an?|any|the|your|two|three|four|\d+)?\s*(?P<denied>[\w -]{3,40}?)\W*$",
    re.I,
)
_LISTS = re.compile(
    r"\b(?:includes?|contains?|holds?|consists? of|comprises?|has|have|items(?: are| include)?|with)\b:? .*(?:,|\band\b)",
    re.I,
)
_LACKS = re.compile(
    r"\b(?:do(?:es)?(?: not|n['’]t) (?:include|contain|have|list|show|hold)|lacks?)\s+(?:an?|any)\s+"
    r"(?P<denied>[\w-]+(?: [\w-]+){0,2}?)\W*$",
    re.I,
)


def check_parts(claim: Claim, context: GroundContext) -> Finding:
    """Look for what is denied, or enumerated, among the parts of the rows that the claim speaks about."""
    if not claim.is_datum and _LISTS.search(claim.text) and not is_negated(claim.text):
        return _check_enumeration(claim, context)
    said = _CONTRAST.search(claim.text) or _LACKS.search(claim.text)
    if said is None or claim.is_datum:
        return Finding.skip(NAME, "denies no part of a thing")
    denied = content_stems(said["denied"])
    parts = _parts(context)
    if not parts or not denied:
        return Finding.skip(NAME, "names no thing whose parts are known")
    for passage in parts:
        for cell, _, _ in passage.cells:
            if (
                isinstance(cell.raw, str)
                and len(cell.text) <= 60
                and denied <= content_stems(cell.text)
            ):
                span = passage.span(cell)
                return Finding(
                    NAME, "checked", "contradicts", 0.05, "false_absence", f"there is {span.text}", spans=(span,)
                )  # fmt: skip
    detail = f"nothing of it is called {said['denied']}"
    return Finding(
        NAME, "checked", "supports", 0.9, None, detail, spans=(parts[0].span(),), settles="values"
    )


def _check_enumeration(claim: Claim, context: GroundContext) -> Finding:
    """ "It includes a kettle, a torch and a rope": no one row holds all three."""
    named = [v for v in claim.values if v.kind == "name"]
    cells = [
        (passage, cell, content_stems(cell.text))
        for passage in _parts(context)
        for cell, _, _ in passage.cells
        if isinstance(cell.raw, str) and len(cell.text) <= 60
    ]
    found = [
        next((p.span(c) for p, c, held in cells if content_stems(v.text) <= held), None)
        for v in named
    ]
    spans = tuple(span for span in found if span is not None)
    if len(named) < 2 or len(spans) < len(named):
        return Finding.skip(NAME, "enumerates nothing whose parts are all known")
    detail = f"all {len(named)} are parts of it"
    return Finding(NAME, "checked", "supports", 0.9, None, detail, spans=spans, settles="values")


def _parts(context: GroundContext) -> list[Passage]:
    """The results' passages of the rows that the claim speaks about."""
    return [
        passage
        for passage in context.fitting
        if is_result(passage) and context.topic.names(context.rows.chain(passage))
    ]
