"""The record: which stages were carried out, how much was covered, with what, and how long it took."""

from __future__ import annotations

import json

from affidavit.records.page.markup import Markup, el, join
from affidavit.records.page.view import PageView
from affidavit.records.page.view.layout import lay_out
from affidavit.records.page.words import STAGE, STATE, count
from affidavit.report import HallucinationReport


def record(view: PageView) -> Markup:
    return join(_stages(view.report), _coverage(view.report), _facts(view))


def _stages(report: HallucinationReport) -> Markup:
    timings = report.timings.model_dump()
    rows = [
        el(
            "tr",
            {"class": state.state},
            el("th", {"scope": "row"}, STAGE.get(stage, stage)),
            el(
                "td",
                None,
                el(
                    "span",
                    {"class": f"badge {state.state}"},
                    STATE[state.state].sign,
                    " ",
                    STATE[state.state].word,
                ),
            ),
            el("td", {"class": "number"}, f"{timings.get(stage, 0.0):,.1f} ms"),
            el("td", {"dir": "auto"}, state.reason),
        )
        for stage, state in report.stages.items()
    ]
    head = [el("th", {"scope": "col"}, name) for name in ("Stage", "State", "Took", "Why")]
    return el(
        "div",
        {"class": "wide"},
        el(
            "table",
            {"class": "stages"},
            el("thead", None, el("tr", None, head)),
            el("tbody", None, rows),
        ),
    )


def _coverage(report: HallucinationReport) -> Markup:
    covered = report.coverage
    told = [
        f"{covered.share:.0%} of what could be judged was judged:",
        f"{count(covered.scored, 'claim')} scored, {covered.unchecked} unchecked, {covered.exempt} exempt.",
    ]
    if covered.unread:
        told.append(covered.unread_note)
    if report.nothing_scored:
        told.append("Nothing in this answer was scored.")
    if report.unknown_parts:
        told.append(
            f"{count(report.unknown_parts, 'part')} of the run are of a kind that cannot be read."
        )
    return el("p", None, " ".join(told))


def _facts(view: PageView) -> Markup:
    report = view.report
    facts = {
        "Run": report.run_id,
        "Written by": report.detector or "not said",
        "Specification": report.version,
        **{f"Model, {use}": name for use, name in report.models.items()},
        "In all": f"{report.timings.total:,.1f} ms",
    }
    if report.judge is not None:
        facts["Judge of claims in doubt"] = str(report.judge)
    if report.timings.first_sentence is not None:
        facts["First verified sentence"] = f"{report.timings.first_sentence:,.1f} ms"
    listed = [
        join(el("dt", None, name), el("dd", None, el("bdi", None, value)))
        for name, value in facts.items()
    ]
    policy = lay_out(json.dumps(report.policy, ensure_ascii=False)).text
    return join(
        el("dl", {"class": "facts"}, listed),
        el("details", {"class": "policy"}, el("summary", None, "The policy it was judged under"),
           el("div", {"class": "text"}, policy)),
    )  # fmt: skip
