"""Farewells, apologies and advice are small talk only as far as they say nothing of the matter."""

from __future__ import annotations

import pytest

from affidavit.stages.ground.split import split_claims
from affidavit.stages.ground.split.kinds import EXEMPT

KINDS = {
    "greeting": [
        "I'm sorry to hear that.", "I'm so sorry for the delay.", "I'm sorry you had to call twice.", "Take care!",
        "A presto!", "Buona serata!", "Bonne soirée !", "À bientôt !", "Bon rétablissement !", "Hasta luego.",
        "Saludos", "Que te mejores pronto.", "Até logo!", "As melhoras!", "Gute Besserung!", "Schönen Abend noch!",
        "Auf Wiedersehen!", "Beterschap!", "Tot ziens!", "Fijne avond!",
    ],
    "opinion": [
        "It's best to ask the box office about that.", "You may want to check with your landlord first.",
        "With that much luggage, I'd personally lean towards the larger van.", "I'd go with Plan 30.",
        "My pick would be the corner table.",
    ],
    "absence": [
        "I don't know whether it has been paid.", "I can't say when.", "How many seats it has is not recorded.",
        "The deposit isn't mentioned in the lease.", "There is no information on parking.",
        "No further payment is planned.", "The leaflet doesn't say who runs it.", "I'm not aware of a second date.",
        "The search came back with no matches.",
    ],
    "fact": [
        "I'm sorry that your claim was rejected.", "It ran for 3 days with no errors.", "We can only cancel whole orders.",
        "You can't split an order that's already been placed.", "The ticket does not include breakfast.",
        "We take returns within a month.", "I'd go with Plan 30 because it is €5 cheaper.",
        "I haven't told the landlord.", "It's best to store it below 5 °C.",
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "answer"), [(kind, text) for kind, texts in KINDS.items() for text in texts]
)
def test_kind(kind: str, answer: str) -> None:
    assert [claim.kind for claim in split_claims(answer)] == [kind]


HIDDEN = [
    "I'm sorry, I couldn't open the ledger because the server timed out.",
    "Sorry, Ines, the pool is closed on Mondays.",
    "I apologize, but the form was rejected.",
    "Thanks for your patience, your refund has been approved.",
    "Thank you for waiting, the room is confirmed.",
    "I'm glad you asked, the gate is open.",
]


@pytest.mark.parametrize("answer", HIDDEN)
def test_news_behind_a_kind_word_is_judged(answer: str) -> None:
    assert split_claims(answer)[-1].kind not in EXEMPT


def test_what_would_be_liked_is_asked_even_as_a_sentence() -> None:
    answer = (
        "Would you like to:\n- Keep your order as is and plan to return the lamp later\n- Cancel it"
    )
    assert {claim.kind for claim in split_claims(answer)} <= EXEMPT
