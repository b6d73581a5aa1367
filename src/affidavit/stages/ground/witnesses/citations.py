"""Citations: does a source that a claim gives stand among what was retrieved, and does it say what the claim says?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from affidavit.ledger.ledger import Passage
from affidavit.ledger.search import Search
from affidavit.ledger.words import content_stems
from affidavit.stages.ground.case import Case
from affidavit.stages.ground.linking.attribution import numbers_of
from affidavit.stages.ground.linking.sources import sources_of
from affidavit.stages.ground.signal import Signal

_FIGURES = frozenset({"number", "money", "percent", "quantity", "duration", "moment", "identifier"})
_MARKERS = re.compile(r"\[\d[^\[\]]*\]")


def citations(case: Case) -> Iterator[Signal]:
    """For each claim that gives its source, by a marker or in words: whether that was retrieved, and how much of the
    claim it says."""
    yield from _by_marker(case)
    yield from _in_words(case)


def _by_marker(case: Case) -> Iterator[Signal]:
    if not case.claim.citations:
        return
    sources = sources_of(case.evidence).by_number
    cited = [number for marker in case.claim.citations for number in numbers_of(marker)]
    missing = [f"[{number}]" for number in cited if number not in sources]
    if missing or not cited:
        known = ", ".join(f"[{n}]" for n in sorted(sources, key=int)) or "none"
        named = (missing or case.claim.citations)[0]
        yield Signal(
            "citations", "absent", 1.0, "source", f"{named} was not retrieved; retrieved: {known}"
        )
        return
    others = [(f"[{n}]", lines) for n, lines in sources.items() if n not in cited]
    own = [line for number in cited for line in sources[number]]
    firsts = [sources[number][0] for number in cited]
    yield from _compared(case, [f"[{n}]" for n in cited], own, firsts, others)


def _in_words(case: Case) -> Iterator[Signal]:
    cited = case.cited
    for fault in cited.faults:
        yield Signal("citations", "absent", 1.0, "source", fault)
    if cited.faults or not cited.documents or not cited.lines:
        return
    names = [document.title for document in cited.documents]
    firsts = [document.lines[0] for document in cited.documents if document.lines]
    others = [(one.title, one.lines) for one in cited.rivals]
    yield from _compared(case, names, cited.lines, firsts, others)


def _compared(
    case: Case,
    names: Sequence[str],
    own: Sequence[Passage],
    firsts: Sequence[Passage],
    others: Sequence[tuple[str, Sequence[Passage]]],
) -> Iterator[Signal]:
    """The sources that a claim gives, beside those that it might have given."""
    spans = tuple(line.span() for line in firsts)
    text = _MARKERS.sub("", case.claim.text)
    said = content_stems(text) - content_stems(case.cited.said)
    mine, best = _coverage(said, own, case.evidence.search), 0.0
    better = ""
    for name, lines in others:
        theirs = _coverage(said, lines, case.evidence.search)
        if theirs > best:
            best, better = theirs, name
    if stray := _elsewhere(case, names, own, others):
        yield Signal("citations", "opposed", 1.0, "figure", stray, spans=spans)
    elif best > mine:
        detail = f"{better} says more of this than {', '.join(names)}"
        yield Signal("citations", "opposed", best - mine, "words", detail, spans=spans)
    yield Signal("citations", "same", mine, "source", "the cited source was retrieved", spans=spans)


def _elsewhere(
    case: Case,
    names: Sequence[str],
    own: Sequence[Passage],
    others: Sequence[tuple[str, Sequence[Passage]]],
) -> str:
    """A figure that only sources which the claim does not cite hold: "Basic costs $99 [1]", where $99 is what [3] says."""
    mine = {id(line) for line in own}
    for link in case.linked.links:
        if (
            link.value.kind not in _FIGURES
            or not link.hits
            or any(id(h.passage) in mine for h in link.hits)
        ):
            continue
        holders = [name for name, lines in others if any(h.passage in lines for h in link.hits)]
        if holders:
            return f"“{link.value.text.strip()}” stands in {holders[0]}, not in {names[0]}"
    return ""


def _coverage(said: frozenset[str], lines: Sequence[Passage], search: Search) -> float:
    """The share of the claim's words, by weight, that a source says."""
    weights = {word: search.weight(word) for word in said if search.has_word(word)}
    text: frozenset[str] = frozenset().union(*(line.stems for line in lines))
    return sum(weights[w] for w in weights.keys() & text) / (sum(weights.values()) or 1.0)
