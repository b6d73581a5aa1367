"""Evaluation results as annotations of a span in Arize Phoenix, which reads none from events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from affidavit.records.telemetry.evaluations import Evaluation
from affidavit.records.telemetry.sink import BackgroundSender, Place, Request


def phoenix(url: str, *, headers: Mapping[str, str] | None = None) -> BackgroundSender:
    """A sink for the Phoenix at ``url`` (``http://localhost:6006``). One call a run."""
    endpoint = f"{url.rstrip('/')}/v1/span_annotations?sync=true"

    def requests_of(place: Place, results: Sequence[Evaluation]) -> Sequence[Request]:
        return [Request(endpoint, {"data": [_annotation(place, one) for one in results]})]

    return BackgroundSender(requests_of, headers=headers)


def _annotation(place: Place, result: Evaluation) -> dict[str, Any]:
    found: dict[str, Any] = {"label": result.label}
    if result.score is not None:
        found["score"] = result.score
    if result.explanation:
        found["explanation"] = result.explanation
    return {
        "span_id": place.span_id,
        "name": result.name,
        "identifier": result.key,
        "annotator_kind": "CODE",
        "result": found,
        "metadata": result.details,
    }
