"""Stage 4: what becomes of the answer, and what the model and the user are told."""

from affidavit.stages.gate.annotate import annotate
from affidavit.stages.gate.decide import GateDecision, decide
from affidavit.stages.gate.deletion import deletes_only
from affidavit.stages.gate.failure import failed_report, failed_validation
from affidavit.stages.gate.feedback import revision_feedback
from affidavit.stages.gate.refusal import FailureMode, RefusalTemplate, refusal
from affidavit.stages.gate.score import overall_score

__all__ = [
    "FailureMode",
    "GateDecision",
    "RefusalTemplate",
    "annotate",
    "decide",
    "deletes_only",
    "failed_report",
    "failed_validation",
    "overall_score",
    "refusal",
    "revision_feedback",
]
