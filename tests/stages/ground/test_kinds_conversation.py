"""Kinds in service conversations: what is asked of the user, offered, planned, and said of the world."""

from __future__ import annotations

import pytest

from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.split import split_claims
from affidavit.stages.ground.split.kinds import EXEMPT

ASKED = [
    "If you can't recall the address you signed up with, share your full name instead.",
    "If you pick the refund, tell me the reason for it.",
    "Share your surname and postcode whenever you're ready.",
    "Confirm that the blue cover is the one you want, or tell me which other you prefer.",
    "Reply yes to go ahead.",
    "To go on, please tell me the account number.",
    "Tell me what should be changed.",
    "If so, confirm the new delivery slot.",
    "Also, confirm the card you'd like to use.",
    "Whenever you're ready to start, just say so.",
    "Choose one of the two and I'll set it up.",
    "Send me the two item numbers.",
    "“Yes, book it.”",
    "Since you don't have the number at hand, please share your surname.",
    "If you have any other details, such as the date, that could also help me find it.",
    "If it's easier, you can also share your customer number.",
    "Any preference on the colour, so I can narrow it down.",
    "If you'd like another seat (e.g., by the window), let me know.",
    "Please confirm that nothing else is to be sent back, as a return can only be opened once.",
]
PLANNED = [
    "I'll need your surname and your postcode.",
    "In order to check who you are, I'll need your postcode.",
    "For security reasons, I do need you to spell your surname.",
    "This will help me find your booking.",
    "I'm transferring you to a colleague.",
    "You are being transferred to a colleague.",
    "One of our specialists will contact you shortly.",
    "I'm ready to proceed with the change.",
    "For example, other colours or sizes.",
]
SMALL_TALK = [
    "I know this is stressful.",
    "I know how frustrating waiting can be.",
    "I understand the urgency of this.",
    "I understand you're in a hurry.",
    "I'm here to help until this is sorted out.",
    "My morning's going well, thanks for asking!",
    "No further details are needed from you at this time.",
    "You're good to go.",
]
RESTATED = [
    "You've confirmed that these are all the changes you want.",
    "You also asked for a window seat.",
    "You have chosen the larger size.",
    "I've noted that you'd like to keep the old number.",
    "To confirm, you are requesting a refund.",
]
HELD_AGAINST_IT = [
    "If the fare goes down, the difference goes back to your voucher.",
    "After the change, we won't be able to move the booking again.",
    "You'll receive an e-mail with the label.",
    "No further changes can be made to the booking.",
    "We can't split one payment over two cards.",
    "I could only find one bus.",
    "If you want to drop one guest, the whole booking has to be cancelled.",
    "It cannot be returned yet.",
    "I have the taxi booked and on its way.",
    "To sum up, I found three trips for which I can change the seat.",
    "I'm happy to help with trip #T4471 since it is still open.",
    "The bus costs $43, please confirm.",
    "To summarize, I found two trips for which the seat can be changed:",
    "Share prices fell by 3%.",
    "Reply rates rose to 40%.",
    "“Yes, the bus is on time.”",
    "Return shipping is free.",
    "When you choose the express bus, the seat is free.",
    "Order #T4471 (delivered): in a list of its own.",
    "If you prefer the express train, it takes 2 hours.",
    "Since trip #T4471 costs $80, would you like another one?",
]


@pytest.mark.parametrize(
    ("kinds", "answer"),
    [(("offer", "question"), a) for a in ASKED]
    + [(("plan",), a) for a in PLANNED]
    + [(("greeting", "opinion"), a) for a in SMALL_TALK]
    + [(("restatement",), a) for a in RESTATED],
)
def test_talk_with_the_user(kinds: tuple[str, ...], answer: str) -> None:
    assert {claim.kind for claim in split_claims(answer)} <= set(kinds)


@pytest.mark.parametrize("answer", HELD_AGAINST_IT)
def test_rules_and_findings_are_held_against_the_answer(answer: str) -> None:
    assert any(claim.kind not in EXEMPT for claim in split_claims(answer))


@pytest.mark.parametrize(
    "answer",
    [
        "I've verified your account.",
        "I was able to verify your identity.",
        "I've located your booking.",
        "I have reviewed both trips.",
        "I've already looked up the fare.",
    ],
)
def test_what_the_agent_read_is_no_action(answer: str) -> None:
    assert [(c.kind, c.performer) for c in split_claims(answer)] == [("fact", "agent")]


def kinds(answer: str) -> dict[str, str]:
    """The kind of each claim by its text; ``*`` where its values are still looked up."""
    return {c.text: c.kind + "*" * c.presumes for c in split_claims(answer)}


