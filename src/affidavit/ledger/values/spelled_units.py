"""Units of several words: "square metres", "kilometres per hour", "kilowatt-hours", "degrees Celsius"."""

from __future__ import annotations

import re

from affidavit.ledger.values.text import singular
from affidavit.ledger.values.units import quantity_unit, time_unit

_WORD = r"[^\W\d_]+"
_PER = re.compile(
    rf"[\s\u00a0-](?P<power>square |cubic )?(?P<top>{_WORD}) (?:(?:per|pro|par|por) |an?(?= hour| minute| second) )"
    rf"(?P<under>{_WORD})(?!\w)",
    re.I,
)
_POWER = re.compile(rf"[\s\u00a0-](?P<power>square|cubic|sq\.?|cu\.?) (?P<unit>{_WORD})\b", re.I)
_ENERGY = re.compile(r"[\s\u00a0-](?P<watt>(?:kilo|mega|giga|tera)?watt)[ -]hours?\b", re.I)
_NAUTICAL = re.compile(r"[\s\u00a0-](?:nautical|sea) miles?\b", re.I)
_WATTS = {
    "watt": "Wh", "kilowatt": "kWh", "megawatt": "MWh", "gigawatt": "GWh", "terawatt": "TWh",
}  # fmt: skip
_TURNS = re.compile(
    r"[\s\u00a0]?(?:(?P<turns>revolutions|revs?|turns|rotations)(?: per |/)min(?:ute)?"
    r"|(?P<beats>beats)(?: per |/)min(?:ute)?|(?P<frames>frames)(?: per |/)s(?:ec(?:ond)?)?)\b",
    re.I,
)
_SYMBOLS = {
    "kilometer": "km", "kilometre": "km", "meter": "m", "metre": "m", "centimeter": "cm", "centimetre": "cm",
    "millimeter": "mm", "millimetre": "mm", "mile": "mi", "foot": "ft", "inch": "inch", "yard": "yd",
    "litre": "l", "liter": "l", "millilitre": "ml", "milliliter": "ml", "decilitre": "dl", "deciliter": "dl",
    "gram": "g", "kilogram": "kg", "milligram": "mg", "microgram": "µg", "nanogram": "ng", "tonne": "t",
    "hour": "h", "minute": "min", "second": "s", "kilobit": "kbit", "megabit": "Mbit", "gigabit": "Gbit",
}  # fmt: skip
"""Words of one unit in the singular, as they stand before and behind the stroke of a compound one."""


def spelled_unit(text: str, at: int) -> tuple[str, int] | None:
    """The symbol of a unit of several words that begins at a place of a text, and where it ends; None
    where none does. "5 people per room" and "3 square meals" have none, and "500 km per year" are
    kilometres: what is by the day or the year is as often told without it."""
    if match := _TURNS.match(text, at):
        symbol = "rpm" if match["turns"] else "bpm" if match["beats"] else "fps"
        return symbol, match.end()
    if match := _ENERGY.match(text, at):
        return _WATTS[match["watt"].lower()], match.end()
    if match := _NAUTICAL.match(text, at):
        return "nmi", match.end()
    if match := _PER.match(text, at):
        top = _powered(match["power"] or "", match["top"])
        under = _symbol(match["under"])
        if quantity_unit(f"{top}/{under}") and (not time_unit(under) or under in ("h", "min", "s")):
            return f"{top}/{under}", match.end()
    if match := _POWER.match(text, at):
        symbol = _powered(match["power"], match["unit"])
        if quantity_unit(symbol):
            return symbol, match.end()
    return None


def _symbol(word: str) -> str:
    return _SYMBOLS.get(singular(word.lower()), word)


def _powered(power: str, word: str) -> str:
    """ "m²" for "square metres"."""
    mark = {"s": "²", "c": "³"}.get(power[:1].lower(), "")
    return _symbol(word) + mark
