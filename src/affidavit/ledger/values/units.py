"""Units of measure and of time, each with its base unit and factor."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

from affidavit.ledger.values.currencies import CODES

# base unit: {factor to base: spellings}. Single letters that also name other things (A, C, F) are
# left out: "11C" is a seat.
_TABLE: dict[str, dict[str, str]] = {
    "m": {
        "1000": "km kilometer kilometers kilometre kilometres kilómetros kilomètres chilometri",
        "1": "m meter meters metre metres metros mètres metri",
        "0.01": "cm centimeter centimeters centimetre centimetres",
        "0.001": "mm millimeter millimeters millimetre millimetres",
        "1609.344": "mi mile miles", "0.3048": "ft foot feet", "0.0254": "inch inches",
        "0.9144": "yd yard yards", "1852": "nmi",
    },
    "kg": {
        "1": "kg kilo kilos kilogram kilograms", "0.001": "g gram grams gramm",
        "0.000001": "mg milligram milligrams",
        "0.000000000001": "ng", "0.000000001": "µg μg ug mcg microgram micrograms", "1000": "t tonne tonnes",
        "0.45359237": "lb lbs", "0.028349523125": "oz ounce ounces",
    },
    "l": {
        "1": "l L liter liters litre litres litros litri", "0.001": "ml mL milliliter milliliters millilitre millilitres cm³ cm3 ccm",
        "0.01": "cl centilitre centilitres centiliter centiliters", "0.1": "dl dL", "0.000001": "µl µL", "3.785411784": "gal gallon gallons",
        "1000": "m³ m3 cbm", "28.316846592": "ft³ ft3 cuft", "764.554857984": "yd³ yd3",
    },
    "m²": {"1": "m² m2 sqm qm", "1000000": "km² km2", "0.0001": "cm² cm2", "0.000001": "mm² mm2",
           "0.09290304": "sqft ft² ft2", "0.83612736": "yd² yd2", "2589988.110336": "mi² mi2",
           "0.00064516": "inch² in²", "10000": "ha hectare hectares", "4046.8564224": "acre acres"},
    "W": {"1": "W watt watts", "1000": "kW kilowatt kilowatts", "1000000": "MW megawatt megawatts",
          "1000000000": "GW"},
    "Wh": {"1": "Wh", "1000": "kWh", "1000000": "MWh", "1000000000": "GWh",
           "1000000000000": "TWh"},
    "kcal": {"1": "kcal calories"},
    "mAh": {"1": "mAh"},
    "V": {"1": "V volt volts", "1000": "kV"},
    "Hz": {"1": "Hz", "1000": "kHz", "1000000": "MHz", "1000000000": "GHz"},
    "Pa": {"1": "Pa", "100": "hPa mbar", "1000": "kPa", "100000": "bar", "6894.757293168": "psi"},
    "dB": {"1": "dB"},
    "B": {
        "1": "byte bytes", "1000": "kB KB", "1000000": "MB megabyte megabytes",
        "1000000000": "GB gigabyte gigabytes", "1000000000000": "TB terabyte terabytes",
        "1000000000000000": "PB",
        "1024": "KiB Ki", "1048576": "MiB Mi", "1073741824": "GiB Gi", "1099511627776": "TiB Ti",
    },
    "bit/s": {"1000": "kbps kbit/s", "1000000": "Mbps Mbit/s", "1000000000": "Gbps Gbit/s"},
    "kbit": {"1": "kbit kilobit kilobits", "1000": "Mbit megabit megabits", "1000000": "Gbit gigabit gigabits"},
    "m/s": {"1": "m/s", "0.27777777777777777778": "km/h kph kmh", "0.44704": "mph",
            "0.51444444444444444444": "kn kt knots"},
    "l/h": {"1": "l/h", "60": "l/min", "3600": "l/s", "1000": "m³/h m3/h", "3600000": "m³/s m3/s"},
    "°C": {"1": "°C ºC ℃ degC"},
    "°F": {"1": "°F ºF ℉ degF"},
    "°": {"1": "° deg degs", "57.295779513082320877": "rad radian radians",
          "0.057295779513082320877": "mrad milliradian milliradians",
          "0.016666666666666666667": "arcmin arcminute arcminutes", "0.00027777777777777777778": "arcsec arcsecond arcseconds"},
    "ppm": {"1": "ppm"},
    "px": {"1": "px pixels", "1000000": "MP megapixels"},
    "fps": {"1": "fps"},
    "mol": {"1": "mmol", "1000": "mol"},
    "cup": {"1": "cup cups"},
    "tsp": {"1": "tsp teaspoon teaspoons", "3": "tbsp tablespoon tablespoons"},
    "NTU": {"1": "NTU FNU"},
    "core": {"1": "core cores vCPU vCPUs"},
    "request/s": {"1": "rps qps req/s"},
}  # fmt: skip

_TIMES: dict[str, dict[str, str]] = {
    "s": {
        "0.001": "ms msec millisecond milliseconds", "0.000001": "µs us microsecond microseconds",
        "1": "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos "
        "secondo secondi seconden",
        "60": "min mins minute minutes minuten minuto minutos minuti minuut",
        "3600": "h hr hrs hour hours stunde stunden std heure heures hora horas ora ore uur uren",
        "86400": "d day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen "
        "werktage werktagen arbeitstage arbeitstagen",
        "604800": "w wk wks week weeks woche wochen semaine semaines semana semanas settimana "
        "settimane weken",
        "1209600": "fortnight fortnights",
    },
    "month": {
        "1": "mo month months monat monate monaten mois mes meses mese mesi mês maand maanden",
        "3": "quarters", "12": "yr yrs year years jahr jahre jahren ans année années año años "
        "anno anni ano anos jaar jaren", "120": "decade decades",
    },
}  # fmt: skip


def _spread(table: dict[str, dict[str, str]]) -> dict[str, tuple[str, Decimal]]:
    return {
        word: (base, Decimal(factor))
        for base, factors in table.items()
        for factor, words in factors.items()
        for word in words.split()
    }


QUANTITIES = _spread(_TABLE)
"""Spelling, case as written: (base unit, factor). Mi is not mi."""
TIMES = _spread(_TIMES)
"""Spelling in lower case: ("s" or "month", factor)."""

_LOWER = {word.lower(): unit for word, unit in reversed(QUANTITIES.items()) if len(word) > 2}


def quantity_unit(word: str) -> tuple[str, Decimal] | None:
    """The unit a word names. Long spellings in any case, short ones exactly: Mi is not mi."""
    known = QUANTITIES.get(word) or (_LOWER.get(word.lower()) if len(word) > 2 else None)
    return known or (_compound(word) if "/" in word else None)


# What is measured by volume, time or area, beside the units of the table: activity, cells, charge.
_COUNTED = frozenset(
    "U IU UI mIU mU kU mEq meq pg pmol nmol µmol umol µS uS mS S cells copies CFU".split()
)


@lru_cache(maxsize=4096)
def _compound(word: str) -> tuple[str, Decimal] | None:
    """A unit by another: "mg/L", "µg/m³", "kWh/day"; None where either is no unit."""
    over, _, under = word.partition("/")
    top = QUANTITIES.get(over) or ((over, Decimal(1)) if over in _COUNTED else None)
    bottom = QUANTITIES.get(under) or time_unit(under)
    if top is None or bottom is None:
        return None
    return f"{top[0]}/{bottom[0]}", top[1] / bottom[1]


def time_unit(word: str) -> tuple[str, Decimal] | None:
    # 450 W is no week.
    return TIMES.get(word) or (TIMES.get(word.lower()) if len(word) > 1 else None)


def is_measure(word: str) -> bool:
    """Whether a word is a unit of something: 90 minutes can not be 90 hours, 5 nights may be 5."""
    return (
        word in ("cent", "percent", "fraction", "bp")
        or word in CODES
        or bool(quantity_unit(word) or time_unit(word))
    )


def celsius(number: Decimal, unit: str) -> Decimal:
    return number if unit == "°C" else (number - 32) * 5 / 9
