"""Cut-offs: one thing up to a day, an hour or an amount, another beyond it, and on which side the case is.

"Parcels handed in by 14:00 leave the same day; later ones leave the next day", "up to 2 kg €5.49, over 2 kg €7.49".
Both outcomes are in the evidence, so that each answer finds its words there; the hour or the weight that was told says
which one holds. A rule with one side only, or a case that is on neither, decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, time
from itertools import pairwise

from affidavit.ledger.ledger import Passage
from affidavit.ledger.passages import sentences
from affidavit.ledger.search import Search
from affidavit.ledger.values import Value, compare, parse_values
from affidavit.ledger.words import STOP_WORDS, content_stems, named_in, stem, words
from affidavit.stages.ground.checks.derived.derivation import like_measures
from affidavit.stages.ground.checks.states.told import told_texts
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "cut_offs"

_BY = re.compile(
    r"\b(?P<by>on or before|(?:no|not) (?:later|more) than|up to(?: and including)?|by|before|until|till|prior to|under|below|"
    r"at most|less than|within|bis|avant|hasta)\s+(?:the |a |an )?$",
    re.I,
)
_SHORT_OF_IT = frozenset({"before", "prior to", "under", "below", "less than"})
_BEYOND = re.compile(
    r"\b(?:after|later than|past|over|above|more than|exceeding|beyond|(?:heavier|older|longer|larger) than|ab|nach|après|después de)\s+"
    r"(?:the |a |an )?$",
    re.I,
)
_BEYOND_IT = re.compile(
    r"\b(?:after(?:wards)?|later|thereafter|past|from then on|otherwise|all others?|anyone (?:else|later|older)|"
    r"anything (?:else|more|heavier|larger|longer|above|over)|(?:above|over|beyond) (?:that|this|it|which))\b",
    re.I,
)
"""What is past the limit that the part before tells."""
_CONCLUDES = re.compile(
    r"\A\W*(?:and |but )?(?:so|then|(?:which|that|this) means|meaning|as a result|that['’]s why)\b"
    r"|,\s+so\b|\b(?:therefore|thus|hence|accordingly|consequently)\b",
    re.I,
)
_PART = re.compile(
    r";\s*|,\s+(?=(?:but|and|while|whereas|those|later|anything|everything|any|all|over|above|beyond|after|otherwise)\b)|\s(?=(?:but|whereas)\b)"
)
_SUPPOSED = re.compile(r"\b(?:if|unless|whether|would|could|might|(?-i:may))\b|\?", re.I)
"""What only may be so; "May" with a capital is the month."""
_FAR = 400
"""Days beyond which a date is no case of a rule: a child's birthday is not when it turns five."""
_LEAP = 2024
"""Any year that has each day, for dates that are told without one."""
_NEAR = 4
"""Claims back in which the case may have been told."""
_NEXT_TO_IT = 2
"""Claims back that a conclusion may be drawn from."""
_TELLING = frozenset({"same", "other", "own", "no", "not", "never", "before", "after"})


@dataclass(frozen=True, slots=True)
class _Rule:
    """What holds up to a limit and what beyond it."""

    until: Value
    inclusive: bool
    early: str
    """The part of what holds up to it, without the limit."""
    outcome: str
    """What comes of it, behind the limit where anything stands there."""
    late: str
    passage: Passage


def check_cut_offs(claim: Claim, context: GroundContext) -> Finding:
    """Hold the outcome that a claim tells against the side of the cut-off that the case is on."""
    if claim.is_datum or claim.kind != "fact" or _SUPPOSED.search(claim.text):
        return Finding.skip(NAME, "tells no outcome")
    for rule in context.search.once("cut-offs", lambda: list(_rules(context.search))):
        said = _side(claim, rule)
        case = _case(rule, claim, context) if said is not None else None
        is_late = _is_late(case, rule) if case is not None else None
        if said is None or case is None or is_late is None:
            continue
        span = rule.passage.span()
        detail = f"{case.text} is {'after' if is_late else 'not after'} {rule.until.text}: “{rule.late if is_late else rule.early}”"
        if (said == "late") == is_late:
            return Finding(
                NAME, "checked", "supports", 0.9, None, detail, spans=(span,), settles="values"
            )
        return Finding(
            NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=(span,)
        )
    return Finding.skip(NAME, "no rule with two sides of a limit, or no case of it")


def _rules(search: Search) -> Iterator[_Rule]:
    for passage, text in told_texts(search):
        parts = [p for start, end in sentences(text) for p in _PART.split(text[start:end])]
        for early, late in pairwise(parts):
            yield from _read(early, late, passage)


def _read(early: str, late: str, passage: Passage) -> Iterator[_Rule]:
    """A part that says what holds up to a limit, and the next that says what holds beyond it."""
    if not (_MAY_BOUND.search(early) and _MAY_GO_BEYOND.search(late)):
        return
    for value in parse_values(early):
        by = _BY.search(early[: value.start])
        if by is not None and _is_limit(value) and _goes_beyond(value, late):
            before, behind = early[: by.start()], early[value.end :]
            inclusive = by["by"].lower() not in _SHORT_OF_IT
            outcome = behind if content_stems(behind) else before
            yield _Rule(value, inclusive, f"{before}{behind}", outcome, late.strip(), passage)
            return


