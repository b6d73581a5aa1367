"""The run drawn as a thread: each value of a call tied to where it came from."""

from __future__ import annotations

from affidavit._excerpt import excerpt
from affidavit.records.page.markup import Markup, el, join
from affidavit.records.page.view import PageView
from affidavit.records.page.view.thread import Knot, Tie
from affidavit.records.page.words import ACTION, CALL

ROW = 44
"""Height of one knot in CSS pixels; ``page.css`` has the same."""

RAIL = 132
"""Width of the drawing to the left of the knots."""

_NAMES = {
    "system": "System prompt",
    "user": "User",
    "assistant": "Assistant",
    "tool_definition": "Tool declaration",
    "tool_result": "Result",
    "answer": "Answer",
}
_WIDEST = RAIL - 26
_LONGEST = 160


def thread(view: PageView) -> Markup:
    knots, ties = view.thread.knots, view.thread.ties
    rows = [_knot(view, knot) for knot in knots]
    height = ROW * len(knots)
    drawing = el(
        "svg",
        {"class": "ties", "width": RAIL, "height": height, "viewBox": f"0 0 {RAIL} {height}",
         "aria-hidden": "true", "focusable": "false"},
        el("path", {"class": "spine", "d": f"M{RAIL - 12} {ROW / 2:g}V{height - ROW / 2:g}"}),
        [_tie(view, tie) for tie in ties],
        [_dot(at, knot) for at, knot in enumerate(knots)],
    )  # fmt: skip
    return el("div", {"class": "thread"}, drawing, el("ol", None, rows))


def _tie(view: PageView, tie: Tie) -> Markup:
    x, a, b = RAIL - 12, _middle(tie.origin), _middle(tie.used)
    depth = min(_WIDEST, 26 + 11 * abs(tie.used - tie.origin))
    to_answer = view.thread.knots[tie.used].kind == "answer"
    curve = f"M{x} {a:g}C{x - depth} {a:g} {x - depth} {b:g} {x} {b:g}"
    return el(
        "path",
        {"class": "tie to-answer" if to_answer else "tie", "d": curve},
        el("title", None, tie.value),
    )


def _dot(at: int, knot: Knot) -> Markup:
    return el(
        "circle", {"class": f"dot {knot.kind}", "cx": RAIL - 12, "cy": f"{_middle(at):g}", "r": 4}
    )


def _middle(at: int) -> float:
    return ROW * (at + 0.5)


def _knot(view: PageView, knot: Knot) -> Markup:
    words = excerpt(knot.text, _LONGEST)
    if knot.kind == "call":
        return el("li", {"class": "knot call"}, *_call(view, knot))
    if knot.kind == "answer":
        look = ACTION[view.report.action]
        name = join(
            "Answer ",
            el("span", {"class": f"badge {view.report.action}"}, look.sign, " ", look.word),
        )
    elif knot.exhibit:
        name = join(
            _NAMES[knot.kind],
            " ",
            el("a", {"href": f"#exhibit-{knot.exhibit}"}, f"Exhibit {knot.exhibit}"),
        )
    else:
        name = join(_NAMES[knot.kind])
    return el(
        "li",
        {"class": f"knot {knot.kind}"},
        el("span", {"class": "who"}, name),
        el("span", {"class": "said", "dir": "auto"}, words or "nothing"),
    )


def _call(view: PageView, knot: Knot) -> tuple[Markup, Markup]:
    call = view.report.tool_call_validations[knot.call] if knot.call is not None else None
    look = CALL[call.status] if call else None
    who = join(
        "Call ",
        el(
            "a",
            {"href": f"#call-{knot.call + 1}", "class": f"badge {call.status}"},
            look.sign,
            " ",
            look.word,
        )
        if call and look and knot.call is not None
        else None,
    )
    values = [record.value for record in call.provenance] if call else []
    told = (
        el("span", {"class": "quiet"}, " with ", ", ".join(dict.fromkeys(values)))
        if values
        else None
    )
    return (
        el("span", {"class": "who"}, who),
        el("span", {"class": "said"}, el("bdi", {"class": "tool"}, knot.text), told),
    )
