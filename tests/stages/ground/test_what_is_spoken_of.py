"""Which row, which sentence and which reading an answer speaks of, where it does not say so in so many words:
each case beside a twin of another row, sentence or reading. The model has no opinion, so that the exact
checks decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from affidavit import Detector, read_run
from affidavit.report import ClaimVerdict

Judged = Callable[..., ClaimVerdict]

HIVES = (
    "hive,queen_year,frames,honey_kg,weighed_on\n"
    "HV-101,2024,8,11,2026-07-02\nHV-102,2025,9,14,2026-07-05\nHV-103,2023,10,19,2026-07-09\n"
)
BLOOD = (
    "donor,test,value,unit,low,high\n"
    "Rex,Ferritin,41,ug/L,30,300\nRex,Iron,12,umol/L,9,30\n"
    "Ana,Ferritin,18,ug/L,15,150\nAna,Iron,22,umol/L,7,26\n"
)
RULES = (
    "House rules of the Quarry Lane allotments.\n\n"
    "Sheds may be up to 6 square metres in size. Greenhouses of up to 10 square metres are allowed beside the shed.\n\n"
    "Watering is allowed on weekdays from 6:00 to 9:00, on Sundays from 7:00 to 8:00.\n\n"
    "The yearly fee is due within 30 days. Complaints about a neighbour are answered within 14 days."
)
STALLS = [
    "stall: North Gate\nkeeper: I. Maro\ncrates_sold: 52\nhelpers: 3\n",
    "stall: River Steps\nkeeper: O. Pell\ncrates_sold: 37\nhelpers: 2\n",
]
JOB = [
    {"job": "reindex-7", "state": "running", "done_docs": 1200, "total_docs": 9000},
    {"job": "reindex-7", "state": "running", "done_docs": 6400, "total_docs": 9000},
]
ROPES = [
    {"tools": [{"id": "RP-88001", "length_m": 40, "left": 9}]},
    {"order": "T-5", "tool_id": "RP-88001", "pieces": 4, "pieces_left": 5},
]
LAMPS = {
    "lamps": [
        {"name": "Glim A", "lumen": 800, "noise_db": 21, "price": "€30"},
        {"name": "Glim B", "lumen": 950, "noise_db": 24, "price": "€44"},
    ]
}
TERMS = "1. Term. The hire runs for a first period of eighteen (18) months. It is then renewed for periods of six (6) months."
SURVEY = "The keel survey took place on 4 May and was not passed. Rudder and mast were found sound."
TANKS = "2026-05-01 21:10:00 wash: start, tank=T2\n2026-05-01 22:00:00 wash: rinse\n2026-05-02 00:25:00 wash: finished, water=310 l\n"
LESSONS = [
    {"lesson": "L-1", "piece": "cello", "with": {"teacher": "Mr. Odell Crane"}, "on": "2026-05-04"},
    {"lesson": "L-2", "piece": "flute", "with": {"teacher": "Ms. Ida Brandt"}, "on": "2026-05-06"},
]
HARBOUR = "Boats over ten metres need a pilot. The pilot must be ordered before the boat enters the outer harbour. Fees are paid after mooring."
CREW = {"ship": "Alda", "gust_limit_ms": 14, "berth": {"eur_per_night": 18.5}, "casts_off": "2026-06-19"}  # fmt: skip


@dataclass(frozen=True)
class Case:
    results: tuple[Any, ...]
    answer: str
    says: str
    status: str
    system: str = ""


CASES = [
    # the row that a value shows is what the next sentence goes on about
    Case((HIVES,), "The heaviest harvest was 19 kg of honey. It was weighed on 9 July.", "It was", "supported"),
    Case((HIVES,), "The heaviest harvest was 19 kg of honey. It was weighed on 5 July.", "It was", "contradicted"),
    # one thing's figures in one breath
    Case((HIVES,), "HV-102 did well. The colony sat on 9 frames and gave 14 kg.", "14 kg", "supported"),
    Case((HIVES,), "HV-102 did well. The colony sat on 9 frames and gave 19 kg.", "19 kg", "contradicted"),
    # a lead-in says whose values follow
    Case((BLOOD,), "Ana's values:\n\n- **Ferritin** was 18, which is within the range of 15 to 150.", "which", "supported"),
    Case((BLOOD,), "Ana's values:\n\n- **Ferritin** was 18, which is within the range of 30 to 300.", "which", "contradicted"),
    # texts of several calls are rows of one kind
    Case(tuple(STALLS), "River Steps is kept by O. Pell. The stall sold 37 crates, with 2 helpers.", "37", "supported"),
    Case(tuple(STALLS), "River Steps is kept by O. Pell. The stall sold 52 crates and has 2 helpers.", "52", "contradicted"),
    # a later reading of the same replaces the earlier one
    Case(tuple(JOB), "The job has done 6,400 documents.", "6,400", "supported"),
    Case(tuple(JOB), "The job has done 1,200 documents.", "1,200", "contradicted"),
    Case(tuple(JOB), "The job had done 1,200 documents before.", "1,200", "supported"),
    Case(tuple(ROPES), "After your order 5 are left of RP-88001.", "5 are", "supported"),
    Case(tuple(ROPES), "After your order 9 are left of RP-88001.", "9 are", "contradicted"),
    # what is compared
    Case((LAMPS,), "The Glim B is the brighter one. It gives 950 lumen, more than the Glim A.", "It gives", "supported"),
    Case((LAMPS,), "The Glim B is brighter. It has 24 dB against 21 dB, and costs €44 compared with €30.", "€44", "supported"),
    # the sentence that a value stands in
    Case((RULES,), "A greenhouse may have up to 10 square metres.", "greenhouse", "supported"),
    Case((RULES,), "Beside the shed, greenhouses are allowed with up to 6 square metres.", "greenhouses", "contradicted"),
    Case((RULES,), "On Sundays you can water until 8:00.", "Sundays", "supported"),
    Case((RULES,), "On Sundays you can water until 9:00.", "Sundays", "contradicted"),
    Case((RULES,), "Complaints about a neighbour are answered within 30 days.", "30 days", "contradicted"),
    Case((TERMS,), '{"first_period_months": 18}', "18", "supported"),
    Case((TERMS,), '{"first_period_months": 6}', "6", "contradicted"),
    # a "not" beside the date
    Case((SURVEY,), "The keel survey passed on 4 May.", "keel", "unsupported"),
    # a name that stands in another row's field; in the right one it is the model's to say
    Case((LESSONS,), "Your cello lesson is on 4 May. You'll be taught by Mr. Odell Crane.", "You'll", "unsupported"),
    Case((LESSONS,), "Your cello lesson is on 4 May. You'll be taught by Ms. Ida Brandt.", "You'll", "contradicted"),
    Case((LESSONS,), "Your cello lesson is on 4 May. On 6 May Ms. Ida Brandt teaches the flute.", "Ida", "supported"),
    # before and after
    Case((HARBOUR,), "The pilot has to be ordered once the boat has entered the outer harbour.", "pilot", "contradicted"),
    # figures in bold, spans over lines of a log, units by what a field speaks of
    Case((TANKS,), "The whole wash took **3 hours 15 minutes**.", "took", "supported"),
    Case((TANKS,), "The whole wash took **2 hours 15 minutes**.", "took", "unsupported"),
    Case((CREW,), "The Alda stays in port from gusts of 14 m/s on.", "14 m/s", "supported"),
    Case((CREW,), "A berth is **€18.50** a night.", "berth", "supported"),
    Case((CREW,), "She casts off on Friday the 19th.", "casts", "supported"),
    Case((CREW,), "She casts off on Friday the 12th.", "casts", "contradicted"),
    Case((CREW,), "She casts off on 19 June, so that is four days away.", "days", "supported", "Today is 2026-06-15."),
    Case((CREW,), "She casts off on 19 June, so that is six days away.", "days", "unsupported", "Today is 2026-06-15."),
]  # fmt: skip


def claim_of(case: Case, judged: Judged) -> ClaimVerdict:
    calls = [("get_state", {}, result) for result in case.results]
    return judged(calls, case.answer, case.says, asked="How does it look?", system=case.system)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.answer[-60:])
def test_what_is_spoken_of(case: Case, judged: Judged) -> None:
    claim = claim_of(case, judged)
    assert claim.status == case.status, claim.explanation


def test_what_a_call_was_given_is_shown_with_its_result() -> None:
    """A log need not say which build it is of: the call did."""
    use = {"type": "tool_use", "id": "c", "name": "get_log", "input": {"build": 7731}}
    told = {"type": "tool_result", "tool_use_id": "c", "content": "[pipeline] FAILED at stage e2e"}
    messages = [
        {"role": "user", "content": "Why did build 7731 go red?"},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [told]},
        {"role": "assistant", "content": "Build 7731 failed in the e2e stage."},
    ]
    (claim,) = Detector().check(read_run({"messages": messages})).claims
    assert claim.status == "supported", claim.explanation
