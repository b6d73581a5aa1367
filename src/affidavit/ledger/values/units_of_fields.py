"""What unit and currency a field's number is in: by its name, or by what stands beside it."""

from __future__ import annotations

import re
from functools import lru_cache

from affidavit.ledger.records import Record
from affidavit.ledger.values.currencies import CODES
from affidavit.ledger.values.field_paths import (
    METRIC_HOLDERS,
    PERCENT,
    UNIT_HOLDERS,
    Declared,
    Path,
    field_words,
    lower_steps,
    names_of,
    texts_of,
    undated,
    unqualified,
)
from affidavit.ledger.values.money_of_fields import (
    in_brackets,
    is_per_time,
    is_price,
    named_minor,
)
from affidavit.ledger.values.units import QUANTITIES, quantity_unit, time_unit

# Words of field names that units.py spells otherwise. "c" and "f" are too short to trust alone.
_SPELLED = {
    "kmh": "km/h", "kph": "km/h", "mps": "m/s", "celsius": "°C", "fahrenheit": "°F", "gb": "GB",
    "mb": "MB", "kb": "kB", "tb": "TB", "gib": "GiB", "mib": "MiB", "kib": "KiB", "tib": "TiB",
    "w": "W", "kw": "kW", "mw": "MW", "kwh": "kWh", "mwh": "MWh", "wh": "Wh", "v": "V", "hz": "Hz",
    "mhz": "MHz", "ghz": "GHz", "hpa": "hPa", "kpa": "kPa", "mah": "mAh", "mbps": "Mbps",
    "kbps": "kbps", "gbps": "Gbps", "sqm": "m²", "m2": "m²", "m3": "m³", "db": "dB",
    "knots": "kn", "degrees": "°", "l": "l", "in": "inch", "degc": "°C", "degf": "°F",
    "°c": "°C", "°f": "°F", "ºc": "°C",
}  # fmt: skip
# "temp_c" is in degrees and "type_c" a plug; "pressure_mb" is in millibar, "gust_ms" in metres a second.
_TOPICS = {
    "temperature": frozenset("temp temperature t dew feels feelslike tmin tmax".split()),
    "pressure": frozenset(["pressure"]),
    "wind": frozenset("wind gust gusts windspeed velocity".split()),
}
_BY_TOPIC: dict[str, dict[str, str]] = {
    "c": {"temperature": "°C"},
    "f": {"temperature": "°F"},
    "mb": {"pressure": "mbar"},
    "ms": {"wind": "m/s"},
}
_NOT_INCH = frozenset("check checked sign signed log logged opt opted plug built clock".split())
_BESIDE_LEAST = ("max", "maximum", "avg", "mean", "median", "p50", "p95")
_NO_UNIT = frozenset("second quarters t d w in p core cores bar calories".split())
# Units as they are declared beside a number, where no word around them can be mistaken.
_DECLARED = {
    "celsius": "°C", "fahrenheit": "°F", "c": "°C", "f": "°F", "degc": "°C", "degf": "°F",
    "deg c": "°C", "deg f": "°F", "deg celsius": "°C", "deg fahrenheit": "°F", "cel": "°C",
    "degree celsius": "°C", "degree fahrenheit": "°F", "kmh": "km/h", "kph": "km/h", "mps": "m/s",
    "m3": "m³", "m2": "m²", "cbm": "m³", "liters": "l", "knots": "kn", "b": "byte",
}  # fmt: skip

# "t_min" is the least, "duration_min" is in minutes.
TIMED = frozenset(
    "duration time delay wait eta window connection elapsed runtime length interval timeout drive "
    "walk travel flight trip session prep cook total lead response uptime downtime age".split()
)
# What a declared unit speaks of, where field names abbreviate it.
_SPOKEN_OF = {
    "temperature": frozenset("temp temps t temperature feels dew tmin tmax".split()),
    "temp": frozenset("temp temps t temperature feels dew tmin tmax".split()),
    "precipitation": frozenset("precip rain snow rainfall precipitation".split()),
    "wind": frozenset("wind gust gusts".split()),
    "windspeed": frozenset("wind gust gusts".split()),
    "waves": frozenset("wave waves swell".split()),
    "distance": frozenset("distance dist length".split()),
    "weight": frozenset("weight mass".split()),
    "height": frozenset("height".split()),
}
_CHANCE = frozenset("prob probability chance likelihood".split())
# Counts beside a figure: the samples that a latency was measured on are no milliseconds.
_SHORT_TIMES = frozenset("ms msec sec secs mins hrs".split())
_TALLIES = frozenset(
    "n count counts qty quantity samples sample size hits requests runs total observations obs events records users "
    "views rank position version id index row year".split()
)
_COUNTED = frozenset("id year month day number no count index rank page version code zip".split())


def unit_of(path: Path, declared: Declared, *, least: bool = False) -> str:
    """The unit of a field, "percent" among them, or ""; ``least`` as :func:`is_least` says of it."""
    if in_brackets(path) is not None:  # "Revenue (USD m)" is in no metres
        return ""
    named = "" if least else _unit_in_name(path)
    if named:
        return named
    unit = _declared_unit(path, declared) or _unit_of_metric(path, declared)
    return "" if unit != "percent" and is_price(path) else unit


