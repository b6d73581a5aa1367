"""Marks that are codes: "[LA-2025-19]" before a passage of a text, and behind what an answer draws from it.

Numbers in brackets are the citations of lists that a tool has counted; a text may mark its parts by the codes
of files or letters as well, and then a claim is of the part that it is marked with.
"""

from __future__ import annotations

import re
from collections import defaultdict

from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_CODE = r"[\[【](?P<code>(?=[^\]】]*\d)(?=[^\]】]*[A-Za-z])[\w./-]{2,30})[\]】](?!\()"
_MARK = re.compile(_CODE)
_BEFORE_A_PART = re.compile(rf"^\s*{_CODE}", re.M)
_CLEARLY = 2
"""Words more that another part has of a claim than the one it is marked with."""


def of_another_mark(claim: Claim, context: GroundContext) -> str | None:
    """The mark of the part that says what a claim draws from another one; None where that is not clear."""
    parts = context.search.once("marked parts", lambda: _parts(context))
    cited = [m["code"] for m in _MARK.finditer(claim.text)]
    if not cited or len(parts) < 2 or not set(cited) <= set(parts):
        return None
    said = content_stems(_MARK.sub(" ", claim.text))
    shared = {code: len(named_in(said, content_stems(text))) for code, text in parts.items()}
    own = max(shared[code] for code in cited)
    best = max(shared, key=lambda code: shared[code])
    return best if shared[best] >= own + _CLEARLY else None


def _parts(context: GroundContext) -> dict[str, str]:
    """The parts of the results by the codes that they are marked with."""
    parts: dict[str, list[str]] = defaultdict(list)
    source, code = -1, ""
    for passage in context.search.passages:
        if not is_result(passage) or passage.record is not None:
            continue
        if passage.source.id != source:
            source, code = passage.source.id, ""
        at = 0
        for mark in _BEFORE_A_PART.finditer(passage.text):
            parts[code].append(passage.text[at : mark.start()])
            code, at = mark["code"], mark.end()
        parts[code].append(passage.text[at:])
    parts.pop("", None)
    return {code: " ".join(["", *texts]) for code, texts in parts.items()}
