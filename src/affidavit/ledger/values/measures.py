"""Amounts: money, percent, quantities, durations, counts and bare numbers."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from affidavit.ledger.language import is_function_word, language_of
from affidavit.ledger.values.currencies import CODES, MINOR_WORDS, SIGNS, WORDS, named_currency
from affidavit.ledger.values.durations import find_spelled, joined_durations, minutes
from affidavit.ledger.values.numerals import Numeral, numerals
from affidavit.ledger.values.spelled_units import spelled_unit
from affidavit.ledger.values.text import singular
from affidavit.ledger.values.units import quantity_unit, time_unit
from affidavit.ledger.values.value import Value, ValueKind

_SIGN_AFTER = "|".join(re.escape(s) for s in sorted(SIGNS, key=len, reverse=True))
_LEFT_MONEY = re.compile(
    rf"(?P<minus>(?<![\w)])[-−]\s?)?(?:(?<![\w])(?P<code>[A-Z]{{3}})(?:\s?[$€£])?|(?P<sign>{_SIGN_AFTER}))"
    r"[\s\u00a0\u202f]?$"
)
_RIGHT_MONEY = re.compile(
    rf"[\s\u00a0\u202f]?(?:(?P<sign>{_SIGN_AFTER})(?![\w])|(?P<code>[A-Z]{{3}})(?![\w])|"
    r"[\s-]?(?:U\.?S\.? |Canadian |Australian )?(?P<word>[^\W\d_]+(?!\w)|¢))"
)
_SCALES = {
    "k": 3, "K": 3, "M": 6, "MM": 6, "mm": 6, "B": 9, "bn": 9, "Bn": 9, "tn": 12,
    "mn": 6, "mio": 6, "mrd": 9, "tsd": 3, "thousand": 3, "million": 6, "millions": 6,
    "billion": 9, "billions": 9, "trillion": 12, "tausend": 3, "millionen": 6, "milliarden": 9,
    "milliarde": 9, "millones": 6, "millón": 6, "millón de": 6, "milioni": 6, "milione": 6,
    "miliardi": 9, "milliards": 9, "milhões": 6, "milhão": 6, "miljoen": 6, "miljard": 9,
    "lakh": 5, "crore": 7,
}  # fmt: skip
_SCALE = re.compile(
    r"(?:(?P<short>[kKMB]|MM|bn|Bn|mn|tn)(?![\w])|\s(?P<spaced>bn|mn|[Mm]io|[Mm]rd|[Tt]sd|tn)\b\.?|"
    r"[\s-](?P<word>thousand|millions?|billions?|trillion|[Tt]ausend|[Mm]illionen|[Mm]illiarden?|"
    r"millones|millón|milioni|milione|miliardi|milliards|milhões|milhão|miljoen|miljard|lakh|"
    r"crore)\b(?:\sd[e'’]\s?)?)"
)
_PERCENT = re.compile(
    r"[\s\u00a0\u202f-]?(?:%(?!\w)|(?:percent|per cent|pct|Prozent|por ciento|pour cent|per cento|"
    r"por cento|procent|percentage points?|Prozentpunkte?)\b)",
    re.I,
)
_BASIS_POINTS = re.compile(r"[\s-]?(?:basis points?|bps?\b|Basispunkte?)", re.I)
_PER_MILLE = re.compile(r"\s?‰")
_UNIT = re.compile(
    r"[\s\u00a0\u202f-]?(?P<unit>[°º]\s?[CF]?|[℃℉]|[^\W\d_]+(?:[²³]|\d(?!\w))?(?:/[^\W\d_]+(?:[²³]|\d(?!\w))?)?)"
    r"(?![\w°])"
)
_SPACED_DEGREE = re.compile(
    r"\s?(?:[°º]\s?(?=[A-Za-z]{7})|(?:degrees?|degs?\.?|Grad|grados|graus|degrés|gradi|graden)\s)"
    r"(?P<c>[Cc]elsius|[Cc]entigrade|[Ff]ahrenheit|C|F)\b"
)
_NOUN = re.compile(r"(?P<gap>[\s-])(?P<noun>[^\W\d_]+(?:-[^\W\d_]+)*)(?![\w])")
_RANGE = re.compile(r"\s?(?:-|–|—|\bto\b|\bbis\b|\bà\b|\ba\b|\bal\b|\btot\b)\s?")
_BETWEEN = re.compile(r"\b(?:between|zwischen|entre|tra|tussen)\s[^.]{0,12}$", re.I)
_AND = re.compile(r"\s(?:and|und|y|e|et|en)\s")


def find_measures(text: str, taken: bytearray) -> list[Value]:
    """Every amount and number of a text outside the places already taken."""
    found = find_spelled(text)
    busy = [(v.start, v.end) for v in found]
    for numeral in numerals(text, taken):
        if taken.find(1, numeral.start, numeral.end) >= 0:
            continue
        if any(s < numeral.end and numeral.start < e for s, e in busy):
            continue
        found.append(_measure(text, numeral))
    found.sort(key=lambda value: value.start)
    return joined_durations(text, minutes(_shared_units(text, found)))


def _measure(text: str, numeral: Numeral) -> Value:
    """One number with whatever stands beside it: a sign, a scale, a unit, a noun."""
    start, end, number, other = numeral.start, numeral.end, numeral.number, numeral.other
    factor = Decimal(1)
    left = _left_money(text, start)
    if scale := _SCALE.match(text, end):
        name = scale["short"] or scale["spaced"] or scale["word"]
        is_scale = left or not scale["short"] or scale["short"] in ("k", "K", "M", "bn")
        if is_scale:
            factor = Decimal(f"1E{_SCALES.get(name) or _SCALES.get(name.lower(), 0)}")
            end = scale.end()
    elif left and re.match(r"m(?!\w)", text[end : end + 2]):
        factor, end = Decimal("1E6"), end + 1

    def value(
        kind: ValueKind, stop: int, by: Decimal, unit: str, name: str, begin: int = start
    ) -> Value:
        return Value(
            kind,
            text[begin:stop], begin, stop, number=number * by, unit=unit, face=number * factor,
            face_unit=name, other=None if other is None else other * by,
        )  # fmt: skip

    if left:
        begin, unit, minus = left
        # "$5 USD" and "US$5 dollars" say it twice.
        again = _RIGHT_MONEY.match(text, end)
        if again and again["code"] in CODES and (unit in ("$", "kr", "¥") or again["code"] == unit):
            unit, end = again["code"], again.end()
        money = value("money", end, factor, unit, "", begin)
        return replace(money, number=-abs(number * factor)) if minus else money
    if match := _BASIS_POINTS.match(text, end):
        return value("percent", match.end(), factor / 100, "", "bp")
    if match := _PERCENT.match(text, end):
        return value("percent", match.end(), factor, "", "percent")
    if match := _PER_MILLE.match(text, end):
        return value("percent", match.end(), factor / 10, "", "‰")
    if named := named_currency(text, end):
        return value("money", named[1], factor, named[0], "")
    if (match := _RIGHT_MONEY.match(text, end)) and (unit_of := _money_unit(match)) is not None:
        unit, by = unit_of
        return value("money", match.end(), factor * by, unit, "cent" if by != 1 else "")
    if match := _SPACED_DEGREE.match(text, end):
        return value("quantity", match.end(), factor, "°" + match["c"][0].upper(), "")
    if spelled := spelled_unit(text, end):
        symbol, stop = spelled
        if measured := quantity_unit(symbol):
            return value("quantity", stop, factor * measured[1], measured[0], symbol)
        return value("number", stop, factor, symbol, symbol)
    if (match := _UNIT.match(text, end)) and (known := _known_unit(text, numeral, match)):
        kind, base, by, name = known
        return value(kind, match.end(), factor * by, base, name)
    return value("number", end, factor, _counted(text, end), "")


def _left_money(text: str, start: int) -> tuple[int, str, bool] | None:
    # Most numbers follow a plain word or a mark; signs like "zł", "kr" and "Fr." end like those.
    before = text[start - 1 : start]
    if before not in ("ł", "č", "t", "r", ".") and (before.islower() or before in "\n,;:)"):
        return None
    base = max(0, start - 8)
    match = _LEFT_MONEY.search(text, base, start)
    if match is None:
        return None
    unit = SIGNS[match["sign"]] if match["sign"] else match["code"]
    if match["code"] and unit not in CODES:
        return None
    if match["sign"] and match["sign"][0].isalpha():
        before = text[match.start("sign") - 1 : match.start("sign")]
        if before.isalnum():
            return None
    return match.start(), unit, bool(match["minus"])


def _money_unit(match: re.Match[str]) -> tuple[str, Decimal] | None:
    if match["sign"]:
        return SIGNS[match["sign"]], Decimal(1)
    if match["code"]:
        return (match["code"], Decimal(1)) if match["code"] in CODES else None
    word = match["word"].lower()
    if word in WORDS:
        return WORDS[word], Decimal(1)
    if word in MINOR_WORDS and not (word in ("p", "ct") and match[0][0].isspace()):
        return MINOR_WORDS[word], Decimal("0.01")
    return None


def _known_unit(
    text: str, numeral: Numeral, match: re.Match[str]
) -> tuple[ValueKind, str, Decimal, str] | None:
    word = match["unit"].replace(" ", "").replace("º", "°")
    glued = match[0] == match["unit"]
    if timed := time_unit(word):
        if word == "s" and glued and _AGES.search(text, max(0, numeral.start - 24), numeral.start):
            return None
        # "5 d" and "5 w" are columns or codes; "5 mo" rarely anything else.
        if len(word) == 1 and not glued and word != "h" and word != "s":
            return None
        if word.lower() == "second" and language_of(text) == "en" and numeral.in_words:
            return None  # "one second" is kept by its plural, "two second" is no duration
        return "duration", timed[0], timed[1], singular(word.lower())
    if measured := quantity_unit(word):
        if numeral.in_words and len(word) <= 2:
            return None
        return "quantity", measured[0], measured[1], word
    return None


_AGES = re.compile(
    r"(?:\A|[\n.,;:(|·•]\s{0,24}|\b(?i:for|the|all|most|no|and|or|to|our)\s)(?i:under|over)[\s-]\Z|\b(?:(?i:under|over)-|(?:Under|Over)\s)\Z",
)
"""Before an age that stands for the people of it, "Under 12s free", "the over-65s"; a reply "in under 12s" takes
seconds."""


def _counted(text: str, end: int) -> str:
    """The noun that follows a bare number, which is its unit: "five open invoices"; "" for none."""
    words: list[str] = []
    at = end
    while len(words) < 3 and (match := _NOUN.match(text, at)):
        word = match["noun"].lower()
        # "20,000 a day" and "18 Harbour Row" count nothing that is named, "20,000 API calls" do.
        named = match["noun"][0].isupper() and not match["noun"].isupper()
        if is_function_word(word) or named or match["gap"] == "\n":
            break
        words.append(word)
        at = match.end()
        if singular(word) != word:
            return " ".join([*words[:-1], singular(word)])
    # An acronym counts only with its plural: "two TAP Air seats" are not two TAP.
    first = _NOUN.match(text, end) if words else None
    return "" if first is None or first["noun"].isupper() else words[0]


def _shared_units(text: str, values: list[Value]) -> list[Value]:
    """In a range both ends have the unit that is said once: "5-10 km", "$5 to 10"."""
    for i in range(len(values) - 1):
        a, b = values[i], values[i + 1]
        gap = text[a.end : b.start]
        if len(gap) > 5 or not (
            _RANGE.fullmatch(gap)
            or (_AND.fullmatch(gap) and _BETWEEN.search(text, max(0, a.start - 24), a.start))
        ):
            continue
        if a.kind == "number" and a.face is not None and b.face is not None and a.face > b.face:
            continue  # "item 4293355847 — $200.80": a range goes up
        if a.kind == "number" and b.kind != "number":
            values[i] = _like(a, b)
        elif b.kind == "number" and not b.unit and a.kind == "money":
            values[i + 1] = _like(b, a)
        elif a.kind == b.kind == "number" and not a.unit:
            values[i] = replace(a, unit=b.unit)  # "5 to 7 business days"
    return values


def _like(value: Value, model: Value) -> Value:
    factor = Decimal(1)
    if model.number and model.face and model.kind in ("quantity", "duration"):
        factor = model.number / model.face
    assert value.number is not None
    return replace(
        value, kind=model.kind, number=value.number * factor, unit=model.unit,
        face_unit=model.face_unit,
    )  # fmt: skip
