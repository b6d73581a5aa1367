"""Exhibits: the run's evidence, lettered and whole, with the places that the report cites marked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from affidavit.records.page.view.source import Key, Place, Source, sources_of
from affidavit.report import EvidenceSpan, HallucinationReport, SourceKind
from affidavit.trace import RunTrace


@dataclass(frozen=True)
class Exhibit:
    """One source of evidence. ``partial``: only what the report cites of it is known."""

    label: str
    kind: SourceKind
    text: str
    marks: tuple[Place, ...]
    tool: str | None
    call_id: str | None
    message: int | None
    is_error: bool
    rejected: bool
    partial: bool

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the text as shown, in hexadecimal."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Citation:
    """A place of the evidence as the report names it. ``mark`` counts the marks of the exhibit; None
    where the place could not be found in what was recorded, and only the report's words are left."""

    exhibit: str
    pointer: str
    text: str
    mark: int | None

    @property
    def anchor(self) -> str:
        """The id of the marked place on the page, or of its exhibit."""
        return f"exhibit-{self.exhibit}" + ("" if self.mark is None else f"-{self.mark}")


class Exhibits:
    """The exhibits of a run, in order, and where each span of its report stands in them."""

    def __init__(
        self, listed: Sequence[Exhibit], citations: Mapping[EvidenceSpan, Citation]
    ) -> None:
        self.listed = tuple(listed)
        self._citations = dict(citations)
        self._results = {
            e.call_id: e.label for e in listed if e.kind == "tool_result" and e.call_id
        }

    def citation(self, span: EvidenceSpan) -> Citation:
        """Where a span of the report these exhibits were made for stands."""
        return self._citations[span]

    def result_of(self, call_id: str) -> str | None:
        """The label of what a call returned."""
        return self._results.get(call_id)


def exhibits_of(report: HallucinationReport, trace: RunTrace | None) -> Exhibits:
    """The evidence of a run. Without its trace, what the report itself cites."""
    sources = list(sources_of(trace)) if trace is not None else []
    by_key: dict[Key, list[Source]] = {}
    for source in sources:
        by_key.setdefault(source.key, []).append(source)
    found: dict[EvidenceSpan, tuple[Source, Place | None]] = {}
    for span in spans_of(report):
        if span in found:
            continue
        source, place = _placed(span, by_key)
        if not any(source is known for known in sources):
            sources.append(source)
        found[span] = (source, place)
    cited = {id(source) for source, _ in found.values()}
    shown = [s for s in sources if s.key[0] == "tool_result" or id(s) in cited]
    shown.sort(key=lambda s: s.key[1] if s.key[1] is not None else -1)
    return _lettered(shown, found, report)


def spans_of(report: HallucinationReport) -> Iterator[EvidenceSpan]:
    """Every place that a report cites: for claims, for their checks, for arguments of calls."""
    for claim in report.claims:
        yield from claim.evidence_spans
        for check in claim.checks:
            yield from check.evidence_spans
    for call in report.tool_call_validations:
        for record in call.provenance:
            if record.origin is not None:
                yield record.origin


def letters(number: int) -> str:
    """0 is A, 25 is Z, 26 is AA."""
    name = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def _placed(span: EvidenceSpan, by_key: dict[Key, list[Source]]) -> tuple[Source, Place | None]:
    key: Key = (span.source, span.message, span.call_id)
    known = by_key.setdefault(key, [])
    for source in known:
        if not source.partial and (place := source.find(span)):
            return source, place
    if known and not known[0].partial:
        return known[0], None
    if not known:
        known.append(Source(key, span.tool, partial=True))
    return known[0], known[0].add_fragment(span)


def _lettered(
    shown: Sequence[Source],
    found: Mapping[EvidenceSpan, tuple[Source, Place | None]],
    report: HallucinationReport,
) -> Exhibits:
    marks: dict[int, set[Place]] = {id(source): set() for source in shown}
    for source, place in found.values():
        if place is not None:
            marks[id(source)].add(place)
    ordered = {key: sorted(places) for key, places in marks.items()}
    label = {id(source): letters(number) for number, source in enumerate(shown)}
    rejected = {
        c.call_id for c in report.tool_call_validations if c.status == "rejected" and not c.ran
    }
    exhibits = [
        _exhibit(source, label[id(source)], ordered[id(source)], rejected) for source in shown
    ]
    citations = {
        span: Citation(
            exhibit=label[id(source)],
            pointer=span.pointer,
            text=span.text,
            mark=None if place is None else ordered[id(source)].index(place),
        )
        for span, (source, place) in found.items()
    }
    return Exhibits(exhibits, citations)


def _exhibit(source: Source, label: str, marks: Iterable[Place], rejected: set[str]) -> Exhibit:
    kind, message, call_id = source.key
    return Exhibit(
        label=label,
        kind=kind,
        text=source.text,
        marks=tuple(marks),
        tool=source.tool,
        call_id=call_id,
        message=message,
        is_error=source.is_error,
        rejected=call_id in rejected,
        partial=source.partial,
    )