def is_least(path: Path, record: Record) -> bool:
    """Whether the "min" of a field's name means minimum, and no minutes: nothing timed in the name, or a
    maximum beside it."""
    if _unit_in_name(path) != "min":
        return False
    words = field_words(path)
    if not TIMED & set(words):
        others = record.once("names", lambda: {field_words(other.path) for other in record.cells})
        names = [step for step in path if isinstance(step, str)]
        alone = len(words) == 1 and len(record.cells) == 1
        held = len(names) > 1 and names[-1] == "min"  # ``price: {min: 10}``
        return alone or held or any((*words[:-1], most) in others for most in _BESIDE_LEAST)
    return False


@lru_cache(maxsize=8192)
def _unit_in_name(path: Path) -> str:
    """The unit in a field's own name, else in that of the map that it lies in: ``today`` of ``energy_wh``."""
    steps = [step for step in path if isinstance(step, str)]
    own = field_words((steps[-1],)) if steps else ()
    words = field_words(path)
    named = _named_unit(undated(words), own)
    if (plain := unqualified(words)) != words and (not named or named == "min"):
        held = _named_unit(plain, own)  # "temp_c_min" is in degrees, "day_start" no span of time
        named = held if held in QUANTITIES or held in _SHORT_TIMES else named
    if named or len(steps) < 2 or "per" in own or ((_COUNTED | _TALLIES) - {"total"}) & set(own):
        return named
    holder = field_words((steps[-2],))
    if len(holder) == 1 and holder[0] in _TIMED_MAPS and not _CLOCK_ENDS & set(own):
        return holder[0]  # ``hours: {regular: 160, overtime: 12}``
    if (
        not holder
        or (len(holder) == 1 and holder[0] not in _CLEAR)
        or (len(holder[-1]) == 1 and not _MEASURED & set(holder))
    ):
        return ""  # "group_l" is a group
    held = _named_unit(holder, holder)
    # "previous_week" is when it was, "storage_days" what it is counted in.
    timed = time_unit(held) is not None and held not in _SHORT_TIMES and len(held) > 3
    return "" if timed and not held.endswith("s") else held


_TIMED_MAPS = frozenset("hours minutes seconds days weeks months".split())
_CLOCK_ENDS = frozenset("open opens close closes from to start end begin until".split())
_MEASURED = frozenset(
    "power load draw consumption output input usage voltage volume capacity tank fuel water weight mass length height "
    "width depth distance temp temperature".split()
)
"""Words beside which one letter is a unit."""


def _named_unit(words: tuple[str, ...], own: tuple[str, ...]) -> str:
    """The unit in a field's name. Only its last word counts: a "day_rate" is no time.

    "km_per_hour" and "restarts_24h" name none, nor do short names alone: the "h" and "l" of
    ``dimensions`` are its height and length.
    """
    if PERCENT & set(words[-2:]) or _is_share(own):
        return "percent"
    if not words:
        return ""
    last = words[-1]
    if len(words) > 1 and words[-2].isdecimal() and last in _WINDOWS:
        return ""  # "sales_last_30_days" are no days
    if last in _BASIS_POINTS or words[-2:] == ("basis", "points"):
        return "bp"
    if compound := _compound_unit(words):
        return compound
    if "per" in words:
        return ""
    if last in _BY_TOPIC and (topic := _topic(words)):
        return _BY_TOPIC[last].get(topic, "ms" if last == "ms" else "")
    alone = len(own) == 1 and last not in _CLEAR
    if last in _SPELLED:
        return "" if alone or _NOT_INCH & set(own) else _SPELLED[last]
    if last in _NO_UNIT or (alone and len(last) < 4):
        return ""
    if named_minor((last,), words):
        return ""
    if is_per_time(words):
        return ""
    if time_unit(last) or last in QUANTITIES:
        return last
    # "hours_worked", "days_left", "days_to_pay": a unit in the plural before a participle or what it is until
    if len(words) > 2 and words[-2] in _UNTIL and time_unit(words[-3]) and words[-3].endswith("s"):
        return words[-3]
    first = words[-2] if len(words) > 1 else ""
    return first if first.endswith("s") and len(first) > 3 and time_unit(first) else ""


def _is_share(own: tuple[str, ...]) -> bool:
    """Whether a field's own name says percent, wherever: ``pct_of_orders``, ``penalty_percent_per_day``. Not where it
    ends in a unit, a currency or a count of its own."""
    if "per" in own[1:]:
        own = own[: own.index("per", 1)]
    if not PERCENT & set(own):
        return False
    last = own[-1]
    other = last.upper() in CODES or time_unit(last) or last in _SPELLED or last in QUANTITIES
    return not other and last not in (_COUNTED | _TALLIES | {"amount"}) - {"total"}


