"""The gate: emit, revise or block, and which rules said so.

Each rule is a generator of reasons; the table ``RULES`` is read from top to bottom. An answer that no
rule holds back goes out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from affidavit._excerpt import excerpt
from affidavit.policy import Policy
from affidavit.report import (
    CHECKER,
    Action,
    ClaimVerdict,
    ConsistencyProbe,
    Judging,
    StageState,
    ToolCallValidation,
)
from affidavit.stages.gate.score import overall_score

BROKEN_OFF = "the reply broke off at the model's limit of tokens"
_LONGEST = 120
"""Characters of a claim that a reason quotes."""
_NOT_RUN = StageState(state="skipped", reason="not run")


@dataclass(frozen=True, slots=True)
class GateDecision:
    """What becomes of the answer, and why: the deciding reasons first."""

    action: Action
    reasons: tuple[str, ...]
    overall_score: float
    nothing_scored: bool


@dataclass(frozen=True)
class Case:
    """Everything the rules may look at."""

    claims: Sequence[ClaimVerdict]
    validations: Sequence[ToolCallValidation]
    probes: Sequence[ConsistencyProbe]
    policy: Policy
    probe_state: StageState
    overall: float
    cut_off: bool = False
    judging: Judging | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One way in which an answer is held back: for each reason it yields, ``action`` is called for."""

    action: Callable[[Policy], Action]
    reasons: Callable[[Case], Iterator[str]]


def decide(
    claims: Sequence[ClaimVerdict],
    validations: Sequence[ToolCallValidation],
    probes: Sequence[ConsistencyProbe],
    policy: Policy,
    *,
    revisions_used: int = 0,
    probe_state: StageState | None = None,
    cut_off: bool = False,
    judging: Judging | None = None,
) -> GateDecision:
    """Decide on an answer. Depends on nothing but its arguments.

    A check that failed on a claim is that claim's own status. ``probe_state`` says whether Stage 3 ran, ``judging`` what came of asking a judge;
    ``cut_off`` says that the answer broke off before its end.
    """
    overall, nothing_scored = overall_score(claims, policy)
    case = Case(
        claims,
        validations,
        probes,
        policy,
        probe_state or _NOT_RUN,
        overall,
        cut_off,
        judging,
    )
    fired = [(rule.action(policy), why) for rule in RULES for why in rule.reasons(case)]
    fired = [(action, why) for action, why in fired if action != "emit"]
    block = tuple(why for action, why in fired if action == "block")
    revise = tuple(why for action, why in fired if action == "revise")
    if not fired:
        return GateDecision("emit", tuple(_why_emit(case, nothing_scored)), overall, nothing_scored)
    if not block and revisions_used >= policy.max_revisions:
        block = ("all allowed revisions are used up",)
    return GateDecision("block" if block else "revise", block + revise, overall, nothing_scored)


def critical_claim_below_block(case: Case) -> Iterator[str]:
    limit = case.policy.block_threshold
    for claim in case.claims:
        if claim.critical and claim.is_scored and _score(claim) < limit:
            yield f"critical claim {_quoted(claim)} scores {_score(claim):.4g}, below {limit}"


def failed_check(case: Case) -> Iterator[str]:
    """What could not be checked although it should have been, where the fail mode stops for it."""
    mode = case.policy.fail_mode
    if mode == "open":
        return
    for claim in case.claims:
        if _failure_stops(claim, case.policy):
            what = "critical claim" if claim.critical else "claim"
            yield f"{what} {_quoted(claim)} could not be checked and the fail mode is {mode}"
    # A scorer that is down has checked nothing at all: that is no answer to let out.
    if mode == "critical" and not any(c.is_scored for c in case.claims):
        failed = [c for c in case.claims if _check_failed(c) and not c.critical]
        if failed:
            yield f"nothing could be checked ({failed[0].explanation}) and the fail mode is {mode}"
    # Probes that may be skipped may also fail: Stage 2 has still checked the critical claims.
    if mode == "closed" and case.probe_state.state == "failed":
        yield f"probes failed ({case.probe_state.reason}) and the fail mode is closed"
    # Nor is the failure of a further checker or of a judge that of the claims, which keep their verdict.
    if mode == "closed":
        records = (check for claim in case.claims for check in claim.checks)
        failures = (c.detail for c in records if c.name == CHECKER and c.state == "failed")
        for why in dict.fromkeys(failures):
            yield f"a checker failed ({why}) and the fail mode is closed"
    if mode == "closed" and case.judging is not None and case.judging.state == "failed":
        yield f"the judge failed ({case.judging.reason}) and the fail mode is closed"


