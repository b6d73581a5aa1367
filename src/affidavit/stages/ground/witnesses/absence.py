"""What is said not to be there: did the search come back empty, or does the evidence speak of it?"""

from __future__ import annotations

from collections.abc import Iterator

from affidavit.stages.ground.case import Case
from affidavit.stages.ground.linking.evidence import bears_out, is_call
from affidavit.stages.ground.signal import Signal

_NEAREST = 3


def absence(case: Case) -> Iterator[Signal]:
    """For "there is no X": an empty search says so, a line that speaks of all of X says otherwise."""
    if case.claim.kind != "absence":
        return
    search = case.evidence.search
    known = {word for word in case.stems if search.has_word(word)}
    empty = [
        line for line in case.evidence.lines if is_call(line) and line.source.outcome == "empty"
    ]
    total = sum(search.weight(word) for word in case.stems) or 1.0
    unknown = 1 - sum(search.weight(word) for word in known) / total
    if empty:
        span = empty[-1].span()
        yield Signal("absence", "same", 1.0, "search", f"{span.tool} found nothing", spans=(span,))
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
