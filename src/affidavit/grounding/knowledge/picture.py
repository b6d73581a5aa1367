"""The two distributions of scores and the line between them, as SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence

from affidavit.grounding.knowledge.floor import FloorMeasurement

BINS = 40
WIDTH, HEIGHT = 720, 360
_LEFT, _RIGHT = 40, 700
_MIDDLE, _REACH = 185, 110
_REAL, _NOISE, _INK, _FAINT = "#0072b2", "#d55e00", "#333333", "#6b6b6b"
"""Blue and vermilion of Okabe and Ito's palette: told apart by colour-blind readers too."""


def floor_picture(measured: FloorMeasurement, *, title: str = "Best score of each question") -> str:
    """Answerable questions as bars upwards, unanswerable ones downwards, the floor as a line.

    A bar's height is the square root of its share of the questions of its kind, so that the few near
    the line can be seen beside the many far from it. A self-contained SVG document.
    """
    up, down = _heights(measured.answerable), _heights(measured.unanswerable)
    scale = _REACH / max(*up, *down)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{_escaped(title)}</title>",
        f"<desc>{_escaped(_described(measured))}</desc>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        _text(_LEFT, 24, title, size=15, weight="bold"),
        _text(_RIGHT, 24, "bar height: √ of the share", anchor="end", size=11, ink=_FAINT),
        *_bars(up, scale, _REAL, upwards=True),
        *_bars(down, scale, _NOISE, upwards=False),
        f'<line x1="{_LEFT}" y1="{_MIDDLE}" x2="{_RIGHT}" y2="{_MIDDLE}" stroke="{_INK}"/>',
        *_axis(),
        *_line(measured),
        *_legend(measured),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _heights(scores: Sequence[float]) -> list[float]:
    counts = [0] * BINS
    for score in scores:
        counts[min(int(score * BINS), BINS - 1)] += 1
    return [math.sqrt(count / len(scores)) for count in counts]


def _x(score: float) -> float:
    return _LEFT + score * (_RIGHT - _LEFT)


def _bars(heights: Sequence[float], scale: float, colour: str, *, upwards: bool) -> list[str]:
    width = (_RIGHT - _LEFT) / BINS
    return [
        f'<rect x="{_x(at / BINS) + 1:.1f}" y="{_MIDDLE - height * scale * upwards:.1f}"'
        f' width="{width - 2:.1f}" height="{height * scale:.1f}" fill="{colour}"/>'
        for at, height in enumerate(heights)
        if height
    ]


def _axis() -> list[str]:
    return [
        _text(_x(tenth / 10), _MIDDLE + _REACH + 22, f"{tenth / 10:g}", anchor="middle", ink=_FAINT)
        for tenth in range(0, 11, 2)
    ]


def _line(measured: FloorMeasurement) -> list[str]:
    x, top = _x(measured.floor), _MIDDLE - _REACH - 30
    beside, anchor = (x - 6, "end") if measured.floor > 0.8 else (x + 6, "start")
    place = f'x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{_MIDDLE + _REACH + 4}"'
    words = f"floor {measured.floor:.2f}"
    return [
        f'<line {place} stroke="{_INK}" stroke-width="2" stroke-dasharray="6 4"/>',
        _text(beside, top + 12, words, anchor=anchor, weight="bold"),
    ]


def _legend(measured: FloorMeasurement) -> list[str]:
    errors, y = measured.errors, HEIGHT - 16
    refused = f"{len(measured.unanswerable)} unanswerable: {1 - errors.let_through:.1%} refused"
    wrongly = f"{len(measured.answerable)} answerable: {errors.wrongly_refused:.1%} refused wrongly"
    return [
        f'<rect x="{_LEFT}" y="{y - 11}" width="12" height="12" fill="{_REAL}"/>',
        _text(_LEFT + 18, y, wrongly),
        f'<rect x="{_LEFT + 300}" y="{y - 11}" width="12" height="12" fill="{_NOISE}"/>',
        _text(_LEFT + 318, y, refused),
        _text(_RIGHT, y, f"AUROC {measured.separation:.3f}", anchor="end"),
    ]


def _described(measured: FloorMeasurement) -> str:
    real, noise = sorted(measured.answerable), sorted(measured.unanswerable)
    return (
        f"Scores of answerable questions from {real[0]:.2f} to {real[-1]:.2f}, "
        f"of unanswerable ones from {noise[0]:.2f} to {noise[-1]:.2f}; "
        f"the floor is at {measured.floor:.2f}."
    )


def _text(
    x: float,
    y: float,
    words: str,
    *,
    anchor: str = "start",
    size: int = 13,
    weight: str = "normal",
    ink: str = _INK,
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y}" text-anchor="{anchor}" font-family="system-ui, sans-serif"'
        f' font-size="{size}" font-weight="{weight}" fill="{ink}">{_escaped(words)}</text>'
    )


def _escaped(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
