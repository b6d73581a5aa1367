"""An audit's summary, and the comparison of two, as one self-contained page."""

from __future__ import annotations

from collections.abc import Iterable

from affidavit.audit.compare import Change, Comparison, told_p
from affidavit.audit.figures import Figure, Row, table
from affidavit.audit.statistics import Rate
from affidavit.audit.summary import AuditSummary, Group
from affidavit.records.page.markup import Child, Markup, el, join
from affidavit.records.page.shell import document
from affidavit.records.page.words import ACTION, CLAIM, REASON, count

_STYLES = ("page.css", "log.css", "audit.css")
_MOST_ROWS = 50
"""Groups that a table of the page has; summary.json lists them all."""
_TITLES = {
    "agent": "By agent", "model": "By model", "task": "By task", "week": "By week", "tool": "By tool called",
}  # fmt: skip


def summary_page(summary: AuditSummary, name: str) -> str:
    """The figures of one audit to read."""
    return _page(
        f"Audit: {name}",
        el("p", {"class": "lede"}, f"{count(summary.runs, 'answer')} judged. {_in_short(summary)}"),
        _section("Answers", _rates(summary.actions.items(), ACTION)),
        _section("Claims", _rates(summary.claims.items(), CLAIM)),
        _section("Why claims were held against answers", _reasons(summary.reasons)),
        _labels(summary),
        *(
            _section(_TITLES[by], _groups(groups))
            for by, groups in summary.groups.items()
            if groups
        ),
        _section("Claims with the least behind them", _worst(summary)) if summary.worst else None,
        _foot(),
    )


def comparison_page(told: Comparison, a: str, b: str) -> str:
    """What differs between two audits to read."""
    pairs = (
        f"{count(told.pairs, 'run')} in both, {told.same_record:,} of them the same record; "
        f"{told.only_a:,} only in A, {told.only_b:,} only in B."
        if told.pairs
        else f"No run is in both: {told.only_a:,} in A are held against {told.only_b:,} in B."
    )
    moves: list[Row] = [[name, Figure(f"{number:,}")] for name, number in told.moves.items()]
    flips: list[Row] = [
        [flip.run_id, f"{flip.before} → {flip.after}", Figure(f"{flip.score_before:.2f} → {flip.score_after:.2f}"), flip.why]
        for flip in told.flips
    ]  # fmt: skip
    return _page(
        f"{a} and {b}",
        el("p", {"class": "lede"}, f"A is {a}, B is {b}. {pairs}"),
        _section("What changed", _changes(told.changes)),
        *(
            _section(f"Held back, {_TITLES[by].lower()}", _changes(changes))
            for by, changes in told.by_group.items()
            if changes
        ),
        _section("Other action", table(("from → to", "runs"), moves)) if moves else None,
        _section("Runs that flipped", table(("run", "action", "score", "claim"), flips)) if flips else None,
        _foot(),
    )  # fmt: skip


def _page(title: str, *parts: Child) -> str:
    head = el("h1", {"class": "plain"}, title)
    body = el("main", {"class": "audit", "id": "main"}, head, *parts)
    return document(title, body, styles=_STYLES)


def _in_short(summary: AuditSummary) -> str:
    held = summary.runs - summary.actions["emit"].count
    if not held:
        return "All would have gone out as they were."
    reason = next(iter(summary.reasons), None)
    why = f" The most frequent reason: {_reason(reason)}." if reason else ""
    return f"{held:,} would not have gone out as they were.{why}"


def _section(title: str, body: Child) -> Markup:
    return el("section", None, el("h2", None, title), el("div", {"class": "scroll"}, body))


def _foot() -> Markup:
    return el(
        "p",
        {"class": "between"},
        "Intervals are of 95 %. Claims are held against each run’s own evidence.",
    )


def _rates(rates: Iterable[tuple[str, Rate]], looks: object) -> Markup:
    assert isinstance(looks, dict)
    rows: list[Row] = []
    for name, told in rates:
        look = looks[name]
        rows.append(
            [f"{look.sign} {look.word}", Figure(f"{told.count:,}"), _share(told), look.meaning]
        )
    return table(("", "number", "share", "meaning"), rows)


def _reasons(reasons: dict[str, int]) -> Markup:
    if not reasons:
        return el("p", None, "No claim was.")
    rows: list[Row] = [[_reason(name), Figure(f"{n:,}")] for name, n in reasons.items()]
    return table(("reason", "claims"), rows)


def _labels(summary: AuditSummary) -> Markup | None:
    told = (
        ("good answers held back", summary.false_stops),
        ("bad answers held back", summary.catches),
    )
    rows: list[Row] = [
        [name, Figure(f"{r.count:,} of {r.of:,}"), _share(r)] for name, r in told if r is not None
    ]
    return (
        _section("Against the records’ own labels", table(("", "number", "share"), rows))
        if rows
        else None
    )


def _groups(groups: list[Group]) -> Markup:
    rows: list[Row] = [
        [
            group.name,
            Figure(f"{group.runs:,}"),
            *(Figure(f"{group.actions.get(action, 0):,}") for action in ACTION),
            _share(group.held_back),
            _share(group.against),
            _most_frequent(group),
            group.worst[0].text if group.worst else "",
        ]
        for group in groups[:_MOST_ROWS]
    ]
    heads = (
        "",
        "runs",
        *(look.word.lower() for look in ACTION.values()),
        "held back",
        "claims not borne out",
        "most frequent reason",
        "claim with the least behind it",
    )
    more = len(groups) - len(rows)
    return join(
        table(heads, rows),
        el("p", {"class": "between"}, f"{more:,} more in summary.json.") if more > 0 else None,
    )


def _most_frequent(group: Group) -> str:
    if not group.reasons:
        return ""
    name, number = next(iter(group.reasons.items()))
    return f"{_reason(name)} ({number:,})"


def _worst(summary: AuditSummary) -> Markup:
    rows: list[Row] = [
        [
            worst.run_id,
            Figure("" if worst.score is None else f"{worst.score:.2f}"),
            worst.text,
            worst.why,
        ]
        for worst in summary.worst
    ]
    return table(("run", "score", "claim", "why"), rows)


def _changes(changes: list[Change]) -> Markup:
    rows: list[Row] = [
        [
            _measure(change.measure),
            _share(change.a),
            _share(change.b),
            _difference(change),
            Figure(told_p(change.p), firm=change.significant),
        ]
        for change in changes
    ]
    return table(("", "in A", "in B", "difference", "p"), rows)


def _difference(change: Change) -> Figure:
    told = change.difference
    if told.value is None:
        return Figure("")
    between = f"{_points(told.low)} to {_points(told.high)}"
    return Figure(_points(told.value), between, firm=change.significant)


def _points(value: float) -> str:
    return f"{value * 100:+.1f}"


def _measure(name: str) -> str:
    kind, _, reason = name.partition(": ")
    return f"{kind}: {_reason(reason)}" if reason else name


def _reason(code: str | None) -> str:
    return next((word for name, word in REASON.items() if name == code), code or "")


def _share(told: Rate) -> Figure:
    if told.value is None:
        return Figure("")
    return Figure(f"{told.value:.1%}", f"{told.low:.1%} to {told.high:.1%}")
