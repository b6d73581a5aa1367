"""Steps that bear the name of a deed: "it was deployed" beside ``stage: deploy, result: skipped``.

The row says of the step what the claim says of the thing, so that all words of the claim are there whether it was
done or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.irregular_verbs import base_of
from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.stages.ground.checks.calls.deeds import anything_done
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.checks.states.vocabulary import STATUS_FIELD, states_in
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "steps"

_DONE_TO_IT = re.compile(
    r"\b(?:is|are|was|were|has been|have been|had been|got)(?:n['’]t| not)?(?: \w+ly| yet| already| never| still| now| not)* (?P<deed>[a-z]+(?:ed|en|t|n|ld|id|de|un))\b",
    re.I,
)
_NOT_BEEN = re.compile(
    r"\b(?:has|have|had)(?:n['’]t| not)(?: yet| ever)? been (?P<deed>[a-z]{3,})\b", re.I
)
_SUPPOSED = re.compile(
    r"\b(?:if|unless|when|once|until|after|before|will|would|could|(?-i:may)|might|must|should|can|to be)\b",
    re.I,
)
_STEP = re.compile(
    r"(?:^| )(?:stage|step|task|phase|job|action|event|milestone|activity|process|operation|name|item)$"
)
_DONE = states_in("completed success done passed ok")
_UNDONE = states_in("failed skipped pending running planned cancelled blocked awaiting")


def check_steps(claim: Claim, context: GroundContext) -> Finding:
    """Hold what was done to a thing, or was not, against the state of the step of that name."""
    told = claim.kind == "fact" or claim.performer == "unsaid" and not anything_done(context)
    if claim.is_datum or not told or _SUPPOSED.search(claim.text):
        return Finding.skip(NAME, "says of no deed that it was done")
    said = _NOT_BEEN.search(claim.text) or _DONE_TO_IT.search(claim.text)
    if said is None:
        return Finding.skip(NAME, "says of no deed that it was done")
    word = said["deed"].lower()
    deed = frozenset({base_of(word)})
    found = list(_steps(deed, context))
    if len({done for done, _, _ in found}) != 1:
        return Finding.skip(NAME, "no step is called by that deed, or several that disagree")
    done, passage, cell = found[0]
    detail = f"the evidence has {passage.text[:120]}"
    spans = (passage.span(cell),)
    if done != is_negated(claim.text):
        return Finding(
            NAME, "checked", "supports", 0.9, None, detail, spans=spans, settles="values"
        )
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=spans
    )


def _steps(deed: frozenset[str], context: GroundContext) -> Iterator[tuple[bool, Passage, Cell]]:
    """The steps that are called so, with whether they are done: rows by a name, or fields."""
    for passage in filter(is_result, context.fitting):
        cells = [c for c, _, _ in passage.cells if isinstance(c.raw, str)]
        named = [c for c in cells if _STEP.search(c.key) and _is_called(c.text, deed)]
        states = [c for c in cells if STATUS_FIELD.search(c.key)] if named else []
        states += [c for c in cells if _is_called(c.key, deed)]
        for cell in states:
            held = states_in(cell.text)
            if bool(held & _DONE) != bool(held & _UNDONE):
                yield bool(held & _DONE), passage, cell


def _is_called(name: str, deed: frozenset[str]) -> bool:
    """Whether a name says the deed, and nothing else: ``payout_status`` of what is paid."""
    stems = content_stems(name) - _OF_STATUS
    begins = all(any(s.startswith(d) for s in stems) for d in deed)
    return len(stems) == 1 and (begins or named_in(deed, stems) == deed)


_OF_STATUS = content_stems("status state result outcome stage step")
