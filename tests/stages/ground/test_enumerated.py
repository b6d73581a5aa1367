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


TILL = {
    "days": [
        {"date": "2026-02-19", "tickets": 98, "net": 1240.0, "card": 930.0, "cash": 310.0},
        {"date": "2026-02-20", "tickets": 171, "net": 2410.0, "card": 1687.0, "cash": 723.0},
        {"date": "2026-02-21", "tickets": 143, "net": 1880.0, "card": 1504.0, "cash": 376.0},
    ]
}
CALLS = {"window": "24h", "requests": 4000, "errors": 240, "by_status": {"429": 190, "500": 50}}
FAILURES = [
    {"suite": "billing", "name": "test_vat", "flaky": False},
    {"suite": "auth", "name": "test_sso", "flaky": True},
    {"suite": "billing", "name": "test_credit", "flaky": False},
    {"suite": "export", "name": "test_csv", "flaky": False},
]
TRANSFER = {
    "ok": False,
    "limit": 1800.0,
    "used_today": 1320.0,
    "requested": 615.5,
    "currency": "GBP",
}
TERMS = {"customer": "Figli Srl", "orders": 52, "avg_days_to_pay": 43, "terms_days": 30}
COURSES = [
    {"title": "A1 evening", "fee": "132 EUR", "seats": 14, "sessions": 12},
    {"title": "A1 intensive", "fee": "168 EUR", "seats": 12, "sessions": 40},
]
PLAN = (
    "Plan for workspace prod-ap (locked by: Minh)\n  + bucket.exports     create\n  ~ vm_pool.render     size: 6 -> 9  update in place\n  ~ sql.main     disk_gb: 400 -> 650, tier unchanged\n"
    "  - vm.bastion_old     destroy\nNot applied.\n"
)
FLAGS = [
    {"flag": "new-nav", "owner": "Luz", "on": True},
    {"flag": "fast-pay", "owner": "Ode", "on": True},
    {"flag": "beta-map", "owner": "Luz", "on": True},
    {"flag": "old-api", "owner": "Ode", "on": False},
]
CITIES = [{"city": "Chennai", "open_slots": 4}, {"city": "Pune", "open_slots": 2}]
BRANCH = {"branch": "main", "ahead": 3, "author": "Bram"}


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
    # a part of what is named, of whatever whole; how many rows of all
    Case(TILL, "On Thursday three quarters of the takings came by card.", "three quarters", "supported"),
    Case(TILL, "On Thursday half of the takings came by card.", "half", "not supported", None),
    Case(CALLS, "Six percent of the calls ended in errors.", "Six percent", "supported"),
    Case(CALLS, "Nine percent of the calls ended in errors.", "Nine percent", "not supported", None),
    Case(FAILURES, "Half of the failures are in the billing suite.", "Half", "supported"),
    Case(FAILURES, "Three quarters of the failures are in the billing suite.", "Three", "not supported", None),
    Case(QUOTA, "More than 60 percent of the error budget is used up.", "60", "not supported", None),
    # an amount and a plain number; days in a field's name; all rows, though a word singles some out
    Case(TRANSFER, "That leaves £480 for today.", "480", "supported"),
    Case(TRANSFER, "That leaves £580 for today.", "580", "not supported", None),
    Case(TERMS, "Figli pay thirteen days later than agreed.", "thirteen", "supported"),
    Case(TERMS, "Figli pay eleven days later than agreed.", "eleven", "not supported", None),
    Case(REPS, "They brought in $510,000 between them.", "510,000", "supported"),
    Case(REPS, "They brought in $550,000 between them.", "550,000", "not supported", None),
    Case(STALLS, "The fees were adding up to 105.00.", "105.00", "supported"),
    # two rows are compared, not two fields of one; what rises does not shrink; one row counts nothing
    Case(COURSES, "The intensive course is €36 dearer than the evening one.", "36", "supported"),
    Case(COURSES, "The intensive course is €28 dearer than the evening one.", "28", "not supported", None),
    Case(PLAN, "The render pool would grow by three machines.", "three", "supported"),
    Case(PLAN, "The render pool would shrink by three machines.", "three", "not supported", None),
    Case(PLAN, "The disk would grow by 250 GB.", "250", "supported"),
    Case(FLAGS, "Team Luz owns three of the flags.", "three", "not supported", None),
    Case(CITIES, "Chennai has one open slot.", "one", "not supported", None),
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
    Case(BRANCH, "Bram has three branches.", "three", "not supported", None),
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
