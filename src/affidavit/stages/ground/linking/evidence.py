"""The evidence of a run as lines to be searched and read: what came back, and what was called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import islice
from typing import Literal

from affidavit.ledger.ledger import CallEntry, Ledger, Passage, Source
from affidavit.ledger.passages import render_record
from affidavit.ledger.records import Record, words_of
from affidavit.ledger.search import Search
from affidavit.ledger.walk import records_of

Scope = Literal["run", "tool_results"]

_DIGITS = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_TOLD_BY = frozenset({"tool_result", "system"})
_SHOWN = 160
"""Characters of a failed call's text that are read as its outcome."""


@dataclass(frozen=True)
class Evidence:
    """What a claim is held against. ``lines`` are the passages of results, of the system prompt and of the user,
    and one more for each call with its arguments and its outcome."""

    ledger: Ledger
    scope: Scope
    lines: tuple[Passage, ...]
    search: Search

    @property
    def today(self) -> date | None:
        return self._today

    @cached_property
    def _today(self) -> date | None:
        return self.ledger.today

    @cached_property
    def order(self) -> dict[int, int]:
        """Where each line stands among all of them, by its ``id()``."""
        return {id(line): n for n, line in enumerate(self.lines)}

    @cached_property
    def rows(self) -> dict[str, tuple[Record, ...]]:
        """The records of each list or table, by the list's place and the result it is in."""
        found: dict[str, dict[str, Record]] = {}
        for line in self.lines:
            if line.record is not None and line.record.group and bears_out(line):
                group = found.setdefault(group_of(line), {})
                group[line.record.pointer] = line.record
        return {key: tuple(group.values()) for key, group in found.items()}

    def lines_with(self, field_name: str, most: int) -> tuple[Passage, ...]:
        """The first lines, at most so many, that say something under a field name."""
        named = (line for line in self.lines if field_name in line.field_names and bears_out(line))
        return self.search.once(
            f"lines {most} with {field_name}", lambda: tuple(islice(named, most))
        )

    @cached_property
    def value_count(self) -> int:
        """How many values its lines hold, in all of their readings; of lines that are not read whole, how many fields."""
        return self.search.value_count

    @cached_property
    def figures(self) -> frozenset[str]:
        """Every run of digits that a tool gave back or that the prompt says, a failed call's too, whatever it may measure."""
        return frozenset(map(_plain_run, set(_DIGITS.findall(self._returned))))

    def writes(self, code: str) -> bool:
        """Whether a code stands there as well, whole, be it in a path: ``order_totals`` in "marts/order_totals.sql"."""
        said = code.strip().casefold()
        whole = rf"(?<!\w){re.escape(said)}(?!\w)"
        return said in self._returned and re.search(whole, self._returned) is not None

    @cached_property
    def _returned(self) -> str:
        """What tools gave back, failed calls too, and what the prompt says, in lower case."""
        told = (p for p in self.ledger.passages if p.source.outcome in ("ok", "error"))
        return "\n".join(p.text for p in told if p.source.kind in _TOLD_BY).casefold()

    @cached_property
    def of_call(self) -> dict[str, tuple[Passage, ...]]:
        """What each call returned, by its id; of one that returned nothing to be read, the line that tells of it."""
        found: dict[str, list[Passage]] = {}
        for line in sorted(self.lines, key=is_call):
            call = line.source.call_id
            if call is not None and line.source.kind == "tool_result":
                lines = found.setdefault(call, [])
                if not (is_call(line) and lines and not is_call(lines[0])):
                    lines.append(line)
        return {call: tuple(lines) for call, lines in found.items()}

    @cached_property
    def line_of(self) -> dict[tuple[str, str], Passage]:
        """The first line of each record of a list or table, by :func:`group_of` and its place there."""
        found: dict[tuple[str, str], Passage] = {}
        for line in self.lines:
            if line.record is not None and line.record.group:
                found.setdefault((group_of(line), line.record.pointer), line)
        return found


def runs_of_digits(text: str) -> Iterator[str]:
    """The digits of a text as they are written, without what groups them and without zeros behind a decimal point."""
    return map(_plain_run, _DIGITS.findall(text))


def _plain_run(run: str) -> str:
    plain = run.replace(",", "")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def group_of(line: Passage) -> str:
    """Which list of which result, or of which call's arguments, a line's record is a row of; rows of one group are alike."""
    assert line.record is not None
    said_by = f"{line.source.call_id} called" if is_call(line) else line.source.id
    return f"{said_by} {line.record.group}"


def bears_out(line: Passage) -> bool:
    """Whether a line can say what is so: what a tool returned or the system prompt lays down, not what the user
    believes, and nothing of a call that failed."""
    return line.source.outcome == "ok" and line.source.kind in ("tool_result", "system")


def is_call(line: Passage) -> bool:
    """Whether a line tells of a call rather than of what it returned."""
    return line.id < 0


def evidence_of(ledger: Ledger, scope: Scope = "run") -> Evidence:
    """The evidence of a ledger, read once for as long as nothing is added to it."""

    def make() -> Evidence:
        lines = tuple(_lines(ledger, scope))
        return Evidence(ledger, scope, lines, Search(lines))

    return ledger.once(f"evidence {scope}", make)


def _lines(ledger: Ledger, scope: Scope) -> Iterator[Passage]:
    for entry in ledger.calls:
        yield from call_lines(entry)
    for passage in ledger.passages:
        kind, outcome = passage.source.kind, passage.source.outcome
        if kind == "tool_result" and outcome == "ok":
            yield passage
    if scope == "run":
        for passage in ledger.passages:
            if passage.source.kind in ("system", "user", "tool_definition"):
                yield passage


def call_lines(entry: CallEntry) -> Sequence[Passage]:
    """What was called, with which arguments, and what came of it, as lines of evidence."""
    outcome = entry.outcome
    told = {
        "ok": "done",
        "error": f"failed: {_told(entry.result)}",
        "rejected": "rejected, it was not run",
        "empty": "nothing found",
        "pending": "no result",
    }[outcome]
    source = Source(
        id=-2 - entry.message if entry.result is None else entry.result.id,
        kind="tool_result",
        text=told,
        message=entry.message,
        tool=entry.call.name,
        call_id=entry.call.id,
        outcome="ok" if outcome == "ok" else "error" if outcome == "pending" else outcome,
    )
    head = f"call {words_of(entry.call.name)}"
    arguments = entry.call.arguments
    shown = [
        part
        for record in records_of(arguments if isinstance(arguments, dict) else {}, root=head)
        for part in [(record, text) for text in render_record(record)]
    ]
    if not shown:
        return (Passage(-1, source, f"{head} | outcome: {told}", ""),)
    return tuple(
        Passage(-1, source, f"{part.text} | outcome: {told}", record.pointer, record, part.cells)
        for record, part in shown
    )


def _told(result: Source | None) -> str:
    text = " ".join(result.words.split()) if result is not None else ""
    return text if len(text) <= _SHOWN else text[: text.rfind(" ", 0, _SHOWN)] + " …"
