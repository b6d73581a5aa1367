"""Asked about: what was found is of another thing than the one that was asked about.

A search for the manual of model 3 that finds the one of model 2 answers nothing about model 3, though the
number of the claim stands there, and the name in the question. Each way of seeing it names the rival: the
other number of the same model, the other codes of the same form, the other place in the same position or in the
record's own field for it, what the field of that very name holds instead, the other title of the same words, the
other thing in a sentence that is otherwise the claim's own.
"""

from __future__ import annotations

import re

from affidavit.ledger.words import (
    content_stems,
    is_negated,
)
from affidavit.stages.ground.checks.sources.asked import MARKUP, Other, is_only_asked, told_of
from affidavit.stages.ground.checks.sources.other_codes import of_another_code, of_another_number
from affidavit.stages.ground.checks.sources.other_places import lying_elsewhere, of_another_place
from affidavit.stages.ground.checks.sources.other_sorts import of_another_person, of_another_sort
from affidavit.stages.ground.checks.sources.other_titles import of_another_title, with_another_word
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext


def other_thing(claim: Claim, context: GroundContext) -> Other | None:
    """The thing that a claim is about and that only the question speaks of, with the one that was found."""
    if claim.kind not in ("fact", "citation") or claim.is_datum or not claim.covered:
        return None
    if is_negated(claim.text) or _HEDGED.search(claim.text) or not _answered(context):
        return None
    for find in (
        of_another_number,
        of_another_code,
        of_another_place,
        lying_elsewhere,
        of_another_sort,
        of_another_person,
        of_another_title,
        with_another_word,
    ):
        if (other := next(find(claim, context), None)) is not None:
            return other
    return None


_HEDGED = re.compile(
    r"\b(?:if|whether|about|search(?:ed)? for|look(?:ed|ing) for|asked|instead|similar|related|closest|like)\b",
    re.I,
)
"""What speaks of the question itself, or says that it found another thing."""


def _answered(context: GroundContext) -> bool:
    return any(entry.outcome == "ok" for entry in context.ledger.calls)


_CONTRAST = re.compile(
    r"\b(?:about|for|of|from|in|on|to|covers?|covering|concerns?|concerning|mentions?|describes?|names?|lists?|is|are|was|were)\s+"
    r"(?P<found>[^,;]{2,60}?),?\s+(?:(?:and|but)\s+)?(?:not|rather than|instead of)\s+"
    r"(?:(?:about|for|of|from|in|on|to|the|your|a|an)\s+)*(?P<asked>[^,;]{2,60}?)\W*$",
    re.I,
)
_WHAT_CAME = re.compile(
    r"\b(?:pages?|results?|documents?|articles?|entr(?:y|ies)|match(?:es)?|hits?|listings?|records?|what|it|that|this|they|those|these|terms|one|guide|manual|search|file|text)\b",
    re.I,
)


def says_other_was_found(claim: Claim, context: GroundContext) -> str | None:
    """Why it is right that what came up is about one thing and not the other: results speak of the one only.
    "The only page found is about Southport, not Northport" says nothing else that would need proof."""
    said = _CONTRAST.search(MARKUP.sub("", claim.text))
    if said is None or claim.kind not in ("fact", "absence", "citation"):
        return None
    told = told_of(context)
    found, asked = said["found"], said["asked"]
    subject = claim.text[: max(0, claim.text.find(said[0]))]
    if not _WHAT_CAME.search(subject) or not content_stems(asked) or not content_stems(found):
        return None
    own = content_stems(found)
    speaks = any(own <= content_stems(text) for _, text in told.texts)
    return (
        f"what was found speaks of {found} only"
        if speaks and is_only_asked(asked, context)
        else None
    )
