"""Every value in running text, the most telling reading of each place first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from affidavit.ledger.values.east_asian import find_east_asian, has_east_asian, spaced
from affidavit.ledger.values.identifiers import (
    find_addresses,
    find_codes,
    find_identifiers,
    find_paths,
    find_weeks,
)
from affidavit.ledger.values.measures import find_measures
from affidavit.ledger.values.moments import find_moments
from affidavit.ledger.values.names import find_names
from affidavit.ledger.values.quotes import find_quotes
from affidavit.ledger.values.value import Value, ValueKind

_MEASURED: frozenset[ValueKind] = frozenset({"money", "percent", "quantity", "duration"})
_INSIDE_QUOTES = _MEASURED | {"moment", "email", "url", "phone"}

_APPROX = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|close to|some|circa|ca\.|"
    r"an estimated|etwa|rund|ungefähr|circa|knapp|environ|presque|près de|unos|unas|casi|"
    r"aproximadamente|alrededor de|cerca de|cerca di|quasi|ongeveer|bijna)\s(?:the\s|a\s|an\s)?|[~≈]\s?)$",
    re.I,
)
_APPROX_AFTER = re.compile(r"\s?(?:or so|-ish|ish|approximately|approx\.?)\b", re.I)
_MIN = re.compile(
    r"(?:\b(?:at least|minimum(?: of)?|min\.?|no less than|not less than|no fewer than|more than|over|above|"
    r"exceeding|greater than|upwards of|starting (?:at|from)|mindestens|über|mehr als|"
    r"au moins|plus de|à partir de|al menos|como mínimo|más de|almeno|più di|oltre|"
    r"a partire da|pelo menos|mais de|a partir de|minstens|ten minste|meer dan)\s|[≥>]=?\s?)$",
    re.I,
)
_BARELY = r"(?:just|slightly|marginally|barely|fractionally|narrowly|an? (?:little|bit|touch|shade|hair|tad|fraction|whisker|smidgen))"
_JUST_UNDER = re.compile(
    rf"\b(?:{_BARELY} (?:under|below|less than|fewer than|short of|shy of)|nearly|almost|not quite|shy of|knapp|presque|"
    r"casi|quasi|bijna)\s(?:the\s|an?\s)?$",
    re.I,
)
_JUST_OVER = re.compile(
    rf"\b{_BARELY} (?:over|above|more than|past|in excess of)\s(?:the\s|an?\s)?$", re.I
)
_DRIVE = re.compile(r"\b[A-Z]:\\(?!n)")
_FROM = re.compile(r"\b(?:from|ab|desde|vanaf|à partir de|a partire da|a partir de)\s$", re.I)
_TO = re.compile(r"\s?(?:to|bis|-|–|—|a|à|al|hasta|tot|through)\b")
_MAX = re.compile(
    r"(?:\b(?:at most|up to|maximum(?: of)?|max\.?|no more than|not more than|less than|fewer than|"
    r"under|below|within|limited to|höchstens|bis zu|maximal|weniger als|unter|innerhalb von|"
    r"binnen|au plus|jusqu['’]à|moins de|au maximum|como máximo|hasta|menos de|al massimo|fino a|"
    r"meno di|no máximo|até|hoogstens|maximaal|minder dan)\s(?:the\s)?|[≤<]=?\s?)$",
    re.I,
)
_MIN_AFTER = re.compile(
    r"\s?(?:\+(?!\w)|or (?:more|above|higher|later|over)\b|and (?:up|above)\b|oder mehr|ou plus|o más)",
    re.I,
)
_MAX_AFTER = re.compile(
    r"\s?(?:or (?:less|fewer|below|under)\b|oder weniger|ou moins|o menos|at most\b)", re.I
)


def parse_values(text: str) -> list[Value]:
    """Every value of a text in order. Spans lie in ``text`` and do not overlap."""
    found: list[Value] = []
    taken = bytearray(len(text))

    def take(values: Iterable[Value]) -> None:
        for value in values:
            if value.start < value.end and taken.find(1, value.start, value.end) < 0:
                found.append(value)
                taken[value.start : value.end] = b"\1" * (value.end - value.start)

    whole = text
    if not text.isascii():
        text = text.translate(_HYPHENS)
    if "\\n" in text and not _DRIVE.search(text):
        text = text.replace("\\n", " \n")  # line breaks that were escaped once too often
    if has_east_asian(text):
        take(find_east_asian(text))
        text = spaced(text)
    take(_quoted(text))
    take(find_addresses(text))
    take(find_weeks(text))
    take(find_moments(text))
    take(find_paths(text))
    take(find_codes(text))
    measures = find_measures(text, taken)
    take(_hedged(text, m) for m in measures if _is_measured(m))
    take(find_identifiers(text, taken))
    take(find_names(text, taken))
    take(_hedged(text, m) for m in measures if not _is_measured(m))
    found.sort(key=lambda value: value.start)
    if whole == text:
        return found
    return [replace(value, text=whole[value.start : value.end]) for value in found]


_HYPHENS = {0x2010: "-", 0x2011: "-"}
"""Typeset hyphens, as in "15‑bar"."""


def parsed(text: str) -> tuple[Value, ...]:
    """The same of what may stand in many places: a cell, a quoted word."""
    return _parsed_short(text) if len(text) <= _LONGEST_KEPT else tuple(parse_values(text))


@lru_cache(maxsize=16384)
def _parsed_short(text: str) -> tuple[Value, ...]:
    """Short texts are statuses, names and dates, and columns repeat them."""
    return tuple(parse_values(text))


_LONGEST_KEPT = 80


def _is_measured(value: Value) -> bool:
    """Whether a number has a unit or a scale, so that no code or name can claim it: "5k"."""
    if value.kind in _MEASURED or (value.text[:1].isdigit() and value.text[-1].isalpha()):
        return True
    return value.kind == "number" and bool(_PARTED.search(value.text))


_PARTED = re.compile(r"[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]|\d[eE][-+]?\d|10[\^⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]")
"""Numbers in parts, of which a code would be cut: "1½", "5e-3"."""


def _quoted(text: str) -> Iterable[Value]:
    """Quoted words, or what they are if they are one thing: `src/a.py` in backticks is a path."""
    for value, is_code in find_quotes(text):
        if not value.text:
            continue
        inner = parsed(value.text)
        whole = len(inner) == 1 and (inner[0].start, inner[0].end) == (0, len(value.text))
        if whole and inner[0].kind not in ("name", "quoted"):
            yield replace(inner[0], start=value.start, end=value.end)
        elif is_code or not any(v.kind in _INSIDE_QUOTES for v in inner):
            yield value


def _is_least(text: str, base: int, value: Value) -> bool:
    if value.kind == "money" and _FROM.search(text, base, value.start):
        return not _TO.match(text, value.end)  # "from $5 to $10" is a range
    match, opposite = (p.search(text, base, value.start) for p in (_MIN, _MAX))
    if match and opposite and opposite.start() < match.start():
        return False  # "no more than" ends with "more than"
    if match and value.kind == "duration" and match[0].lower().startswith(("over", "über")):
        # "retried over 24 hours" says during
        return bool(_ONE.match(value.text) or _LASTED.search(text, base, match.start()))
    return bool(match or _MIN_AFTER.match(text, value.end))


_ONE = re.compile(r"an?\b", re.I)
_LASTED = re.compile(
    r"\b(?:took|takes?|taken|lasted|lasts?|spent|needs?|needed|for|been)(?: \w+)? $", re.I
)
_LED = re.compile(r"(?:\s|[~≈≥>≤<]=?)\Z")


def _hedged(text: str, value: Value) -> Value:
    """The value with "about", "at least" or "or more" around it, if it is so hedged."""
    # All that hedges from before ends with a space or a sign: an empty stretch has none.
    led = _LED.search(text, max(0, value.start - 2), value.start)
    base = max(0, value.start - 32) if led else value.start
    if _JUST_UNDER.search(text, base, value.start):
        return replace(value, approx=True, bound="max")
    if _JUST_OVER.search(text, base, value.start):
        return replace(value, approx=True, bound="min")
    approx = bool(
        value.approx
        or _APPROX.search(text, base, value.start)
        or _APPROX_AFTER.match(text, value.end)
    )
    bound: Literal["", "min", "max"] = ""
    if _is_least(text, base, value):
        bound = "min"
    elif _MAX.search(text, base, value.start) or _MAX_AFTER.match(text, value.end):
        bound = "max"
    return replace(value, approx=approx, bound=bound) if approx or bound else value
