"""Runs from what evaluation frameworks hold, and promptfoo's assertion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from affidavit import Detector
from affidavit.errors import TraceError
from affidavit.evals.example import MadeCall, run_of
from affidavit.evals.promptfoo import get_assert

QUESTION, ANSWER = "What does repair RJ-3107 cost?", "The repair RJ-3107 costs $62.50."
PASSAGE = "Repair RJ-3107 costs $62.50."


def test_passages_and_calls_are_evidence() -> None:
    call = MadeCall("get_repair", {"ticket": "RJ-3107"}, {"price": 62.5})
    run = run_of(QUESTION, ANSWER, [PASSAGE], [call])
    assert (run.question, run.answer) == (QUESTION, ANSWER)
    assert [c.name for m in run.messages for c in m.tool_calls] == ["get_repair", "retrieve"]


@pytest.mark.parametrize("as_text", [False, True])
def test_an_output_that_is_a_run_is_read_as_it_is(as_text: bool) -> None:
    doc = {"id": "r1", "messages": [{"role": "user", "content": QUESTION}], "answer": ANSWER}
    assert run_of("", json.dumps(doc) if as_text else doc).run_id == "r1"


def test_an_answer_without_evidence_is_told() -> None:
    with pytest.raises(TraceError, match="nothing to hold the answer against"):
        run_of(QUESTION, ANSWER)


@pytest.mark.parametrize(
    ("output", "passes"), [(ANSWER, True), ("The repair RJ-3107 costs $990.", False)]
)
def test_promptfoo_gets_a_grading_result(output: str, passes: bool) -> None:
    context: dict[str, Any] = {"vars": {"question": QUESTION, "contexts": [PASSAGE]}, "prompt": "p"}
    graded = get_assert(output, context)
    assert graded["pass"] is passes
    assert 0 <= graded["score"] <= 1
    assert ("$990" in graded["reason"]) is not passes


def test_test_cases_share_a_detector(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Counted(Detector):
        def __init__(self, *given: Any, **named: Any) -> None:
            made.append(self)
            super().__init__(*given, **named)

    monkeypatch.setattr("affidavit.detector.Detector", Counted)
    file = tmp_path / "policy.toml"
    file.write_text("emit_threshold = 0.8765\n", encoding="utf-8")
    context = {"vars": {"contexts": [PASSAGE]}, "prompt": QUESTION, "config": {"policy": str(file)}}
    reports = [get_assert(ANSWER, context) for _ in range(2)]
    assert (len(made), reports[0]) == (1, reports[1])
    file.write_text("emit_threshold = 0.8766\n", encoding="utf-8")
    get_assert(ANSWER, context)
    assert [one.policy.emit_threshold for one in made] == [0.8765, 0.8766]
