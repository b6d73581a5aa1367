"""Tallies: how many of a list something holds of, counted again: "six of the nine readings were below 8 °C"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain

from affidavit.ledger.values import Value
from affidavit.ledger.words import is_negated, stem
from affidavit.stages.ground.checks.lists.conditions import Roll, rolls, without_asides
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "tallies"

_NUMBER = r"\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|none"
_SHARES: dict[str, Decimal | int] = {
    "half": 50, "a third": Decimal(100) / 3, "one third": Decimal(100) / 3, "two thirds": Decimal(200) / 3,
    "a quarter": 25, "one quarter": 25, "three quarters": 75, "a fifth": 20, "a tenth": 10,
}  # fmt: skip
_ONE_IN = r"(?:one|two|three|four|seven|nine) in (?:two|three|four|five|six|seven|eight|nine|ten)"
_SHARE = rf"{'|'.join(_SHARES)}|{_ONE_IN}|\d{{1,3}}(?:\.\d+)? ?(?:%|percent)"
_VERB = (
    r"(?:that |which |who )?(?:is|are|was|were|has|have|had|remains?|remained|stayed|came|went|got|passed|failed|succeeded|"
    r"completed|finished|ran|grew|grown|increased|decreased|declined|dropped|shrank|improved|gained|lost|climbed|exceed(?:s|ed)?|costs?|takes?|took|lasts?|lasted|stood|fell|rose|read|measured|scored|"
    r"start(?:s|ed)?|ended|leaves?|left|departs?|arrives?|arrived|weighs?|weighed)\b"
)
_SIGN = (
    r"(?:below|under|above|over|before|after|at least|at most|less than|more than|fewer than|cheaper than|"
    r"longer than|shorter than|later than|earlier than|higher than|lower than)\b"
)
_TALLY = re.compile(
    rf"(?<![\w.,#€$£-])(?P<n>{_SHARE}|(?:{_NUMBER})\b)(?: (?:out )?of (?:the |all |its |your |their |our |these |those )*(?P<m>{_NUMBER})?\b)?"
    rf"(?P<range>(?: (?!{_VERB}|{_SIGN})[\w'’-]+){{0,5}}?)\s+(?P<said>(?:{_VERB}|{_SIGN})(?:[^,;:—–]|(?<=\d)[,:](?=\d))*)",
    re.I,
)
"""How many, of how many, of what, and what is said of them."""
_BEHIND = re.compile(
    rf"(?P<said>[^,;:—–]+?) (?:in|for|at|on|across) (?P<n>{_SHARE}|(?:{_NUMBER})\b) (?:out )?of (?:the |all |its |your |their |our |these |those )*"
    rf"(?P<m>{_NUMBER})\b(?P<range> [\w'’-]+)",
    re.I,
)
"""The same with what is said before it: "revenue grew in three of the four regions"."""
_LOOSE = re.compile(
    r"\b(?:at least|at most|more than|less than|fewer than|over|under|about|around|some|roughly|nearly|almost|up to|another|"
    r"other|the (?:first|last|next|other)|top|or|to|than|exactly the|page|step|phase|line|part|no)\s*$|[-–/]\s*$|\d[.,]\s*$",
    re.I,
)
"""Before a number: a bound, a part of a range, or what numbers something."""
_HEDGED = re.compile(
    r"\b(?:if|unless|once|until|should|must|can|could|would|will|(?-i:may)|might|except|apart from|not)\b|n['’]t\b",
    re.I,
)
_WORDS = {word: n for n, word in enumerate(_NUMBER.split("|")[1:13], 1)} | {"none": 0}


@dataclass(frozen=True, slots=True)
class _Tally:
    text: str
    n: int | None
    share: Decimal | None
    """Of a hundred, where a part is told and no number: "half of"."""
    whole: int | None
    ranging: str
    said: str


def check_tallies(claim: Claim, context: GroundContext) -> Finding:
    """Count the members of the list that a claim gives a number of, with the condition that it states."""
    # The values of the claim ask as well, and the rows may be thousands.
    return context.search.once(
        f"tally {claim.kind} {claim.statement} {context.topic.rows}", lambda: _check(claim, context)
    )


def is_tallied(value: Value, claim: Claim, context: GroundContext) -> bool:
    """Whether a value is the number, the whole or the limit of a count that comes out as it is said."""
    told = value.number is not None or value.moment is not None
    if not told or check_tallies(claim, context).verdict != "supports":
        return False
    return any(value.text in tally.text for tally in _tallies(without_asides(claim.text)))


def _check(claim: Claim, context: GroundContext) -> Finding:
    if claim.is_datum or claim.kind in ("restatement", "action") or is_negated(claim.text):
        return Finding.skip(NAME, "a datum, or no count")
    for tally in _tallies(without_asides(claim.text)):
        found = [
            roll for whole in rolls(tally.said, claim.statement, context)
            if (roll := _ranged_over(tally, whole)) is not None
        ]  # fmt: skip
        counts = {sum(m.holds for m in roll.members) for roll in found}
        if len(counts) != 1:
            continue
        n, roll = counts.pop(), found[0]
        spans = tuple(dict.fromkeys(m.span for m in roll.members if m.holds))[:8]
        detail = f"{n} of {len(roll.members)}: {', '.join(span.text for span in spans)}"
        if _is_said(tally, n, len(roll.members)):
            return Finding(
                NAME, "checked", "supports", 0.93, None, detail, spans=spans, settles="values"
            )
        if tally.whole is None and tally.share is None and not tally.ranging.strip():
            continue  # "two were late": of what, is not said
        return Finding(
            NAME, "checked", "contradicts", 0.05, "contradicts_evidence",
            f"“{tally.text}”, where the evidence has {detail}", spans=spans,
        )  # fmt: skip
    return Finding.skip(NAME, "counts nothing that a list could be counted for")


def _tallies(text: str) -> list[_Tally]:
    found: list[_Tally] = []
    for match in chain(_TALLY.finditer(text), _BEHIND.finditer(text)):
        if _LOOSE.search(text[: match.start()]) or _HEDGED.search(match["said"]):
            continue
        n, share = _number(match["n"]), _share(match["n"])
        if n is not None or share is not None:
            ranging = re.sub(r"^\s*(?:of|them|these|those)\b(?: the\b)?", "", match["range"])
            whole = _number(match["m"])
            found.append(_Tally(match[0], n, share, whole, ranging, match["said"]))
    return found


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    return int(text) if text.isdigit() else _WORDS.get(text.lower())


def _share(text: str) -> Decimal | None:
    figure = re.match(r"\d+(?:\.\d+)?(?= ?(?:%|percent))", text)
    if figure is not None:
        return Decimal(figure[0])
    part, _, whole = text.lower().partition(" in ")
    if whole:
        return Decimal(100 * _WORDS[part]) / _WORDS[whole]
    share = _SHARES.get(text.lower())
    return None if share is None else Decimal(share)


def _is_said(tally: _Tally, n: int, whole: int) -> bool:
    """Whether so many of so many is what was said; a percentage may be rounded to the full."""
    if tally.share is None:
        return n == tally.n
    return abs(Decimal(100 * n) / whole - tally.share) <= Decimal("0.5")


def _ranged_over(tally: _Tally, whole: Roll) -> Roll | None:
    """The rows that are counted; None where it is not sure that these are meant."""
    roll = whole.only(tally.ranging)
    if tally.whole is not None and tally.whole != len(roll.members):
        return None
    if len(roll.members) < 2 or (tally.n or 0) > len(whole.members) and tally.whole is None:
        return None
    left = whole.unexplained(tally.ranging)
    noun = stem(tally.ranging.split()[-1]) if tally.ranging.strip() else ""
    if left and (tally.whole is None or left != {noun}):
        return None
    return roll
