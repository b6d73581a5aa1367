"""Structured data as records: the unit in which facts are read, compared and shown.

A *record* is one thing a result speaks about (an order, a row, a line item); a *cell* is one of its
values with the place it was found. ``{"orders": [{"id": "W1", "total": 9}]}`` is one record with two
cells: ``orders[0] · id W1`` holding ``id`` and ``total``.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import groupby
from typing import TypeAlias, TypeVar, cast, overload

from affidavit.ledger.named_keys import spelled_key

T = TypeVar("T")

Scalar: TypeAlias = str | int | float | bool | None
Path: TypeAlias = tuple[str | int, ...]

# Field names that say which thing a record is, best first. A record is shown by at most two of them.
_IDENTITY = re.compile(
    r"^(?:id|.*_id|uuid|key|number|no|code|sku|.*_number|.*_no|name|full_name|.*_name|title|label)$"
)
_NAME_LIKE = re.compile(r"^(?:name|full_name|.*_name|title|label)$")
_BLANKS = frozenset({"", "null", "none", "nil", "n/a", "-", "–", "—"})
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s\b)[a-z])")


@dataclass(frozen=True, slots=True)
class Cell:
    """One value of a record.

    ``path`` leads from the record to the value; ``pointer`` leads from the whole result to it, as a
    JSON Pointer (RFC 6901) in structured data or as ``char=start,end`` (RFC 5147) in text.
    """

    path: Path
    raw: Scalar
    pointer: str

    @property
    def key(self) -> str:
        """The field name in words: ``price.amount_cents`` reads "price amount cents"."""
        return _key(self.path)

    @property
    def text(self) -> str:
        return self.raw if isinstance(self.raw, str) else scalar_text(self.raw)

    @property
    def is_blank(self) -> bool:
        """Whether the field says that it holds nothing: null, or a text's way of writing null."""
        return self.raw is None or (isinstance(self.raw, str) and self.raw.casefold() in _BLANKS)


@dataclass(frozen=True, slots=True)
class Record:
    """One thing a result speaks about.

    ``place`` is the way to it in words, through the records it lies in (``id W1 › items[0]``);
    ``identity`` is what it calls itself (``sku TNT-3P``). ``parent`` is the record that contains it,
    whose cells (a currency, a unit, a date) hold for this one too.
    """

    place: str
    identity: str
    cells: Sequence[Cell]
    pointer: str
    parent: Record | None = field(default=None, repr=False)
    group: str = ""
    """Pointer of the list or map this record is a row of; rows of one group are alike."""
    _kept: dict[str, object] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def header(self) -> str:
        return join(self.place, self.identity)

    @property
    def said(self) -> Iterable[tuple[str, Scalar]]:
        """What it says: the name of each field, in words, with its value."""
        if isinstance(self.cells, RowCells):
            return zip(self.cells.layout.keys, self.cells.raws, strict=True)
        return ((cell.key, cell.raw) for cell in self.cells)

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What ``make`` finds among all of its cells, found once: each of ten thousand cells asks for it."""
        if name not in self._kept:
            self._kept.setdefault(name, make())  # two threads find the same, and one's is kept
        return cast("T", self._kept[name])


class Layout:
    """What records of one shape have in common: the path of each of their cells, and its place from the record on."""

    def __init__(self, paths: tuple[Path, ...], places: tuple[str, ...]) -> None:
        self.paths, self.places = paths, places
        top = [at for at, path in enumerate(paths) if len(path) == 1]
        self._own = [at for at in top if _identifies(paths[at][0])]
        self._names = [at for at in self._own if _NAME_LIKE.match(_snake(str(paths[at][0])))]

    def __len__(self) -> int:
        return len(self.paths)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The field name of each cell, in words."""
        return tuple(map(_key, self.paths))

    @cached_property
    def fields(self) -> tuple[tuple[int, int], ...]:
        """Ranges of cells that stand under one field name: the items of a list are one field."""
        ranges, at = [], 0
        for _, same in groupby(map(_field_path, self.paths)):
            end = at + sum(1 for _ in same)
            ranges.append((at, end))
            at = end
        return tuple(ranges)

    @cached_property
    def leads(self) -> tuple[str, ...]:
        """What each field begins with when it is shown."""
        names = (self.keys[left] for left, _ in self.fields)
        return tuple(f"{name}: " if name else "" for name in names)

    def identity_of(self, raws: Sequence[Scalar]) -> str:
        """What a record with these values calls itself: at most an identifier and a name."""
        said = []
        called = _first(self._names, raws)
        for at in (_first([at for at in self._own if at != called], raws, codes=True), called):
            if at is not None and len(text := scalar_text(raws[at])) <= _LONGEST_IDENTITY:
                said.append(f"{self.keys[at]} {text}")
        return ", ".join(said)