def uncovered_claim(case: Case) -> Iterator[str]:
    """What no check covers, and failed checks that the fail mode lets pass as such."""
    if case.policy.uncovered == "block":
        for claim in case.claims:
            if _not_checked(claim) and not _failure_stops(claim, case.policy):
                yield f"claim {_quoted(claim)} is covered by no check and the policy requires one"


def required_probes_missing(case: Case) -> Iterator[str]:
    """No revision brings about a probe that could not be run, so this blocks."""
    to_probe = any(c.critical and c.status != "exempt" for c in case.claims)
    if case.policy.probes.required and to_probe and case.probe_state.state != "checked":
        reason = case.probe_state.reason or "no reason given"
        yield f"probes are required and were {case.probe_state.state}: {reason}"


def overall_below_emit(case: Case) -> Iterator[str]:
    if case.overall < case.policy.emit_threshold:
        yield f"overall score {case.overall:.4g} is below {case.policy.emit_threshold}"


def claim_below_revise(case: Case) -> Iterator[str]:
    """Claim by claim, whatever the mean of all says: one good claim does not make another one true."""
    limit = case.policy.revise_threshold
    for claim in case.claims:
        if claim.is_scored and (_score(claim) < limit or claim.status == "contradicted"):
            yield f"claim {_quoted(claim)} is {claim.status} and scores {_score(claim):.4g}"


def probe_diverges(case: Case) -> Iterator[str]:
    # Probes start before Stage 2 has said which claims are free; invention may well differ.
    exempt = {c.text for c in case.claims if c.status == "exempt"}
    held = {c.text for c in case.claims if c.status != "exempt"}
    for probe in case.probes:
        if probe.diverges and (probe.claim in held or probe.claim not in exempt):
            yield f"asked again, the model answers differently on “{excerpt(probe.claim, _LONGEST)}”"


def call_rejected_in_final_turn(case: Case) -> Iterator[str]:
    for call in case.validations:
        if call.counts_against:
            yield f"a call to {call.tool} in the final turn was rejected and not corrected"


def claim_without_source(case: Case) -> Iterator[str]:
    for claim in case.claims:
        if claim.is_uncited:
            yield f"claim {_quoted(claim)} gives no source, in an answer that gives some"


def broken_off(case: Case) -> Iterator[str]:
    if case.cut_off:
        yield BROKEN_OFF


RULES: tuple[Rule, ...] = (
    Rule(lambda policy: policy.on_critical, critical_claim_below_block),
    Rule(lambda _: "block", failed_check),
    Rule(lambda _: "block", uncovered_claim),
    Rule(lambda _: "block", required_probes_missing),
    Rule(lambda _: "revise", overall_below_emit),
    Rule(lambda _: "revise", claim_below_revise),
    Rule(lambda _: "revise", probe_diverges),
    Rule(lambda _: "revise", call_rejected_in_final_turn),
    Rule(lambda policy: policy.uncited, claim_without_source),
    Rule(lambda policy: policy.cut_off, broken_off),
)


def _why_emit(case: Case, nothing_scored: bool) -> Iterator[str]:
    if nothing_scored:
        yield "no claim was scored"
    else:
        yield f"overall score {case.overall:.4g} is at or above {case.policy.emit_threshold}"
    unchecked = sum(_not_checked(claim) for claim in case.claims)
    if unchecked:
        yield f"not checked, and marked as such: {unchecked} of {len(case.claims)} claims"
    uncited = sum(claim.is_uncited for claim in case.claims)
    if uncited:
        yield f"without a source, and marked as such: {uncited} of {len(case.claims)} claims"
    if case.cut_off:
        yield f"{BROKEN_OFF}, and is marked"


def _check_failed(claim: ClaimVerdict) -> bool:
    """A check failed on the claim. A verdict with no score can meet no threshold, and an unchecked
    claim with no reason was not declared out of reach: both count as failures, not as passes."""
    if claim.is_judged:
        return claim.score is None
    return claim.status == "unchecked" and claim.reason != "not_covered"


def _failure_stops(claim: ClaimVerdict, policy: Policy) -> bool:
    match policy.fail_mode:
        case "open":
            return False
        case "closed":
            return _check_failed(claim)
        case "critical":
            return _check_failed(claim) and claim.critical


def _not_checked(claim: ClaimVerdict) -> bool:
    return claim.status == "unchecked" or _check_failed(claim)


def _score(claim: ClaimVerdict) -> float:
    assert claim.score is not None
    return claim.score


def _quoted(claim: ClaimVerdict) -> str:
    return f"“{excerpt(claim.text, _LONGEST)}”"
