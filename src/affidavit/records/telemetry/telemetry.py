"""Spans, evaluation results and metrics of the runs that are judged, through OpenTelemetry."""

from __future__ import annotations

import json
import logging
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ParamSpec

from affidavit.errors import MissingExtra
from affidavit.observer import Judged, Stage
from affidavit.records.telemetry import names
from affidavit.records.telemetry.evaluations import Attributes, Evaluation, evaluations
from affidavit.records.telemetry.metrics import Metrics
from affidavit.records.telemetry.redaction import redact as redact_personal_data
from affidavit.records.telemetry.sink import EvaluationSink, Place
from affidavit.report import HallucinationReport, Judging, ToolCallValidation
from affidavit.trace import RunTrace

if TYPE_CHECKING:
    from opentelemetry._logs import LoggerProvider
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import Span, TracerProvider

_log = logging.getLogger("affidavit.telemetry")
_P = ParamSpec("_P")
# What the variable may say (opentelemetry-util-genai), besides the older true and false.
_CAPTURING = frozenset({"true", "1", "span_only", "event_only", "span_and_event"})


class Telemetry:
    """Tells OpenTelemetry of each run that a detector judges: ``Detector(observer=Telemetry())``.

    A run's span is a child of the span that is current, the host's own ``invoke_agent`` or ``chat``;
    the stages' spans are its children. Evaluation results are events of the run's span, and log events
    of the span that is judged (the host's, where there is one). Providers default to those that the
    host has set up; :class:`OtlpTelemetry` has its own.

    ``content`` says whether what was said in the run may leave, by default as
    ``OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT`` says: no. It goes through ``redact`` first.
    ``sinks`` are given the evaluation results in the background: backends that read none from spans.

    Nothing that goes wrong in here reaches the caller; it is logged under ``affidavit.telemetry``.
    """

    def __init__(
        self,
        *,
        tracer_provider: TracerProvider | None = None,
        meter_provider: MeterProvider | None = None,
        logger_provider: LoggerProvider | None = None,
        content: bool | None = None,
        redact: Callable[[str], str] = redact_personal_data,
        sinks: Sequence[EvaluationSink] = (),
    ) -> None:
        try:
            from opentelemetry import _logs, metrics, trace
        except ImportError as error:
            raise MissingExtra("opentelemetry", "otel") from error
        self._trace = trace
        self._tracer = trace.get_tracer(names.SCOPE, tracer_provider=tracer_provider)
        self._logger = _logs.get_logger(names.SCOPE, logger_provider=logger_provider)
        self._metrics = Metrics(metrics.get_meter(names.SCOPE, meter_provider=meter_provider))
        captured = captures_content() if content is None else content
        self._redact = redact if captured else None
        self._sinks = tuple(sinks)

    @contextmanager
    def run(self, trace: RunTrace) -> Iterator[Judged]:
        """Around the judging of one run; see :class:`affidavit.observer.Observer`."""
        host = self._trace.get_current_span()
        attributes: Attributes = {
            names.RUN_ID: trace.run_id,
            names.SPAN_KIND: names.RUN_SPAN_KIND,
        }
        if trace.model:
            attributes[names.RUN_MODEL] = trace.model
        with self._span(names.RUN_SPAN, attributes) as span:
            yield lambda report: _quietly(self._judged, report, trace.question, span, host)

    @contextmanager
    def stage(self, name: Stage) -> Iterator[None]:
        """Around one stage of it."""
        kind = names.JUDGE_SPAN_KIND if name == "judge" else names.STAGE_SPAN_KIND
        about: Attributes = {names.STAGE: name, names.SPAN_KIND: kind}
        with self._span(names.STAGE_SPANS[name], about):
            yield

    def call(self, run_id: str, validation: ToolCallValidation) -> None:
        """A running agent's call was checked: it is counted, and a rejected one is an event of the
        current span. See :class:`affidavit.guard.Recorder`."""
        _quietly(self._checked, run_id, validation)

    def report(self, report: HallucinationReport, trace: RunTrace) -> None:
        """Nothing more: the detector has told of it."""

    @contextmanager
    def _span(self, name: str, attributes: Attributes) -> Iterator[Span]:
        span = _quietly(self._tracer.start_span, name, attributes=attributes)
        span = self._trace.INVALID_SPAN if span is None else span
        try:
            # An exception's message may quote the run: its type is all that is told of it.
            with self._trace.use_span(span, record_exception=False, set_status_on_exception=False):
                yield span
        except BaseException as error:
            _quietly(self._failed, span, error)
            raise
        finally:
            _quietly(span.end)

    def _failed(self, span: Span, error: BaseException) -> None:
        span.set_attribute(names.ERROR_TYPE, type(error).__qualname__)
        span.set_status(self._trace.StatusCode.ERROR)

    def _judged(self, report: HallucinationReport, question: str, span: Span, host: Span) -> None:
        results = list(evaluations(report, self._redact))
        span.set_attributes(_of_report(report))
        if self._redact is not None:
            span.set_attribute(names.QUERY, self._redact(question))
            span.set_attribute(names.OUTPUT_MESSAGES, _message(self._redact(report.answer)))
        if (risk := report.grounding_risk) is not None:
            about: Attributes = {names.RESULT_STATE: risk.state, names.TOOL_NAME: risk.tool}
            span.add_event(names.RISK_EVENT, about)
        judged = host if host.get_span_context().is_valid else span
        for result in results:
            span.add_event(names.EVALUATION_EVENT, result.attributes())
            self._emit(result, judged)
        self._metrics.report(report)
        at = judged.get_span_context()
        if at.is_valid and at.trace_flags.sampled:
            place = Place(trace_id=f"{at.trace_id:032x}", span_id=f"{at.span_id:016x}")
            for sink in self._sinks:
                sink.put(place, results)

    def _emit(self, result: Evaluation, span: Span) -> None:
        from opentelemetry._logs import LogRecord, SeverityNumber

        record = LogRecord(
            event_name=names.EVALUATION_EVENT,
            severity_number=SeverityNumber.INFO,
            attributes=result.attributes(),
            context=self._trace.set_span_in_context(span),
        )
        self._logger.emit(record)

    def _checked(self, run_id: str, validation: ToolCallValidation) -> None:
        self._metrics.call(run_id, validation)
        if validation.status != "rejected":
            return
        self._trace.get_current_span().add_event(
            names.CALL_EVENT,
            {
                names.RUN_ID: run_id,
                names.TOOL_NAME: validation.tool,
                names.TOOL_CALL_ID: validation.call_id,
                names.CALL_ERRORS: [error.kind for error in validation.errors],
            },
        )


