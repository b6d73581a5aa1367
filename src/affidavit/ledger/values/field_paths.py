"""The names of fields as words, and the fields that speak of others beside them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from affidavit.ledger.records import Record, words_of

Path = tuple[str | int, ...]

PERCENT = frozenset("pct percent percentage perc procent prozent".split())
UNIT_HOLDERS = ("unit", "units", "uom", "measure")


@lru_cache(maxsize=8192)
def field_words(path: Path) -> tuple[str, ...]:
    """A field's path in lower-case words; rows repeat their paths, so it is worth keeping."""
    return tuple(words_of(" ".join(str(s) for s in path if isinstance(s, str))).split())


def ancestry(record: Record) -> Iterator[Record]:
    """A record, then the records it lies in, nearest first."""
    holder: Record | None = record
    while holder is not None:
        yield holder
        holder = holder.parent


def texts_of(record: Record, ends: tuple[str, ...]) -> Iterator[tuple[list[str], str]]:
    """The text fields of a record whose names say a unit or a currency."""
    for cell in record.cells:
        if isinstance(cell.raw, str) and len(cell.raw) < 40:
            path = names_of(cell.path)
            if path and (path[-1].endswith(ends) or (len(path) > 1 and path[-2] in ends)):
                yield path, cell.raw


@lru_cache(maxsize=8192)
def lower_steps(path: Path) -> tuple[str, ...]:
    return tuple(words_of(s).replace(" ", "_") for s in path if isinstance(s, str))


def names_of(path: Path) -> list[str]:
    return list(lower_steps(path))
