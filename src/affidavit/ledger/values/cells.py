"""Values of one structured field, read with its name and with what lies beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache

from affidavit.ledger.records import Cell, Record
from affidavit.ledger.values.currencies import minor_digits
from affidavit.ledger.values.field_paths import (
    Declared,
    Level,
    Path,
    Surroundings,
    ancestry,
    field_words,
    without_period,
)
from affidavit.ledger.values.money_of_fields import (
    currency_of,
    declared_money,
    is_charge,
    is_minor,
    is_money,
)
from affidavit.ledger.values.numerals import read_number
from affidavit.ledger.values.parse import parsed
from affidavit.ledger.values.short_texts import read_by_name
from affidavit.ledger.values.text import fold, singular, squeeze
from affidavit.ledger.values.units import quantity_unit, time_unit
from affidavit.ledger.values.units_of_fields import is_least, unit_of
from affidavit.ledger.values.value import Moment, Value, ValueKind

_SHARE = frozenset(
    "rate ratio share prob probability utilization utilisation usage discount apy apr "
    "fraction margin yield growth change conversion ctr confidence occupancy humidity "
    "vat tax interest accuracy coverage uptime churn load availability".split()
)
_TIME_WORDS = frozenset(
    "at on time timestamp ts date created updated modified expires expiry since until epoch start "
    "end starts ends when exp iat nbf due released release published publish posted opened closed "
    "issued shipped delivered received sent seen changed finished completed started valid paid born "
    "birth registered ordered booked deployed built pushed merged uploaded edited logged measured "
    "recorded observed joined login checked signed datum fecha data".split()
)
_PHONE_WORDS = frozenset("phone tel telephone mobile fax cell telefon".split())
_YEAR_WORDS = frozenset("year jahr año anno année ano jaar".split())
_FIRST = frozenset("first given firstname vorname forename nombre".split())
_LAST = frozenset("last family surname lastname nachname apellido".split())
_CLOCK_TEXT = re.compile(
    r"[0-2]?\d:[0-5]\d(?::[0-5]\d)?(?: ?[AaPp][Mm])?(?:\s?[-–]\s?[0-2]?\d:[0-5]\d(?: ?[AaPp][Mm])?)?"
)
_DATE_TEXT = re.compile(
    r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{4}|(?:[A-Z][a-z]{1,8}\.?,? )?(?:\d{1,2}(?:st|nd|rd|th)?\.? [A-Z][a-zé]{2,8}\.?|"
    r"[A-Z][a-zé]{2,8}\.? \d{1,2}(?:st|nd|rd|th)?)(?:,? \d{4})?"
)
_BARE_CODE = re.compile(r"[^\s\d]*\d\S*")
# What begins with letters and has digits is a code, without a closer look: a column of 10,000 order
# numbers is read once for each. Not v2, Q1-2026 and EUR45, which say more.
_CODE = re.compile(
    r"(?!v\d|q[1-4]|p(?:\d+[ymwd]|t\d)|(?:usd|eur|gbp|chf|jpy)\d)[a-z][a-z_-]*\d[\w-]*", re.I
)
# "size" alone is in bytes where it is too large for a size of anything else.
_BYTES = frozenset("size filesize contentlength".split())
_LEAST_BYTES = 1024
_EXACT: tuple[ValueKind, ...] = ("moment", "url", "email", "phone", "path", "handle", "identifier")
_LONGEST_NAME = 120


def read_cell(cell: Cell, record: Record) -> tuple[Value, ...]:
    """Every reading of a structured value; spans lie in ``cell.text``.

    ``66899`` under ``total_cents`` is that number and an amount in the record's currency; ``0.125``
    under ``error_rate`` is that number and 12.5 percent.
    """
    return tuple(value for _, value in read_cells((cell,), record))


def read_cells(
    cells: Iterable[Cell], record: Record, outside: Level = ()
) -> Iterator[tuple[Cell, Value]]:
    """Cells of one record, each with every reading of it in turn; ``outside`` is what is said of their
    amounts elsewhere."""
    around = Surroundings(record, outside)
    for cell in cells:
        for value in _read(cell, record, around.of(cell.path)):
            yield cell, value


def _read(cell: Cell, record: Record, declared: Declared) -> Iterable[Value]:
    match cell.raw:
        case None | bool():
            return ()
        case int() | float():
            number = Decimal(str(cell.raw))
            # 1e300 and 400 digits are past exact arithmetic, and nobody says them.
            if not number.is_finite() or abs(number.adjusted()) > 24:
                return ()
            return _numeric(cell, record, declared, number)
        case str():
            return _textual(cell, record, declared)


@dataclass(frozen=True, slots=True)
class _Field:
    """What the name of a field, and what is declared around it, make of a number in it."""

    unit: str
    money: bool
    code: str
    zeros: int
    """How many zeros its unit leaves out: 3 in "kEUR"."""
    minor: bool
    """In cents, whatever the number."""
    minor_if_whole: bool
    names_share: bool
    names_size: bool
    noun: str


@lru_cache(maxsize=8192)
def _field(path: Path, declared: Declared, least: bool) -> _Field:
    """The same for every row of a list, so that ten thousand rows are looked into once."""
    path = without_period(path)
    words = field_words(path)
    unit = unit_of(path, declared, least=least)
    scaled = None if unit else declared_money(path, declared)
    money = not unit and (is_money(path) or scaled is not None or is_charge(path, declared))
    return _Field(
        unit,
        money,
        scaled[0] if scaled else currency_of(path, declared) if money else "",
        scaled[1] if scaled else 0,
        money and is_minor(path, declared, whole=False),
        money and is_minor(path, declared, whole=True),
        bool(_SHARE & set(words)),
        bool(_BYTES & set(words[-1:])),
        singular(words[-1]) if words else "",
    )


def _numeric(cell: Cell, record: Record, declared: Declared, number: Decimal) -> Iterator[Value]:
    """The readings of a number: itself, then what its name and its neighbours make of it."""
    text, end, words = cell.text, len(cell.text), field_words(cell.path)
    # What the name of a list says is the same for each of its items.
    path = tuple(step if isinstance(step, str) else 0 for step in cell.path)
    field = _field(path, declared, is_least(path, record))
    unit, code = field.unit, field.code
    whole = number == number.to_integral_value()
    minor = field.minor_if_whole if whole else field.minor
    # A number known to be minutes or cents is never met by hours or dollars.
    share = not unit and not minor and -1 <= number <= 1 and field.names_share
    noun = "cent" if minor else unit or code or ("fraction" if share else field.noun)
    yield Value("number", text, 0, end, number, noun, face=number)
    if field.money:
        amount = number.scaleb(-minor_digits(code)) if minor else number.scaleb(field.zeros)
        yield Value("money", text, 0, end, amount, code, face=number)
    if unit == "percent":
        yield Value("percent", text, 0, end, number, "", face=number, face_unit="percent")
    elif unit == "bp":
        yield Value("percent", text, 0, end, number / 100, "", face=number, face_unit="bp")
    elif unit and (timed := time_unit(unit)):
        size, base = number * timed[1], timed[0]
        yield Value("duration", text, 0, end, size, base, face=number, face_unit=singular(unit))
    elif unit and (measured := quantity_unit(unit)):
        size, base = number * measured[1], measured[0]
        yield Value("quantity", text, 0, end, size, base, face=number, face_unit=unit)
    elif whole and number >= _LEAST_BYTES and field.names_size:
        yield Value("quantity", text, 0, end, number, "B", face=number, face_unit="byte")
    elif share or (not field.money and -1 <= number <= 1 and not whole):
        yield Value("percent", text, 0, end, number * 100, "", face=number, face_unit="fraction")
    if moment := _calendar(cell, record, number) or _epoch(words, number):
        yield Value("moment", text, 0, end, moment=moment)
    if whole and not unit and not field.money:
        yield Value("identifier", text, 0, end, key=squeeze(text))


def _calendar(cell: Cell, record: Record, number: Decimal) -> Moment | None:
    """``year: 2020``, ``month: 3`` with the year beside it, ``date: 20260305``."""
    words = field_words(cell.path)
    last = words[-1] if words else ""
    if last in _YEAR_WORDS and number in range(1000, 3000):
        return Moment(year=int(number))
    if last == "month" and number in range(1, 13):
        return Moment(year=record.once("year", lambda: _year(record)), month=int(number))
    if last in _TIME_WORDS and 19000101 <= number <= 29991231:
        try:
            day = datetime.strptime(str(int(number)), "%Y%m%d")  # noqa: DTZ007
        except ValueError:
            return None
        return Moment(day.year, day.month, day.day)
    return None


def _year(record: Record) -> int | None:
    """What the first field of a record that is named for a year holds."""
    named = (c.raw for c in record.cells if field_words(c.path)[-1:] == ("year",))
    return next((int(raw) for raw in named if isinstance(raw, int)), None)


def _epoch(words: tuple[str, ...], number: Decimal) -> Moment | None:
    """Seconds or milliseconds since 1970, where the field is named like a time."""
    if not words or words[-1] not in _TIME_WORDS | {"ms", "seconds"}:
        return None
    seconds = number / 1000 if number > 10**11 else number
    if not 3 * 10**8 <= seconds <= 5 * 10**9:
        return None
    at = datetime.fromtimestamp(float(seconds), UTC)
    clock = at.time().replace(microsecond=0)
    return Moment(at.year, at.month, at.day, clock=clock, offset=0, seconds_given=True)


def _textual(cell: Cell, record: Record, declared: Declared) -> Iterator[Value]:
    text = cell.text
    if not text.strip():
        return
    if text.isascii() and _CODE.fullmatch(text):
        yield Value("identifier", text, 0, len(text), key=squeeze(text))
        if "_" in text:
            yield from read_by_name(text, cell.path)
        return
    number = read_number(text)
    if number is not None and number.is_finite():
        yield from _numeric(cell, record, declared, number)
        yield from _phone(cell, text)
        return
    inside = parsed(text)
    whole = len(inside) == 1 and (inside[0].start, inside[0].end) == (0, len(text))
    words = set(field_words(cell.path))
    for value in inside:
        yield _with_currency(value, cell.path, declared)
        if value.kind == "moment" and (whole or _CLOCK_TEXT.fullmatch(text)):
            yield from _completed(value, cell, record)
    if not (whole and inside[0].kind == "phone"):
        yield from _phone(cell, text)
    if _BARE_CODE.fullmatch(text) and not (whole and inside[0].kind in _EXACT):
        yield Value("identifier", text, 0, len(text), key=squeeze(text))
    if len(text) <= _LONGEST_NAME and not (
        whole and inside[0].kind in ("name", "version", *_EXACT)
    ):
        yield Value("name", text, 0, len(text), key=fold(text))
    yield from _full_name(cell, record, words)
    yield from read_by_name(text, cell.path)


def _phone(cell: Cell, text: str) -> Iterator[Value]:
    """A number that only its field name shows to be a telephone's."""
    digits = re.sub(r"\D", "", text)
    if len(digits) >= 6 and _PHONE_WORDS & set(field_words(cell.path)):
        yield Value("phone", text, 0, len(text), key=digits)


