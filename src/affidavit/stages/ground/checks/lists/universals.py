"""All, both, none, only: what is said of every member of a list must hold of every one.

"All three checks passed" has the right count and the right names while one of the three has failed; the
values prove it and a small model agrees. So each member is asked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from affidavit.ledger.values import Value, parse_values
from affidavit.ledger.words import is_negated, stem
from affidavit.stages.ground.checks.lists.all_in_state import all_in_state
from affidavit.stages.ground.checks.lists.conditions import (
    Member,
    Roll,
    named_members,
    rolls,
    speaks_of_nothing_else,
    without_asides,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "universals"

_NUMBER = r"\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_VERB = (
    r"is|are|was|were|has|have|had|remains?|remained|stays?|stayed|came|comes?|went|goes|look(?:s|ed)?|show(?:s|ed)?|"
    r"got|passed|failed|succeeded|completed|finished|ran|exceed(?:s|ed)?|costs?|takes?|took|lasts?|lasted|"
    r"(?:is|are|was|were|has|have|had|did|do|does)n['’]t"
)
_IDIOM = r"all (?:day|night|year|week|month|morning|afternoon|evening|along|set|right|over|round|around|but|the (?:same|more|way|time))\b"
_UNIVERSAL = re.compile(
    rf"(?:^|(?<=[\s(]))(?!{_IDIOM})(?P<word>all|every(?= [a-z])|each(?= (?:of|one|single)\b| (?!and\b|or\b|but\b)[a-z]+ (?:{_VERB})\b)|both|none|neither|no(?= [a-z]+ (?:is|are|was|were|has|have|failed|passed)\b))\b"
    rf"(?: (?P<one>single|last))?(?: one)?(?: of)?(?: (?:the|its|their|your|our|these|those|them|his|her|my|it))*"
    rf"(?: (?P<count>{_NUMBER}))?(?P<range>(?: (?!(?:{_VERB})\b)[\w'’#/-]+){{0,6}}?)\s+(?P<said>(?:{_VERB})\b(?:[^;:—–]|(?<=\d):(?=\d))*)",
    re.I,
)
"""A quantifier, what it ranges over, and what is said of that from the verb on."""
_FLOATED = re.compile(
    r"(?P<range>[^,;:]*?)\b(?:they |these |those )?(?:(?:are|were|have|had) )(?P<word>all|both|each) (?P<said>(?:[^;:—–]|(?<=\d):(?=\d))+)",
    re.I,
)
"""The quantifier behind its verb: "the checks were all green"."""
_ONLY = re.compile(
    rf"(?:^|(?<=[\s(]))(?P<word>only)\s+(?P<range>(?!{_NUMBER}\b|one\b)[\w'’#/ -]{{2,60}}?)\s+(?P<said>(?:{_VERB})\b(?:[^,;:—–]|(?<=\d)[,:](?=\d))*)",
    re.I,
)
_THE_ONLY = re.compile(
    r"(?P<range>[^,;:]*?)\s(?:is|was|are|were) the (?P<word>only) (?:one|[\w-]+(?: [\w-]+)?) (?:(?:that|which|who|with|to have|of)\s+)"
    r"(?P<said>(?:[^,;:—–]|(?<=\d)[,:](?=\d))*)",
    re.I,
)
""" "West was the only region with fewer than 200"."""
_EXCEPT = re.compile(
    r"\b(?:except(?:ing)?(?: for)?|apart from|other than|besides|but(?: for)?|save(?: for)?|aside from|"
    rf"with the exceptions? of|excluding) (?:the )?(?P<of>[^,;:.]*?)(?=,|[.;]?$|\s(?:{_VERB})\b)",
    re.I,
)
_HEDGED = re.compile(
    r"\b(?:almost|nearly|not|hardly|practically|virtually|if|unless|when|once|until|should|must|can|could|would|will|(?-i:may))\b|n['’]t\b",
    re.I,
)
"""What makes a universal less than one, or a rule: "not all of them", "nearly all", "if all are green"."""
_NONE = frozenset({"none", "neither", "no"})


@dataclass(frozen=True, slots=True)
class _Quantified:
    """ "All", the words it ranges over, the number of them that is said, and what is said of each."""

    word: str
    ranging: str
    count: int | None
    said: str
    excepted: str = ""
    """What is excepted, in the claim's words: "all but the boiler"."""


