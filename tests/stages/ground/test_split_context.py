"""Cuts before quotations, what pronouns and "there" stand for, and what the user said themselves."""

from __future__ import annotations

import pytest

from affidavit.stages.ground.split import split_claims

CUTS = [
    ("The patch adds a lock (#2093). According to its notes, it closes OPS-11.", 2),
    ('The set lasts 90 minutes. "Low Tide" is the longest piece.', 2),
    ("The set lasts 90 minutes. “Low Tide” is the longest piece.", 2),
    ("The room seats 40. (Standing guests are not counted.) Doors open at 7.", 3),
    ("Ferrand, Ida (2019). *Tides*. Shore Notes 3(1), pp. 4–9.", 1),
    ('It was painted by Mr. "Lefty" Dunn.', 1),
    ("You're on the basic plan and need another 40 credits.", 2),
    ("You can keep it and need no receipt.", 1),
    ("Leave the van here and hand in the keys once it's empty.", 1),
    ("Imports under heading 84 pay 3% duty.", 1),
]


@pytest.mark.parametrize(("answer", "pieces"), CUTS)
def test_cut(answer: str, pieces: int) -> None:
    assert len(split_claims(answer)) == pieces


LAST = [
    ("Train 902 reaches Ghent at 6:10, which is 12 minutes late.",
     "Train 902 reaches Ghent at 6:10, which is 12 minutes late."),
    ("70413 from Malmö is now in Ghent. It's hauling 20 cars.", "70413 from Malmö is hauling 20 cars."),
    ("Ashford sit fourth with 30 points. They have lost 5 games.", "Ashford have lost 5 games."),
    ("North Pier is run by Ana Sol. The crew there numbers 12.", "The crew at North Pier numbers 12."),
    ("Invoice K-9 is open. Nothing has been paid on it yet.", "Nothing has been paid on Invoice K-9 yet."),
    ("Pepper's jab is due. She weighed 4.1 kg.", "Pepper weighed 4.1 kg."),
    ("The tour on 3 May now starts at 9:00. It is still an hour long.",
     "The tour on 3 May is still an hour long."),
    ("Done: the lesson on 3 May starts at 9:00. It lasts an hour.", "The lesson on 3 May lasts an hour."),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "statement"), LAST)
def test_the_last_statement_stands_alone(answer: str, statement: str) -> None:
    assert split_claims(answer)[-1].statement == statement


def test_one_of_a_kind_leans_on_nothing() -> None:
    claims = split_claims("The board has two seats. One lamp is broken.")
    assert claims[-1].context == ""


TOLD = [
    ("You have 2 kg.", "I've got 2 kg of flour left. What can I bake?", "restatement"),
    ("You're on Python 3.9.", "We're on Python 3.9, does it run?", "restatement"),
    ("You have 2 kg.", "I need a scale. Do I have 2 kg?", "fact"),
    ("You have 2 credits.", "I've got 2 kg of flour left.", "fact"),
    ("You have 3 kg.", "I've got 2 kg of flour left.", "fact"),
    ("The bag holds 2 kg.", "I've got 2 kg of flour left.", "fact"),
]


@pytest.mark.parametrize(("answer", "question", "kind"), TOLD)
def test_what_the_user_told_is_said_back(answer: str, question: str, kind: str) -> None:
    assert [claim.kind for claim in split_claims(answer, question=question)] == [kind]


def test_a_claim_knows_what_the_answer_says_before_it() -> None:
    answer = (
        "## Trains\n\n**TP 9** left at 8:00. `TP 10` was to leave at 8:30. The second one was late.\n\n"
        + "It was full. " * 40
    )
    claims = split_claims(answer)
    late = next(claim for claim in claims if "late" in claim.text)
    assert late.before == "Trains TP 9 left at 8:00. TP 10 was to leave at 8:30."
    assert all(len(claim.before) <= 160 for claim in claims)
    assert claims[-1].before.endswith("It was full.")


def test_cells_and_leaves_of_json_have_their_own_context() -> None:
    cells = split_claims("Two rooms:\n\n| room | price |\n|---|---|\n| 1 | $80 |\n| 2 | $90 |")
    assert {claim.before for claim in cells if claim.cell is not None} == {""}
    assert {claim.before for claim in split_claims('{"room": 1, "price": 80}')} == {""}