_MAY_BOUND = re.compile(_BY.pattern.removesuffix("$"), re.I)
_MAY_GO_BEYOND = re.compile(f"{_BEYOND.pattern.removesuffix('$')}|{_BEYOND_IT.pattern}", re.I)
"""A word of each side, without which no values need be read: most sentences have none."""


def _is_limit(value: Value) -> bool:
    return value.moment is not None or value.number is not None


def _goes_beyond(limit: Value, late: str) -> bool:
    """Whether a part tells what is past a limit: the same one again, or "that"; of a moment any later one."""
    if any(_BEYOND.search(late[: v.start]) and _is(v, limit) for v in parse_values(late)):
        return True
    return bool(_BEYOND_IT.search(late))


def _is(a: Value, b: Value) -> bool:
    return compare(replace(a, bound=""), replace(b, bound="")) == "same"


def _side(claim: Claim, rule: _Rule) -> str | None:
    """Which of the two outcomes a claim tells, by what only one of them says: by its figures, where both have some."""
    early, late = _told(rule.early), _told(_without_limit(rule))
    common = content_stems(claim.statement) & content_stems(rule.early) & content_stems(rule.late)
    if not common and not _CONCLUDES.search(claim.text):
        return None
    said = _told(_without_case(claim, rule))
    only = _told(rule.outcome) - late, late - early
    figures = tuple(frozenset(w for w in own if any(map(str.isdigit, w))) for own in only)
    first, second = figures if all(figures) else only
    if bool(first & said) == bool(second & said):
        return None
    return "early" if first & said else "late"


def _without_case(claim: Claim, rule: _Rule) -> str:
    """A claim without what is held against the cut-off, and the cut-off itself."""
    text = claim.text
    for value in reversed(claim.values):
        if _is_late(value, rule) is not None and not _is_outcome(value, rule):
            text = text[: value.start] + text[value.end :]
    return text


def _is_outcome(value: Value, rule: _Rule) -> bool:
    return any(
        _is(value, v)
        for text in (rule.outcome, rule.late)
        for v in parse_values(text)
        if not _is(v, rule.until)
    )


def _without_limit(rule: _Rule) -> str:
    """The later outcome without the cut-off, where it is told again: "after 31 August, …"."""
    for value in parse_values(rule.late):
        if _is(value, rule.until):
            return rule.late[: value.start] + rule.late[value.end :]
    return rule.late


def _told(text: str) -> frozenset[str]:
    return frozenset(
        stem(word) for word in words(text) if word in _TELLING or word not in STOP_WORDS
    )


def _case(rule: _Rule, claim: Claim, context: GroundContext) -> Value | None:
    """The moment or the amount of the case: told in this claim, in one shortly before that it concludes or that is of
    what the rule is about, or by the user."""
    if any(_is(value, rule.until) for value in claim.values):
        return None  # the rule itself is told
    common = content_stems(rule.early) & content_stems(rule.late)
    concluded = context.before[-_NEXT_TO_IT:] if _CONCLUDES.search(claim.text) else ()
    told = [(claim.text, claim.values)]
    told += [(c.text, c.values) for c in reversed(context.before[-_NEAR:])]
    told += [(context.question, tuple(parse_values(context.question)))]
    own = {claim.text, *(c.text for c in concluded)}
    for text, values in told:
        if text in own or named_in(common, content_stems(text)):
            cases = [
                v
                for v in values
                if _is_late(v, rule) is not None
                and not _is(v, rule.until)
                and not _is_outcome(v, rule)
            ]
            if cases:
                return cases[0]
    return None


def _is_late(case: Value, rule: _Rule) -> bool | None:
    """Whether the case is behind the cut-off; None where the two cannot be told apart."""
    one, other = case.moment, rule.until.moment
    if one is None or other is None:
        return _is_more(case, rule)
    if other.day is None and other.clock is not None:
        return _behind(one.clock, other.clock, rule)
    if one.year is None and one.day and one.month and other.year:
        one = replace(one, year=other.year)
    if other.year is None and other.day and other.month and one.year:
        other = replace(other, year=one.year)
    if one.year is other.year is None and None not in (one.month, one.day, other.month, other.day):
        one, other = replace(one, year=_LEAP), replace(other, year=_LEAP)
    if one.date is None or other.date is None or abs((one.date - other.date).days) > _FAR:
        return None
    return _behind(one.date, other.date, rule)


def _is_more(case: Value, rule: _Rule) -> bool | None:
    """Whether an amount is beyond the limit, of the same unit."""
    limit = rule.until
    if case.moment or limit.moment or case.number is None or limit.number is None:
        return None
    if (
        case.kind != limit.kind
        or not like_measures(case, limit)
        or (case.kind == "number" and case.unit != limit.unit)
    ):
        return None
    return case.number > limit.number if rule.inclusive else case.number >= limit.number


def _behind(one: date | time | None, other: date | time | None, rule: _Rule) -> bool | None:
    match one, other:
        case (date() as a, date() as b):
            return a > b if rule.inclusive else a >= b
        case (time() as a, time() as b):
            return a > b if rule.inclusive else a >= b
    return None
