"""promptfoo: groundedness as a Python assertion.

    # grounded.py, named in promptfooconfig.yaml: assert: [{type: python, value: file://grounded.py}]
    from affidavit.evals.promptfoo import get_assert

The output is held against ``contexts`` (or ``context``) of the test's variables, or is a whole run as JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from affidavit.evals.example import run_of
from affidavit.evals.grounded import detector_for, told
from affidavit.policy import Policy

_CONTEXTS = ("contexts", "context", "retrieved_contexts", "documents")
_QUESTIONS = ("question", "query", "input", "prompt")


def get_assert(output: Any, context: Mapping[str, Any]) -> dict[str, Any]:
    """The grading result that promptfoo expects. ``config.policy`` of the assertion names a policy file."""
    given = context.get("vars") or {}
    asked = next((given[key] for key in _QUESTIONS if key in given), context.get("prompt", ""))
    contexts = next((given[key] for key in _CONTEXTS if key in given), None)
    policy = (context.get("config") or {}).get("policy")
    detector = detector_for(Policy.load(policy) if policy else None)
    report = detector.check(run_of(asked, output, contexts))
    return {
        "pass": report.action == "emit",
        "score": report.overall_score,
        "reason": told(report),
    }
