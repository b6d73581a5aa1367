"""Finding the part of an answer that speaks of a claim."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.stages.probe.align import (
    bearing_on,
    clauses_of,
    negated,
    sentence_around,
    sentences_of,
)

ANSWER = "The tent costs $429 and the pads cost $239. Delivery is on March 9, 2026.\n- Carrier: UPS"


def test_sentences_and_clauses() -> None:
    assert sentences_of(ANSWER) == [
        "The tent costs $429 and the pads cost $239.",
        "Delivery is on March 9, 2026.",
        "- Carrier: UPS",
    ]
    assert clauses_of(ANSWER)[:2] == ["The tent costs $429", "the pads cost $239."]
    assert "Delivery is on March 9, 2026." in clauses_of(ANSWER)
    assert sentences_of("合計は五ドルです。届きます。") == ["合計は五ドルです。", "届きます。"]


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        ("The tent costs $5", ["The tent costs $429"]),
        ("Two pads cost $239", ["the pads cost $239."]),
        ("Delivery is estimated for Monday", ["Delivery is on March 9, 2026."]),
        ("The warranty lasts ten years", []),
        ("$5", []),
        ("", []),
    ],
)
def test_the_pieces_that_bear_on_a_claim(claim: str, found: list[str]) -> None:
    assert bearing_on(claim, clauses_of(ANSWER)) == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It was refunded.", False),
        ("It was not refunded.", True),
        ("It wasn't refunded.", True),
        ("It wasn’t refunded.", True),
        ("No fee, and not one delay.", False),
        ("A notable north note.", False),
    ],
)
def test_negation(text: str, expected: bool) -> None:
    assert negated(text) is expected


def test_the_sentence_around_a_claim() -> None:
    answer = "Hello! The tent costs $429, and it ships today. Bye."
    start = answer.index("it ships")
    assert sentence_around(answer, start, start + 8) == "The tent costs $429, and it ships today."


@given(st.lists(st.text(alphabet="ab. \n!。", max_size=12)).map("".join), st.data())
def test_the_sentence_around_a_claim_holds_it(answer: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(answer)))
    end = data.draw(st.integers(start, len(answer)))
    assert answer[start:end].strip() in sentence_around(answer, start, end)
