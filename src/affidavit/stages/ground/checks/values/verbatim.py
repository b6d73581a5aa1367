"""A value's very words in some passage, where no parser saw a value: names in longer text, a version
behind an image's name, a number in a log line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

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
    says = _saying(value)
    otherwise = [p for p in (_abbreviation(value, claim), _unmasked(value, claim)) if p]
    is_year = value.moment is not None and bool(_YEAR.fullmatch(value.text))
    for passage in context.fitting:
        if (
            says(passage)
            or any(pattern.search(passage.text) for pattern in otherwise)
            or (is_year and _is_period(value, passage))
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


def _unmasked(value: Value, claim: Claim) -> re.Pattern[str] | None:
    """What a value shown in part, "****7301@example.com", ends where it is shown whole."""
    if not re.search(r"[*•x]{2,}$", claim.text[: value.start]):
        return None
    return re.compile(rf"\w{re.escape(value.text.strip('*•.'))}(?!\w)")


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


def _saying(value: Value) -> Callable[[Passage], bool]:
    """Whether a passage holds the value's text as a unit. A measure counts in running text only: a
    field that holds one has been read, and the 10 of ``2026-10-02`` is no ten."""
    if value.number is None and value.moment is None:
        words = [f" {fold(value.text)} "]
        words += [f" {value.key} "] if value.kind == "identifier" else []  # p95
        return lambda passage: _holds(f" {fold(passage.text)} ", words)
    said = _grouped(value.text) if value.number is not None else re.escape(value.text)
    price = r"(?<![€$£¥])(?<![€$£¥] )" if value.bound else ""  # "under 12" is not in "Adults €12"
    alone = re.compile(rf"(?<![\w.,:/-]){price}{said}(?![\w:/-]|[.,]\d)")
    return lambda passage: any(map(alone.search, _running(passage)))


def _holds(text: str, words: Sequence[str]) -> bool:
    return any(word in text for word in words)


def _running(passage: Passage) -> list[str]:
    """The texts of a passage that are no short fields."""
    if passage.record is None:
        return [passage.text]
    return [cell.text for cell, _, _ in passage.cells if len(cell.text) > _FIELD]


_FIELD = 40


_WEEK = re.compile(r"\b(?:week|wk|kw|cw|kalenderwoche|woche|semaine|semana|settimana)\s$", re.I)
_FISCAL = re.compile(r"\b(?:fiscal(?:\syear)?|financial\syear|business\syear|FY)\s$", re.I)


_PRODUCT = re.compile(r"(?<!\w)(?P<name>[A-Z][A-Za-z]*[A-Z]|[A-Z]{2,})\s(?:v|version )?$")
"""A name in capitals before a number, which tools write in one with it: "SMB 3" is SMBv3, "IP 6" IPv6."""


def _abbreviation(value: Value, claim: Claim) -> re.Pattern[str] | None:
    """How a passage writes short what the claim spells out: "week 11" for W11, "fiscal 2026" for FY26,
    "SMB 3" for SMBv3."""
    before = claim.text[max(0, value.start - 20) : value.start]
    if value.kind == "number" and _WEEK.search(before) and value.text.isdecimal():
        return re.compile(rf"(?<![A-Za-z])W0?{int(value.text)}(?!\d)")
    product = _PRODUCT.search(before)
    if value.kind == "number" and product and re.fullmatch(r"\d{1,3}", value.text):
        name = re.escape(product["name"])
        return re.compile(rf"(?<![A-Za-z]){name}[-_:/]?v?{value.text}(?![\w.])")
    year = re.fullmatch(r"20(\d\d)", value.text)
    if year and _FISCAL.search(before):
        return re.compile(rf"\bFY\s?'?(?:20)?{year[1]}(?!\d)", re.I)
    return None


def _is_period(value: Value, passage: Passage) -> bool:
    """Whether a year is one that a field is named after: "higher than in 2024" of ``revenue_2024``."""
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
