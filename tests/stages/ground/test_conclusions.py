"""What follows from what the answer has shown: drawn from proven claims beside it, never from an invention."""

from __future__ import annotations

import json

import pytest

from affidavit import Detector, read_run
from affidavit.report import HallucinationReport
from affidavit.testing import FixedEntailment

BRIDGE = {"bridge": "Ostra footbridge", "max_load_t": 3.5, "lanes": 1}


def follows(premise: str, hypothesis: str) -> str | None:
    """Of the answers below: too heavy follows from the weight beside the limit, and from nothing else."""
    if hypothesis in ("You can't drive over it.", "Your van can't cross"):
        return "entailment" if "at most 3.5 t" in premise else None
    return None


def check(answer: str, entailment: FixedEntailment) -> HallucinationReport:
    call = {"id": "c1", "type": "function", "function": {"name": "get_bridge", "arguments": "{}"}}
    run = {
        "messages": [
            {"role": "user", "content": "My van weighs 4.2 t. May I take the Ostra footbridge?"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": json.dumps(BRIDGE)},
            {"role": "assistant", "content": answer},
        ]
    }
    return Detector(entailment=entailment).check(read_run(run, run_id="bridge"))


@pytest.mark.spec("AFF-317")
@pytest.mark.parametrize(
    ("answer", "says", "status", "by"),
    [
        # Drawn from the claims before it.
        ("The Ostra footbridge carries at most 3.5 t, so you can't drive over it.", "so you can't", "supported", "conclusions"),
        # Led in to, with the reason behind it.
        ("Your van can't cross: the Ostra footbridge carries at most 3.5 t.", "Your van can't", "supported", "conclusions"),
        # No issue, since it keeps to its limit, whatever the model makes of that; not where it is beyond it.
        ("The load would be no problem: 3.5 t is within the limit.", "no problem", "supported", "conclusions"),
        ("The weight of your van is fine: 4.2 t is above the limit of 3.5 t.", "is fine", "unsupported", "entailment"),
        # The reason is invented, so nothing follows from it.
        ("The Ostra footbridge carries at most 2.5 t, so you can't drive over it.", "so you can't", "unsupported", "entailment"),
        # Another claim than the one that follows.
        ("The Ostra footbridge carries at most 3.5 t, so it has to be rebuilt.", "so it has", "unsupported", "entailment"),
        # Not told as a conclusion.
        ("The Ostra footbridge carries at most 3.5 t. Your van can't cross the river anywhere.", "anywhere", "unsupported", "entailment"),
        # A figure of its own is looked up, not concluded.
        ("The Ostra footbridge carries at most 3.5 t, so you can't drive over it with 9 people.", "9 people", "unsupported", "values"),
    ],
)  # fmt: skip
def test_what_follows_is_drawn_from_what_is_proven(
    answer: str, says: str, status: str, by: str
) -> None:
    report = check(answer, FixedEntailment(rule=follows))
    claim = next(c for c in report.claims if says in c.text)
    assert (claim.status, claim.decided_by) == (status, by), claim.explanation


@pytest.mark.spec("AFF-317")
def test_the_report_names_the_claims_and_the_evidence_that_it_follows_from() -> None:
    report = check(
        "The Ostra footbridge carries at most 3.5 t, so you can't drive over it.",
        FixedEntailment(rule=follows),
    )
    reason, conclusion = report.claims
    assert reason.text in conclusion.explanation
    assert conclusion.evidence_spans == reason.evidence_spans
    assert conclusion.checks[-1].produced_by == "fixed"


def test_a_conclusion_that_its_opposite_follows_from_as_well_is_not_believed() -> None:
    def both(premise: str, hypothesis: str) -> str | None:
        return (
            "entailment" if "at most 3.5 t" in premise and "drive over it" in hypothesis else None
        )

    report = check(
        "The Ostra footbridge carries at most 3.5 t, so you can't drive over it.",
        FixedEntailment(rule=both),
    )
    assert report.claims[-1].status != "supported"
