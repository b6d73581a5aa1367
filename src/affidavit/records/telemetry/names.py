"""Every name that leaves the process: OpenTelemetry's own, and those of the ``affidavit`` namespace.

The GenAI names are those of the conventions at github.com/open-telemetry/semantic-conventions-genai
(status: development), written here because their Python package declares them deprecated and moved.
"""

from __future__ import annotations

from typing import Final

# OpenTelemetry: general and GenAI semantic conventions.
ERROR_TYPE: Final = "error.type"
SERVICE_NAME: Final = "service.name"
EVALUATION_EVENT: Final = "gen_ai.evaluation.result"
EVALUATION_NAME: Final = "gen_ai.evaluation.name"
EVALUATION_SCORE: Final = "gen_ai.evaluation.score.value"
EVALUATION_LABEL: Final = "gen_ai.evaluation.score.label"
EVALUATION_EXPLANATION: Final = "gen_ai.evaluation.explanation"
OUTPUT_MESSAGES: Final = "gen_ai.output.messages"
TOOL_NAME: Final = "gen_ai.tool.name"
TOOL_CALL_ID: Final = "gen_ai.tool.call.id"
CAPTURE_CONTENT: Final = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
"""The environment variable that GenAI instrumentations share."""

# OpenInference: how Phoenix and MLflow tell kinds of spans apart.
SPAN_KIND: Final = "openinference.span.kind"
RUN_SPAN_KIND: Final = "GUARDRAIL"
STAGE_SPAN_KIND: Final = "CHAIN"
JUDGE_SPAN_KIND: Final = "EVALUATOR"

# Spans.
SCOPE: Final = "affidavit"
RUN_SPAN: Final = "affidavit.check"
STAGE_SPANS: Final = {
    stage: f"affidavit.{stage}"
    for stage in ("verify", "ledger", "ground", "judge", "probe", "gate")
}

# Values of gen_ai.evaluation.name.
RUN_EVALUATION: Final = "affidavit.groundedness"
CLAIM_EVALUATION: Final = "affidavit.claim"

# Attributes of a run.
RUN_ID: Final = "affidavit.run.id"
RUN_MODEL: Final = "affidavit.run.model"
"""Not ``gen_ai.request.model``: backends take a span with that for a call of the model."""
ACTION: Final = "affidavit.action"
SCORE: Final = "affidavit.overall_score"
NOTHING_SCORED: Final = "affidavit.nothing_scored"
COVERAGE: Final = "affidavit.coverage"
STOP_REASON: Final = "affidavit.stop_reason"
"""Why an answer or a search ended: ``answered``, ``revise``, ``block``; ``found``, ``not_relevant`` and the like."""
QUERY: Final = "affidavit.query"
"""What was asked for: content."""
REVISIONS: Final = "affidavit.revisions"
CLAIMS_OF_STATUS: Final = "affidavit.claims."
"""Followed by a claim status: how many."""
CALLS_OF_STATUS: Final = "affidavit.tool_calls."
"""Followed by a call status: how many."""
STAGE: Final = "affidavit.stage"
STAGE_STATE: Final = "affidavit.stage.state."
"""Followed by a stage: checked, skipped or failed."""
JUDGE: Final = "affidavit.judge.model"
"""Who was asked about claims in doubt; what follows is what it was asked, and what that cost."""
JUDGE_STATE: Final = "affidavit.judge.state"
JUDGE_CLAIMS: Final = "affidavit.judge.claims"
JUDGE_REQUESTS: Final = "affidavit.judge.requests"
JUDGE_INPUT: Final = "affidavit.judge.input_tokens"
JUDGE_OUTPUT: Final = "affidavit.judge.output_tokens"
SPEC_VERSION: Final = "affidavit.spec.version"
DETECTOR: Final = "affidavit.detector"
SCORER: Final = "affidavit.entailment.model"

# Attributes of a claim, and of a checked call.
CLAIM_INDEX: Final = "affidavit.claim.index"
CLAIM_KIND: Final = "affidavit.claim.kind"
CLAIM_STATUS: Final = "affidavit.claim.status"
CLAIM_CRITICAL: Final = "affidavit.claim.critical"
CLAIM_DECIDED_BY: Final = "affidavit.claim.decided_by"
CLAIM_START: Final = "affidavit.claim.start"
CLAIM_END: Final = "affidavit.claim.end"
CLAIM_TEXT: Final = "affidavit.claim.text"
CLAIM_EVIDENCE: Final = "affidavit.claim.evidence"
REASON: Final = "affidavit.reason"
CALL_EVENT: Final = "affidavit.tool_call.rejected"
CALL_STATUS: Final = "affidavit.tool_call.status"
CALL_ERRORS: Final = "affidavit.tool_call.errors"

# Events of results, searches and answers outside the judging of a run, and of its risk.
RESULT_EVENT: Final = "affidavit.grounding.result"
SEARCH_EVENT: Final = "affidavit.grounding.search"
ANSWER_EVENT: Final = "affidavit.grounding.answer"
RISK_EVENT: Final = "affidavit.grounding.risk"
RESULT_STATE: Final = "affidavit.grounding.state"
"""What became of a call: success, low_relevance, not_found, technical_error; of a risk, what the result was instead."""
RESULT_SCORE: Final = "affidavit.grounding.score"
ATTEMPTS: Final = "affidavit.grounding.attempts"

# Metrics.
CHECK_DURATION: Final = "affidavit.check.duration"
STAGE_DURATION: Final = "affidavit.stage.duration"
ACTIONS: Final = "affidavit.actions"
CLAIMS: Final = "affidavit.claims"
CALLS: Final = "affidavit.tool_calls"
REVISIONS_USED: Final = "affidavit.revisions"
COVERED: Final = "affidavit.coverage"
