"""A sentence of several clauses is read in each of them as well, and the one that is borne out least is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.ledger.ledger import Ledger
from affidavit.models.entailment import Entailment
from affidavit.report import HallucinationReport
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.linking import clauses, evidence_of, links_of
from affidavit.testing import FixedEntailment
from affidavit.trace import RunTrace

Judged = Callable[..., HallucinationReport]

PARCEL = ("get_parcel", {"id": "P-7"}, {
    "id": "P-7", "state": "in transit", "sent": "2026-03-03", "carrier": "Nordlys", "weight_kg": 4.2,
})  # fmt: skip
SURE = Entailment(0.9, 0.08, 0.02)
UNSURE = Entailment(0.005, 0.9, 0.095)


def claim_of(statement: str, before: str = "") -> Claim:
    return Claim(statement, 0, len(statement), "fact", statement, critical=False, before=before)


def in_clauses(ledger: Callable[..., Ledger], statement: str, before: str = "") -> list[Any]:
    evidence = evidence_of(ledger(PARCEL))
    return clauses(claim_of(statement, before), links_of(statement, evidence), evidence)


@pytest.mark.parametrize(
    ("statement", "parts"),
    [
        (
            "Your parcel is on its way, and Nordlys has had it since March 3.",
            ["Your parcel is on its way", "and Nordlys has had it since March 3."],
        ),
        (
            "It weighs 4.2 kg — so the small rate applies.",
            ["It weighs 4.2 kg", "so the small rate applies."],
        ),
        ("The parcel is on its way.", []),
        ("It left on Tuesday, March 3, 2026.", []),  # a date is of one piece
        ("Red, green and blue are left.", []),  # so are words in a row
        ("The note says “it left on Monday, and it was heavy”.", []),  # and what is quoted
        ("", []),
    ],
)
def test_where_a_sentence_is_parted(
    ledger: Callable[..., Ledger], statement: str, parts: list[str]
) -> None:
    assert [part.linked.statement for part in in_clauses(ledger, statement)] == parts


def test_a_clause_keeps_its_links_and_is_read_behind_what_stands_before_it(
    ledger: Callable[..., Ledger],
) -> None:
    said = "Your parcel is on its way, and it weighs 4.2 kg in all."
    first, second = in_clauses(ledger, said, before="Good news!")
    assert first.before == "Good news!"
    assert second.before == "Good news! Your parcel is on its way,"
    (weight,) = [link for link in second.linked.links if link.value.number is not None]
    value = weight.value
    assert second.linked.statement[value.start : value.end] == value.text
    assert weight.is_found
    assert not any(link.value.number is not None for link in first.linked.links)


def test_no_more_is_read_before_a_clause_than_before_a_claim(ledger: Callable[..., Ledger]) -> None:
    said = f"{'The carrier says that it is well packed, ' * 12}and it is on its way."
    assert max(len(part.before) for part in in_clauses(ledger, said)) <= 160


@given(st.text(alphabet="ab ,;:—", max_size=200), st.integers(0, 3))
def test_clauses_are_the_whole_statement_in_order(text: str, more: int) -> None:
    said = text + ", and it is on its way" * more * 5
    evidence = evidence_of(Ledger.of(RunTrace(run_id="r", messages=(), answer=said)))
    parts = clauses(claim_of(said), links_of(said, evidence), evidence)
    assert len(parts) <= 8
    at = 0
    for part in parts:
        assert part.start >= at
        assert said.startswith(part.linked.statement, part.start)
        assert not said[at : part.start].strip(" ,;:—–-")
        at = part.start + len(part.linked.statement)
    assert not parts or not said[at:].strip(" ,;:—–-")


SAID = "The parcel is in transit, and the carrier Nordlys sent it."


def doubting(part: str) -> FixedEntailment:
    """Sure of everything but the clause that holds ``part``, read alone."""
    return FixedEntailment(
        rule=lambda _, said: UNSURE if part in said.rpartition("»")[2] and "transit" not in said.rpartition("»")[2] else SURE
    )  # fmt: skip


@pytest.mark.spec("AFF-322")
def test_a_sentence_is_borne_out_no_further_than_its_weakest_clause_lets_it(judged: Judged) -> None:
    sure = judged([PARCEL], SAID, model=FixedEntailment(default=SURE)).claims[0]
    (claim,) = judged([PARCEL], SAID, model=doubting("sent it")).claims
    assert claim.score is not None and sure.score is not None
    assert claim.score < sure.score
    assert "“and the carrier Nordlys sent it.”" in claim.explanation
    (check,) = [check for check in claim.checks if check.name == "entailment"]
    assert check.score == pytest.approx((0.9 * 0.005) ** 0.5 / _total(SURE, UNSURE), abs=1e-3)


def _total(one: Entailment, other: Entailment) -> float:
    return float(
        sum(
            (getattr(one, label) * getattr(other, label)) ** 0.5
            for label in ("entailment", "neutral", "contradiction")
        )
    )


@pytest.mark.spec("AFF-322")
def test_a_sure_sentence_names_no_clause(judged: Judged) -> None:
    (claim,) = judged([PARCEL], SAID, model=FixedEntailment(default=SURE)).claims
    assert "“" not in claim.explanation


@pytest.mark.spec("AFF-322")
def test_cells_of_a_table_are_of_one_piece(judged: Judged) -> None:
    model = FixedEntailment(default=SURE)
    judged(
        [PARCEL],
        "| Parcel | Note |\n|---|---|\n| P-7 | it is on its way, and well packed |",
        model=model,
    )
    assert not any("»" in said for _, said in model.pairs)
