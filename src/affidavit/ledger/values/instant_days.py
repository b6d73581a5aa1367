"""Days of the month of writing, as letters and old newspapers give them: "the 12th inst.", "the 3rd ult."."""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.values.calendar_names import calendar_names
from affidavit.ledger.values.calendar_parts import Part, exists
from affidavit.ledger.values.text import fold
from affidavit.ledger.values.value import Moment

_INSTANT = re.compile(
    r"(?<![\w.])(?P<d>[1-9]|[12]\d|3[01])(?:st|nd|rd|th|d)?\s(?:of\s)?(?P<when>inst|instant|ult|ultimo|prox|proximo)\b\.?"
)
_OF_MONTH = re.compile(
    r"(?<![\w.])(?P<d>[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?\sof\s(?P<when>this|last|next)\smonth\b"
)
_MONTHS_ON = {"inst": 0, "ult": -1, "prox": 1, "this": 0, "last": -1, "next": 1}
# The date of writing: "14 March 1911", "March 14, 1911", "1911-03-14".
_DATELINE = re.compile(
    r"(?<![\w.])(?:(?:[0-3]?\d)(?:st|nd|rd|th)?\s(?P<m>[A-Z][a-zé]{2,8})\.?,?\s(?P<y>1[5-9]\d\d|20\d\d)"
    r"|(?P<m2>[A-Z][a-zé]{2,8})\.?\s[0-3]?\d(?:st|nd|rd|th)?,?\s(?P<y2>1[5-9]\d\d|20\d\d)"
    r"|(?P<y3>1[5-9]\d\d|20\d\d)-(?P<m3>[01]\d)-[0-3]\d)(?!\w)"
)


def of_this_month(text: str) -> Iterator[Part]:
    """Days of the month in which a text is dated, or of the one before or after it; none in a text without a
    date before them, where only the reader knows the month."""
    if not ("inst" in text or "ult" in text or "prox" in text or "month" in text):
        return
    for pattern in (_INSTANT, _OF_MONTH):
        for match in pattern.finditer(text):
            dated = _dated_before(text, match.start())
            if dated is None:
                continue
            months = dated[0] * 12 + dated[1] - 1 + _MONTHS_ON[_STEM.sub("", match["when"])]
            moment = Moment(months // 12, months % 12 + 1, int(match["d"]))
            if exists(moment):
                yield *match.span(), moment


_STEM = re.compile(r"(?<=inst)ant$|(?<=ult)imo$|(?<=prox)imo$")


def _dated_before(text: str, at: int) -> tuple[int, int] | None:
    """Year and month of the last full date before a place of a text."""
    dates = list(_DATELINE.finditer(text, 0, at))
    for match in reversed(dates):
        year = int(match["y"] or match["y2"] or match["y3"])
        month = int(match["m3"]) if match["m3"] else _month(match["m"] or match["m2"])
        if 1 <= month <= 12:
            return year, month
    return None


def _month(word: str) -> int:
    names = calendar_names()
    return names.months.get(fold(word)) or names.short_months["en"].get(fold(word), 0)
