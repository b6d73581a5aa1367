"""The names of fields as words, and the fields that speak of others beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import chain
from typing import TypeAlias

from affidavit.ledger.records import Record, Scalar, words_of

Path = tuple[str | int, ...]
Level: TypeAlias = tuple[tuple[Path, str | bool], ...]
"""Those fields of one record that say something of the others."""
Declared: TypeAlias = tuple[Level, ...]
"""The levels of a record and of those it lies in, nearest first."""

PERCENT = frozenset("% pct percent percentage perc procent prozent".split())
UNIT_HOLDERS = ("unit", "units", "uom", "measure")
CURRENCY_HOLDERS = (
    "currency", "currency_code", "ccy", "currency_iso", "moneda", "moeda", "divisa", "valuta",
    "devise", "währung", "waehrung", "waluta", "monnaie",
)  # fmt: skip
METRIC_HOLDERS = (
    "metric", "metrics", "metric_name", "kpi", "indicator", "statistic", "stat", "parameter", "param",
    "variable", "sensor", "series", "measurement", "figure", "kennzahl", "indicador", "indicateur",
)  # fmt: skip
"""Fields that say of what the others of their row are figures."""
LABEL_HOLDERS = (
    "name",
    "label",
    "title",
    "line",
    "row",
    "item",
    "field",
    "property",
    "attribute",
    "",
)
"""Fields that call a row by its name, which may end with a unit in brackets."""
AMOUNTS_IN = re.compile(
    r"(?:(?:amounts?|prices?|values?|totals?|money|figures|currency|betr[aä]ge?|importes?|valores|"
    r"montants?|importi|belopp)_(?:are_)?(?:in|scale|format|expressed_in)|currency_minor_units?|"
    r"minor_units?|denomination)"
)
_LONGEST_UNIT = 40


@lru_cache(maxsize=65536)
def field_words(path: Path) -> tuple[str, ...]:
    """A field's path in lower-case words; rows repeat their paths, so it is worth keeping."""
    said = words_of(" ".join(str(s) for s in path if isinstance(s, str)))
    return tuple(_BRACKETS.sub(" ", said).split())


_BRACKETS = re.compile(r"[()\[\]{},;]")
"""Around the unit in a column's head: "Weight (kg)", "Humidity [%]", "Price, EUR"."""


MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    "nov(?:ember)?|dec(?:ember)?"
)
WEEKDAYS = "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
"""The names that fields are given after months and days, in lower case: alternatives of a pattern."""
_PERIOD = re.compile(rf"(?:19|20)\d\d|(?:fy|cy)(?:20)?\d\d|q[1-4]|[1-4]q|h[12]|{MONTHS}")
_ONE_OF_SEVERAL = re.compile(rf"(?:19|20)\d\d(?:-\d\d){{0,2}}|q[1-4]|{MONTHS}|{WEEKDAYS}", re.I)
_MONTH_NUMBER = re.compile(r"0[1-9]|1[0-2]")


def undated(words: tuple[str, ...]) -> tuple[str, ...]:
    """A field's words without the period at their end, which says nothing of the measure: ``usd_2026_02`` and
    ``cost_eur_q1``. A field that is named for its period alone keeps it."""
    rest = words
    if len(rest) > 2 and _MONTH_NUMBER.fullmatch(rest[-1]) and _PERIOD.fullmatch(rest[-2]):
        rest = rest[:-2]
    while len(rest) > 1 and _PERIOD.fullmatch(rest[-1]):
        rest = rest[:-1]
    return rest


def without_period(path: Path) -> Path:
    """The path of a map that has one time after another, without the time: ``weights_g › 2025-11-10`` is in grams,
    ``melt_t › feb`` in tons."""
    named = [step for step in path if isinstance(step, str)]
    if len(named) > 1 and path[-1] == named[-1] and _ONE_OF_SEVERAL.fullmatch(named[-1]):
        return path[:-1]
    return path


_QUALIFIERS = frozenset(
    "start end begin beginning opening closing initial final first last before after old new previous prev current curr now "
    "min max avg mean median minimum maximum average total sum today yesterday net gross low high lo hi target actual planned "
    "p50 p75 p90 p95 p99".split()
)


def unqualified(words: tuple[str, ...]) -> tuple[str, ...]:
    """A field's words without what at their end says which of several readings it is: ``km_start``, ``temp_c_max``."""
    rest = undated(words)
    while len(rest) > 1 and rest[-1] in _QUALIFIERS:
        rest = undated(rest[:-1])
    return rest


