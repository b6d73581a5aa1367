"""From an answer and a ledger to one verdict a claim: split, link, hear the witnesses, judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from affidavit.errors import ScorerError
from affidavit.ledger.ledger import Ledger
from affidavit.ledger.meaning import Meaning
from affidavit.models.entailment.protocol import EntailmentModel
from affidavit.policy import JudgePolicy, Policy
from affidavit.report import CHECKER, CITED, CheckRecord, ClaimVerdict, StageState
from affidavit.stages.ground.case import Case
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.linking import evidence_of, linked_answer, shown_for
from affidavit.stages.ground.relevance import weakened
from affidavit.stages.ground.signal import Signal, WitnessName
from affidavit.stages.ground.split import split_claims
from affidavit.stages.ground.split.kinds import EXEMPT
from affidavit.stages.ground.verdict import Verdict, VerdictModel, explained, load_verdict
from affidavit.stages.ground.verdict.explain import UNREAD_IN
from affidavit.stages.ground.witnesses import WITNESSES
from affidavit.stages.ground.witnesses.entailment import LIKELY, entailment
from affidavit.trace import Citation

_CONTRA = frozenset({"opposed", "other_row", "other_field"})
_CLOSED = frozenset({"action_not_performed", "contradicts_evidence", "false_absence"})
ENTAILMENT: WitnessName = "entailment"
Heard: TypeAlias = tuple[tuple[Signal, ...], ScorerError | None]
"""The signals of a claim, and how the entailment model failed at it where it did."""


@dataclass(frozen=True)
class Grounding:
    """What Stage 2 came to. ``cases`` are what each claim was held against, where it came so far."""

    claims: tuple[ClaimVerdict, ...]
    state: StageState
    cases: tuple[Case, ...] = field(default=(), repr=False)

    @property
    def passages(self) -> int:
        """How many lines of evidence the claims were held against."""
        return len(self.cases[0].evidence.lines) if self.cases else 0

    @property
    def unread(self) -> int:
        """How many of those were too many to be read, and hold values that no claim led to."""
        return self.cases[0].evidence.search.unread if self.cases else 0


def ground(
    answer: str,
    ledger: Ledger,
    policy: Policy,
    model: EntailmentModel | None,
    claims: Sequence[Claim] | None = None,
    *,
    citations: Sequence[Citation] = (),
    meaning: Meaning | None = None,
    verdict: VerdictModel | None = None,
    checkers: Sequence[EntailmentModel] = (),
) -> Grounding:
    """Judge every claim of an answer, split here unless given. Changes nothing it is given.

    ``citations`` are what the answer itself shows for its claims: the evidence that they lead to is read first.

    With ``meaning`` the model is also shown lines that say the like in other words. ``verdict`` is the
    fitted model, the packaged one unless given; without an entailment ``model`` its other head decides. ``checkers`` are
    asked about what that leaves in doubt, each about what is in doubt by then.
    """
    if policy.groundedness == "off":
        return Grounding((), StageState(state="skipped", reason="switched off by the policy"))
    claims = split_claims(answer, question=ledger.question) if claims is None else claims
    judge = verdict or load_verdict()
    cases = cases_of(claims, ledger, policy, meaning, citations)
    heard = hear(cases, model)
    found = _found(cases, heard, judge, policy.prior)
    records = [_records(signals, model) for signals, _ in heard]
    for checker in checkers:
        heard, again = asked_again(cases, heard, _in_doubt(found, policy.judge), checker)
        found = _found(cases, heard, judge, policy.prior)
        records = [(*known, *more) for known, more in zip(records, again, strict=True)]
    verdicts = tuple(
        _with_shown(
            _exempt(claim) if claim.kind in EXEMPT else _judged(case, signals, one, policy, checks),
            case,
        )
        for claim, case, signals, one, checks in zip(
            claims, cases, heard, found, records, strict=True
        )
    )
    return Grounding(weakened(verdicts, ledger, answer), _state(heard), tuple(cases))


def _found(
    cases: Sequence[Case], heard: Sequence[Heard], judge: VerdictModel, prior: float
) -> list[Verdict | None]:
    """What the signals of each claim come to, beside the others of its answer; None where there is nothing to judge by."""
    weighed = [
        judge.weigh(signals) if failure is None and _is_read(case, signals) else None
        for case, (signals, failure) in zip(cases, heard, strict=True)
    ]
    borne_out = [one is not None and one.log_odds > 0 for one in weighed]
    return [
        one.at(prior, sum(borne_out) - own) if one is not None else None
        for one, own in zip(weighed, borne_out, strict=True)
    ]


def _in_doubt(found: Sequence[Verdict | None], bounds: JudgePolicy) -> list[int]:
    return [
        n
        for n, one in enumerate(found)
        if one is not None and bounds.low <= one.supported <= bounds.up_to()
    ]


def cases_of(
    claims: Sequence[Claim],
    ledger: Ledger,
    policy: Policy,
    meaning: Meaning | None = None,
    citations: Sequence[Citation] = (),
) -> list[Case]:
    """The claims of an answer, joined to the evidence and to what the answer shows for them."""
    evidence = evidence_of(ledger, policy.evidence_scope)
    links = linked_answer([claim.statement for claim in claims], evidence, meaning)
    shown = shown_for(claims, citations, evidence)
    return [
        Case(claim, linked, evidence, of_claim)
        for claim, linked, of_claim in zip(claims, links, shown, strict=True)
    ]


def hear(cases: Sequence[Case], model: EntailmentModel | None) -> list[Heard]:
    """What the witnesses say of each case, and how the model failed at it where it did."""
    told = [
        ()
        if case.claim.kind in EXEMPT
        else tuple(s for witness in WITNESSES for s in witness(case))
        for case in cases
    ]
    asked = [
        n for n, case in enumerate(cases) if case.claim.kind not in EXEMPT and case.claim.covered
    ]
    if model is None or not asked:
        return [(signals, None) for signals in told]
    said = dict(zip(asked, entailment([cases[n] for n in asked], model), strict=True))
    heard: list[Heard] = []
    for n, signals in enumerate(told):
        found = said.get(n, ())
        if isinstance(found, ScorerError):
            heard.append((signals, found))
        else:
            heard.append(((*signals, *found), None))
    return heard


def asked_again(
    cases: Sequence[Case], heard: Sequence[Heard], which: Sequence[int], checker: EntailmentModel
) -> tuple[list[Heard], list[tuple[CheckRecord, ...]]]:
    """``heard`` with the checker's word in the place of the entailment model's, for the cases that ``which`` names and
    that model has read; and what is to be recorded of each. Where the checker fails, what was heard before stands."""
    asked = [n for n in which if any(s.witness == ENTAILMENT for s in heard[n][0])]
    made = list(heard)
    records: list[tuple[CheckRecord, ...]] = [() for _ in heard]
    if not asked:
        return made, records
    said = entailment([cases[n] for n in asked], checker, plain=True)
    for n, found in zip(asked, said, strict=True):
        if isinstance(found, ScorerError):
            failed = CheckRecord(
                name=CHECKER, state="failed", detail=str(found), produced_by=checker.name
            )
            records[n] = (failed,)
            continue
        signals, failure = made[n]
        others = (s for s in signals if s.witness != ENTAILMENT)
        made[n] = ((*others, *found), failure)
        records[n] = (_read_record(CHECKER, found, checker),)
    return made, records


def _is_read(case: Case, signals: Sequence[Signal]) -> bool:
    """Whether there is anything to judge a claim by. What makes no claim, and what no check reads, vouches for nothing."""
    checked = case.claim.covered or any(s.slot in ("figure", "code") for s in signals)
    return case.claim.kind not in EXEMPT and checked


def _judged(
    case: Case,
    heard: Heard,
    verdict: Verdict | None,
    policy: Policy,
    checks: tuple[CheckRecord, ...],
) -> ClaimVerdict:
    signals, failure = heard
    if failure is not None:
        return _unchecked(case.claim, signals, "check_failed", str(failure))
    if verdict is None:
        return _unchecked(
            case.claim, signals, "not_covered", "the model does not read this language"
        )
    shown = tuple(line.span() for line in case.nearest[:1]) if case.claim.covered else ()
    denies = case.claim.kind == "absence"
    why = explained(verdict, signals, least=policy.emit_threshold, shown=shown, denies=denies)
    score = round(verdict.supported, 6)
    weak = score < policy.emit_threshold
    # A deed that was not done, and what a record says otherwise, are held against a creative answer as well.
    false = why.reason in _CLOSED or any(
        s.relation in _CONTRA and s.witness != ENTAILMENT for s in signals
    )
    if policy.task_type == "creative" and weak and not false:
        return _exempt(case.claim, "creative: invention is free")
    return ClaimVerdict(
        text=case.claim.text, start=case.claim.start, end=case.claim.end, kind=case.claim.kind,
        critical=case.claim.critical, status=why.status, score=score, reason=why.reason,
        evidence_spans=why.spans, decided_by=_decider(why.witness, checks), explanation=why.text,
        checks=checks,
    )  # fmt: skip


def _decider(witness: str, checks: Sequence[CheckRecord]) -> str:
    """The check whose word decided: that of the entailment witness is the last checker's, where one was heard."""
    asked = any(check.name == CHECKER and check.state == "checked" for check in checks)
    return CHECKER if witness == ENTAILMENT and asked else witness


