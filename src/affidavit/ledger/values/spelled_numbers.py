"""Numbers that are written in parts: "1½", "3/4 cup", "two and a half hours", "1.2 × 10⁻⁵", "3.4e6"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from typing import TypeAlias

from affidavit.ledger.values.cued import Cued

Written: TypeAlias = tuple[int, int, Decimal]
"""Start, end and number of one that is written in parts."""

# A plain "3e6" is as often a hash, so that one of point, sign and "× 10" must stand.
_SCIENTIFIC = re.compile(
    r"(?<![\w.,])[-−]?(?P<m>\d{1,3}(?:[.,]\d{1,12})?)"
    r"(?:(?:(?<=[.,]\d)|(?<=[.,]\d\d)|(?<=[.,]\d\d\d)|(?<=[.,]\d{4})|(?=[eE][-+]))[eE](?P<e>[-+]?\d{1,2})"
    r"|\s?[×x*·]\s?10(?:\^\s?[{(]?(?P<caret>[-−+]?\d{1,2})[})]?|(?P<raised>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})))"
    r"(?![\w.]\w)"
)
_SIGN_FRACTION = re.compile(
    r"(?<![\w.,])(?:(?P<n>\d{1,3})[ \u00a0]?)?(?P<f>[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])(?!\d)"
)
# "3/4 cup" and "1 1/2 inches"; "3/4 tests" are three of four, and 3/4 alone may be a date.
_SLASH_FRACTION = re.compile(
    r"(?<![\w/.,-])(?:(?P<n>\d{1,3})[ -])?(?P<a>\d{1,2})/(?P<b>2|3|4|5|6|8|16|32)(?=[ -]?(?:[\"”″]|of an? |(?:cups?|"
    r"tsp|tbsp|teaspoons?|tablespoons?|inch(?:es)?|in|miles?|mi|lbs?|pounds?|oz|ounces?|pints?|quarts?|"
    r"gal(?:lons?)?|hours?|hrs?|km|l|lit(?:re|er)s?|ml|kg|g|yards?|acres?|tasse|stunden?|tassen)\b))",
    re.I,
)
_ONES = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
).split()
_AND_PART = Cued(
    re.compile(
        rf"(?<![\w.,-])(?P<n>\d{{1,3}}|{'|'.join(_ONES)}) and (?:(?:a|one)[ -](?P<one>half|quarter|third)|"
        r"(?P<more>two thirds|three quarters))(?!\w)",
        re.I,
    ),
    " and a", " and one", " and t",
)  # fmt: skip
_PARTS = {
    "half": Decimal("0.5"), "quarter": Decimal("0.25"), "three quarters": Decimal("0.75"),
    "third": Decimal(1) / 3, "two thirds": Decimal(2) / 3,
}  # fmt: skip
_HALVES = {"anderthalb": "1.5", "eineinhalb": "1.5", "zweieinhalb": "2.5", "dreieinhalb": "3.5", "viereinhalb": "4.5", "anderhalf": "1.5", "anderhalve": "1.5"}  # fmt: skip
_HALF_WORD = Cued(
    re.compile(rf"(?<!\w)(?:{'|'.join(_HALVES)})(?!\w)", re.I), "anderthalb", "anderhal", "einhalb"
)


def written_numbers(text: str) -> Iterator[Written]:
    """Every number of a text that is written in parts."""
    for match in _SCIENTIFIC.finditer(text):
        yield *match.span(), _scientific(match)
    for match in _SIGN_FRACTION.finditer(text) if not text.isascii() else ():
        whole = Decimal(match["n"] or 0)
        part = Decimal(str(unicodedata.numeric(match["f"]))).quantize(Decimal("0.0001"))
        yield *match.span(), (whole + part).normalize()
    for match in _SLASH_FRACTION.finditer(text) if "/" in text else ():
        if int(match["a"]) < int(match["b"]):
            part = Decimal(match["a"]) / Decimal(match["b"])
            yield *match.span(), Decimal(match["n"] or 0) + round(part, 5).normalize()
    for match in _AND_PART.finditer(text):
        said = match["n"].lower()
        count = int(said) if said.isdecimal() else _ONES.index(said) + 1
        part = _PARTS[(match["one"] or match["more"]).lower()]
        yield *match.span(), count + round(part, 4).normalize()
    for match in _HALF_WORD.finditer(text):
        yield *match.span(), Decimal(_HALVES[match[0].lower()])


def read_scientific(text: str) -> Decimal | None:
    """The number that a whole text is in scientific notation, or None."""
    match = _SCIENTIFIC.fullmatch(text)
    return _scientific(match) if match else None


def _scientific(match: re.Match[str]) -> Decimal:
    said = match["e"] or match["caret"] or unicodedata.normalize("NFKC", match["raised"] or "0")
    exponent = int(said.replace("−", "-"))
    number = Decimal(match["m"].replace(",", ".")).scaleb(exponent)
    return -number if match[0][0] in "-−" else number
