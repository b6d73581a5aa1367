"""DeepEval: groundedness as a metric.

    assert_test(LLMTestCase(input=…, actual_output=…, retrieval_context=[…]), [GroundedMetric()])

The output is held against the test case's ``retrieval_context`` and the outputs of its ``tools_called``.
"""

from __future__ import annotations

from typing import Any

from affidavit.errors import MissingExtra
from affidavit.evals.example import MadeCall, run_of
from affidavit.evals.grounded import detector_for, told
from affidavit.policy import Policy
from affidavit.report import HallucinationReport

try:
    from deepeval.metrics import BaseMetric
    from deepeval.test_case import LLMTestCase
except ImportError as error:
    raise MissingExtra("deepeval", "deepeval") from error


class GroundedMetric(BaseMetric):
    """Succeeds where the answer may go out; the score is the report's, the reason names the claims."""

    def __init__(self, policy: Policy | None = None) -> None:
        self.policy = policy or Policy()
        self.threshold = self.policy.emit_threshold
        self.report: HallucinationReport | None = None
        self.async_mode = False
        self.include_reason = True
        self.evaluation_model = "affidavit"

    def measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        calls = [
            MadeCall(call.name, call.input_parameters, call.output)
            for call in test_case.tools_called or ()
            if call.output is not None
        ]
        run = run_of(test_case.input, test_case.actual_output, test_case.retrieval_context, calls)
        self.report = detector_for(self.policy).check(run)
        self.score = self.report.overall_score
        self.reason = told(self.report)
        self.success = self.report.action == "emit"
        return self.report.overall_score

    async def a_measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        return self.measure(test_case)

    def is_successful(self) -> bool:
        return bool(self.success)

    @property
    def __name__(self) -> str:
        return "Grounded"