_LONGEST_IDENTITY = 60


def _first(places: Sequence[int], raws: Sequence[Scalar], *, codes: bool = False) -> int | None:
    """The first place with something that can be a name; a flag is no code."""
    for at in places:
        raw = raws[at]
        if isinstance(raw, (str, int)) and raw != "" and not (codes and isinstance(raw, bool)):
            return at
    return None


class RowCells(Sequence[Cell]):
    """The cells of a record whose layout it shares with others, made when they are first looked at: of megabytes of
    rows, a claim looks at a few."""

    __slots__ = ("_made", "layout", "pointer", "raws")
    _making = threading.Lock()

    def __init__(self, layout: Layout, raws: tuple[Scalar, ...], pointer: str) -> None:
        self.layout, self.raws, self.pointer = layout, raws, pointer
        self._made: tuple[Cell, ...] | None = None

    @property
    def all(self) -> tuple[Cell, ...]:
        """The cells themselves: the same ones, whoever asks."""
        if self._made is None:
            with self._making:
                if self._made is None:
                    places = [self.pointer + place for place in self.layout.places]
                    self._made = tuple(map(Cell, self.layout.paths, self.raws, places))
        return self._made

    def __len__(self) -> int:
        return len(self.raws)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self.all)

    @overload
    def __getitem__(self, at: int) -> Cell: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Cell, ...]: ...
    def __getitem__(self, at: int | slice) -> Cell | tuple[Cell, ...]:
        return self.all[at]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (RowCells, tuple)) and self.all == tuple(other)

    def __hash__(self) -> int:
        return hash(self.all)

    def __repr__(self) -> str:
        return repr(self.all)


def _field_path(path: Path) -> Path:
    while path and isinstance(path[-1], int):
        path = path[:-1]
    return path


@lru_cache(maxsize=65536)
def _key(path: Path) -> str:
    steps = [step for step in path if isinstance(step, str)]
    return " ".join(
        words_of(spelled_key(step, words_of(above)))
        for above, step in zip(("", *steps), steps, strict=False)
    )


def words_of(name: str) -> str:
    """A field name as words: ``unit_price_cents``, ``unitPriceCents`` and ``unit-price`` alike."""
    return " ".join(_CAMEL.sub(" ", name).replace("_", " ").replace("-", " ").split()).lower()


def scalar_text(raw: Scalar) -> str:
    """A scalar as a reader would write it: ``true`` is "yes", ``null`` is "none"."""
    match raw:
        case str():
            return raw
        case None:
            return "none"
        case True:
            return "yes"
        case False:
            return "no"
        case float() if raw.is_integer() and abs(raw) < 1e15:
            return str(int(raw))
        case _:
            return str(raw)


def identity_of(cells: Sequence[Cell]) -> str:
    """What a record calls itself: at most an identifier and a name, ``id W1, name Red shirt``."""
    layout = _layout_of(tuple(cell.path for cell in cells))
    return layout.identity_of([cell.raw for cell in cells])


@lru_cache(maxsize=1024)
def _layout_of(paths: tuple[Path, ...]) -> Layout:
    return Layout(paths, ())


@lru_cache(maxsize=8192)
def _identifies(step: str | int) -> bool:
    return bool(_IDENTITY.match(_snake(str(step))))


@lru_cache(maxsize=8192)
def _snake(name: str) -> str:
    return words_of(name).replace(" ", "_")


def join(header: str, more: str, sep: str = " · ") -> str:
    return f"{header}{sep}{more}" if header and more else header or more
