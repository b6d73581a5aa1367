"""Contrasts: "the order holds a speaker and a purifier, not two watches", "it does not include a lamp".

What is denied of the thing that the claim names can be looked for: the parts of the thing are known.
"""

from __future__ import annotations

import re

from affidavit.ledger.words import content_stems
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "contrasts"

_CONTRAST = re.compile(
    r"\b(?:includes?|contains?|has|have|holds?|lists?|shows?|consists? of|comes? with)\b(?P<held>.*\w.*?)"
    r"(?:, (?:and |but )?(?:not|no)|,? but (?:not|no)|,? and (?:not|no))\s+"
    r"(?:an?|any|the|your|two|three|four|\d+)?\s*(?P<denied>[\w -]{3,40}?)\W*$",
    re.I,
)
_LACKS = re.compile(
    r"\b(?:do(?:es)?(?: not|n['’]t) (?:include|contain|have|list|show|hold)|lacks?)\s+(?:an?|any)\s+"
    r"(?P<denied>[\w-]+(?: [\w-]+){0,2}?)\W*$",
    re.I,
)


def check_contrasts(claim: Claim, context: GroundContext) -> Finding:
    """Look for what is denied among the parts of the rows that the claim speaks about."""
    said = _CONTRAST.search(claim.text) or _LACKS.search(claim.text)
    if said is None or claim.is_datum:
        return Finding.skip(NAME, "denies no part of a thing")
    denied = content_stems(said["denied"])
    parts = [
        passage
        for passage in context.fitting
        if is_result(passage) and context.topic.names(context.rows.chain(passage))
    ]
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
