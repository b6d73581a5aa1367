"""Lines of a list, what rules ask for, members of lists, days that are reckoned, grades: each with a twin that comes
out otherwise. The model has no opinion, so that the exact checks decide."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from affidavit import Detector, read_run
from affidavit.report import ClaimVerdict
from affidavit.testing import FixedEntailment

SHIPPING = "Shipping rates\n- Zone 1 (Austria, Germany, Luxembourg): EUR 6.90\n- Zone 2 (Spain, Portugal, Italy): EUR 12.40\n- Rest of Europe: EUR 18.00"
DOSES = "Dosage by age:\nInfants (under 2): 2.5 ml\nToddlers (2 to 5): 5 ml\nSchoolchildren (6 to 12): 10 ml"
LOANS = "LOAN PERIODS\nBooks and audiobooks: 28 days\nMagazines: 7 days\nDVDs and games: 14 days\nMaximum renewals: 2"
DAMAGE = "Deductibles\n- Glass damage: $150\n- Theft and vandalism: $500\n- Collision: $1,000"
TRAINS = [
    {"line": "U1", "first": "04:52", "last": "00:31"},
    {"line": "U2", "first": "05:05", "last": "00:12"},
]
DRONES = "7.3 Drones may not be flown above 50 m without a permit from the aviation office. Permits are issued within ten days."
EXPORTS = "Export rules\nExports of category 2 goods require a licence from the trade office. Category 1 goods may be exported without a licence."
BOATS = (
    "### Rentals\nBoats may not be taken out after dark without the harbour master's written consent.\n"
    "### Moorings\nGuests may moor for one night without registering."
)
KARTS = "Helmets are mandatory on the go-kart track. Gloves are optional."
REFUNDS = "Refunds above 200 need the manager's approval. Refunds up to 200 are paid out at once."
PASSPORT = {"passport": "C01", "ready": True, "handover": {"by_post": False, "place": "Town hall"}}
BIKE = {
    "ticket": "T1", "status": "done", "replaced": [{"part": "rear tyre", "price": 42.0}, {"part": "rear brake pads", "price": 18.5}],
    "cleaned": [{"part": "frame"}],
}  # fmt: skip
TOUR = {
    "trip": "T",
    "included": ["Breakfast", "Guide", "Boat transfer"],
    "excluded": ["Flights", "Insurance"],
}
AUTO = {"Auftrag": "7", "erneuert": [{"Teil": "Zahnriemen"}, {"Teil": "Wasserpumpe"}]}
MEETING = {"team": "A", "present": ["Ines", "Tom"], "absent": ["Abena"]}
PARCEL = {
    "order": "B2",
    "ordered": "2026-04-20",
    "shipped": "2026-04-22",
    "delivered": "2026-04-27",
}
POLICY = "Returns: items may be returned within 30 days of delivery. Exchanges: within 14 days of delivery."
NOTICE = "Notice of 2 June 2026\n\nDear Mr Obi,\nobjections may be lodged within 14 days of the date of this notice. The fence is 1.9 m high."
STAY = {
    "booking": "H7",
    "arrival": "2026-07-03",
    "booked_on": "2026-05-01",
    "free_cancellation_days_before_arrival": 7,
}
KETTLE = {"item": "Kettle", "purchased": "2025-03-14", "warranty_months": 24}
PAYOUT = "Refund requested on 2 June 2026. Refunds are paid within 5 working days."
TATTOO = "After a tattoo, donation is possible again after four months."
FERRY = "Ferry: departs 14:40, boarding closes 14:20. Gate 3."
DIARY = [
    {"title": "Standup", "start": "09:00", "end": "09:20"},
    {"title": "Physio", "start": "11:30", "end": "12:30"},
]
COINS = [
    {"coin": "Aden", "last_price": 11.1, "purchase_price": 12.8},
    {"coin": "Brim", "last_price": 15.0, "purchase_price": 9.2},
]
METERS = [
    {"pump": "Pump 1", "current_reading": 812.0, "last_reading": 790.0},
    {"pump": "Pump 2", "current_reading": 410.0, "last_reading": 455.0},
]
PARTS = {"order_no": "E-1", "ship_to": {"city": "Molde", "country": "NO"}, "shipped": False}
COURSE = "course: BIO 320 Marine Ecology\nprerequisite: CHEM 110 with grade C or better"
MARKS = "student,course,grade\n4417,CHEM 110,C-\n4417,BIO 110,B+"
RATED = "Suppliers must have a rating of at least BB. Ratings from highest to lowest: AAA, AA, A, BBB, BB, B, CCC."
SUPPLIER = {"supplier": "Orin", "rating": "BBB"}
CAMP = {
    "camp_id": "S2",
    "title": "Sailing Camp Mole",
    "start": "2026-07-13",
    "age": {"min": 10, "max": 13},
}
AT_CAMP = (
    "Sailing Camp Mole is for ages 10 to 13 and starts on July 13, 2026. Your daughter will be "
)
BORN = "Could my daughter join S2? She was born on September 2, 2012."
FRIDGE = {"vaccine": "V", "storage": "between 2 and 8 °C", "fridge_now_c": 9.4}
IN_FRIDGE = "The vaccine has to be kept between 2 and 8 °C. The fridge is at 9.4 °C, so it's "
TESTS = {"tests": {"total": 40, "passed": 38, "failed": 2}}
CRATE = {"crate": "P", "weight_kg": 18.2, "max_weight_kg": 20}
KEY_FIGURES = "Key figures (EUR thousand)\n\n                 2025      2024\nRevenue        48,210    44,905\nEBIT            3,915     4,120\nStaff             212       205\n"
BILLS = "project,service,cost_2026_01,cost_2026_02\nap,Compute,4120.00,3690.00\nap,Storage,612.40,655.10\nap,Egress,287.60,904.90\n"
RUN = {"id": 71, "status": "failed", "stages": [
    {"name": "lint", "jobs": [{"name": "ruff", "status": "success"}]},
    {"name": "test", "jobs": [{"name": "unit-tests", "status": "success"}, {"name": "smoke-tests", "status": "failed"}]},
]}  # fmt: skip
REVIEWS = "doc: Budget 2027\nreviews: ana APPROVED, milo CHANGES_REQUESTED\nstate: open"
POOL = "## Pool\nThe sauna is free. There is a kiosk by the entrance. Dogs are not allowed."
CONCERT = {"id": "E", "artist": "Glass", "seating": "standing_only", "date": "2026-04-24"}
MINUTES = "Minutes 3 May. Present: Ana, Bo, Cem. Ana books the hall by Friday. Bo will bring the projector and two cables. Cem to call the caterer about the vegan menu."
LEASE = (
    "The Landlord bears the cost of repairs to the roof. The Tenant bears minor repairs up to EUR 350. "
    "The servicing of the heating is arranged by the Landlord and charged to the Tenant."
)
HANDOVER = "Handover 12 June: night nurse Okoro gave the insulin at 22:00; Dr. Lind changed the dressing; ward clerk Ruiz informed the family."
MATCH = "Goals: 12' Marsh scored from the left. 40' Ode scored from a corner. Marsh was replaced by Lunt at half-time."
SIGHTS = "The museum is in the old town. The gallery is at the port. Both are closed on Mondays."
PAIRS = "Ana and Bo book the hall. Cem books the band. Ana met Cem in Graz."
FRIDGES = {"products": {
    "FR-110": {"name": "Aria 1", "noise_db": 49, "energy_class": "E"},
    "FR-220": {"name": "Aria 2", "noise_db": 44, "energy_class": "C"},
    "FR-330": {"name": "Aria 3", "noise_db": 39, "energy_class": "A"},
}}  # fmt: skip
ROOMS = {
    "GL-101": {"seats": 12, "price": 90},
    "GL-205": {"seats": 30, "price": 150},
    "GL-330": {"seats": 8, "price": 60},
}
SENSOR = {"sensor": "S", "min_c": 2, "max_c": 8}
SACKS = {
    "pack": "P",
    "quantity": {"min": {"value": 5, "unit": "kg"}, "max": {"value": 25, "unit": "kg"}},
}
NOTES = 'Turn these notes into a list:\n\n"Site call w/ Ana, Bo. Ana will order new tiles by Thu. Bo to measure the hall (still locked). Next visit Tue 14:15."'


class Case(NamedTuple):
    """What the calls of a run gave, an answer, what becomes of its last claim, what decided, and what was asked."""

    results: tuple[Any, ...]
    answer: str
    status: str
    by: str | None = None
    question: str = "Please tell me."


CASES = [
    # the line of a list of labels that names what is spoken of
    Case((SHIPPING,), "Shipping to Portugal costs EUR 12.40.", "supported", "values"),
    Case((SHIPPING,), "Shipping to Portugal costs EUR 6.90.", "contradicted", "values"),
    Case((SHIPPING,), "Shipping to Germany is EUR 6.90 and to Spain EUR 12.40.", "supported", "values"),
    Case((DOSES,), "Toddlers get 5 ml per dose.", "supported", "values"),
    Case((DOSES,), "Toddlers get 10 ml per dose.", "contradicted", "values"),
    Case((LOANS,), "Games may be kept for 14 days.", "supported", "values"),
    Case((LOANS,), "Games may be kept for 7 days.", "contradicted", "values"),
    Case((LOANS,), "You can keep a DVD for 14 days.", "supported", "values"),
    Case((DAMAGE,), "For theft, the deductible is $500.", "supported", "values"),
    Case((DAMAGE,), "For theft, the deductible is $150.", "contradicted", "values"),
    Case((TRAINS,), "On the U2, the first train leaves at 05:05.", "supported", "values"),
    Case((TRAINS,), "On the U2, the first train leaves at 04:52.", "contradicted", "values"),
    # what a rule asks for, as needed or as not
    Case((DRONES,), "You can fly your drone above 50 m without a permit.", "contradicted", "required"),
    Case((DRONES,), "You can fly a drone above 50 m even if you have no permit.", "contradicted", "required"),
    Case((DRONES,), "No permit is needed to fly above 50 m.", "contradicted", "required"),
    Case((DRONES,), "You need a permit to fly a drone above 50 m.", "supported", "required"),
    Case((DRONES,), "You may not fly above 50 m without a permit.", "supported", "required"),
    Case((EXPORTS,), "Category 2 goods can be exported without a licence.", "contradicted", "required"),
    Case((EXPORTS,), "Category 1 goods can be exported without a licence.", "supported", "required"),
    Case((EXPORTS,), "You need a licence to export category 1 goods.", "contradicted", "required"),
    Case((BOATS,), "You can take a boat out after dark even if the harbour master hasn't agreed in writing.", "contradicted", "required"),
    Case((BOATS,), "After dark you can only take a boat out with the harbour master's written consent.", "supported", "required"),
    Case((BOATS,), "Guests can moor for one night without registering.", "supported", "required"),
    Case((KARTS,), "You must wear a helmet on the go-kart track.", "supported", "required"),
    Case((KARTS,), "Helmets aren't mandatory on the go-kart track.", "contradicted", "required"),
    Case((REFUNDS,), "A refund above 200 needs the manager's approval.", "supported", "required"),
    Case((REFUNDS,), "Refunds above 200 don't need approval.", "contradicted", "required"),
    # what is sent by post is mailed
    Case((PASSPORT,), "Your passport will be mailed to you.", "contradicted", "flags"),
    Case((PASSPORT,), "It won't be sent by post.", "supported", "flags"),
    # members of a list
    Case((BIKE,), "The rear tyre and the rear brake pads were replaced.", "supported", "members"),
    Case((BIKE,), "The rear tyre and the chain were replaced.", "unsupported", "members"),
    Case((BIKE,), "The rear tyre and the frame were replaced.", "contradicted", "members"),
    Case((BIKE,), "The frame was replaced.", "contradicted", "members"),
    Case((TOUR,), "Breakfast and lunch are included.", "unsupported", "members"),
    Case((TOUR,), "Breakfast and flights are included.", "contradicted", "members"),
    Case((MEETING,), "Ines and Abena were present.", "contradicted", "members"),
    Case((MEETING,), "Tom was absent.", "contradicted", "members"),
    Case((AUTO,), "Der Zahnriemen und die Wasserpumpe wurden erneuert.", "supported", "members"),
    Case((AUTO,), "Der Zahnriemen und der Keilriemen wurden erneuert.", "unsupported", "members"),
    # a day that is a span after another, or before it
    Case((PARCEL, POLICY), "You can return it until May 27, 2026.", "supported", "derived"),
    Case((PARCEL, POLICY), "You can return it until May 20, 2026.", "unsupported", "values"),
    Case((PARCEL, POLICY), "An exchange is possible until May 11.", "supported", "derived"),
    Case((PARCEL, POLICY), "An exchange is possible until May 27.", "unsupported", "values"),
    Case((NOTICE,), "You can object until 16 June 2026.", "supported", "derived"),
    Case((NOTICE,), "You can object until 18 June 2026.", "unsupported", "values"),
    Case((STAY,), "You can cancel free of charge until June 26.", "supported", "derived"),
    Case((STAY,), "You can cancel free of charge until July 10.", "unsupported", "values"),
    Case((KETTLE,), "The warranty runs until March 14, 2027.", "supported", "derived"),
    Case((KETTLE,), "The warranty runs until March 14, 2028.", "unsupported", "values"),
    Case((PAYOUT,), "The refund should arrive by June 9.", "supported", "derived"),
    Case((PAYOUT,), "The refund should arrive by June 7.", "unsupported", "values"),
    Case((TATTOO,), "You got the tattoo on February 3, so you can donate again from June 3.", "supported", "derived", "I got a tattoo on February 3, 2026. When can I donate?"),
    Case((TATTOO,), "You got the tattoo on February 3, so you can donate again from July 3.", "unsupported", "values", "I got a tattoo on February 3, 2026. When can I donate?"),
    # the time between two times of day of one sentence
    Case((FERRY,), "Boarding closes at 14:20, twenty minutes before the departure at 14:40.", "supported", "derived"),
    Case((FERRY,), "Boarding closes at 14:20, ten minutes before the departure at 14:40.", "unsupported", "values"),
    # what was paid comes before the last price, the last reading before the current one
    Case((COINS,), "Aden is down.", "supported", "trends"),
    Case((COINS,), "Aden has risen.", "contradicted", "trends"),
    Case((METERS,), "Pump 1 has risen.", "supported", "trends"),
    Case((METERS,), "Pump 1 has fallen.", "contradicted", "trends"),
    # Norway, which is no "no"
    Case((PARTS,), '{"destination": "NO"}', "supported", "flags"),
    # grades have an order
    Case((COURSE, MARKS), "BIO 320 asks for CHEM 110 with a C or better. You got a C- in CHEM 110, so you don't meet that requirement.", "supported", "thresholds"),
    Case((COURSE, MARKS), "BIO 320 asks for CHEM 110 with a C or better. You got a C- in CHEM 110, so you meet that requirement.", "contradicted", "thresholds"),
    Case((RATED, SUPPLIER), "Suppliers need a rating of at least BB. Orin has a BBB, so it's eligible.", "supported", "thresholds"),
    Case((RATED, SUPPLIER), "Suppliers need a rating of at least BB. Orin has a BBB, so it isn't eligible.", "contradicted", "thresholds"),
    # how old somebody is on a day, and the two ends of a range
    Case((CAMP,), f"{AT_CAMP}13 then.", "supported", "derived", BORN),
    Case((CAMP,), f"{AT_CAMP}14 then.", "unsupported", "values", BORN),
    Case((CAMP,), f"{AT_CAMP}13 then, so she's eligible.", "supported", "thresholds", BORN),
    Case((CAMP,), f"{AT_CAMP}13 then, so she's too old.", "contradicted", "thresholds", BORN),
    Case((FRIDGE,), f"{IN_FRIDGE}outside the range.", "supported", "thresholds"),
    Case((FRIDGE,), f"{IN_FRIDGE}within the range.", "contradicted", "thresholds"),
    # the other way, what made most of it, and all together
    Case((KEY_FIGURES,), "Revenue rose to €48.21 million. EBIT went the other way.", "supported", "trends"),
    Case((KEY_FIGURES,), "Revenue rose to €48.21 million. Staff went the other way.", "contradicted", "trends"),
    Case((BILLS,), "The main driver was egress.", "supported", "trends"),
    Case((BILLS,), "The main driver was storage.", "contradicted", "trends"),
    Case((BILLS,), "Costs rose.", "supported", "trends"),
    Case((BILLS,), "Costs fell.", "contradicted", "trends"),
    # the states of several things, and of people
    Case((RUN,), "Lint and the unit tests went through.", "supported", "states"),
    Case((RUN,), "The unit tests and the smoke tests went through.", "contradicted", "states"),
    Case((REVIEWS,), "ana had approved it.", "supported", "states"),
    Case((REVIEWS,), "milo had asked for changes.", "supported", "states"),
    # the same in plain words
    Case((POOL,), "The sauna is free of charge.", "supported", "quotes"),
    Case((POOL,), "You'll also find a kiosk by the entrance.", "supported", "quotes"),
    Case((POOL,), "The sauna is not free of charge.", "unsupported", None),
    Case((CONCERT,), "It's a standing-only show.", "supported", "types"),
    Case((CONCERT,), "It's a seated-only show.", "unsupported", None),
    # who did it
    Case((MINUTES,), "Ana calls the caterer about the vegan menu.", "contradicted", "doers"),
    Case((MINUTES,), "Bo books the hall by Friday.", "contradicted", "doers"),
    Case((LEASE,), "The tenant bears the cost of repairs to the roof.", "contradicted", "doers"),
    Case((LEASE,), "The landlord pays for the servicing of the heating.", "contradicted", "doers"),
    Case((LEASE,), "The tenant arranges the servicing of the heating.", "contradicted", "doers"),
    Case((HANDOVER,), "Okoro changed the dressing.", "contradicted", "doers"),
    Case((HANDOVER,), "Dr. Lind informed the family.", "contradicted", "doers"),
    Case((MATCH,), "Marsh scored from a corner.", "contradicted", "doers"),
    Case((MATCH,), "Lunt was replaced by Marsh at half-time.", "contradicted", "doers"),
    Case((SIGHTS,), "The gallery is in the old town.", "contradicted", "doers"),
    Case((PAIRS,), "Cem books the hall.", "contradicted", "doers"),
    # the best of grades, of a map of things
    Case((FRIDGES,), "The FR-330 has the best energy class.", "supported", "extremes"),
    Case((FRIDGES,), "The FR-220 has the best energy class.", "contradicted", "extremes"),
    Case((ROOMS,), "GL-330 is the cheapest.", "supported", "extremes"),
    Case((ROOMS,), "GL-101 is the cheapest.", "contradicted", "extremes"),
    Case((ROOMS,), "GL-205 has 12 seats.", "contradicted", "values"),
    # the least and the most
    Case((SENSOR,), "The maximum is 8 °C.", "supported", "values"),
    Case((SENSOR,), "The minimum is 8 °C.", "contradicted", "values"),
    Case((SACKS,), "You have to order at least 5 kg.", "supported", "values"),
    Case((SACKS,), "You have to order at least 25 kg.", "contradicted", "values"),
    # notes, as people write them
    Case((), "Ana orders the new tiles by Thursday.", "supported", "doers", NOTES),
    Case((), "Ana ordered the new tiles.", "unsupported", None, NOTES),
    Case((), "Ana measures the hall.", "contradicted", "doers", NOTES),
    Case((), "The next visit is on Tuesday at 14:15.", "supported", "quotes", NOTES),
    Case((), "The next visit is on Wednesday at 14:15.", "unsupported", "values", NOTES),
    # all, and how many of how many
    Case((TESTS,), "Not all tests passed: 38 of 40 did.", "supported", "universals"),
    Case((TESTS,), "All tests passed: 38 of 40 did.", "contradicted", "universals"),
    # a figure and the limit that it keeps to
    Case((CRATE,), "The weight is fine: at 18.2 kg, it's below the limit of 20 kg.", "supported", "comparisons"),
    Case((CRATE,), "The weight is fine: at 18.2 kg, it's above the limit of 20 kg.", "contradicted", "comparisons"),
]  # fmt: skip

QUIET = [
    Case((DAMAGE,), "You'd pay $150 if the glass is damaged.", "contradicted", "values"),
    Case((KARTS,), "Gloves aren't mandatory.", "contradicted", "required"),
    Case((REFUNDS,), "Refunds up to 200 don't need the manager's approval.", "contradicted", "required"),
    Case((EXPORTS,), "You don't need a licence to import category 2 goods.", "contradicted", "required"),
    Case((BIKE,), "The rear tire and the rear brake pads were replaced.", "unsupported", "members"),
    Case((BIKE,), "The rear tyre was replaced and the frame was cleaned.", "contradicted", "members"),
    Case((TOUR,), "Everything except flights is included.", "contradicted", "members"),
    Case((MINUTES,), "Cem calls the caterer about the vegan menu.", "contradicted", "doers"),
    Case((LEASE,), "The landlord arranges the servicing of the heating.", "contradicted", "doers"),
    Case((LEASE,), "The owner bears the cost of repairs to the roof.", "contradicted", "doers"),
    Case((SIGHTS,), "The gallery is closed on Mondays.", "contradicted", "doers"),
    Case((PAIRS,), "Bo books the hall.", "contradicted", "doers"),
    Case((PAIRS,), "Cem met Ana in Graz.", "contradicted", "doers"),
    Case((DIARY,), "The standup is at 09:00 and the physio at 11:30.", "unsupported", "values"),
]  # fmt: skip
"""What none of these rules may hold against an answer: the verdict that must not come, and the check."""


def claim_of(case: Case) -> ClaimVerdict:
    messages: list[dict[str, Any]] = [{"role": "user", "content": case.question}]
    for n, result in enumerate(case.results):
        text = result if isinstance(result, str) else json.dumps(result)
        call = {"type": "tool_use", "id": f"c{n}", "name": f"get_{n}", "input": {}}
        messages += [
            {"role": "assistant", "content": [call]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"c{n}", "content": text}]},
        ]  # fmt: skip
    messages.append({"role": "assistant", "content": case.answer})
    report = Detector(entailment=FixedEntailment()).check(read_run({"messages": messages}))
    return report.claims[-1]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.answer[-60:])
def test_lists_rules_and_days(case: Case) -> None:
    claim = claim_of(case)
    assert claim.status == case.status, claim.explanation
    if case.by is not None:
        assert claim.decided_by == case.by, claim.explanation


@pytest.mark.parametrize("case", QUIET, ids=lambda case: case.answer[-60:])
def test_what_no_rule_holds_against(case: Case) -> None:
    claim = claim_of(case)
    assert (claim.status, claim.decided_by) != (case.status, case.by), claim.explanation
