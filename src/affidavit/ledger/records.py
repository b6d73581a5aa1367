"""Structured data as records: the unit in which facts are read, compared and shown.

A *record* is one thing a result speaks about (an order, a row, a line item); a *cell* is one of its
values with the place it was found. ``{"orders": [{"id": "W1", "total": 9}]}`` is one record with two
cells: ``orders[0] · id W1`` holding ``id`` and ``total``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias, TypeVar

from affidavit.ledger.kept import Kept
from affidavit.ledger.named_keys import spelled_key

T = TypeVar("T")

Scalar: TypeAlias = str | int | float | bool | None
Path: TypeAlias = tuple[str | int, ...]

# Field names that say which thing a record is, best first. A record is shown by at most two of them.
_IDENTITY = re.compile(
    r"^(?:id|.*_id|uuid|key|number|no|code|sku|.*_number|.*_no|name|full_name|.*_name|title|label)$"
)
_NAME_LIKE = re.compile(r"^(?:name|full_name|.*_name|title|label)$")
_FLAGS = {"yes": True, "true": True, "y": True, "no": False, "false": False, "n": False}
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

    @property
    def flag(self) -> bool | None:
        """Yes or no, as JSON or a text writes it; None for a field that holds anything else."""
        if isinstance(self.raw, bool):
            return self.raw
        return _FLAGS.get(self.raw.casefold()) if isinstance(self.raw, str) else None


@dataclass(frozen=True, slots=True)
class Record:
    """One thing a result speaks about.

    ``place`` is the way to it in words, through the records it lies in (``id W1 › items[0]``);
    ``identity`` is what it calls itself (``sku TNT-3P``). ``parent`` is the record that contains it,
    whose cells (a currency, a unit, a date) hold for this one too.
    """

    place: str
    identity: str
    cells: tuple[Cell, ...]
    pointer: str
    parent: Record | None = field(default=None, repr=False)
    group: str = ""
    """Pointer of the list or map this record is a row of; rows of one group are alike."""
    _kept: Kept = field(default_factory=Kept, init=False, repr=False, compare=False)

    @property
    def header(self) -> str:
        return _join(self.place, self.identity)

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What ``make`` finds among all of its cells, found once: each of ten thousand cells asks for it."""
        return self._kept.once(name, make)


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


def records_of(value: object, *, root: str = "", pointer: str = "") -> Iterator[Record]:
    """Break JSON-like data into records, outermost first, each cell exactly once.

    ``root`` names the data as a whole (a tool, a table's caption) and opens every header.
    ``pointer`` is the place of ``value`` in the result it came from.
    """
    yield from _walk(value, root, pointer, None, "")


def _walk(
    value: object, place: str, pointer: str, parent: Record | None, group: str
) -> Iterator[Record]:
    if isinstance(value, Mapping):
        yield from _walk_mapping(value, place, pointer, parent, group)
    elif _is_list(value):
        yield from _walk_list(value, place, pointer, parent)  # type: ignore[arg-type]
    else:
        yield Record(place, "", (Cell((), _scalar(value), pointer),), pointer, parent, group)


def _walk_mapping(
    value: Mapping[object, object], place: str, pointer: str, parent: Record | None, group: str
) -> Iterator[Record]:
    if len(value) == 1:
        # A wrapper, ``{"order": {…}}``, names the one thing inside it and is no thing of its own.
        ((key, only),) = value.items()
        if isinstance(only, Mapping):
            inside = f"{pointer}/{_escape(str(key))}"
            yield from _walk(only, _join(place, words_of(str(key)), " › "), inside, parent, group)
            return
    if is_map_of_records(value) and _names_things(value):
        for name, row in value.items():
            inside = f"{pointer}/{_escape(str(name))}"
            called = _join(place, words_of(str(name)), " ")
            yield from _walk(row, called, inside, parent, pointer or "/")
        return
    cells: list[Cell] = []
    nested: list[tuple[Path, object, str]] = []
    _collect(value, (), pointer, cells, nested)
    record = Record(place, identity_of(cells), tuple(cells), pointer, parent, group)
    if cells:
        yield record
    for path, child, child_pointer in nested:
        yield from _walk(
            child,
            _join(record.header, _path_text(path), " › "),
            child_pointer,
            record if cells else parent,
            (child_pointer.rsplit("/", 1)[0] or "/")
            if isinstance(child, Mapping)
            else child_pointer,
        )


def _walk_list(
    value: Sequence[object], place: str, pointer: str, parent: Record | None
) -> Iterator[Record]:
    if all(_is_scalar(item) for item in value):
        cells = tuple(Cell((i,), _scalar(item), f"{pointer}/{i}") for i, item in enumerate(value))
        if cells:
            yield Record(place, "", cells, pointer, parent)
        return
    header = _header_of(value)
    if header is not None:
        for i, row in enumerate(value[1:], 1):
            items = list(row) if isinstance(row, list | tuple) else []
            cells = tuple(
                Cell((name,), _scalar(item), f"{pointer}/{i}/{n}")
                for n, (name, item) in enumerate(zip(header, items, strict=True))
            )
            named = f"{place}[{i}]"
            yield Record(named, identity_of(cells), cells, f"{pointer}/{i}", parent, pointer or "/")
        return
    for i, item in enumerate(value):
        yield from _walk(item, f"{place}[{i}]", f"{pointer}/{i}", parent, pointer or "/")


