"""The ledger: everything one run knows, read once and kept whole.

Every check reads from here, so that no two stages can see different evidence. It is filled message by
message while the run goes on; ``copy`` lets an answer be judged without disturbing the run's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Literal, TypeVar

from pydantic import JsonValue

from affidavit.ledger.declared_units import declared_for
from affidavit.ledger.grounded import GroundedReading, ResultState, read_grounded
from affidavit.ledger.kept import Kept
from affidavit.ledger.passages import Placed, RowShown, render_record
from affidavit.ledger.records import Cell, Record, words_of
from affidavit.ledger.shapes import read_data, read_text
from affidavit.ledger.shapes.page import Prose
from affidavit.ledger.values import Value, parse_values, read_cells
from affidavit.ledger.values.field_paths import Level
from affidavit.ledger.words import content_stems
from affidavit.report import EvidenceSpan, SourceKind, SourceReference
from affidavit.trace import (
    DataPart,
    Message,
    RunTrace,
    TextPart,
    ToolCallPart,
    ToolDefinition,
    ToolResultPart,
    UnknownPart,
    delegations,
)

T = TypeVar("T")

Outcome = Literal["ok", "error", "empty", "rejected"]

_RUN_DATE = re.compile(
    r"(?:\btoday(?:['’]s date)?|\bcurrent (?:date|time|day)(?: and time)?|\bnow|^[ \t]*date)(?: \([^)\n]{1,16}\))?"
    r"\s*+(?:(?:is\b|:|=)\s*+)?(?:[A-Za-z]+,?\s*+)?\(?(\d{4}-\d{2}-\d{2})",
    re.I | re.M,
)
"""Where a date is said to be the day of the run: of many dates that a user names, hardly any is."""


@dataclass(frozen=True)
class Passage:
    """A short stretch of evidence, with the values read from it.

    ``values`` have spans in ``text``. ``record`` is set where the passage shows cells of one.
    """

    id: int
    source: Source
    text: str
    pointer: str
    record: Record | None = None
    cells: Sequence[Placed] = ()

    @cached_property
    def values(self) -> tuple[Value, ...]:
        if self.record is None:
            return tuple(parse_values(self.text))
        return tuple(value for _, value in self.cell_values)

    @cached_property
    def cell_values(self) -> tuple[tuple[Cell, Value], ...]:
        """Every reading of every cell: ``66899`` under ``total_cents`` is a number and an amount."""
        if self.record is None:
            return ()
        cells = (cell for cell, _, _ in self.cells)
        return tuple(read_cells(cells, self.record, self.source.declared))

    @property
    def field_names(self) -> Sequence[str]:
        """The name of the field of each of its cells, in words."""
        if isinstance(self.cells, RowShown):
            return self.cells.keys
        return [cell.key for cell, _, _ in self.cells]

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the words of its text that say something."""
        return content_stems(self.text)

    def read(self) -> None:
        """Read its values and its words now, and not when they are first asked for."""
        _ = self.values, self.stems

    def span(self, cell: Cell | None = None) -> EvidenceSpan:
        """This passage, or one cell of it, as a place in the evidence."""
        text = self.text if cell is None else f"{cell.key}: {cell.text}" if cell.key else cell.text
        return EvidenceSpan(
            source=self.source.kind,
            text=text,
            pointer=self.pointer if cell is None else cell.pointer,
            tool=self.source.tool,
            call_id=self.source.call_id,
            message=None if self.source.message < 0 else self.source.message,
            document=self.source.document_at(self.pointer),
        )


@dataclass(frozen=True)
class Source:
    """One thing that was said or returned, whole: a user turn, a system prompt, a tool's result, or
    what the declaration of a tool says of it (``message`` is then -1)."""

    id: int
    kind: SourceKind
    text: str
    message: int
    tool: str | None = None
    call_id: str | None = None
    outcome: Outcome = "ok"
    records: tuple[Record, ...] = field(default=(), repr=False)
    state: ResultState | None = None
    """What a grounded result says of itself; None for any other."""
    declared: Level = field(default=(), repr=False)
    """What the run says elsewhere of its amounts: that they are in cents."""
    documents: Mapping[str, SourceReference] = field(default_factory=dict, repr=False)
    """The documents that parts of a grounded result come from, by JSON Pointer."""

    @cached_property
    def words(self) -> str:
        """Its text, or what stands in its data where it has none."""
        return self.text or " ".join(
            shown.text for record in self.records for shown in render_record(record)
        )

    def document_at(self, pointer: str) -> SourceReference | None:
        """The document that the place ``pointer`` belongs to."""
        row = "/".join(pointer.split("/", 3)[:3])
        return self.documents.get(row)


