"""What tests of every room may use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affidavit.report import (
    ClaimVerdict,
    Coverage,
    EvidenceSpan,
    HallucinationReport,
    StageState,
    ToolCallValidation,
)

ReportMaker = Callable[..., HallucinationReport]


@pytest.fixture
def make_report() -> ReportMaker:
    """Builds a report by hand: ``claims`` maps words of the answer to a status, or to fields."""
    return _make_report


def _make_report(
    answer: str = "The brake pads cost $24.50.",
    claims: dict[str, str | dict[str, Any]] | None = None,
    calls: dict[str, str | dict[str, Any]] | None = None,
    **fields: Any,
) -> HallucinationReport:
    verdicts = tuple(_claim(answer, text, told) for text, told in (claims or {}).items())
    scored = sum(claim.score is not None for claim in verdicts)
    unchecked = sum(claim.status == "unchecked" for claim in verdicts)
    checked = StageState(state="checked")
    given = {
        "run_id": "run-1",
        "answer": answer,
        "claims": verdicts,
        "tool_call_validations": tuple(_call(i, told) for i, told in (calls or {}).items()),
        "consistency_probes": (),
        "overall_score": min((c.score for c in verdicts if c.score is not None), default=1.0),
        "action": "emit",
        "coverage": Coverage(
            claims=len(verdicts),
            scored=scored,
            exempt=sum(claim.status == "exempt" for claim in verdicts),
            unchecked=unchecked,
            share=scored / (scored + unchecked) if scored + unchecked else 1.0,
        ),
        "stages": {
            "verify": checked,
            "ground": checked,
            "probe": StageState(state="skipped", reason="no model was configured"),
            "gate": checked,
        },
    }
    return HallucinationReport(**(given | fields))


_SCORES = {"supported": 0.97, "contradicted": 0.02, "unsupported": 0.1}


def _claim(answer: str, text: str, told: str | dict[str, Any]) -> ClaimVerdict:
    fields: dict[str, Any] = {"status": told} if isinstance(told, str) else dict(told)
    start = answer.index(text)
    given = {
        "text": text,
        "start": start,
        "end": start + len(text),
        "critical": False,
        "score": _SCORES.get(fields["status"]),
        "evidence_spans": (
            EvidenceSpan(
                source="tool_result",
                tool="get_part",
                call_id="call_1",
                pointer="/price",
                text="price: 24.50",
            ),
        ),
    }
    return ClaimVerdict(**(given | fields))


def _call(call_id: str, told: str | dict[str, Any]) -> ToolCallValidation:
    fields: dict[str, Any] = {"status": told} if isinstance(told, str) else dict(told)
    given = {"tool": "get_part", "args": {"part_id": "BP-7"}, "call_id": call_id}
    return ToolCallValidation(**(given | fields))
