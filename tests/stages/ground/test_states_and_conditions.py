"""Whose state it is, what begins and what ends, conditions turned round, and denials in one word. The model has no
opinion unless a case gives it one, so that the exact checks decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from affidavit import Detector, read_run
from affidavit.report import ClaimVerdict
from affidavit.testing import FixedEntailment

Judged = Callable[..., ClaimVerdict]

Call = tuple[str, dict[str, Any], Any]


@dataclass(frozen=True)
class Case:
    """The calls that the run holds, an answer, a word of the claim, and what must become of it."""

    calls: tuple[Call, ...]
    answer: str
    says: str
    status: str
    decided_by: str | None = None
    asked: str = (
        "How do the boiler B-2, the site Halm, the manuscript MS-88, P-31, Seebad, the L 3012, Skarr, R-19, the hall, "
        "the house rules, parcel 88, run 88 and room 14 look?"
    )


BOILER: tuple[Call, ...] = (
    ("get_boiler", {"id": "B-2"}, {"boiler": "B-2", "status": "warning", "pumps": "north: running, south: stopped", "fans": "inlet=running outlet=running", "door_switch": "closed"}),
)  # fmt: skip
SITE: tuple[Call, ...] = (
    ("get_site", {"site": "Halm"}, {"site": "Halm", "status": "active", "uploads": {"enabled": False, "disabled_since": "2026-02-03"}, "backfill": "in progress, 62 % done"}),
)  # fmt: skip
PAPER: tuple[Call, ...] = (
    ("get_manuscript", {"no": "MS-88"}, {"manuscript": "MS-88", "status": "under review", "referees": [{"name": "A. Wolff", "decision": "accepted"}, {"name": "J. Pinto", "decision": "needs revision"}]}),
)  # fmt: skip
SENT: tuple[Call, ...] = (
    ("get_parcel", {"no": "88"}, {"parcel": "88", "status": "in transit", "since": "2026-05-06"}),
)

SENT_OFF: tuple[Call, ...] = (
    ("get_parcel", {"no": "88"}, {"parcel": "88", "status": "shipped", "estimated_delivery": "2026-05-18"}),
)  # fmt: skip
VISITS: tuple[Call, ...] = (
    ("get_visits", {}, {"visits": [{"with": "Dr. Sahin", "field": "dermatology", "status": "confirmed"}, {"with": "Dr. Okoye", "field": "cardiology", "status": "on hold"}]}),
)  # fmt: skip
ARRIVED: tuple[Call, ...] = (("get_parcel", {"no": "88"}, {"parcel": "88", "status": "delivered"}),)
NODES: tuple[Call, ...] = (
    ("get_cluster", {}, {"nodes": [{"name": "n1", "cpu_pct": 72, "mem_pct": 81, "status": "Ready"}, {"name": "n3", "cpu_pct": 0, "mem_pct": 1, "status": "NotReady"}]}),
)  # fmt: skip

WHOSE_STATE: tuple[Case, ...] = (
    # A field that bears the name of what is spoken of, not the status of the whole.
    Case(BOILER, "Both fans are running.", "Both", "supported"),
    Case(BOILER, "Both pumps are running.", "Both", "contradicted", "universals"),
    Case(BOILER, "The door switch is open.", "door", "contradicted", "states"),
    Case(BOILER, "The boiler is healthy.", "boiler", "contradicted", "states"),
    Case(SITE, "Uploads have been disabled since February 3.", "Uploads", "supported"),
    Case(SITE, "The site is active.", "site", "supported", "states"),
    Case(SITE, "The site is suspended.", "site", "contradicted", "states"),
    # Done in part.
    Case(SITE, "The backfill is done.", "backfill", "contradicted", "states"),
    Case(SITE, "The backfill is 62% done.", "backfill", "supported"),
    # What has been sent may be there or not; all but one says nothing of the one that is named.
    Case(SENT_OFF, "The parcel hasn't been delivered yet.", "delivered", "supported"),
    Case(SENT_OFF, "The parcel has been delivered.", "delivered", "contradicted", "states"),
    Case(ARRIVED, "The parcel was shipped.", "shipped", "supported", "states"),
    Case(ARRIVED, "The parcel is in transit.", "transit", "contradicted", "states"),
    Case(NODES, "All nodes except n3 are ready.", "except", "supported"),
    Case(NODES, "The node n3 isn't ready.", "n3", "supported", "states"),
    Case(NODES, "The node n3 is ready.", "n3", "contradicted", "states"),
    # What became of one row names no row where another is called by its name; how many are so is not said of the whole.
    Case(VISITS, "The cardiology visit hasn't been confirmed yet.", "cardiology", "unsupported"),
    Case(VISITS, "The cardiology visit has been confirmed.", "cardiology", "unsupported"),
    Case(VISITS, "The dermatology visit has been confirmed.", "dermatology", "supported", "states"),
    Case(VISITS, "The dermatology visit hasn't been confirmed.", "dermatology", "contradicted", "states"),
    # A month is no "may": the state is told as what it is.
    Case(SENT, "The parcel was delivered on May 6.", "delivered", "contradicted", "states"),
    Case(SENT, "The parcel has been in transit since May 6.", "transit", "supported"),
    # The state of one row is not that of the thing it belongs to, nor of the other row.
    Case(PAPER, "The manuscript is accepted.", "manuscript", "contradicted", "states"),
    Case(PAPER, "A. Wolff has accepted it.", "Wolff", "supported", "states"),
    # Nor what was done to it: the corrections may be complete while it is under review.
    Case(PAPER, "The corrections to the manuscript are complete.", "corrections", "unsupported"),
    Case(PAPER, "Both referees, A. Wolff and J. Pinto, have accepted it.", "Both", "contradicted", "universals"),
)  # fmt: skip

COVER: tuple[Call, ...] = (
    ("get_policy", {"no": "P-31"}, {"policy": "P-31", "add_on": {"name": "Bicycle cover", "monthly": 4.2, "valid_until": "2026-11-30"}, "min_term_ends": "2027-01-31"}),
)  # fmt: skip
HOURS: tuple[Call, ...] = (
    ("get_pool", {"name": "Seebad"}, {"pool": "Seebad", "opens": "08:00", "closes": "20:00"}),
)
ROAD: tuple[Call, ...] = (
    ("get_road", {"road": "L 3012"}, {"road": "L 3012", "closed_until": "2026-05-22"}),
)
FERRY: tuple[Call, ...] = (
    ("get_page", {"page": "Skarr"}, "The ferry to Skarr sails at 07:15 and docks at 08:40. The kiosk opens at 06:30."),
)  # fmt: skip
BILL: tuple[Call, ...] = (
    ("get_invoice", {"no": "R-19"}, {"invoice": "R-19", "issued_on": "2026-02-03", "due_date": "2026-03-05"}),
)  # fmt: skip

EDGES: tuple[Case, ...] = (
    Case(COVER, "The bicycle cover takes effect on November 30, 2026.", "takes", "contradicted", "values"),
    Case(COVER, "The bicycle cover is valid until November 30, 2026.", "valid", "supported"),
    Case(COVER, "The bicycle cover expires on November 30, 2026.", "expires", "supported"),
    Case(COVER, "The minimum term starts on January 31, 2027.", "starts", "contradicted", "values"),
    # What ends may begin something else.
    Case(COVER, "A new minimum term starts on January 31, 2027.", "starts", "supported"),
    Case(COVER, "You can cancel the policy P-31 from January 31, 2027.", "cancel", "supported"),
    Case(HOURS, "The pool opens at 8 PM.", "opens", "contradicted", "values"),
    Case(HOURS, "The pool is open until 8 PM.", "open", "supported"),
    # What is shut until a day opens on it.
    Case(ROAD, "The L 3012 opens on May 22.", "opens", "supported"),
    Case(FERRY, "The ferry to Skarr sails at 8:40.", "sails", "contradicted", "values"),
    Case(FERRY, "The ferry to Skarr arrives at 8:40.", "arrives", "supported"),
    Case(BILL, "Invoice R-19 is due on February 3.", "due", "contradicted", "values"),
    Case(BILL, "Invoice R-19 was issued on February 3.", "issued", "supported"),
)  # fmt: skip

RULES: tuple[Call, ...] = (
    ("get_page", {"page": "house rules"}, {"page": "house rules", "text": "Dogs are admitted only on a lead. Photography is permitted without a permit. Drones may not be flown unless the warden has agreed. No booking is needed for the chapel, but a booking is required for the crypt. Entry without a ticket is not possible. Subletting requires the landlord's written consent. The fee shall not be raised more than once in any period of 12 months."}),
    ("get_label", {"parcel": "88"}, {"parcel": "88", "delivered": True, "signature": None, "note": "A signature is required for parcels over €500."}),
)  # fmt: skip
CAMP: tuple[Call, ...] = (
    ("get_page", {"page": "the hall"}, {"page": "the hall", "camp": "Tents may be kept up for a week without a permit. The keeping of a fire requires a permit. Pitches can be changed until the gate closes; then the warden assigns them."}),
)  # fmt: skip
LAB: tuple[Call, ...] = (
    ("get_page", {"page": "the hall"}, "Visitors may enter the lab only with a badge. No badge is needed in the lobby. Cars over 3.5 t need a toll sticker. Minors may not swim without a parent's consent. Reports must be sent without delay. A signature is not required for letters."),
)  # fmt: skip
HALL: tuple[Call, ...] = (
    ("get_page", {"page": "the hall"}, "The hall | Seating is unreserved. The pier is not lit at night. Bookings are non-refundable. The lift is united with the stairs."),
)  # fmt: skip

CONDITIONS: tuple[Case, ...] = (
    Case(RULES, "Dogs may come in without a lead.", "Dogs", "contradicted", "conditional"),
    Case(RULES, "Dogs may come in only on a lead.", "Dogs", "supported", "conditional"),
    Case(RULES, "You need a permit to take photos.", "permit", "contradicted", "conditional"),
    Case(RULES, "You can take photos without a permit.", "photos", "supported", "conditional"),
    Case(RULES, "Drones may be flown without the warden's agreement.", "Drones", "contradicted", "conditional"),
    # Of two clauses about bookings, the one of the same thing.
    Case(RULES, "You can visit the crypt without a booking.", "crypt", "contradicted", "conditional"),
    Case(RULES, "You can visit the chapel without a booking.", "chapel", "supported", "conditional"),
    Case(RULES, "You can enter without a ticket.", "ticket", "contradicted", "conditional"),
    Case(RULES, "You can sublet without the landlord's written consent.", "sublet", "contradicted", "conditional"),
    Case(RULES, "You may sublet only with the landlord's written consent.", "sublet", "supported", "conditional"),
    # Of two clauses about one deed, the one of the same thing.
    Case(CAMP, "You can keep a tent up for a week without a permit.", "tent", "supported", "conditional"),
    Case(CAMP, "You can keep a fire going without a permit.", "fire", "contradicted", "conditional"),
    Case(LAB, "You can enter the lab without a badge.", "lab", "contradicted", "conditional"),
    Case(LAB, "You can be in the lobby without a badge.", "lobby", "supported", "conditional"),
    Case(LAB, "You can enter the garden without a badge.", "garden", "unsupported"),
    # The same limit, the same consent in other words, nobody else's.
    Case(LAB, "Cars over 3.5 t can drive without a toll sticker.", "Cars", "contradicted", "conditional"),
    Case(LAB, "Cars need a toll sticker.", "Cars", "unsupported"),
    Case(LAB, "Minors can swim even if their parents don't agree.", "Minors", "contradicted", "conditional"),
    Case(LAB, "Minors need a doctor's consent to swim.", "Minors", "unsupported"),
    Case(LAB, "Minors went swimming without a parent's consent.", "Minors", "unsupported"),
    Case(LAB, "Letters require a signature.", "Letters", "contradicted", "conditional"),
    Case(LAB, "Parcels require a signature.", "Parcels", "unsupported"),
    Case(LAB, "Reports need a delay.", "Reports", "unsupported"),
    # Until and after.
    Case(CAMP, "You can still change your pitch after the gate closes.", "pitch", "contradicted", "sequence"),
    Case(CAMP, "After the gate closes the warden assigns the pitches.", "warden", "unsupported"),
    # A limit told the other way round; past it is another matter.
    Case(RULES, "The fee may be raised only once in any 12 months.", "fee", "supported"),
    Case(RULES, "The fee may be raised more than once in any 12 months.", "fee", "unsupported"),
    # Denials that are part of a word.
    Case(HALL, "Seats aren't reserved.", "Seats", "supported", "denied"),
    Case(HALL, "Seats are reserved.", "Seats", "contradicted", "denied"),
    Case(HALL, "The pier is unlit at night.", "pier", "supported"),
    Case(HALL, "Bookings are refundable.", "Bookings", "contradicted", "denied"),
)  # fmt: skip

INN: tuple[Call, ...] = (
    ("read_mail", {"id": "88"}, "We have kept the round table indoors for you, as our terrace stays shut until May."),
    ("get_room", {"room": "14"}, {"room": "14", "floor": "ground floor", "beds": "twin beds", "billed": "annually", "note": "Inside you find a leaflet."}),
)  # fmt: skip
CARD: tuple[Call, ...] = (
    ("get_card", {"card": "88"}, {"card": "88", "allergies": [], "open_invoices": [], "messages": [], "messages_count": 2, "visits": [{"day": "2026-05-04"}], "massage_included": False, "towels_included": True}),
)  # fmt: skip
HUTS: tuple[Call, ...] = (
    ("list_huts", {}, {"huts": [{"hut": "Larch", "heated": False, "beds": 6}, {"hut": "Fir", "heated": True, "beds": 4}]}),
)  # fmt: skip

OPPOSED: tuple[Case, ...] = (
    Case(INN, "You'll be sitting outside on the terrace.", "outside", "contradicted", "opposites"),
    Case(INN, "Room 14 is upstairs.", "upstairs", "contradicted", "opposites"),
    Case(INN, "Room 14 is billed monthly.", "monthly", "contradicted", "opposites"),
    Case(INN, "Room 14 is billed yearly.", "yearly", "supported"),
    # No place: nothing rules it out.
    Case(INN, "Your request is outside the terms of room 14.", "outside", "supported", "values"),
    # An empty list, unless something counts what it should hold.
    Case(CARD, "You have one allergy on record.", "allergy", "contradicted", "empty_lists"),
    Case(CARD, "There is an open invoice.", "invoice", "contradicted", "empty_lists"),
    Case(CARD, "You have two messages.", "messages", "supported"),
    # "Not included" of a field that says so.
    Case(CARD, "Card 88 comes with towels, massage not included.", "massage", "supported", "flags"),
    Case(CARD, "Card 88 comes with a massage, towels not included.", "towels", "contradicted", "flags"),
    # What the one has and the other does not.
    Case(HUTS, "The Larch hut isn't heated, but the Fir hut is.", "Larch", "supported", "flags"),
    Case(HUTS, "The Larch hut isn't heated, but the Fir hut is.", "Fir", "supported", "flags"),
    Case(HUTS, "The Fir hut isn't heated, but the Larch hut is.", "Larch", "contradicted", "flags"),
)  # fmt: skip

PLANT: tuple[Call, ...] = (
    ("get_run", {"no": "88"}, {"run": "88", "state": "running", "disk": {"status": "warning"}, "stages": [{"stage": "mix", "result": "success"}, {"stage": "seal", "result": "failed"}, {"stage": "label", "result": "skipped"}], "classes": {"first": "sold out", "second": "available"}}),
)  # fmt: skip
FREEZER: tuple[Call, ...] = (
    ("get_page", {"page": "the hall"}, "The stew can be frozen for up to three months. Bikes can be taken on board outside rush hours."),
)  # fmt: skip
TERMS: tuple[Call, ...] = (
    ("get_page", {"page": "the hall"}, "The seller may, at its choice, repair or replace the crate. The buyer shall report obvious damage in writing without delay."),
)  # fmt: skip
PAYOUT: tuple[Call, ...] = (
    ("get_claim", {"no": "88"}, {"claim": "88", "status": "approved", "payout": {"amount": 640, "currency": "EUR", "status": "pending"}, "documents_missing": []}),
)  # fmt: skip
SHOP: tuple[Call, ...] = (
    ("get_page", {"page": "the hall"}, "Guided walks take place daily except Mondays. Scooters are not allowed, with the exception of mobility scooters. The soup contains celery and is free from gluten and dairy. Showers are free of charge for guests. Cooking is prohibited in the tents and on the deck."),
)  # fmt: skip

FINER: tuple[Case, ...] = (
    # The stage that is named, not the one that is in the state that is told.
    Case(PLANT, "Sealing failed.", "failed", "supported"),
    Case(PLANT, "Label failed.", "failed", "contradicted", "states"),
    Case(PLANT, "Mix was skipped.", "skipped", "contradicted", "states"),
    # A step that bears the name of the deed.
    Case(PLANT, "It was labelled.", "labelled", "contradicted", "steps"),
    Case(PLANT, "It wasn't labelled.", "labelled", "supported", "steps"),
    Case(PLANT, "It was mixed.", "mixed", "supported", "steps"),
    Case(PLANT, "There are seats in second class.", "second", "supported", "states"),
    Case(PLANT, "There are seats in first class.", "first", "contradicted", "states"),
    # What is excepted, and what is not.
    Case(SHOP, "There are no guided walks on Mondays.", "Mondays", "supported", "exceptions"),
    Case(SHOP, "There are guided walks on Mondays.", "Mondays", "contradicted", "exceptions"),
    Case(SHOP, "Mobility scooters are allowed.", "Mobility", "supported", "exceptions"),
    Case(SHOP, "Mobility scooters aren't allowed.", "Mobility", "contradicted", "exceptions"),
    # What is in it and what it is free from.
    Case(SHOP, "The soup contains gluten.", "gluten", "contradicted", "free_of"),
    Case(SHOP, "The soup is gluten-free.", "gluten", "supported", "free_of"),
    Case(SHOP, "The soup has no dairy in it.", "dairy", "supported", "free_of"),
    Case(SHOP, "The soup is free from celery.", "celery", "contradicted", "free_of"),
    Case(SHOP, "Guests have to pay for the showers.", "showers", "contradicted", "denied"),
    Case(SHOP, "Cooking isn't allowed on the deck.", "deck", "supported", "denied"),
    # Denied outright, and said to be possible at least so far.
    Case(FREEZER, "The stew can't be frozen.", "frozen", "contradicted", "denied"),
    Case(FREEZER, "Bikes can't be taken on board during rush hours.", "Bikes", "unsupported"),
    # Which of two parties.
    Case(TERMS, "The buyer decides whether to repair or replace the crate.", "buyer", "contradicted", "roles"),
    Case(TERMS, "The seller has to report obvious damage in writing.", "seller", "contradicted", "roles"),
    Case(TERMS, "Obvious damage can be reported by phone.", "phone", "contradicted", "opposites"),
    # A field that says what is missing, and is blank.
    Case(PAYOUT, "One document is missing.", "missing", "contradicted", "absence"),
    Case(PAYOUT, "No documents are missing.", "missing", "supported"),
    Case(PAYOUT, "The €640 has been paid out.", "paid", "contradicted", "steps"),
    Case(PAYOUT, "The €640 hasn't been paid out yet.", "paid", "supported", "steps"),
)  # fmt: skip


def claim_of(case: Case, judged: Judged) -> ClaimVerdict:
    return judged(case.calls, case.answer, case.says, asked=case.asked)


@pytest.mark.parametrize("case", WHOSE_STATE, ids=lambda case: case.answer[-60:])
def test_whose_state_it_is(case: Case, judged: Judged) -> None:
    claim = claim_of(case, judged)
    assert claim.status == case.status, claim.explanation
    if case.decided_by:
        assert claim.decided_by == case.decided_by, claim.explanation


@pytest.mark.parametrize("case", EDGES, ids=lambda case: case.answer[-60:])
def test_what_begins_does_not_end(case: Case, judged: Judged) -> None:
    claim = claim_of(case, judged)
    assert claim.status == case.status, claim.explanation
    if case.decided_by:
        assert claim.decided_by == case.decided_by, claim.explanation


@pytest.mark.parametrize("case", CONDITIONS, ids=lambda case: case.answer[-60:])
def test_what_is_a_condition_of_what(case: Case, judged: Judged) -> None:
    claim = claim_of(case, judged)
    assert claim.status == case.status, claim.explanation
    if case.decided_by:
        assert claim.decided_by == case.decided_by, claim.explanation


def test_what_was_done_without_something_breaks_no_word_of_a_rule(judged: Judged) -> None:
    claim = claim_of(
        Case(RULES, "Parcel 88 was delivered without a signature.", "Parcel", ""), judged
    )
    assert all(c.verdict != "contradicts" for c in claim.checks if c.name == "conditional")


@pytest.mark.parametrize("case", OPPOSED, ids=lambda case: case.answer[-60:])
def test_what_rules_out_what(case: Case, judged: Judged) -> None:
    claim = claim_of(case, judged)
    assert claim.status == case.status, claim.explanation
    if case.decided_by:
        assert claim.decided_by == case.decided_by, claim.explanation


LOG = (
    "2026-06-09 05:12:44 INFO  line=2 gate closed pressure=1.9\n2026-06-09 05:14:20 ALARM line=4 flow=38.6 l/min gate closed\n"
    "2026-06-09 05:27:27 INFO  line=3 gate opened pressure=2.2"
)


def test_the_rest_of_a_sentence_is_of_the_line_that_proves_its_start() -> None:
    """And of no other line that has the like; what that line does not say stays open."""

    def of_the_alarm(premise: str, hypothesis: str) -> str | None:
        ours = premise.startswith("2026-06-09 05:14:20") and "closed" in hypothesis
        return "entailment" if ours and "\n" not in premise else "contradiction"

    for answer, status in (
        ("The flow on line 4 was 38.6 l/min, and the gate was closed.", "supported"),
        ("The flow on line 4 was 38.6 l/min, and the gate was opened.", "contradicted"),
    ):
        use = {"type": "tool_use", "id": "c0", "name": "read_log", "input": {}}
        messages = [
            {"role": "user", "content": "What was the flow on line 4 at the alarm?"},
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c0", "content": LOG}]},
            {"role": "assistant", "content": answer},
        ]  # fmt: skip
        model = FixedEntailment(rule=of_the_alarm)
        report = Detector(entailment=model).check(read_run({"messages": messages}))
        gate = next(c for c in report.claims if "gate" in c.text)
        assert (gate.status == "supported") == (status == "supported"), gate.explanation


def test_a_failed_call_is_told_in_its_words() -> None:
    for told, supported in (
        ("the broker is in maintenance mode.", True),
        ("the broker is not in maintenance mode.", False),
        ("the broker has moved to another host.", False),
    ):
        use = {"type": "tool_use", "id": "c0", "name": "end_sessions", "input": {"user": "kim"}}
        failed = {"type": "tool_result", "tool_use_id": "c0", "content": "503: broker is in maintenance mode", "is_error": True}  # fmt: skip
        messages = [
            {"role": "user", "content": "Please end the sessions of kim."},
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": [failed]},
            {"role": "assistant", "content": f"The sessions of kim could not be ended: {told}"},
        ]
        report = Detector(entailment=FixedEntailment()).check(read_run({"messages": messages}))
        claim = next(c for c in report.claims if "broker" in c.text)
        assert (claim.status == "supported") is supported, claim.explanation


@pytest.mark.parametrize("case", FINER, ids=lambda case: case.answer[-60:])
def test_steps_exceptions_and_what_is_in_a_thing(case: Case, judged: Judged) -> None:
    claim = claim_of(case, judged)
    assert claim.status == case.status, claim.explanation
    if case.decided_by:
        assert claim.decided_by == case.decided_by, claim.explanation
