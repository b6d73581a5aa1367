"""Whether a source may be out of date: six months from either of its dates."""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, date, datetime

from affidavit.grounding.knowledge.retriever import Source

FRESH_MONTHS = 6
"""Calendar months after which a date is worth a warning."""


def freshness_warnings(
    source: Source, *, today: date | None = None, months: int = FRESH_MONTHS
) -> list[str]:
    """What to tell a reader about the source's age: one sentence for each date that is more than
    ``months`` calendar months ago, and one when the version is outdated.

    A date that is not known gives no warning: its absence says nothing about age. ``today`` is the
    current date in UTC unless given.
    """
    today = today or datetime.now(UTC).date()
    oldest = months_before(today, months)
    found = []
    if not source.active:
        found.append("This version of the document is outdated.")
    if source.document_date is not None and source.document_date < oldest:
        found.append(
            f"The document is dated {source.document_date.isoformat()}, "
            f"more than {months} months ago; it may no longer hold."
        )
    if source.indexed_at is not None and _utc_day(source.indexed_at) < oldest:
        found.append(
            f"The document was indexed on {_utc_day(source.indexed_at).isoformat()}, "
            f"more than {months} months ago; it may have changed since."
        )
    return found


def months_before(day: date, months: int) -> date:
    """The same day of the month so many months earlier, or that month's last day."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _utc_day(moment: datetime) -> date:
    return moment.astimezone(UTC).date() if moment.tzinfo else moment.date()
