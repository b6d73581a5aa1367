"""How much of what a claim says do the results speak of at all?"""

from __future__ import annotations

from collections.abc import Iterator

from affidavit.stages.ground.case import Case
from affidavit.stages.ground.signal import Signal


def scope(case: Case) -> Iterator[Signal]:
    """The share, by weight, of a claim's words that no result, call or prompt says."""
    search = case.evidence.search
    if not case.stems:
        return
    weights = {word: search.weight(word) for word in case.stems}
    unknown = sorted(word for word in weights if not search.has_word(word))
    share = sum(weights[word] for word in unknown) / (sum(weights.values()) or 1.0)
    if share > 0:
        yield Signal(
            "scope", "absent", share, "words", "part of it is in other words than the results'"
        )
    else:
        yield Signal("scope", "same", 1.0, "words")
