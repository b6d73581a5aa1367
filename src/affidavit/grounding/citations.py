"""Citations: hits as numbered sources, the words that name a source, and which version may be cited."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Literal

from pydantic import JsonValue

from affidavit.grounding.knowledge.freshness import freshness_warnings
from affidavit.grounding.knowledge.retriever import Hit, Source

CitationDetail = Literal["marker", "basic", "full"]
"""How much a citation says: ``[1]`` · ``According to Fees (section 3)`` · the same with version, page,
dates and address, for statements that someone will act on."""


def current_hits(hits: Iterable[Hit]) -> list[Hit]:
    """The hits, in their order, without those of a version that was replaced.

    Where a document was found in outdated versions only, the newest of them stays: its age is then
    among the warnings, which a reader must see.
    """
    found = list(hits)
    newest: dict[str, Source] = {}
    for hit in found:
        best = newest.setdefault(hit.source.document_id, hit.source)
        if _currency(hit.source) > _currency(best):
            newest[hit.source.document_id] = hit.source
    return [hit for hit in found if _same_version(hit.source, newest[hit.source.document_id])]


def _currency(source: Source) -> tuple[bool, float, tuple[int, ...]]:
    """Active versions before outdated ones, then by the document's date, then by version number."""
    day = source.document_date.toordinal() if source.document_date else 0
    return source.active, day, _version_number(source.version)


def _version_number(version: str | None) -> tuple[int, ...]:
    digits = "".join(c if c.isdigit() else " " for c in version or "")
    return tuple(int(part) for part in digits.split())


def _same_version(one: Source, other: Source) -> bool:
    return (one.version, one.active, one.document_date) == (
        other.version,
        other.active,
        other.document_date,
    )


def numbered(
    hits: Sequence[Hit], *, first: int = 1, today: date | None = None
) -> tuple[list[dict[str, JsonValue]], list[str]]:
    """Current hits as the numbered sources a model answers from, and the warnings about their age.

    Each source holds its text and what it is cited by; Stage 2 finds it again by its number ``n``.
    ``first`` is the number of the first, where an answer has sources from several searches.
    """
    rows: list[dict[str, JsonValue]] = []
    warnings = []
    for n, hit in enumerate(current_hits(hits), first):
        row: dict[str, JsonValue] = {"n": n, **source_fields(hit.source)}
        aged = freshness_warnings(hit.source, today=today)
        if aged:
            row["freshness"] = " ".join(aged)
            warnings.append(f"[{n}] {hit.source.title}: {' '.join(aged)}")
        rows.append({**row, "relevance": round(hit.score, 4), "text": hit.text})
    return rows, warnings


def source_fields(source: Source) -> dict[str, JsonValue]:
    """What is known of a source, as JSON; what is not known is left out."""
    fields: dict[str, JsonValue] = {
        "title": source.title,
        "document_id": source.document_id,
        "version": None if source.counted else source.version,
        "section": source.section,
        "page": source.page,
        "url": source.url,
        "document_date": _iso(source.document_date),
        "indexed_at": _iso(source.indexed_at),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def cite(source: Source, n: int, detail: CitationDetail = "basic") -> str:
    """The words that name a source, to stand with a statement that rests on it."""
    if detail == "marker":
        return f"[{n}]"
    version = (
        f" {_v(source.version)}"
        if source.version and detail == "full" and not source.counted
        else ""
    )
    places = [
        f"section {source.section}" if source.section else "",
        f"page {source.page}" if source.page is not None else "",
    ]
    inside = ", ".join(filter(None, places))
    named = f"According to {source.title}{version}" + (f" ({inside})" if inside else "")
    if detail == "basic":
        return f"{named} [{n}]"
    known = [
        f"dated {source.document_date.isoformat()}" if source.document_date else "",
        f"indexed on {source.indexed_at.date().isoformat()}" if source.indexed_at else "",
        source.url or "",
    ]
    more = "; ".join(filter(None, known))
    return f"{named} [{n}]" + (f" [{more}]" if more else "")


def _v(version: str) -> str:
    return f"v{version}" if version[:1].isdigit() else version
