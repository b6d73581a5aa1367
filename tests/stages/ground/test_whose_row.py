"""Whose value it is: the row that a pronoun, a bare field or a comparison speaks of, the part of a list that a
superlative ranges over, the item of an enumeration, the thing that was asked about and the one that was found.
The model has no opinion, so that the exact checks decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from affidavit.report import ClaimVerdict

Judged = Callable[..., ClaimVerdict]

Call = tuple[str, dict[str, Any], Any]


@dataclass(frozen=True)
class Run:
    """A question and the calls that were made for it."""

    asked: str
    calls: tuple[Call, ...]


@dataclass(frozen=True)
class Case:
    run: Run
    answer: str
    says: str
    status: str
    decided_by: str | None = None


REGATTA = Run("How did Marta Oller do?", (("get_race", {"race": "Saturday"},
    ("place,bow,skipper,club,born,start_s,time\n1,14,Ines Vidal,CN Ria,1999,3.1,48:12\n"
    "2,9,Marta Oller,YC Sund,2001,4.6,48:55\n3,22,Bea Lanz,CN Ria,1998,2.4,49:40\n")),))  # fmt: skip
VETS = Run("When does Harwood Vets close?", (("find_vets", {"near": "the harbour"},
    ("| Practice | Street | Open today | Phone | Exotics |\n|---|---|---|---|---|\n"
    "| Harrow Vets | 3 Quay Street | 08:30-18:00 | 01632 960311 | no |\n"
    "| Harwood Vets | 41 Elm Lane | 09:00-19:30 | 01632 960358 | no |\n"
    "| Paws & Co | 9 Mill Yard | 08:00-21:00 | 01632 960377 | yes |\n")),))  # fmt: skip
CAFES = Run("Which cafes have a terrace?", (("find_cafes", {"city": "Geneva"}, {"cafes": [
    {"name": "Kolo", "street": "Rue Basse 4", "terrace": True, "opens": "07:30"},
    {"name": "Bari", "street": "Quai Nord 18", "terrace": False, "opens": "08:00"},
    {"name": "Sol", "street": "Place Neuve 2", "terrace": True, "opens": "09:00"}]}),))  # fmt: skip
CALLS = Run("What happened in call c-100?", (("list_calls", {"day": "2026-05-02"},
    ("call_id,agent,queue,started,minutes,credit_eur,rating\nc-100,Noor,billing,2026-05-02 09:12,14,5.50,4\n"
    "c-101,Theo,billing,2026-05-02 09:40,31,12.00,2\nc-102,Noor,returns,2026-05-02 10:05,9,7.25,5\n")),))  # fmt: skip
HOTELS = Run("Tell me about the Adler.", (("find_hotels", {"town": "Bregenz"}, {"hotels": [
    {"hotel": "Seeblick", "parking_eur": 18, "check_in": "15:00", "rooms_left": 3},
    {"hotel": "Adler", "parking_eur": 22, "check_in": "14:00", "rooms_left": 5},
    {"hotel": "Krone", "parking_eur": 9, "check_in": "16:00", "rooms_left": 1}]}),))  # fmt: skip
BIDS = Run("Which offers do we have for the LK-7 hinges?", (("list_bids", {"tender": "T-9"},
    ("tender,bidder,part,pieces,price_eur,days\nT-9,Orsa,LK-7 hinge,300,4.10,12\nT-9,Balk,LK-7 hinge,300,3.85,20\n"
    "T-9,Tammo,LK-7 hinge,300,4.40,6\nT-9,Balk,S-2 screw,5000,0.04,5\n")),))  # fmt: skip
SHOES = Run("What red trail shoes do you have, and which is the cheapest?", (("find_shoes", {"kind": "trail"}, {"shoes": [
    {"model": "Trek A", "colour": "red", "price": "€80"}, {"model": "Trek B", "colour": "blue", "price": "€60"},
    {"model": "Trek C", "colour": "red", "price": "€95"}]}),))  # fmt: skip
VISITS = Run("Which has the most visits?", (("run_sql", {"query": "select"},
    (" name | visits | last_visit | next_visit\n------+--------+------------+-----------\n Opal | 12 | 2026-03-02 | 2026-06-02\n"
    " Fir | 7 | 2026-04-19 | 2026-05-30\n Sage | 3 | 2026-05-01 | 2026-07-11\n(3 rows)")),))  # fmt: skip
INVOICE = Run("Please make an invoice for Halde Bakery: 12 flour sacks and 8 sugar boxes.", (("create_invoice", {"customer": "Halde Bakery"}, {
    "invoice": "INV-7702", "status": "draft", "customer": {"id": "C-9", "name": "Halde Bakery"}, "lines": [
        {"line": 1, "item": "Flour sack, 25 kg", "qty": 12, "unit_price": 18.5, "amount": 222.0},
        {"line": 2, "item": "Sugar box, fine", "qty": 8, "unit_price": 9.25, "amount": 74.0}],
    "total": 296.0, "currency": "EUR", "contact": "Mara Lindt", "sent_at": None}),))  # fmt: skip
ALARM = Run("Arm the garage alarm.", (("set_alarm", {"zone": "garage"}, {"id": "al-4", "armed": False, "zone": "garage"}),))  # fmt: skip
CHECKS = Run("Did Kiln Yard pass the night noise test?", (("get_checks", {"site": "Kiln Yard"}, {"site": "Kiln Yard", "checks": [
    {"name": "night_noise", "unit": "dB", "type": "maximum", "limit": 45.0, "measured": 42.6, "night_hours": 8},
    {"name": "vibration", "unit": "mm/s", "type": "maximum", "limit": 0.8, "measured": 0.5}]}),))  # fmt: skip
SPA = Run("When is the sauna open at Casa Miravalle in Tarifa?", (("search_places", {"query": "Casa Miravalle Tarifa sauna"}, {
    "query": "Casa Miravalle Tarifa sauna", "results": [{"id": "s-12", "name": "Casa Miravalle", "town": "Ronda",
    "province": "Málaga", "sauna": {"opens": "10:00", "closes": "21:00"}}]}),))  # fmt: skip
POOL = Run("Find a hotel with a pool in Tuscany.", (("search_places", {"query": "hotels Tuscany pool"}, {"results": [
    {"id": "s-12", "name": "Albergo Due Ponti", "town": "Siena", "pool": {"opens": "10:00", "closes": "21:00"}}]}),))  # fmt: skip
TRAVEL = Run("What is the per diem for our staff in Norway?", (("search_policies", {"query": "per diem Norway"}, {"results": [
    {"doc": "TR-04", "title": "Travel expenses", "country": "AT",
     "text": "Staff are paid €30 a day for trips of more than 11 hours. Receipts are due within 60 days."}]}),))  # fmt: skip
PLAN = Run("How much storage does the Premium plan have?", (("find_plan", {"query": "Premium plan storage"}, {"results": [
    {"plan": "Basic", "price_eur": 19.0, "seats": 3, "storage_gb": 50}]}),))  # fmt: skip
WEATHER = Run("How warm is it in Rimini?", (("get_weather", {"city": "Rimini"}, {"station": "Miramare", "temp_c": 21.4}),))  # fmt: skip
TABLE = Run("Move my reservation of table Terrace 7 to 20:30, please.", (
    ("get_reservation", {"table": "Terrace 7"}, {"table": "Terrace 7", "guest": "Ada Moll", "slot": {
        "date": "2026-06-02", "from": "19:00", "until": "21:00", "area": "garden"}, "deposit_eur": 20}),
    ("reschedule_reservation", {"table": "Terrace 7", "from": "20:30"}, {"ok": True, "table": "Terrace 7",
        "date": "2026-06-02", "from": "20:30", "until": "22:30", "area": "garden", "reference": "R-881"})))  # fmt: skip
DAYS = Run("What about 2 and 3 June?", (
    ("get_forecast", {"city": "Porto Vale", "day": "2026-06-02"}, {"city": "Porto Vale", "day": "2026-06-02", "high_c": 24}),
    ("get_forecast", {"city": "Porto Vale", "day": "2026-06-03"}, {"city": "Porto Vale", "day": "2026-06-03", "high_c": 29})))  # fmt: skip
BONDS = Run("What does the report say?", (("get_report", {"year": 2025}, {"year": 2025, "net_debt_meur": 46.8, "sales_thousand_usd": 912.5}),))  # fmt: skip

FLIGHTS = Run("Which direct flights are there?", (("search_flights", {"from": "VIE", "to": "OSL"}, {"flights": [
    {"flight": "KV 117", "dep": "06:40", "arr": "08:05", "price_eur": 129, "direct": True},
    {"flight": "KV 233", "dep": "09:15", "arr": "10:40", "price_eur": 99, "direct": True},
    {"flight": "KV 340", "dep": "11:00", "arr": "15:20", "price_eur": 74, "direct": False}]}),))  # fmt: skip
STAFF = Run("Who is Lena Moor's manager?", (("list_staff", {"team": "purchasing"}, {"staff": [
    {"name": "Lena Moor", "role": "Buyer", "manager": "Tom Haas", "ext": "214", "since": 2019},
    {"name": "Tom Haas", "role": "Head of Purchasing", "manager": "Ute Brandt", "ext": "207", "since": 2011},
    {"name": "Ute Brandt", "role": "COO", "manager": None, "ext": "200", "since": 2004}]}),))  # fmt: skip
PLANS = Run("Compare the plans.", (("list_plans", {}, {"plans": [
    {"plan": "Uno", "price": "€9", "data_gb": 10, "roaming": False},
    {"plan": "Duo", "price": "€15", "data_gb": 40, "roaming": True},
    {"plan": "Trio", "price": "€24", "data_gb": 100, "roaming": True}]}),))  # fmt: skip
PUMPS = Run("How are the pumps?", (("read_pumps", {}, {"pumps": [
    {"pump": "north", "bar": 4.2, "running": True}, {"pump": "south", "bar": 3.9, "running": False}]}),))  # fmt: skip
BUDGET = Run("How are we doing?", (("get_budget", {"year": 2026}, {"currency": "EUR", "lines": [
    {"category": "travel", "budget": 4000.0, "actual": 3620.0},
    {"category": "training", "budget": 2500.0, "actual": 2710.0}]}),))  # fmt: skip
HOURS = Run("When does Dr. Weber see patients?", (("search_hours", {"query": "Dr. Weber consultation"}, {"results": [
    {"doctor": "Dr. Ana Wagner", "day": "Monday", "from": "09:00", "to": "12:00", "room": "2.14"}]}),))  # fmt: skip
FARE = Run("What does Business class on NV 12 cost?", (("search_fares", {"query": "NV 12 Business class"}, {"offers": [
    {"flight": "NV 12", "class": "economy", "price_eur": 540}]}),))  # fmt: skip
PARCEL = Run("Please send parcel PX-20931 to 18 Mill Lane instead.", (
    ("get_parcel", {"parcel": "PX-20931"}, {"parcel": "PX-20931", "address": "5 Quay Street", "slot": "morning", "eta": "2026-05-04"}),
    ("redirect_parcel", {"parcel": "PX-20931", "address": "18 Mill Lane"},
     {"ok": True, "parcel": "PX-20931", "address": "18 Mill Lane", "slot": "evening", "eta": "2026-05-05"})))  # fmt: skip
TABLES = Run("Find us a table for 5.", (("search_tables", {"date": "2026-05-08"}, {"restaurants": [
    {"name": "Zum Hecht", "cuisine": "fish", "free_at": "19:00", "menu_from": 42, "currency": "EUR"},
    {"name": "Kardamom", "cuisine": "Indian", "free_at": "19:15", "menu_from": 31, "currency": "EUR"}]}),))  # fmt: skip
WARDS = Run("How full are the wards?", (("list_wards", {}, {"wards": [
    {"ward": "A", "beds": 24, "occupied": 21}, {"ward": "B", "beds": 18, "occupied": 18},
    {"ward": "C", "beds": 30, "occupied": 12}]}),))  # fmt: skip
LEAGUE = Run("How is Adler 05 doing?", (("get_table", {"league": "B"}, {"table": [
    {"team": "Falken", "points": 27, "goals": "24:11", "next": "2026-05-09"},
    {"team": "Adler 05", "points": 25, "goals": "22:14", "next": "2026-05-10"},
    {"team": "SC Ufer", "points": 19, "goals": "15:13", "next": "2026-05-09"}]}),))  # fmt: skip
ORDERS = Run("What's the state of my orders?", (("list_orders", {}, {"currency": "EUR", "orders": [
    {"order": "A-1001", "status": "shipped", "total": 89.9}, {"order": "A-1002", "status": "processing", "total": 45.0},
    {"order": "A-1003", "status": "delivered", "total": 120.5}]}),))  # fmt: skip
TANKS = Run("How much went in and out in May?", (("get_flows", {"month": "2026-05"}, {"flows": [
    {"direction": "inflow", "litres": 5120, "counter": 88140}, {"direction": "outflow", "litres": 4875, "counter": 60233}]}),))  # fmt: skip

SECOND = "Marta Oller came second in 48:55."
CASES = [
    # two rows compared on purpose, and whose "she" is after that
    Case(REGATTA, f"{SECOND} She finished 43 seconds behind the winner, Ines Vidal.", "She", "supported", "derived"),
    Case(REGATTA, f"{SECOND} She finished 34 seconds behind the winner, Ines Vidal.", "She", "unsupported"),
    Case(REGATTA, f"{SECOND} She finished 43 seconds behind Ines Vidal. Her start took 4.6 s.", "Her", "supported"),
    Case(REGATTA, f"{SECOND} She finished 43 seconds behind Ines Vidal. Her start took 3.1 s.", "Her", "contradicted"),
    Case(REGATTA, f"{SECOND} She came in ahead of Bea Lanz. Her bow number was 22.", "Her", "contradicted"),
    # a value that a pronoun's sentence tells names no row by itself
    Case(VETS, "Harwood Vets is on Elm Lane. Their number is 01632 960358.", "Their", "supported"),
    Case(VETS, "Harwood Vets is on Elm Lane. Their number is 01632 960311.", "Their", "contradicted"),
    Case(VETS, "Harwood Vets is on Elm Lane. You can reach them on 01632 960358.", "You", "supported"),
    Case(VETS, "Harwood Vets is on Elm Lane. You can reach them on 01632 960377.", "You", "contradicted"),
    # what an auxiliary stands for
    Case(VETS, "Harwood Vets doesn't treat exotics, but Paws & Co does.", "Paws", "supported", "flags"),
    Case(VETS, "Harwood Vets doesn't treat exotics, but Harrow Vets does.", "Harrow", "contradicted", "flags"),
    Case(CAFES, "Bari doesn't have a terrace, but Sol at Place Neuve 2 does.", "Sol", "supported"),
    Case(CAFES, "Kolo has a terrace, while Sol does not.", "Sol", "contradicted", "flags"),
    Case(CAFES, "Sol doesn't do deliveries, but Bari at Quai Nord 18 does.", "Bari", "unsupported"),
    # a field and its value, and nothing else
    Case(CALLS, "Call c-100 was taken by Noor. It lasted 14 minutes. €5.50 was credited.", "€5.50", "supported"),
    Case(CALLS, "Call c-100 was taken by Noor. It lasted 14 minutes. €12.00 was credited.", "€12.00", "contradicted"),
    Case(HOTELS, "The Adler has 5 rooms left. Check-in is from 14:00.", "Check-in", "supported"),
    Case(HOTELS, "The Adler has 5 rooms left. Check-in is from 15:00.", "Check-in", "contradicted"),
    Case(HOTELS, "The Adler has 5 rooms left. Parking costs €18.", "Parking", "contradicted"),
    Case(HOTELS, "The Adler has 5 rooms left. Elsewhere parking costs €18.", "Elsewhere", "supported"),
    Case(HOTELS, "The Adler has 5 rooms left. Parking costs €9 at the Krone.", "Parking", "supported"),
    # the part of a list that was asked for, or told of just before
    Case(BIDS, "Three bids came in for the LK-7 hinges. Balk has the lowest price, €3.85.", "Balk", "supported"),
    Case(BIDS, "Three bids came in for the LK-7 hinges. Orsa has the lowest price, €4.10.", "Orsa", "contradicted", "extremes"),
    Case(BIDS, "Tammo has the shortest delivery time, 6 days.", "Tammo", "supported"),
    Case(SHOES, "The cheapest is the Trek A at €80.", "cheapest", "supported"),
    Case(SHOES, "The cheapest is the Trek C at €95.", "cheapest", "contradicted", "extremes"),
    # ``last_visit`` is a field, not the last of several
    Case(VISITS, "Opal has the most visits, 12. Its last visit was on 2 March 2026.", "Its", "supported"),
    Case(VISITS, "Opal has the most visits, 12. Its last visit was on 19 April 2026.", "Its", "contradicted", "values"),
    # the item of an enumeration, in the singular or the plural
    Case(INVOICE, "I've created INV-7702: 12 flour sacks for €222.00 and 8 sugar boxes for €74.00.", "12", "supported"),
    Case(INVOICE, "I've created INV-7702: 12 flour sacks for €74.00 and 8 sugar boxes for €222.00.", "12", "contradicted", "values"),
    Case(INVOICE, "The flour sacks and the sugar boxes come to €222.00 and €74.00.", "flour", "supported"),
    # a deed that the result says was not done
    Case(INVOICE, "I've created INV-7702. I've sent it to Mara Lindt.", "I've sent", "contradicted", "actions"),
    Case(INVOICE, "I've created INV-7702 and emailed it to Mara Lindt.", "emailed", "contradicted", "actions"),
    Case(ALARM, "I've armed the alarm in the garage.", "armed", "contradicted", "actions"),
    # a row's own name calls for no other field; limit and measure
    Case(CHECKS, "Kiln Yard had a night noise of 42.6 dB.", "42.6", "supported"),
    Case(CHECKS, "At Kiln Yard the night noise was 45 dB.", "45", "contradicted", "values"),
    Case(CHECKS, "At Kiln Yard the night noise limit is 42.6 dB.", "42.6", "contradicted", "values"),
    Case(CHECKS, "The night noise was 42.6 dB. The maximum is 45 dB, so the test was passed.", "so", "supported", "thresholds"),
    Case(CHECKS, "The night noise was 42.6 dB. The maximum is 45 dB, so the limit was breached.", "so", "contradicted", "thresholds"),
    # what was asked about and what was found
    Case(SPA, "The sauna of Casa Miravalle in Ronda is open from 10:00 to 21:00.", "sauna", "supported"),
    Case(SPA, "The sauna of Casa Miravalle in Tarifa is open from 10:00 to 21:00.", "sauna", "unsupported", "documents"),
    Case(POOL, "In Tuscany, the Albergo Due Ponti has a pool that is open from 10:00 to 21:00.", "pool", "supported"),
    Case(TRAVEL, "Staff in Austria are paid €30 a day for trips of more than 11 hours.", "Staff", "supported"),
    Case(TRAVEL, "Staff in Norway are paid €30 a day for trips of more than 11 hours.", "Staff", "unsupported", "documents"),
    Case(PLAN, "The Basic plan has 50 GB of storage.", "50", "supported"),
    Case(PLAN, "The Premium plan has 50 GB of storage.", "50", "unsupported", "documents"),
    Case(WEATHER, "In Rimini it is 21.4 °C.", "21.4", "supported"),
    # what a later call made of it
    Case(TABLE, "You have the table until 22:30.", "22:30", "supported"),
    Case(TABLE, "You have the table until 21:00.", "21:00", "contradicted", "values"),
    Case(TABLE, "The table was booked until 21:00 before.", "21:00", "supported"),
    Case(DAYS, "On 2 June the high is 24 °C in Porto Vale, on 3 June 29 °C.", "24", "supported"),
    # both of those that a sentence told of, or either
    Case(FLIGHTS, "KV 117 leaves at 6:40 and KV 233 at 9:15. They cost €129 and €99.", "They", "supported"),
    Case(FLIGHTS, "The cheapest direct flight is KV 233 at €99, €30 less than KV 117. It leaves at 6:40.", "It", "contradicted"),
    Case(STAFF, "Lena Moor's manager is Tom Haas. His extension is 207.", "His", "supported"),
    Case(STAFF, "Lena Moor's manager is Tom Haas. His extension is 200.", "His", "contradicted"),
    Case(PLANS, "Duo costs €6 more than Uno. It has 40 GB.", "It", "supported"),
    Case(PLANS, "Duo costs €6 more than Uno. It has 10 GB.", "It", "contradicted"),
    Case(PLANS, "The Duo plan has roaming, and so does Trio.", "so", "supported", "flags"),
    Case(PLANS, "The Duo plan has roaming, and so does Uno.", "so", "contradicted", "flags"),
    Case(PLANS, "Uno costs €9, Duo €24 and Trio €15.", "Duo", "contradicted", "values"),
    Case(PLANS, "Uno, Duo and Trio cost €9, €15 and €24.", "Uno", "supported"),
    Case(PUMPS, "The north pump is at 3.9 bar and the south pump at 4.2 bar.", "north", "contradicted", "values"),
    Case(PUMPS, "The north pump is running, but the south one isn't.", "south", "supported", "flags"),
    # one field of several rows, and where a range begins
    Case(REGATTA, "Ines Vidal won, a place ahead of Marta Oller. The times were 48:12, 48:55 and 49:40.", "The times", "supported"),
    Case(FLIGHTS, "KV 117 leaves at 6:40. Fares start at €74.", "Fares", "supported"),
    Case(FLIGHTS, "There are two direct flights: KV 117 at 6:40 for €99 and KV 233 at 9:15 for €129.", "There", "contradicted", "values"),
    # a budget is told as such, or spent
    Case(BUDGET, "Travel came to €3,620, against a budget of €4,000.", "Travel", "supported"),
    Case(BUDGET, "Travel came to €4,000.", "Travel", "contradicted", "values"),
    Case(BUDGET, "You have €4,000 for travel this year.", "4,000", "supported"),
    # somebody else, another class
    Case(HOURS, "Dr. Weber sees patients on Monday from 9:00 to 12:00.", "Weber", "unsupported", "documents"),
    Case(FARE, "Business class on NV 12 costs €540.", "540", "unsupported", "documents"),
    Case(FARE, "In economy class, NV 12 costs €540.", "540", "supported"),
    # what a call that changes something repeats is what it has done
    Case(PARCEL, "The parcel goes to 18 Mill Lane and arrives on 5 May.", "Mill", "supported"),
    Case(PARCEL, "The parcel goes to 5 Quay Street.", "Quay", "contradicted", "values"),
    Case(PARCEL, "The parcel arrives on 4 May.", "4 May", "contradicted", "values"),
    # the nearest part before a value that names a row
    Case(TABLES, "Two have a table: Zum Hecht at 19:00, with menus from €42, and Kardamom at 19:15, with menus from €31.", "Two", "supported"),
    Case(TABLES, "Two have a table: Zum Hecht at 19:00, with menus from €31, and Kardamom at 19:15, with menus from €42.", "Two", "contradicted"),
    # rows called by a letter, fields called "the next match"
    Case(WARDS, "Ward A has 24 beds, of which 21 are occupied.", "21", "supported"),
    Case(WARDS, "Ward A has 24 beds, of which 12 are occupied.", "12", "contradicted"),
    Case(WARDS, "Ward B is full. Ward C has 18 free beds.", "18", "supported"),
    Case(LEAGUE, "Adler 05 has 25 points. The next match is on 10 May.", "next", "supported"),
    Case(LEAGUE, "Adler 05 has 25 points. The next match is on 9 May.", "next", "contradicted"),
    Case(LEAGUE, "Falken lead the table with 27 points, ahead of Adler 05 with 25.", "27", "supported"),
    Case(ORDERS, "A-1001 has been shipped, but A-1002 hasn't.", "A-1002", "supported"),
    Case(ORDERS, "A-1002 has been shipped, but A-1001 hasn't.", "A-1001", "contradicted"),
    # a plain word that a row is called by makes all that is said no talk of it
    Case(TANKS, "You filled in 5,120 litres. You drew 4,875 litres. The inflow counter stands at 88,140.", "You drew", "supported"),
    # zeros that a field's name leaves out
    Case(BONDS, "Net debt stood at €46.8 million.", "46.8", "supported"),
    Case(BONDS, "Net debt stood at €468 million.", "468", "contradicted"),
    Case(BONDS, "Sales were $912,500.", "912,500", "supported"),
]  # fmt: skip


def claim_of(case: Case, judged: Judged) -> ClaimVerdict:
    return judged(case.run.calls, case.answer, case.says, asked=case.run.asked)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.answer[-60:])
def test_whose_row(case: Case, judged: Judged) -> None:
    claim = claim_of(case, judged)
    assert claim.status == case.status, claim.explanation
    if case.decided_by:
        assert claim.decided_by == case.decided_by, claim.explanation
