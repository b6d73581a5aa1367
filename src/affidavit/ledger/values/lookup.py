"""Under what a value can be looked up, so that a claim is not compared with all of the evidence.

Two values that ``compare`` finds the same or rounded share a word of ``lookup_words``, or have
``lookup_sizes`` within ``lookup_reach`` of each other, or are both moments or spans of time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

from affidavit.ledger.values.compare_words import is_hash
from affidavit.ledger.values.text import fold, singular, squeeze
from affidavit.ledger.values.units import celsius
from affidavit.ledger.values.value import Value

_DAY = Decimal(86400)
_TAIL = 3
_HASH_HEAD = 7
_PHONE_TAIL = 7
_LONGEST_SIZE = 15
_FAR, _ABOUT, _NEAR = Decimal("0.2"), Decimal("0.1"), Decimal("0.03")


def lookup_words(value: Value) -> frozenset[str]:
    """Words and codes: any one in common makes two values worth comparing."""
    sort = "moment" if value.moment is not None else "number" if value.number is not None else ""
    return _lookup_words(sort or value.kind, value.text, value.key)


@lru_cache(maxsize=65536)
def _lookup_words(sort: str, text: str, key: str) -> frozenset[str]:
    return frozenset(word for word in _words(sort, text, key) if word)


def _words(sort: str, text: str, key: str) -> Iterator[str]:
    yield squeeze(text)
    if sort == "moment":
        return
    if sort == "number":
        yield text.replace(",", "").replace("#", "").strip().casefold()
        return
    yield key.removeprefix("*").removeprefix("@")
    for token in (*fold(text).split(), *key.split()):
        yield singular(token)
    match sort:
        case "identifier":
            # "Ending in 4417" knows only the end of it.
            yield "~" + key.removeprefix("*")[-_TAIL:]
            if is_hash(key) or (len(key) >= _HASH_HEAD and key.isdigit()):
                yield "^" + key[:_HASH_HEAD]
        case "phone":
            yield "~" + key[-_PHONE_TAIL:]
            yield "~" + key[-_TAIL:]
        case "path":
            yield key.rsplit("/", 1)[-1]
        case "url":
            yield key.split("#")[0].rstrip("/")
        case "version":
            yield "v" + re.split(r"\D", key, maxsplit=1)[0]
            yield re.split(r"(?<![\W_])[\W_]*+v?\d", text.casefold(), maxsplit=1)[0]
        case _:
            pass


def lookup_sizes(value: Value) -> list[Decimal]:
    """Sizes, under each unit and reading in which the same thing may be held."""
    if value.moment is not None:
        return list(_sizes_of_moment(value))
    return [abs(size) for size in _sizes(value)]


def lookup_reach(claim: Value) -> Decimal:
    """How far apart the sizes of a claim's value and of one that it may be lie, as a share of the larger:
    a fifth for bounds, and for units of which one is said for another (a month of 30 days, GB for GiB);
    the least that ``compare_amounts`` rounds by for all else."""
    if claim.bound or claim.unit in ("B", "s", "month"):
        return _FAR
    return _ABOUT if claim.approx else _NEAR


def _sizes_of_moment(value: Value) -> Iterator[Decimal]:
    assert value.moment is not None
    if (at := value.moment.clock) is not None and value.moment.seconds_given:
        yield Decimal(at.hour * 3600 + at.minute * 60 + at.second)
    if value.moment.year is not None:
        yield Decimal(value.moment.year)
    if value.moment.relative_days is not None:
        yield abs(value.moment.relative_days) * _DAY


def _sizes(value: Value) -> Iterator[Decimal]:
    if value.number is None:
        if value.kind == "identifier" and value.key.isdecimal() and len(value.key) <= _LONGEST_SIZE:
            yield Decimal(value.key)
        return
    yield value.number
    if value.face is not None and value.face is not value.number:
        yield value.face
    if value.other is not None:
        yield value.other
    if value.kind == "number" and value.number.adjusted() < 0:
        yield value.number * 100
    if value.unit == "month":
        yield value.number * 30 * _DAY
        yield value.number * 365 * _DAY / 12
    if value.unit in ("°C", "°F"):
        yield celsius(value.number, value.unit)