def ancestry(record: Record) -> Iterator[Record]:
    """A record, then the records it lies in, nearest first."""
    holder: Record | None = record
    while holder is not None:
        yield holder
        holder = holder.parent


class Surroundings:
    """What the fields of a record, and of those around it, say of units and currencies: all that the
    reading of a number takes from beside it. Rows that declare the same are read alike."""

    def __init__(self, record: Record, outside: Level = ()) -> None:
        self._around = [holder.once("said", partial(_Said, holder)) for holder in ancestry(record)]
        self._outside = (outside,) if outside else ()
        self._for_all = None if any(said.is_long for said in self._around) else self._declared(())

    def of(self, path: Path) -> Declared:
        """All of it that can bear on the field at a path."""
        return self._declared(lower_steps(path)[:-1]) if self._for_all is None else self._for_all

    def _declared(self, parents: tuple[str, ...]) -> Declared:
        return (*(said.bearing_on(parents) for said in self._around), *self._outside)


class _Said:
    """What the fields of one record declare.

    An object of ten thousand entries may name a currency in each. Such a one speaks for the fields of its
    own entry and for those inside it; of those elsewhere that say the same under the same name, only the
    first can ever decide.
    """

    def __init__(self, record: Record) -> None:
        self._all: Level = tuple(
            (cell.path, said)
            for cell in record.cells
            if _declares(cell.path) and (said := _said(cell.path, cell.raw)) is not None
        )
        self.is_long = len(self._all) > _FEW
        self._by_place: dict[tuple[str, ...], list[int]] = {}
        first: dict[object, int] = {}
        for at, (path, said) in enumerate(self._all if self.is_long else ()):
            names = lower_steps(path)
            self._by_place.setdefault(names[:-1], []).append(at)
            first.setdefault(
                (_holder(names), [s for s in path if isinstance(s, str)][-1], said), at
            )
        self._first = list(first.values())
        self._known: dict[tuple[str, ...], Level] = {}

    def bearing_on(self, parents: tuple[str, ...]) -> Level:
        """What may decide about the fields of the object at ``parents``, in its order."""
        if not self.is_long:
            return self._all
        if parents not in self._known:
            places = (self._by_place.get(parents[:n], ()) for n in range(len(parents) + 1))
            chosen = sorted({*self._first, *chain.from_iterable(places)})
            self._known[parents] = tuple(self._all[at] for at in chosen)
        return self._known[parents]


def _holder(names: tuple[str, ...]) -> str:
    """The name before the last one, where it says what that one is: ``units: {wind: m/s}``."""
    return names[-2] if names[-2:-1] and names[-2] in UNIT_HOLDERS + CURRENCY_HOLDERS else ""


_FEW = 16
"""Declarations up to which looking through all of them costs less than choosing among them."""


@lru_cache(maxsize=8192)
def _declares(path: Path) -> bool:
    """Whether a field is named like one that says a unit or a currency."""
    names, ends = lower_steps(path), UNIT_HOLDERS + CURRENCY_HOLDERS
    if len(names) == 1 and names[0] in METRIC_HOLDERS + LABEL_HOLDERS:
        return True
    if not names:
        return False
    inside = len(names) > 1 and names[-2] in ends
    return inside or names[-1].endswith(ends) or bool(AMOUNTS_IN.fullmatch(names[-1]))


def _said(path: Path, raw: Scalar) -> str | bool | None:
    """A declaration's short text; True for a yes, or a 2, under ``currency_minor_unit``."""
    if isinstance(raw, str):
        return raw if len(raw) < _LONGEST_UNIT else None
    last = lower_steps(path)[-1]
    minor = "minor" in last and bool(AMOUNTS_IN.fullmatch(last))
    return True if minor and (raw is True or raw == 2) else None


def texts_of(level: Level, ends: tuple[str, ...]) -> Iterator[tuple[list[str], str]]:
    """The text fields of one record whose names say a unit or a currency."""
    for path, raw in level:
        if isinstance(raw, str):
            names = names_of(path)
            if names[-1].endswith(ends) or (len(names) > 1 and names[-2] in ends):
                yield names, raw


@lru_cache(maxsize=65536)
def lower_steps(path: Path) -> tuple[str, ...]:
    return tuple(words_of(s).replace(" ", "_") for s in path if isinstance(s, str))


def names_of(path: Path) -> list[str]:
    return list(lower_steps(path))
