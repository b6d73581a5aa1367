""" "Where is this from?", answered from the report alone."""

from __future__ import annotations

from dataclasses import dataclass

from affidavit.ledger.words import content_stems
from affidavit.report import ClaimStatus, ClaimVerdict, EvidenceSpan, HallucinationReport


@dataclass(frozen=True, slots=True)
class Origin:
    """What one claim of an answer rests on. No evidence is no origin: it is not known where it is from."""

    claim: str
    status: ClaimStatus
    evidence: tuple[EvidenceSpan, ...]

    def __str__(self) -> str:
        if self.status not in ("supported", "exempt") or not self.evidence:
            return f"“{self.claim}”: no source supports this."
        named = dict.fromkeys(map(_named, self.evidence))
        return f"“{self.claim}”: {'; '.join(named)}."


def where_from(report: HallucinationReport, about: str | None = None) -> list[Origin]:
    """What each claim of the report's answer rests on, in order.

    ``about`` picks the claims that a question is about, by its words ("the $49"): those that share most
    with it, or none where none shares any.
    """
    claims = [claim for claim in report.claims if claim.status != "exempt"]
    if about is not None:
        claims = _closest(claims, about)
    return [Origin(claim.text, claim.status, claim.evidence_spans) for claim in claims]


def _closest(claims: list[ClaimVerdict], about: str) -> list[ClaimVerdict]:
    asked = content_stems(about)
    shared = [len(asked & content_stems(claim.text)) for claim in claims]
    most = max(shared, default=0)
    return [claim for claim, n in zip(claims, shared, strict=True) if n == most and n > 0]


def _named(span: EvidenceSpan) -> str:
    """The document and the place in it, or the tool that said so."""
    if span.document is not None:
        return str(span.document)
    return f"the result of {span.tool}" if span.tool else f"the {span.source} message"
