"""What stands around a claim, and what the user said themselves."""

from __future__ import annotations

import pytest

from affidavit.stages.ground.split import split_claims

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
