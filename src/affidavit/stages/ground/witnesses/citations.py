"""Citations: does a marker lead to something retrieved, and does that source say what the claim says?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Record
from affidavit.ledger.search import Search
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.case import Case
from affidavit.stages.ground.signal import Signal

_NUMBER = re.compile(r"(\d+)(?:\s*[-–]\s*(\d+))?")
_WIDEST = 20
"""Sources that a range may name: ``[1990-2020]`` are years."""
_MARKED = re.compile(r"^\s*[\[【](\d+)[\]】]")
_COUNTED = re.compile(
    r"^\s*(?:\((\d+)\)|(\d+)[.)]\s|(?:source|result|document|passage|doc|reference|ref|snippet|excerpt)\s*#?(\d+)\b)",
    re.I,
)
"""Numbers that passages of a text go by where none is in square brackets."""
_NUMBERED_FIELDS = frozenset({"n", "no", "rank", "index", "ref", "number", "source", "id"})
_FIGURES = frozenset({"number", "money", "percent", "quantity", "duration", "moment", "identifier"})


def citations(case: Case) -> Iterator[Signal]:
    """For each claim with a marker: whether its source was retrieved, and how much of the claim that says."""
    if not case.claim.citations:
        return
    sources = _sources(case.evidence.lines)
    cited = [number for marker in case.claim.citations for number in _numbers(marker)]
    missing = [f"[{number}]" for number in cited if number not in sources]
    if missing or not cited:
        known = ", ".join(f"[{n}]" for n in sorted(sources, key=int)) or "none"
        named = (missing or case.claim.citations)[0]
        yield Signal(
            "citations", "absent", 1.0, "source", f"{named} was not retrieved; retrieved: {known}"
        )
        return
    own = [line for number in cited for line in sources[number]]
    spans = tuple(sources[number][0].span() for number in cited)
    said = content_stems(re.sub(r"\[\d[^\]]*\]", "", case.claim.text))
    mine, best = _coverage(said, own, case.evidence.search), 0.0
    better = ""
    for number, lines in sources.items():
        theirs = _coverage(said, lines, case.evidence.search) if number not in cited else 0.0
        if theirs > best:
            best, better = theirs, number
    if stray := _elsewhere(case, own, sources):
        yield Signal("citations", "opposed", 1.0, "figure", stray, spans=spans)
    elif best > mine:
        detail = f"[{better}] says more of this than {', '.join(f'[{n}]' for n in cited)}"
        yield Signal("citations", "opposed", best - mine, "words", detail, spans=spans)
    yield Signal("citations", "same", mine, "source", "the cited source was retrieved", spans=spans)


def _elsewhere(case: Case, own: Sequence[Passage], sources: dict[str, list[Passage]]) -> str:
    """A figure that only sources which the claim does not cite hold: "Basic costs $99 [1]", where $99 is what [3] says."""
    mine = {id(line) for line in own}
    for link in case.linked.links:
        if (
            link.value.kind not in _FIGURES
            or not link.hits
            or any(id(h.passage) in mine for h in link.hits)
        ):
            continue
        holders = [n for n, lines in sources.items() if any(h.passage in lines for h in link.hits)]
        if holders:
            return f"“{link.value.text.strip()}” stands in [{holders[0]}], not in {case.claim.citations[0]}"
    return ""


def _numbers(marker: str) -> list[str]:
    """The sources that a marker names: ``[2]``, ``[1, 3]``, ``[1-3]``."""
    found: list[str] = []
    for first, last in _NUMBER.findall(marker):
        upto = int(last) if last and int(first) < int(last) <= int(first) + _WIDEST else int(first)
        found += [str(n) for n in range(int(first), upto + 1)]
    return found


def _sources(lines: Sequence[Passage]) -> dict[str, list[Passage]]:
    """Lines by the number their source goes by; results that bear none go by their order."""
    results = [line for line in lines if line.source.kind == "tool_result" and line.id >= 0]
    found = _by_marks(results, _MARKED) or _by_marks(results, _COUNTED)
    if found:
        return found
    order: dict[tuple[int, str], int] = {}
    for line in results:
        if line.record is not None and _is_row(line.record):
            place = (line.source.id, line.record.pointer)
            found.setdefault(str(order.setdefault(place, len(order) + 1)), []).append(line)
    return found


def _is_row(record: Record) -> bool:
    # The list that is the whole result has no pointer, and so its rows no group.
    return bool(record.group) or bool(re.fullmatch(r"/\d+", record.pointer))


def _by_marks(lines: Sequence[Passage], mark: re.Pattern[str]) -> dict[str, list[Passage]]:
    """Lines by the mark that they, or those before them in one text, begin with."""
    found: dict[str, list[Passage]] = {}
    last: dict[int, str] = {}
    for line in lines:
        number = _number_of(line, mark) or last.get(line.source.id)
        if number is not None:
            found.setdefault(number, []).append(line)
            if line.record is None:
                last[line.source.id] = number
    return found


def _number_of(line: Passage, mark: re.Pattern[str]) -> str | None:
    if line.record is None:
        marked = mark.match(line.text)
        return next((g for g in marked.groups() if g), None) if marked else None
    for cell in line.record.cells:
        named = len(cell.path) == 1 and str(cell.path[0]).lower() in _NUMBERED_FIELDS
        if named and str(cell.raw).isdigit():
            return str(cell.raw)
    return None


def _coverage(said: frozenset[str], lines: Sequence[Passage], search: Search) -> float:
    """The share of the claim's words, by weight, that a source says."""
    weights = {word: search.weight(word) for word in said if search.has_word(word)}
    text = frozenset().union(*(line.stems for line in lines))
    return sum(weights[w] for w in named_in(frozenset(weights), text)) / (
        sum(weights.values()) or 1.0
    )
