"""What an answer works out: differences, ratios, ranks, breakdowns, and conclusions from a limit, each with a
twin that comes out otherwise. The model has no opinion, so that the exact checks decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from affidavit.report import ClaimVerdict

Judged = Callable[..., ClaimVerdict]

FIELDS = (
    "field,crop,yield_t,area_ha,cost_eur\nNorth Acre,Barley,42,7,2100.00\nMill Bank,Barley,30,4,1680.00\n"
    "Lower Green,Oats,36,9,1980.00\n"
)
HOSTELS = {
    "hostels": [
        {"name": "Dock House", "eur_per_night": 31, "rating": 8.4, "distance_km": 1.2},
        {"name": "Linden Yard", "eur_per_night": 27, "rating": 9.2, "distance_km": 3.5},
        {"name": "Station Loft", "eur_per_night": 44, "rating": 7.9, "distance_km": 0.3},
    ]
}
POLL = "Count of 3 May\n\nCandidate        Votes\nM. Okafor        3,120\nL. Strand        3,064\nP. Quince          958\nCast            7,142\n"
FERRIES_A = {
    "day": "2026-06-03",
    "currency": "EUR",
    "ferries": [{"no": "F 11", "fare": 62}, {"no": "F 15", "fare": 75}],
}
FERRIES_B = {
    "day": "2026-06-04",
    "currency": "EUR",
    "ferries": [{"no": "F 19", "fare": 48}, {"no": "F 23", "fare": 81}],
}
QUOTE = "Dear Ana,\nour new offer for the roof is EUR 8,400 net, down from EUR 9,100. Work takes six days."
REPORT = (
    "Ilmen Tools, annual report\nFigures at a glance (USD thousands)\n\n                      2025     2024\n"
    "Sales               31,640   29,310\nOperating profit     2,105    2,480\nEmployees              188      181\n"
)
TOUR = {
    "tour": "Cliff walk",
    "walk_min": 70,
    "boat_min": 25,
    "price": {"per_person": 18, "currency": "EUR"},
}
TRIMS = ["trimmed clip_a.mp4 (saved 2.4 GB)", "trimmed clip_b.mp4 (saved 1.7 GB)"]
GYM = {"member": "M-77120", "visits": 14, "bonus_from_visits": 20, "joined": "2025-11-02"}
BOILER = "Unit B-4\nInterval 2000 hours or 12 months\nLast service 2025-10-01 at 5,150 hours"

BILLS = {
    "invoices": [
        {"no": "N-1", "eur": 1250.0, "due": "2026-03-15", "status": "paid"},
        {"no": "N-2", "eur": 980.5, "due": "2026-04-15", "status": "overdue"},
        {"no": "N-3", "eur": 410.0, "due": "2026-05-15", "status": "open"},
    ]
}
LEAVE = {"name": "Marta Kowalska", "vacation": {"entitled": 28, "taken": 11, "planned": 5}}
SOUP = {"dish": "lentil soup", "prep_minutes": 15, "cook_minutes": 35, "serves": 4}
PODS = {"cluster": "prod", "pods": {"running": 118, "pending": 6, "failed": 1}}
BASKET = {"order": "W-5512", "shipping": 4.95, "total": 74.85, "currency": "GBP"}
ACCOUNT = {"id": "ACC-9", "plan": "Pro", "seats": 5, "seats_used": 3, "addons": []}
TASKS = {
    "tasks": [
        {"id": f"T-{n}", "status": s} for n, s in enumerate(("done", "doing", "todo", "todo"))
    ]
}
ODOMETER = {"car": "Octavia", "km": 84200, "last_service": {"date": "2025-11-03", "km": 78900}}
SALES = "kiosk,q1,q2\nOld Town,400,500\nHarbour,900,720\nMarket,250,300\nStation,150,140\n"
ROOMS = {
    "rooms": [
        {"room": "Oak", "seats": 12, "projector": True, "free": True},
        {"room": "Elm", "seats": 8, "projector": True, "free": True},
        {"room": "Fir", "seats": 20, "projector": False, "free": False},
        {"room": "Ash", "seats": 14, "projector": True, "free": False},
    ]
}
SEATS = "Party       Seats\nGreens      31\nLabour      44\nUnion       52\nOthers       6\nTotal      133\n"


@dataclass(frozen=True)
class Case:
    """What was asked, what the tools returned, the answer, the words of the claim that is looked at, and what
    must become of it."""

    results: tuple[Any, ...]
    answer: str
    says: str
    status: str
    decided_by: str | None = None
    asked: str = "How does it look?"


TABLE = "| Field | Cost per hectare |\n|---|---|\n| North Acre | €{} |\n| Mill Bank | €420.00 |\n"
CASES = [
    # a ratio that no field holds
    Case((FIELDS,), TABLE.format("300.00"), "€300.00", "supported", "derived"),
    Case((FIELDS,), TABLE.format("310.00"), "€310.00", "contradicted"),
    Case((FIELDS,), "Lower Green has the lowest cost per hectare.", "Lower", "supported", "extremes"),
    Case((FIELDS,), "North Acre has the lowest cost per hectare.", "North", "contradicted", "extremes"),
    # superlatives by what they measure, and ranks
    Case((HOSTELS,), "Linden Yard has the best rating.", "Linden", "supported"),
    Case((HOSTELS,), "Dock House has the best rating.", "Dock", "contradicted", "extremes"),
    Case((HOSTELS,), "Station Loft is the closest.", "Station", "supported"),
    Case((HOSTELS,), "Dock House is the closest.", "Dock", "contradicted", "extremes"),
    Case((HOSTELS,), "Linden Yard is the cheapest.", "Linden", "supported"),
    Case((HOSTELS,), "Dock House is the cheapest.", "Dock", "contradicted", "extremes"),
    Case((HOSTELS,), "Dock House is the second cheapest.", "Dock", "supported"),
    Case((HOSTELS,), "Station Loft is the second cheapest.", "Station", "contradicted", "extremes"),
    Case((HOSTELS,), "Dock House is not the cheapest.", "Dock", "supported"),
    Case((FIELDS,), "North Acre brought in the most tonnes of yield.", "North", "supported"),
    Case((FIELDS,), "Lower Green brought in the most tonnes of yield.", "Lower", "contradicted", "extremes"),
    # margins and shares of them
    Case((POLL,), "Okafor finished 56 votes ahead of Strand.", "56", "supported", "derived"),
    Case((POLL,), "Okafor finished 65 votes ahead of Strand.", "65", "unsupported"),
    Case((POLL,), "Okafor was 56 votes ahead of Strand, about 0.78% of the 7,142 cast.", "0.78", "supported"),
    Case((POLL,), "Okafor was 56 votes ahead of Strand, about 1.78% of the 7,142 cast.", "1.78", "unsupported"),
    # against the extreme of another list
    Case((FERRIES_A, FERRIES_B), "F 19 costs €48. That is €14 less than the best fare on 3 June.", "€14", "supported", "derived"),
    Case((FERRIES_A, FERRIES_B), "F 19 costs €48. That is €16 less than the best fare on 3 June.", "€16", "unsupported"),
    # a report with its scale in a caption and its periods as columns, the last one first
    Case((REPORT,), "Sales of Ilmen Tools came to about $31.6 million in 2025.", "31.6", "supported", "values"),
    Case((REPORT,), "Sales of Ilmen Tools came to about $31.6 billion in 2025.", "31.6", "unsupported", "values"),
    Case((REPORT,), "Sales came to $29.3 million in 2025.", "29.3", "contradicted", "values"),
    Case((REPORT,), "Sales were 8% higher than in 2024.", "8%", "supported", "derived"),
    Case((REPORT,), "Sales were 9% higher than in 2024.", "9%", "unsupported", "values"),
    Case((REPORT,), "The operating profit fell.", "fell", "supported", "trends"),
    Case((REPORT,), "The operating profit rose.", "rose", "contradicted", "trends"),
    Case((REPORT,), "There were 188 employees in 2025.", "188", "supported"),
    # in running text
    Case((QUOTE,), "The roof is now €8,400. That is €700 less than before.", "€700", "supported", "derived"),
    Case((QUOTE,), "The roof is now €8,400. That is €800 less than before.", "€800", "unsupported"),
    Case(tuple(TRIMS), "I trimmed `clip_a.mp4` and `clip_b.mp4`, which saved 4.1 GB.", "4.1", "supported"),
    Case(tuple(TRIMS), "I trimmed `clip_a.mp4` and `clip_b.mp4`, which saved 4.7 GB.", "4.7", "unsupported"),
    # a total with its parts, a rate by the people that the user counts, what is left of the user's own
    Case((TOUR,), "Allow 95 minutes: 70 for the walk and 25 for the boat.", "95", "supported", "derived"),
    Case((TOUR,), "Allow 105 minutes: 70 for the walk and 25 for the boat.", "105", "unsupported"),
    Case((TOUR,), "It is €18 per person, so €90 for your group.", "€90", "supported", "derived", "A tour for 5 on Sunday?"),
    Case((TOUR,), "It is €18 per person, so €72 for your group.", "€72", "unsupported", None, "A tour for 5 on Sunday?"),
    Case((QUOTE,), "The roof costs €8,400, which leaves €600 of your €9,000 budget.", "€600", "supported", None, "I have a budget of €9,000."),
    Case((QUOTE,), "The roof costs €8,400, which leaves €900 of your €9,000 budget.", "€900", "unsupported", None, "I have a budget of €9,000."),
    # conclusions from a limit
    Case((GYM,), "You have 14 visits. The bonus starts at 20 visits, so you don't qualify yet.", "so you", "supported"),
    Case((GYM,), "You have 14 visits. The bonus starts at 20 visits, so you qualify already.", "so you", "contradicted", "thresholds"),
    Case((GYM,), "You have 14 visits so far. The bonus requires at least 20 visits. You are not eligible yet.", "eligible", "supported", "thresholds"),
    Case((GYM,), "You have 14 visits so far. The bonus requires at least 20 visits. You are eligible now.", "eligible", "contradicted", "thresholds"),
    Case((BOILER,), "The unit has run 1,400 hours since then. The interval is 2,000 hours. A service is not due yet.", "due", "supported", "thresholds", "Unit B-4 has 6,550 hours."),
    Case((BOILER,), "The unit has run 1,400 hours since then. The interval is 2,000 hours. A service is overdue.", "due", "contradicted", "thresholds", "Unit B-4 has 6,550 hours."),
    # the order of two values
    Case((GYM,), "You joined on 2 November 2025. That is before the first week of December.", "That", "supported", None, "Did I join before the first week of December?"),
    Case((GYM,), "You joined on 2 November 2025. That is after the first week of December.", "That", "contradicted", "orderings"),
    Case((QUOTE,), "The roof costs €8,400, which is above your €9,000 budget.", "above", "contradicted", None, "I have a budget of €9,000."),
    Case((QUOTE,), "The roof costs €8,400, which is below your €9,000 budget.", "below", "supported", None, "I have a budget of €9,000."),
    # What stands so: the unpaid bills together; what is left of a whole less all that is taken from it.
    Case((BILLS,), "In total, €1,390.50 is still outstanding.", "outstanding", "supported", "derived"),
    Case((BILLS,), "In total, €1,660.50 is still outstanding.", "outstanding", "unsupported"),
    Case((BILLS,), "€1,390.50 is unpaid.", "unpaid", "supported", "derived"),
    Case((LEAVE,), "The number of unplanned days that remain is 12.", "remain", "supported", "derived"),
    Case((LEAVE,), "The number of unplanned days that remain is 13.", "remain", "unsupported"),
    # An account without add-ons is no search that found nothing; how many of them are so is no count of all.
    Case((ACCOUNT,), "You have two unused seats.", "unused", "supported", "derived"),
    Case((ACCOUNT,), "You have four unused seats.", "unused", "unsupported"),
    Case((TASKS,), "Two tasks haven't been started.", "started", "unsupported"),
    Case((TASKS,), "Two tasks have been started.", "started", "unsupported"),
    Case((TASKS,), "There are two tasks.", "tasks", "contradicted"),
    Case((ODOMETER,), "Since the last service it has done 5,300 km.", "Since", "supported", "derived"),
    Case((ODOMETER,), "Since the last service it has done 6,300 km.", "Since", "unsupported"),
    # All parts of one thing, and the whole without one of them.
    Case((SOUP,), "It takes 50 minutes in all.", "minutes", "supported", "derived"),
    Case((SOUP,), "It takes 55 minutes in all.", "minutes", "unsupported"),
    Case((PODS,), "There are 125 pods in total.", "pods", "supported", "derived"),
    Case((PODS,), "There are 128 pods in total.", "pods", "unsupported"),
    Case((BASKET,), "The goods alone cost £69.90.", "goods", "supported", "derived"),
    Case((BASKET,), "The goods alone cost £79.80.", "goods", "unsupported"),
]  # fmt: skip
CASES += [
    # multiples, and one against all the others
    Case((SALES,), "In Q1, Harbour sold more than twice as much as Old Town.", "Harbour", "supported", "multiples"),
    Case((SALES,), "In Q1, Harbour sold more than three times as much as Old Town.", "Harbour", "contradicted", "multiples"),
    Case((SALES,), "In Q1, Harbour sold more than all other kiosks together.", "Harbour", "supported", "multiples"),
    Case((SALES,), "In Q2, Harbour sold more than all other kiosks together.", "Harbour", "contradicted", "multiples"),
    # changes and shares of one measure in two periods, and how many rows moved
    Case((SALES,), "Old Town grew by 25% from Q1 to Q2.", "25%", "supported"),
    Case((SALES,), "Old Town grew by 20% from Q1 to Q2.", "20%", "unsupported"),
    Case((SALES,), "Harbour made up 53% of the Q1 sales.", "53%", "supported"),
    Case((SALES,), "Harbour made up 63% of the Q1 sales.", "63%", "unsupported"),
    Case((SALES,), "Two of the four kiosks grew.", "Two", "supported"),
    Case((SALES,), "Three of the four kiosks grew.", "Three", "contradicted", "tallies"),
    # shares of a list, and exceptions
    Case((ROOMS,), "Half of the rooms are free.", "Half", "supported"),
    Case((ROOMS,), "A quarter of the rooms are free.", "quarter", "contradicted", "tallies"),
    Case((ROOMS,), "All rooms except Fir have a projector.", "All", "supported"),
    Case((ROOMS,), "All rooms except Oak have a projector.", "All", "contradicted", "universals"),
    Case((ROOMS,), "Elm was the only room with fewer than 10 seats.", "Elm", "supported"),
    Case((ROOMS,), "Oak was the only room with fewer than 10 seats.", "Oak", "contradicted", "universals"),
    # a row of totals is none of the list
    Case((SEATS,), "Union won the most seats with 52.", "Union", "supported"),
    Case((SEATS,), "Labour won the most seats with 44.", "Labour", "contradicted", "extremes"),
    Case((SEATS,), "Union has about 39% of the seats.", "39%", "supported"),
    # over midnight
    Case(({"train": "NJ 40", "departs": "22:50", "arrives": "07:05"},), "The night train takes 8 hours and 15 minutes.", "8 hours", "supported"),
    Case(({"train": "NJ 40", "departs": "22:50", "arrives": "07:05"},), "The night train takes 15 hours and 45 minutes.", "15 hours", "unsupported"),
]  # fmt: skip
QUIET = [
    # several that share the end, an object of comparison, a rule, another matter than the limit's
    Case((HOSTELS,), "Dock House is one of the cheapest.", "Dock", "contradicted"),
    Case((HOSTELS,), "Dock House is dearer than the cheapest.", "Dock", "contradicted"),
    Case((HOSTELS,), "Dock House is the cheapest within two kilometres.", "Dock", "contradicted"),
    Case((GYM,), "You have 14 visits. The bonus starts at 20 visits. You are eligible for the sauna.", "eligible", "contradicted"),
    Case((GYM,), "You have 14 visits. The bonus starts at 20 visits, so you would qualify with six more.", "so you", "contradicted"),
    Case((QUOTE,), "Open from 9:00 to 17:00, after 18:00 by request.", "after", "contradicted"),
]  # fmt: skip


def claim_of(case: Case, judged: Judged) -> ClaimVerdict:
    tool = "trim" if case.results == tuple(TRIMS) else "look_up"
    calls = [(tool, {}, result) for result in case.results]
    return judged(calls, case.answer, case.says, asked=case.asked)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.answer[-60:])
def test_worked_out(case: Case, judged: Judged) -> None:
    claim = claim_of(case, judged)
    assert claim.status == case.status, claim.explanation
    if case.decided_by:
        assert claim.decided_by == case.decided_by, claim.explanation


@pytest.mark.parametrize("case", QUIET, ids=lambda case: case.answer[-60:])
def test_what_no_figure_decides(case: Case, judged: Judged) -> None:
    claim = claim_of(case, judged)
    decisive = [c for c in claim.checks if c.name in ("extremes", "thresholds", "orderings")]
    assert all(c.verdict != case.status for c in decisive), claim.explanation
