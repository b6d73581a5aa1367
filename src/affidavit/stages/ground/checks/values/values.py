"""Values: every one a claim states is in the evidence, in the row and field the claim speaks about."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from affidavit.ledger.values import Value, fold, parse_values
from affidavit.stages.ground.checks.derived import derive
from affidavit.stages.ground.checks.derived.aggregate import EACH, OF_QUARTER
from affidavit.stages.ground.checks.derived.derivation import Derivation
from affidavit.stages.ground.checks.states.flags import OPPOSITES
from affidavit.stages.ground.checks.values.judge_value import judge_value
from affidavit.stages.ground.checks.values.value_verdict import SOFT, ValueVerdict
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.denial import is_denied
from affidavit.stages.ground.finding import Finding, GroundContext
from affidavit.stages.ground.phrases import PLACEHOLDER

NAME = "values"


def check_values(claim: Claim, context: GroundContext) -> tuple[Finding, Finding]:
    """Hold every value of the claim against the evidence: quoted from it, or derived from it.

    Gives one finding for the values that are quoted and one for those that are derived.
    """
    if not claim.values:
        none = "the claim states no value"
        return Finding.skip(NAME, none), Finding.skip("derived", none)
    quoted: list[ValueVerdict] = []
    derived: list[tuple[Value, Derivation]] = []
    for value in _stated_values(claim):
        verdict = judge_value(value, claim, context)
        tried = verdict.outcome != "found" and verdict.derivable
        derivation = _derived_here(value, claim, context) if tried else None
        if derivation is not None:
            derived.append((value, derivation))
        else:
            quoted.append(verdict)
    summed = any(derivation.operation == "sum" for _, derivation in derived)
    if summed or OF_QUARTER.search(claim.text):
        # "135 new members and 42 lost": another column may hold a 42, and the sum of its own is meant.
        for verdict in [v for v in quoted if v.outcome == "contradicted" and v.value.number]:
            total = _derived_here(verdict.value, claim, context)
            if total is not None and total.operation == "sum":
                derived.append((verdict.value, total))
                quoted.remove(verdict)
    used = {n for _, derivation in derived for n in derivation.factors}
    quoted = [v for v in quoted if v.outcome == "found" or v.value.number not in used]
    return _quoted(quoted, claim), _derived(derived, claim)


def _derived_here(value: Value, claim: Claim, context: GroundContext) -> Derivation | None:
    """How a value was computed, by this claim's words or by those of an earlier one that gave it first:
    the $71.96 that will be charged are the difference that was worked out above."""
    found = derive(value, claim, context)
    if found is not None or value.number is None or value.kind in ("name", "quoted"):
        return found
    for n, earlier in enumerate(context.before):
        if bool(EACH.search(claim.text)) != bool(EACH.search(earlier.text)):
            continue  # what two cost together they do not cost each
        for told in earlier.values:
            if (told.kind, told.number) == (value.kind, value.number):
                return derive(told, earlier, replace(context, before=context.before[:n]))
    return None


def _stated_values(claim: Claim) -> list[Value]:
    """The values of a claim. What an offer puts in quotes ("say “use item 3778566150”") is put into the
    user's mouth and quotes nothing: only what it names is looked up."""
    if not claim.presumes:
        return [part for value in claim.values for part in _parts_of(value, claim)]
    values: list[Value] = []
    for value in claim.values:
        if value.kind in ("name", "number"):
            continue  # an offer may call and count things as it likes
        if value.kind != "quoted":
            values.append(value)
            continue
        inside = parse_values(value.text.strip("\"'“”‘’«»").strip())
        values += [replace(v, start=value.start, end=value.end) for v in inside]
    return values


_ASIDE = re.compile(r"\W*([^()]*\w)\s*\(([^()]*\w[^()]*)\)\W*")
_ON_FILE = re.compile(r"\s\(?(?:on file|on record|on the account)\)?(\W*)$", re.I)