LISTS = {
    "asks": (
        "Happy to help. Please provide:\n- Surname\n- The number of the trip you booked\n- The stop where the bag was left\n- Rough date (if known)\n",
        {
            "Surname": "offer",
            "The number of the trip you booked": "offer",
            "The stop where the bag was left": "offer",
            "Rough date (if known)": "offer",
        },
    ),
    "asks by its heading": (
        "## What I need from you\n- Surname\n- Postcode\n",
        {"What I need from you": "greeting", "Surname": "offer", "Postcode": "offer"},
    ),
    "asks in a sentence without a colon": (
        "Please confirm the following so I can go on.\n- Trip: #T4471\n- Seat: 14C\n",
        {"Trip: #T4471": "offer*", "Seat: 14C": "offer*"},
    ),
    "asks across titles": (
        "Please confirm:\n\n**Trip #T4471:**\n- New seat: 14C\n- Status: Open\n",
        {"New seat: 14C": "offer*", "Status: Open": "fact"},
    ),
    "plans once confirmed": (
        "Here's what I'll do once you confirm:\n- Seat: 12A -> 14C\n- Fee: $15\n- You'll get an e-mail.\n\nOK?",
        {"Seat: 12A -> 14C": "plan*", "Fee: $15": "plan*", "You'll get an e-mail.": "fact"},
    ),
    "proposes": (
        "Proposed changes:\n- Desk mat: change colour to grey\n- Refund to card ending in 4411\n\nDo you confirm?",
        {"Desk mat: change colour to grey": "plan*", "Refund to card ending in 4411": "plan*"},
    ),
    "offers": (
        "I can:\n- Cancel the trip\n- Move it to trip #T4472, or\n- It costs $15.\n",
        {
            "Cancel the trip": "offer",
            "Move it to trip #T4472, or": "offer*",
            "It costs $15.": "fact",
        },
    ),
    "restates": (
        "To confirm, you'd like to:\n- Cancel trip #T4471\n- Keep the hotel\n",
        {"Cancel trip #T4471": "plan*", "Keep the hotel": "plan*"},
    ),
    "lacks": (
        "What I'm not seeing in our system:\n- Carrier name\n- Who signed for it\n",
        {"Carrier name": "absence", "What I'm not seeing in our system:": "greeting"},
    ),
    "repeats": (
        "The changes you asked for:\n- Move trip #T4471\n- Window seat\n",
        {"Move trip #T4471": "plan*", "Window seat": "restatement"},
    ),
    "needs": (
        "Meanwhile, a couple of things I'll need once you're verified:\n- Surname\n",
        {"Surname": "offer"},
    ),
    "shows": (
        "Here are your trips:\n- #T4471, Porto\n- #T4472, Braga\n\nWhich one shall I cancel?",
        {"#T4471, Porto": "fact", "#T4472, Braga": "fact"},
    ),
    "shows what there is": (
        "The available options are:\n- Seat 14C, $15\n- Seat 12A, $9\n\nWhich one do you want?",
        {"Seat 14C, $15": "fact", "Seat 12A, $9": "fact"},
    ),
    "shows under a plan to show": (
        "Let me summarize the trip:\n- Fare: $80\n- Seat: 14C\n\nPlease confirm the date.",
        {"Fare: $80": "fact", "Seat: 14C": "fact"},
    ),
    "tells what was done": (
        "I've changed the trip:\n- Seat: 14C\n- Refund of $15 to your card\n\nWould you like to proceed with the hotel?",
        {"Seat: 14C": "fact", "Refund of $15 to your card": "fact"},
    ),
}


@pytest.mark.parametrize("case", LISTS)
def test_a_list_takes_the_sense_of_its_lead(case: str) -> None:
    answer, expected = LISTS[case]
    assert expected.items() <= kinds(answer).items()


POINTERS = [
    "Important notes before we go on:\n\nIt is late.",
    "Expected arrival dates:\n\nIt is late.",
    "What I'm not seeing in the system:\n\nIt is late.",
    "Your payment methods are:\n\nIt is late.",
    "A few notes about the way we handle orders:\n\nIt is late.",
    "Here's what I've changed:\n\nIt is late.",
    "Based on your note, here are the details for that trip:\n\nIt is late.",
    "What's next:\n\nIt is late.",
    "Fees and timing\n\nIt is late.",
    "Account check\nThe trip is late.",
    "Here are the details of trip #T4471:\n\nIt is late.",
]


@pytest.mark.parametrize("answer", POINTERS)
def test_lines_that_only_point_are_no_claims(answer: str) -> None:
    assert [claim.kind for claim in split_claims(answer)] == ["greeting", "fact"]


@pytest.mark.parametrize(
    "answer",
    [
        "Trip #T4471 (cancelled):\n- Porto",
        "It includes a free hotel with the following perks:\n- Bath",
    ],
)
def test_a_lead_that_says_something_is_judged(answer: str) -> None:
    assert split_claims(answer)[0].kind == "fact"


def one(answer: str) -> Claim:
    [claim] = split_claims(answer)
    return claim


def test_identifiers_in_requests_are_looked_up_but_for_examples() -> None:
    assert one("Shall I cancel trip #T4471?").presumes
    assert one("Would you like the refund on the card ending in 4411?").presumes
    assert not one("Could you send me the trip number (e.g. #T0000)?").presumes
    assert not one("Shall I look at the next 3 days?").presumes


WHOLE = [
    "I've paid for the trip, using your Visa ending in 6593.",
    "I can cancel the trip and have the fare returned to your card.",
    "I can compare both and calculate exactly how much you'd save.",
    "Could you tell me what you can and can't change?",
    "Thank you, Mei, for confirming that you'd like to keep it.",
]


@pytest.mark.parametrize("answer", WHOLE)
def test_tails_stay_with_their_clause(answer: str) -> None:
    assert one(answer).text == answer


def test_an_afterthought_does_not_repeat_the_deed() -> None:
    claims = split_claims("I've moved the trip, bringing the total to $80.")
    assert [claim.kind for claim in claims] == ["action", "fact"]


def test_light_or_power_sources_are_not_cited() -> None:
    assert one("Colour: white, Power Source: USB").kind == "fact"
    assert one("It is late (source: Harbour Guide).").kind == "citation"


def test_no_armrest_is_no_absence() -> None:
    assert one("- Material: mesh, Armrest: None, Height: 90 cm").kind == "fact"
