"""A plan, a class or a person that only the question names, where the record has another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from affidavit.ledger.values import Value, fold
from affidavit.ledger.words import (
    STOP_WORDS,
    content_stems,
)
from affidavit.stages.ground.checks.sources.asked import LONGEST, Other, drawn_from, told_of
from affidavit.stages.ground.checks.sources.echoes import (
    is_asked_for,
    is_told,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext


def of_another_sort(claim: Claim, context: GroundContext) -> Iterator[Other]:
    """A name beside the noun that a field is called by, which only the question says, where that field of the
    record that the claim is drawn from holds another: "the Premium plan costs $49" of ``plan: Basic``."""
    told = told_of(context)
    sorts = (m for m in _SORTED.finditer(claim.text) if m["sort"].lower() not in STOP_WORDS)
    named = [
        *((value, *_with_noun(value, claim)) for value in claim.values if value.kind in _NAMES),
        *((_named(m), m["sort"], content_stems(m["noun"])) for m in sorts),
    ]
    for value, name, nouns in named:
        if not nouns or not told.is_asked_only(name) or is_asked_for(value, context):
            continue
        if is_told(value, context) and is_told(replace(value, text=name), context):
            continue
        for record, passage in drawn_from(claim, context):
            held = [c for c in record if nouns & content_stems(c.key.split()[-1]) and c.text]
            if len(held) != 1 or len(held[0].text) > LONGEST or fold(name) in fold(held[0].text):
                break
            yield Other(name, held[0].text, passage)


_NAMES = ("name", "identifier", "quoted")
_SORTED = re.compile(
    r"\b(?P<sort>[\w-]{3,}) (?P<noun>class|cabin|tier|edition|grade|category|colou?r|season|semester|division|league)\b",
    re.I,
)
"""Nouns of fields of which each thing has one, so that a word before them is a name, large or small: "business
class" of ``class: economy``."""


def _named(found: re.Match[str]) -> Value:
    start, end = found.span("sort")
    return Value("name", found["sort"], start, end, key=fold(found["sort"]))


_HONOURED = re.compile(
    r"\b(?P<title>Dr|Prof|Professor|Mr|Mrs|Ms|Miss|Judge|Captain|Coach|Sister|Father|Herr|Frau|Dott|Sra?|Mme)\.? "
    r"(?P<name>(?:[A-ZÀ-Þ][\w’'-]*\.? ){0,2}[A-ZÀ-Þ][\w’'-]+)"
)


def of_another_person(claim: Claim, context: GroundContext) -> Iterator[Other]:
    """A person of whom only the question speaks, where the record that the claim is drawn from is of another of
    the same title: "Dr. Weber is in on Monday" of ``doctor: Dr. Ana Wagner``."""
    told = told_of(context)
    for asked in _HONOURED.finditer(claim.text):
        surname = asked["name"].split()[-1]
        if not told.is_asked_only(surname):
            continue
        for record, passage in drawn_from(claim, context):
            for cell in record:
                other = _HONOURED.search(cell.text) if len(cell.text) <= LONGEST else None
                if other and other["title"] == asked["title"]:
                    yield Other(asked[0], other[0], passage)


def _with_noun(value: Value, claim: Claim) -> tuple[str, frozenset[str]]:
    """A name without the noun that it may end in, and the nouns beside it: "Premium" of "the Premium plan"."""
    after = re.match(r"[\"”’']?\s+([a-z]{3,})\b", claim.text[value.end :])
    ahead = re.search(r"\b([a-z]{3,})\s+[\"“‘']?$", claim.text[: value.start])
    *rest, last = value.text.split()
    nouns = content_stems(" ".join(m[1] for m in (after, ahead) if m))
    return (" ".join(rest), content_stems(last)) if rest and not nouns else (value.text, nouns)
