"""Claims of a cited answer that give no source: where some of it can be followed up, the rest is said to be without."""

from __future__ import annotations

from collections.abc import Sequence

from affidavit.report import CheckRecord, ClaimVerdict
from affidavit.stages.ground.case import Case
from affidavit.stages.ground.split.kinds import MARKER

WHY = "no source is given for it, in an answer that gives some"
_NOT_CITED = CheckRecord(name="citations", state="checked", reason="not_cited", detail=WHY)


def uncited(claims: Sequence[ClaimVerdict], cases: Sequence[Case]) -> tuple[ClaimVerdict, ...]:
    """The verdicts, with those of facts that no source is given for marked as such; scores stay as they are.

    A marker holds for what its sentence says before it, in a table for its row, and a source that announces a list for
    its items. What the agent did, or did not find, rests on its calls and not on a source.
    """
    if len(cases) != len(claims) or not any(map(_cites, cases)):
        return tuple(claims)
    last = {case.claim.sentence: n for n, case in enumerate(cases) if _cites(case)}
    announced = tuple(case.claim.text for case in cases if _cites(case))
    return tuple(
        _marked(claim)
        if claim.kind == "fact"
        and claim.status != "exempt"
        and not _has_source(case, n, last.get(case.claim.sentence, -1))
        and not _is_announced(case, announced)
        else claim
        for n, (claim, case) in enumerate(zip(claims, cases, strict=True))
    )


def _cites(case: Case) -> bool:
    return bool(case.claim.citations) or case.cited.is_any


def _has_source(case: Case, at: int, last: int) -> bool:
    """Whether a claim, the ``at``-th, gives a source, where ``last`` is the last of its sentence that does."""
    cell = case.claim.cell
    if cell is not None:
        return _cites(case) or any(MARKER.search(text) for text in cell.cells.values())
    return _cites(case) or at < last


def _is_announced(case: Case, cited: Sequence[str]) -> bool:
    """Whether the line that announces its list gives a source."""
    lead = case.claim.lead
    return lead.rstrip(" *_").endswith(":") and any(text in lead for text in cited)


def _marked(claim: ClaimVerdict) -> ClaimVerdict:
    reason = claim.reason or "not_cited"
    return claim.model_copy(update={"reason": reason, "checks": (*claim.checks, _NOT_CITED)})
