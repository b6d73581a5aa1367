"""What is said not to be there, or not to be possible: did a search come back empty or a call fail, and does the evidence
speak of it at all?"""

from __future__ import annotations

from collections.abc import Iterator

from affidavit.ledger.ledger import Passage
from affidavit.stages.ground.case import Case
from affidavit.stages.ground.linking.evidence import is_call
from affidavit.stages.ground.signal import Signal

_IN_VAIN = {"empty": "found nothing", "error": "failed", "rejected": "was rejected"}


def absence(case: Case) -> Iterator[Signal]:
    """For "there is no X": an empty search says so, and for "I could not" a call that failed. That the evidence does speak of X
    says little: "there is no balcony" is what ``balcony: false`` says."""
    if case.claim.kind != "absence":
        return
    search = case.evidence.search
    known = {word for word in case.stems if search.has_word(word)}
    in_vain = [
        (_bears_on(line, case), n, line)
        for n, line in enumerate(case.evidence.lines)
        if is_call(line) and line.source.outcome in _IN_VAIN
    ]
    total = sum(search.weight(word) for word in case.stems) or 1.0
    unknown = 1 - sum(search.weight(word) for word in known) / total
    if in_vain:
        strength, _, line = max(in_vain)
        told = f"{line.source.tool} {_IN_VAIN[line.source.outcome]}"
        if strength > 0:
            yield Signal("absence", "same", strength, "search", told, spans=(line.span(),))
    if unknown > 0:
        yield Signal("absence", "same", unknown, "words", "nothing in the results speaks of it")


def _bears_on(line: Passage, case: Case) -> float:
    """How much a call that came to nothing says of a claim. What was not found may be told in any words; that something
    could not be done is borne out by the call that should have done it."""
    if line.source.outcome == "empty":
        return 1.0
    return case.share_in(line.stems)
