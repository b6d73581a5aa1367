"""A model may split an answer, but only into its own words, and nothing gets lost by it."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit import Detector
from affidavit.errors import ModelError
from affidavit.stages.ground.split import split_claims
from affidavit.stages.ground.split.by_model import ModelSplitter
from affidavit.testing import FixedEntailment, ScriptedModel
from affidavit.trace import Message, RunTrace, TextPart

ANSWER = "The tent, which weighs 2.1 kg, sleeps three. It ships on Friday. Anything else?"


def told(*claims: tuple[str, str]) -> str:
    return json.dumps({"claims": [{"quote": q, "statement": s} for q, s in claims]})


def split(answer: str, script: object) -> list[tuple[str, str]]:
    model = ScriptedModel([script], repeat=True)  # type: ignore[list-item]
    claims = asyncio.run(ModelSplitter(model).split(answer))
    return [(claim.text, claim.statement) for claim in claims]


def test_quotes_become_claims_with_statements_of_their_own() -> None:
    script = told(
        ("The tent, which weighs 2.1 kg", "The tent weighs 2.1 kg."),
        ("sleeps three", "The tent sleeps three people."),
        ("It ships on Friday", "The tent ships on Friday."),
    )
    assert split(ANSWER, script)[:3] == [
        ("The tent, which weighs 2.1 kg", "The tent weighs 2.1 kg."),
        ("sleeps three", "The tent sleeps three people."),
        ("It ships on Friday", "The tent ships on Friday."),
    ]


def test_what_the_model_leaves_out_is_split_by_the_rules() -> None:
    texts = [text for text, _ in split(ANSWER, told(("It ships on Friday", "It ships on Friday")))]
    assert "It ships on Friday" in texts
    assert any("sleeps three" in text for text in texts)
    assert any("Anything else?" in text for text in texts)


def test_what_leads_one_sentence_in_leads_no_other() -> None:
    answer = "According to the Zephyr Guide, Alpha is red. Beta weighs 3 kg."
    model = ScriptedModel([told(("Beta weighs 3 kg", "Beta weighs 3 kg."))], repeat=True)
    claims = asyncio.run(ModelSplitter(model).split(answer))
    assert [claim.sentence for claim in claims] == [c.sentence for c in split_claims(answer)]
    assert not any("Zephyr" in claim.statement for claim in claims if "Beta" in claim.text)


def test_words_that_are_not_the_answers_are_no_claim() -> None:
    script = told(("The tent is free", "The tent is free."))
    assert split(ANSWER, script) == [(c.text, c.statement) for c in split_claims(ANSWER)]


@pytest.mark.parametrize(
    "script",
    [
        "no JSON",
        "{}",
        '{"claims": 3}',
        '{"claims": [1, {"quote": 2}]}',
        ModelError("gone"),
        ConnectionError("down"),
    ],
)
def test_an_answer_that_cannot_be_read_leaves_it_to_the_rules(script: object) -> None:
    assert split(ANSWER, script) == [(c.text, c.statement) for c in split_claims(ANSWER)]


@given(st.lists(st.sampled_from(ANSWER.split(" ")), max_size=6))
def test_claims_are_in_order_and_do_not_overlap(quotes: list[str]) -> None:
    model = ScriptedModel([told(*((quote, quote) for quote in quotes))])
    claims = asyncio.run(ModelSplitter(model).split(ANSWER))
    assert all(ANSWER[c.start : c.end] == c.text for c in claims)
    assert all(a.end <= b.start for a, b in pairwise(claims))


def test_a_detector_takes_a_splitter() -> None:
    script = told(("The tent, which weighs 2.1 kg", "The tent weighs 2.1 kg."))
    detector = Detector(
        entailment=FixedEntailment(), splitter=ModelSplitter(ScriptedModel([script]))
    )
    question = Message(role="user", parts=(TextPart(text="What does the tent weigh?"),))
    report = detector.check(RunTrace(run_id="r", messages=(question,), answer=ANSWER))
    assert report.claims[0].text == "The tent, which weighs 2.1 kg"
