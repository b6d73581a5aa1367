"""A reply that broke off at the limit of tokens is marked, and sent back or blocked by policy."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from affidavit import Detector, Guard, Policy, read_run
from affidavit.testing import FixedEntailment

PLAIN = "Hello! How can I"
QUESTION = [{"role": "user", "content": "Hello!"}]
MESSAGE = {"role": "assistant", "content": PLAIN}


def anthropic(reason: str) -> dict[str, Any]:
    text = {"type": "text", "text": PLAIN}
    return {"messages": QUESTION, "response": {"content": [text], "stop_reason": reason}}


def openai_chat(reason: str) -> dict[str, Any]:
    choice = {"message": MESSAGE, "finish_reason": reason}
    return {"messages": QUESTION, "response": {"choices": [choice]}}


def openai_responses(reason: str) -> dict[str, Any]:
    item = {"type": "message", "role": "assistant"}
    item |= {"content": [{"type": "output_text", "text": PLAIN}]}  # type: ignore[dict-item]
    return {
        "input": "Hello!",
        "response": {"output": [item], "incomplete_details": {"reason": reason}},
    }


def google(reason: str) -> dict[str, Any]:
    content = {"role": "model", "parts": [{"text": PLAIN}]}
    return {
        "contents": [{"role": "user", "parts": [{"text": "Hello!"}]}],
        "response": {"candidates": [{"content": content, "finishReason": reason}]},
    }


def otel(reason: str) -> dict[str, Any]:
    def said(role: str, text: str) -> dict[str, Any]:
        return {"role": role, "parts": [{"type": "text", "content": text}]}

    return {
        "gen_ai.input.messages": [said("user", "Hello!")],
        "gen_ai.output.messages": [said("assistant", PLAIN) | {"finish_reason": reason}],
    }


def beside(reason: str) -> dict[str, Any]:
    return {"messages": [*QUESTION, MESSAGE], "stop_reason": reason}


def replied(reason: str) -> dict[str, Any]:
    """The reply as the client returned it, put behind what was said."""
    return {"messages": [*QUESTION, MESSAGE | {"stop_reason": reason}]}


FORMATS: list[tuple[Any, str, str]] = [
    (anthropic, "max_tokens", "end_turn"), (openai_chat, "length", "stop"),
    (openai_responses, "max_output_tokens", "content_filter"), (google, "MAX_TOKENS", "STOP"),
    (otel, "length", "stop"), (beside, "max_tokens", "end_turn"),
    (replied, "max_tokens", "end_turn"),
]  # fmt: skip


@pytest.mark.spec("AFF-513")
@pytest.mark.parametrize(("recorded", "broken", "whole"), FORMATS)
def test_it_is_read_from_every_record(recorded: Any, broken: str, whole: str) -> None:
    detector = Detector(entailment=FixedEntailment())
    for reason, cut_off, action in ((broken, True, "revise"), (whole, False, "emit")):
        report = detector.check(read_run(recorded(reason)))
        assert (report.cut_off, report.action) == (cut_off, action)
        assert any("broke off" in why for why in report.reasons) is cut_off


Wanted = Literal["emit", "revise", "block"]


def guard(action: Wanted, *, cut_off: bool) -> Guard:
    made = Guard(
        Detector(Policy(cut_off=action), entailment=FixedEntailment()),
        messages=read_run(beside("end_turn")).messages,
    )
    made.cut_off = cut_off
    return made


@pytest.mark.spec("AFF-513")
@pytest.mark.parametrize("action", ["emit", "revise", "block"])
def test_the_policy_decides(action: Wanted) -> None:
    decision = guard(action, cut_off=True).check_answer(PLAIN)
    assert decision.action == action
    told = {
        "emit": decision.text or "",
        "revise": decision.feedback or "",
        "block": decision.text or "",
    }[action]
    assert "broke off before its end" in told
    assert decision.report.cut_off


@pytest.mark.parametrize("action", ["emit", "revise", "block"])
def test_an_answer_that_ended_goes_out_as_it_is(action: Wanted) -> None:
    assert guard(action, cut_off=False).check_answer(PLAIN).text == PLAIN


def test_an_answer_that_broke_off_again_and_again_is_blocked() -> None:
    live = guard("revise", cut_off=True)
    actions = [live.check_answer(PLAIN).action for _ in range(3)]
    assert actions == ["revise", "revise", "block"]
