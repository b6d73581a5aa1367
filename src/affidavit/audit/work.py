"""What is done with each recorded run: parsed, judged, and told in rows. One function, wherever it runs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from affidavit.audit.facets import agent_of, label_of, places_in, task_of, week_of
from affidavit.audit.item import Fault, Item, Judged, RunRow
from affidavit.detector import Detector
from affidavit.errors import AffidavitError, TraceError
from affidavit.formats import read_run
from affidavit.formats.files import document
from affidavit.models.entailment.protocol import EntailmentModel
from affidavit.policy import Policy
from affidavit.records.recording import Check, recorded
from affidavit.report import ClaimVerdict, HallucinationReport
from affidavit.trace import Message, RunTrace, TextPart, ToolDefinition

_HELD_AGAINST = ("unsupported", "contradicted")
_LONGEST_TEXT = 500
_LARGE = 256
"""Pairs in one forward pass where several runs are judged side by side."""


@dataclass(frozen=True)
class Work:
    """How runs are judged. It can be sent to other processes and machines."""

    policy: Policy = field(default_factory=Policy)
    tools: tuple[ToolDefinition, ...] | None = None
    """Declarations for runs that carry none."""
    system: str | None = None
    """The system prompt for runs that begin without one."""
    every_turn: bool = False
    log: str | None = None
    """A run log that keeps each report with its run."""
    threads: int | None = None
    """Threads of the embedded model; its own choice where None."""
    device: str | None = None
    """Where torch runs a cross-encoder, such as ``cuda``; its own choice where None."""
    together: int = 1
    """Runs that a worker judges side by side, so that a cross-encoder is asked for the pairs of them all in large
    batches."""
    make: Callable[[Work], Check] | None = None
    """What makes the check, instead of a detector under ``policy``."""

    @contextmanager
    def checking(self) -> Iterator[Check]:
        """The check, with its models loaded when it is first used, and its run log open meanwhile."""
        made = self.make(self) if self.make else None
        with recorded(
            made or Detector(self.policy, entailment=self._model()).check, self.log
        ) as check:
            yield check

    def _model(self) -> EntailmentModel | None:
        kind, _, name = self.policy.entailment.partition(":")
        if kind == "cross-encoder" and (self.device is not None or self.together > 1):
            from affidavit.models.entailment.cross_encoder import CrossEncoderModel
            from affidavit.models.entailment.gathered import Gathered

            if self.together == 1:
                return CrossEncoderModel(name, device=self.device)
            return Gathered(CrossEncoderModel(name, device=self.device, batch=_LARGE))
        if self.threads is None or kind != "embedded":
            return None
        from affidavit.models.entailment.onnx import EmbeddedModel

        return EmbeddedModel(threads=self.threads)


def judge(item: Item, work: Work, check: Check) -> Judged | Fault:
    """Judge one item. Nothing that is wrong with it raises: one run must not end a batch of thousands."""
    try:
        doc = document(item.raw, item.file, item.line or 1)
        run = read_run(doc)
    except TraceError as error:
        return Fault(error.message, field=error.field)
    rows, reports, claims = [], [], []
    for trace in traces_of(run, work):
        try:
            report = check(trace)
        except Exception as error:
            told = (
                str(error)
                if isinstance(error, AffidavitError)
                else f"{type(error).__name__}: {error}"
            )
            return Fault(f"run {trace.run_id} could not be checked: {told}", kind="failed")
        rows.append(row_of(report, trace, doc))
        reports.append(report.model_dump_json())
        claims += [json.dumps(row, ensure_ascii=False) for row in claim_rows(report)]
    return Judged(tuple(rows), tuple(reports), tuple(claims))


def traces_of(run: RunTrace, work: Work) -> Iterator[RunTrace]:
    """The run, or each of its turns, with what was recorded apart from it put in."""
    if run.tools is None and work.tools is not None:
        run = run.model_copy(update={"tools": work.tools})
    if work.system is not None and not any(message.role == "system" for message in run.messages):
        prompt = Message(role="system", parts=(TextPart(text=work.system),))
        run = run.model_copy(update={"messages": (prompt, *run.messages)})
    return run.turns() if work.every_turn else iter((run,))


def row_of(report: HallucinationReport, trace: RunTrace | None = None, doc: Any = None) -> RunRow:
    """A report in one row. Without the run, what the record said about itself stays empty."""
    places = [] if trace is None else places_in(doc, trace)
    against = [claim for claim in report.claims if claim.status in _HELD_AGAINST]
    worst = min(
        against, key=lambda claim: 0.0 if claim.score is None else claim.score, default=None
    )
    return RunRow(
        run_id=report.run_id,
        action=report.action,
        score=report.overall_score,
        scored=not report.nothing_scored,
        statuses=dict(Counter(claim.status for claim in report.claims)),
        reasons=dict(Counter(claim.reason or "not_entailed" for claim in against)),
        agent=agent_of(places),
        task=task_of(places),
        week=week_of(places),
        label=label_of(places),
        model=(trace.model or "") if trace else "",
        tools=tuple(sorted({call.tool for call in report.tool_call_validations})),
        worst=worst.text[:_LONGEST_TEXT] if worst else "",
        worst_score=worst.score if worst else None,
        worst_why=worst.explanation[:_LONGEST_TEXT] if worst else "",
        milliseconds=report.timings.total,
    )


def claim_rows(report: HallucinationReport) -> Iterator[dict[str, Any]]:
    """The claims of a report as rows of a table, each with the first place it was held against."""
    for number, claim in enumerate(report.claims, 1):
        yield _claim_row(report, number, claim)


def _claim_row(report: HallucinationReport, number: int, claim: ClaimVerdict) -> dict[str, Any]:
    span = claim.evidence_spans[0] if claim.evidence_spans else None
    return {
        "run_id": report.run_id,
        "claim": number,
        "text": claim.text,
        "start": claim.start,
        "end": claim.end,
        "kind": claim.kind,
        "critical": claim.critical,
        "status": claim.status,
        "score": claim.score,
        "reason": claim.reason,
        "decided_by": claim.decided_by,
        "explanation": claim.explanation,
        "evidence_source": span.source if span else None,
        "evidence_tool": span.tool if span else None,
        "evidence_call": span.call_id if span else None,
        "evidence_pointer": span.pointer if span else None,
        "evidence": span.text[:_LONGEST_TEXT] if span else None,
        "action": report.action,
        "overall_score": report.overall_score,
    }