def is_by_time(path: Path) -> bool:
    """Whether a field holds so much in a time, by its name: ``penalty_percent_per_day``, ``monthly_interest_pct``."""
    words = field_words(path)
    by = words[words.index("per", 1) + 1 :] if "per" in words[1:] else ()
    return bool(_ADVERBS & set(words)) or any(time_unit(word) or word == "annum" for word in by)


_ADVERBS = frozenset("hourly daily nightly weekly monthly quarterly yearly annual annually".split())
_UNTIL = frozenset("to until till before since after past".split())
_CLEAR = frozenset(
    "min kg km cm mm ml kwh mwh kmh kph mph ghz mhz hpa mah mbps gbps sqm gib mib".split()
)
"""Units that the whole name of a field may be."""
_WINDOWS = frozenset(
    "hour hours day days week weeks month months year years d h w quarters nights sessions".split()
)
_BASIS_POINTS = frozenset("bps bp".split())
_UNDER = frozenset("l dl ml m2 m3 s h hr hour min minute day kg cm km sec second".split())
_OVER = frozenset(
    "mg ug µg g ng pg kg us µs ms mmol umol nmol mol u iu miu w kw wh kwh m km l ml gal mb kb gb mbit".split()
)
_SPELLED_UNDER = {"m2": "m²", "m3": "m³"}


def _compound_unit(words: tuple[str, ...]) -> str:
    """The unit by another that ends a field's name: ``oxygen_mg_l``, ``flow_l_per_min``; "" where none does."""
    if len(words) < 3:
        return ""
    over, under = (words[-3], words[-1]) if words[-2] == "per" else words[-2:]
    if over not in _OVER or under not in _UNDER:
        return ""
    if over in ("us", "ms"):  # conductivity; "duration_ms_min" is the least of some milliseconds
        return {"us": "µS/cm", "ms": "mS/cm"}[over] if under == "cm" else ""
    top = {"u": "U", "iu": "IU", "miu": "mIU"}.get(over) or _SPELLED.get(over, over)
    unit = f"{top}/{_SPELLED_UNDER.get(under, under)}"
    return unit if quantity_unit(unit) else ""


def _topic(words: tuple[str, ...]) -> str:
    for topic, names in _TOPICS.items():
        if names & set(words):
            return topic
    return ""


def _declared_unit(path: Path, declared: Declared) -> str:
    """A unit said beside the field: ``units: {wind: m/s}``, ``unit: hours``, ``weight_unit: kg``."""
    words, parents = field_words(path), names_of(path)[:-1]
    for level in declared:
        for names, raw in texts_of(level, UNIT_HOLDERS):
            last = names[-1]
            if len(names) > 1 and names[-2] in UNIT_HOLDERS:
                if _speaks_of(last, words):
                    return _as_unit(raw)
            elif last in UNIT_HOLDERS:
                near = names[:-1] == parents[: len(names) - 1]
                if near and words and not _COUNTED & set(words[-1:]) and not _CHANCE & set(words):
                    return _as_unit(raw)
            elif words and last.rsplit("_", 1)[0] in ("_".join(words), words[-1]):
                return _as_unit(raw)
    return ""


# "error_rate_pct" names a figure with its unit, and so do "Latency (ms)" and "Churn, %".
_SNAKE = re.compile(
    r"[A-Za-z](?=\w*_[A-Za-z])\w++|[A-Za-z]\w*_%\w*|[a-z][a-z0-9]*+(?:[A-Z][a-z0-9]++)++"
)
_IN_BRACKETS = re.compile(
    r".*[\w)]\s?(?:[(\[]\s?(?:in\s)?(?P<unit>[^()\[\]]{1,16})[)\]]|,\s?(?P<last>%|[^\s,]{1,6}))\s*"
)


def _unit_of_metric(path: Path, declared: Declared) -> str:
    """The unit in the text that says what a row's figures are of: ``metric: error_rate_pct``."""
    words = field_words(path)
    if len(path) != 1 or not declared or not words or _TALLIES & set(words):
        return ""
    for path_of_text, raw in declared[0]:
        names = lower_steps(path_of_text)
        if len(names) != 1 or not isinstance(raw, str):
            continue
        if match := _IN_BRACKETS.fullmatch(raw.strip()):
            if unit := _as_unit(match["unit"] or match["last"]):
                return unit
        elif names[0] in METRIC_HOLDERS and _SNAKE.fullmatch(raw.strip()):
            return _unit_in_name((raw.strip(),))
    return ""


def _speaks_of(declared: str, words: tuple[str, ...]) -> bool:
    names = set(words)
    if _CHANCE & names:
        return False
    if declared in names or set(declared.split("_")) <= names:
        return True
    return any(_SPOKEN_OF.get(part, frozenset()) & names for part in declared.split("_"))


def _as_unit(raw: str) -> str:
    unit = raw.strip()
    if unit.lower() in PERCENT or unit == "%":
        return "percent"
    if quantity_unit(unit) or time_unit(unit):
        return unit
    return _DECLARED.get(unit.lower().replace("_", " ").replace("degrees", "deg"), "")
