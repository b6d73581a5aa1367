"""What is said of several rows: two held against each other, a superlative, so many of so many; each with a twin
that is not so. A model that reads one row finds all of it entailed, and must not decide."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit import Detector, read_run
from affidavit.report import ClaimVerdict
from affidavit.stages.ground.each_row import RowQuestion
from affidavit.testing import FixedEntailment

PASSES = [
    {"name": "Dolun La", "elev_ft": 16400, "road": "track"},
    {"name": "Imir Pass", "elev_ft": 13120, "road": "paved"},
    {"name": "Upper Sary", "elev_ft": 15090, "road": "gravel"},
]
FOLDERS = [
    {"dir": "/mnt/studio/raw", "gb": 1800, "files": 5120},
    {"dir": "/mnt/studio/renders", "gb": 900, "files": 22400},
    {"dir": "/mnt/studio/music", "gb": 60, "files": 3050},
]
DISPUTES = {"year": 2026, "disputes": {"total": 14, "won": 8, "lost": 4, "pending": 2}}
BRANCHES = "branch,author,ahead,behind\nrelease/2.9,Tugce,3,41\nfix/timezones,Kwame,1,230\nmain,Tugce,0,0\n"
LOANS = "title | borrower | insured_chf\nBoy with Lute | Werlen | 220000\nAstrolabe | Tempo | 95000\nLetter | Thun | 8000\n"
REGIONS = "region,q4_usd,q1_usd\nNorth,1840000,1932000\nEMEA,1120000,1008000\nAPAC,640000,736000\nLATAM,200000,210000\n"


@dataclass(frozen=True)
class Case:
    result: Any
    answer: str
    held: bool
    decided_by: str


COMPARED = [
    Case(PASSES, "Upper Sary is higher than the Imir Pass.", True, "compared"),
    Case(PASSES, "Upper Sary is lower than the Imir Pass.", False, "compared"),
    Case(PASSES, "The Imir Pass is not higher than Upper Sary.", True, "compared"),
    Case(FOLDERS, "The renders folder has more files than the music folder.", True, "compared"),
    Case(FOLDERS, "The music folder has more files than the renders folder.", False, "compared"),
    Case(DISPUTES, "You have won more disputes than you've lost.", True, "compared"),
    Case(DISPUTES, "You have lost more disputes than you've won.", False, "compared"),
    Case(BRANCHES, "The timezones fix is further behind than the release branch.", True, "compared"),
    Case(BRANCHES, "The release branch is further behind than the timezones fix.", False, "compared"),
]  # fmt: skip
SUPERLATIVES = [
    Case(FOLDERS, "The renders folder holds the most files.", True, "extremes"),
    Case(FOLDERS, "The music folder holds the most files.", False, "extremes"),
    Case(LOANS, "The Letter is the least valuable of the loans.", True, "entailment"),
    Case(LOANS, "Boy with Lute is the least valuable of the loans.", False, "extremes"),
]
COUNTED = [
    Case(REGIONS, "Revenue grew in three of the four regions.", True, "tallies"),
    Case(REGIONS, "Revenue grew in two of the four regions.", False, "tallies"),
]


@pytest.mark.spec("AFF-318")
@pytest.mark.parametrize("case", [*COMPARED, *SUPERLATIVES, *COUNTED], ids=lambda case: case.answer)
def test_several_rows(case: Case) -> None:
    claim = _judged(case, FixedEntailment(default="entailment"))
    held = claim.status == "supported" and (claim.score or 0.0) >= 0.85
    assert held == case.held, claim.explanation
    if not case.held:
        assert claim.decided_by == case.decided_by, claim.explanation


JOBS = [
    {"job": "mail", "outcome": "ran through"},
    {"job": "wiki", "outcome": "ran through"},
    {"job": "files", "outcome": "gave up"},
    {"job": "photos", "outcome": "gave up"},
    {"job": "crm", "outcome": "ran through"},
]


@pytest.mark.spec("AFF-318")
@pytest.mark.parametrize(
    ("answer", "asked", "held"),
    [
        ("Three of the five jobs ended well.", "The job ended well.", True),
        ("Two of the five jobs ended well.", "The job ended well.", False),
        ("At least two of the five jobs ended well.", "The job ended well.", True),
        ("Most of the jobs ended well.", "The job ended well.", True),
        ("All five jobs ended well.", "The job ended well.", False),
        ("None of the five jobs ended well.", "The job ended well.", False),
    ],
)
def test_each_row_is_asked(answer: str, asked: str, held: bool) -> None:
    model = FixedEntailment(
        rule=lambda premise, said: (
            "entailment" if "ran through" in premise and said == asked else "neutral"
        )
    )
    claim = _judged(Case(JOBS, answer, held, "entailment"), model)
    assert sum(said == asked for _, said in model.pairs) == len(JOBS)
    assert (claim.status == "supported") == held, claim.explanation


def _judged(case: Case, model: FixedEntailment) -> ClaimVerdict:
    use = {"type": "tool_use", "id": "c0", "name": "look_up", "input": {}}
    told = {"type": "tool_result", "tool_use_id": "c0", "content": case.result}
    messages = [
        {"role": "user", "content": "How does it look?"},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [told | {"content": _text(case.result)}]},
        {"role": "assistant", "content": case.answer},
    ]
    (claim,) = Detector(entailment=model).check(read_run({"messages": messages})).claims
    return claim


def _text(result: Any) -> str:
    return result if isinstance(result, str) else json.dumps(result)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=16))
def test_probabilities_of_all_counts_sum_to_one(each: list[float]) -> None:
    size = len(each)
    one = [RowQuestion("", (), n, n).probability(each) for n in range(size + 1)]
    assert sum(one) == pytest.approx(1)
    assert RowQuestion("", (), 0, size).probability(each) == pytest.approx(1)
