"""Citations: the marker refers to something retrieved, and that source says what the claim says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from affidavit.ledger.ledger import Passage
from affidavit.ledger.search import Search
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "citations"

_NUMBER = re.compile(r"\d+")
_MARKED = re.compile(r"^\s*\[(\d+)\]")
_NUMBERED_FIELDS = frozenset({"n", "no", "rank", "index", "ref", "number", "source", "id"})


def check_citations(claim: Claim, context: GroundContext) -> Finding:
    """Every marker leads to a retrieved source, and no other source says the claim better."""
    if not claim.citations:
        return Finding.skip(NAME, "cites nothing")
    sources = _sources(context)
    spans = []
    for marker in claim.citations:
        number = _NUMBER.search(marker)
        cited = sources.get(number[0]) if number else None
        if cited is None:
            known = ", ".join(f"[{n}]" for n in sorted(sources, key=int)) or "none"
            detail = f"{marker} was not retrieved; retrieved: {known}"
            return Finding(NAME, "checked", "contradicts", 0.03, "source_not_retrieved", detail)
        better = _better(claim, number[0] if number else "", sources, context.search)
        if better is not None:
            span = better[1].span()
            detail = f"[{better[0]}] says this, not {marker}"
            return Finding(
                NAME, "checked", "contradicts", 0.1, "contradicts_evidence", detail, spans=(span,)
            )
        spans.append(cited[0].span())
    return Finding(
        NAME, "checked", "supports", 0.9, None, "the cited source was retrieved",
        spans=tuple(spans), settles="values",
    )  # fmt: skip


def _sources(context: GroundContext) -> dict[str, list[Passage]]:
    """Passages by the number their source goes by; results that bear none go by their order."""
    found: dict[str, list[Passage]] = {}
    for passage in context.search.passages:
        if passage.source.kind != "tool_result":
            continue
        number = _number_of(passage)
        if number is not None:
            found.setdefault(number, []).append(passage)
    if found:
        return found
    rows = [
        p
        for p in context.search.passages
        if p.source.kind == "tool_result" and p.record and p.record.group
    ]
    order = list(dict.fromkeys((p.source.id, p.record.pointer) for p in rows if p.record))
    for passage in rows:
        assert passage.record is not None
        at = order.index((passage.source.id, passage.record.pointer)) + 1
        found.setdefault(str(at), []).append(passage)
    return found


def _number_of(passage: Passage) -> str | None:
    if passage.record is None:
        marked = _MARKED.match(passage.text) or _MARKED.match(passage.source.text)
        return marked[1] if marked else None
    for cell in passage.record.cells:
        if (
            len(cell.path) == 1
            and str(cell.path[0]).lower() in _NUMBERED_FIELDS
            and str(cell.raw).isdigit()
        ):
            return str(cell.raw)
    return None


def _better(
    claim: Claim, cited: str, sources: dict[str, list[Passage]], search: Search
) -> tuple[str, Passage] | None:
    """Another source that says clearly more of the claim than the cited one."""
    said = content_stems(re.sub(r"\[\d+\]", "", claim.text))
    mine, _ = _coverage(said, sources[cited], search)
    for number, passages in sources.items():
        theirs, passage = _coverage(said, passages, search)
        if number != cited and theirs > mine * 1.3 + 0.1 and theirs >= 0.5:
            return number, passage
    return None


def _coverage(
    said: frozenset[str], passages: Sequence[Passage], search: Search
) -> tuple[float, Passage]:
    """The share of the claim's words, by weight, that a source says."""
    weights = {word: search.weight(word) for word in said if search.has_word(word)}
    total = sum(weights.values()) or 1.0
    text = frozenset().union(*(content_stems(p.text) for p in passages))
    covered = sum(weights[word] for word in named_in(frozenset(weights), text))
    best = max(passages, key=lambda p: len(named_in(said, content_stems(p.text))))
    return covered / total, best
