"""What follows from a limit, a cut-off or a test: of two outcomes that the evidence tells, the one whose side the case
is on. The model has no opinion, so that the exact checks decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from affidavit.report import ClaimVerdict

Judged = Callable[..., ClaimVerdict]

Call = tuple[str, dict[str, Any], Any]


@dataclass(frozen=True)
class Case:
    """The calls that the run holds, the question, an answer, a word of the claim, and what must become of it."""

    calls: tuple[Call, ...]
    asked: str
    answer: str
    says: str
    status: str
    decided_by: str | None = None


NIGHT: tuple[Call, ...] = (
    ("get_night", {"place": "Jena"}, {"place": "Jena", "min_c": -2.5}),
    ("get_plant", {"name": "basil"}, {"plant": "basil", "min_safe_temp_c": 8}),
)
VAN: tuple[Call, ...] = (
    ("get_bridge", {"name": "Orm"}, {"bridge": "Orm", "max_load_t": 3.5, "max_height_m": 2.8}),
    ("get_van", {"plate": "K7"}, {"plate": "K7", "weight_t": 4.2, "height_m": 2.6}),
)
BATCH: tuple[Call, ...] = (
    ("get_batch", {"no": "Q-4"}, {"batch": "Q-4", "tests": [{"name": "moisture", "max": 12.0, "measured": 11.2}, {"name": "protein", "min": 13.5, "measured": 12.9}]}),
)  # fmt: skip
SENSOR: tuple[Call, ...] = (
    ("get_sensor", {"id": "S-3"}, {"sensor": "S-3", "limit": {"kind": "maximum", "threshold": 55}, "reading": 61.5}),
)  # fmt: skip
TOLD: tuple[Call, ...] = (
    ("get_sensor", {"id": "S-3"}, {"sensor": "S-3", "max": 55, "reading": 61.5, "result": "PASS"}),
)
PARCELS: tuple[Call, ...] = (
    ("get_depot", {"name": "Kalm"}, {"depot": "Kalm", "rule": "Parcels handed in by 14:00 leave the same day. Later parcels leave the next day."}),
)  # fmt: skip
LEAVE: tuple[Call, ...] = (
    ("get_page", {"page": "leave"}, "Staff hired before 1 July 2020 get 30 days of leave; staff hired after that get 25 days of leave."),
)  # fmt: skip
AT_KALM = "I handed in my parcel at 14:25 at Kalm. When does it leave?"
HIRED = "I was hired on 3 March 2021. How many days of leave do I get?"

CASES: tuple[Case, ...] = (
    # A limit told right before, and a measure of its kind.
    Case(NIGHT, "Can the basil stay out in Jena tonight?", "Tonight it goes down to -2.5 °C in Jena. Basil needs at least 8 °C, so it can safely stay outside.", "safely", "contradicted", "thresholds"),
    Case(NIGHT, "Can the basil stay out in Jena tonight?", "Tonight it goes down to -2.5 °C in Jena. Basil needs at least 8 °C. So it is fine outside.", "fine", "contradicted", "thresholds"),
    Case(VAN, "Can K7 cross the Orm bridge?", "K7 weighs 4.2 t. The Orm bridge takes at most 3.5 t, so you can drive across.", "drive", "contradicted", "thresholds"),
    Case(VAN, "Can K7 cross the Orm bridge?", "K7 is 2.6 m high. The Orm bridge has a maximum of 2.8 m, so it cannot pass.", "pass", "contradicted", "thresholds"),
    # Keeping to one limit proves nothing of what else may be in the way.
    Case(VAN, "Can K7 cross the Orm bridge?", "K7 is 2.6 m high. The Orm bridge has a maximum of 2.8 m, so it can pass.", "pass", "unsupported"),
    # A limit and a measure in one record.
    Case(BATCH, "How did batch Q-4 do?", "The moisture test was passed.", "passed", "supported", "passed"),
    Case(BATCH, "How did batch Q-4 do?", "The protein test was passed.", "passed", "contradicted", "passed"),
    Case(BATCH, "How did batch Q-4 do?", "Moisture is 11.2, with a maximum of 12, so that test was failed.", "failed", "contradicted", "passed"),
    Case(BATCH, "How did batch Q-4 do?", "The test was passed.", "passed", "unsupported"),  # one was, one was not
    Case(SENSOR, "How is S-3?", "S-3 is within its limits.", "limits", "contradicted", "passed"),
    Case(SENSOR, "How is S-3?", "The sensor S-3 exceeds its limit.", "exceeds", "supported", "passed"),
    # What a field says itself is not reckoned again.
    Case(TOLD, "How is S-3?", "The sensor S-3 passed.", "passed", "supported"),
    # One thing by an hour or a day, another after it.
    Case(PARCELS, AT_KALM, "Your parcel leaves the same day.", "same", "contradicted", "cut_offs"),
    Case(PARCELS, AT_KALM, "Your parcel leaves the next day.", "next", "supported", "cut_offs"),
    Case(PARCELS, AT_KALM, "Your parcel was handed in at 14:25.", "14:25", "supported", "values"),
    Case(PARCELS, AT_KALM.replace("14:25", "13:25"), "Your parcel leaves the same day.", "same", "supported", "cut_offs"),
    Case(LEAVE, HIRED, "You get 30 days of leave.", "30", "contradicted", "cut_offs"),
    Case(LEAVE, HIRED, "You get 25 days of leave.", "25", "supported"),
    # No case of it: a birthday decades before.
    Case(LEAVE, "I was born on 3 March 1981. How many days of leave do staff get?", "Those hired early get 30 days of leave.", "30", "supported"),
)  # fmt: skip


def claim_of(case: Case, judged: Judged) -> ClaimVerdict:
    return judged(case.calls, case.answer, case.says, asked=case.asked)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.answer[-60:])
def test_what_follows_from_limits(case: Case, judged: Judged) -> None:
    claim = claim_of(case, judged)
    assert claim.status == case.status, claim.explanation
    if case.decided_by:
        assert claim.decided_by == case.decided_by, claim.explanation
