"""A claim that the best lines do not bear out is held against the next ones before it is doubted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from affidavit.models.entailment import Entailment
from affidavit.report import HallucinationReport
from affidavit.testing import FixedEntailment

Judged = Callable[..., HallucinationReport]

SURE = Entailment(0.97, 0.02, 0.01)
UNSURE = Entailment(0.2, 0.7, 0.1)
CLAIM = "The kiln was left unusable by the accident."
DECIDES = "crack through the floor and both walls, out of service"
NOTES = [
    {"id": n, "note": f"the kiln log of day {n} says nothing of the accident and the kiln was left as it was"}
    for n in range(4)
]  # fmt: skip
CALL = ("read_log", {}, [*NOTES, {"id": 99, "note": DECIDES}])


def reader(decides: str) -> FixedEntailment:
    """A model that entails what stands beside the words that decide."""
    return FixedEntailment(rule=lambda premise, _: SURE if decides in premise else UNSURE)


def read(judged: Judged, calls: Sequence[Any], decides: str) -> tuple[float, list[str]]:
    """How well the claim is supported, and the premises that the model was shown for it."""
    model = reader(decides)
    (claim,) = judged(calls, CLAIM, model=model).claims
    assert claim.score is not None
    return claim.score, [premise for premise, _ in model.pairs]


def test_what_the_best_lines_do_not_bear_out_is_read_on(judged: Judged) -> None:
    found, shown = read(judged, [CALL], DECIDES)
    missed, _ = read(judged, [CALL], "words that stand nowhere")
    assert DECIDES not in shown[0]
    assert any(DECIDES in premise for premise in shown[1:])
    assert found > missed


def test_the_lines_that_bear_it_out_are_the_ones_shown(judged: Judged) -> None:
    def shown(decides: str) -> str:
        (claim,) = judged([CALL], CLAIM, model=reader(decides)).claims
        return " ".join(span.text for span in claim.evidence_spans)

    assert DECIDES in shown(DECIDES)
    assert DECIDES not in shown("words that stand nowhere")


def test_the_lines_that_come_next_are_others(judged: Judged) -> None:
    _, (first, further) = read(judged, [CALL], DECIDES)
    days = [{n for n in range(4) if f"of day {n} " in shown} for shown in (first, further)]
    assert all(days)
    assert not days[0] & days[1]


def test_what_is_borne_out_is_read_once(judged: Judged) -> None:
    _, shown = read(judged, [CALL], "says nothing of the accident")
    assert len(shown) == 1


def test_evidence_that_is_read_whole_is_read_once(judged: Judged) -> None:
    _, shown = read(judged, [("read_log", {}, NOTES[:2])], "words that stand nowhere")
    assert len(shown) == 1
