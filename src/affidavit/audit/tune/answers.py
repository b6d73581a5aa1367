"""An answer as the fit sees it: its scored claims, what is known of it, and what else holds it back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from affidavit.audit.replay import check_replayable, policy_of_report
from affidavit.audit.shift import score_at
from affidavit.policy import Policy
from affidavit.report import ClaimVerdict, HallucinationReport
from affidavit.stages.gate import decide, overall_score

HELD = -1.0
"""The level of an answer that no threshold lets out."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer. ``good`` is None where too little is known of it; ``right`` are its claims' labels."""

    run_id: str
    good: bool | None
    claims: tuple[ClaimVerdict, ...]
    right: tuple[bool | None, ...]
    prior: float
    """The rate at which its scores hold."""
    held: str = ""
    """Why it is held back whatever its scores: a rejected call, a failed check, a probe. Empty where it is not."""
    assumed: bool = False
    """Nobody has looked at it: it went out, or is of runs known to be good."""

    def level(self, policy: Policy) -> float:
        """The highest ``emit_threshold`` that lets the answer out at the policy's prior; HELD where none does."""
        if self.held:
            return HELD
        claims = [
            claim.model_copy(update={"score": score_at(claim, self.prior, policy.prior)})
            for claim in self.claims
        ]
        # By the minimum a claim below the lower threshold is below the upper one, too.
        if policy.aggregation != "minimum" and any(
            claim.critical and claim.score is not None and claim.score < policy.block_threshold
            for claim in claims
        ):
            return HELD
        return overall_score(claims, policy)[0]


@dataclass(slots=True)
class Gathered:
    """The answers to fit on, and what could not be used."""

    policy: Policy
    answers: list[Answer] = field(default_factory=list)
    partial: int = 0
    """Answers of which some claims are labelled, and too few to call the whole good."""
    unlabelled: int = 0
    known_good: bool = False
    """No label was given: all runs are taken to be good, as the caller says they are."""
    unmatched: int = 0
    """Labels of runs that are not among those given."""
    failed: int = 0
    """Runs that could not be judged."""

    def add(self, answer: Answer | None, *, labelled: bool) -> None:
        """Take an answer in, or count why it cannot be."""
        if answer is None or answer.good is None:
            self.partial += labelled
            self.unlabelled += not labelled
        else:
            self.answers.append(answer)


def answer_of(
    report: HallucinationReport,
    policy: Policy,
    *,
    good: bool | None,
    claims: Mapping[int, bool] | None = None,
    assumed: bool = False,
) -> Answer:
    """An answer from its report and what people said. Raises where the report cannot be put under ``policy``.

    An answer with a wrong claim is bad. One of which only claims are labelled is good where every claim
    that held it back, or would have, is among them and right; a partial review makes no good answer.
    """
    before = policy_of_report(report)
    check_replayable(before, policy)
    said = dict(claims or {})
    if good and not said:
        said = dict.fromkeys(range(len(report.claims)), True)
    if not all(said.values()):
        good = False
    elif good is None and said:
        asked = {n for n, c in enumerate(report.claims) if c.is_in_question(before.emit_threshold)}
        good = True if asked <= said.keys() else None
    scored = [(n, claim) for n, claim in enumerate(report.claims) if claim.is_scored]
    return Answer(
        run_id=report.run_id, good=good, claims=tuple(_light(claim) for _, claim in scored),
        right=tuple(said.get(n) for n, _ in scored), prior=before.prior,
        held=_held(report, policy), assumed=assumed,
    )  # fmt: skip


def _held(report: HallucinationReport, policy: Policy) -> str:
    lenient = policy.model_copy(
        update={"emit_threshold": 0.0, "revise_threshold": 0.0, "block_threshold": 0.0}
    )
    made = decide(
        report.claims, report.tool_call_validations, report.consistency_probes, lenient,
        probe_state=report.stages.get("probe"), cut_off=report.cut_off, judging=report.judge,
    )  # fmt: skip
    return "" if made.action == "emit" else made.reasons[0]


def _light(claim: ClaimVerdict) -> ClaimVerdict:
    """What the fit reads of a claim: many thousands are held at once."""
    return claim.model_copy(update={"text": "", "checks": (), "evidence_spans": ()})
