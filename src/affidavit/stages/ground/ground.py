"""From an answer and a ledger to one verdict a claim: split, search, check, combine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from affidavit.errors import ScorerError
from affidavit.ledger.ledger import Ledger
from affidavit.ledger.meaning import Meaning
from affidavit.models.entailment.protocol import EntailmentModel
from affidavit.policy import Policy
from affidavit.report import CheckRecord, ClaimVerdict, StageState
from affidavit.stages.ground.checks.absence.absence import check_absence
from affidavit.stages.ground.checks.absence.not_required import check_not_required
from affidavit.stages.ground.checks.calls.actions import check_actions
from affidavit.stages.ground.checks.calls.charges import check_charges
from affidavit.stages.ground.checks.calls.destinations import check_destinations
from affidavit.stages.ground.checks.calls.fallbacks import check_fallbacks
from affidavit.stages.ground.checks.calls.limits import check_limits
from affidavit.stages.ground.checks.calls.only_passed import check_only_passed
from affidavit.stages.ground.checks.calls.outcomes import check_outcomes
from affidavit.stages.ground.checks.calls.pairs import check_pairs
from affidavit.stages.ground.checks.calls.unchanged import check_unchanged
from affidavit.stages.ground.checks.derived.arithmetic import check_arithmetic
from affidavit.stages.ground.checks.entailment import NAME as ENTAILMENT
from affidavit.stages.ground.checks.entailment import judge_entailment
from affidavit.stages.ground.checks.lists.choices import check_choices
from affidavit.stages.ground.checks.lists.counted_fields import check_counted_fields
from affidavit.stages.ground.checks.lists.empty_lists import check_empty_lists
from affidavit.stages.ground.checks.lists.extremes import check_extremes
from affidavit.stages.ground.checks.lists.led_bounds import check_led_bounds
from affidavit.stages.ground.checks.lists.left_over import check_left_over
from affidavit.stages.ground.checks.lists.members import check_members
from affidavit.stages.ground.checks.lists.multiples import check_multiples
from affidavit.stages.ground.checks.lists.none_contains import check_none_contains
from affidavit.stages.ground.checks.lists.none_in_state import check_none_in_state
from affidavit.stages.ground.checks.lists.none_such import check_none_such
from affidavit.stages.ground.checks.lists.parts import check_parts
from affidavit.stages.ground.checks.lists.plurals import check_plurals
from affidavit.stages.ground.checks.lists.tallies import check_tallies
from affidavit.stages.ground.checks.lists.there_is import check_there_is
from affidavit.stages.ground.checks.lists.universals import check_universals
from affidavit.stages.ground.checks.order.compared import check_compared
from affidavit.stages.ground.checks.order.comparisons import check_comparisons
from affidavit.stages.ground.checks.order.covers import check_covers
from affidavit.stages.ground.checks.order.cut_offs import check_cut_offs
from affidavit.stages.ground.checks.order.deadlines import check_deadlines
from affidavit.stages.ground.checks.order.enough import check_enough
from affidavit.stages.ground.checks.order.orderings import check_orderings
from affidavit.stages.ground.checks.order.passed import check_passed
from affidavit.stages.ground.checks.order.relative_periods import check_relative_periods
from affidavit.stages.ground.checks.order.sequence import check_sequence
from affidavit.stages.ground.checks.order.thresholds import check_thresholds
from affidavit.stages.ground.checks.order.trends import check_trends
from affidavit.stages.ground.checks.sources.citations import check_citations
from affidavit.stages.ground.checks.sources.documents import check_documents
from affidavit.stages.ground.checks.sources.party import check_party
from affidavit.stages.ground.checks.sources.quotes import check_quotes
from affidavit.stages.ground.checks.states.barred import check_barred
from affidavit.stages.ground.checks.states.conditional import check_conditional
from affidavit.stages.ground.checks.states.denied import check_denied
from affidavit.stages.ground.checks.states.doers import check_doers
from affidavit.stages.ground.checks.states.exceptions import check_exceptions
from affidavit.stages.ground.checks.states.flags import check_flags
from affidavit.stages.ground.checks.states.free_of import check_free_of
from affidavit.stages.ground.checks.states.opposites import check_opposites
from affidavit.stages.ground.checks.states.other_ways import check_other_ways
from affidavit.stages.ground.checks.states.possible import check_possible
from affidavit.stages.ground.checks.states.roles import check_roles
from affidavit.stages.ground.checks.states.same_kind import check_same_kind
from affidavit.stages.ground.checks.states.states import check_states
from affidavit.stages.ground.checks.states.steps import check_steps
from affidavit.stages.ground.checks.states.types import check_types
from affidavit.stages.ground.checks.values.affixes import check_affixes
from affidavit.stages.ground.checks.values.attributes import check_attributes
from affidavit.stages.ground.checks.values.lettered import check_lettered
from affidavit.stages.ground.checks.values.mixtures import check_mixtures
from affidavit.stages.ground.checks.values.strays import check_strays
from affidavit.stages.ground.checks.values.values import check_values
from affidavit.stages.ground.checks.wording import check_wording
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.combine import Judgement, combine, is_decided
from affidavit.stages.ground.conclusions import with_conclusions
from affidavit.stages.ground.contexts import contexts_of
from affidavit.stages.ground.each_row import judge_rows
from affidavit.stages.ground.finding import Check, Finding, GroundContext
from affidavit.stages.ground.premises import premises
from affidavit.stages.ground.relevance import weakened
from affidavit.stages.ground.scoring import scored
from affidavit.stages.ground.split import split_claims

CHECKS: tuple[Check, ...] = (
    check_citations,
    check_documents,
    check_actions,
    check_arithmetic,
    check_attributes,
    check_affixes,
    check_lettered,
    check_party,
    check_mixtures,
    check_strays,
    check_choices,
    check_extremes,
    check_comparisons,
    check_compared,
    check_relative_periods,
    check_enough,
    check_covers,
    check_trends,
    check_deadlines,
    check_cut_offs,
    check_destinations,
    check_quotes,
    check_states,
    check_steps,
    check_types,
    check_denied,
    check_barred,
    check_same_kind,
    check_other_ways,
    check_doers,
    check_conditional,
    check_opposites,
    check_exceptions,
    check_roles,
    check_free_of,
    check_possible,
    check_none_in_state,
    check_none_such,
    check_none_contains,
    check_there_is,
    check_led_bounds,
    check_empty_lists,
    check_left_over,
    check_flags,
    check_parts,
    check_members,
    check_counted_fields,
    check_plurals,
    check_universals,
    check_tallies,
    check_thresholds,
    check_passed,
    check_orderings,
    check_sequence,
    check_multiples,
    check_limits,
    check_unchanged,
    check_only_passed,
    check_pairs,
    check_fallbacks,
    check_charges,
    check_absence,
    check_not_required,
    check_outcomes,
    check_wording,
)
"""The exact checks, besides that of values, which gives two findings."""

EXEMPT_KINDS = frozenset({"greeting", "offer", "question", "opinion", "plan", "creative"})


@dataclass(frozen=True)
class Grounding:
    """What Stage 2 came to."""

    claims: tuple[ClaimVerdict, ...]
    state: StageState


def ground(
    answer: str,
    ledger: Ledger,
    policy: Policy,
    model: EntailmentModel | None,
    claims: Sequence[Claim] | None = None,
    *,
    meaning: Meaning | None = None,
    exact_checks: bool = True,
) -> Grounding:
    """Judge every claim of an answer, split here unless given. Changes nothing it is given.

    With ``meaning`` the model is also shown passages that say the like in other words. Without
    ``exact_checks`` it decides alone: to measure what they bring.
    """
    if policy.groundedness == "off":
        return Grounding((), StageState(state="skipped", reason="switched off by the policy"))
    question = ledger.question
    claims = split_claims(answer, question=question) if claims is None else claims
    contexts = contexts_of(claims, answer, question, ledger, policy, model, meaning)
    exact = [
        _exact_findings(claim, context) if exact_checks else {}
        for claim, context in zip(claims, contexts, strict=True)
    ]
    findings = _with_entailment(claims, contexts, exact, model)
    verdicts = tuple(
        _verdict(claim, found, policy) for claim, found in zip(claims, findings, strict=True)
    )
    verdicts = with_conclusions(verdicts, claims, contexts, policy, model)
    return Grounding(weakened(verdicts, ledger, answer), StageState(state="checked"))


def _exact_findings(claim: Claim, context: GroundContext) -> dict[str, Finding]:
    if claim.kind in EXEMPT_KINDS and not claim.presumes:
        return {}
    values, derived = check_values(claim, context)
    if claim.kind in EXEMPT_KINDS:
        return {finding.check: finding for finding in (values, derived)}
    findings = (values, derived, *(check(claim, context) for check in CHECKS))
    return {finding.check: finding for finding in findings}


def _with_entailment(
    claims: Sequence[Claim],
    contexts: Sequence[GroundContext],
    exact: Sequence[Mapping[str, Finding]],
    model: EntailmentModel | None,
) -> list[dict[str, Finding]]:
    """Ask the model about every claim that the exact checks leave open."""
    shown = [
        premises(claim, context)
        if claim.covered and _open(claim, found) and model is not None
        else None
        for claim, context, found in zip(claims, contexts, exact, strict=True)
    ]
    answers = scored(model, claims, shown, contexts)
    done: list[dict[str, Finding]] = []
    for claim, context, found, texts, said in zip(
        claims, contexts, exact, shown, answers, strict=True
    ):
        merged = dict(found)
        if model is not None and texts is not None:
            merged[ENTAILMENT] = (
                Finding(ENTAILMENT, "failed", detail=str(said), produced_by=model.name)
                if isinstance(said, ScorerError)
                else judge_rows(said.each, said.scores, model.name)
                if said.each is not None
                else judge_entailment(
                    claim, context, model, said.premises, said.scores, said.opposed
                )
            )
        elif claim.kind not in EXEMPT_KINDS:
            merged[ENTAILMENT] = Finding.skip(ENTAILMENT, _why_not(claim, model))
        done.append(merged)
    return done


def _why_not(claim: Claim, model: EntailmentModel | None) -> str:
    if model is None:
        return "no entailment model"
    if not claim.covered:
        return "the model does not read this language"
    return "decided by an exact check"


def _open(claim: Claim, found: Mapping[str, Finding]) -> bool:
    """Whether the exact checks leave anything for the model to say."""
    return claim.kind not in EXEMPT_KINDS and not is_decided(claim, found)


def _verdict(claim: Claim, found: Mapping[str, Finding], policy: Policy) -> ClaimVerdict:
    if claim.kind in EXEMPT_KINDS and not _presumes_wrongly(found):
        return ClaimVerdict(
            text=claim.text, start=claim.start, end=claim.end, kind=claim.kind, critical=False,
            status="exempt", score=None, evidence_spans=(), explanation=f"{claim.kind}: makes no claim",
        )  # fmt: skip
    judgement = _as_task_allows(combine(claim, found), policy)
    by = judgement.by
    return ClaimVerdict(
        text=claim.text, start=claim.start, end=claim.end, kind=claim.kind, critical=claim.critical,
        status=judgement.status, score=judgement.score, reason=judgement.reason,
        evidence_spans=by.spans, decided_by=by.check,
        explanation=f"{judgement.rule}: {by.detail}" if by.detail else judgement.rule,
        checks=tuple(_record(f) for f in found.values()),
    )  # fmt: skip


def _presumes_wrongly(found: Mapping[str, Finding]) -> bool:
    """An offer asserts nothing, but the price it takes for granted must not be another's."""
    values = found.get("values")
    return values is not None and values.verdict in ("contradicts", "missing")


def _as_task_allows(judgement: Judgement, policy: Policy) -> Judgement:
    """In creative work an invention is free; a contradiction or an action not performed is not."""
    # What is hardly supported must not fare worse than what is not supported at all.
    weak = judgement.status == "supported" and (judgement.score or 0.0) < policy.emit_threshold
    if policy.task_type == "creative" and (judgement.status == "unsupported" or weak):
        return replace(judgement, status="exempt", score=None, rule="creative: invention is free")
    return judgement


def _record(finding: Finding) -> CheckRecord:
    return CheckRecord(
        name=finding.check, state=finding.state, verdict=finding.verdict, score=finding.score,
        reason=finding.reason, detail=finding.detail, formula=finding.formula,
        evidence_spans=finding.spans, produced_by=finding.produced_by,
    )  # fmt: skip
