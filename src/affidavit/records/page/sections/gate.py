"""The gate drawn: a scale with the thresholds, a dot for each scored claim, the rules in their order."""

from __future__ import annotations

from affidavit.records.page.markup import Markup, el, join
from affidavit.records.page.view import PageView
from affidavit.records.page.view.gate import Dot, GateView, Step
from affidavit.records.page.words import ACTION, CLAIM
from affidavit.report import HallucinationReport

_LOWEST = 132
"""Where the scale lies at most, in pixels from the top of the drawing."""

_ROOM = _LOWEST - 34
_DOT = 13
"""Height of a dot; where they stand higher than there is room, they are drawn closer."""


def gate(view: PageView) -> Markup:
    return join(
        _scale(view.report, view.gate),
        el("ol", {"class": "steps"}, [_step(view.report, step) for step in view.gate.steps]),
    )


def _scale(report: HallucinationReport, gate: GateView) -> Markup:
    bands = _bands(gate)
    rise = min(_DOT, _ROOM / gate.tallest) if gate.tallest else _DOT
    line = min(_LOWEST, 48 + _DOT * gate.tallest)
    drawing = el(
        "svg",
        {
            "class": "scale",
            "width": "100%",
            "height": line + 46,
            "role": "img",
            "aria-label": _told(gate),
        },
        [_band(line, *band) for band in bands],
        [_threshold(line, at) for at in (gate.block, gate.revise, gate.emit) if at is not None],
        _needle(line, gate.overall) if gate.overall is not None else None,
        [_dot(report, dot, line, rise) for dot in gate.dots],
    )
    return el("div", {"class": "scale-frame"}, drawing)


def _bands(gate: GateView) -> list[tuple[float, float, str, str]]:
    """From, to, class and name of each band of the scale."""
    block, emit = gate.block or 0.0, 1.0 if gate.emit is None else gate.emit
    bands = [
        (0.0, block, "block", "block, if critical"),
        (block, emit, "revise", "revise"),
        (emit, 1.0, "emit", "emit"),
    ]
    return [band for band in bands if band[1] > band[0]]


def _band(line: int, start: float, end: float, name: str, words: str) -> Markup:
    width = _percent(end - start)
    return join(
        el(
            "rect",
            {
                "class": f"band {name}",
                "x": _percent(start),
                "y": line,
                "width": width,
                "height": 10,
            },
        ),
        el("text", {"class": "band-name", "x": _percent((start + end) / 2), "y": line + 40}, words),
    )


def _threshold(line: int, at: float) -> Markup:
    return join(
        el(
            "line",
            {
                "class": "threshold",
                "x1": _percent(at),
                "x2": _percent(at),
                "y1": 22,
                "y2": line + 10,
            },
        ),
        el("text", {"class": "threshold-name", "x": _percent(at), "y": line + 25}, f"{at:g}"),
    )


def _dot(report: HallucinationReport, dot: Dot, line: int, rise: float) -> Markup:
    claim = report.claims[dot.claim - 1]
    critical = "critical" if claim.critical else "minor"
    told = f"Claim {dot.claim}: {CLAIM[claim.status].word}, {dot.score:.2f}, {critical}"
    circle = el(
        "circle",
        {
            "class": f"{claim.status} {critical}",
            "cx": _percent(dot.score),
            "cy": f"{line - 8 - dot.level * rise:g}",
            "r": 5,
        },
        el("title", None, told),
    )
    return el("g", {"data-claim": dot.claim}, circle)


def _needle(line: int, overall: float) -> Markup:
    anchor = (
        "needle-name end"
        if overall > 0.8
        else "needle-name start"
        if overall < 0.2
        else "needle-name"
    )
    return join(
        el(
            "line",
            {
                "class": "needle",
                "x1": _percent(overall),
                "x2": _percent(overall),
                "y1": 18,
                "y2": line + 10,
            },
        ),
        el("text", {"class": anchor, "x": _percent(overall), "y": 12}, f"overall {overall:.2f}"),
    )


def _told(gate: GateView) -> str:
    """The drawing in words."""
    thresholds = ", ".join(
        f"{name} {at:g}"
        for name, at in (("block", gate.block), ("revise", gate.revise), ("emit", gate.emit))
        if at is not None
    )
    scores = ", ".join(f"claim {d.claim} {d.score:.2f}" for d in gate.dots)
    overall = "nothing scored" if gate.overall is None else f"overall {gate.overall:.2f}"
    return f"Scale from 0 to 1. Thresholds: {thresholds}. Scores: {scores or 'none'}; {overall}."


def _step(report: HallucinationReport, step: Step) -> Markup:
    look = ACTION[step.action]
    reasons = el("ul", {"class": "reasons"}, [el("li", {"dir": "auto"}, r) for r in report.reasons])
    return el(
        "li",
        {"class": f"step {step.action}" + (" decided" if step.decided else "")},
        el(
            "h3",
            None,
            step.question,
            " ",
            el("span", {"class": f"badge {step.action}"}, look.sign, " ", look.word)
            if step.decided
            else None,
        ),
        el("p", {"class": "quiet"}, " ".join(step.findings)),
        reasons if step.decided and report.reasons else None,
    )


def _percent(share: float) -> str:
    return f"{share * 100:.4g}%"