def check_universals(claim: Claim, context: GroundContext) -> Finding:
    """Ask every member of the list that a universal statement ranges over."""
    # The values of the claim ask as well, and the rows may be thousands.
    return context.search.once(
        f"universal {claim.kind} {claim.statement} {context.topic.rows}",
        lambda: _of_members(claim, context),
    )


def _of_members(claim: Claim, context: GroundContext) -> Finding:
    found = _told_in_part(claim) or _check(claim, context)
    return found if found.verdict is not None else all_in_state(claim, context, NAME)


def _told_in_part(claim: Claim) -> Finding | None:
    """ "Not all tests passed: 38 of 40 did", which all would not be."""
    text, counts = claim.text, NUMBERS_OF.search(claim.text)
    quantified = _ALL_OR_NOT.match(text)
    if quantified is None or counts is None or not _EXPLAINED.search(text[: counts.start()]):
        return None
    numbers = [v.number for v in parse_values(counts[0]) if v.number is not None]
    if len(numbers) != 2 or not 0 <= numbers[0] < numbers[1]:
        return None
    if quantified["not"]:
        return Finding(
            NAME, "checked", "supports", 0.93, None, f"{counts[0]} of them", settles="values"
        )
    return Finding(NAME, "checked", "contradicts", 0.05, "meaning_changed", f"{counts[0]} of them")


_ALL_OR_NOT = re.compile(r"\W*(?:no,? )?(?P<not>not )?(?:all|every|each)\b", re.I)
_EXPLAINED = re.compile(r"[:—–;]|, (?:with|as|since)\b")
NUMBERS_OF = re.compile(
    rf"\b(?P<part>{_NUMBER}) (?:out )?of (?:the |its |your |these |those |all )*(?P<whole>{_NUMBER})\b",
    re.I,
)
"""How many of how many: "three of the four replicas"."""


def is_bound_of_all(value: Value, claim: Claim, context: GroundContext) -> bool:
    """Whether a value is the count or the limit in a universal statement that holds."""
    told = value.number is not None or value.moment is not None
    if not told or check_universals(claim, context).verdict != "supports":
        return False
    read = _read(without_asides(claim.text))
    return (
        read is not None and value.text in f"{read.said} {claim.text[: claim.text.find(read.said)]}"
    )


def _check(claim: Claim, context: GroundContext) -> Finding:
    if claim.is_datum or claim.kind in ("restatement", "action"):
        return Finding.skip(NAME, "a datum, or no statement about a list")
    text = without_asides(claim.text)
    quantified = _read(text)
    if quantified is None:
        return _of_named(text, claim, context)
    if quantified.word == "only" and _GOES_ON.match(context.answer[claim.end :]):
        return Finding.skip(NAME, "only so with what the next words add")
    found = [
        (roll, members)
        for roll in rolls(quantified.said, claim.statement, context)
        if (members := _ranged_over(quantified, roll))
    ]
    # "Both fans", where there are two pumps as well: the list that is called so, if any is.
    named = [f for f in found if not f[0].unexplained(quantified.ranging)]
    found = named or found
    verdicts = {_holds(quantified, roll, members) for roll, members in found}
    if len(verdicts) != 1 or None in verdicts:
        return _of_named(text, claim, context)
    return _finding(bool(verdicts.pop()), quantified, *found[0])


def _read(text: str) -> _Quantified | None:
    exception = _EXCEPT.search(text)
    if exception is not None:
        text = text[: exception.start()].rstrip(" ,") + text[exception.end() :]
    for pattern in (_UNIVERSAL, _THE_ONLY, _ONLY, _FLOATED):
        found = pattern.search(text)
        if found is None:
            continue
        said, word = found["said"], found["word"].lower()
        before = text[: found.start("word")][-_REACH:]
        if _HEDGED.search(before) or _HEDGED.search(said) or is_negated(said):
            return None
        ranging = _OPENS.sub("", found["range"].strip())
        count = found.groupdict().get("count")
        excepted = exception["of"] if exception else ""
        return _Quantified(word, ranging, _number(count) if count else None, said, excepted)
    return None


_GOES_ON = re.compile(r"\s*(?:and|that|which|with|while also)\b", re.I)
_OPENS = re.compile(r"^\W*(?:and|but|so|yes|the|its|your|their)\b", re.I)
_REACH = 24
_NUMBERS = {word: n for n, word in enumerate(_NUMBER.split("|")[1:], 2)}


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _NUMBERS[text.lower()]