def _with_currency(value: Value, path: Path, declared: Declared) -> Value:
    if value.kind == "money" and value.unit in ("$", "kr", "¥", ""):
        code = currency_of(path, declared)
        return replace(value, unit=code) if code else value
    return value


def _full_name(cell: Cell, record: Record, words: set[str]) -> Iterator[Value]:
    """ "Marta Nowak", from ``first_name: Marta`` and ``last_name: Nowak``."""
    if not words & (_FIRST | _LAST):
        return
    wanted, is_first = (_LAST, True) if words & _FIRST else (_FIRST, False)
    other = record.once("first names and last", lambda: _halves(record)).get(
        (cell.path[:-1], wanted)
    )
    if other is not None:
        parts = (cell.text, other) if is_first else (other, cell.text)
        yield Value("name", cell.text, 0, len(cell.text), key=fold(" ".join(parts)))


def _halves(record: Record) -> dict[tuple[Path, frozenset[str]], str]:
    """The first names and the last names of a record's persons, each by the object that it stands in."""
    found: dict[tuple[Path, frozenset[str]], str] = {}
    for cell in record.cells:
        for half in (_FIRST, _LAST):
            if isinstance(cell.raw, str) and not half.isdisjoint(field_words(cell.path)):
                found.setdefault((cell.path[:-1], half), cell.raw)
    return found


