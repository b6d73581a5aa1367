"""What the model is asked again, and with what evidence."""

import pytest

from affidavit.stages.probe import re_ask
from affidavit.trace import (
    DataPart,
    Message,
    ReasoningPart,
    RunTrace,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)


def say(role: str, *parts: object) -> Message:
    built = tuple(TextPart(text=p) if isinstance(p, str) else p for p in parts)
    return Message.model_validate({"role": role, "parts": built})


TRACE = RunTrace(
    run_id="r",
    messages=(
        say("system", "You serve Birchline."),
        say("user", "Hi, about order BL-1?"),
        say("assistant", "What about it?"),
        say("user", "What did I pay? {x}"),
        say(
            "assistant",
            ReasoningPart(text="secret thought"),
            "Looking it up, surely $9.",
            ToolCallPart(id="c1", name="get_order", arguments={"id": "BL-1"}),
            ToolCallPart(id="c2", name="get_order", arguments={"id": "XX"}),
        ),
        say(
            "tool",
            ToolResultPart(id="c1", content=(TextPart(text="total"), DataPart(value={"t": 5}))),
        ),
        say("tool", ToolResultPart(id="c2", content=(TextPart(text="leaked 77"),))),
        say(
            "tool",
            ToolResultPart(id="c3", content=(TextPart(text="gone"),), is_error=True),
            ToolResultPart(id="c4", content=(UnknownPart(kind="image", raw="…"),)),
        ),
    ),
    answer="You paid $5.",
)


def test_the_question_is_the_last_thing_the_user_said() -> None:
    assert TRACE.question == "What did I pay? {x}"
    assert RunTrace(run_id="r", messages=(), answer="x").question == ""


@pytest.mark.spec("AFF-401")
def test_the_same_evidence_and_none_of_the_answer() -> None:
    system, user = re_ask(TRACE, 0, rejected=frozenset({"c2"}))
    assert system.role == "system"
    for shown in ("You serve Birchline.", "What about it?", "«What did I pay? {x}»", '{"t": 5}',
                  'get_order({"id": "BL-1"})', "failed with", "type image, not shown"):  # fmt: skip
        assert shown in user.text
    for hidden in ("secret thought", "surely $9", "You paid $5", "leaked 77"):
        assert hidden not in user.text


def test_samples_are_framed_differently_and_the_same_each_time() -> None:
    asked = [re_ask(TRACE, i)[1].text for i in range(4)]
    assert len(set(asked)) == 3
    assert asked == [re_ask(TRACE, i)[1].text for i in range(4)]
