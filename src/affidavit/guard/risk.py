"""The log's line for an answer that may be from the model's own knowledge."""

from __future__ import annotations

from affidavit.ledger.ledger import Ledger
from affidavit.ledger.risk import grounding_risk


def risk_line(ledger: Ledger, answer: str) -> str:
    """What to log of an answer that follows a result which holds nothing to answer from; mostly nothing."""
    risk = grounding_risk(ledger, answer)
    return f"{risk} Query: {ledger.question!r}" if risk else ""
