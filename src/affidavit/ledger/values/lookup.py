"""Under what a value can be looked up, so that a claim is not compared with all of the evidence.

Two values that ``compare`` finds the same or rounded share a word of ``lookup_words``, or have
``lookup_sizes`` within a fifth of each other, or are both moments or spans of time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from affidavit.ledger.values.compare_words import is_hash
from affidavit.ledger.values.text import fold, singular, squeeze
from affidavit.ledger.values.units import celsius
from affidavit.ledger.values.value import Value

_DAY = Decimal(86400)
_TAIL = 3
_HASH_HEAD = 7
_PHONE_TAIL = 7
_LONGEST_SIZE = 15


def lookup_words(value: Value) -> frozenset[str]:
    """Words and codes: any one in common makes two values worth comparing."""
    return frozenset(word for word in _words(value) if word)


def _words(value: Value) -> Iterator[str]:
    yield squeeze(value.text)
    if value.moment is not None:
        return
    if value.number is not None:
        yield value.text.replace(",", "").replace("#", "").strip().casefold()
        return
    yield value.key.removeprefix("*").removeprefix("@")
    for token in (*fold(value.text).split(), *value.key.split()):
        yield singular(token)
    match value.kind:
        case "identifier":
            # "Ending in 4417" knows only the end of it.
            yield "~" + value.key.removeprefix("*")[-_TAIL:]
            if is_hash(value.key) or (len(value.key) >= _HASH_HEAD and value.key.isdigit()):
                yield "^" + value.key[:_HASH_HEAD]
        case "phone":
            yield "~" + value.key[-_PHONE_TAIL:]
            yield "~" + value.key[-_TAIL:]
        case "path":
            yield value.key.rsplit("/", 1)[-1]
        case "url":
            yield value.key.split("#")[0].rstrip("/")
        case "version":
            yield "v" + re.split(r"\D", value.key, maxsplit=1)[0]
        case _:
            pass


def lookup_sizes(value: Value) -> frozenset[Decimal]:
    """Sizes, under each unit and reading in which the same thing may be held."""
    if value.moment is not None:
        return frozenset(_sizes_of_moment(value))
    return frozenset(abs(size) for size in _sizes(value))


def _sizes_of_moment(value: Value) -> Iterator[Decimal]:
    assert value.moment is not None
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
    yield from (size for size in (value.face, value.other) if size is not None)
    if value.kind == "number" and abs(value.number) < 1:
        yield value.number * 100
    if value.unit == "month":
        yield value.number * 30 * _DAY
        yield value.number * 365 * _DAY / 12
    if value.unit in ("°C", "°F"):
        yield celsius(value.number, value.unit)
