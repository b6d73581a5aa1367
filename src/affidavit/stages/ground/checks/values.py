"""Values: every one a claim states is in the evidence, in the row and field the claim speaks about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from affidavit.ledger.search import Hit
from affidavit.ledger.values import Value, compare
from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.report import EvidenceSpan, ReasonCode
from affidavit.stages.ground.checks.binding import Binding, bind, comparable_cells, local_stems
from affidavit.stages.ground.checks.derived import derive
from affidavit.stages.ground.checks.derived.derivation import Derivation
from affidavit.stages.ground.checks.outcomes import admits
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "values"

_SOFT = frozenset({"name", "quoted"})
"""Kinds that are words: found by their words where they are not found whole."""
_COMMON = frozenset("1 2 3 4 5 6 7 8 9 10 12 24 30 100".split())
"""Numbers so frequent that finding one somewhere proves little without a word that links it."""


@dataclass(frozen=True, slots=True)
class ValueVerdict:
    """What became of one value of a claim."""

    value: Value
    outcome: Literal["found", "unlinked", "missing", "contradicted"]
    span: EvidenceSpan | None = None
    reason: ReasonCode | None = None
    detail: str = ""


def check_values(claim: Claim, context: GroundContext) -> tuple[Finding, Finding]:
    """Hold every value of the claim against the evidence: quoted from it, or derived from it.

    Gives one finding for the values that are quoted and one for those that are derived.
    """
    if not claim.values:
        none = "the claim states no value"
        return Finding.skip(NAME, none), Finding.skip("derived", none)
    quoted: list[ValueVerdict] = []
    derived: list[tuple[Value, Derivation]] = []
    for value in claim.values:
        verdict = judge_value(value, claim, context)
        derivation = derive(value, claim, context) if verdict.outcome != "found" else None
        if derivation is not None:
            derived.append((value, derivation))
        else:
            quoted.append(verdict)
    return _quoted(quoted), _derived(derived)


def _quoted(verdicts: list[ValueVerdict]) -> Finding:
    if not verdicts:
        return Finding.skip(NAME, "every value is derived")
    worst = min(verdicts, key=lambda v: _ORDER.index(v.outcome))
    spans = tuple(dict.fromkeys(v.span for v in verdicts if v.span is not None))
    if worst.outcome == "contradicted":
        return Finding(
            NAME, "checked", "contradicts", 0.03, worst.reason, worst.detail, spans=spans
        )
    if worst.outcome == "missing":
        score = 0.3 if worst.value.kind in _SOFT else 0.08
        return Finding(NAME, "checked", "missing", score, worst.reason, worst.detail, spans=spans)
    detail = "; ".join(v.detail for v in verdicts if v.detail)
    score = 0.7 if worst.outcome == "unlinked" else 0.95
    return Finding(NAME, "checked", "supports", score, None, detail, spans=spans, settles="values")


def _derived(derived: list[tuple[Value, Derivation]]) -> Finding:
    if not derived:
        return Finding.skip("derived", "nothing to derive")
    formula = "; ".join(d.formula for _, d in derived)
    spans = tuple(dict.fromkeys(span for _, d in derived for span in d.spans))
    return Finding(
        "derived", "checked", "supports", 0.93, None, formula, formula, spans, settles="values"
    )


_ORDER = ("contradicted", "missing", "unlinked", "found")


def judge_value(value: Value, claim: Claim, context: GroundContext) -> ValueVerdict:
    """One value: found and rightly bound, found elsewhere, or nowhere."""
    hits = [h for h in context.search.hits(value, today=context.today) if admits(h.passage, claim)]
    hits = [hit for hit in hits if not _opposite_bound(value, hit)] or hits
    if not hits:
        return _by_words(value, context) or _nowhere(value, claim, context)
    binding = bind(value, hits, claim, context)
    span = binding.hit.passage.span(binding.hit.cell)
    if binding.verdict != "right":
        return ValueVerdict(
            value, "contradicted", span, "contradicts_evidence", _wrong(value, binding)
        )
    if _opposite_bound(value, binding.hit):
        said, is_ = ("most", "least") if value.bound == "max" else ("least", "most")
        detail = f"“{value.text}” is said as at {said}, the evidence has it as at {is_}"
        return ValueVerdict(value, "contradicted", span, "meaning_changed", detail)
    linked = binding.linked or value.kind not in ("number", "percent") or _distinct(value)
    detail = f"{value.text} = {span.text}" if span.text != value.text else ""
    return ValueVerdict(value, "found" if linked else "unlinked", span, None, detail)


def _opposite_bound(value: Value, hit: Hit) -> bool:
    return {value.bound, hit.value.bound} == {"min", "max"}


def _distinct(value: Value) -> bool:
    return (
        value.number is not None
        and str(abs(value.number).normalize()) not in _COMMON
        and (abs(value.number) >= 32 or value.number != value.number.to_integral_value())
    )


def _by_words(value: Value, context: GroundContext) -> ValueVerdict | None:
    """Names and quotations may stand in longer text: all their words in one passage will do."""
    if value.kind not in _SOFT:
        return None
    stems = content_stems(value.text)
    if not stems:
        return ValueVerdict(value, "found")
    for passage in context.search.passages:
        if stems <= content_stems(passage.text):
            return ValueVerdict(value, "found", passage.span())
    return None


def _nowhere(value: Value, claim: Claim, context: GroundContext) -> ValueVerdict:
    """A value that is in no evidence: contradicted where its field holds another one."""
    if value.kind in _SOFT:
        detail = f"“{value.text}” appears nowhere in the evidence"
        return ValueVerdict(value, "missing", None, "value_not_in_evidence", detail)
    local = local_stems(claim, value)
    best: tuple[int, EvidenceSpan] | None = None
    fitting = [p for p in context.search.passages if context.topic.fits(context.rows.chain(p))]
    for passage, cell, other in comparable_cells(fitting, value):
        if compare(value, other, today=context.today) != "different":
            continue
        named = len(named_in(content_stems(cell.key), local))
        if named and (best is None or named > best[0]):
            best = (named, passage.span(cell))
    if best is not None and not is_negated(claim.text):
        detail = f"“{value.text}” is not in the evidence, which has {best[1].text}"
        return ValueVerdict(value, "contradicted", best[1], "value_not_in_evidence", detail)
    detail = f"“{value.text}” appears nowhere in the evidence"
    return ValueVerdict(value, "missing", None, "value_not_in_evidence", detail)


def _wrong(value: Value, binding: Binding) -> str:
    hit, instead = binding.hit, binding.instead
    where = hit.passage.record.header if hit.passage.record else hit.passage.text[:60]
    key = hit.cell.key if hit.cell else ""
    has = f"; the one spoken of has {instead[0].span(instead[1]).text}" if instead else ""
    match binding.verdict:
        case "wrong_row":
            return f"“{value.text}” belongs to {where or key}{has}"
        case "wrong_field":
            return f"“{value.text}” is {key}{has}"
        case _:
            return f"“{value.text}” was {key} before a later result changed it{has}"
