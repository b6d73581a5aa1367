"""What kind a sentence is: rates over sentences of real answers that were labelled by hand, and plain ones of each kind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from affidavit.stages.ground.split import split_claims
from affidavit.stages.ground.split.kinds import EXEMPT, WEIGHTS

ROOT = Path(__file__).parents[3]

PLAIN = {
    "greeting": ["Hello!", "Hi Noah,", "Thank you for your patience.", "Here are the details:", "I hope this helps!"],
    "offer": [
        "Would you like me to try again in a minute?", "Let me know if you'd like the prices in euros.",
        "Please provide your email address.", "Is there anything else I can help you with?",
        "If you'd like, I can also look at other dates.",
    ],
    "plan": ["I'll check that for you.", "Let me look that up."],
    "action": ["I've cancelled order W12.", "Your order has been cancelled.", "I've sent the invoice to Anna."],
    "absence": ["I couldn't find any bookings under that name.", "There are no open orders."],
    "citation": ["Heating costs fell by 38% on average [2]."],
    "fact": [
        "The total is $74.90.", "It closes at 18:00 on Sundays.", "Your flight was delayed by 40 minutes.",
        "Breakfast is included in the rate.", "The build failed because of a missing module.",
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "answer"), [(kind, text) for kind, texts in PLAIN.items() for text in texts]
)
def test_a_plain_sentence_is_of_its_kind(kind: str, answer: str) -> None:
    [claim] = split_claims(answer)
    assert claim.kind == kind


@pytest.mark.torch
def test_labelled_sentences_are_judged_or_exempted_as_the_card_says() -> None:
    from affidavit.training.kinds import measured, read_sentences

    parts = read_sentences(ROOT / "benchmarks" / "data" / "sentences.jsonl.gz")
    told = {s.text for s in parts["train"]} & {s.text for s in parts["test"]}
    assert not told
    found = measured(parts["test"], WEIGHTS)
    card = json.loads(WEIGHTS.read_text(encoding="utf-8"))["card"]
    assert found.right >= 0.92
    assert found.held_exempted <= 0.04
    assert card["tested_on"] == found.sentences
    assert card["judged_or_exempted_rightly"] == pytest.approx(found.right, abs=0.001)


def test_a_sentence_that_does_both_is_judged() -> None:
    claims = split_claims("Would you like a seat for $45, since the 9:30 train is sold out?")
    assert [claim.kind in EXEMPT for claim in claims] == [False]


def test_who_did_it_is_told() -> None:
    told = {
        c.text: c.performer for c in split_claims("I've cancelled W12. W13 has been cancelled.")
    }
    assert told == {"I've cancelled W12.": "agent", "W13 has been cancelled.": "unsaid"}
