"""Documents cut into the passages that are searched and cited."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from affidavit.grounding.knowledge.document import Document, Section
from affidavit.ledger.passages import split_prose

CHUNK_CHARS = 1_000
"""Longest passage: about 170 words or 230 word pieces of English, within the 256 that the embedded
encoder reads at once."""

BETWEEN = " › "
"""Between the headings of a way."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage with the headings above it, which are searched with it and not repeated in it."""

    text: str
    section: str | None
    page: int | None


def chunks_of(document: Document, *, limit: int = CHUNK_CHARS) -> list[Chunk]:
    """The whole text of a document, in order, in passages of whole sentences and lines.

    A passage lies in one section and on one page, so that a citation can name both. Passages do not
    overlap; only a sentence longer than ``limit`` characters is cut, at a space.
    """
    return [chunk for section in document.sections for chunk in _of_section(section, limit)]


def _of_section(section: Section, limit: int) -> Iterator[Chunk]:
    way = BETWEEN.join(section.headings) or None
    for start, end in split_prose(section.text, limit=limit, longest=limit):
        yield Chunk(section.text[start:end], way, section.page)


def searched_text(title: str, chunk: Chunk) -> str:
    """What is encoded and indexed: the passage under its title and headings."""
    heading = BETWEEN.join(part for part in (title, chunk.section) if part)
    return f"{heading}\n{chunk.text}"
