"""Grounded results as they come back in a run: an envelope that says what became of the call.

``{"grounding": {"state": "low_relevance", "is_error": false, "instruction": …}, "content": …}`` is known
by its structure, whichever way it came (data, or text that is JSON as a whole), because several
protocols have no error flag of their own. What stands under ``grounding`` is said to the model and is
no evidence; what became of the call decides what the rest may support.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from pydantic import JsonValue, ValidationError

from affidavit.ledger.records import Record
from affidavit.ledger.shapes import read_data, read_text
from affidavit.ledger.shapes.page import Prose
from affidavit.report import SourceReference
from affidavit.trace import ContentPart, DataPart, TextPart

ResultState = Literal["success", "low_relevance", "not_found", "technical_error"]
"""What became of a call: found; found, but it may not answer; nothing found; could not be carried out."""

ERROR_STATES: frozenset[ResultState] = frozenset({"not_found", "technical_error"})
"""States whose ``is_error`` is true: there is nothing to answer from."""

ENVELOPE, CONTENT = "grounding", "content"
"""The two fields of a grounded result."""

_ERROR, _WAIT = "error", "retry_after_seconds"
"""What of the envelope of a failed call may be repeated: that it failed so, and when to try again."""


@dataclass(frozen=True, slots=True)
class GroundedReading:
    """A grounded result, read: its state, and the part of it that is evidence."""

    state: ResultState
    content: JsonValue

    def read(self, root: str) -> tuple[list[Record], list[Prose]]:
        """Records and prose of the content; places begin at ``/content``."""
        at = f"/{CONTENT}"
        if isinstance(self.content, str):
            records, prose = read_text(self.content, root=root)
            return _under(at, records), prose
        records, prose = read_data(self.content, root=root)
        return _under(at, records), prose

    @property
    def outcome(self) -> str:
        """What became of the call, in a line; for a result with content, nothing."""
        if self.state not in ERROR_STATES:
            return ""
        told = self.content.items() if isinstance(self.content, dict) else ()
        return "; ".join([self.state.replace("_", " "), *(f"{k}: {v}" for k, v in told)])

    def references(self) -> dict[str, SourceReference]:
        """The documents that rows of the content come from, by the place of the row."""
        rows = self.content if isinstance(self.content, list) else ()
        found = {}
        for at, row in enumerate(rows):
            if isinstance(row, dict) and (reference := _reference(row)) is not None:
                found[f"/{CONTENT}/{at}"] = reference
        return found


def read_grounded(parts: Sequence[ContentPart]) -> GroundedReading | None:
    """The grounded result that the parts of a tool's result are; None where they are none."""
    readings = [_read(value) for value in map(_value, parts)]
    # A result may hold the same thing twice, as text and as data (MCP does).
    return readings[0] if readings and all(readings) else None


def _value(part: ContentPart) -> object:
    match part:
        case DataPart():
            return part.value
        case TextPart() if part.text.lstrip()[:1] == "{" and f'"{ENVELOPE}"' in part.text:
            try:
                return json.loads(part.text)
            except (ValueError, RecursionError):
                return None
    return None


def _read(value: object) -> GroundedReading | None:
    if not isinstance(value, Mapping) or not set(value) <= {ENVELOPE, CONTENT}:
        return None
    said = value.get(ENVELOPE)
    if not isinstance(said, Mapping) or said.get("state") not in get_args(ResultState):
        return None
    state: ResultState = said["state"]
    if said.get("is_error") is not (state in ERROR_STATES) or not said.get("instruction"):
        return None
    if state == "technical_error":
        return GroundedReading(state, dict(_fault(said)))
    return GroundedReading(state, None if state == "not_found" else value.get(CONTENT))


def _fault(said: Mapping[str, JsonValue]) -> Iterator[tuple[str, JsonValue]]:
    """As an answer may say it: "in 30 seconds"."""
    if _ERROR in said:
        yield _ERROR, said[_ERROR]
    wait = said.get(_WAIT)
    if isinstance(wait, int | float):
        yield "retry_after", f"{wait:g} seconds"


def _reference(row: Mapping[str, JsonValue]) -> SourceReference | None:
    if not isinstance(row.get("document_id"), str) or not isinstance(row.get("title"), str):
        return None
    try:
        return SourceReference.model_validate(
            {name: row[name] for name in SourceReference.model_fields if name in row}
        )
    except ValidationError:
        return None  # a tool's own row with fields of those names


def _under(at: str, records: Sequence[Record]) -> list[Record]:
    """The records with their places in the whole result rather than in its content."""
    moved: dict[int, Record] = {}

    def move(record: Record) -> Record:
        if id(record) not in moved:
            moved[id(record)] = replace(
                record,
                pointer=_joined(at, record.pointer),
                group=_joined(at, record.group) if record.group else "",
                parent=None if record.parent is None else move(record.parent),
                cells=tuple(replace(c, pointer=_joined(at, c.pointer)) for c in record.cells),
            )
        return moved[id(record)]

    return [move(record) for record in records]


def _joined(at: str, pointer: str) -> str:
    # A place in a text has no JSON Pointer: it is named as a stretch of the string at ``at``.
    return f"{at}#{pointer}" if pointer.startswith("char=") else f"{at}{pointer}"
