"""A value's very words in some passage, where no parser saw a value: names in longer text, a version
behind an image's name, a number in a log line."""

from __future__ import annotations

import re

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import Value, fold
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.checks.values.value_verdict import SOFT, Outcome, ValueVerdict
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
            or _abbreviates(passage, value, claim)
            or _is_period(value, passage)
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
        whole = f" {fold(passage.text)} "
        named_shortly = value.kind == "identifier" and f" {value.key} " in whole  # p95
        return named_shortly or f" {fold(value.text)} " in whole
    texts = [c.text for c, _, _ in passage.cells if len(c.text) > 40]
    said = _grouped(value.text) if value.number is not None else re.escape(value.text)
    price = r"(?<![€$£¥])(?<![€$£¥] )" if value.bound else ""  # "under 12" is not in "Adults €12"
    alone = rf"(?<![\w.,:/-]){price}{said}(?![\w:/-]|[.,]\d)"
    return any(re.search(alone, text) for text in (texts if passage.record else [passage.text]))


_WEEK = re.compile(r"\b(?:week|wk|kw|cw|kalenderwoche|woche|semaine|semana|settimana)\s$", re.I)
_FISCAL = re.compile(r"\b(?:fiscal(?:\syear)?|financial\syear|business\syear|FY)\s$", re.I)


_PRODUCT = re.compile(r"(?<!\w)(?P<name>[A-Z][A-Za-z]*[A-Z]|[A-Z]{2,})\s(?:v|version )?$")
"""A name in capitals before a number, which tools write in one with it: "SMB 3" is SMBv3, "IP 6" IPv6."""


def _abbreviates(passage: Passage, value: Value, claim: Claim) -> bool:
    """Whether a passage writes short what the claim spells out: "week 11" for W11, "fiscal 2026" for FY26,
    "SMB 3" for SMBv3."""
    before = claim.text[max(0, value.start - 20) : value.start]
    if value.kind == "number" and _WEEK.search(before) and value.text.isdecimal():
        return bool(re.search(rf"(?<![A-Za-z])W0?{int(value.text)}(?!\d)", passage.text))
    product = _PRODUCT.search(before)
    if value.kind == "number" and product and re.fullmatch(r"\d{1,3}", value.text):
        name = re.escape(product["name"])
        return bool(re.search(rf"(?<![A-Za-z]){name}[-_:/]?v?{value.text}(?![\w.])", passage.text))
    year = re.fullmatch(r"20(\d\d)", value.text)
    if year and _FISCAL.search(before):
        return bool(re.search(rf"\bFY\s?'?(?:20)?{year[1]}(?!\d)", passage.text, re.I))
    return False


def _is_period(value: Value, passage: Passage) -> bool:
    """Whether a year is one that a field is named after: "higher than in 2024" of ``revenue_2024``."""
    if value.moment is None or not _YEAR.fullmatch(value.text):
        return False
    return any(value.text in cell.key.split() for cell, _, _ in passage.cells)


_YEAR = re.compile(r"(?:19|20)\d\d")


def _grouped(text: str) -> str:
    """A pattern for a number with marks between its thousands or without: 1880 is in "EUR 1,880"."""
    plain = text.replace(",", "")
    if not plain.isdecimal() or len(plain) < 4:
        return re.escape(text)
    first = len(plain) % 3
    groups = [plain[:first]] if first else []
    groups += [plain[at : at + 3] for at in range(first, len(plain), 3)]
    return "[,.'’ \u00a0\u202f]?".join(groups) + r"(?:[.,]00?)?"