def _parts_of(value: Value, claim: Claim) -> list[Value]:
    """A datum that tells which one in brackets, "original payment method (card_21)", says two things."""
    if not claim.is_datum or value.kind != "quoted":
        return [value]
    if fold(value.text) in OPPOSITES:
        return []  # "availability: in stock" is a yes or no, which the flags decide
    value = replace(value, text=_ON_FILE.sub(r"\1", value.text))
    aside = _ASIDE.fullmatch(value.text)
    inside = parse_values(aside[2]) if aside else []
    if aside is None or not inside:
        return [value]
    inside = [v for v in inside if not PLACEHOLDER.fullmatch(v.text)]
    return [
        replace(value, text=aside[1]),
        *(replace(v, start=value.start, end=value.end) for v in inside),
    ]


def _quoted(verdicts: list[ValueVerdict], claim: Claim) -> Finding:
    if not verdicts:
        return Finding.skip(NAME, "every value is derived")
    worst = min(verdicts, key=lambda v: _ORDER.index(v.outcome))
    spans = tuple(dict.fromkeys(v.span for v in verdicts if v.span is not None))
    if worst.outcome == "contradicted":
        return Finding(
            NAME, "checked", "contradicts", 0.03, worst.reason, worst.detail, spans=spans
        )
    if worst.outcome == "missing":
        score = 0.3 if worst.value.kind in SOFT else 0.08
        return Finding(NAME, "checked", "missing", score, worst.reason, worst.detail, spans=spans)
    detail = "; ".join(v.detail for v in verdicts if v.detail)
    if all(v.outcome == "open" for v in verdicts):
        return Finding.skip(NAME, "only small numbers, which the evidence need not spell out")
    # That its names occur together is no proof of what is said of them: who lent what to whom.
    settles: Literal["values", "nothing"] = (
        "nothing"
        if claim.is_elliptic
        or all(
            (v.value.kind in SOFT and not v.named_field)
            or v.proves_nothing
            or _is_reference(v.value, claim)
            for v in verdicts
            if v.outcome != "open"
        )
        or _only_from_user(verdicts, claim)
        or any(is_denied(v.value, claim) for v in verdicts)
        else "values"
    )
    score = 0.7 if worst.outcome == "unlinked" else 0.95
    return Finding(NAME, "checked", "supports", score, None, detail, spans=spans, settles=settles)


_REFERENCE = re.compile(
    r"(?:§+|\b(?:sections?|sec\.|articles?|art\.|clauses?|paragraphs?|para\.|rules?|chapters?|pages?|pp?\.|appendix|annex|footnote))\s*$",
    re.I,
)
"""What stands before the number of a place in a document."""


def _is_reference(value: Value, claim: Claim) -> bool:
    """Whether a value only says where something is told, "(§ 9)": that there is such a place proves nothing."""
    return bool(_REFERENCE.search(claim.text[: value.start]))


def _only_from_user(verdicts: list[ValueVerdict], claim: Claim) -> bool:
    """Values that only the user gave prove what the user said, not what became of it."""
    if claim.kind == "restatement" or re.search(r"\byou(?:['’]re|r)?\b", claim.text, re.I):
        return False
    spans = [v.span for v in verdicts if v.span is not None]
    return bool(spans) and all(span.source == "user" for span in spans)


_ALL = re.compile(
    r"\b(?:(?:all|none|neither|both)(?: of)?|of)(?: (?:the|these|those|your|our|my|his|her|their|its))? $",
    re.I,
)
"""Before the number of all there are: "three of the four" have not done it because there are four."""


def _derived(derived: list[tuple[Value, Derivation]], claim: Claim) -> Finding:
    if not derived:
        return Finding.skip("derived", "nothing to derive")
    formula = "; ".join(d.formula for _, d in derived)
    spans = tuple(dict.fromkeys(span for _, d in derived for span in d.spans))
    # That there are three says nothing of what "all three", or two of the three, did.
    counted = all(d.operation == "count" and _ALL.search(claim.text[: v.start]) for v, d in derived)
    settles: Literal["values", "nothing"] = "nothing" if counted else "values"
    return Finding(
        "derived", "checked", "supports", 0.93, None, formula, formula, spans, settles=settles
    )


_ORDER = ("contradicted", "missing", "unlinked", "open", "found")
