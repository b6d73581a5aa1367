"""How much of what a claim says do the results speak of at all?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.words import content_stems
from affidavit.stages.ground.case import Case
from affidavit.stages.ground.signal import Signal

_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_SHOWN = 4
"""Words that are named to the reader."""


def scope(case: Case) -> Iterator[Signal]:
    """The share, by weight, of a claim's words that no result, call or prompt says. Figures are no words: "62,50" is what
    ``6250`` cents say, and another witness looks for it."""
    search = case.evidence.search
    weights = {w: search.weight(w) for w in case.stems if not any(map(str.isdigit, w))}
    if not weights:
        return
    unknown = [word for word in weights if not search.has_word(word)]
    share = sum(weights[word] for word in unknown) / (sum(weights.values()) or 1.0)
    if share > 0:
        yield Signal("scope", "absent", share, "words", _named(case, frozenset(unknown)))
    else:
        yield Signal("scope", "same", 1.0, "words")


def _named(case: Case, unknown: frozenset[str]) -> str:
    """The words of a claim that nothing in the evidence has, as the claim writes them."""
    written = (m[0] for m in _WORD.finditer(case.linked.statement))
    new = list(dict.fromkeys(word for word in written if content_stems(word) & unknown))
    # Short words ("one", "went") are seldom what a claim is about.
    longest = sorted(new, key=len, reverse=True)[:_SHOWN]
    told = ", ".join(f"“{word}”" for word in new if word in longest)
    more = f" and {len(new) - _SHOWN} more" if len(new) > _SHOWN else ""
    return f"no result speaks of {told or 'it'}{more}"
