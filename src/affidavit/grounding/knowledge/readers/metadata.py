"""What a document says of itself, under the names that authors and exports use for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from affidavit.errors import KnowledgeError

_NAMES = {
    "id": ("document_id", "doc_id", "id", "_id", "slug"),
    "title": ("title", "name", "heading"),
    "version": ("version", "document_version", "revision"),
    "url": ("url", "source_url", "canonical_url", "link"),
    "date": (
        "document_date", "date", "updated", "updated_at", "last_updated", "last_modified",
        "modified", "lastmod", "published", "published_at",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Metadata:
    """What was said; None where nothing was."""

    id: str | None = None
    title: str | None = None
    version: str | None = None
    url: str | None = None
    document_date: date | None = None

    @staticmethod
    def of(said: Mapping[str, Any]) -> Metadata:
        """From front matter, a record's fields or a page's meta elements; the first name counts."""
        by_name = {str(key).lower().replace("-", "_"): value for key, value in said.items()}

        def first(field: str) -> Any:
            found = (by_name.get(name) for name in _NAMES[field])
            return next((value for value in found if value not in (None, "")), None)

        return Metadata(
            _text(first("id")),
            _text(first("title")),
            _text(first("version")),
            _text(first("url")),
            day_of(first("date")),
        )


def day_of(value: object) -> date | None:
    """A date from a date, a moment, or text that begins with an ISO 8601 day.

    Raises KnowledgeError for other text: a date misread would warn wrongly, or not warn.
    """
    if value is None or value == "":
        return None
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value).strip()[:10])
    except ValueError as error:
        raise KnowledgeError(f"{value!r} is no date; expected the form 2026-01-31") from error


def _text(value: object) -> str | None:
    return None if value is None else str(value).strip() or None
