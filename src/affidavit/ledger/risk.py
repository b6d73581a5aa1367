"""The sign of an answer from the model's own knowledge: a search came to nothing, and it answered."""

from __future__ import annotations

from affidavit.ledger.ledger import Ledger, Source
from affidavit.report import GroundingRisk

_NOTHING = ("empty", "error", "rejected")


def grounding_risk(ledger: Ledger, answer: str) -> GroundingRisk | None:
    """The result that holds nothing to answer from, where an answer follows one; mostly None.

    Only the last result counts: an agent that found something after all had what it needed.
    """
    after = [s for s in ledger.sources if s.kind == "tool_result" and s.message > ledger.last_said]
    if not answer.strip() or not after or not (told := _held_nothing(after[-1])):
        return None
    return GroundingRisk(tool=after[-1].tool or "", state=told)


def _held_nothing(result: Source) -> str:
    if result.state is not None and result.state != "success":
        return result.state.replace("_", " ")
    return result.outcome if result.outcome in _NOTHING else ""
