"""A figure told in the sense opposite to its field's, on one side of a bound, for another period, or by how much one
is more than another; weeks from the run's date. Each with a twin that is not so. The model has no opinion, so that
the exact checks decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from affidavit.report import ClaimVerdict

Judged = Callable[..., ClaimVerdict]

CARD = {"card": "Bookshop", "initial": 50, "used": 15, "balance": 35, "currency": "EUR"}
WORKSHOP = {"workshop": "Felting", "seats": 44, "sold": 17, "price": "22 EUR"}
INVOICE = {"invoice": "F-8", "net": 840.0, "vat": 159.6, "gross": 999.6, "paid": 410.0, "open": 589.6, "currency": "EUR"}  # fmt: skip
EXAM = {"avg": 72.5, "max_score": 98, "min_score": 31, "duration_min": 90}
VISITS = {"patient": "K. Lind", "last_visit": "2025-11-30", "next_visit": "2026-03-12"}
ACCOUNT = {
    "account": "checking",
    "balance": 182.4,
    "currency": "EUR",
    "uptime_min": 71,
    "distance_km": 12.5,
}
RUNS = [{"who": "Lena", "km": 12.4, "min": 71}, {"who": "Omar", "km": 8.1, "min": 39}]
PLAN = {"plan": "Pro", "price": "$10.00", "cycle": "monthly"}
SALARY = {"salary": {"monthly_gross": 3200, "currency": "EUR"}}
PARCEL = {"parcel": "P-3", "weight_kg": 2.4, "limit_kg": 2.0}
ORDER = {"order": "K-12", "placed": "2026-02-10", "shipped": "2026-02-12", "eta": "2026-02-20"}
SERVICES = [
    {"service": "auth", "status": "degraded", "since": "2026-02-18T06:40Z"},
    {"service": "mail", "status": "down", "since": "2026-02-18T07:05Z"},
    {"service": "search", "status": "ok", "since": "2026-02-11T00:00Z"},
]
CITIES = [
    {"city": "Oslo", "temp_c": -3},
    {"city": "Lisbon", "temp_c": 16},
    {"city": "Warsaw", "temp_c": 1},
]
CAR = {"car": "Golf", "tyre_psi": {"fl": 33, "fr": 33, "rl": 28, "rr": 33}}
EVENTS = [
    {"title": "Stand-up", "start": "2026-02-18T09:00"},
    {"title": "Budget review", "start": "2026-02-18T14:00"},
    {"title": "Talk with Dee", "start": "2026-02-19T11:00"},
]
MOVE = (
    "The move is now set for Friday. Movers arrive at 8:00. IT will unplug the servers on Wednesday evening, "
    "so that there is no VPN until Monday."
)
MUSEUM = (
    "The east wing burned down in 1944 and was rebuilt in 1961. Adults pay 9 euros and students 5."
)
POLICY = "Refunds are paid within 14 days of the return."


@dataclass(frozen=True)
class Case:
    result: Any
    answer: str
    says: str
    held: bool
    decided_by: str | None = None


CASES = [
    # a field of the opposite sense, beside one of the claim's own or alone; arithmetic may still prove it
    Case(CARD, "You've used €15 of it.", "15", True, "values"),
    Case(CARD, "You've used €35 of it.", "35", False, "values"),
    Case(CARD, "There's €35 left on it.", "35", True, "values"),
    Case(CARD, "There's €15 left on it.", "15", False, "values"),
    Case(WORKSHOP, "There are 27 seats left.", "27", True, "derived"),
    Case(WORKSHOP, "There are 17 seats left.", "17", False, "values"),
    Case(INVOICE, "Without VAT it's €840.", "840", True, "values"),
    Case(INVOICE, "Without VAT it's €999.60.", "999.60", False, "values"),
    Case(INVOICE, "€589.60 is still outstanding.", "589.60", True, "values"),
    Case(INVOICE, "€410 is still outstanding.", "410", False, "values"),
    Case(EXAM, "The lowest score was 31.", "31", True),
    Case(EXAM, "The lowest score was 98.", "98", False),
    Case(EXAM, "The longest paper took 90 minutes.", "90", True),
    Case(VISITS, "Her next visit is on 12 March.", "12 March", True, "values"),
    Case(VISITS, "Her next visit is on 30 November.", "30 November", False, "values"),
    # bounds, however far the figure is from them
    Case(ACCOUNT, "You have more than €150 in the account.", "150", True, "derived"),
    Case(ACCOUNT, "You have more than €200 in the account.", "200", False),
    Case(ACCOUNT, "It has been up for over an hour.", "an hour", True, "derived"),
    Case(ACCOUNT, "It has been up for over two hours.", "two hours", False),
    Case(ACCOUNT, "It's less than 20 km away.", "20", True, "derived"),
    Case(ACCOUNT, "It's less than 10 km away.", "10", False),
    Case(RUNS, "Lena was out for more than an hour.", "an hour", True),
    Case(RUNS, "Omar was out for more than an hour.", "an hour", False),
    # another period; beyond a limit by so much
    Case(PLAN, "That comes to $120 a year.", "120", True, "derived"),
    Case(PLAN, "That comes to $130 a year.", "130", False),
    Case(SALARY, "You earn €38,400 a year.", "38,400", True, "derived"),
    Case(SALARY, "You earn €48,400 a year.", "48,400", False),
    Case(PARCEL, "It's 400 grams over the limit.", "400", True, "derived"),
    Case(PARCEL, "It's 500 grams over the limit.", "500", False),
    # weeks and months from the run's date, a Wednesday
    Case(ORDER, "It shipped last week.", "shipped", True, "relative_periods"),
    Case(ORDER, "It shipped this week.", "shipped", False, "relative_periods"),
    Case(ORDER, "You placed the order this month.", "placed", True, "relative_periods"),
    Case(ORDER, "You placed the order last month.", "placed", False, "relative_periods"),
    # which of two rows came first; by how much one is more
    Case(SERVICES, "Mail went down after auth had trouble.", "Mail", True, "compared"),
    Case(SERVICES, "Mail went down before auth had trouble.", "Mail", False, "compared"),
    Case(CITIES, "Lisbon is 19 degrees warmer than Oslo.", "19", True),
    Case(CITIES, "Lisbon is 16 degrees warmer than Oslo.", "16", False, "compared"),
    # which of two clauses a figure is in; a part that is more than its whole; a limit is no other limit
    Case(MUSEUM, "The east wing was rebuilt in 1961.", "1961", True, "values"),
    Case(MUSEUM, "The east wing was rebuilt in 1944.", "1944", False, "values"),
    Case(MUSEUM, "Adults pay nine euros.", "nine", True, "values"),
    Case(MUSEUM, "Students pay nine euros.", "nine", False, "values"),
    Case(CARD, "You've used €15 of the €50.", "15", True),
    Case(CARD, "You've used €50 of the €15.", "50", False),
    Case(POLICY, "Refunds are paid within 30 days.", "30", False),
    # so many on one day
    Case(EVENTS, "You have two events today.", "two", True, "derived"),
    Case(EVENTS, "You have three events today.", "three", False),
    # a figure of some fields told of all; the day of another sentence
    Case(CAR, "All four tyres are at 33 psi.", "33", False),
    Case(MOVE, "The servers are unplugged on Wednesday.", "Wednesday", True, "values"),
    Case(MOVE, "The servers are unplugged on Friday.", "Friday", False, "values"),
]  # fmt: skip


@pytest.mark.spec("AFF-305")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.answer[:60])
def test_senses_and_bounds(case: Case, judged: Judged) -> None:
    claim = judged(
        [("look_up", {}, case.result)],
        case.answer,
        case.says,
        asked="How does it look?",
        system="Today is 2026-02-18.",
    )
    held = claim.status == "supported" and (claim.score or 0.0) >= 0.85
    assert held == case.held, claim.explanation
    if case.decided_by is not None:
        assert claim.decided_by == case.decided_by, claim.explanation
