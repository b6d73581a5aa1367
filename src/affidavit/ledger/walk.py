"""Data such as JSON broken into records: the walk over it.

The rows of a list are alike. What tells how a row reads, the names of its fields and the places of its values, is worked
out for the first of them; of all others only the values are gathered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from affidavit.ledger.records import Cell, Layout, Path, Record, RowCells, Scalar, join, words_of


def records_of(value: object, *, root: str = "", pointer: str = "") -> Iterator[Record]:
    """Break JSON-like data into records, outermost first, each cell exactly once.

    ``root`` names the data as a whole (a tool, a table's caption) and opens every header.
    ``pointer`` is the place of ``value`` in the result it came from.
    """
    walk = _Walk()
    walk.into(value, root, pointer, None, "")
    yield from walk.records


class _Walk:
    """The way through one value: its records, in order, and the layouts that they share."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self._frames: dict[tuple[tuple[object, ...], tuple[type, ...]], _Frame] = {}
        self._alike: dict[tuple[object, ...], _Frame] = {}
        self._layouts: dict[tuple[object, ...], Layout] = {}

    def into(
        self, value: object, place: str, pointer: str, parent: Record | None, group: str
    ) -> None:
        if isinstance(value, _MAPPINGS):
            self._mapping(value, place, pointer, parent, group)
        elif _is_list(value):
            self._list(value, place, pointer, parent)  # type: ignore[arg-type]
        else:
            only = (Cell((), _scalar(value), pointer),)
            self.records.append(Record(place, "", only, pointer, parent, group))

    def _mapping(
        self,
        value: Mapping[object, object],
        place: str,
        pointer: str,
        parent: Record | None,
        group: str,
    ) -> None:
        if len(value) == 1:
            # A wrapper, ``{"order": {…}}``, names the one thing inside it and is no thing of its own.
            ((key, only),) = value.items()
            if isinstance(only, _MAPPINGS):
                inside = f"{pointer}/{_escape(str(key))}"
                named = join(place, words_of(str(key)), " › ")
                self._mapping(only, named, inside, parent, group)
                return
        if is_map_of_records(value) and _names_things(value):
            for name, row in value.items():
                inside = f"{pointer}/{_escape(str(name))}"
                called = join(place, words_of(str(name)), " ")
                self.into(row, called, inside, parent, pointer or "/")
            return
        signature: list[object] = []
        raws: list[Scalar] = []
        nested: list[tuple[Path, object, str]] = []
        self._gather(value, (), pointer, signature, raws, nested)
        layout = self._layout(tuple(signature), value)
        record = Record(
            place, layout.identity_of(raws), RowCells(layout, tuple(raws), pointer), pointer, parent, group
        )  # fmt: skip
        if raws:
            self.records.append(record)
        for path, child, child_pointer in nested:
            self.into(
                child,
                join(record.header, _path_text(path), " › "),
                child_pointer,
                record if raws else parent,
                (child_pointer.rsplit("/", 1)[0] or "/")
                if isinstance(child, _MAPPINGS)
                else child_pointer,
            )

    def _gather(
        self,
        value: Mapping[object, object],
        path: Path,
        pointer: str,
        signature: list[object],
        raws: list[Scalar],
        nested: list[tuple[Path, object, str]],
    ) -> None:
        """Gather the scalars of one record; lists of records and maps of records stay nested.

        ``signature`` gets what tells its layout from others: which keys, and how much is under each.
        """
        frame = self._frame(value)
        signature.append(frame)
        children = list(value.values())
        at = 0
        for i, key in frame.branches:
            raws += children[at:i]  # type: ignore[arg-type]
            at = i + 1
            child = children[i]
            listed = _is_list(child)
            if not child and (listed or isinstance(child, _MAPPINGS)):
                raws.append(None)  # that there are none is worth saying
                signature.append(_NONE)
            elif listed and all(map(_is_scalar, child)):  # type: ignore[call-overload]
                raws += map(_scalar, child)  # type: ignore[call-overload]
                signature.append(len(child))  # type: ignore[arg-type]
            elif isinstance(child, _MAPPINGS) and not is_map_of_records(child):
                below, inside = (*path, key), f"{pointer}/{_escape(key)}"
                self._gather(child, below, inside, signature, raws, nested)
                signature.append(_END)
            else:
                below, inside = (*path, key), f"{pointer}/{_escape(key)}"
                signature.append(_APART)
                if isinstance(child, _MAPPINGS):
                    for name, row in child.items():
                        called = str(name)
                        nested.append(((*below, called), row, f"{inside}/{_escape(called)}"))
                else:
                    nested.append((below, child, inside))
        raws += children[at:]  # type: ignore[arg-type]

    def _frame(self, value: Mapping[object, object]) -> _Frame:
        kinds = tuple(map(type, value.values()))
        keys = tuple(map(str, value))
        frame = self._frames.get((keys, kinds))
        if frame is None:
            branches = tuple(
                (i, key)
                for i, (key, kind) in enumerate(zip(keys, kinds, strict=True))
                if not issubclass(kind, _SCALARS)
            )
            # A number here and nothing there make no other frame.
            frame = self._alike.setdefault((keys, branches), _Frame(keys, branches))
            self._frames[keys, kinds] = frame
        return frame

    def _layout(self, signature: tuple[object, ...], value: Mapping[object, object]) -> Layout:
        layout = self._layouts.get(signature)
        if layout is None:
            steps = list(_steps(value, (), ""))
            layout = Layout(tuple(path for path, _ in steps), tuple(place for _, place in steps))
            self._layouts[signature] = layout
        return layout

    def _list(
        self, value: Sequence[object], place: str, pointer: str, parent: Record | None
    ) -> None:
        if all(map(_is_scalar, value)):
            cells = tuple(
                Cell((i,), _scalar(item), f"{pointer}/{i}") for i, item in enumerate(value)
            )
            if cells:
                self.records.append(Record(place, "", cells, pointer, parent))
            return
        header = _header_of(value)
        if header is not None:
            layout = Layout(
                tuple((name,) for name in header), tuple(f"/{n}" for n in range(len(header)))
            )
            for i, row in enumerate(value[1:], 1):
                raws = tuple(map(_scalar, row))  # type: ignore[call-overload]
                below = f"{pointer}/{i}"
                self.records.append(
                    Record(
                        f"{place}[{i}]", layout.identity_of(raws), RowCells(layout, raws, below), below, parent, pointer or "/",
                    )
                )  # fmt: skip
            return
        for i, item in enumerate(value):
            self.into(item, f"{place}[{i}]", f"{pointer}/{i}", parent, pointer or "/")


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    """What one object's keys and the types of its values tell: which of them may hold more than a scalar."""

    keys: tuple[str, ...]
    branches: tuple[tuple[int, str], ...]


_NONE, _APART, _END = "none", "apart", "end"


def _steps(value: Mapping[object, object], path: Path, place: str) -> Iterator[tuple[Path, str]]:
    """The path of each scalar that :meth:`_Walk._gather` finds, and its pointer from the record on."""
    for key, child in value.items():
        step, below = (*path, str(key)), f"{place}/{_escape(str(key))}"
        if _is_scalar(child) or (not child and (_is_list(child) or isinstance(child, _MAPPINGS))):
            yield step, below
        elif _is_list(child) and all(map(_is_scalar, child)):  # type: ignore[call-overload]
            for i in range(len(child)):  # type: ignore[arg-type]
                yield (*step, i), f"{below}/{i}"
        elif isinstance(child, _MAPPINGS) and not is_map_of_records(child):
            yield from _steps(child, step, below)


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


def is_map_of_records(value: Mapping[object, object]) -> bool:
    """Whether an object is a table keyed by name: two or more objects that share most of their keys.

    ``{"W1": {"price": 1, "size": "S"}, "W2": {"price": 2, "size": "M"}}`` is; ``{"billing": {"city":
    …}, "total": {"value": …}}`` is one record with nested fields.
    """
    if len(value) < _TWO:
        return False
    for row in value.values():  # most objects are told by their first value
        if not isinstance(row, _MAPPINGS):
            return False
    keys = [set(row) for row in value.values()]  # type: ignore[call-overload]
    union, common = set.union(*keys), set.intersection(*keys)
    return bool(common) and len(common) * 2 >= len(union)


def _names_things(keys: Iterable[object]) -> bool:
    """Whether the keys of a map that stands alone are of things, GL-101 or Oslo, and not two parts of one, as
    ``billing`` and ``shipping`` are."""
    names = [str(key) for key in keys]
    return len(names) > _TWO or any(re.search(r"[A-Z\d]", name) for name in names)


_TWO = 2


def _path_text(path: Path) -> str:
    return " ".join(words_of(str(step)) for step in path)


_SCALARS = (str, int, float, type(None))  # a tuple: isinstance takes twice as long over a union
_MAPPINGS = (dict, Mapping)  # nearly all are plain ones, which are told at once


def _is_scalar(value: object) -> bool:
    return isinstance(value, _SCALARS)


def _is_list(value: object) -> bool:
    return isinstance(value, (list, tuple))


def _scalar(value: object) -> Scalar:
    return value if _is_scalar(value) else str(value)  # type: ignore[return-value]


@lru_cache(maxsize=8192)
def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
