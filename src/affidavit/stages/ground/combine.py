"""One status, score and reason from what the checks said: a table, read from the top.

Exact checks come first, and the model cannot overturn them. The scores are probabilities that the
evidence entails the claim; where a rule fixes one, it is the share observed on development data,
rounded to what the data can tell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from affidavit.ledger.words import is_negated
from affidavit.report import ClaimStatus, ReasonCode
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.denial import borne_out, has_not, is_denial, is_opposed
from affidavit.stages.ground.finding import Finding
from affidavit.stages.ground.phrases import STATED_BY_USER

Findings = Mapping[str, Finding]

EXACT = (
    "citations",
    "documents",
    "actions",
    "values",
    "derived",
    "arithmetic",
    "extremes",
    "comparisons",
    "compared",
    "relative_periods",
    "enough",
    "covers",
    "trends",
    "deadlines",
    "cut_offs",
    "destinations",
    "universals",
    "tallies",
    "states",
    "steps",
    "types",
    "denied",
    "barred",
    "same_kind",
    "other_ways",
    "doers",
    "conditional",
    "opposites",
    "exceptions",
    "roles",
    "free_of",
    "possible",
    "none_in_state",
    "none_such",
    "none_contains",
    "there_is",
    "led_bounds",
    "empty_lists",
    "left_over",
    "flags",
    "parts",
    "members",
    "counted_fields",
    "plurals",
    "thresholds",
    "passed",
    "orderings",
    "sequence",
    "multiples",
    "limits",
    "unchanged",
    "only_passed",
    "pairs",
    "fallbacks",
    "charges",
    "attributes",
    "affixes",
    "lettered",
    "party",
    "mixtures",
    "strays",
    "choices",
    "absence",
    "not_required",
    "outcomes",
    "quotes",
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a claim came to, the finding that decided, and the name of the rule."""

    status: ClaimStatus
    score: float | None
    reason: ReasonCode | None
    by: Finding
    rule: str


def combine(claim: Claim, findings: Findings) -> Judgement:
    """The first rule that applies decides."""
    for name, rule in RULES:
        judgement = rule(claim, findings)
        if judgement is not None:
            status, score, reason, by = judgement
            return Judgement(status, score, reason, by, name)
    raise AssertionError("the last rule always applies")


def is_decided(claim: Claim, findings: Findings) -> bool:
    """Whether the exact findings decide, so that the model need not be asked."""
    for _, rule in RULES[: RULES.index(_LAST_EXACT) + 1]:
        judgement = rule(claim, findings)
        if judgement is not None:
            status, score, _, by = judgement
            emitted = status == "supported" and (score or 0.0) >= 0.85
            return emitted or by.verdict in ("contradicts", "missing")
    return False


_Ruling = tuple[ClaimStatus, float | None, ReasonCode | None, Finding]
_Rule = Callable[[Claim, Findings], "_Ruling | None"]


def _contradicted(claim: Claim, findings: Findings) -> _Ruling | None:
    for check in EXACT:
        f = findings.get(check)
        if f is None or f.verdict != "contradicts":
            continue
        if check == "values" and (_are_choices(findings) or _has_none_such(findings)):
            continue
        if check == "strays" and _is_of_one_row(findings):
            continue
        if check in ("flags", "states") and (_asked_each(findings) or _answered(findings)):
            continue
        return "contradicted", f.score, f.reason, f
    return None


def _are_choices(findings: Findings) -> bool:
    """ "Sizes: 60%, 80%": each value is of another row, as is said."""
    f = findings.get("choices")
    return f is not None and f.verdict == "supports"


def _is_of_one_row(findings: Findings) -> bool:
    """Whether one row holds all that is said, whatever else holds some of it."""
    f = findings.get("mixtures")
    return f is not None and f.verdict == "supports"


def _asked_each(findings: Findings) -> bool:
    """What is said of all but one, or of two of three, is not said of the one that a field is of."""
    found = (findings.get(name) for name in ("universals", "tallies"))
    return any(f is not None and f.verdict == "supports" for f in found)


def _answered(findings: Findings) -> bool:
    """What a failed call answered, "device offline", is of the thing that it was for; a field may be of another."""
    f = findings.get("outcomes")
    return f is not None and f.verdict == "supports"


def _value_missing(claim: Claim, findings: Findings) -> _Ruling | None:
    for check in EXACT:
        f = findings.get(check)
        if f is not None and f.verdict == "missing":
            return "unsupported", f.score, f.reason, f
    return None


def _has_none_such(findings: Findings) -> bool:
    f = findings.get("none_such")
    return f is not None and f.verdict == "supports"


