"""Cut-offs: one thing by a day or an hour, another after it, and on which side the case is.

"Parcels handed in by 14:00 leave the same day; later ones leave the next day." Both outcomes are in the evidence, so
that each answer finds its words there; the hour that was told says which one holds. A rule with one side only, or a
case that is on neither, decides nothing.
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
from affidavit.ledger.values import Value, parse_values
from affidavit.ledger.words import STOP_WORDS, content_stems, named_in, stem, words
from affidavit.stages.ground.checks.states.told import told_texts
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "cut_offs"

_BY = re.compile(
    r"\b(?P<by>on or before|no later than|not later than|up to(?: and including)?|by|before|until|till|prior to)\s+$",
    re.I,
)
_AFTER_IT = re.compile(
    r"\b(?:after(?:wards)?|later|thereafter|past|from then on|otherwise|all others?|those that come later)\b",
    re.I,
)
_PART = re.compile(
    r";\s*|,\s+(?=(?:but|and|while|whereas|those|later|anything|everything|any|all)\b)|\s(?=(?:but|whereas)\b)"
)
_SUPPOSED = re.compile(r"\b(?:if|unless|whether|would|could|might|may)\b|\?", re.I)
_FAR = 400
"""Days beyond which a date is no case of a rule: a child's birthday is not when it turns five."""
_LEAP = 2024
"""Any year that has each day, for dates that are told without one."""
_NEAR = 4
"""Claims back in which the case may have been told."""
_TELLING = frozenset({"same", "other", "own", "no", "not", "never", "before", "after"})


@dataclass(frozen=True, slots=True)
class _Rule:
    """What holds up to a moment and what behind it."""

    until: Value
    inclusive: bool
    early: str
    """The part of what holds until then, without the moment."""
    outcome: str
    """What comes of it, behind the moment where anything stands there."""
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
    return Finding.skip(NAME, "no rule with two sides of a moment, or no case of it")


def _rules(search: Search) -> Iterator[_Rule]:
    for passage, text in told_texts(search):
        parts = [p for start, end in sentences(text) for p in _PART.split(text[start:end])]
        for early, late in pairwise(parts):
            yield from _read(early, late, passage)


def _read(early: str, late: str, passage: Passage) -> Iterator[_Rule]:
    """A part that says what holds by a moment, and the next that says what holds later."""
    if not _AFTER_IT.search(late):
        return
    for value in parse_values(early):
        by = _BY.search(early[: value.start])
        if value.moment is not None and by is not None:
            before, behind = early[: by.start()], early[value.end :]
            inclusive = by["by"].lower() not in ("before", "prior to")
            outcome = behind if content_stems(behind) else before
            yield _Rule(value, inclusive, f"{before}{behind}", outcome, late.strip(), passage)
            return


def _side(claim: Claim, rule: _Rule) -> str | None:
    """Which of the two outcomes a claim tells, by what only one of them says: by its figures, where both have some."""
    early, late = _told(rule.early), _told(_without_moment(rule))
    if not content_stems(claim.statement) & content_stems(rule.early) & content_stems(rule.late):
        return None
    said = _told(_without_case(claim, rule))
    only = _told(rule.outcome) - late, late - early
    figures = tuple(frozenset(w for w in own if any(map(str.isdigit, w))) for own in only)
    first, second = figures if all(figures) else only
    if bool(first & said) == bool(second & said):
        return None
    return "early" if first & said else "late"


def _without_case(claim: Claim, rule: _Rule) -> str:
    """A claim without the moments that are held against the cut-off, and the cut-off itself."""
    text = claim.text
    for value in reversed(claim.values):
        if value.moment is not None and _is_late(value, rule) is not None:
            text = text[: value.start] + text[value.end :]
    return text


def _without_moment(rule: _Rule) -> str:
    """The later outcome without the cut-off, where it is told again: "after 31 August, …"."""
    for value in parse_values(rule.late):
        if value.moment is not None and value.moment == rule.until.moment:
            return rule.late[: value.start] + rule.late[value.end :]
    return rule.late


def _told(text: str) -> frozenset[str]:
    return frozenset(
        stem(word) for word in words(text) if word in _TELLING or word not in STOP_WORDS
    )


def _case(rule: _Rule, claim: Claim, context: GroundContext) -> Value | None:
    """The moment of the case: told in a claim shortly before, in this one or by the user, of what the rule is about."""
    common = content_stems(rule.early) & content_stems(rule.late)
    outcomes = [v.moment for text in (rule.early, rule.late) for v in parse_values(text)]
    told = [(claim.text, claim.values)]
    told += [(c.text, c.values) for c in reversed(context.before[-_NEAR:])]
    told += [(context.question, tuple(parse_values(context.question)))]
    for text, values in told:
        if text == claim.text or named_in(common, content_stems(text)):
            for value in values:
                known = value.moment == rule.until.moment or value.moment in outcomes
                if value.moment is not None and not known and _is_late(value, rule) is not None:
                    return value
    return None


def _is_late(case: Value, rule: _Rule) -> bool | None:
    """Whether the case is behind the cut-off; None where the two cannot be told apart."""
    one, other = case.moment, rule.until.moment
    if one is None or other is None:
        return None
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


def _behind(one: date | time | None, other: date | time | None, rule: _Rule) -> bool | None:
    match one, other:
        case (date() as a, date() as b):
            return a > b if rule.inclusive else a >= b
        case (time() as a, time() as b):
            return a > b if rule.inclusive else a >= b
    return None