def _completed(value: Value, cell: Cell, record: Record) -> Iterator[Value]:
    """A date with the time in a field beside it, and a time with the record's date."""
    moment = value.moment
    assert moment is not None
    if moment.clock is None and moment.date is not None:
        for time in _beside(cell, record, _CLOCK_TEXT):
            yield replace(value, moment=_both(moment, time))
    elif moment.clock is not None and moment.month is None:
        for holder in ancestry(record):
            dates = _beside(cell, holder, _DATE_TEXT) or _beside(cell, holder, _WEEKDAYS_TEXT)
            for day in dates:
                yield replace(value, moment=_both(day, moment))
            if dates:
                return


_WEEKDAYS_TEXT = re.compile(
    r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?(?:\s*[,/&+]\s*|\s+and\s+|\s|$)){1,7}",
    re.IGNORECASE,
)
"""The days that a time is of, week after week: "Tue,Thu"."""
_MOST = 7
"""Fields with a day or a time that are read as those of one record."""


def _beside(cell: Cell, record: Record, shape: re.Pattern[str]) -> list[Moment]:
    """The dates or times among a record's fields that may be of the same event as a cell."""
    event = _event(cell.path)
    name = f"{shape.pattern} of {' '.join(sorted(event))}"
    return record.once(name, lambda: _moments(event, record, shape))


