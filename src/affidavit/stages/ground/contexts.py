"""What each claim is held against: the passages that bear on it, and the rows that it speaks about."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from affidavit.ledger.ledger import Ledger
from affidavit.ledger.meaning import Meaning
from affidavit.ledger.search import search_of
from affidavit.ledger.values import fold
from affidavit.models.entailment.protocol import EntailmentModel
from affidavit.policy import Policy
from affidavit.stages.ground.checks.calls.outcomes import failed_call_of, speaks_of_failure
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext
from affidavit.stages.ground.phrases import BESIDE, COMPARED, RANGE
from affidavit.stages.ground.rows import Rows, rows_of
from affidavit.stages.ground.topic import Topic

_REFERS_BACK = re.compile(
    r"\W*(?:and |but |so |which |also |because |since |as |although |though |while |when )*(?:it|its|they|their|this|that|these|those|there|he|she|his|her)\b"
    r"|\W*which (?:is|was|has|had|comes?|came)\b",
    re.I,
)
_RELATIVE = re.compile(r"\W*which\b", re.I)
_DEFINITE = re.compile(
    r"\b(?<!is )(?<!was )(?<!be )(?:this|that|the) (?:same )?(?:order|booking|reservation|item|product|account|ticket|invoice|one)\b"
    r"|^\W*(?:and |but |so |also )*(?:the|your) (?!next|other|new|second|first|last|latest|most|least|best|worst|[a-z]{3,}est\b)[a-z]+ (?:[a-z]+ )?(?:of|is|was|for that|has)\b",
    re.I,
)
"""What is spoken of as known, or a field of it: "that order", "the refund of $5"."""
_LABELLED = re.compile(r"[\s*_•-]*(?P<label>[\w /()-]{1,40}?)[*_]*:[*_]*\s")
"""A line of a list that gives one field of the thing above it."""
_PASSAGES = 8


def contexts_of(
    claims: Sequence[Claim],
    answer: str,
    question: str,
    ledger: Ledger,
    policy: Policy,
    model: EntailmentModel | None = None,
    meaning: Meaning | None = None,
) -> list[GroundContext]:
    """One context a claim, with the rows it names or, where it refers back, those last spoken of."""
    good = search_of(ledger, policy.evidence_scope)
    # The text of a failed call bears on what is said of failure, and on nothing else.
    both = search_of(ledger, policy.evidence_scope, failed=True)
    of_good, of_both = rows_of(good, ledger), rows_of(both, ledger)
    today = ledger.today
    contexts: list[GroundContext] = []
    spoken, listed, firm, shown, led = Topic(), Topic(), Topic(), Topic(), Topic()
    pair, either = Topic(), Topic()
    sole = of_good.sole(answer)
    beside = _field_lists(claims)
    for n, claim in enumerate(claims):
        of_failure = speaks_of_failure(claim) or failed_call_of(claim.text, ledger) is not None
        search, rows = (both, of_both) if of_failure else (good, of_good)
        own = rows.of_claim(claim)
        around = rows.named_by(claim.context).or_else(spoken)
        earlier = spoken
        if _OF_BOTH.match(claim.text):
            around = pair.or_else(around)
        elif _refers_back(claim):
            around, earlier = around.widened_by(either), earlier.widened_by(either)
        subject = Topic()
        called = rows.identified_by(_subject(claim)).narrowed_by(own)
        continued = n > 0 and claims[n - 1].sentence == claim.sentence
        before = rows.things(firm) if continued else Topic()
        sides = _sides(claim, rows)
        if sides is not None:
            # "It runs longer than the R2" is of what went before, and of the R2.
            first = rows.identified_by(sides[0]).or_else(rows.things(around))
            subject = first
            firm = first.joined_with(own).joined_with(rows.named_by(sides[1]))
        elif _refers_back(claim) or (_DEFINITE.search(claim.text) and not called.rows):
            # "It runs on node 11" speaks of what went before, not of whatever else runs there.
            known = called.or_else(rows.things(around)).or_else(shown.without(around))
            if continued and _RELATIVE.match(claim.text):
                known = known.or_else(firm)
            firm = known.or_else(own).or_else(around)
        elif _LABELLED.match(claim.text) and not _enumerates(claim):
            called = rows.identified_by(claim.statement).narrowed_by(own)
            listed = called if called.rows else listed
            # "Resolution: 30MP" under "Item 8363011723" speaks of that item, whichever has 30MP.
            firm = rows.having_field(listed, claim.text).or_else(own).or_else(around)
        else:
            listed = called
            firm = own.or_else(rows.named_by(claim.context)).or_else(before)
        if claim.text.rstrip("*_ ").endswith(":"):
            led = firm
        firm = firm.within(led)
        topic = firm.or_else(rows.without_strangers(spoken, firm))
        # What comes after "She finished behind Ida" is of her, and of both where it says "they"; after "her
        # teacher is Ida", "she" may be either.
        spoken, mentioned = subject.or_else(topic), rows.mentioned(claim.text)
        pair = (
            (pair if continued else Topic()).joined_with(rows.things(firm)).joined_with(mentioned)
        )
        either = Topic() if sides is not None else mentioned
        # "The strongest gust was 97 km/h. It came on 3 March" goes on about the row that has the 97.
        shown = rows.shown_by(claim).or_else(shown if _refers_back(claim) else Topic())
        others = _OF_OTHERS.search(claim.text) or RANGE.search(claim.text)
        only = Topic() if others else sole
        passages = tuple(p for p, _ in search.by_words(claim.statement, _PASSAGES))
        contexts.append(
            GroundContext(
                ledger=ledger,
                policy=policy,
                search=search,
                rows=rows,
                topic=topic.or_else(only),
                firm=firm.or_else(only),
                named=own,
                earlier=earlier,
                passages=passages,
                answer=answer,
                question=question,
                today=today,
                model=model,
                meaning=meaning,
                before=claims[:n],
                beside=beside[n],
            )
        )
    return contexts


_ITS = re.compile(
    r"(\W*(?:and |but |so |also )*(?:its|their|his|her)\b.*?)\b(?:is|was|are|were)\b", re.I
)


def _subject(claim: Claim) -> str:
    """What names the thing that a claim is of: "its address is 10.0.4.2" names none by the address."""
    of_another = _ITS.match(claim.text)
    return of_another[1] if of_another else claim.text


_POINTS = re.compile(r"\b(?:then|there|at that time|that day|in that case)\b\W*$", re.I)
"""At the end of a clause: "you pay 20 ct then"."""


def _sides(claim: Claim, rows: Rows) -> list[str] | None:
    """What a claim says of the thing that it speaks of, and of the one that it compares it with."""
    sides = COMPARED.split(claim.text, maxsplit=1)
    if len(sides) == 1:
        sides = BESIDE.split(claim.text, maxsplit=1)
        if len(sides) == 2 and not rows.things(rows.named_by(sides[1])).rows:
            return None
    return sides if len(sides) == 2 else None


_OF_OTHERS = re.compile(
    r"\b(?:elsewhere|others?|another|(?:the|everyone|everything) (?:rest|else)|each|every|all)\b",
    re.I,
)
"""What is said of more than the one thing that an answer calls by its name."""
_OF_BOTH = re.compile(
    r"\W*(?:and |but |so )*(?:they|their|these|those|both|between (?:them|the)|the (?:two|pair|gap|difference|margin))\b",
    re.I,
)
_REACHES = re.compile(
    r"\W*(?:and |but |so |also )*(?:you|we|one|guests|visitors|customers|people|anyone)"
    r"(?:['’]ll| can| could| may| will| must| should| have to| need to| also| only| always){1,3} (?:\w+ ){1,2}(?:it|them|him|her|there)\b",
    re.I,
)
"""Where somebody may do something with what was spoken of before: "you can reach them on …"."""


def _refers_back(claim: Claim) -> bool:
    back = _REFERS_BACK.match(claim.text) or _POINTS.search(claim.text)
    return bool(back or claim.kind == "fact" and _REACHES.match(claim.text))


def _enumerates(claim: Claim) -> bool:
    """Whether behind its label a claim calls several things by their numbers: "Returned: lamp (71), kettle (83)"."""
    numbers = {v.text for v in claim.values if v.kind == "identifier"}
    return sum(any(map(str.isdigit, number)) for number in numbers) > 1


def _field_lists(claims: Sequence[Claim]) -> list[Sequence[Claim]]:
    """For each claim the lines of fields that it stands among, "Size: M" under "Item: 7": a list goes on
    until a label comes again or a line has none. The leaves of one object stand together as well."""
    objects: dict[tuple[str | int, ...], list[Claim]] = defaultdict(list)
    for claim in claims:
        if claim.json_path is not None:
            objects[claim.json_path[:-1]].append(claim)
    found: list[Sequence[Claim]] = []
    listed: list[Claim] = []
    labels: set[str] = set()
    for claim in claims:
        line = _LABELLED.match(claim.text)
        label = fold(line["label"]) if line else ""
        goes_on = bool(labels) and (bool(label) or claim.sentence == listed[-1].sentence)
        if label in labels or not goes_on:
            listed, labels = [], set()
        listed.append(claim)
        labels |= {label} - {""}
        found.append(listed)
    return [
        objects[claim.json_path[:-1]]
        if claim.json_path is not None
        else lines
        if len(lines) > 1
        else ()
        for claim, lines in zip(claims, found, strict=True)
    ]
