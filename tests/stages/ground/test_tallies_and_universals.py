"""How many of a list, and all, both, none and only of it: each with a twin that is wrong. The model has no
opinion, so that the exact checks decide."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from affidavit import Detector, read_run
from affidavit.report import ClaimVerdict
from affidavit.testing import FixedEntailment

RUNS: dict[str, Any] = {
    "list_parcels": {
        "parcels": [
            {"tracking": "PX-1004", "carrier": "Norpost", "weight_kg": 4.2, "status": "delivered", "insured": True, "left_at": "2026-02-03"},
            {"tracking": "PX-1011", "carrier": "Swiftly", "weight_kg": 11.5, "status": "pending", "insured": True, "left_at": "2026-02-05"},
            {"tracking": "PX-1019", "carrier": "Norpost", "weight_kg": 7.9, "status": "delivered", "insured": False, "left_at": "2026-02-09"},
            {"tracking": "PX-1023", "carrier": "Hald", "weight_kg": 2.3, "status": "delivered", "insured": True, "left_at": "2026-02-11"},
        ]
    },
    "get_buoys": "2026-05-02T06:00 wave_m=1.2 wind_kmh=22\n2026-05-02T07:00 wave_m=2.4 wind_kmh=35\n"
    "2026-05-02T08:00 wave_m=2.9 wind_kmh=41\n2026-05-02T09:00 wave_m=1.8 wind_kmh=30\n",
    "get_inspection": "Site: Quarry Lane 4\nInspector: Dunne\nsystems: wiring PASSED, plumbing PASSED, boiler FAILED",
    "get_probes": {"disk": "ok", "network": "ok", "memory": "failed"},
    "list_trains": "train,departs,arrives,changes,fare_eur\nIC 41,07:12,09:40,0,44.00\nRE 8,08:05,11:30,1,29.50\nIC 43,09:12,11:41,0,44.00\n",
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """The result that the run holds, an answer, and what must become of its first claim."""

    result: str
    answer: str
    status: str
    decided_by: str | None = None


CASES = [
    # counts with a condition
    Case("list_parcels", "Three of the four parcels were delivered.", "supported"),
    Case("list_parcels", "Two of the four parcels were delivered.", "contradicted", "tallies"),
    Case("list_parcels", "Two of the four parcels weigh more than 5 kg.", "supported"),
    Case("list_parcels", "Three of the four parcels weigh more than 5 kg.", "contradicted", "tallies"),
    Case("list_parcels", "3 parcels are insured.", "supported"),
    Case("list_parcels", "2 parcels are insured.", "contradicted", "tallies"),
    Case("list_parcels", "Two parcels left before 6 February.", "supported"),
    Case("list_parcels", "Three parcels left before 6 February.", "contradicted", "tallies"),
    Case("get_buoys", "Two of the four readings were over 2 m.", "supported"),
    Case("get_buoys", "Three of the four readings were over 2 m.", "contradicted", "tallies"),
    Case("list_trains", "Two of the three trains leave after 8:00.", "supported"),
    Case("list_trains", "One of the three trains leaves after 8:00.", "contradicted", "tallies"),
    # all, both, none, only
    Case("list_parcels", "All four parcels were delivered.", "contradicted", "universals"),
    Case("list_parcels", "Both Norpost parcels were delivered.", "supported"),
    Case("list_parcels", "Both Norpost parcels are insured.", "contradicted", "universals"),
    Case("list_parcels", "None of the parcels were delivered.", "contradicted", "universals"),
    Case("list_parcels", "None of the parcels is over 12 kg.", "supported"),
    Case("list_parcels", "None of the parcels is over 11 kg.", "contradicted", "universals"),
    Case("list_parcels", "Only PX-1011 is pending.", "supported"),
    Case("list_parcels", "Only PX-1004 was delivered.", "contradicted", "universals"),
    Case("get_inspection", "All three systems passed.", "contradicted", "universals"),
    Case("get_inspection", "Wiring and plumbing passed.", "supported"),
    Case("get_inspection", "Wiring and boiler passed.", "contradicted", "universals"),
    Case("get_inspection", "Only the boiler failed.", "supported"),
    Case("get_inspection", "Only the plumbing failed.", "contradicted", "universals"),
    Case("get_probes", "All probes are ok.", "contradicted", "universals"),
    # what stands before the noun narrows it, and is not said of all
    Case("list_parcels", "All insured parcels are heavier than 2 kg.", "supported"),
    Case("list_parcels", "All insured parcels are heavier than 3 kg.", "contradicted"),
    Case("list_parcels", "All insured parcels are delivered.", "contradicted"),
    # not all, and all not
    Case("list_parcels", "Not all parcels have a weight above 5 kg.", "supported"),
    Case("list_parcels", "Not all parcels have a weight above 2 kg.", "contradicted"),
    Case("list_parcels", "All parcels do not have a weight above 2 kg.", "contradicted"),
]  # fmt: skip
QUIET = [
    # another list, a part of one, a rule, a bound: nothing here that could be counted against
    Case("list_parcels", "All customers were delivered to.", "contradicted"),
    Case("list_parcels", "Two of the parcels from the spring sale were delivered.", "contradicted"),
    Case("list_parcels", "At least two parcels were delivered.", "contradicted"),
    Case("list_parcels", "A refund is due unless all parcels are delivered.", "contradicted"),
    Case("list_parcels", "Not all parcels were delivered.", "contradicted"),
    Case("list_parcels", "All parcels except PX-1011 were delivered.", "contradicted"),
    Case("get_buoys", "Two of the readings at noon were over 2 m.", "contradicted"),
    Case("get_inspection", "All rooms passed.", "contradicted"),
]  # fmt: skip


def first_claim(case: Case) -> ClaimVerdict:
    result = RUNS[case.result]
    content = result if isinstance(result, str) else json.dumps(result)
    messages = [
        {"role": "user", "content": "How does it look?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": case.result, "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": content}]},
        {"role": "assistant", "content": case.answer},
    ]  # fmt: skip
    report = Detector(entailment=FixedEntailment()).check(read_run({"messages": messages}))
    return report.claims[0]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.answer)
def test_every_member_is_asked(case: Case) -> None:
    claim = first_claim(case)
    assert claim.status == case.status, claim.explanation
    if case.decided_by:
        assert claim.decided_by == case.decided_by, claim.explanation


@pytest.mark.parametrize("case", QUIET, ids=lambda case: case.answer)
def test_what_cannot_be_counted_is_not_held_against_the_answer(case: Case) -> None:
    claim = first_claim(case)
    by_count = [c for c in claim.checks if c.name in ("tallies", "universals")]
    assert all(c.verdict != case.status for c in by_count), claim.explanation
