"""What rules allow in some states, ways or kinds only; second choices, bounds and needs: told right, and told wrong.
The model has no opinion, so that the exact checks decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from affidavit.report import ClaimVerdict

Judged = Callable[..., ClaimVerdict]

Call = tuple[str, dict[str, Any], Any]
TEXT = {"type": "string"}


def tool(name: str, description: str = "", **takes: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": takes, "required": list(takes)}
    return {"name": name, "description": description, "input_schema": schema}


PARCELS = (
    "You are a parcel desk. A parcel can only be rerouted if its status is 'announced', and you check it first. "
    "A parcel can only be refunded when it is lost. The status of a parcel can be: announced, shipped, delivered or lost."
)
PARCEL: tuple[Call, ...] = (
    ("get_parcel", {}, {"parcel_id": "P-7155", "status": "shipped", "weight_kg": 3}),
)
BOOKINGS = (
    "Only confirmed bookings can be rebooked. A refund is only possible for cancelled flights."
)
BOOKING: tuple[Call, ...] = (
    ("get_booking", {}, {"booking_id": "QX7Z41", "status": "waitlisted", "from": "OSL"}),
)
LEAVES = "You are the HR desk. Leave requests can only be withdrawn while they are 'submitted' or 'draft'."
LEAVE: tuple[Call, ...] = (
    ("get_leave", {}, {"request_id": "L-5512", "status": "approved", "days": 5}),
)
RAILWAY = (
    "A ticket can be changed to another train of the same fare class; there cannot be any change of fare class. "
    "A compensation must either go to the original payment method or to a travel voucher."
)
TICKET: tuple[Call, ...] = (
    ("get_ticket", {}, {"ticket": "TK-7712", "name": "Saver Return", "payment_method_id": "debit_card_51", "price_eur": 44.0}),
)  # fmt: skip
HOTELS: tuple[Call, ...] = (
    ("get_trip", {}, {"trip": "T-5512", "first_hotel": "hotel_91", "spare_hotel": "inn_47"}),
    ("book_room", {"hotel_id": "hotel_91"}, {"booking": "B-771203", "hotel_id": "hotel_91", "status": "booked"}),
)  # fmt: skip
BOARDS: tuple[Call, ...] = (
    ("list_boards", {}, {"product": "Skateboard", "variants": [
        {"item": "sk_10021", "deck": "maple", "length": "34 inch", "print": "graphic", "available": False, "price_eur": 86.0},
        {"item": "sk_10022", "deck": "maple", "length": "28 inch", "print": "plain", "available": True, "price_eur": 64.0},
        {"item": "sk_10023", "deck": "plastic", "length": "34 inch", "print": "custom", "available": True, "price_eur": 99.5},
        {"item": "sk_10024", "deck": "bamboo", "length": "31 inch", "print": "plain", "available": True, "price_eur": 120.0},
    ]}),
)  # fmt: skip
TENTS: tuple[Call, ...] = (
    ("list_tents", {}, {"tents": [{"name": "Fjell 2", "price_eur": 189.0}, {"name": "Vidda 3", "price_eur": 249.0}, {"name": "Lom 1", "price_eur": 99.5}]}),
    ("get_voucher", {}, {"voucher": "V-7712", "balance_eur": 44.0, "spent_eur": 260.0}),
)  # fmt: skip
FAMILIES: tuple[Call, ...] = (
    ("list_bookings", {}, {"bookings": [
        {"booking_id": "B-7711", "passengers": [{"name": "Ida", "type": "adult"}, {"name": "Tor", "type": "child"}]},
        {"booking_id": "B-7712", "passengers": [{"name": "Ann", "type": "adult"}, {"name": "Per", "type": "child"}, {"name": "Kim", "type": "child"}]},
    ]}),
)  # fmt: skip
FARE: tuple[Call, ...] = (("quote_change", {}, {"difference_eur": 42.5}),)
FLIGHT: tuple[Call, ...] = (
    ("get_flight", {}, {"flight": "NV 417", "tracking_id": "88123", "options": {"seat": "aisle", "meal": "vegetarian", "bag": "23 kg"}}),
)  # fmt: skip
REPAIRS = (
    tool("get_repair", repair_no={"type": "string", "description": "Such as 'R-00000'."}),
    tool("list_devices"),
    tool("book_repair", "Books a repair of some devices.", device_ids={"type": "array", "items": TEXT}),
    tool("file_claim", "Files a claim.", photo_urls={"type": "array", "items": TEXT}),
)  # fmt: skip
DEVICES: tuple[Call, ...] = (
    ("list_devices", {}, {"devices": [{"device_id": "dv_301", "name": "Dishwasher"}, {"device_id": "dv_302", "name": "Oven"}]}),
    ("book_repair", {"device_ids": ["dv_301"]}, {"repair_no": "R-50001", "device_ids": ["dv_301"]}),
)  # fmt: skip
SEATS: tuple[Call, ...] = (
    ("move_seats", {"seat_ids": ["st_1201", "st_1202"], "new_seat_ids": ["st_1401", "st_1507"]}, {"booking": "B-7711", "moved": 2}),
)  # fmt: skip
BOTH: tuple[Call, ...] = (
    DEVICES[0],
    ("book_repair", {"device_ids": ["dv_301", "dv_302"]}, {"repair_no": "R-50001"}),
)


@dataclass(frozen=True)
class Case:
    """The calls and the rules of a run, an answer, a word of the claim, and what must become of it."""

    calls: tuple[Call, ...]
    answer: str
    says: str
    status: str
    decided_by: str | None = None
    system: str = ""
    tools: tuple[dict[str, Any], ...] = ()
    asked: str = (
        "P-7155, QX7Z41, L-5512, TK-7712, T-5512, hotel_91, dv_301, dv_302, st_1201, st_1202, st_1401, st_1507: a Flex Pass, a bank account, PayPal, my debit card, "
        "a maple, 34 inch, graphic board or a plastic one, under €200: how do things stand? My lamp arrived broken."
    )


ON_A_STATE = [
    Case(PARCEL, "P-7155 can't be rerouted anymore.", "rerouted", "supported", "barred", PARCELS),
    Case(PARCEL, "A shipped parcel can't be rerouted.", "rerouted", "supported", "barred", PARCELS),
    Case(PARCEL, "Shipped parcels cannot be rerouted or refunded.", "refunded", "supported", "barred", PARCELS),
    Case(PARCEL, "Since P-7155 is already shipped, a refund isn't possible.", "refund", "supported", "barred", PARCELS),
    Case(PARCEL, "We can't refund it unless it's lost.", "refund", "supported", "barred", PARCELS),
    Case(BOOKING, "QX7Z41 can't be rebooked because it is waitlisted.", "rebooked", "supported", "barred", BOOKINGS),
    Case(BOOKING, "Since QX7Z41 isn't confirmed, it can't be rebooked.", "rebooked", "supported", "barred", BOOKINGS),
    Case(LEAVE, "L-5512 can no longer be withdrawn.", "withdrawn", "supported", "barred", LEAVES),
    Case(LEAVE, "You can't withdraw an approved request.", "withdraw", "supported", "barred", LEAVES),
    # allowed all the same, and where it is
    Case(PARCEL, "A shipped parcel can be rerouted.", "rerouted", "contradicted", "barred", PARCELS),
    Case(BOOKING, "Waitlisted bookings can be rebooked.", "rebooked", "contradicted", "barred", BOOKINGS),
    Case(PARCEL, "We can reroute or refund a shipped parcel.", "refund", "contradicted", "barred", PARCELS),
    Case(PARCEL, "We can reroute a shipped parcel for you by hand.", "reroute", "exempt", None, PARCELS),
    Case(PARCEL, "An announced parcel can be rerouted.", "rerouted", "unsupported", None, PARCELS),
    Case(PARCEL, "Once it is announced, a shipped parcel can be rerouted.", "rerouted", "unsupported", None, PARCELS),
    # another state than is on record, one in which it is allowed, another reason, and a deed of no rule
    Case(PARCEL, "P-7155 can't be rerouted because it is lost.", "lost", "contradicted", "barred", PARCELS),
    Case(LEAVE, "L-5512 can't be withdrawn as it's a draft.", "draft", "unsupported", None, LEAVES),
    Case(PARCEL, "An announced parcel can't be rerouted.", "rerouted", "unsupported", None, PARCELS),
    Case(PARCEL, "Parcels can't be rerouted because the depot is closed.", "depot", "unsupported", None, PARCELS),
    Case(PARCEL, "A shipped parcel can't be opened.", "opened", "unsupported", None, PARCELS),
]  # fmt: skip
ON_A_KIND_OR_WAY = [
    Case(TICKET, "I can't exchange the Saver Return for a Flex Pass, they are different fare classes.", "Flex", "supported", "same_kind", RAILWAY),
    Case(TICKET, "I can't exchange the Saver Return for a Flex Pass because the office is closed.", "Flex", "unsupported", None, RAILWAY),
    Case(TICKET, "I'm unable to send the compensation to your bank account.", "bank", "supported", "other_ways", RAILWAY),
    Case(TICKET, "I'm unable to send the compensation to your debit card.", "debit", "unsupported", None, RAILWAY),
    Case(TICKET, "I'm unable to send the compensation to a travel voucher.", "voucher", "unsupported", None, RAILWAY),
    Case(TICKET, "Since the original payment was by gift card, I'm unable to send the compensation to your bank account.", "bank", "unsupported", None, RAILWAY),
]  # fmt: skip
OF_CALLS = [
    Case(HOTELS, "The fallback inn_47 was not needed.", "needed", "supported", "fallbacks"),
    Case(HOTELS, "The backup hotel_91 was not needed.", "needed", "contradicted", "fallbacks"),
    Case(HOTELS, "The fallback inn_47 was needed.", "needed", "contradicted", "fallbacks"),
    Case(FLIGHT, "Our system does support archiving old repairs.", "archiving", "unsupported", "limits", tools=REPAIRS),
    Case(FLIGHT, "Adding a note to your file can be done through me.", "note", "unsupported", "limits", tools=REPAIRS),
    Case(SEATS, "Seat moved: st_1201 → st_1401", "1401", "supported"),
    Case(SEATS, "Seat moved: st_1202 → st_1401", "1401", "contradicted", "pairs"),
    Case(DEVICES, "This request is for the dishwasher only.", "only", "supported", "only_passed", tools=REPAIRS),
    Case(BOTH, "This request is for the dishwasher only.", "only", "contradicted", "only_passed", tools=REPAIRS),
    Case((), "A receipt is not required for me to submit the request.", "receipt", "supported", "not_required", tools=REPAIRS),
    Case((), "Photos are not required for me to file the claim.", "Photos", "contradicted", "not_required", tools=REPAIRS),
    Case((), "A passport is not required to enter the country.", "passport", "unsupported", None, tools=REPAIRS),
    Case((), "Your repair number starts with ‘R’.", "starts", "unsupported", None, tools=REPAIRS),
    Case((), "Your repair no starts with nothing. The repair no. is long.", "long", "unsupported", None, tools=REPAIRS),
    Case(DEVICES, "Each device ID begins with the letters of your town.", "begins", "unsupported", None, tools=REPAIRS),
    Case(DEVICES, "This request is for the oven only.", "only", "contradicted", "only_passed", tools=REPAIRS),
    Case(DEVICES, "This request is for the ground floor only.", "only", "unsupported", None, tools=REPAIRS),
    Case(DEVICES, "Each device ID begins with ‘dv’.", "begins", "supported", "affixes", tools=REPAIRS),
    Case(DEVICES, "Each device ID begins with ‘R-’.", "begins", "contradicted", "affixes", tools=REPAIRS),
    Case(FARE, "Additional charge: €42.50. Since this is an extra charge, no refund is due.", "refund", "supported", "charges"),
    Case(FARE, "The refund is €42.50. Since this is an extra charge, no refund is due.", "no refund", "unsupported"),
    Case(FLIGHT, "There isn't a way to add a note on your account today.", "note", "supported", "limits", tools=REPAIRS),
    Case(FLIGHT, "There isn't a way to book a repair on your account.", "repair", "unsupported", tools=REPAIRS),
]  # fmt: skip
OF_LISTS = [
    Case(BOARDS, "Asked for: maple, 34 inch, graphic.\nThat exact variant exists but is unavailable.", "exists", "supported", "there_is"),
    Case(BOARDS, "Asked for: plastic, 34 inch, graphic.\nThat exact variant exists.", "exists", "unsupported", "there_is"),
    Case(BOARDS, "Asked for: maple, 34 inch, graphic.\nThat exact variant is available.", "available", "contradicted", "flags"),
    Case(BOARDS, "A 36 inch option isn't listed.", "36", "supported", "none_such"),
    Case(BOARDS, "A 31 inch option isn't listed.", "31", "unsupported"),
    Case(BOARDS, "There is no option under €60.", "60", "supported", "none_such", asked="Any board under €60?"),
    Case(BOARDS, "There is no option under €65.", "65", "unsupported"),
    Case(TENTS, "Two tents under €200:\n- Fjell 2: €189.00\n- Lom 1: €99.50", "Two", "supported"),
    Case(TENTS, "Two tents under €200:\n- Fjell 2: €189.00\n- Vidda 3: €249.00", "Two", "contradicted", "led_bounds"),
    Case(TENTS, "Your voucher has €44.00 left, which won't cover a new tent.", "cover", "supported", "covers"),
    Case(TENTS, "Your voucher has €44.00 left, which covers any tent.", "covers", "contradicted", "covers"),
    Case(TENTS, "You spent €260.00, which won't cover a new tent.", "cover", "contradicted", "covers"),
    Case(TENTS, "Tents within €60 of your budget:\n- Vidda 3: €249.00", "within", "supported", "values", asked="My budget is €200, give or take €60."),
    Case(TENTS, "Your voucher has €44.00 left, which covers the tent.", "covers", "unsupported"),
    Case(FAMILIES, "None of your bookings has three children.", "three", "supported", "none_contains"),
    Case(FAMILIES, "None of your bookings has two children.", "two", "contradicted", "none_contains"),
    Case(FAMILIES, "No booking has more than one adult.", "adult", "supported", "none_contains"),
    Case(FAMILIES, "None of your bookings has two dogs.", "dogs", "unsupported"),
    Case(FLIGHT, "There is no wheelchair option to choose.", "wheelchair", "supported", "absence"),
    Case(FLIGHT, "There is no seat option to choose.", "seat", "unsupported"),
    Case(FLIGHT, "It does not show a carrier name or a tracking link.", "link", "supported", "absence"),
    Case(FLIGHT, "It does not show a meal name.", "meal", "unsupported"),
    Case(FLIGHT, "I don't have a guaranteed arrival time.", "guaranteed", "supported", "absence"),
    Case(TENTS, '{"keep": {"items": [{"title": "Lom 1", "price_eur": 99.5}], "total_eur": 99.5}}', "total", "supported"),
    Case(TENTS, '{"keep": {"items": [{"title": "Lom 1", "price_eur": 99.5}], "total_eur": 189.0}}', "total", "contradicted"),
]  # fmt: skip


def claim_of(case: Case, judged: Judged) -> ClaimVerdict:
    return judged(
        case.calls, case.answer, case.says, asked=case.asked, system=case.system, tools=case.tools
    )


@pytest.mark.parametrize(
    "case",
    [*ON_A_STATE, *ON_A_KIND_OR_WAY, *OF_CALLS, *OF_LISTS],
    ids=lambda case: case.answer[-60:],
)
def test_rules_and_choices(case: Case, judged: Judged) -> None:
    claim = claim_of(case, judged)
    assert claim.status == case.status, claim.explanation
    if case.decided_by:
        assert claim.decided_by == case.decided_by, claim.explanation
