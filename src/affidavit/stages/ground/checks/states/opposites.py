"""Words that rule each other out: "you'll sit outside" beside "the round table indoors".

A small model sees the terrace named in the same sentence and reads over the rest. Only a word that nothing in the
run says, where its opposite is said of the same thing, is held against a claim.
"""

from __future__ import annotations

import re
from functools import cache

from affidavit.ledger.ledger import Passage
from affidavit.ledger.search import Search
from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.checks.states.told import clauses
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "opposites"

# Each line is a family of words that rule each other out, the sides parted by bars.
_FAMILIES = """
    indoors|indoor|inside|under cover / outdoors|outdoor|outside|open-air|in the open air|al fresco
    upstairs|upper floor / downstairs|ground floor
    left-hand|on the left|to the left|left side / right-hand|on the right|to the right|right side
    northbound|north side / southbound|south side
    eastbound|east side / westbound|west side
    at the front|front row|front door / at the back|at the rear|back row|rear door|back door
    uphill|upstream|upwind / downhill|downstream|downwind
    window seat / aisle seat / middle seat
    one-way|single ticket|single journey / round-trip|return ticket|return journey|there and back
    inbound|incoming / outbound|outgoing
    domestic / international|overseas
    on weekdays|weekdays|monday to friday / at weekends|on weekends|weekends only
    daily|~day|~days / weekly|~week|~weeks / monthly|~month|~months / quarterly|~quarter|~quarters / yearly|annually|annual|~year|~years
    full-time / part-time
    permanent|permanently|open-ended|indefinitely / temporary|temporarily|fixed-term|interim
    remotely|from home|by video|video call / on-site|onsite|in person|in-person|face to face
    manually|by hand / automatically
    mandatory|compulsory|obligatory / optional|voluntary
    in advance|up front|upfront|beforehand / in arrears|on arrival|on departure
    brand-new|brand new / second-hand|secondhand|refurbished|pre-owned
    cash only|in cash / card only|by card / by bank transfer / by cheque|by check
    gross|~before tax|~before taxes / net|~after tax|~after taxes
    wireless|cordless / wired|corded
    malignant / benign
    acute / chronic
    before meals|before food|on an empty stomach / after meals|after food|with food|with meals
    orally|by mouth / by injection|injected|intravenously
    encrypted / plaintext|unencrypted
    read-only / read-write|writable
    synchronous|synchronously / asynchronous|asynchronously
    ascending / descending
    clockwise / anticlockwise|counterclockwise|counter-clockwise
    horizontal|horizontally / vertical|vertically
    single room|single bed / double room|double bed / twin room|twin beds
    high tide / low tide
    sunrise|dawn / sunset|dusk
    switched on|turned on|stay on|kept on|left on / switched off|turned off|stay off|kept off
    in writing|in written form / verbally|by phone|by telephone|over the phone
    guilty|convicted / acquitted|innocent
    unanimously|unanimous / by a majority|narrowly
    first leg|outward leg / return leg|second leg
    waterproof / water-resistant|showerproof
    vegetarian / vegan
"""
_SUPPOSED = re.compile(
    r"\b(?:if|unless|whether|or|either|neither|nor|except|instead|than|rather|no longer|was|were|had|used to)\b|\?",
    re.I,
)


def check_opposites(claim: Claim, context: GroundContext) -> Finding:
    """Hold a word of a claim that nothing in the run says against its opposite, said of the same."""
    if (
        claim.is_datum
        or claim.kind != "fact"
        or is_negated(claim.text)
        or _SUPPOSED.search(claim.text)
    ):
        return Finding.skip(NAME, "says of nothing which of two it is")
    told = context.search.once("sides of opposites", lambda: _told(context.search))
    about = content_stems(f"{claim.statement} {claim.context}")
    fitting = {passage.id for passage in context.fitting}
    for family, side in _sides_of(claim.text):
        held = told.get(family, [])
        if any(at == side for at, _, _ in held):
            continue
        for _, passage, part in held:
            named = passage.id in fitting and is_result(passage) and not is_negated(part)
            if named and family in dict(_sides_of(part)) and named_in(content_stems(part), about):
                detail = f"the evidence has “{part[:120]}”"
                return Finding(
                    NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail,
                    spans=(passage.span(),),
                )  # fmt: skip
    return Finding.skip(NAME, "nothing rules out what it says")


def _told(search: Search) -> dict[int, list[tuple[int, Passage, str]]]:
    """Who says which side of which family, the user too: read once for all claims."""
    found: dict[int, list[tuple[int, Passage, str]]] = {}
    for passage in search.passages:
        if not _sides_of(passage.text, vetoes=True):
            continue
        for part in [*_parts(passage, search), passage.text]:
            for family, side in _sides_of(part, vetoes=True):
                found.setdefault(family, []).append((side, passage, part))
    return found


def _parts(passage: Passage, search: Search) -> list[str]:
    """The clauses of a passage, and its fields."""
    fields = [f"{c.key}: {c.text}" for c, _, _ in passage.cells if len(c.text) <= _SHORT]
    return [*(part for _, part in clauses(search, [passage], of_user=True)), *fields]


_SHORT = 60


def _sides_of(text: str, *, vetoes: bool = False) -> list[tuple[int, int]]:
    """The sides that a text says, by the number of their family; with ``vetoes`` in those words as well that only
    keep a side from being ruled out."""
    plain = " ".join(re.findall(r"[a-z'’-]+", text.lower()))
    table = _table()
    return list(
        dict.fromkeys(
            place
            for match in _pattern().finditer(f" {plain} ")
            for place in (
                *table.get(match[0], ()),
                *(table.get(f"~{match[0]}", ()) if vetoes else ()),
            )
        )
    )


@cache
def _table() -> dict[str, list[tuple[int, int]]]:
    table: dict[str, list[tuple[int, int]]] = {}
    for family, line in enumerate(_FAMILIES.strip().splitlines()):
        for side, words in enumerate(line.split("/")):
            for phrase in words.strip().split("|"):
                table.setdefault(phrase.strip(), []).append((family, side))
    return table


@cache
def _pattern() -> re.Pattern[str]:
    phrases = sorted((phrase.lstrip("~") for phrase in _table()), key=len, reverse=True)
    return re.compile(rf"(?<= )(?!{_OF_MORE})(?:{'|'.join(map(re.escape, phrases))})(?= )")


_OF_MORE = (
    r"(?:inside|outside) (?:the|of|your|its|an?|this|that|my|our|their|his|her|office|business|opening|working|"
    r"normal|warranty|hours|which)\b"
)
"""No place of its own: "outside the return window"."""
