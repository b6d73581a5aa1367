"""Citations: the marker refers to something retrieved, and that source says what the claim says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Record
from affidavit.ledger.search import Search
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.checks.sources.author_years import not_retrieved, works_in
from affidavit.stages.ground.checks.sources.coded_marks import of_another_mark
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "citations"

_NUMBER = re.compile(r"(\d+)(?:\s*[-–]\s*(\d+))?")
_FIGURES = frozenset(
    {"number", "money", "percent", "quantity", "duration", "moment", "identifier", "email", "phone"}
)
_WIDEST = 20
"""Sources that a range may name: ``[1990-2020]`` are years."""
_MARKED = re.compile(r"^\s*[\[【](\d+)[\]】]")
_COUNTED = re.compile(
    r"^\s*(?:\((\d+)\)|(\d+)[.)]\s|(?:source|result|document|passage|doc|reference|ref|snippet|excerpt)\s*#?(\d+)\b)",
    re.I,
)
"""Numbers that passages of a text go by where none is in square brackets."""
_NUMBERED_FIELDS = frozenset({"n", "no", "rank", "index", "ref", "number", "source", "id"})


def check_citations(claim: Claim, context: GroundContext) -> Finding:
    """Every marker leads to a retrieved source, and no other source says the claim better."""
    for work in works_in(claim.text):
        detail = not_retrieved(work, context.search.passages)
        if detail is not None:
            return Finding(NAME, "checked", "contradicts", 0.03, "source_not_retrieved", detail)
    if (other := of_another_mark(claim, context)) is not None:
        detail = f"[{other}] says this"
        return Finding(NAME, "checked", "contradicts", 0.1, "contradicts_evidence", detail)
    if not claim.citations:
        return Finding.skip(NAME, "cites nothing")
    sources = context.search.once("cited", lambda: _sources(context.search.passages))
    cited = [number for marker in claim.citations for number in _numbers(marker)]
    missing = [f"[{number}]" for number in cited if number not in sources]
    if missing or not cited:
        known = ", ".join(f"[{n}]" for n in sorted(sources, key=int)) or "none"
        named = (missing or claim.citations)[0]
        detail = f"{named} was not retrieved; retrieved: {known}"
        return Finding(NAME, "checked", "contradicts", 0.03, "source_not_retrieved", detail)
    if (elsewhere := _elsewhere(claim, cited, sources, context)) is not None:
        return elsewhere
    better = _better(claim, cited, sources, context.search)
    if better is not None:
        span = better[1].span()
        detail = f"[{better[0]}] says this, not {', '.join(f'[{n}]' for n in cited)}"
        return Finding(
            NAME, "checked", "contradicts", 0.1, "contradicts_evidence", detail, spans=(span,)
        )
    spans = tuple(sources[number][0].span() for number in cited)
    return Finding(
        NAME, "checked", "supports", 0.9, None, "the cited source was retrieved",
        spans=spans, settles="values",
    )  # fmt: skip


def _elsewhere(
    claim: Claim, cited: Sequence[str], sources: dict[str, list[Passage]], context: GroundContext
) -> Finding | None:
    """A figure of the claim that only sources it does not cite hold: "Basic costs $99 [1]", where $99 is
    what [3] says of another plan."""
    own = {passage.id for number in cited for passage in sources[number]}
    for value in claim.values:
        hits = context.search.hits(value) if value.kind in _FIGURES else []
        # One that the user named, or no source holds, is for other checks.
        if not hits or any(
            h.passage.id in own or h.passage.source.kind != "tool_result" for h in hits
        ):
            continue
        holders = [n for n, passages in sources.items() if any(h.passage in passages for h in hits)]
        if holders:
            span = hits[0].passage.span(hits[0].cell)
            detail = f"“{value.text}” stands in [{holders[0]}], not in {claim.citations[0]}"
            return Finding(
                NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=(span,)
            )
    return None


def _numbers(marker: str) -> list[str]:
    """The sources that a marker names: ``[2]``, ``[1, 3]``, ``[1-3]``."""
    found: list[str] = []
    for first, last in _NUMBER.findall(marker):
        upto = int(last) if last and int(first) < int(last) <= int(first) + _WIDEST else int(first)
        found += [str(n) for n in range(int(first), upto + 1)]
    return found


def _sources(passages: Sequence[Passage]) -> dict[str, list[Passage]]:
    """Passages by the number their source goes by; results that bear none go by their order."""
    found = _by_marks(passages, _MARKED) or _by_marks(passages, _COUNTED)
    if found:
        return found
    rows = [
        p for p in passages if p.source.kind == "tool_result" and p.record and _is_row(p.record)
    ]
    order: dict[tuple[int, str], int] = {}
    for passage in rows:
        assert passage.record is not None
        place = (passage.source.id, passage.record.pointer)
        found.setdefault(str(order.setdefault(place, len(order) + 1)), []).append(passage)
    return found


def _is_row(record: Record) -> bool:
    # The list that is the whole result has no pointer, and so its rows no group.
    return bool(record.group) or bool(re.fullmatch(r"/\d+", record.pointer))


def _by_marks(passages: Sequence[Passage], mark: re.Pattern[str]) -> dict[str, list[Passage]]:
    """Passages by the mark that they, or those before them in one text, begin with."""
    found: dict[str, list[Passage]] = {}
    last: dict[int, str] = {}
    for passage in passages:
        if passage.source.kind != "tool_result":
            continue
        number = _number_of(passage, mark) or last.get(passage.source.id)
        if number is not None:
            found.setdefault(number, []).append(passage)
            if passage.record is None:
                last[passage.source.id] = number
    return found


def _number_of(passage: Passage, mark: re.Pattern[str]) -> str | None:
    if passage.record is None:
        marked = mark.match(passage.text)
        return next((g for g in marked.groups() if g), None) if marked else None
    for cell in passage.record.cells:
        if (
            len(cell.path) == 1
            and str(cell.path[0]).lower() in _NUMBERED_FIELDS
            and str(cell.raw).isdigit()
        ):
            return str(cell.raw)
    return None


def _better(
    claim: Claim, cited: Sequence[str], sources: dict[str, list[Passage]], search: Search
) -> tuple[str, Passage] | None:
    """Another source that says clearly more of the claim than the cited ones together."""
    said = content_stems(re.sub(r"\[\d[^\]]*\]", "", claim.text))
    mine, _ = _coverage(said, [p for number in cited for p in sources[number]], search)
    for number, passages in sources.items():
        theirs, passage = _coverage(said, passages, search)
        if number not in cited and theirs > mine * 1.3 + 0.1 and theirs >= 0.5:
            return number, passage
    return None


def _coverage(
    said: frozenset[str], passages: Sequence[Passage], search: Search
) -> tuple[float, Passage]:
    """The share of the claim's words, by weight, that a source says."""
    weights = {word: search.weight(word) for word in said if search.has_word(word)}
    total = sum(weights.values()) or 1.0
    text = frozenset().union(*(p.stems for p in passages))
    covered = sum(weights[word] for word in named_in(frozenset(weights), text))
    best = max(passages, key=lambda p: len(named_in(said, p.stems)))
    return covered / total, best
