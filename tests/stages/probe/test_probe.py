"""Stage 3 as a whole: skipped, failed, agreeing, diverging."""

import asyncio
import time
from typing import Any

import pytest

from affidavit.errors import ModelError, ScorerError
from affidavit.evidence import RunEvidence
from affidavit.models.llm import CallableModel
from affidavit.policy import Policy
from affidavit.report import CheckRecord
from affidavit.stages.probe import ProbeOutcome, probe
from affidavit.testing import FixedEntailment, ScriptedModel
from affidavit.testing import claim_verdict as claim
from affidavit.trace import Message, RunTrace, TextPart

QUESTION = "What did I pay for order BL-204518?"
ANSWER = "The total charged was $668.99."


def trace(answer: str = ANSWER, question: str = QUESTION) -> RunTrace:
    message = Message(role="user", parts=(TextPart(text=question),))
    return RunTrace(run_id="r", messages=(message,), answer=answer)


def run(claims: Any, model: Any, *, answer: str = ANSWER, entailment: Any = None, question: str = QUESTION,
        **probes: Any) -> ProbeOutcome:  # fmt: skip
    policy = Policy.model_validate({"probes": {"paraphrase": "framing", **probes}})
    asked = trace(answer, question)

    async def main() -> ProbeOutcome:
        samples = RunEvidence(policy).samples(asked, model)
        return await probe(asked, claims, samples, policy, entailment)

    return asyncio.run(main())


def one(answer: str, *samples: Any, entailment: Any = None) -> Any:
    text = claim(answer, start=0, end=len(answer))
    outcome = run(
        [text], ScriptedModel(samples), answer=answer, entailment=entailment, samples=len(samples)
    )
    return outcome.probes[0]


@pytest.mark.spec("AFF-402")
@pytest.mark.parametrize(
    ("claims", "model", "question", "reason"),
    [
        ([claim(ANSWER)], None, QUESTION, "no model configured"),
        ([claim(critical=False)], ScriptedModel([]), QUESTION, "no critical claims"),
        ([claim(status="exempt")], ScriptedModel([]), QUESTION, "no critical claims"),
        ([], None, QUESTION, "no critical claims"),
        ([claim(ANSWER)], ScriptedModel([]), " ", "the run holds no question to ask again"),
    ],
)
def test_skipped_with_the_reason(claims: Any, model: Any, question: str, reason: str) -> None:
    outcome = run(claims, model, question=question)
    assert outcome.probes == ()
    assert (outcome.state.state, outcome.state.reason) == ("skipped", reason)


def test_one_re_ask_answers_for_all_critical_claims() -> None:
    answer = "The total charged was $668.99. It arrives on March 9, 2026. Thanks!"
    model = ScriptedModel(["You paid $668.99 in total; arrival on 2026-03-09."], repeat=True)
    claims = [
        claim("The total charged was $668.99.", start=0, end=30),
        claim("It arrives on March 9, 2026.", start=31, end=59),
        claim("Thanks!", None, critical=False, status="exempt", start=60, end=67),
    ]
    outcome = run(claims, model, answer=answer, samples=3)
    assert len(model.calls) == 3
    assert [p.claim for p in outcome.probes] == [c.text for c in claims[:2]]
    assert [p.agreement for p in outcome.probes] == [1.0, 1.0]
    assert outcome.probes[1].original == "It arrives on March 9, 2026."
    assert outcome.state.state == "checked"


@pytest.mark.spec("AFF-405", "AFF-406")
@pytest.mark.parametrize(
    ("samples", "agreement", "diverges"),
    [
        (["You paid $668.99.", "$668.99 was the total.", "Total charged: $668.99"], 1.0, False),
        (["You paid $668.99.", "The total charged was $618.99.", "$668.99"], 2 / 3, False),
        (["The total charged was $1.", "The total charged was $618.99.", "$668.99"], 1 / 3, True),
        (["The total charged was $1.", "$668.99"], 0.5, True),  # one for, one against: no majority
        (["$668.99", "$668.99"], 1.0, False),
        (["$668.99", "$668.99", "$1 in total.", "The total was $2."], 0.5, True),
        # One answer of three decides nothing, whichever way it falls.
        (["The total charged was $618.99.", "I cannot tell.", "Nice weather."], None, False),
        (
            ["The total charged was $618.99.", "The total charged was $1.", "I cannot tell."],
            0.0,
            True,
        ),
        (["I cannot tell.", "Nice weather."], None, False),
        (["The total charged was about $669."], 1.0, False),
        (["$668.99", ModelError("down"), ModelError("down")], None, False),
        (["$668.99", "$668.99", ModelError("down")], 1.0, False),
        (["The total charged was $618.99.", ModelError("down")], 0.0, True),
    ],
)
def test_the_majority_of_usable_answers(samples: Any, agreement: Any, diverges: bool) -> None:
    found = one(ANSWER, *samples)
    assert (found.agreement, found.diverges) == (agreement, diverges)
    assert len(found.probe_answers) == sum(isinstance(s, str) for s in samples)


