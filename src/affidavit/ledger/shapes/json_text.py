"""JSON: the whole text, JSON inside its strings, one value a line, or a value in the midst of prose."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterator
from typing import Any

from affidavit.ledger.records import Record
from affidavit.ledger.shapes.json_places import places_of, relocated
from affidavit.ledger.walk import records_of

MAX_STRING_LEVELS = 3
"""How often a JSON string may hold JSON that holds a JSON string…"""

MAX_FAILED_STARTS = 200
"""Brackets that may turn out to begin no JSON before the search for it is given up: each costs a read
to the end of the text."""

MAX_REPR_CHARS = 300_000
_DECODER_ERRORS = (ValueError, RecursionError)
_START = re.compile(r'[{\[](?=\s*["{\[])')
# A log line keeps its JSON: cut out, the payload would lose its time and its level.
_LOG_LEAD = re.compile(r"\s*\[?\d{2,4}[-:/]\d\d[-:/]\d\d")


def read_json(text: str, root: str) -> list[Record] | None:
    """The records of a text that is JSON, or the ``repr`` of Python data, as a whole."""
    lead = text.lstrip("\ufeff \t\r\n")[:1]
    if lead not in ("{", "[", '"'):
        return None
    try:
        value = _DECODER.decode(text.lstrip("\ufeff"))
    except _DECODER_ERRORS:
        if lead == '"' or (value := _python_data(text)) is None:
            return None
    return data_records(value, root=root, opens=lead == '"' or '\\"' in text)


def data_records(value: object, *, root: str, opens: bool = True) -> list[Record] | None:
    """The records of decoded data; None where it is a single value, or nests too deep to walk.

    Strings that hold JSON are opened: their pointers go on inside them.
    """
    try:
        if opens:
            value = _opened(value, 0)
        if not isinstance(value, dict | list):
            return None
        return list(records_of(value, root=root))
    except RecursionError:
        return None


def _opened(value: object, level: int) -> object:
    match value:
        case dict():
            return {key: _opened(child, level) for key, child in value.items()}
        case list() | tuple():
            return [_opened(child, level) for child in value]
        case str() if level < MAX_STRING_LEVELS and _may_be_json(value):
            try:
                inner = _DECODER.decode(value)
            except _DECODER_ERRORS:
                return value
            return _opened(inner, level + 1) if _is_structure(inner) else value
    return value


def _may_be_json(text: str) -> bool:
    stripped = text.strip()
    return stripped[:1] + stripped[-1:] in ("{}", "[]", '""') and len(stripped) > 4


def _is_structure(value: object) -> bool:
    """Whether a value is data rather than a bracketed word of prose, such as the citation ``[1]``."""
    if isinstance(value, str):
        return _may_be_json(value)
    if isinstance(value, list):
        return any(isinstance(item, dict | list) for item in value) or len(value) > 1
    return isinstance(value, dict) and bool(value)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; a key that comes twice keeps both values, where ``dict`` would drop the first."""
    found = dict(pairs)
    if len(found) < len(pairs):
        several: dict[str, list[Any]] = {}
        for key, value in pairs:
            several.setdefault(key, []).append(value)
        found = {key: v[0] if len(v) == 1 else v for key, v in several.items()}
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def _python_data(text: str) -> object:
    """The value of a Python literal: what a tool returns that was written with ``str(result)``."""
    stripped = text.strip()
    if len(stripped) > MAX_REPR_CHARS or stripped[:1] + stripped[-1:] not in ("{}", "[]"):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = ast.literal_eval(stripped)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return value if _is_structure(value) else None


def read_json_string(text: str) -> str | None:
    """What a text says that is one JSON string with escapes in it; None for any other text."""
    stripped = text.strip()
    if len(stripped) < 2 or stripped[0] + stripped[-1] != '""' or "\\" not in stripped:
        return None
    try:
        value = json.loads(stripped)
    except _DECODER_ERRORS:
        return None
    return value if isinstance(value, str) else None


def read_ndjson(text: str, root: str) -> list[Record] | None:
    """The records of a text with one object a line, two lines or more."""
    if text.lstrip()[:1] != "{":
        return None
    records: list[Record] = []
    at, rows = 0, 0
    for line in text.splitlines(keepends=True):
        if stripped := line.strip():
            start = at + line.index(stripped[0])
            try:
                value = _DECODER.decode(stripped)
            except _DECODER_ERRORS:
                return None
            if not isinstance(value, dict):
                return None
            found = located(value, text, start, root=f"{root}[{rows}]", opens='\\"' in line)
            if found is None:
                return None
            records += found
            rows += 1
        at += len(line)
    return records if rows > 1 else None


def located(
    value: object, text: str, start: int, *, root: str, opens: bool, group: str = ""
) -> list[Record] | None:
    """The records of JSON that stands at ``start`` of a text, their places as characters of it."""
    found = data_records(value, root=root, opens=opens)
    if found is None:
        return None
    return relocated(found, places_of(text, start), group or f"char=0,{len(text)}")


def embedded_json(text: str, root: str) -> Iterator[tuple[int, int, list[Record]]]:
    """JSON objects, and lists of them, that stand in a text: from, to, records."""
    at, failed, found_before = 0, 0, 0
    while failed < MAX_FAILED_STARTS and (start := _START.search(text, at)):
        begin = start.start()
        line = text.rfind("\n", 0, begin) + 1
        if _LOG_LEAD.match(text, max(line, at), begin):
            newline = text.find("\n", begin)
            at = newline if newline >= 0 else len(text)
            continue
        try:
            value, end = _DECODER.raw_decode(text, begin)
        except _DECODER_ERRORS:
            failed += 1
            at = begin + 1
            continue
        name = f"{root}[{found_before}]" if found_before else root
        records = None
        if _is_structure(value) and not _all_scalars(value):
            records = located(value, text, begin, root=name, opens=True)
        if records:
            found_before += 1
            yield begin, end, records
        at = end


def _all_scalars(value: object) -> bool:
    """A bare list of words, ``["a", "b"]``, is as likely code or prose as it is a result."""
    return isinstance(value, list) and not any(isinstance(item, dict | list) for item in value)
