"""Values of one structured field, read with its name and with what lies beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

from affidavit.ledger.records import Cell, Record
from affidavit.ledger.values.currencies import CODES, SIGNS, minor_digits

from affidavit.ledger.values.numerals import read_number
from affidavit.ledger.values.parse import parse_values
from affidavit.ledger.values.text import fold, singular, squeeze
from affidavit.ledger.values.units import QUANTITIES, quantity_unit, time_unit
from affidavit.ledger.values.value import Moment, Value, ValueKind

_AMOUNT = frozenset(
    "amount balance price cost fee total subtotal tax charge charged refund payment paid due "
    "discount deposit salary wage rent fare rate revenue spend credit debit limit value net gross "
    "budget income expense owed owing available current pending reserved shipping base taxes "
    "premium payout tip surcharge fine sum invoice overage tariff price per night".split()
)
_SHARE = frozenset(
    "rate ratio share prob probability utilization utilisation usage discount apy apr pct percent "
    "percentage fraction margin yield growth change conversion ctr confidence occupancy humidity "
    "vat tax interest accuracy score coverage uptime churn load availability".split()
)
_PERCENT = frozenset("pct percent percentage perc procent prozent".split())
_STAMP = re.compile(
    r"(?:^|_| )(?:at|on|time|timestamp|ts|date|created|updated|modified|expires|expiry|since|until|"
    r"epoch|start|end|starts|ends|when|exp|iat|nbf)$"
)
_PHONE = frozenset("phone tel telephone mobile fax cell telefon".split())
_CLOCK_TEXT = re.compile(r"[0-2]?\d:[0-5]\d(?::[0-5]\d)?")
_YEAR_KEY = re.compile(r"(?:^| )(?:year|jahr|año|anno|année)$")
_BARE_CODE = re.compile(r"\S*\d\S*")
# Words of a field name that name a unit. Only the last words of the name are looked up, since
# "day" is a unit in "trial_days" and none in "day_rate".
_UNIT_WORDS = {
    "kmh": "km/h", "kph": "km/h", "mph": "mph", "mps": "m/s", "ms": "ms", "celsius": "°C",
    "fahrenheit": "°F", "gb": "GB", "mb": "MB", "kb": "kB", "tb": "TB", "gib": "GiB",
    "mib": "MiB", "kib": "KiB", "tib": "TiB", "w": "W", "kw": "kW", "mw": "MW", "kwh": "kWh",
    "wh": "Wh", "v": "V", "hz": "Hz", "mhz": "MHz", "ghz": "GHz", "hpa": "hPa", "kpa": "kPa",
    "mah": "mAh", "mbps": "Mbps", "kbps": "kbps", "gbps": "Gbps", "sqm": "m²", "m2": "m²",
    "db": "dB", "knots": "kn", "degrees": "°", "c": "", "f": "",
}  # fmt: skip
_UNIT_KEYS = ("unit", "units", "uom")
_LONGEST_NAME = 120


def read_cell(cell: Cell, record: Record) -> tuple[Value, ...]:
    """Every reading of a structured value; spans lie in ``cell.text``.

    ``66899`` under ``total_cents`` is that number and an amount in the record's currency; ``0.125``
    under ``error_rate`` is that number and 12.5 percent.
    """
    match cell.raw:
        case None | bool():
            return ()
        case int() | float():
            number = _decimal(cell.raw)
            return () if number is None else tuple(_numeric(cell, record, number))
        case str():
            return tuple(_textual(cell, record))


def _decimal(raw: int | float) -> Decimal | None:
    number = Decimal(str(raw))
    return number if number.is_finite() else None


def _numeric(cell: Cell, record: Record, number: Decimal) -> Iterator[Value]:
    """The readings of a number: itself, then what its name and its neighbours make of it."""
    text, words = cell.text, cell.key.split()

    def value(kind: ValueKind, n: Decimal, unit: str = "", face_unit: str = "") -> Value:
        return Value(
            kind, text, 0, len(text), number=n, unit=unit, face=number, face_unit=face_unit
        )

    unit = _unit_of(cell, record, words)
    money = _is_money(cell, record, words)
    minor = _is_minor(words, record, money)
    # A number known to be minutes or cents is never met by hours or dollars.
    noun = "cent" if minor else "percent" if unit == "percent" else unit
    yield value("number", number, noun or _noun(words))
    if minor:
        code = _currency(words, record)
        yield value("money", number.scaleb(-minor_digits(code)), code)
    elif money:
        yield value("money", number, _currency(words, record))
    if unit == "percent":
        yield value("percent", number, "", "percent")
    elif unit and (timed := time_unit(unit)):
        yield value("duration", number * timed[1], timed[0], singular(unit))
    elif unit and (measured := quantity_unit(unit)):
        yield value("quantity", number * measured[1], measured[0], unit)
    if not unit and not minor and -1 <= number <= 1 and (number % 1 or _SHARE & set(words)):
        yield value("percent", number * 100, "", "fraction")
    if _YEAR_KEY.search(cell.key) and 1000 <= number <= 2999 and number % 1 == 0:
        yield replace(value("moment", number), number=None, moment=Moment(year=int(number)))
    if (stamp := _epoch(cell, number)) is not None:
        yield replace(value("moment", number), number=None, moment=stamp)
    if number % 1 == 0 and not unit and not money:
        yield Value("identifier", text, 0, len(text), key=squeeze(text))


def _noun(words: list[str]) -> str:
    return singular(words[-1]) if words else ""


def _unit_of(cell: Cell, record: Record, words: list[str]) -> str:
    """The unit a field is in: by its own name, by ``units: {field: …}``, by a ``unit`` beside it."""
    if _PERCENT & set(words[-2:]):
        return "percent"
    for word in reversed(words[-2:]):
        if word in _UNIT_WORDS:
            if _UNIT_WORDS[word]:
                return _UNIT_WORDS[word]
            continue
        timed = time_unit(word)
        if timed and (len(words) > 1 or len(word) > 3) and word not in ("second", "d", "w", "t"):
            if word == words[-1] and not (word == "m" and len(words) > 1):
                return word
        if len(words) > 1 and word == words[-1] and word in QUANTITIES:
            return word
    return _declared_unit(cell, record, words)


def _declared_unit(cell: Cell, record: Record, words: list[str]) -> str:
    for holder in _ancestry(record):
        for other in holder.cells:
            path = [str(step) for step in other.path if isinstance(step, str)]
            if not path or not isinstance(other.raw, str) or other.raw == cell.raw:
                continue
            last = path[-1].lower()
            if len(path) > 1 and path[-2].lower() in _UNIT_KEYS:
                if _same_field(last, words):
                    return _as_unit(other.raw)
            elif last in _UNIT_KEYS and path[:-1] == _parents(cell) and holder is record:
                return _as_unit(other.raw)
            elif last in _UNIT_KEYS and len(path) == 1 and _takes_unit(words):
                return _as_unit(other.raw)
            elif last.endswith("_unit") and words and last[:-5] in ("_".join(words), words[-1]):
                return _as_unit(other.raw)
    return ""


def _parents(cell: Cell) -> list[str]:
    return [str(step) for step in cell.path if isinstance(step, str)][:-1]


_NO_UNIT = frozenset("id year month number no count index rank page total version code zip".split())


def _takes_unit(words: list[str]) -> bool:
    return bool(words) and words[-1] not in _NO_UNIT


def _same_field(declared: str, words: list[str]) -> bool:
    """Whether ``units: {temperature: …}`` speaks of ``t_min``: by name, or by its first letters."""
    names = set(words)
    known = {
        "temperature": {"temp", "t", "temperature", "feels", "dew", "tmin", "tmax", "high", "low"},
        "precipitation": {"precip", "rain", "snow", "precipitation"},
        "wind": {"wind", "gust", "gusts"},
        "waves": {"wave", "waves", "swell"},
        "distance": {"distance", "dist", "length"},
    }
    if "prob" in names or "probability" in names:
        return False
    parts = set(re.split(r"[_\W]+", declared))
    return bool(parts & names or any(known.get(part, set()) & names for part in parts))


def _as_unit(raw: str) -> str:
    unit = raw.strip()
    if unit in ("%", "percent"):
        return "percent"
    if quantity_unit(unit) or time_unit(unit):
        return unit
    return {"celsius": "°C", "fahrenheit": "°F", "C": "°C", "F": "°F"}.get(unit.lower(), "")


def _is_money(cell: Cell, record: Record, words: list[str]) -> bool:
    names = set(words)
    if _PERCENT & names or names & {"id", "count", "number", "days", "nights", "qty", "quantity"}:
        return False
    if words and words[-1].upper() in CODES or "cents" in names:
        return True
    if not names & _AMOUNT and not any(w.endswith(("price", "cost", "fee", "fees")) for w in words):
        return False
    return True


def _is_minor(words: list[str], record: Record, money: bool) -> bool:
    if words and words[-1] in ("cents", "cent", "minor", "pence", "centimes"):
        return True
    if not money:
        return False
    for holder in _ancestry(record):
        for other in holder.cells:
            key = other.key.split()
            if key and isinstance(other.raw, str) and key[-1] in ("unit", "units"):
                if re.search(r"\b(?:minor|cents?|pence)\b", other.raw, re.I):
                    return True
    return False


def _currency(words: list[str], record: Record) -> str:
    """The currency of an amount: in its name, beside it, or in a record around it; else ""."""
    for word in reversed(words):
        if word.upper() in CODES:
            return word.upper()
    for holder in _ancestry(record):
        for other in holder.cells:
            if other.key.endswith(("currency", "currency code", "ccy")) and isinstance(
                other.raw, str
            ):
                code = other.raw.strip()
                return code.upper() if code.upper() in CODES else SIGNS.get(code, code.upper())
    return ""


def _ancestry(record: Record) -> Iterator[Record]:
    holder: Record | None = record
    while holder is not None:
        yield holder
        holder = holder.parent


def _epoch(cell: Cell, number: Decimal) -> Moment | None:
    """Seconds or milliseconds since 1970, where the field is named like a time."""
    if not _STAMP.search(cell.key):
        return None
    seconds = number / 1000 if number > 10**11 else number
    if not 3 * 10**8 <= seconds <= 5 * 10**9:
        return None
    at = datetime.fromtimestamp(float(seconds), UTC)
    clock = at.time().replace(microsecond=0)
    return Moment(at.year, at.month, at.day, clock=clock, offset=0, seconds_given=True)


def _textual(cell: Cell, record: Record) -> Iterator[Value]:
    text = cell.text
    if not text.strip():
        return
    inside = parse_values(text)
    whole = len(inside) == 1 and (inside[0].start, inside[0].end) == (0, len(text))
    for value in inside:
        yield _with_currency(value, cell, record)
        if value.kind == "moment":
            yield from _completed(value, cell, record)
    if _PHONE & set(cell.key.split()) and not (whole and inside[0].kind == "phone"):
        digits = re.sub(r"\D", "", text)
        if len(digits) >= 6:
            yield Value("phone", text, 0, len(text), key=digits)
    number = read_number(text)
    if number is not None:
        yield from _numeric(cell, record, number)
    elif _BARE_CODE.fullmatch(text) and not (whole and inside[0].kind in _EXACT):
        yield Value("identifier", text, 0, len(text), key=squeeze(text))
    if len(text) <= _LONGEST_NAME and not (whole and inside[0].kind in ("name", *_EXACT)):
        yield Value("name", text, 0, len(text), key=fold(text))


_EXACT: tuple[ValueKind, ...] = ("moment", "url", "email", "phone", "path", "handle", "identifier")


def _with_currency(value: Value, cell: Cell, record: Record) -> Value:
    if value.kind == "money" and value.unit in ("$", "kr", "¥", ""):
        code = _currency(cell.key.split(), record)
        return replace(value, unit=code) if code else value
    return value


def _completed(value: Value, cell: Cell, record: Record) -> Iterator[Value]:
    """A date with the time in the field beside it, and a time with the record's date."""
    moment = value.moment
    assert moment is not None
    if (value.start, value.end) != (0, len(cell.text)):
        return
    if moment.clock is None and moment.date is not None:
        for other in record.cells:
            if isinstance(other.raw, str) and _CLOCK_TEXT.fullmatch(other.raw):
                for time in parse_values(other.raw):
                    if time.moment and time.moment.clock:
                        yield replace(value, moment=_both(moment, time.moment))
    elif moment.clock is not None and moment.month is None:
        for holder in _ancestry(record):
            dates = [c.raw for c in holder.cells if isinstance(c.raw, str) and _is_date(c.raw)]
            for date_text in dates[:3]:
                for day in parse_values(date_text):
                    if day.moment and day.moment.clock is None:
                        yield replace(value, moment=_both(day.moment, moment))
            if dates:
                return


def _is_date(raw: str) -> bool:
    return bool(re.fullmatch(r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{4}", raw))


def _both(day: Moment, time: Moment) -> Moment:
    return replace(day, clock=time.clock, offset=time.offset, seconds_given=time.seconds_given)
