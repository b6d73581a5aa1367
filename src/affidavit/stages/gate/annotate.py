"""Marks on an answer that goes out although not all of it was confirmed."""

from __future__ import annotations

import json

from affidavit.policy import Policy
from affidavit.report import ClaimVerdict, HallucinationReport

CUT_OFF_NOTE = "Please note: this answer broke off before its end."
NOTE = "Please note: the following could not be fully confirmed."


def annotate(report: HallucinationReport, policy: Policy | None = None, *, note: str = NOTE) -> str:
    """The answer, followed by the claims in it that are weakly supported or were not checked, and by a
    word where it broke off.

    An answer that is JSON is read by programs and stays as it is.
    """
    policy = policy or Policy.model_validate(report.policy)
    marked = [c for c in report.claims if _needs_mark(c, policy.emit_threshold)]
    if not (marked or report.cut_off) or _is_json(report.answer):
        return report.answer
    broken = ["", CUT_OFF_NOTE] if report.cut_off else []
    if not marked:
        return "\n".join([report.answer.rstrip(), *broken])
    lines = dict.fromkeys(f"- “{' '.join(claim.text.split())}”" for claim in marked)
    return "\n".join([report.answer.rstrip(), *broken, "", note, *lines])


def _needs_mark(claim: ClaimVerdict, emit_threshold: float) -> bool:
    if claim.status == "exempt":
        return False
    return not claim.is_scored or (claim.score is not None and claim.score < emit_threshold)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
