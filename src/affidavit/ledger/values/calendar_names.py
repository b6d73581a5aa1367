"""Month and weekday names of many languages, from the Unicode CLDR as Babel ships it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from affidavit.ledger.values.text import fold

_LANGUAGES = "en de es fr it pt nl sv da nb pl fi cs ro hu".split()
_ABBREVIATING = frozenset("en de es fr it pt nl sv da nb".split())
# Not Polish: "sie 2" is a German pronoun and a number more often than the 2nd of August.


@dataclass(frozen=True, slots=True)
class CalendarNames:
    """Folded names to numbers: months from 1, weekdays from 0 for Monday.

    Abbreviated months go by language: "5 out" is October in Portuguese, "10 des" December in
    Norwegian. Of the weekdays only the English abbreviations are read ("do", "mar", "ven" are words).
    """

    months: dict[str, int]
    short_months: dict[str, dict[str, int]]
    weekdays: dict[str, int]
    short_weekdays: dict[str, int]


@cache
def calendar_names() -> CalendarNames:
    from babel import Locale  # takes 30 ms, and many texts have no date in words

    names = CalendarNames({}, {}, {}, dict(_SHORT_WEEKDAYS))
    for language in _LANGUAGES:
        locale = Locale.parse(language)
        for context in ("format", "stand-alone"):
            _enter(names.months, locale.months[context]["wide"])
            _enter(names.weekdays, locale.days[context]["wide"])
            if language in _ABBREVIATING:
                short = names.short_months.setdefault(language, {})
                _enter(short, locale.months[context]["abbreviated"])
    names.short_months["en"]["sept"] = 9
    # Portuguese says "quinta" for "quinta-feira"; left out, since they are ordinals as well.
    return names


_SHORT_WEEKDAYS = {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5,
    "sun": 6,
}  # fmt: skip


def _enter(table: dict[str, int], names: object) -> None:
    assert hasattr(names, "items")
    for number, name in names.items():
        # The first language to use a name keeps it: English before the rest.
        table.setdefault(fold(str(name)), int(number))


RELATIVE_DAYS = {
    "today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1,
    "heute": 0, "gestern": -1, "übermorgen": 2, "vorgestern": -2,
    "hoy": 0, "ayer": -1, "aujourd'hui": 0, "demain": 1, "hier": -1,
    "oggi": 0, "domani": 1, "ieri": -1, "hoje": 0, "amanhã": 1, "ontem": -1,
    "vandaag": 0, "gisteren": -1,
}  # fmt: skip
"""Not "morgen" and "mañana", which are mornings as well, nor German "hier"."""

CLOCK_WORDS = {
    "noon": 12, "midday": 12, "midnight": 0, "mittag": 12, "mitternacht": 0, "mediodía": 12,
    "medianoche": 0, "midi": 12, "minuit": 0, "mezzogiorno": 12, "mezzanotte": 0,
}  # fmt: skip

ZONES = {
    "utc": 0, "gmt": 0, "z": 0, "wet": 0, "west": 60, "bst": 60, "cet": 60, "cest": 120,
    "mez": 60, "mesz": 120, "eet": 120, "eest": 180, "msk": 180, "ist": 330, "jst": 540,
    "kst": 540, "sgt": 480, "hkt": 480, "aest": 600, "aedt": 660, "nzst": 720, "nzdt": 780,
    "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480,
    "pdt": -420, "akst": -540, "hst": -600, "brt": -180, "art": -180,
}  # fmt: skip
