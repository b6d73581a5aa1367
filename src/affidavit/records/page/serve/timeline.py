"""Actions over time: how many answers came to emit, revise or block, hour by hour or day by day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import get_args

from affidavit.records.page.markup import Markup, el, join
from affidavit.records.page.words import ACTION, count
from affidavit.records.runlog import Entry
from affidavit.report import Action

MOST_BARS = 90
_WIDTHS = (
    (timedelta(hours=1), "%b %d, %H:00"),
    (timedelta(days=1), "%b %d"),
    (timedelta(days=7), "week of %b %d"),
)
_TOP, _RATES, _BARS = 22, 60, 130
_BASE = _TOP + _RATES + 34 + _BARS
"""Pixels: where the line of rates begins, its height, that of the bars, and where these stand."""

_ACTIONS: tuple[Action, ...] = ("emit", "revise", "block")


@dataclass(frozen=True, slots=True)
class Bar:
    """The answers of one stretch of time, by action."""

    start: datetime
    name: str
    emit: int
    revise: int
    block: int

    @property
    def total(self) -> int:
        return self.emit + self.revise + self.block

    @property
    def held_back(self) -> float | None:
        """Share of answers that did not go out; None where there was no answer."""
        return (self.revise + self.block) / self.total if self.total else None


def bars_of(entries: Iterable[Entry]) -> list[Bar]:
    """Reports by time, in the finest stretches that make at most MOST_BARS bars, without gaps."""
    times = [(entry.at.astimezone(UTC), entry.facets.action or "") for entry in entries]
    if not times:
        return []
    first, last = min(at for at, _ in times), max(at for at, _ in times)
    width, shape = next(
        (one for one in _WIDTHS if (last - first) / one[0] < MOST_BARS - 1), _WIDTHS[-1]
    )
    counts: Counter[tuple[datetime, str]] = Counter(
        (_floor(at, width), action) for at, action in times
    )
    bars, at = [], _floor(first, width)
    while at <= last:
        found = {action: counts[at, action] for action in get_args(Action)}
        bars.append(Bar(at, at.strftime(shape), **found))
        at += width
    return bars[-MOST_BARS:]


def _floor(at: datetime, width: timedelta) -> datetime:
    # 1970-01-05 was a Monday: weeks begin on one.
    epoch = datetime(1970, 1, 5, tzinfo=UTC)
    return epoch + (at - epoch) // width * width


def timeline(entries: Iterable[Entry]) -> Markup:
    """The share held back as a line, the answers by action as bars under it, the same as a table."""
    bars = bars_of(entries)
    if not bars:
        return el("p", {"class": "quiet"}, "No answer was judged in this time.")
    most = max(bar.total for bar in bars)
    drawing = el(
        "svg",
        {
            "class": "timeline",
            "width": "100%",
            "height": _BASE + 30,
            "role": "img",
            "aria-label": _told(bars),
        },
        _rates(bars),
        [_bar(n, bar, len(bars), most) for n, bar in enumerate(bars)],
        _axis(bars, most),
    )
    return join(
        el("div", {"class": "timeline-frame"}, drawing),
        _legend(bars),
        el("details", None, el("summary", None, "The same in figures"), _table(bars)),
    )


def _rates(bars: list[Bar]) -> Markup:
    points = [
        f"{100 * (n + 0.5) / len(bars):.3f} {100 * (1 - bar.held_back):.2f}"
        for n, bar in enumerate(bars)
        if bar.held_back is not None
    ]
    line = el(
        "path",
        {"class": "rate", "d": "M" + "L".join(points), "vector-effect": "non-scaling-stroke"},
    )
    return el(
        "svg",
        {"x": 0, "y": _TOP, "width": "100%", "height": _RATES, "viewBox": "0 0 100 100",
         "preserveAspectRatio": "none", "overflow": "visible"},
        el("path", {"class": "axis", "d": "M0 100H100", "vector-effect": "non-scaling-stroke"}),
        line,
    )  # fmt: skip


def _bar(number: int, bar: Bar, bars: int, most: int) -> Markup:
    x, width = 100 * number / bars, 100 / bars
    at, pieces = float(_BASE), []
    for action in _ACTIONS:
        value = getattr(bar, action)
        height = _BARS * value / most
        at -= height
        place: dict[str, str | int | bool | None] = {
            "class": f"bar {action}",
            "x": f"{x + width * 0.12:.3f}%",
            "width": f"{width * 0.76:.3f}%",
            "y": f"{at:.2f}",
            "height": f"{height:.2f}",
        }
        if value:
            pieces.append(el("rect", place))
    told = f"{bar.name}: {bar.emit} emit, {bar.revise} revise, {bar.block} block"
    return el("g", None, el("title", None, told), pieces)


def _axis(bars: list[Bar], most: int) -> Markup:
    last = len(bars) - 1
    named = {0: ("start", 0.0), last // 2: ("middle", 50.0), last: ("end", 100.0)}
    if last < 2:
        named = {0: ("start", 0.0)} | ({last: ("end", 100.0)} if last else {})
    return join(
        el("line", {"class": "axis", "x1": "0%", "x2": "100%", "y1": _BASE, "y2": _BASE}),
        _name("start", 0, _TOP - 8, "Share held back, to 100%"),
        _name("start", 0, _TOP + _RATES + 22, f"Answers, to {most}"),
        [_name(side, at, _BASE + 20, bars[n].name) for n, (side, at) in named.items()],
    )


def _name(side: str, percent: float, y: int, words: str) -> Markup:
    return el("text", {"class": f"axis-name {side}", "x": f"{percent:g}%", "y": y}, words)


def _legend(bars: list[Bar]) -> Markup:
    total = sum(bar.total for bar in bars)
    return el(
        "ul",
        {"class": "tally"},
        [
            el("li", {"class": action}, ACTION[action].sign, f" {ACTION[action].word}: {number:,} ({number / total:.0%})")
            for action in _ACTIONS
            for number in [sum(getattr(bar, action) for bar in bars)]
        ],
    )  # fmt: skip


def _table(bars: list[Bar]) -> Markup:
    head = ("Time (UTC)", *(ACTION[a].word for a in _ACTIONS), "Held back")
    rows = [
        el(
            "tr",
            None,
            el("th", {"scope": "row"}, bar.name),
            [el("td", {"class": "number"}, getattr(bar, action)) for action in _ACTIONS],
            el("td", {"class": "number"}, "" if bar.held_back is None else f"{bar.held_back:.0%}"),
        )
        for bar in bars
        if bar.total
    ]
    return el(
        "table",
        None,
        el("thead", None, el("tr", None, [el("th", {"scope": "col"}, name) for name in head])),
        el("tbody", None, rows),
    )


def _told(bars: list[Bar]) -> str:
    total = sum(bar.total for bar in bars)
    held = sum(bar.revise + bar.block for bar in bars)
    return f"{count(total, 'answer')} from {bars[0].name} to {bars[-1].name}; {held} held back."
