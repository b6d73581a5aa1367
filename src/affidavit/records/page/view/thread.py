"""The run as a thread from top to bottom, with each value that a call used tied to where it came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from affidavit.records.page.view.exhibits import Exhibit, Exhibits
from affidavit.report import EvidenceSpan, HallucinationReport
from affidavit.trace import RunTrace, ToolCallPart, ToolResultPart, delegations

Kind = Literal["system", "user", "assistant", "tool_definition", "call", "tool_result", "answer"]
_Key = tuple[str, int | None, str | None]
_GIST = 400
"""How much of a result the thread is given, in characters."""


@dataclass(frozen=True, slots=True)
class Knot:
    """One thing that happened.

    ``call`` is the index of the call in the report's ``tool_call_validations``, ``exhibit`` the label
    of what was said or returned where it is an exhibit.
    """

    kind: Kind
    text: str = ""
    message: int | None = None
    call_id: str | None = None
    exhibit: str | None = None
    call: int | None = None

    @property
    def key(self) -> _Key:
        return (self.kind, self.message, self.call_id)


@dataclass(frozen=True, slots=True)
class Tie:
    """What the knot ``used`` took from the knot ``origin``; both count from the top."""

    origin: int
    used: int
    value: str


@dataclass(frozen=True, slots=True)
class ThreadView:
    knots: tuple[Knot, ...]
    ties: tuple[Tie, ...]


def thread_of(
    report: HallucinationReport, trace: RunTrace | None, exhibits: Exhibits
) -> ThreadView:
    """The run in order; without its trace, what the report knows of it."""
    events = _unrecorded(report) if trace is None else _recorded(report, trace)
    shown: dict[_Key, Exhibit] = {(e.kind, e.message, e.call_id): e for e in exhibits.listed}
    knots = tuple(_labelled(knot, shown.get(knot.key)) for knot in events)
    known = {knot.key: at for at, knot in reversed(list(enumerate(knots)))}
    return ThreadView(knots, tuple(_ties(report, knots, known)))


def _recorded(report: HallucinationReport, trace: RunTrace) -> Iterator[Knot]:
    left = dict(enumerate(report.tool_call_validations))
    delegated = delegations(trace.messages)
    for at, message in enumerate(trace.messages):
        kind: Kind = "tool_result" if message.role == "tool" else message.role
        if message.text.strip():
            yield Knot("assistant" if at in delegated else kind, message.text, at)
        for part in message.parts:
            if isinstance(part, ToolCallPart):
                index = next((i for i, call in left.items() if call.call_id == part.id), None)
                if index is not None:
                    del left[index]
                yield Knot("call", part.name, at, part.id, call=index)
            elif isinstance(part, ToolResultPart):
                yield Knot("tool_result", "", at, part.id)
    for index, call in left.items():
        yield Knot("call", call.tool, call.message, call.call_id, call=index)
    yield Knot("answer", report.answer)


def _unrecorded(report: HallucinationReport) -> Iterator[Knot]:
    named: set[_Key] = set()
    for index, call in enumerate(report.tool_call_validations):
        for record in call.provenance:
            if record.origin and (knot := _origin(record.origin)).key not in named:
                named.add(knot.key)
                yield knot
        yield Knot("call", call.tool, call.message, call.call_id, call=index)
    for claim in report.claims:
        for span in claim.evidence_spans:
            if (knot := _origin(span)).key not in named:
                named.add(knot.key)
                yield knot
    yield Knot("answer", report.answer)


def _origin(span: EvidenceSpan) -> Knot:
    return Knot(span.source, span.text, span.message, span.call_id)


def _labelled(knot: Knot, exhibit: Exhibit | None) -> Knot:
    if exhibit is None:
        return knot
    return replace(knot, text=knot.text or exhibit.text[:_GIST], exhibit=exhibit.label)


def _ties(
    report: HallucinationReport, knots: tuple[Knot, ...], known: dict[_Key, int]
) -> Iterator[Tie]:
    for used, knot in enumerate(knots):
        if knot.call is None:
            continue
        for record in report.tool_call_validations[knot.call].provenance:
            at = known.get(_origin(record.origin).key) if record.origin else None
            if at is not None:
                yield Tie(at, used, record.value)
    cited: Counter[int] = Counter()
    for claim in report.claims:
        if claim.status == "supported":
            cited.update({known[k] for s in claim.evidence_spans if (k := _origin(s).key) in known})
    for at, claims in sorted(cited.items()):
        yield Tie(at, len(knots) - 1, f"{claims} claim{'s' * (claims != 1)}")
