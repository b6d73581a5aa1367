"""A judge of the claims that the verdict leaves in doubt: whom to ask what, and how much its word counts."""

from affidavit.stages.ground.judging.judging import ClaimJudge, Judged, Tab, told
from affidavit.stages.ground.judging.memory import Memory
from affidavit.stages.ground.judging.word import Reliability, Word, load_reliability, reliability_of

__all__ = [
    "ClaimJudge",
    "Judged",
    "Memory",
    "Reliability",
    "Tab",
    "Word",
    "load_reliability",
    "reliability_of",
    "told",
]