@pytest.mark.parametrize(
    ("answer", "sample", "agreement"),
    [
        # The other value stands nearer to the claim's words.
        ("The tent costs $239.", "The tent costs $429 and the pads cost $239.", 0.0),
        ("The tent costs $429.", "The tent costs $429 and the pads cost $239.", 1.0),
        ("The tent costs $429.", "Two pads: $239.\n- tent: costs $429", 1.0),
        # Another amount on another matter is no contradiction.
        ("The total charged was $668.99.", "A discount of $50 was applied.", None),
        # Both values of the claim, in two sentences.
        ("The total was $668.99 after a $50.00 discount.",
         "There was a $50 discount. The total was $668.99.", 1.0),
        # The question's own values say nothing.
        ("Order BL-204518 was shipped.", "Order BL-204518 is still here.", None),
        # Same value, opposite words, and nobody to tell them apart.
        ("A refund of $50 was issued.", "A refund of $50 was not issued.", None),
        ("The refund of $50 was paid out.", "The refund of $50 is pending and has not been paid.", None),
        # One of two values is not the claim.
        ("Together the five invoices come to $5,489.45.", "There are five invoices.", None),
        ("Delivery is estimated for March 9, 2026.", "Delivery is estimated for March 12, 2026.", 0.0),
        ("Delivery is estimated for March 9, 2026.", "Delivery is estimated for 2026-03-09.", 1.0),
        ("The tracking number is 1Z84E5170391127745.", "The tracking number is 1Z84E5170391127799.", 0.0),
    ],
)  # fmt: skip
def test_values_are_compared_exactly(answer: str, sample: str, agreement: Any) -> None:
    assert one(answer, sample).agreement == agreement


@pytest.mark.parametrize(
    ("label", "agreement"), [("entailment", 1.0), ("contradiction", 0.0), ("neutral", None)]
)
@pytest.mark.parametrize(
    ("answer", "sample"),
    [
        ("The carrier was changed.", "The carrier was replaced."),
        ("A refund of $50 was issued.", "A refund of $50 was not issued."),
        ("Order BL-204518 was shipped.", "Order BL-204518 is on its way."),
    ],
)
def test_words_are_compared_by_entailment(
    answer: str, sample: str, label: Any, agreement: Any
) -> None:
    model = FixedEntailment(rule=lambda premise, hypothesis: label)
    assert one(answer, sample, entailment=model).agreement == agreement
    assert model.pairs == [(sample, answer)]


def test_a_lost_scorer_leaves_the_values() -> None:
    class Lost(FixedEntailment):
        def score(self, pairs: Any) -> Any:
            raise ScorerError("lost")

    claims = [claim(ANSWER), claim("The carrier was changed.", start=0, end=10)]
    outcome = run(claims, ScriptedModel(["You paid $668.99."]), entailment=Lost(), samples=1)
    assert [p.agreement for p in outcome.probes] == [1.0, None]
    assert outcome.state.state == "checked"
    assert "words could not be compared: lost" in outcome.state.reason


@pytest.mark.parametrize(
    "samples", [[ModelError("down")] * 3, [ValueError("bug")] * 3, ["", " ", ModelError("down")]]
)
def test_all_samples_failing_is_a_failure_and_no_verdict(samples: Any) -> None:
    outcome = run([claim(ANSWER)], ScriptedModel(samples), samples=3)
    assert outcome.state.state == "failed"
    assert outcome.state.reason.startswith("all 3 samples failed")
    assert outcome.probes == ()


def test_nothing_comparable_is_a_failure_and_no_verdict() -> None:
    outcome = run([claim(ANSWER)], ScriptedModel(["I cannot tell."], repeat=True))
    assert outcome.state.state == "failed"
    assert outcome.probes[0].agreement is None
    assert not outcome.probes[0].diverges


