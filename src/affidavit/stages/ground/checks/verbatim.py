"""A value's very words in some passage, where no parser saw a value: names in longer text, a version
behind an image's name, a number in a log line."""

from __future__ import annotations

import re

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import Value, fold
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.checks.value_verdict import SOFT, Outcome, ValueVerdict
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext


def verbatim(value: Value, claim: Claim, context: GroundContext) -> ValueVerdict | None:
    """Where a value stands word for word; None where it does not."""
    if not fold(value.text):
        return ValueVerdict(value, "found")
    around = content_stems(claim.statement)
    soft = value.kind in SOFT
    stems = (
        content_stems(value.text) - _QUALIFIERS
        if value.kind == "name"
        else content_stems(value.text)
    )
    if not stems and soft:
        return ValueVerdict(value, "open")  # "Current Default" names nothing
    if value.kind == "name" and value.text.isupper() and value.text in _initials(context):
        return ValueVerdict(value, "open")  # "FG" calls a field by its initials
    told = (
        context.search.once("words of sources", lambda: _words_by_source(context)) if soft else {}
    )
    for passage in context.fitting:
        if (
            _says(passage, value)
            or _is_masked(value, claim, passage)
            or (soft and told[passage.source.id] >= stems)
        ):
            linked = soft or len(named_in(passage.stems, around)) >= 2
            outcome: Outcome = "found" if linked else "unlinked"
            return ValueVerdict(value, outcome, passage.span(), named_field=claim.is_datum)
    return None


_QUALIFIERS = content_stems(
    "new original current additional default previous old updated remaining final second another main "
    "primary alternative existing requested stock"
)
"""Words before a name that say which of its like is meant: "New Bicycle"."""


def _is_masked(value: Value, claim: Claim, passage: Passage) -> bool:
    """Whether a value shown in part, "****7301@example.com", ends one that the passage shows whole."""
    if not re.search(r"[*•x]{2,}$", claim.text[: value.start]):
        return False
    whole = re.escape(value.text.strip("*•."))
    return bool(re.search(rf"\w{whole}(?!\w)", passage.text))


def _initials(context: GroundContext) -> frozenset[str]:
    """The initials of the fields' names: FG of ``field_goals_made``."""

    def read() -> frozenset[str]:
        keys = {cell.key for p in context.search.passages for cell, _, _ in p.cells}
        words = [[word[0].upper() for word in key.split()] for key in keys]
        return frozenset(
            "".join(letters[a:b])
            for letters in words
            for a in range(len(letters))
            for b in range(a + 2, len(letters) + 1)
        )

    return context.search.once("initials", read)


def _words_by_source(context: GroundContext) -> dict[int, set[str]]:
    """The words of each result or message as a whole, by its number."""
    found: dict[int, set[str]] = {}
    for passage in context.search.passages:
        told = found.setdefault(passage.source.id, set())
        told.update(passage.stems)
        for cell, _, _ in passage.cells:
            if cell.key.endswith("size") and cell.text in _SIZES:
                told.update(content_stems(_SIZES[cell.text]))
    return found


_SIZES = {"XS": "extra small", "S": "small", "M": "medium", "L": "large", "XL": "extra large"}
"""Sizes as labels have them, and as people say them."""


def _says(passage: Passage, value: Value) -> bool:
    """Whether a passage holds the value's text as a unit. A measure counts in running text only: a
    field that holds one has been read, and the 10 of ``2026-10-02`` is no ten."""
    if value.number is None and value.moment is None:
        return f" {fold(value.text)} " in f" {fold(passage.text)} "
    texts = [c.text for c, _, _ in passage.cells if len(c.text) > 40]
    alone = rf"(?<![\w.,:/-]){_grouped(value.text)}(?![\w:/-]|[.,]\d)"
    return any(re.search(alone, text) for text in (texts if passage.record else [passage.text]))


def _grouped(text: str) -> str:
    """A pattern for a text; for plain digits, "1880", also as running text writes them: "1,880"."""
    if not re.fullmatch(r"[1-9]\d{3,}", text):
        return re.escape(text)
    first = len(text) % 3 or 3
    groups = [text[:first], *(text[at : at + 3] for at in range(first, len(text), 3))]
    return r"[,.'’ \u00a0\u202f]?".join(groups)
