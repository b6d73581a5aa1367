"""A document as it enters a knowledge base: what a citation needs, and its text by sections."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from hashlib import sha256


@dataclass(frozen=True, slots=True)
class Section:
    """Text under one way of headings; on one page, where the document has pages."""

    text: str
    headings: tuple[str, ...] = ()
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """One version of a document. ``id`` stays the same from version to version.

    ``version`` is the document's own label ("2.1"); without one, versions are counted from 1.
    """

    id: str
    title: str
    sections: tuple[Section, ...]
    version: str | None = None
    url: str | None = None
    document_date: date | None = None

    @staticmethod
    def from_text(
        id: str,  # noqa: A002 - the field's own name
        text: str,
        *,
        title: str | None = None,
        version: str | None = None,
        url: str | None = None,
        document_date: date | None = None,
    ) -> Document:
        """Plain text as a document of one section."""
        return Document(id, title or id, (Section(text),), version, url, document_date)

    @property
    def digest(self) -> str:
        """Of everything that a reader can see: two documents with one digest are one version."""
        seen = [
            self.title,
            self.version,
            self.url,
            self.document_date and self.document_date.isoformat(),
            [(s.text, s.headings, s.page) for s in self.sections],
        ]
        return sha256(json.dumps(seen).encode()).hexdigest()
