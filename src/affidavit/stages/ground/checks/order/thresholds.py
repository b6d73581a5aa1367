"""Conclusions from a limit: qualifies, is eligible, is enough, has reached, is due.

"Free delivery starts at €60. Your basket comes to €54.30, so you qualify": each figure is right and the
conclusion is not. Where the answer has told both the limit and the measure, they decide.
"""

from __future__ import annotations

import re
from dataclasses import replace

from affidavit.ledger.words import content_stems, is_negated
from affidavit.stages.ground.checks.lists.conditions import holds_of
from affidavit.stages.ground.checks.order.grades import graded
from affidavit.stages.ground.checks.order.told_limits import (
    Limit,
    limits_near,
    measures_near,
    topic_of,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "thresholds"

_MEETS = re.compile(
    r"\b(?:qualif(?:y|ies|ied)|(?:in)?eligible|(?:meets?|met|satisf(?:y|ies|ied)|fulfils?|fulfilled)\b(?= (?:the|that|this|its|their|it|them|both|all|every|any|either|neither)\b)|"
    r"(?:pass(?:es|ed)?|fail(?:s|ed)?|miss(?:es|ed)?|breach(?:es|ed)?|compl(?:y|ies|ied) with|keeps? (?:to|within)|kept (?:to|within)) (?:the|that|this|its|their|it|them|both|all|every|any|either|neither)\b|"
    r"(?:test|check|covenant|criteri(?:on|a)|requirement|condition|target|standard|inspection|limit|threshold|minimum|maximum|it)s? "
    r"(?:is|are|was|were|has been|have been)(?:n['’]t| not)?(?: \w+ly| still| also| just)? (?:passed|failed|met|missed|satisfied|kept|observed|fulfilled|breached|complied with)|"
    r"(?:is|are|has|have|['’]s|['’]re|['’]ve)(?:n['’]t| not)? (?:\w+ )?enough|sufficient|insufficient|falls? short|too (?:low|few|little|short|old|young)|(?:within|inside|outside|in|out of) (?:of )?(?:the |that |this |its )?(?:\w+ )?(?:range|bounds|age group|bracket))\b",
    re.I,
)
_CAN = re.compile(
    r"\b(?:can(?:not|['’]t)?|may(?: not)?|(?:is|are)(?:n['’]t| not)? (?:able|allowed|permitted|entitled)(?: to)?)\b"
    r"(?=[^,;]*\b(?:yet|now|already|right now|at the moment|currently|at present|so far)\b)",
    re.I,
)
"""What one can do "yet" or "already": the answer draws a conclusion from how things stand."""
_WILL_DO = re.compile(
    r"\b(?:can(?:not|['’]t)?|may(?: not)?)(?: (?:still|safely|also|easily|now|both|all))* (?:stay|remain|be (?:left|kept|used|taken|parked|loaded|stored|carried)|"
    r"go|cross|pass|fit|ride|drive|enter|board|take off|land|fly|run|operate|use|take|load|carry|park|store|leave|keep)\b"
    r"|\b(?:is|are|will be|['’]s|['’]re)(?:n['’]t| not)? (?:still |perfectly |quite )?(?:safe|fine|okay|ok|allowed|permitted|suitable|all right)\b",
    re.I,
)
"""That a thing will do, or will not, right behind the limit that it is said to follow from."""
_FOLLOWS = re.compile(
    r"(?:^\W*|,? )(?:so|therefore|thus|hence|which means(?: that)?|meaning(?: that)?)\b|^\W*and\b",
    re.I,
)
_REACHED = re.compile(
    r"\b(?:reached|hit|exceed(?:s|ed)?|used up|crossed|gone over|maxed out|over|past)\b[^,;]*"
    r"\b(?:limits?|thresholds?|caps?|allowance|quota|maximum|intervals?|either|both|neither)\b",
    re.I,
)
_DUE = re.compile(r"\b(?:over)?due\b(?! (?:on|by|date|in|at|from|to)\b)", re.I)
_TRIGGERED = re.compile(
    r"\bthere (?:will|is|are|was|were|['’]s|won['’]t|isn['’]t)\b[^,;]*\b(?:be )?(?:one|any|none)\b|"
    r"\b(?:it|this|that|one|the \w+|rule \w+)\b (?:\w+ )?(?:appl(?:y|ies|ied)|kicks? in|triggered|needed|required|held|due|charged|takes? effect)\b",
    re.I,
)
"""That what a rule says comes about: "so there will be one", "so it does not apply"."""
_RULE = re.compile(
    r"\b(?:when|if|where|whenever|once|for)\b(?P<condition>[^,;]*)",
    re.I,
)
_RANGED = re.compile(r"\b(?:range|bounds|age group|bracket)\b", re.I)
_LACK = re.compile(
    r"\b(?:too (?:low|few|little|short|old|young)|insufficient|falls? short|ineligible|outside|out of|"
    r"fail(?:s|ed)?|miss(?:es|ed)?|breach(?:es|ed)?)\b",
    re.I,
)
_SUPPOSED = re.compile(
    r"\b(?:if|would|could|once|when|unless|until|should|might|whether|as soon as)\b", re.I
)
_OBJECT = re.compile(r"\b(?:for|as) (?P<of>[^,;.]+)", re.I)
_VAGUE = content_stems(
    "it that this them now right moment currently present far yet already current record basis"
)


def check_thresholds(claim: Claim, context: GroundContext) -> Finding:
    """Hold a conclusion against the limit and the measure that the answer has told."""
    skipped = Finding.skip(NAME, "draws no conclusion from a limit and a measure that were told")
    if claim.is_datum or claim.kind in ("restatement", "action"):
        return skipped
    if (fit := _of_use(claim, context)) is not None:
        return fit
    conclusion = _conclusion(claim.text)
    if conclusion is None or _SUPPOSED.search(conclusion):
        return skipped
    said = is_negated(conclusion) == bool(_LACK.search(conclusion))
    if _TRIGGERED.search(conclusion) and (rule := _of_rule(claim, context, said)) is not None:
        return rule
    of_marks = graded(claim, context) if _MEETS.search(conclusion) else None
    if of_marks is not None:
        return _finding(of_marks.meets == said, of_marks.shown)
    limits = limits_near(claim, context)
    if not limits or not _is_of(conclusion, limits):
        return skipped
    if _RANGED.search(conclusion) and not _measures_alike(claim, limits):
        return skipped
    outcomes = [_outcome(conclusion, limit, claim, context) for limit in limits]
    if any(outcome is None for outcome in outcomes):
        return skipped
    reach = not (_MEETS.search(conclusion) or _CAN.search(conclusion))
    holds = any(outcomes) if reach else all(outcomes)
    detail = "; ".join(_shown(limit, claim, context) for limit in limits)
    finding = _finding(bool(holds) == said, detail)
    # What one can do has words of its own, which the limit does not prove.
    return replace(finding, settles="values") if _CAN.search(conclusion) else finding


def _of_use(claim: Claim, context: GroundContext) -> Finding | None:
    """ "They need at least 8 °C, so they can stay outside" of a night of -2.5 °C: what is said to follow from a limit
    right before, of a measure of the same kind that was told. That the limit is kept to proves only that much."""
    follows = _FOLLOWS.search(claim.text)
    if follows is None or not _WILL_DO.search(conclusion := claim.text[follows.end() :]):
        return None
    if _SUPPOSED.search(conclusion):
        return None
    before = context.before[-1] if context.before else None
    near = [claim] if follows.start() else [before] if before is not None else []
    limits = [limit for limit in limits_near(claim, context) if limit.claim in near]
    outcomes = {
        limit.is_met(number)
        for limit in limits
        if limit.value.unit and limit.value.kind not in ("duration", "money")
        for number in measures_near(limit, claim, context)
    }
    if len(limits) != 1 or len(outcomes) != 1 or None in outcomes:
        return None
    finding = _finding(outcomes.pop() != is_negated(conclusion), _shown(limits[0], claim, context))
    return replace(finding, settles="nothing") if finding.verdict == "supports" else finding


def _conclusion(text: str) -> str | None:
    """The part of a claim that draws the conclusion: behind "so", where it tells the limit as well."""
    parts = re.split(
        r",? (?:so|therefore|thus|hence|which means(?: that)?|meaning(?: that)?)\b|^\W*so\b", text
    )
    last = parts[-1]
    for words in (_MEETS, _REACHED, _DUE, _CAN, _TRIGGERED):
        if words.search(last):
            return last
    return None


def _is_of(conclusion: str, limits: list[Limit]) -> bool:
    """Whether a conclusion is about what the limits are of: a minimum for free delivery decides nothing of
    free returns."""
    object_ = _OBJECT.search(conclusion)
    of = content_stems(object_["of"]) - _VAGUE if object_ else frozenset()
    return of <= topic_of(limits)


def _measures_alike(claim: Claim, limits: list[Limit]) -> bool:
    """Whether a figure of the claim itself, where it has one, may be held against the limits that were told."""
    own = [v for v in claim.values if v.number is not None]
    return not own or any(v.unit == limit.value.unit for v in own for limit in limits)


def _outcome(conclusion: str, limit: Limit, claim: Claim, context: GroundContext) -> bool | None:
    """Whether the limit is met, or reached; None where nothing was told, or figures on either side of it."""
    meets = _MEETS.search(conclusion) or _CAN.search(conclusion)
    if not meets and not (_REACHED.search(conclusion) or _DUE.search(conclusion)):
        return None
    if _CAN.search(conclusion) and limit.kind != "least":
        return None  # "up to 5 days" opens nothing to anybody
    numbers = measures_near(limit, claim, context)
    outcomes = {limit.is_met(n) if meets else limit.is_reached(n) for n in numbers}
    return outcomes.pop() if len(outcomes) == 1 else None


def _shown(limit: Limit, claim: Claim, context: GroundContext) -> str:
    numbers = measures_near(limit, claim, context)
    unit = limit.value.unit
    return f"{numbers[0].normalize():f} {unit} against {limit.value.text}".replace("  ", " ")


def _of_rule(claim: Claim, context: GroundContext, said: bool) -> Finding | None:
    """ "A recount is held when the margin is under 0.5 %, so there will be one": where the margin was told."""
    before = context.before[-1] if context.before else None
    told = [claim.text, *([before.text] if before is not None else [])]
    rules = [rule["condition"] for text in told for rule in _RULE.finditer(text)]
    for condition in rules:
        numbers = [v for c in context.before for v in c.values if v.number is not None]
        outcomes = {holds for v in numbers if (holds := holds_of(condition, v)) is not None}
        if len(outcomes) == 1:
            return _finding(outcomes.pop() == said, f"of{condition}")
    return None


def _finding(holds: bool, detail: str) -> Finding:
    if holds:
        return Finding(NAME, "checked", "supports", 0.9, None, detail, detail)
    return Finding(NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, detail)
