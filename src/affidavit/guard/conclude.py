"""From a report to what is done with the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from affidavit.guard.decision import AnswerDecision
from affidavit.policy import Policy
from affidavit.report import Attempt, HallucinationReport
from affidavit.stages.gate import (
    RefusalTemplate,
    annotate,
    deletes_only,
    refusal,
    revision_feedback,
)

ONLY_DELETES = "the revision only leaves out what the draft before it said; it corrects nothing"


@dataclass(frozen=True, slots=True)
class Manner:
    """How a deployment answers: ``mark`` notes weakly supported claims on an answer that goes out,
    ``shadow`` lets everything out, ``template`` words the refusal, ``may_cite`` offers the model to show a place in the
    results for a statement that is sent back."""

    shadow: bool = False
    mark: bool = True
    template: RefusalTemplate | str | None = None
    may_cite: bool = True


def conclude(
    report: HallucinationReport,
    policy: Policy,
    manner: Manner,
    *,
    drafts: Sequence[Attempt],
    shown: str = "",
) -> AnswerDecision:
    """What to do with the answer of ``report``, which begins with what has been ``shown``.

    ``drafts`` are those that were sent back before it.
    """
    shorter = bool(drafts) and deletes_only(drafts[-1].answer, report.answer)
    if shorter:
        report = report.model_copy(update={"reasons": (*report.reasons, ONLY_DELETES)})
    if manner.shadow:
        return _going_out(report, report.answer, shown, shorter)
    match report.action:
        case "emit":
            text = annotate(report, policy) if manner.mark else report.answer
            return _going_out(report, text, shown, shorter)
        case "block":
            refused = refusal(report, manner.template)
            rest = f"\n\n{refused}" if shown else refused
            return AnswerDecision(
                "block", report, text=shown + rest, deletes_only=shorter, rest=rest
            )
        case "revise":
            feedback = revision_feedback(report, policy, shown=shown, may_cite=manner.may_cite)
            return AnswerDecision("revise", report, feedback=feedback, deletes_only=shorter)


def _going_out(report: HallucinationReport, text: str, shown: str, shorter: bool) -> AnswerDecision:
    return AnswerDecision("emit", report, text=text, deletes_only=shorter, rest=text[len(shown) :])


def sent_back(decision: AnswerDecision) -> Attempt:
    """The draft of a decision to revise, as reports list it."""
    return Attempt(
        answer=decision.report.answer,
        action="revise",
        overall_score=decision.report.overall_score,
        feedback=decision.feedback or "",
        deletes_only=decision.deletes_only,
    )