def _exempt(claim: Claim, why: str = "") -> ClaimVerdict:
    return ClaimVerdict(
        text=claim.text, start=claim.start, end=claim.end, kind=claim.kind, critical=False,
        status="exempt", score=None, evidence_spans=(),
        explanation=why or f"{claim.kind}: makes no claim",
    )  # fmt: skip


def _unchecked(claim: Claim, signals: Sequence[Signal], reason: str, why: str) -> ClaimVerdict:
    failed = reason == "check_failed"
    record = CheckRecord(name="entailment", state="failed" if failed else "skipped", detail=why)
    return ClaimVerdict(
        text=claim.text, start=claim.start, end=claim.end, kind=claim.kind, critical=claim.critical,
        status="unchecked", score=None, evidence_spans=(), explanation=why,
        reason="check_failed" if failed else "not_covered", decided_by="entailment",
        checks=(*_records(signals, None), record),
    )  # fmt: skip


def _with_shown(verdict: ClaimVerdict, case: Case) -> ClaimVerdict:
    """The verdict, with what the answer showed for the claim. That has no verdict of its own and changes none."""
    records = tuple(
        CheckRecord(
            name=CITED, state="failed" if shown.fault else "checked", detail=shown.detail,
            evidence_spans=tuple(line.span() for line in shown.lines[:1]),
        )
        for shown in case.shown
    )  # fmt: skip
    return (
        verdict.model_copy(update={"checks": (*verdict.checks, *records)}) if records else verdict
    )


