"""Which records a page shows: read from its address, written back into its form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from affidavit.errors import LogError
from affidavit.records.runlog import Query


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters as a person wrote them; an empty one does not restrict. ``since`` and ``until`` are dates,
    both inclusive; ``text`` is looked for in the whole record."""

    run: str = ""
    action: str = ""
    reason: str = ""
    tool: str = ""
    since: str = ""
    until: str = ""
    text: str = ""

    @classmethod
    def read(cls, given: Mapping[str, str]) -> Filters:
        """From the fields of a form. Raises :class:`LogError` for a date that is none."""
        named = {field.name: given.get(field.name, "").strip() for field in fields(cls)}
        found = cls(**named)
        found.query()
        return found

    @property
    def active(self) -> dict[str, str]:
        return {f.name: value for f in fields(self) if (value := getattr(self, f.name))}

    def address(self, **more: str | int) -> str:
        """The filters as the query of an address."""
        return urlencode(self.active | {name: str(value) for name, value in more.items()})

    def query(self, *, before: int | None = None) -> Query:
        """The same for the log, newest first; text is looked for apart from it."""
        until = _date(self.until)
        return Query(
            run_id=self.run or None,
            kind="report",
            action=self.action or None,
            reason=self.reason or None,
            tool=self.tool or None,
            since=_date(self.since),
            until=None if until is None else until + timedelta(days=1),
            before=before,
            newest_first=True,
        )


def _date(text: str) -> datetime | None:
    if not text:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as error:
        raise LogError(f"not a date: {text!r}; expected YYYY-MM-DD") from error
