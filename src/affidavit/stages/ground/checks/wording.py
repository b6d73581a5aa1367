"""Wording: how much of what a claim says is spoken of anywhere in the evidence.

A weak check. It proves nothing by itself, but a claim whose words occur nowhere in the run is hardly
grounded, whatever a small model makes of it.
"""

from __future__ import annotations

from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.checks.outcomes import admits
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "wording"


def check_wording(claim: Claim, context: GroundContext) -> Finding:
    """The share of the claim's words that one result, with the question, speaks of."""
    said = content_stems(claim.text)
    if not said:
        return Finding.skip(NAME, "no words of substance")
    asked = content_stems(context.question)
    by_source: dict[int, set[str]] = {}
    for passage in context.search.passages:
        if admits(passage, claim) and context.topic.fits(context.rows.chain(passage)):
            by_source.setdefault(passage.source.id, set()).update(content_stems(passage.text))
    best, best_source = 0.0, None
    for source_id, stems in by_source.items():
        covered = named_in(said, frozenset(stems))
        share = (len(covered) + 0.5 * len(named_in(said - covered, asked))) / len(said)
        if share > best:
            best, best_source = share, source_id
    if best_source is None:
        return Finding(NAME, "checked", "missing", 0.0, detail="none of its words are in the evidence")
    unseen = sorted(said - named_in(said, frozenset(by_source[best_source])))
    detail = f"not spoken of: {', '.join(unseen)}" if unseen else "every word is in the evidence"
    verdict = "supports" if best >= 0.5 else "missing"
    return Finding(NAME, "checked", verdict, round(best, 3), detail=detail, settles="values")
