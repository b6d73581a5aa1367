"""A language model as judge: how far does a response follow from its documents?"""

from __future__ import annotations

from affidavit.models.judge.judge import (
    GroundednessJudge,
    JudgeDocument,
    Judgement,
    ResponseKind,
)
from affidavit.models.judge.prompt import JudgePrompt, default_prompt
from affidavit.models.judge.scorer import JudgeScorer

__all__ = [
    "GroundednessJudge",
    "JudgeDocument",
    "JudgePrompt",
    "JudgeScorer",
    "Judgement",
    "ResponseKind",
    "default_prompt",
]