def _moments(event: frozenset[str], record: Record, shape: re.Pattern[str]) -> list[Moment]:
    others = record.once(shape.pattern, lambda: _fields_like(shape, record))
    # "time: 20:00" is of ``date`` and not of ``cancel_until``, ``end_time`` of ``end_date`` or of ``date``.
    alike = [raw for of, raw in others if of == event] or [raw for of, raw in others if of <= event]
    raws = (alike or [raw for _, raw in others])[:_MOST]
    found = [value.moment for raw in raws for value in parsed(raw)]
    return [moment for moment in found if moment is not None]


def _fields_like(shape: re.Pattern[str], record: Record) -> list[tuple[frozenset[str], str]]:
    """Texts of a record's fields of a shape, each with what its field is of."""
    return [
        (_event(cell.path), cell.raw)
        for cell in record.cells
        if isinstance(cell.raw, str) and shape.fullmatch(cell.raw)
    ]


@lru_cache(maxsize=8192)
def _event(path: Path) -> frozenset[str]:
    """What the name of a date's or a time's field tells besides that it is one: ``cancel`` and ``until``."""
    return frozenset(field_words(path)) - _OF_ANY


_OF_ANY = frozenset(
    "date day time clock hour hours at on datum uhrzeit fecha hora heure jour data giorno dia".split()
)
"""Words that fields of dates and of times have, whatever happens then."""


def _both(day: Moment, time: Moment) -> Moment:
    return replace(day, clock=time.clock, offset=time.offset, seconds_given=time.seconds_given)
