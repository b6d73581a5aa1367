"""The ways a text may call a row: by a cell, by its key in a map, by the field that rows are called by."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell, Record
from affidavit.ledger.values import fold

NAME_CHARS = 60
"""Longest cell that is taken for a name of its row rather than for a text about it."""


def called_by(passages: Iterable[Passage]) -> dict[tuple[int, str], tuple[str | int, ...]]:
    """The field that the rows of a list are called by, where none is named so: the first that is all words
    and has another text in every row, the swimmer of ``rank,lane,swimmer,club``. Lines of a log, which open
    with their time, are called by nothing."""
    lists: dict[tuple[int, str], dict[str, Record]] = defaultdict(dict)
    stamped: set[tuple[int, str]] = set()
    for passage in passages:
        record = passage.record
        if record is not None and record.group and passage.source.kind == "tool_result":
            rows = (passage.source.id, record.group)
            lists[rows][record.pointer] = record
            opens = next((cell for cell in record.cells if not cell.is_blank), None)
            if any(
                cell is opens and value.moment is not None for cell, value in passage.cell_values
            ):
                stamped.add(rows)
    found: dict[tuple[int, str], tuple[str | int, ...]] = {}
    for rows, records in lists.items():
        columns: dict[tuple[str | int, ...], set[str]] = defaultdict(set)
        for record in records.values():
            for cell in record.cells:
                if isinstance(cell.raw, str) and _WORDED.fullmatch(cell.raw):
                    columns[cell.path].add(fold(cell.raw))
        distinct = (path for path, texts in columns.items() if len(texts) == len(records) > 1)
        path = next(distinct, None)
        named = any(record.identity for record in records.values())
        if path is not None and rows not in stamped and not named:
            found[rows] = path
    return found


_WORDED = re.compile(r"(?=.*[^\W\d_]{2})(?:\S+ ){0,4}\S+")
_DECIMAL = re.compile(r"[-+]?[\d,]*\.\d+")
CHARS = re.compile(r"\bchar=\d+,\d+")


def names_of_cell(cell: Cell) -> list[tuple[str, ...]]:
    """The ways a text may call a row by one of its cells."""
    if not isinstance(cell.raw, str) or not 1 < len(cell.raw) <= NAME_CHARS:
        return []
    if _DECIMAL.fullmatch(cell.raw):
        return []  # text has its numbers as strings: 0.9 is measured, and names nothing
    tokens = tuple(fold(cell.raw).split())
    if not tokens or (len(tokens) == 1 and _says_little(tokens[0])):
        return []
    ways = [tokens]
    if len(tokens) >= 3:
        ways.append(tokens[:2])  # "Alder Desk Chair" is also called "Alder Desk", "Kestrel 3"
        ways.append(tokens[-2:])
    return ways


CAPITAL = re.compile(r"\b[^\W\d_a-zß-ÿ][^\W\d_]{3,}")
"""A word with a capital, as names are written."""


def words_of_name(cell: Cell) -> list[str]:
    """The words with a capital of a name of two words or more, each of which may call the row: a first name."""
    if not isinstance(cell.raw, str) or not 1 < len(cell.raw) <= NAME_CHARS:
        return []
    words = CAPITAL.findall(cell.raw)
    return [fold(word) for word in words] if len(cell.raw.split()) > 1 else []


def way_of_number(cell: Cell, record: Record) -> tuple[str, ...] | None:
    """How a text calls a row of a list that opens with a letter or a small number: "ward B" of ``ward: B``."""
    opens = bool(record.group) and cell is record.cells[0]
    noun, text = cell.key.rpartition(" ")[2], fold(cell.text)
    short = len(text) <= _LETTERS and text.isalnum() and not isinstance(cell.raw, bool | float)
    return (noun, text) if opens and short and noun.isalpha() and len(noun) > _LETTERS else None


_LETTERS = 3


def is_plain_word(cell: Cell) -> bool:
    """Whether a row is called by a word that any text may use: ``direction: export``."""
    return cell.text.isalpha() and cell.text.islower()


def in_either_number(
    ways: Iterable[tuple[str, ...]], *, one_word: bool
) -> Iterator[tuple[str, ...]]:
    """Names as they are, and for one and for several of what they name: "20 face shields" of ``Face shield``.
    One word with an s may be another, "open" and "opens", where it is not what its row is called."""
    for tokens in ways:
        yield tokens
        last = tokens[-1]
        if (len(tokens) > 1 or one_word) and len(last) > 2 and last.isalpha():
            several = re.sub(r"(?<=[^aeiou])y$", "ie", last)
            several += "es" if re.search(r"(?:[sxz]|[cs]h)$", several) else "s"
            single = re.sub(r"(?<=[^aeious])ies$", "y", last)
            single = re.sub(r"(?<=[sxz])es$|(?<=[cs]h)es$|(?<=[^suis])s$", "", single)
            yield (*tokens[:-1], single if single != last else several)


def ways_of_key(key: str, record: Record) -> list[tuple[str, ...]]:
    """The ways a text may call a row of a map by its key; in a text of maps the key ends the row's place."""
    if not CHARS.search(key):
        return [tuple(fold(key).split())]
    place = tuple(fold(record.place.rpartition("›")[2]).split())
    return [place[-n:] for n in (1, 2, 3) if len(place) >= n and not _says_little(place[-n:][0])]


def _says_little(token: str) -> bool:
    """A letter or a short number names no row; a long one is its code."""
    return len(token) < (5 if token.isdigit() else 2)
