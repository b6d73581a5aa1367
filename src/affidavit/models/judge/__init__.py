"""A language model as judge: of a response over its documents, or of single claims over the records of a run."""

from __future__ import annotations

from affidavit.models.judge.claims import (
    AskedClaim,
    ClaimsJudge,
    Finding,
    Hearing,
    Record,
    Ruling,
    is_judging,
)
from affidavit.models.judge.judge import (
    DocumentKind,
    GroundednessJudge,
    IgnoranceJudge,
    JudgeDocument,
    Judgement,
    RelevanceJudge,
    ResponseJudge,
    ResponseKind,
)
from affidavit.models.judge.prompt import JudgePrompt, default_prompt
from affidavit.models.judge.scorer import JudgeScorer

__all__ = [
    "AskedClaim",
    "ClaimsJudge",
    "DocumentKind",
    "Finding",
    "GroundednessJudge",
    "Hearing",
    "IgnoranceJudge",
    "JudgeDocument",
    "JudgePrompt",
    "JudgeScorer",
    "Judgement",
    "Record",
    "RelevanceJudge",
    "ResponseJudge",
    "ResponseKind",
    "Ruling",
    "default_prompt",
    "is_judging",
]
