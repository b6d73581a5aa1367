"""CSV, as evaluation frameworks export their records: a row a record, lists as JSON or as Python prints them."""

from __future__ import annotations

import ast
import csv
import io
import json
from collections.abc import Iterator
from typing import IO, Any

_LONGEST = 2**27
"""Characters of a field: whole conversations stand in one."""


def rows_of_csv(stream: IO[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows with the line that each begins at; fields that are empty are left out."""
    csv.field_size_limit(_LONGEST)
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="")
    rows = csv.DictReader(text)
    at = 2
    try:
        for row in rows:
            yield at, {name: _value(value) for name, value in row.items() if name and value}
            at = rows.line_num + 1
    finally:
        text.detach()  # whoever opened the stream closes it


def _value(told: Any) -> Any:
    if not isinstance(told, str) or told.lstrip()[:1] not in ("[", "{"):
        return told
    for read in (json.loads, ast.literal_eval):
        try:
            return read(told)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return told
