"""What is said not to be there, or not to be possible: did a search come back empty or a call fail, or does the evidence speak
of it?"""

from __future__ import annotations

from collections.abc import Iterator

from affidavit.stages.ground.case import Case
from affidavit.stages.ground.linking.evidence import bears_out, is_call
from affidavit.stages.ground.signal import Signal

_NEAREST = 3
_IN_VAIN = {"empty": "found nothing", "error": "failed", "rejected": "was rejected"}


def absence(case: Case) -> Iterator[Signal]:
    """For "there is no X": an empty search says so, and for "I could not" a call that failed; a line that speaks of all of X
    says otherwise."""
    if case.claim.kind != "absence":
        return
    search = case.evidence.search
    known = {word for word in case.stems if search.has_word(word)}
    in_vain = [
        line for line in case.evidence.lines if is_call(line) and line.source.outcome in _IN_VAIN
    ]
    total = sum(search.weight(word) for word in case.stems) or 1.0
    unknown = 1 - sum(search.weight(word) for word in known) / total
    if in_vain:
        span = in_vain[-1].span()
        told = f"{span.tool} {_IN_VAIN[in_vain[-1].source.outcome]}"
        yield Signal("absence", "same", 1.0, "search", told, spans=(span,))
    if unknown > 0:
        yield Signal("absence", "same", unknown, "words", "the results do not speak of it")
    lines = [
        line for line, _ in case.linked.near[:_NEAREST] if bears_out(line) and not is_call(line)
    ]
    for line in lines:
        share = sum(search.weight(w) for w in case.stems & line.stems) / total
        if share > 0:
            yield Signal(
                "absence", "opposed", min(1.0, share), "words", line.text, spans=(line.span(),)
            )
            break
