"""The guard: what a runtime tells of a live run, and what it is told to do."""

from affidavit.cited import CITE_AS_YOU_WRITE
from affidavit.guard.checker import AnswerChecker
from affidavit.guard.conclude import ONLY_DELETES
from affidavit.guard.decision import AnswerDecision, CallDecision
from affidavit.guard.guard import Guard
from affidavit.guard.keepers import Recorder
from affidavit.guard.options import GuardOptions
from affidavit.guard.stream import AnswerStream

__all__ = [
    "CITE_AS_YOU_WRITE",
    "ONLY_DELETES",
    "AnswerChecker",
    "AnswerDecision",
    "AnswerStream",
    "CallDecision",
    "Guard",
    "GuardOptions",
    "Recorder",
]