@dataclass(frozen=True)
class CallEntry:
    """A tool call and what became of it. ``result`` is None while it is running or was never run."""

    call: ToolCallPart
    message: int
    result: Source | None = None
    rejected: bool = False

    @property
    def outcome(self) -> Outcome | Literal["pending"]:
        if self.rejected:
            return "rejected"
        return "pending" if self.result is None else self.result.outcome


class Ledger:
    """The evidence of one run. Not for use by several threads at once; each run has its own."""

    def __init__(self, tools: Iterable[ToolDefinition] | None = None) -> None:
        self.tools: tuple[ToolDefinition, ...] | None = None if tools is None else tuple(tools)
        self.sources: list[Source] = []
        self.passages: list[Passage] = []
        self.calls: list[CallEntry] = []
        self.unknown: list[UnknownPart] = []
        self._messages = 0
        self._kept = Kept()
        for tool in self.tools or ():
            if tool.description.strip():
                self._enter(-1, "tool_definition", tool.description, tool=tool.name)

    @classmethod
    def of(cls, trace: RunTrace, *, rejected: frozenset[str] = frozenset()) -> Ledger:
        """The ledger of a recorded run. Results of ``rejected`` call ids support nothing."""
        ledger = cls(trace.tools)
        delegated = delegations(trace.messages)
        for i, message in enumerate(trace.messages):
            ledger.add(message, rejected=rejected, by_model=i in delegated)
        return ledger

    def copy(self) -> Ledger:
        """An independent ledger with the same entries."""
        twin = Ledger()
        twin.tools = self.tools
        twin.sources, twin.passages = list(self.sources), list(self.passages)
        twin.calls, twin.unknown = list(self.calls), list(self.unknown)
        twin._messages, twin._kept = self._messages, self._kept
        return twin

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What ``make`` gives, computed once for this ledger and its copies until something is added."""
        return self._kept.once(name, make)

    def add(
        self, message: Message, *, rejected: frozenset[str] = frozenset(), by_model: bool = False
    ) -> None:
        """Enter one message of the run; ``by_model`` where a user's role is the model's own words."""
        role = "assistant" if by_model else message.role
        at = self._messages
        self._messages += 1
        self._kept = Kept()
        for part in message.parts:
            match part:
                case ToolCallPart():
                    self.calls.append(CallEntry(part, at, rejected=part.id in rejected))
                case ToolResultPart():
                    self._add_result(part, at, rejected)
                case TextPart() if message.role == "tool":
                    self._enter(at, "tool_result", part.text)
                case TextPart():
                    self._enter(at, role, part.text)
                case DataPart():
                    self._enter(at, role, "", part.value)
                case UnknownPart():
                    self.unknown.append(part)
                case _:
                    pass  # reasoning is neither evidence nor answer

    def evidence(self, scope: Literal["run", "tool_results"] = "run") -> Iterator[Passage]:
        """The passages that may support a claim: good results first, then what user and system said."""
        for passage in self.passages:
            kind, outcome = passage.source.kind, passage.source.outcome
            if kind == "tool_result" and outcome == "ok":
                yield passage
        if scope == "run":
            for passage in self.passages:
                if passage.source.kind in ("user", "system", "tool_definition"):
                    yield passage

    @property
    def question(self) -> str:
        """The last thing the user said, or nothing."""
        return next(
            (s.text for s in reversed(self.sources) if s.kind == "user" and s.text.strip()), ""
        )

    @property
    def last_said(self) -> int:
        """Index of the message in which the user last said something, -1 for none."""
        return max(
            (s.message for s in self.sources if s.kind == "user" and s.text.strip()), default=-1
        )

    @property
    def today(self) -> date | None:
        """The run's date, where the system prompt or else the user says it."""
        for kind in ("system", "user"):
            for source in self.sources:
                if source.kind == kind and (day := _today_of(source.text)):
                    return day
        return None

    def _prompts(self) -> Iterator[str]:
        return (source.text for source in self.sources if source.kind == "system")

    def _add_result(self, part: ToolResultPart, at: int, rejected: frozenset[str]) -> None:
        entry = next((e for e in reversed(self.calls) if e.call.id == part.id), None)
        tool = entry.call.name if entry else None
        for inner in part.content:
            if isinstance(inner, UnknownPart):
                self.unknown.append(inner)
        text = "\n".join(p.text for p in part.content if isinstance(p, TextPart))
        data = [p.value for p in part.content if isinstance(p, DataPart)]
        # A call may be read before its result, and be taken for one that was never run.
        is_rejected = part.id in rejected
        source = self._enter(
            at, "tool_result", text, *data,
            tool=tool, call_id=part.id, is_error=part.is_error, rejected=is_rejected,
            grounded=read_grounded(part.content),
        )  # fmt: skip
        if entry is not None:
            at_index = next(i for i, e in enumerate(self.calls) if e is entry)
            self.calls[at_index] = CallEntry(entry.call, entry.message, source, is_rejected)

    def _enter(
        self,
        at: int,
        kind: SourceKind | Literal["tool"],
        text: str,
        *data: JsonValue,
        tool: str | None = None,
        call_id: str | None = None,
        is_error: bool = False,
        rejected: bool = False,
        grounded: GroundedReading | None = None,
    ) -> Source:
        root = words_of(tool) if tool else ""
        if grounded is not None:
            records, prose = grounded.read(root)
            text = (
                grounded.outcome or text
            )  # its instruction to the model is no part of the run's words
            # Nothing found is an answer: only of the states that are none does the flag decide.
            is_error = grounded.state == "technical_error" or (
                is_error and grounded.state != "not_found"
            )
        else:
            records, prose = _read(text, data, root)
        outcome = _outcome(records, bool(prose), is_error, rejected)
        source = Source(
            id=len(self.sources),
            kind="tool_result" if kind == "tool" else kind,
            text=text,
            message=at,
            tool=tool,
            call_id=call_id,
            outcome=outcome if kind == "tool_result" else "ok",
            records=tuple(records),
            state=grounded.state if grounded else None,
            declared=declared_for(tool, text, self.tools or (), self._prompts()) if records else (),
            documents=grounded.references() if grounded else {},
        )
        self.sources.append(source)
        for record in records:
            for shown in render_record(record):
                self._passage(source, shown.text, record.pointer, record, shown.cells)
        for piece in prose:
            head = f"{piece.heading} | " if piece.heading else ""
            self._passage(source, head + piece.text, f"char={piece.start},{piece.end}")
        return source

    def _passage(
        self,
        source: Source,
        text: str,
        pointer: str,
        record: Record | None = None,
        cells: Sequence[Placed] = (),
    ) -> None:
        self.passages.append(Passage(len(self.passages), source, text, pointer, record, cells))