def test_late_samples_are_left_out() -> None:
    waits = iter([0.0, 0.0, 30.0])

    async def ask(messages: Any) -> str:
        await asyncio.sleep(next(waits))
        return "You paid $668.99."

    begin = time.perf_counter()
    outcome = run([claim(ANSWER)], CallableModel(ask), timeout=0.1)
    assert time.perf_counter() - begin < 5
    assert outcome.probes[0].agreement == 1.0
    assert outcome.state.reason.count("took longer than 0.1 s") == 1


def test_samples_run_at_the_same_time() -> None:
    inside = []

    async def ask(messages: Any) -> str:
        inside.append(1)
        while len(inside) < 3:
            await asyncio.sleep(0)
        return "You paid $668.99."

    outcome = run([claim(ANSWER)], CallableModel(ask), timeout=5)
    assert len(outcome.probes[0].probe_answers) == 3


def test_being_cancelled_stops_the_samples() -> None:
    stopped = []

    async def ask(messages: Any) -> str:
        try:
            await asyncio.sleep(30)
        finally:
            stopped.append(1)
        return ""

    async def main() -> None:
        policy = Policy.model_validate({"probes": {"samples": 2, "paraphrase": "framing"}})
        samples = RunEvidence(policy).samples(trace(), CallableModel(ask))
        task = asyncio.create_task(probe(trace(), [claim(ANSWER)], samples, policy))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert len(stopped) == 2


class Rewords(ScriptedModel):
    """Puts questions in ``words`` and answers from the script."""

    def __init__(self, words: Any, *script: Any) -> None:
        super().__init__(script, repeat=True)
        self.words, self.asked_to = words, 0

    async def complete(self, messages: Any, **how: Any) -> str:
        if "in other words, in its own language" not in messages[-1].text:
            return await super().complete(messages)
        self.asked_to += 1
        if isinstance(self.words, Exception):
            raise self.words
        return str(self.words)


OTHER_WORDS = "For BL-204518, how much was charged to me?"


@pytest.mark.spec("AFF-401")
@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (OTHER_WORDS, OTHER_WORDS),
        (f"<think>Hm.</think>{OTHER_WORDS}", OTHER_WORDS),
        ("How much was charged to me?", QUESTION),  # lost the order
        ("Order BL-204518: " + "you paid $668.99. " * 40, QUESTION),
        ("", QUESTION),
        (ModelError("down"), QUESTION),
    ],
)
def test_the_model_puts_the_question_in_other_words(words: Any, asked: str) -> None:
    model = Rewords(words, "You paid $668.99.")
    outcome = run([claim(ANSWER)], model, paraphrase="model")
    assert outcome.probes[0].agreement == 1.0
    assert (model.asked_to, len(model.calls)) == (1, 3)
    assert all(f"«{asked}»" in call[-1].text for call in model.calls)


def test_a_budget_goes_to_samples_before_it_goes_to_the_wording() -> None:
    for allowed, reworded in ((3, 0), (4, 1)):
        policy = Policy.model_validate({"budgets": {"model_calls": allowed}})
        model = Rewords(OTHER_WORDS, "You paid $668.99.")

        async def main(policy: Policy = policy, model: Rewords = model) -> ProbeOutcome:
            samples = RunEvidence(policy).samples(trace(), model)
            return await probe(trace(), [claim(ANSWER)], samples, policy)

        assert asyncio.run(main()).probes[0].agreement == 1.0
        assert (model.asked_to, len(model.calls)) == (reworded, 3)


def test_what_is_wholly_proven_has_been_probed_where_that_is_skipped() -> None:
    compared = CheckRecord(name="values", state="checked", verdict="supports")
    proven = claim(ANSWER, checks=(compared,))
    outcome = run([proven], ScriptedModel([]), proven="skip")
    assert (outcome.state.state, outcome.probes) == ("checked", ())
    assert "proven" in outcome.state.reason
    read = CheckRecord(name="entailment", state="checked", verdict="supports")
    twin = run([claim(ANSWER, checks=(read,))], None, proven="skip")
    assert twin.state.state == "skipped"


def test_the_statement_of_a_claim_is_what_is_compared() -> None:
    class Cell:
        text, statement, start, end, critical = "$429", "The tent costs $429.", 0, 4, True

    sample = "The tent costs $400 and the pads cost $429."
    outcome = run([Cell()], ScriptedModel([sample]), samples=1)
    assert outcome.probes[0].claim == "$429"
    assert outcome.probes[0].diverges
