"""What was learnt, as one self-contained page: the trade-off drawn, and in figures."""

from __future__ import annotations

from affidavit.audit.figures import Figure, Row, table
from affidavit.audit.statistics import Rate
from affidavit.audit.tune.fit import Point, Tuned
from affidavit.audit.tune.words import notes, share, shown_points
from affidavit.records.page.markup import Child, Markup, el, join
from affidavit.records.page.shell import document

_STYLES = ("page.css", "log.css", "audit.css")


def tune_page(told: Tuned, name: str) -> str:
    """The curve with its intervals, where the policy stands on it, and what is still missing."""
    body = join(
        el(
            "main",
            {"class": "audit", "id": "main"},
            el("h1", {"class": "plain"}, f"Tuned: {name}"),
            el("p", {"class": "lede"}, *_lede(told)),
            _section("The trade-off", _drawn(told) if told.bad else None, _figures(told)),
            _section("Before and after", _compared(told)),
            _section(
                "What to know", el("ul", None, [el("li", None, note) for note in notes(told)])
            ),
            el("p", {"class": "between"}, "Intervals are of 95 %."),
        ),
    )
    return document(f"Tuned: {name}", body, styles=_STYLES)


def _lede(told: Tuned) -> list[str]:
    p = told.policy
    return [
        f"An answer goes out at {p.emit_threshold:.4g} or above, where {p.prior:.1%} of claims hold. ",
        f"Of good answers {share(told.chosen.false_stops)} would be stopped, ",
        f"of bad ones {share(told.chosen.caught)}.",
    ]


def _drawn(told: Tuned) -> Markup:
    """Faults caught over false stops: the band is the interval of what is caught."""
    points = sorted(told.curve, key=lambda one: (_x(one), _value(one.caught)))
    upper = [f"{_x(one):.3f} {100 * (1 - one.caught.high):.3f}" for one in points]
    lower = [f"{_x(one):.3f} {100 * (1 - one.caught.low):.3f}" for one in reversed(points)]
    line = "L".join(f"{_x(one):.3f} {100 * (1 - _value(one.caught)):.3f}" for one in points)
    at_x, at_y = _x(told.chosen), 100 * (1 - _value(told.chosen.caught))
    said = (
        f"Faults caught over false stops; chosen: {share(told.chosen.caught)} caught at "
        f"{share(told.chosen.false_stops)} false stops"
    )
    inner = el(
        "svg",
        {"x": "2%", "y": 10, "width": "96%", "height": 240, "viewBox": "0 0 100 100",
         "preserveAspectRatio": "none", "overflow": "visible"},
        el("path", {"d": "M" + "L".join([*upper, *lower]) + "Z", "fill": "currentColor", "fill-opacity": "0.12"}),
        el("path", {"d": "M0 0V100H100", "fill": "none", "stroke": "currentColor",
                    "stroke-opacity": "0.4", "vector-effect": "non-scaling-stroke"}),
        el("path", {"d": f"M{line}", "fill": "none", "stroke": "currentColor", "stroke-width": 2,
                    "vector-effect": "non-scaling-stroke"}),
        el("path", {"d": f"M{at_x:.3f} 0V100M0 {at_y:.3f}H100", "stroke": "currentColor", "fill": "none",
                    "stroke-dasharray": "4 4", "stroke-opacity": "0.6", "vector-effect": "non-scaling-stroke"}),
    )  # fmt: skip
    drawing = el("svg", {"width": "100%", "height": 262, "role": "img", "aria-label": said}, inner)
    caption = "Across: good answers stopped, 0 to 100 %. Up: bad answers stopped, 0 to 100 %."
    return join(drawing, el("p", {"class": "between"}, caption))


def _figures(told: Tuned) -> Markup:
    rows = [_row(one, told) for one in shown_points(told, 40)]
    return table(("emit threshold", "good answers stopped", "bad answers stopped"), rows)


def _compared(told: Tuned) -> Markup:
    named: list[tuple[str, Point]] = [("before", told.now), ("after", told.chosen)]
    if told.left_out is not None:
        named.append(("after, on answers left out of the fit", told.left_out))
    rows: list[Row] = [
        [name, Figure(f"{one.threshold:.4f}"), Figure(share(one.false_stops)), Figure(share(one.caught))]
        for name, one in named
    ]  # fmt: skip
    return table(("", "emit threshold", "good answers stopped", "bad answers stopped"), rows)


def _row(one: Point, told: Tuned) -> Row:
    mark = " ← chosen" if one.threshold == told.chosen.threshold else ""
    return [
        f"{one.threshold:.4f}{mark}",
        Figure(share(one.false_stops)),
        Figure(share(one.caught)),
    ]


def _x(one: Point) -> float:
    return 100 * _value(one.false_stops)


def _value(told: Rate) -> float:
    return told.value or 0.0


def _section(title: str, *body: Child) -> Markup:
    return el("section", None, el("h2", None, title), el("div", {"class": "scroll"}, *body))