def _settled(claim: Claim, findings: Findings) -> _Ruling | None:
    for check in EXACT:
        f = findings.get(check)
        if f is not None and f.verdict == "supports" and f.settles == "all":
            return "supported", f.score, None, f
    return None


def _exact_and_worded(claim: Claim, findings: Findings) -> _Ruling | None:
    """Values, flags or calls proven, and the words around them are those of the evidence."""
    proof = _proof(findings)
    if proof is None or proof.score is None:
        return None
    entailed, worded = _entailment(findings), _worded(findings)
    if claim.kind == "restatement" and not _is_said(claim, findings):
        return None
    if not claim.is_datum and is_denial(claim) and not _denial_proven(claim, findings):
        f = findings.get("entailment", proof)
        if entailed < 0.5 or not borne_out(claim, f.spans):
            return "unsupported", 0.45, "meaning_changed", f
    open_ = not claim.is_datum and entailed < _CERTAIN and not _denied_alike(findings)
    if open_ and has_not(claim, proof.spans):
        # "Passed on 11 March" has the date of "on 11 March and was not passed".
        return "unsupported", 0.45, "meaning_changed", findings.get("entailment", proof)
    if entailed >= 0.5 and worded >= 0.3:
        return "supported", max(proof.score, 0.93), None, proof
    if worded >= 0.9 and "wording" in findings:
        return "supported", max(proof.score, 0.88), None, proof
    if worded >= 0.5 or not claim.covered or _computed(findings):
        return "supported", proof.score, None, proof
    if _denied(findings) and worded < 0.35:
        return "unsupported", 0.45, "not_entailed", findings["entailment"]
    if worded >= 0.25:
        return "supported", round(min(proof.score, 0.87), 4), None, proof
    return "unsupported", 0.5, "not_entailed", findings.get("wording", proof)


def _denial_proven(claim: Claim, findings: Findings) -> bool:
    """That the values are there does not bear out a "not"; a false flag, an empty search, a failed
    call or a passage that denies it as well does."""
    deniers = (
        "flags",
        "parts",
        "limits",
        "absence",
        "outcomes",
        "deadlines",
        "extremes",
        "comparisons",
        "compared",
        "relative_periods",
        "universals",
        "tallies",
        "thresholds",
        "passed",
        "left_over",
        "enough",
        "trends",
        "states",
        "steps",
        "denied",
        "conditional",
        "free_of",
        "actions",
        "fallbacks",
        "other_ways",
    )
    if any((f := findings.get(name)) is not None and f.verdict == "supports" for name in deniers):
        return True
    proofs = [findings[name] for name in ("values", "derived") if name in findings]
    return any(borne_out(claim, f.spans, of_what_is_denied=True) for f in proofs)


def _denied_alike(findings: Findings) -> bool:
    """Whether a clause denies what the claim denies in one word: "unlit" beside "not lit"."""
    f = findings.get("denied")
    return f is not None and f.verdict == "supports"


def _computed(findings: Findings) -> bool:
    """A derived value is in other words than the evidence: the formula stands in for them."""
    f = findings.get("derived")
    return f is not None and f.verdict == "supports"


def _told_by_user(claim: Claim, findings: Findings) -> _Ruling | None:
    """What the user said, in the user's words; a value that the user did not say was caught before. One word
    of another sense, "allergic to gluten" for peanuts, is for the model to find."""
    if claim.kind == "restatement" and "wording" in findings and _is_said(claim, findings):
        return "supported", 0.87, None, findings["wording"]
    return None


def _is_said(claim: Claim, findings: Findings) -> bool:
    """Whether a restatement is in the user's words; what the user told as a fact wholly, or mostly and the model
    finds it entailed."""
    if not STATED_BY_USER.search(claim.text):
        return _worded(findings) >= 0.5 or _proof(findings) is not None
    worded = _worded(findings)
    return worded >= 0.9 or worded >= 0.5 and (_entailment(findings) >= 0.5 or not claim.covered)


def _failed(claim: Claim, findings: Findings) -> _Ruling | None:
    for f in findings.values():
        if f.state == "failed":
            return "unchecked", None, "check_failed", f
    return None


def _not_covered(claim: Claim, findings: Findings) -> _Ruling | None:
    if claim.covered:
        return None
    f = findings.get("entailment") or Finding.skip(
        "entailment", "the model does not read this language"
    )
    return "unchecked", None, "not_covered", f


_CERTAIN = 0.9
"""Entailment from which the model is believed in words that the evidence does not use."""
_SURE = 0.8
"""Entailment from which the model is believed although the sentence beside the claim denies something."""


