"""Values in Chinese, Japanese and Korean text, which puts no spaces between words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import time
from decimal import Decimal

from affidavit.ledger.values.calendar_parts import exists
from affidavit.ledger.values.value import Moment, Value, ValueKind

_LETTERS = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_ANY = re.compile(f"[{_LETTERS}]")
_DATE = re.compile(
    r"(?:(?P<y>\d{4})\s?[年년]\s?)?(?P<m>\d{1,2})\s?[月월]\s?(?:(?P<d>\d{1,2})\s?[日号號일])?"
)
_CLOCK = re.compile(
    r"(?P<half>午前|午後|上午|下午|晚上|오전|오후)?\s?(?P<H>\d{1,2})"
    r"(?:\s?[時点點시]\s?(?:(?P<M>\d{1,2})\s?[分분])?|:(?P<M2>\d{2}))(?![間间])"
)
_AMOUNT = re.compile(
    r"(?<!\d)(?<!\d,)(?P<n>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s?(?P<scale>[万萬만億亿억])?\s?"
    r"(?P<unit>円|元|人民币|원|美元|ドル|달러|欧元|ユーロ|유로|時間|小时|小時|시간|分钟|分鐘|分間|분|"
    r"日間|天|일간|週間|周|주|か月|ヶ月|个月|個月|개월|年間|년간|泊|晚|박|パーセント)"
)
_AFTERNOON = frozenset("午後 下午 晚上 오후".split())
_SCALES = {"万": 4, "萬": 4, "만": 4, "億": 8, "亿": 8, "억": 8}
_UNITS: dict[str, tuple[ValueKind, str, int]] = {
    word: (kind, unit, factor)  # type: ignore[misc]
    for words, kind, unit, factor in (
        ("円", "money", "JPY", 1), ("元 人民币", "money", "CNY", 1), ("원", "money", "KRW", 1),
        ("美元 ドル 달러", "money", "$", 1), ("欧元 ユーロ 유로", "money", "EUR", 1),
        ("時間 小时 小時 시간", "duration", "s", 3600), ("分钟 分鐘 分間 분", "duration", "s", 60),
        ("日間 天 일간", "duration", "s", 86400), ("週間 周 주", "duration", "s", 604800),
        ("か月 ヶ月 个月 個月 개월", "duration", "month", 1), ("年間 년간", "duration", "month", 12),
        ("泊 晚 박", "number", "night", 1), ("パーセント", "percent", "", 1),
    )
    for word in words.split()
}  # fmt: skip


def has_east_asian(text: str) -> bool:
    return not text.isascii() and bool(_ANY.search(text))


def spaced(text: str) -> str:
    """The text with its unspaced letters as spaces, so that what is between them has edges."""
    return _ANY.sub(" ", text)


def find_east_asian(text: str) -> Iterator[Value]:
    """Dates, times and amounts whose units are written in these scripts."""
    held: Value | None = None
    for value in _moments(text):
        if held and held.moment and value.moment and value.start - held.end <= 6:
            between = text[held.end : value.start]
            if (
                held.moment.clock is None
                and value.moment.clock
                and not between.strip(" の()（）に曜日月火水木金土")
            ):
                clock = value.moment.clock
                yield replace(
                    held, text=text[held.start : value.end], end=value.end,
                    moment=replace(held.moment, clock=clock),
                )  # fmt: skip
                held = None
                continue
        if held:
            yield held
        held = value
    if held:
        yield held
    for match in _AMOUNT.finditer(text):
        kind, unit, factor = _UNITS[match["unit"]]
        face = Decimal(match["n"].replace(",", "")).scaleb(_SCALES.get(match["scale"] or "", 0))
        yield Value(
            kind, match[0], *match.span(), number=face * factor, unit=unit, face=face,
        )  # fmt: skip


def _moments(text: str) -> list[Value]:
    found = []
    for match in _DATE.finditer(text):
        year, month, day = (int(match[g]) if match[g] else None for g in "ymd")
        moment = Moment(year, month, day)
        if month and 1 <= month <= 12 and exists(moment) and (day or year):
            found.append(Value("moment", match[0], *match.span(), moment=moment))
    for match in _CLOCK.finditer(text):
        hour, minute = int(match["H"]), int(match["M"] or match["M2"] or 0)
        if match["half"] in _AFTERNOON and hour < 12:
            hour += 12
        if hour < 24 and minute < 60:
            clock = Moment(clock=time(hour, minute))
            found.append(Value("moment", match[0], *match.span(), moment=clock))
    return sorted(found, key=lambda value: value.start)