def _ranged_over(quantified: _Quantified, roll: Roll) -> tuple[Member, ...]:
    """The members that the words speak of; none where it is not sure that this list is meant."""
    if quantified.word == "only":
        return roll.members
    some = roll.only(quantified.ranging)
    count = 2 if quantified.word in ("both", "neither") else quantified.count
    if count is not None and count != len(some.members):
        return ()
    left = roll.unexplained(quantified.ranging)
    noun = stem(quantified.ranging.split()[-1]) if quantified.ranging.strip() else ""
    if left and (count is None or left != {noun}):
        return ()  # "all passengers": of whom this list tells nothing
    return some.members if len(some.members) > 1 else ()


def _holds(quantified: _Quantified, roll: Roll, members: tuple[Member, ...]) -> bool | None:
    if quantified.excepted:
        named = named_members(quantified.excepted, roll)
        if not named or quantified.word == "only":
            return None
        return all(m.holds != (m in named or quantified.word in _NONE) for m in members)
    if quantified.word in _NONE:
        return not any(m.holds for m in members)
    if quantified.word != "only":
        return all(m.holds for m in members)
    named = named_members(quantified.ranging, roll)
    if (
        not named
        or roll.unexplained(quantified.ranging)
        or speaks_of_nothing_else(quantified.ranging)
    ):
        return None
    return {m.span for m in members if m.holds} == {m.span for m in named} and all(
        m.holds == (m in named) for m in members
    )


def _finding(
    holds: bool, quantified: _Quantified, roll: Roll, members: tuple[Member, ...]
) -> Finding:
    if holds:
        spans = tuple(dict.fromkeys(m.span for m in members[:4]))
        detail = f"“{quantified.word}”: {len(members)} of {roll.name.strip() or 'the list'}"
        return Finding(
            NAME, "checked", "supports", 0.93, None, detail, spans=spans, settles="values"
        )
    wrong = next((m for m in members if m.holds == (quantified.word in _NONE)), None)
    if quantified.excepted:
        named = named_members(quantified.excepted, roll)
        none = quantified.word in _NONE
        wrong = next((m for m in members if m.holds == (m in named or none)), wrong)
    if quantified.word == "only":
        named = named_members(quantified.ranging, roll)
        wrong = next((m for m in members if m.holds != (m in named)), wrong)
    rival = wrong or members[0]
    return _against(rival)


def _against(member: Member) -> Finding:
    detail = (
        f"the evidence has {member.name if member.name in member.span.text else member.span.text}"
    )
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=(member.span,)
    )


def _of_named(text: str, claim: Claim, context: GroundContext) -> Finding:
    """ "Unit and lint were green": each of the members that are named, of the parts of one text; of the rows
    of a table where it names two or more."""
    skipped = Finding.skip(NAME, "says nothing of every member of a list")
    found = _PLAIN.match(text)
    if found is None or _HEDGED.search(text) or is_negated(text):
        return skipped
    verdicts: list[tuple[bool, Member]] = []
    for roll in rolls(found["said"], claim.statement, context):
        named = named_members(found["range"], roll)
        several = roll.table is None or bool(_SEVERAL.search(found["range"]))
        if (
            not several
            or len(named) < (2 if roll.table is not None else 1)
            or roll.unexplained(found["range"])
        ):
            continue
        wrong = next((m for m in named if not m.holds), None)
        verdicts.append((wrong is None, wrong or named[0]))
    if len({holds for holds, _ in verdicts}) != 1:
        return skipped
    holds, member = verdicts[0]
    if not holds:
        return _against(member)
    return Finding(
        NAME,
        "checked",
        "supports",
        0.93,
        None,
        member.span.text,
        spans=(member.span,),
        settles="values",
    )


_SEVERAL = re.compile(r",|\b(?:and|as well as|plus)\b|&", re.I)
"""What names several rows by their names; one name may be that of several rows."""
_PLAIN = re.compile(
    rf"\W*(?:and|but|though|although|while|whereas|so|yes,|however,)?\s*(?P<range>[^,;:]*?(?:, [^,;:]*?){{0,4}})\s+(?P<said>(?:{_VERB})\b(?:[^,;:—–]|(?<=\d)[,:](?=\d))*)",
    re.I,
)
"""A plain statement: what it speaks of, and what it says of that."""