def _entailed(claim: Claim, findings: Findings) -> _Ruling | None:
    f = findings.get("entailment")
    if f is None or f.verdict != "supports" or f.score is None:
        return None
    worded = _worded(findings)
    if worded < 0.3 and f.score < _CERTAIN:
        return "unsupported", round(min(f.score, 0.55), 4), "not_entailed", findings["wording"]
    borne = borne_out(claim, f.spans) or _unproven(findings) is not None or f.settles == "all"
    borne = borne or _is_so_by_limit(findings)
    if not claim.is_datum and is_denial(claim) and not borne:
        # Small models miss a "not": it needs a passage that denies something as well.
        return "unsupported", round(min(f.score, 0.55), 4), "meaning_changed", f
    if not claim.is_datum and f.score < _SURE and is_opposed(claim, f.spans):
        return "unsupported", round(min(f.score, 0.55), 4), "meaning_changed", f
    # A denial has the words of what it denies: they lend it nothing.
    lent = worded >= 0.6 and (claim.is_datum or not is_denial(claim) or f.score >= _SURE)
    lent = lent or _is_so_by_limit(findings)
    score = max(f.score, 0.88) if lent else f.score
    return ("supported" if score >= 0.6 else "unsupported"), round(score, 4), None, f


def _is_so_by_limit(findings: Findings) -> bool:
    """Whether what is said to be possible, or not, is so by the limit that it is said to follow from."""
    f = findings.get("thresholds")
    return f is not None and f.verdict == "supports"


def _worded_only(claim: Claim, findings: Findings) -> _Ruling | None:
    """All its words are in one result and the model does not object: weakly supported."""
    if is_negated(claim.text) or claim.kind in ("absence", "action", "restatement"):
        return None  # a denial has the words of what it denies
    f = findings.get("entailment")
    if f is None or f.score is None or f.score < 0.5:  # words alone never decide
        return None
    if _worded(findings) >= 0.85 and not _denied(findings) and not is_opposed(claim, f.spans):
        return "supported", 0.86, None, f
    return None


def _unopposed(claim: Claim, findings: Findings) -> _Ruling | None:
    """What an agent says that it does not know or cannot do, where nothing says otherwise."""
    f = _unproven(findings)
    return None if f is None or _denied(findings) else ("supported", f.score, None, f)


def _unproven(findings: Findings) -> Finding | None:
    """The finding that nothing in the run speaks against a claim of what is unknown or impossible."""
    found = (findings.get(name) for name in ("absence", "limits"))
    held = (f for f in found if f and f.verdict == "supports" and f.settles == "nothing")
    return next(held, None)


def _otherwise(claim: Claim, findings: Findings) -> _Ruling | None:
    f = findings.get("entailment")
    if f is None or f.score is None:
        f = findings.get("wording") or Finding.skip("wording")
        return "unsupported", 0.3, "not_entailed", f
    # Evidence that speaks of other things denies nothing, whatever a small model makes of it.
    denied = f.verdict == "contradicts" and _worded(findings) >= 0.3
    status: ClaimStatus = "contradicted" if denied else "unsupported"
    reason: ReasonCode = "contradicts_evidence" if denied else "not_entailed"
    return status, round(min(f.score, 0.5), 4), reason, f


def _proof(findings: Findings) -> Finding | None:
    proofs = [
        f for check in EXACT
        if (f := findings.get(check)) is not None and f.verdict == "supports" and f.settles != "nothing"
    ]  # fmt: skip
    return min(proofs, key=lambda f: f.score or 0.0) if proofs else None


def _entailment(findings: Findings) -> float:
    f = findings.get("entailment")
    return f.score if f is not None and f.verdict == "supports" and f.score is not None else 0.0


def _denied(findings: Findings) -> bool:
    f = findings.get("entailment")
    return f is not None and f.verdict == "contradicts"


def _worded(findings: Findings) -> float:
    f = findings.get("wording")
    return f.score if f is not None and f.score is not None else 1.0


_LAST_EXACT: tuple[str, _Rule] = ("the user said so", _told_by_user)
RULES: tuple[tuple[str, _Rule], ...] = (
    ("an exact check contradicts it", _contradicted),
    ("something it states is nowhere in the evidence", _value_missing),
    ("an exact check settles it", _settled),
    ("its values are proven", _exact_and_worded),
    _LAST_EXACT,
    ("a check failed", _failed),
    ("no check covers it", _not_covered),
    ("the model finds it entailed", _entailed),
    ("the evidence says all its words", _worded_only),
    ("nothing in the run says otherwise", _unopposed),
    ("nothing supports it", _otherwise),
)
