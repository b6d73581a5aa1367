"""Figures that follow from what a claim speaks of without its words naming the operation, times between moments,
and what is too likely to be met by chance; each with a twin that comes out otherwise. The model has no opinion,
so that the exact checks decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from affidavit.report import ClaimVerdict

Judged = Callable[..., ClaimVerdict]

STALLS = (
    "Day,Place,Jars,Price each,Fee,Helper\n2026-07-04,Old Market,41,8.00,35.00,June\n"
    "2026-07-11,Lakeside,57,8.00,50.00,June\n2026-07-18,Abbey Yard,23,9.00,20.00,Ferd\n"
)
REPS = "| rep | region | deals | revenue (k$) | quota (k$) |\n|---|---|---|---|---|\n| Imani Odhi | East | 9 | 270 | 200 |\n| Signe Holm | North | 12 | 240 | 240 |\n"
HOLDING = {
    "base": "USD",
    "positions": [
        {"name": "Orvane Robotics", "qty": 40, "avg_cost": 31.0, "last": 38.5},
        {"name": "Talk Foods", "qty": 100, "avg_cost": 12.4, "last": 11.9},
    ],
}
CLAIM = {
    "lines": [
        {"what": "flight", "amt": 214.3, "decision": "approved"},
        {"what": "hotel", "amt": 366.0, "nights": 3, "decision": "approved"},
        {"what": "dinner", "amt": 94.5, "decision": "rejected"},
    ],
    "currency": "EUR",
}
MELT = [
    {"furnace": "F1", "melt_t": {"jan": 3100, "feb": 2850, "mar": 3150}, "stops": 0},
    {"furnace": "F2", "melt_t": {"jan": 2200, "feb": 910, "mar": 2300}, "stops": 2},
]
QUOTA = {"key": "ferry-app", "calls_7d": 70_300, "quota_7d": 100_000}
ADVICE = {
    "currency": "SEK",
    "items": [
        {"family": "m-large", "on_demand": 48_000, "reserved": 30_500},
        {"family": "c-large", "on_demand": 20_000, "reserved": 15_000},
        {"family": "gpu", "on_demand": 64_000, "reserved": 52_000},
    ],
}
JOB = {"job": "imp-77", "started": "2026-07-21T06:00:00", "ended": "2026-07-21T07:45:00"}
HEARING = "Objections may be handed in until 16 March 2026. About 250 citizens came to the hall."
PORT = "Containers rose to 214,000 TEU after 188,000 TEU the year before."
LUNCH = "Quick lunch menu: soup 4.20 EUR, stew 6.90 EUR"
CONCERT = {"event": "Spring concert", "rows": 6, "price": 18.5}
SLOTS = "city: Chennai | open slots: 4 | fee: 81\ncity: Kolkata | open slots: 1 | fee: 81\n"
LOGIN = {"login": "elif", "active": True, "last_login": "2026-04-02"}
POOL = {"pool": "Osterau", "opens": "07:30", "lanes": 3, "depth_m": 2}


@dataclass(frozen=True)
class Case:
    result: Any
    answer: str
    says: str
    status: str
    decided_by: str | None = "derived"


CASES = [
    # sums over rows that are named, singled out by what they say, or all there are
    Case(STALLS, "You sold 121 jars over the three days.", "121", "supported"),
    Case(STALLS, "You sold 131 jars over the three days.", "131", "not supported", None),
    Case(CLAIM, "So far €580.30 has been approved.", "580.30", "supported", None),
    Case(CLAIM, "So far €674.80 has been approved.", "674.80", "not supported", None),
    # rates, products, shares and differences of fields
    Case(CLAIM, "The hotel came to €122 a night.", "122", "supported"),
    Case(CLAIM, "The hotel came to €132 a night.", "132", "not supported", None),
    Case(HOLDING, "Your forty Orvane shares are worth $1,540 now.", "1,540", "supported"),
    Case(HOLDING, "Your forty Orvane shares are worth $1,640 now.", "1,640", "not supported", None),
    Case(REPS, "Imani beat her quota by $70,000.", "70,000", "supported"),
    Case(REPS, "Imani beat her quota by $80,000.", "80,000", "not supported", None),
    Case(QUOTA, "The app has used 70.3 percent of its weekly allowance.", "70.3", "supported"),
    Case(QUOTA, "The app has used 73.3 percent of its weekly allowance.", "73.3", "not supported", None),
    Case(ADVICE, "Switching all three would cut the bill by 34,500 kronor.", "34,500", "supported"),
    Case(ADVICE, "Switching all three would cut the bill by 36,500 kronor.", "36,500", "not supported", None),
    # all of one map; a number that the claim tells itself; figures of running text
    Case(MELT, "F1 melted 9,100 tonnes in the quarter.", "9,100", "supported"),
    Case(MELT, "F1 melted 9,400 tonnes in the quarter.", "9,400", "not supported", None),
    Case(CONCERT, "Four tickets come to 74.00.", "74.00", "supported"),
    Case(CONCERT, "Four tickets come to 78.00.", "78.00", "not supported", None),
    Case(PORT, "Container traffic grew by 26,000 TEU.", "26,000", "supported"),
    Case(PORT, "Container traffic grew by 36,000 TEU.", "36,000", "not supported", None),
    # the time between two moments, or to the run's date
    Case(JOB, "It ran for an hour and three quarters.", "an hour", "supported"),
    Case(JOB, "It ran for an hour and a quarter.", "an hour", "not supported", None),
    Case(HEARING, "Objections can still be handed in for three weeks.", "three weeks", "supported"),
    Case(HEARING, "Objections can still be handed in for five weeks.", "five weeks", "not supported", None),
    # how many there are says nothing of how many did it; a bound is not met from the other side
    Case(REPS, "One of the two reps missed the quota.", "two", "not supported", None),
    Case(PORT, "More than 215,000 TEU were handled.", "215,000", "not supported", None),
    # a small bare number is no span of time, nor half a price a half
    Case(POOL, "The pool is closed for three weeks.", "three weeks", "not supported", None),
    Case({"car_park": "North", "eur_per_h": 0.5}, "Half of the spaces are free.", "Half", "not supported", None),
]  # fmt: skip

ROWS = [
    # a part of a name, said with a capital, is of its row
    Case(REPS, "Imani closed nine deals.", "nine", "supported", None),
    Case(REPS, "Imani closed twelve deals.", "twelve", "contradicted", "counted_fields"),
    # a superlative is of the field that is named best
    Case(STALLS, "Lakeside charged the highest fee.", "highest", "supported", "extremes"),
    Case(STALLS, "Abbey Yard charged the highest fee.", "highest", "contradicted", "extremes"),
    # a small count, or a month, that stands in a field the claim does not speak of proves nothing
    Case(LOGIN, "Elif left the company in April.", "April", "not supported", None),
    Case(LOGIN, "Elif's last login was in April.", "April", "supported", None),
    # fields named on every line, between bars
    Case(SLOTS, "Chennai has four open slots.", "four", "supported", None),
    # a day that picks a row, or a value that some have, proves nothing of what is told
    Case(STALLS, "A jar cost 8.00 at every place.", "8.00", "not supported", None),
    Case(STALLS, "Lakeside was visited by more people on 2026-07-11.", "more", "not supported", None),
]  # fmt: skip


@pytest.mark.spec("AFF-310")
@pytest.mark.parametrize("case", [*CASES, *ROWS], ids=lambda case: case.answer[:60])
def test_enumerated(case: Case, judged: Judged) -> None:
    claim = judged(
        [("look_up", {}, case.result)],
        case.answer,
        case.says,
        asked="How does it look?",
        system="Today is 2026-02-23.",
    )
    held = claim.status == "supported" and (claim.score or 0.0) >= 0.85
    if case.status == "not supported":
        assert not held, claim.explanation
    else:
        assert claim.status == case.status, claim.explanation
    if case.decided_by is not None:
        assert claim.decided_by == case.decided_by, claim.explanation
