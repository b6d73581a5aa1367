"""The times that fields are named after: which is the earlier, and their names without them."""

from __future__ import annotations

import re

from affidavit.ledger.values.field_paths import MONTHS, WEEKDAYS

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_QUARTER = re.compile(r"\bq([1-4])\b|\b([1-4])q\b", re.I)
_BEFORE = re.compile(
    r"\b(?:prior|previous|prev|former|old|before|earlier|initial|original|baseline|opening|bought|cost basis|"
    r"(?:avg|average|purchase|buy|buying|entry|acquisition) (?:cost|price)|"
    r"last (?:year|month|week|quarter|season|day|night|period|term|semester|fy|fiscal|time))\b",
    re.I,
)
_LAST, _NOW = (
    re.compile(r"\blast\b", re.I),
    re.compile(r"\b(?:current|this|now|new|today|present)\b", re.I),
)
"""A ``last_reading`` is the earlier beside a current one; a ``last_price`` beside what was paid is the later."""


def is_earlier(key: str, other: str) -> bool | None:
    """Whether a field is named after an earlier time than another one; None where the names tell none."""
    before, after = _is_before(key, other), _is_before(other, key)
    if before != after:
        return before
    one, two = _period(key), _period(other)
    return one < two if one is not None and two is not None and one != two else None


def are_of_two_times(key: str, other: str) -> bool:
    """Whether two fields are named like one measure at two times."""
    alike = without_period(key) == without_period(other) or _period(key) != _period(other)
    return alike or _is_before(key, other) or _is_before(other, key)


def _is_before(key: str, other: str) -> bool:
    return bool(_BEFORE.search(key) or _LAST.search(key) and _NOW.search(other))


def _period(key: str) -> tuple[int, int] | None:
    """The year and the quarter that a field is named after."""
    year, quarter = _YEAR.search(key), _QUARTER.search(key)
    if year is None:
        return None
    return int(year[0]), int(quarter[1] or quarter[2]) if quarter else 0


def without_period(key: str) -> str:
    """The name of a field without the time that it is of: "sales" of ``q1_sales``."""
    return " ".join(word for word in key.split() if not _PERIOD.fullmatch(word))


_PERIOD = re.compile(
    rf"[a-z]{{0,2}}\d+|{MONTHS}|{WEEKDAYS}|last|this|previous|prior|prev|current|curr|before|after|old|new|earlier|later|"
    r"then|now|past|start|end|opening|closing|initial|final|first|second|year|month|week|quarter|day|baseline"
)
