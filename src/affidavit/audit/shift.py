"""Scores at another rate of claims that hold: what a policy's ``prior`` makes of them, without judging anew.

A score is the probability of a claim at the rate ``policy.prior``. At another rate its log-odds differ
by as much as those of the two rates do (prior shift: Saerens, Latinne and Decaestecker, 2002).
"""

from __future__ import annotations

from affidavit.report import ClaimVerdict
from affidavit.stages.ground import relevance
from affidavit.stages.ground.verdict.odds import chance, odds

DIGITS = 4
"""Decimals that a score is kept with."""
LEAST = 0.5 * 10**-DIGITS
"""What a score of 0.0000 may have been, at most."""


def shifted(score: float, before: float, after: float) -> float:
    """A score at the rate ``after`` that was given at the rate ``before``. It never falls where the rate rises."""
    if before == after:
        return score
    moved = round(chance(odds(score, LEAST) + odds(after) - odds(before)), DIGITS)
    return max(moved, score) if after > before else min(moved, score)


def score_at(claim: ClaimVerdict, before: float, after: float) -> float | None:
    """A claim's score at another rate; None where it was not scored.

    What a result of low relevance allows at most stays at that, whatever the rate. Where that cut a
    score, the part above is not in the report: at a lower rate the score is then the least it may be.
    """
    if claim.score is None or not claim.is_scored:
        return None
    if claim.decided_by == relevance.NAME:
        return claim.score
    score = shifted(claim.score, before, after)
    return min(score, relevance.WEAK_SCORE) if relevance.is_cut(claim) else score