def _header_of(rows: Sequence[object]) -> list[str] | None:
    """The first row of a grid, where it names the columns of the others: how spreadsheets answer."""
    grid = [list(row) for row in rows if isinstance(row, list | tuple)]
    if len(grid) < 3 or len(grid) < len(rows):
        return None
    first, *rest = grid
    names = [item for item in first if isinstance(item, str) and item and not item[0].isdigit()]
    if len(names) < 2 or len(set(names)) != len(first):
        return None
    alike = all(len(row) == len(names) and all(map(_is_scalar, row)) for row in rest)
    measured = any(str(item)[:1].isdigit() for row in rest for item in row)
    return names if alike and measured else None


def _collect(
    value: Mapping[object, object],
    path: Path,
    pointer: str,
    cells: list[Cell],
    nested: list[tuple[Path, object, str]],
) -> None:
    """Gather the scalars of one record; lists of records and maps of records stay nested."""
    for key, child in value.items():
        step = _below(path, str(key))
        place = f"{pointer}/{_escape(str(key))}"
        if isinstance(child, _SCALARS):
            cells.append(Cell(step, child, place))
        elif not child and (_is_list(child) or isinstance(child, Mapping)):
            cells.append(Cell(step, None, place))  # that there are none is worth saying
        elif _is_list(child) and all(_is_scalar(item) for item in child):  # type: ignore[attr-defined]
            for i, item in enumerate(child):  # type: ignore[arg-type, var-annotated]
                cells.append(Cell((*step, i), _scalar(item), f"{place}/{i}"))
        elif isinstance(child, Mapping):
            if is_map_of_records(child):
                for name, row in child.items():
                    row_path = (*step, str(name))
                    nested.append((row_path, row, f"{place}/{_escape(str(name))}"))
            else:
                _collect(child, step, place, cells, nested)
        else:
            nested.append((step, child, place))


def is_map_of_records(value: Mapping[object, object]) -> bool:
    """Whether an object is a table keyed by name: two or more objects that share most of their keys.

    ``{"W1": {"price": 1, "size": "S"}, "W2": {"price": 2, "size": "M"}}`` is; ``{"billing": {"city":
    …}, "total": {"value": …}}`` is one record with nested fields.
    """
    rows = list(value.values())
    if len(rows) < 2 or not all(isinstance(row, Mapping) for row in rows):
        return False
    keys = [set(row) for row in rows]  # type: ignore[call-overload]
    union, common = set.union(*keys), set.intersection(*keys)
    return bool(common) and len(common) * 2 >= len(union)


def _names_things(keys: Iterable[object]) -> bool:
    """Whether the keys of a map that stands alone are of things, GL-101 or Oslo, and not two parts of one, as
    ``billing`` and ``shipping`` are."""
    names = [str(key) for key in keys]
    return len(names) > _TWO or any(re.search(r"[A-Z\d]", name) for name in names)


_TWO = 2


def identity_of(cells: Sequence[Cell]) -> str:
    """What a record calls itself: at most an identifier and a name, ``id W1, name Red shirt``."""
    top = [c for c in cells if len(c.path) == 1 and _identifies(c.path[0])]
    named = [c for c in top if isinstance(c.raw, (str, int)) and c.raw != ""]
    names = [c for c in named if _NAME_LIKE.match(_snake(str(c.path[0])))][:1]
    codes = [c for c in named if c not in names and not isinstance(c.raw, bool)][:1]
    return ", ".join(f"{c.key} {c.text}" for c in (*codes, *names) if len(c.text) <= 60)


@lru_cache(maxsize=8192)
def _identifies(step: str | int) -> bool:
    return bool(_IDENTITY.match(_snake(str(step))))


@lru_cache(maxsize=8192)
def _snake(name: str) -> str:
    return words_of(name).replace(" ", "_")


def _join(header: str, more: str, sep: str = " · ") -> str:
    return f"{header}{sep}{more}" if header and more else header or more


def _path_text(path: Path) -> str:
    return " ".join(words_of(str(step)) for step in path)


_SCALARS = (str, int, float, type(None))  # a tuple: isinstance takes twice as long over a union


def _is_scalar(value: object) -> bool:
    return isinstance(value, _SCALARS)


def _is_list(value: object) -> bool:
    return isinstance(value, (list, tuple))


def _scalar(value: object) -> Scalar:
    return value if _is_scalar(value) else str(value)  # type: ignore[return-value]


@lru_cache(maxsize=8192)
def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


@lru_cache(maxsize=8192)
def _below(path: Path, key: str) -> Path:
    """A path and one step more: the same tuple for all rows of a list."""
    return (*path, key)
