"""Results that may not answer the question: what rests on them alone is weakly supported until the
answer says so."""

from __future__ import annotations

import re
from collections.abc import Sequence

from affidavit.ledger.ledger import Ledger, Source
from affidavit.report import CheckRecord, ClaimVerdict, EvidenceSpan

NAME = "relevance"

CAVEAT_SCORE = 0.9
WEAK_SCORE = 0.8
"""Between the thresholds that a policy has unless it says otherwise: such a claim is sent back once, to be stated with its caveat, and
not stopped."""
WEAK_WHY = "the result may not be what was asked for, and the answer must say so"

_CAVEAT = re.compile(
    r"\b(?:may|might|could) (?:not )?(?:be |fully |exactly |directly |still )*"
    r"(?:in)?(?:accurate|complete|correct|outdated|apply|answer|match|differ|relate|refer|what you)\b|"
    r"\b(?:not|less than) (?:fully |entirely |completely |100% )?(?:certain|sure|confident)\b|"
    r"\b(?:could|can)(?: ?not|n['’]t) (?:fully )?(?:confirm|verify|guarantee)\b|"
    r"\b(?:please|should|recommend\w*|suggest\w*|advise\w*|want to) (?:\w+ ){0,3}"
    r"(?:verify|verifying|confirm|confirming|double-check|check(?:ing)?|clarify|clarifying)\b|"
    r"\b(?:closest|nearest) (?:match|result|thing|document)|\bonly (?:partly|partially)\b",
    re.I,
)
"""How an answer says that it may be off the mark."""


def weakened(
    claims: Sequence[ClaimVerdict], ledger: Ledger, answer: str
) -> tuple[ClaimVerdict, ...]:
    """The verdicts, with those that results of low relevance alone support brought down.

    The caveat is what the result itself asks for, so it is supported, and in an answer that gives it
    all else is left as it is. So is what another result, the user or the system prompt bears out.
    """
    low = [source for source in ledger.sources if source.state == "low_relevance"]
    if not low:
        return tuple(claims)
    if _CAVEAT.search(answer):
        return tuple(_grounded_caveat(claim, low[-1]) for claim in claims)
    places = {source.call_id for source in low}
    return tuple(_weak(claim) if _rests_on(claim, places) else claim for claim in claims)


def _grounded_caveat(claim: ClaimVerdict, result: Source) -> ClaimVerdict:
    open_words = claim.reason in ("not_entailed", "meaning_changed")
    if claim.status != "unsupported" or not open_words or not _CAVEAT.search(claim.text):
        return claim
    span = EvidenceSpan(
        source="tool_result", text="low relevance", tool=result.tool, call_id=result.call_id,
        message=result.message,
    )  # fmt: skip
    return claim.model_copy(
        update={
            "status": "supported", "score": CAVEAT_SCORE, "reason": None, "decided_by": NAME,
            "evidence_spans": (span,), "explanation": "the result is of low relevance",
        }
    )  # fmt: skip


def _rests_on(claim: ClaimVerdict, places: set[str | None]) -> bool:
    of_claim = {span.call_id for span in claim.evidence_spans}
    return claim.status == "supported" and bool(of_claim) and of_claim <= places


def _weak(claim: ClaimVerdict) -> ClaimVerdict:
    return claim.model_copy(
        update={
            "score": min(claim.score or 0.0, WEAK_SCORE),
            "explanation": f"{claim.explanation}; {WEAK_WHY}",
            "checks": (*claim.checks, CheckRecord(name=NAME, state="checked", detail=WEAK_WHY)),
        }
    )


def is_cut(claim: ClaimVerdict) -> bool:
    """Whether a result of low relevance, which is all that bears the claim out, holds its score down."""
    return any(check.name == NAME for check in claim.checks)
