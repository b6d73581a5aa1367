"""A judge in a running agent: its budget over the sentences of a draft, and over drafts."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest

from affidavit import Detector, Guard, Policy
from affidavit.models.llm import ChatMessage, Completion, Usage
from affidavit.testing import FixedEntailment, ScriptedModel
from affidavit.trace import Message, TextPart, ToolCallPart

ASKED = Message(role="user", parts=(TextPart(text="How is order BL-204518?"),))
SENTENCES = [
    "Its total is $45.18. ",
    "Its carrier is UPS. ",
    "It was sent to Leeds. ",
    "It weighs 3 kg. ",
]
ORDER = {"id": "BL-204518", "total": "$45.18", "carrier": "UPS", "city": "Leeds", "weight": "3 kg"}


def rules(messages: Sequence[ChatMessage]) -> str:
    """Finds all supported but what is said of $93.70."""
    told = []
    for number, claim in re.findall(r"<claim>\nid: (C\d+)\nclaim: (.*)\n", messages[0].text):
        false = "93.70" in claim
        word = "contradicted" if false else "supported"
        told.append(
            {
                "claim": number,
                "verdict": word,
                "record": "R1",
                "quote": "total: $45.18",
                "why": "so",
            }
        )
    return Completion(json.dumps({"verdicts": told}), Usage(1000, 10))


def guard_of(own: bool = False, **judge: Any) -> tuple[Guard, ScriptedModel]:
    model = ScriptedModel([rules], repeat=True, name="judge")
    policy = Policy.model_validate(
        {"on_critical": "revise", "judge": {"low": 0.0, "high": 1.0, **judge}}
    )
    detector = Detector(policy, entailment=FixedEntailment(), judge=None if own else model)
    guard = Guard(detector, messages=[ASKED], own=model if own else None)
    guard.check_call(ToolCallPart(id="c1", name="get_order", arguments={"id": "BL-204518"}))
    guard.record_result("c1", ORDER)
    return guard, model


def claims_asked(model: ScriptedModel) -> list[int]:
    return [messages[0].text.count("<claim>") for messages in model.calls]


@pytest.mark.spec("AFF-1406", "AFF-1407")
@pytest.mark.parametrize(("requests", "asked"), [(4, [1, 1, 1, 1]), (3, [1, 1, 2]), (1, [4])])
def test_sentences_are_asked_about_as_they_come_and_the_last_request_is_for_the_rest(
    requests: int, asked: list[int]
) -> None:
    guard, model = guard_of(requests=requests)
    draft = guard.stream()
    shown = "".join(draft.feed(piece) for piece in [*SENTENCES, "And "])
    done = draft.finish()
    assert (shown + done.rest).startswith("".join(SENTENCES)) or done.action == "emit"
    counts = claims_asked(model)
    assert len(counts) <= requests and sum(counts) >= 4, "no claim is asked about twice"
    assert counts[: len(asked) - 1] == asked[:-1]
    judging = done.report.judge
    assert judging is not None and judging.requests == len(counts)
    assert judging.input_tokens == 1000 * len(counts) and judging.output_tokens == 10 * len(counts)


@pytest.mark.spec("AFF-1408")
def test_the_own_model_is_asked_once_a_draft_about_critical_claims() -> None:
    guard, model = guard_of(own=True, requests=9, retries=9)
    draft = "Your order is fine. Its total is $93.70."
    first = guard.check_answer(draft)
    assert first.action == "revise" and claims_asked(model) == [1]
    assert "93.70" in model.calls[0][0].text.split("<claim>")[1]
    last = guard.check_answer("Your order is fine. Its total is $45.18.")
    assert last.action == "emit" and claims_asked(model) == [1, 1]
    assert last.report.judge is not None and last.report.judge.requests == 1
    assert all("<claim>" not in str(message) for message in guard.trace("").messages)


@pytest.mark.spec("AFF-1408")
@pytest.mark.parametrize("judge", [{"model": "none"}, {"when": "never"}])
def test_one_line_switches_it_off(judge: dict[str, str]) -> None:
    guard, model = guard_of(own=True, **judge)
    assert guard.check_answer("Its total is $93.70.").report.judge is None
    assert not model.calls


def test_the_own_model_goes_with_the_conversation() -> None:
    guard, model = guard_of(own=True)
    guard.check_answer("Its total is $45.18.")
    later = guard.next_turn(Message(role="user", parts=(TextPart(text="And the carrier?"),)))
    later.check_answer("The carrier is UPS, order BL-204518.")
    assert len(model.calls) == 2
