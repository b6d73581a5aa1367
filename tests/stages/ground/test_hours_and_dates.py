"""Hours by the day, free hours, days so long after others, and rules with two sides, each with a twin that is
wrong. The model has no opinion, so that the exact checks decide."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from affidavit.report import ClaimVerdict

Judged = Callable[..., ClaimVerdict]

POOL = {"name": "City Pool", "opening_hours": "Mo-Fr 06:30-21:00; Sa,So 08:00-19:00"}
MUSEUM = {"museum": "Tide Museum", "hours": "Tu-Sa 10:00-18:00, Su closed"}
BAKERY = "Bakery Lindt\nHours: Monday to Friday 6am-6pm, Sat 7-1\nPhone: 555 0101"
BRANCH = {
    "branch": "East",
    "opening": {"mon": "10:00-18:00", "wed": None, "thu": "12:00-20:00", "sat": "10:00-13:00"},
}
PLAN = [
    {"title": "Stand-up", "start": "2026-03-19T09:15", "end": "2026-03-19T09:30"},
    {"title": "Dentist", "start": "2026-03-19T11:00", "end": "2026-03-19T12:00"},
    {"title": "Review", "start": "2026-03-19T15:00", "end": "2026-03-19T16:30"},
]
BOOKINGS = [
    {"room": "Oak", "from": "10:00", "to": "12:00", "by": "Lena"},
    {"room": "Elm", "from": "13:00", "to": "14:00", "by": "Bo"},
]
SLOTS = {"free_slots": [{"start": "10:00", "end": "10:30"}, {"start": "14:00", "end": "14:30"}]}
TRAINS = {
    "trains": [
        {"no": "RJ 553", "departs": "18:58", "arrives": "21:33"},
        {"no": "RJ 559", "departs": "20:58", "arrives": "23:33"},
    ]
}
ORDER = {
    "order": "Lamp",
    "placed_on": "2026-03-05",
    "delivered_on": "2026-03-09",
    "return_window_days": 30,
}
DEVICE = {
    "device": "Mixer",
    "purchased": "2024-05-14",
    "registered": "2024-06-01",
    "warranty_months": 24,
}
INVOICE = "Invoice I-5\nIssued: 12 May 2026\nPayment terms: 14 days net\nTotal: EUR 220.00"
CONTRACT = {
    "contract": "Gym",
    "started_on": "2025-10-01",
    "ends_on": "2026-09-30",
    "notice_period_days": 30,
}
FILM = {"title": "Harbour", "starts_at": "20:10", "runtime_min": 95, "hall": 3}
SCALE = {
    "asset": "Scale",
    "bought": "2021-03-02",
    "last_calibrated": "2025-11-30",
    "calibration_interval_months": 6,
}
POLICY = "Items can be returned within 30 days of delivery. Sale items cannot be returned."
SLACK_POLICY = "Returns are accepted within 14 days of receipt."
LOANS = [
    {"book": "Dune", "borrowed_on": "2026-03-02", "loan_days": 28},
    {"book": "Emma", "borrowed_on": "2026-03-10", "loan_days": 14},
]
TALKS = [
    {"talk": "Moss", "start": "14:20", "duration_min": 45},
    {"talk": "Fern", "start": "15:00", "duration_min": 60},
]
COVER = {"policy": "Hull", "signed": "2026-02-01", "start": "2026-03-14", "term_months": 12}
LAMP = "The lamp was ordered on 5 March 2026. The lamp was delivered on 9 March 2026. The lamp may be returned within 30 days."
DECISION = "Decision of 5 June 2026\nThe permit is refused. Objections must reach us within 10 working days of the date of this decision."
PLAIN_ORDER = {"order": "Rug", "placed_on": "2026-03-05", "delivered_on": "2026-03-09"}
RATES = "Parcels up to 2 kg cost €5.49. Parcels over 2 kg cost €7.49. The counter closes at 18:00."
PARCEL = {"parcel": "To Oslo", "weight_kg": 2.4}
FEES = "Registrations received by 1 May 2026 cost €80; after that date the fee is €95."
RUNNER = {"runner": "Ina", "registered_on": "2026-05-04"}
GOOD, BAD = ("supported",), ("contradicted", "unsupported")


@dataclass(frozen=True)
class Case:
    results: tuple[object, ...]
    answer: str
    says: str
    status: tuple[str, ...]
    asked: str = "What do you have on it?"
    input: str = "{}"


CASES = [
    # hours by the day
    Case((POOL,), "The pool is open Monday to Friday from 6:30 AM to 9 PM.", "open", GOOD),
    Case((POOL,), "On Wednesday the pool is open until 21:00.", "Wednesday", GOOD),
    Case((POOL,), "On Sunday the pool is open until 21:00.", "Sunday", BAD),
    Case((POOL,), "It is open from 8:00 to 19:00 on Saturdays and Sundays.", "open", GOOD),
    Case((POOL,), "It opens at 8:00 on Wednesday.", "opens", BAD),
    Case((MUSEUM,), "The museum is closed on Mondays.", "closed", GOOD),
    Case((MUSEUM,), "The museum is closed on Sunday.", "closed", GOOD),
    Case((MUSEUM,), "The museum is closed on Thursday.", "closed", BAD),
    Case((MUSEUM,), "The museum is open on Sunday.", "open", BAD),
    Case((MUSEUM,), "It is open every day except Sunday and Monday.", "except", GOOD),
    Case((BAKERY,), "On Saturday the bakery is open from 7 AM to 1 PM.", "open", GOOD),
    Case((BAKERY,), "On Saturday the bakery closes at 6 PM.", "closes", BAD),
    Case((BRANCH,), "On Thursday East is open from noon to 8 PM.", "open", GOOD),
    Case((BRANCH,), "On Saturday East is open until 6 PM.", "open", BAD),
    Case((BRANCH,), "East is closed on Wednesdays.", "closed", GOOD),
    Case((BRANCH,), "East is closed on Mondays.", "closed", BAD),
    # what lies between appointments
    Case((PLAN,), "You're free from 12 PM to 3 PM.", "free", GOOD),
    Case((PLAN,), "You're free after 4:30 PM.", "free", GOOD),
    Case((PLAN,), "You are free from 2 PM to 3:30 PM.", "free", BAD),
    Case((PLAN,), "You have nothing scheduled in the evening.", "nothing", GOOD),
    Case((PLAN,), "You have nothing on in the morning.", "nothing", BAD),
    Case((BOOKINGS,), "Elm is free from 10:00 to 12:00.", "free", GOOD),
    Case((BOOKINGS,), "Oak is free from 11:00 to 12:30.", "free", BAD),
    Case((SLOTS,), "There's a free slot from 10:00 to 10:30.", "free", GOOD),
    Case((SLOTS,), "There's a free slot from 11:00 to 11:30.", "free", BAD),
    Case((TRAINS,), "There are no trains after 9 PM.", "no trains", GOOD),
    Case((TRAINS,), "There are no trains after 8 PM.", "no trains", BAD),
    # the day that a list was asked for
    Case((TRAINS,), "On April 2, RJ 553 departs at 18:58.", "April", GOOD, input='{"date": "2026-04-02"}'),
    Case((TRAINS,), "On April 3, RJ 553 departs at 18:58.", "April", BAD, input='{"date": "2026-04-02"}'),
    # so long after, so long before
    Case((ORDER,), "You can return it until April 8, 2026.", "April", GOOD),
    Case((ORDER,), "You can return it until April 4, 2026.", "April", BAD),
    Case((DEVICE,), "The warranty ends on May 14, 2026.", "May", GOOD),
    Case((DEVICE,), "The warranty ends on June 1, 2026.", "June", BAD),
    Case((INVOICE,), "The invoice is due on May 26, 2026.", "May", GOOD),
    Case((INVOICE,), "The invoice is due on May 28, 2026.", "May", BAD),
    Case((CONTRACT,), "You have to give notice by August 31, 2026.", "August", GOOD),
    Case((CONTRACT,), "You have to give notice by October 30, 2026.", "October", BAD),
    Case((FILM,), "It starts at 8:10 PM and ends at 9:45 PM.", "ends", GOOD),
    Case((FILM,), "It starts at 8:10 PM and ends at 9:55 PM.", "ends", BAD),
    Case((SCALE,), "The next calibration is due on May 30, 2026.", "May", GOOD),
    Case((SCALE,), "The next calibration is due on September 2, 2021.", "September", BAD),
    Case((PLAIN_ORDER, POLICY), "You can return it until April 8, 2026.", "April", GOOD),
    Case((PLAIN_ORDER, POLICY), "You can return it until April 4, 2026.", "April", BAD),
    # the event that a span is counted from, its own record, and no date by chance
    Case((SLACK_POLICY, PLAIN_ORDER), "You can return it until March 22, 2026.", "March", GOOD, "It reached me on 8 March 2026. Until when can I return it?"),
    Case((SLACK_POLICY, PLAIN_ORDER), "You can return it until March 19, 2026.", "March", BAD),
    Case((LOANS,), "Dune is due back on March 30, 2026.", "March", GOOD),
    Case((LOANS,), "Dune is due back on March 16, 2026.", "March", BAD),
    Case((LOANS,), "Dune is due back on March 24, 2026.", "March", BAD),
    Case((TALKS,), "Moss ends at 15:05.", "ends", GOOD),
    Case((TALKS,), "Moss ends at 16:00.", "ends", BAD),
    Case((COVER,), "The policy runs until March 13, 2027.", "March", GOOD),
    Case((COVER,), "The policy runs until March 15, 2027.", "March", BAD),
    Case((COVER,), "The policy runs until February 1, 2027.", "February", BAD),
    Case((LAMP,), "You can return the lamp until April 8, 2026.", "April", GOOD),
    Case((LAMP,), "You can return the lamp until April 4, 2026.", "April", BAD),
    Case((DECISION,), "You have until June 19, 2026 to object.", "June", GOOD),
    Case((DECISION,), "You have until June 15, 2026 to object.", "June", BAD),
    Case(({"rule": "The check is offered at 40."},), "You turn 40 on May 3, 2030.", "40", GOOD, "I was born on 3 May 1990. When do I turn 40?"),
    Case(({"rule": "The check is offered at 40."},), "You turn 40 on May 3, 2031.", "40", BAD, "I was born on 3 May 1990. When do I turn 40?"),
    # both sides of a limit
    Case((PARCEL, RATES), "It weighs 2.4 kg. So it costs €7.49.", "costs", GOOD),
    Case((PARCEL, RATES), "It weighs 2.4 kg. So it costs €5.49.", "costs", BAD),
    Case((PARCEL, RATES), "Parcels up to 2 kg cost €5.49, heavier ones €7.49.", "cost", GOOD),
    Case((RUNNER, FEES), "Ina registered on May 4, 2026, so she pays €95.", "pays", GOOD),
    Case((RUNNER, FEES), "Ina registered on May 4, 2026, so she pays €80.", "pays", BAD),
]  # fmt: skip


def claim_of(case: Case, judged: Judged) -> ClaimVerdict:
    given = json.loads(case.input)
    calls = [("get_free_slots" if r is SLOTS else "look_up", given, r) for r in case.results]
    return judged(calls, case.answer, case.says, asked=case.asked)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.answer[-60:])
def test_hours_and_dates(case: Case, judged: Judged) -> None:
    claim = claim_of(case, judged)
    assert claim.status in case.status, claim.explanation
