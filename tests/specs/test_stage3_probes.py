"""Section 4: probes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from affidavit import HallucinationReport
from affidavit.testing import FixedEntailment, ScriptedModel

Judge = Callable[..., HallucinationReport]
SAME, OTHER = "The total comes to $62.50.", "The total comes to $74.90."
ASKED = 3
REWORDED = "For ticket RJ-3107: can I fetch my bike, and what is my bill?"


class Rewords(ScriptedModel):
    """Puts a question in other words when it is told to, and answers from the script."""

    async def complete(self, messages: Any, **how: Any) -> str:
        if "in other words, in its own language" in messages[-1].text:
            return REWORDED
        return await super().complete(messages)


def model(*answers: Any) -> ScriptedModel:
    return Rewords(answers, repeat=True)


@pytest.mark.spec("AFF-401")
def test_the_question_is_asked_again_in_other_words_over_the_same_evidence(judge: Judge) -> None:
    asked = model(SAME)
    report = judge(SAME, model=asked)
    assert len(asked.calls) == ASKED
    texts = ["\n".join(message.text for message in call) for call in asked.calls]
    assert len(set(texts)) == ASKED
    for text in texts:
        assert REWORDED in text
        assert "and what do I owe?" not in text.rpartition("</record>")[2]
        assert "6250" in text
        assert SAME not in text
    (probe,) = report.consistency_probes
    assert (probe.claim, probe.original, probe.agreement) == (SAME, SAME, 1.0)
    assert probe.probe_answers == (SAME,) * ASKED
    assert report.stages["probe"].state == "checked"


@pytest.mark.spec("AFF-402")
def test_without_a_model_probes_are_reported_as_skipped(judge: Judge) -> None:
    report = judge(SAME)
    assert report.consistency_probes == ()
    assert report.stages["probe"].state == "skipped"
    assert report.stages["probe"].reason


@pytest.mark.spec("AFF-403", "AFF-405")
@pytest.mark.parametrize(
    ("answers", "action"),
    [
        ((SAME, SAME, OTHER), "emit"),
        ((OTHER, OTHER, SAME), "revise"),
        ((OTHER,), "revise"),
        ((SAME, OTHER, "I cannot say anything about that."), "revise"),
    ],
)
def test_a_divergence_keeps_the_answer_back(
    judge: Judge, answers: Sequence[str], action: str
) -> None:
    report = judge(SAME, model=model(*answers))
    assert report.action == action
    assert report.consistency_probes[0].diverges is (action == "revise")


@pytest.mark.spec("AFF-404")
def test_agreement_makes_no_claim_better(judge: Judge) -> None:
    alone, agreed = judge(OTHER), judge(OTHER, model=model(OTHER))
    assert agreed.consistency_probes[0].agreement == 1.0
    assert [(c.status, c.score) for c in agreed.claims] == [
        (c.status, c.score) for c in alone.claims
    ]
    assert agreed.action == alone.action == "block"


@pytest.mark.spec("AFF-406")
def test_an_unusable_answer_counts_neither_way(judge: Judge, says_neutral: FixedEntailment) -> None:
    beside = "I cannot say anything about that."
    report = judge(SAME, model=model(SAME, SAME, beside), entailment=says_neutral)
    assert report.consistency_probes[0].agreement == 1.0
    for too_few in (model(beside), model(OTHER, beside, beside)):
        silent = judge(SAME, model=too_few, entailment=says_neutral)
        assert all(probe.agreement is None for probe in silent.consistency_probes)
        assert not any(probe.diverges for probe in silent.consistency_probes)


@pytest.mark.spec("AFF-407")
@pytest.mark.parametrize("asked", [None, ScriptedModel([TimeoutError("gone")], repeat=True)])
def test_required_probes_that_did_not_run_keep_the_answer_back(
    judge: Judge, asked: ScriptedModel | None
) -> None:
    policy = {"probes": {"required": True}, "prior": 0.98}
    assert judge(SAME, policy=policy, model=asked).action != "emit"
    assert judge("The bike is ready.", policy=policy, model=asked).action == "emit"
    assert judge(SAME, policy=policy, model=model(SAME)).action == "emit"
