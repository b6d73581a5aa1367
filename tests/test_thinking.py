"""Thinking inside the text of an answer is neither judged nor shown."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit import Detector, Guard, read_run
from affidavit.testing import FixedEntailment
from affidavit.thinking import spoken
from affidavit.trace import ReasoningPart

THOUGHT = "The price may be $500. Or I make up $700."
ANSWER = "Basic costs $49."

APART: dict[str, str] = {
    "before": f"<think>{THOUGHT}</think>\n\n{ANSWER}",
    "on lines of its own": f"<think>\n{THOUGHT}\n</think>\n{ANSWER}",
    "another tag": f"<thinking>{THOUGHT}</thinking>{ANSWER}",
    "in capitals": f"<THINK>{THOUGHT}</THINK>\n{ANSWER}",
    "its opening in the prompt": f"{THOUGHT}\n</think>\n\n{ANSWER}",
    "twice": f"<think>a</think>\n<think>{THOUGHT}</think>\n{ANSWER}",
    "holding code": f"<think>```\nx = 500\n```</think>\n{ANSWER}",
}
KEPT = [
    ANSWER,
    "Write `<think>` before it and `</think>` after it.",
    "```xml\n<think>\n5\n</think>\n```\nThat is the form.",
    "I think > you know.",
    "The tag <think> opens it and </think> closes it.",
]


def run(answer: str, **more: Any) -> dict[str, Any]:
    use = {"type": "tool_use", "id": "c1", "name": "price", "input": {"plan": "Basic"}}
    back = {"type": "tool_result", "tool_use_id": "c1", "content": '{"basic_usd": 49}'}
    return {
        "messages": [
            {"role": "user", "content": "What does Basic cost?"},
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": [back]},
            {"role": "assistant", "content": answer},
        ],
        **more,
    }


@pytest.mark.parametrize("text", APART.values(), ids=APART)
def test_it_is_told_apart(text: str) -> None:
    assert spoken(text).text == ANSWER
    assert not spoken(text).unfinished


@pytest.mark.parametrize("text", KEPT)
def test_what_only_speaks_of_it_stays(text: str) -> None:
    assert spoken(text) == (text, (), False)


def test_thinking_that_breaks_off_is_no_answer() -> None:
    assert spoken(f"Hello.\n<think>{THOUGHT}") == ("Hello.", (THOUGHT,), True)


@given(st.text())
def test_a_text_without_tags_is_as_it_was(text: str) -> None:
    assert spoken(text.replace("<", "")).thought == ()


@pytest.mark.spec("AFF-109")
@pytest.mark.parametrize("text", APART.values(), ids=APART)
def test_it_is_not_judged(text: str) -> None:
    detector = Detector(entailment=FixedEntailment())
    trace = read_run(run(text))
    assert trace.answer == ANSWER
    for judged in (trace, trace.model_copy(update={"answer": text})):
        report = detector.check(judged)
        assert (report.answer, report.action, report.cut_off) == (ANSWER, "emit", False)
        assert "700" not in report.model_dump_json()


def test_a_recorded_reasoning_part_is_not_the_answer() -> None:
    thinking = {"type": "thinking", "thinking": THOUGHT, "signature": ""}
    trace = read_run(
        run("") | {"response": {"content": [thinking, {"type": "text", "text": ANSWER}]}}
    )
    assert trace.answer == ANSWER
    assert any(isinstance(part, ReasoningPart) for m in trace.messages for part in m.parts)


def guard(*, shadow: bool = False) -> Guard:
    trace = read_run(run(ANSWER))
    return Guard(Detector(entailment=FixedEntailment()), messages=trace.messages, shadow=shadow)


@pytest.mark.parametrize("text", APART.values(), ids=APART)
def test_a_guard_does_not_show_it(text: str) -> None:
    decision = guard().check_answer(text)
    assert (decision.action, decision.text) == ("emit", ANSWER)


@pytest.mark.parametrize("text", APART.values(), ids=APART)
def test_a_stream_does_not_show_it(text: str) -> None:
    draft = guard().stream()
    shown = "".join(draft.feed(char) for char in text)
    decision = draft.finish()
    assert decision.action == "emit"
    # What ends in a lone closing tag is known for thinking only then.
    assert shown + decision.rest == ANSWER


def test_a_guard_that_only_watches_leaves_it() -> None:
    text = APART["before"]
    assert guard(shadow=True).check_answer(text).text == text
    draft = guard(shadow=True).stream()
    assert draft.feed(text) + draft.finish().rest == text


def test_an_answer_that_never_left_thinking_is_sent_back() -> None:
    decision = guard().check_answer(f"<think>{THOUGHT}")
    assert (decision.action, decision.report.cut_off) == ("revise", True)
    assert THOUGHT not in (decision.feedback or "")
    draft = guard().stream()
    assert draft.feed(f"<think>{THOUGHT}") == ""
    assert draft.finish().action == "revise"