def _read(text: str, data: tuple[JsonValue, ...], root: str) -> tuple[list[Record], list[Prose]]:
    records, prose = read_text(text, root=root) if text.strip() else ([], [])
    if data:  # of several parts, each pointer begins with the number of its part
        more, words = read_data(data[0] if len(data) == 1 else list(data), root=root)
        records, prose = [*records, *more], [*prose, *words]
    return records, prose


def _outcome(records: list[Record], prose: bool, is_error: bool, rejected: bool) -> Outcome:
    """The outcome of a result, from protocol signals and shape, never from words in its text."""
    if rejected:
        return "rejected"
    if is_error:
        return "error"
    if prose or any(_says_something(cell) for record in records for cell in record.cells):
        return "ok"
    return "empty"


def _today_of(text: str) -> date | None:
    """The date that a text says is the day of the run."""
    for match in _RUN_DATE.finditer(text):
        try:
            return date.fromisoformat(match[1])
        except ValueError:
            continue
    return _spelled_today(text)


def _spelled_today(text: str) -> date | None:
    """The run's date in words: "Today is Friday, 13 March 2026"."""
    for match in _TODAY.finditer(text):
        told = text[match.end() : match.end() + _LONGEST_DATE]
        first = next((v.moment for v in parse_values(told) if v.moment is not None), None)
        if first is not None and first.date is not None:
            return first.date
    return None


_TODAY = re.compile(r"\b(?:today(?:['’]s date)?|(?:the )?current date)\b(?: is|:)(?: now)?\s", re.I)
_LONGEST_DATE = 48


def _says_something(cell: Cell) -> bool:
    return not cell.is_blank
