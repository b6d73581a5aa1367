"""pydantic-evals: groundedness as an evaluator.

    Dataset(cases=[...], evaluators=[Grounded()])

The task's output is a whole run, or text that is held against ``contexts`` of the case's inputs or
metadata.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from affidavit.errors import MissingExtra
from affidavit.evals.example import run_of
from affidavit.evals.grounded import detector_for, told
from affidavit.policy import Policy

try:
    from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext
except ImportError as error:
    raise MissingExtra("pydantic-evals", "pydantic-evals") from error


@dataclass
class Grounded(Evaluator[Any, Any, Any]):
    """Whether the answer may go out, with the claims held against it as the reason, and its score."""

    policy: dict[str, Any] | None = None
    """What differs from the default policy."""

    async def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> dict[str, Any]:
        places = [one for one in (ctx.metadata, ctx.inputs) if isinstance(one, Mapping)]
        contexts = next((one["contexts"] for one in places if "contexts" in one), None)
        asked = next((one["question"] for one in places if "question" in one), ctx.inputs)
        run = run_of(asked, ctx.output, contexts)
        policy = Policy.model_validate(self.policy) if self.policy else None
        report = await detector_for(policy).acheck(run)
        return {
            "grounded": EvaluationReason(value=report.action == "emit", reason=told(report)),
            "grounded_score": report.overall_score,
        }