def captures_content() -> bool:
    """Whether the environment says that what was said in a run may be captured."""
    return os.environ.get(names.CAPTURE_CONTENT, "").strip().lower() in _CAPTURING


def _of_report(report: HallucinationReport) -> Attributes:
    found: Attributes = {
        names.ACTION: report.action,
        names.STOP_REASON: report.stop_reason,
        names.NOTHING_SCORED: report.nothing_scored,
        names.COVERAGE: report.coverage.share,
        names.REVISIONS: len(report.attempts),
        names.SPEC_VERSION: report.version,
        names.DETECTOR: report.detector,
        names.SCORER: report.models.get("entailment", ""),
    }
    if not report.nothing_scored:
        found[names.SCORE] = report.overall_score
    claims = Counter(claim.status for claim in report.claims)
    calls = Counter(call.status for call in report.tool_call_validations)
    found |= {names.CLAIMS_OF_STATUS + status: count for status, count in claims.items()}
    found |= {names.CALLS_OF_STATUS + status: count for status, count in calls.items()}
    found |= {names.STAGE_STATE + stage: s.state for stage, s in report.stages.items()}
    return found | _of_judging(report.judge)


def _of_judging(judging: Judging | None) -> Attributes:
    if judging is None:
        return {}
    found: dict[str, Any] = {
        names.JUDGE: judging.model,
        names.JUDGE_STATE: judging.state,
        names.JUDGE_CLAIMS: len(judging.claims),
        names.JUDGE_REQUESTS: judging.requests,
        names.JUDGE_INPUT: judging.input_tokens,
        names.JUDGE_OUTPUT: judging.output_tokens,
    }
    return {name: value for name, value in found.items() if value is not None}


def _message(text: str) -> str:
    """The answer as the conventions write output messages."""
    parts = [{"type": "text", "content": text}]
    return json.dumps([{"role": "assistant", "parts": parts, "finish_reason": "stop"}])


def _quietly(do: Callable[_P, Any], *args: _P.args, **kwargs: _P.kwargs) -> Any:
    """What ``do`` returns; None where it fails, which is nobody's concern but the log's."""
    try:
        return do(*args, **kwargs)
    except Exception:
        _log.warning("telemetry failed", exc_info=True)
        return None
