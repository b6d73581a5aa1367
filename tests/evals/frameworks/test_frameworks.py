"""The metrics in the real packages."""

from __future__ import annotations

import pytest

QUESTION, PASSAGE = "What does repair RJ-3107 cost?", "Repair RJ-3107 costs $62.50."
GOOD, BAD = "The repair RJ-3107 costs $62.50.", "The repair RJ-3107 costs $990."


@pytest.mark.parametrize("policy", [None, {"on_critical": "revise"}])
def test_pydantic_evals(policy: dict[str, str] | None) -> None:
    from pydantic_evals import Case, Dataset

    from affidavit.evals.pydantic_evals import Grounded

    def case(name: str) -> Case[str, str, dict[str, list[str]]]:
        return Case(name=name, inputs=QUESTION, metadata={"contexts": [PASSAGE]})

    answers = iter([GOOD, BAD])
    dataset = Dataset(
        name="repairs", cases=[case("good"), case("bad")], evaluators=[Grounded(policy)]
    )
    report = dataset.evaluate_sync(lambda _: next(answers), max_concurrency=1, progress=False)
    told = {one.name: one.assertions["grounded"] for one in report.cases}
    assert told["good"].value is True
    assert told["bad"].value is False and "$990" in (told["bad"].reason or "")


@pytest.mark.parametrize(("answer", "passes"), [(GOOD, True), (BAD, False)])
@pytest.mark.parametrize("by", ["passages", "calls"])
def test_deepeval(answer: str, passes: bool, by: str) -> None:
    from deepeval.test_case import LLMTestCase, ToolCall

    from affidavit.evals.deepeval import GroundedMetric

    call = ToolCall(name="get_repair", input_parameters={"ticket": "RJ-3107"}, output=PASSAGE)
    case = LLMTestCase(
        input=QUESTION, actual_output=answer,
        retrieval_context=[PASSAGE] if by == "passages" else None,
        tools_called=[call] if by == "calls" else None,
    )  # fmt: skip
    metric = GroundedMetric()
    assert metric.measure(case) == metric.score
    assert metric.is_successful() is passes
    assert ("$990" in str(metric.reason)) is not passes