def _records(signals: Sequence[Signal], model: EntailmentModel | None) -> tuple[CheckRecord, ...]:
    """The signals as the report shows them. A strength is no probability of the claim, so only the model's is a score."""
    told = tuple(
        CheckRecord(
            name=s.witness, state="checked", verdict=_verdict_of(s), detail=s.detail, formula=s.formula,
            evidence_spans=s.spans,
        )
        for s in signals
        if s.detail and s.witness != ENTAILMENT
    )  # fmt: skip
    read = [s for s in signals if s.witness == ENTAILMENT]
    return told if not read or model is None else (*told, _read_record(ENTAILMENT, read, model))


def _read_record(name: str, signals: Sequence[Signal], model: EntailmentModel) -> CheckRecord:
    """What an entailment model said of a claim, as the report shows it."""
    read = {s.relation: s for s in signals}
    bears, denies, clause = read["same"], read["opposed"], read.get("absent")
    verdict: Literal["supports", "contradicts", "missing"] = (
        "supports"
        if bears.strength >= LIKELY
        else "contradicts"
        if denies.strength >= LIKELY
        else "missing"
    )
    missing = UNREAD_IN.format(clause.detail) if clause is not None else ""
    detail = bears.detail or denies.detail or missing
    return CheckRecord(
        name=name, state="checked", verdict=verdict, score=round(bears.strength, 4), detail=detail,
        evidence_spans=bears.spans, produced_by=model.name,
    )  # fmt: skip


def _verdict_of(signal: Signal) -> Literal["supports", "contradicts", "missing"]:
    if signal.relation in _CONTRA:
        return "contradicts"
    return "missing" if signal.relation in ("absent", "told") else "supports"


def _state(heard: Sequence[Heard]) -> StageState:
    failure = next((failure for _, failure in heard if failure is not None), None)
    if failure is not None:
        return StageState(state="failed", reason=str(failure))
    return StageState(state="checked")
