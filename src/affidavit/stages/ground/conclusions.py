"""What follows from what the answer has shown: "12.4 m/s are forecast. Its limit is 10 m/s. So you shouldn't
fly then." No passage says the last; the two claims before it, proven, do.

Only claims that the evidence bears out are reasoned from, so a chain cannot start from an invention; and
only what the model alone left open is asked about again: an exact check is not argued with.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from affidavit.errors import ScorerError
from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import Value, compare, parse_values
from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.models.entailment.protocol import ClaimScorer, EntailmentModel
from affidavit.policy import Policy
from affidavit.report import CheckRecord, ClaimVerdict
from affidavit.stages.ground.checks.entailment import NAME as ENTAILMENT
from affidavit.stages.ground.checks.entailment import hypothesis
from affidavit.stages.ground.checks.lists.universals import NUMBERS_OF
from affidavit.stages.ground.claim import Claim, bare_words
from affidavit.stages.ground.denial import is_denial
from affidavit.stages.ground.finding import GroundContext
from affidavit.stages.ground.premises import Premise
from affidavit.stages.ground.scoring import Asked, scored

NAME = "conclusions"

_NEAR = 3
"""How many claims before it a conclusion is drawn from; as many behind it, where it leads in to them."""
_FOLLOWS = 0.85
"""Probability from which it follows."""
_TURNED = 0.5
"""Probability of the opposite from which the model cannot have told the two apart."""
_CERTAIN_SCORE = 0.88
"""What follows by the sense of its words, whatever the model makes of it: that a thing outside a limit is unfit."""
_LEADS = re.compile(r":[\s*_]*$")
"""The end of a claim that those behind it give the reason for: "Temperature wouldn't be an issue:"."""
_FOLLOWING = re.compile(
    r"\W*(?:and |but )?(?:so|therefore|thus|hence|accordingly|consequently|then|which means|(?:this|that) means|meaning|"
    r"in other words|as a result|in short|either way|for (?:this|that) reason|because of (?:this|that)|that['’]s why)\b",
    re.I,
)
"""How an answer says that it draws a conclusion: "so she's eligible"."""
_GIVES_REASON = re.compile(r"\W*(?:and |but )?(?:because|since|as|given that|seeing that)\b", re.I)
"""The start of a claim that those right before it rest on: "You aren't bound, because there's no minimum term"."""
_OPENER = re.compile(
    r"^\W*(?:(?:and|but|so|because|since|given that|seeing that|which means)\b,? )+", re.I
)
_HOLDS = (
    r"(?:takes?|allow\w*|permit\w*|accept\w*|holds?|fits?|supports?|seats?|carr(?:y|ies)|covers?|includes?|can|may|limit|"
    r"maximum|capacity|allowance|cap|quota)"
)
_NEEDS = r"(?:needs?|requir\w*|asks?|demands?|calls? for|must|minimum|prescrib\w*)"
_FALLS_OUTSIDE = re.compile(
    rf"\b(?:more|higher|heavier|longer|larger|bigger|wider|taller|older|later|greater|over|above|beyond|past|exceed\w*)\b[^.;]*\b{_HOLDS}\b"
    rf"|\b(?:less|fewer|lower|lighter|shorter|smaller|narrower|younger|earlier|below|under|short of|shy of)\b[^.;]*\b{_NEEDS}\b",
    re.I,
)
"""What is past what a thing takes or short of what it needs: "two more than the rack holds"."""
_FALLS_WITHIN = re.compile(
    r"\b(?:within|inside|well in)\b[^.;]*\b(?:range|limits?|bounds|window|allowance|quota|budget|tolerance)\b"
    r"|\b(?:less|fewer|lower|lighter|shorter|smaller|narrower|below|under|short of)\b[^.;]*\b(?:maximum|limit|cap|capacity|allowance|quota|ceiling)\b"
    r"|\b(?:more|higher|above|over|beyond|past|exceed\w*)\b[^.;]*\b(?:minimum|required|requirement|needed|threshold)\b",
    re.I,
)
"""What keeps to what a thing takes and comes up to what it needs: "well inside the permitted range"."""
_NO_MATTER = re.compile(
    r"\b(?:fine|ok(?:ay)?|all right|alright|good|unproblematic)\b|(?:\b(?:not|no|never|hardly)\b|n['’]t\b)[^.;]*\b(?:issue|problem|concern|obstacle|hurdle|matter|worry|trouble)\b",
    re.I,
)
"""That nothing is wrong with the one thing that is then said to keep to its limit."""
_NOT_ALL = re.compile(
    r"\W*(?:no[,;]? )?(?:not (?:every|all|each)\b|(?:some|a few|one|two|\d+)\b[^.;]*(?:\bnot\b|n['’]t\b))",
    re.I,
)
_UNFIT = re.compile(
    r"\b(?:too \w+|wrong|unsuitable|incompatible|ineligible|insufficient|unfit|out of the question)\b",
    re.I,
)
_FIT = re.compile(
    r"\b(?:right|fits?|suit(?:s|able|ed)?|works?|fine|ok(?:ay)?|enough|allowed|permitted|eligible|compatible|qualif\w+|"
    r"good|safe|valid|accepted|within|can|may|possible|sufficient)\b",
    re.I,
)
"""That a thing will do, which does not follow from what falls outside of what it may be."""


_COVERS = re.compile(
    r"\b(?:covers?|covered|is enough|are enough|suffic(?:es?|ient)|worked|went through|succeeded)\b",
    re.I,
)
_SPARED = re.compile(
    r"\b(?:fall-?back|back-?up|reserve|substitute|alternate|plan b|spare|stand-?by|(?:second(?:ary)?|alternative|other) (?:choice|card|method|option|account|source|carrier|supplier))\b[^,;]*"
    r"\b(?:(?:will|would|is|are|was|were|need|does|do)(?:n['’]t| not)|won['’]t)(?: be)? (?:used|needed|need|required|necessary|charged|touched|called)\b",
    re.I,
)
"""That a second choice is spared, which follows where the first is enough."""


def with_conclusions(
    verdicts: Sequence[ClaimVerdict],
    claims: Sequence[Claim],
    contexts: Sequence[GroundContext],
    policy: Policy,
    model: EntailmentModel | None,
) -> tuple[ClaimVerdict, ...]:
    """The verdicts, with those claims supported that follow from claims beside them.

    A model that reads all evidence of a claim together has drawn its conclusions already.
    """
    if model is None or isinstance(model, ClaimScorer):
        return tuple(verdicts)
    reasons = [_reasons(n, claims, verdicts, policy) for n in range(len(claims))]
    shown = [_shown(n, own, claims) for n, own in enumerate(reasons)]
    for n, premises in enumerate(shown):
        if not premises and (line := _line_beside(n, claims, verdicts, contexts[n], policy)):
            shown[n], reasons[n] = [Premise(line.text, (line,))], [n - 1]
    answers = scored(model, claims, shown, contexts)
    return tuple(
        verdict
        if isinstance(said, ScorerError) or not said.premises
        else _concluded(verdict, claim, [verdicts[r] for r in own], said, model)
        for verdict, claim, own, said in zip(verdicts, claims, reasons, answers, strict=True)
    )


def _reasons(
    n: int, claims: Sequence[Claim], verdicts: Sequence[ClaimVerdict], policy: Policy
) -> list[int]:
    """The proven claims that the claim of this number may be drawn from, in the order of the answer."""
    if not _is_open(n, claims, verdicts[n]):
        return []
    text = claims[n].text
    before = range(max(0, n - _NEAR), n) if _FOLLOWING.match(text) else ()
    behind = range(n + 1, min(len(claims), n + 1 + _NEAR)) if _is_led_in(n, claims) else ()
    return [
        m
        for m in (*before, *behind)
        if verdicts[m].status == "supported" and (verdicts[m].score or 0.0) >= policy.emit_threshold
    ]


def _line_beside(
    n: int,
    claims: Sequence[Claim],
    verdicts: Sequence[ClaimVerdict],
    context: GroundContext,
    policy: Policy,
) -> Passage | None:
    """The one line of a log, or of a text, that proves what the same sentence says right before, where it has the
    words of this claim too: "the flow was 38.6 l/min, and the valve was closed" is of that alarm, and not of the
    valves that other lines close."""
    before = verdicts[n - 1] if n else None
    if before is None or not _is_open(n, claims, verdicts[n]):
        return None
    proven = before.status == "supported" and (before.score or 0.0) >= policy.emit_threshold
    if not proven or claims[n - 1].sentence != claims[n].sentence:
        return None
    told = {span.text for span in before.evidence_spans if span.source == "tool_result"}
    lines = [p for p in context.search.passages if p.record is None and p.text in told]
    said = content_stems(bare_words(claims[n]))
    if len(lines) != 1 or len(told) != 1 or named_in(said, lines[0].stems) != said:
        return None
    return lines[0]


def _is_led_in(n: int, claims: Sequence[Claim]) -> bool:
    """Whether the claims behind give the reason for this one."""
    following = claims[n + 1] if n + 1 < len(claims) else None
    same = following is not None and following.sentence == claims[n].sentence
    reason = following is not None and same and _GIVES_REASON.match(following.text)
    return bool(_LEADS.search(claims[n].text) or reason)


def _is_open(n: int, claims: Sequence[Claim], verdict: ClaimVerdict) -> bool:
    """Whether the model alone left it open. A figure of its own is no conclusion: it is looked up or derived."""
    claim = claims[n]
    told = [value for before in claims[n - 1 : n] for value in before.values]
    return (
        claim.kind in ("fact", "absence")
        and not claim.is_datum
        and claim.covered
        and not any(_is_figure(value, told) for value in claim.values)
        and verdict.status in ("unsupported", "contradicted")
        and verdict.decided_by in (ENTAILMENT, "wording")
    )


def _is_figure(value: Value, told: Sequence[Value]) -> bool:
    """Whether a value is one of its own: not a name, nor "today", nor what the claim before has told as well."""
    relative = value.moment is not None and value.moment.relative_days is not None
    again = any(compare(value, other) == "same" for other in told)
    return value.kind not in ("name", "quoted") and not relative and not again


def _shown(n: int, reasons: Sequence[int], claims: Sequence[Claim]) -> list[Premise]:
    """All of them together, and the one next to the claim by itself."""
    if not reasons:
        return []
    told = {m: _OPENER.sub("", hypothesis(claims[m])) for m in reasons}
    together = " ".join(told.values())
    nearest = told[min(reasons, key=lambda m: abs(n - m))]
    return [Premise(text, ()) for text in dict.fromkeys((together, nearest))]


def _concluded(
    verdict: ClaimVerdict,
    claim: Claim,
    reasons: Sequence[ClaimVerdict],
    said: Asked,
    model: EntailmentModel,
) -> ClaimVerdict:
    best = max(range(len(said.scores)), key=lambda i: said.scores[i].entailment)
    top = said.scores[best].entailment
    turned = said.opposed[best].entailment if said.opposed else 0.0
    outside = any(_FALLS_OUTSIDE.search(reason.text) for reason in reasons)
    if _borne_by_figures(claim, reasons):
        follows, top = True, max(top, _CERTAIN_SCORE)
    elif outside:
        follows = _says_unfit(claim) and (top >= _FOLLOWS or _rules_out(claim))
        top = max(top, _CERTAIN_SCORE) if follows else top
    elif _SPARED.search(claim.text) and any(_is_enough(reason) for reason in reasons):
        follows, top = True, max(top, _CERTAIN_SCORE)
    else:
        follows = top >= _FOLLOWS and turned < _TURNED
    detail = " ".join(reason.text for reason in reasons)
    record = CheckRecord(
        name=NAME, state="checked", verdict="supports" if follows else "missing", score=top,
        reason=None if follows else "not_entailed", detail=detail, produced_by=model.name,
    )  # fmt: skip
    changes: dict[str, object] = {"checks": (*verdict.checks, record)}
    if follows:
        spans = dict.fromkeys(span for reason in reasons for span in reason.evidence_spans)
        changes |= {
            "status": "supported", "score": round(top, 4), "reason": None, "decided_by": NAME,
            "evidence_spans": tuple(spans), "explanation": f"it follows from claims proven before: {detail}",
        }  # fmt: skip
    return verdict.model_copy(update=changes)


def _is_enough(reason: ClaimVerdict) -> bool:
    return bool(_COVERS.search(reason.text)) and not is_negated(reason.text)


def _borne_by_figures(claim: Claim, reasons: Sequence[ClaimVerdict]) -> bool:
    """Whether the reason right behind a claim bears it out whatever the model makes of it: that a thing is no issue,
    since it keeps to its limit; that not all are so, since three of four are."""
    behind = next((r for r in reasons if r.start >= claim.end), None)
    if behind is None or _FALLS_OUTSIDE.search(behind.text):
        return False
    if _NO_MATTER.search(claim.text):
        return bool(_FALLS_WITHIN.search(behind.text)) and not is_negated(behind.text)
    if not _NOT_ALL.match(claim.text):
        return False
    counts = NUMBERS_OF.search(behind.text)
    numbers = [v.number for v in parse_values(counts[0]) if v.number is not None] if counts else []
    return len(numbers) == 2 and 0 < numbers[0] < numbers[1]


def _says_unfit(claim: Claim) -> bool:
    """Whether a conclusion from what falls outside a limit goes the same way: "so it isn't the right one", never
    "so it will fit". A small model finds both."""
    if is_denial(claim) or _UNFIT.search(claim.text):
        return True
    return not _FIT.search(claim.text)


def _rules_out(claim: Claim) -> bool:
    """Whether a conclusion says just that a thing will not do, for which it need only fall outside."""
    return bool(_FIT.search(claim.text)) and is_denial(claim)
