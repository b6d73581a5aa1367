"""Is each value there: exactly, rounded, only in the user's words, or nowhere?"""

from __future__ import annotations

from collections.abc import Iterator

from affidavit.ledger.search import Hit
from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems
from affidavit.stages.ground.case import Case
from affidavit.stages.ground.linking import Link
from affidavit.stages.ground.linking.evidence import is_call, runs_of_digits
from affidavit.stages.ground.signal import Relation, Signal

_CODES = frozenset({"identifier", "url", "email", "phone", "path", "handle", "version"})
_WORDS = frozenset({"name", "quoted"})
_MANY = 24
"""Values of the evidence beside which a figure that is nowhere counts half."""

_NEAREST, _FEW = 3, 3
"""Lines in which another figure of the kind of one that is nowhere is looked for, and how many such figures are shown at most."""


def values(case: Case) -> Iterator[Signal]:
    """One signal a mention; a value that follows by arithmetic is for another witness to tell."""
    for link in case.linked.links:
        yield from _of(link, case)


def _of(link: Link, case: Case) -> Iterator[Signal]:
    value, slot = link.value, slot_of(link)
    shown = value.text.strip()
    if link.is_found:
        best = max(link.hits, key=lambda hit: _shows(hit, case))
        span = best.passage.span(best.cell)
        relation: Relation = "same" if best.match == "same" else "rounded"
        yield Signal("values", relation, 1.0, slot, f"“{shown}”: {span.text}", spans=(span,))
    elif link.said:
        span = link.said[0].passage.span(link.said[0].cell)
        # What the user said of themselves bears out that they said it, and nothing that a system holds.
        if case.claim.kind == "restatement":
            yield Signal("values", "same", 1.0, slot, f"the user says “{shown}”", spans=(span,))
        else:
            yield Signal(
                "values", "told", 1.0, slot, f"only the user says “{shown}”", spans=(span,)
            )
    elif link.formula is None and _is_written(value, slot, case):
        return  # 118 °C beside "temp 118C": it stands there, and what it measures is for the model to read
    elif link.formula is None and slot != "word":
        seen = _searched(case) if slot == "figure" else 1.0
        where = "the results" if case.evidence.search.is_whole else "what was read of the results"
        there = _in_its_stead(link, case) if slot == "figure" else ""
        yield Signal("values", "absent", seen, slot, f"“{shown}” is nowhere in {where}{there}")
    elif link.formula is None and not _is_spoken_of(link, case):
        yield Signal("values", "absent", 1.0, slot, f"nothing speaks of “{shown}”")


def _in_its_stead(link: Link, case: Case) -> str:
    """What the results that bear on a claim most hold of the kind of its figure, where these are few:
    "; there are price cents: 6250, deposit cents: 2450"."""
    near = [line for line, _ in case.linked.near if not is_call(line)][:_NEAREST]
    found = {
        f"{cell.key}: {cell.text}": None
        for line in near
        for cell, value in line.cell_values
        if value.kind == link.value.kind
    }
    if not 0 < len(found) <= _FEW:
        return ""
    return f"; there {'is' if len(found) == 1 else 'are'} {', '.join(found)}"


def _searched(case: Case) -> float:
    """How far a figure that was not found can be said to follow from nothing: the more values there are, the more ways to
    work something out that no search tries."""
    return 1 / (1 + case.evidence.value_count / _MANY)


def _is_written(value: Value, slot: str, case: Case) -> bool:
    """Whether the very digits of a figure stand somewhere, under a unit or a name that says something else of them; or a code
    as it is, in a path or in what a failed call told."""
    if slot != "figure":
        return slot == "code" and case.evidence.writes(value.text)
    runs = list(runs_of_digits(value.text))
    return bool(runs) and case.evidence.figures.issuperset(runs)


def _shows(hit: Hit, case: Case) -> tuple[bool, bool, int]:
    """How well a place shows a value: as it was written, in a result rather than in a call's arguments, and in a field that
    the claim has words of."""
    spoken = len(content_stems(hit.cell.key) & case.stems) if hit.cell is not None else 0
    return hit.match == "same", not is_call(hit.passage), spoken


def slot_of(link: Link) -> str:
    """What sort of thing a mention is: a ``figure``, a ``code``, or a ``word``."""
    kind = link.value.kind
    return "code" if kind in _CODES else "word" if kind in _WORDS else "figure"


def _is_spoken_of(link: Link, case: Case) -> bool:
    """Whether any word of a name stands in the evidence: people shorten names."""
    words = content_stems(link.value.text)
    return not words or any(case.evidence.search.has_word(word) for word in words)
