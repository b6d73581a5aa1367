"""Evaluation results as assessments of a trace in MLflow, which reads none from events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from affidavit.records.telemetry.evaluations import Evaluation
from affidavit.records.telemetry.sink import BackgroundSender, Place, Request


def mlflow(url: str, *, headers: Mapping[str, str] | None = None) -> BackgroundSender:
    """A sink for the MLflow server at ``url`` (``http://localhost:5000``). One call a result."""

    def requests_of(place: Place, results: Sequence[Evaluation]) -> Sequence[Request]:
        # MLflow's id of a trace that came over OTLP.
        trace = f"tr-{place.trace_id}"
        endpoint = f"{url.rstrip('/')}/api/3.0/mlflow/traces/{trace}/assessments"
        return [
            Request(endpoint, {"assessment": _assessment(trace, place, one)}, repeatable=False)
            for one in results
        ]

    return BackgroundSender(requests_of, headers=headers)


def _assessment(trace: str, place: Place, result: Evaluation) -> dict[str, Any]:
    metadata = {name: str(value) for name, value in result.details.items()}
    if result.score is not None:
        metadata["score"] = str(result.score)
    assessment: dict[str, Any] = {
        "assessment_name": result.name if result.key == "run" else f"affidavit.{result.key}",
        "trace_id": trace,
        "span_id": place.span_id,
        "source": {"source_type": "CODE", "source_id": "affidavit"},
        "feedback": {"value": result.label},
        "metadata": metadata,
    }
    if result.explanation:
        assessment["rationale"] = result.explanation
    return assessment
