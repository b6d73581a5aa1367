"""The report as a page: masthead, the answer with its margin, and the sections under it."""

from __future__ import annotations

from collections.abc import Mapping

from affidavit.records.page.markup import Markup, data_block, el, join, prose
from affidavit.records.page.sections.answer import answer
from affidavit.records.page.sections.calls import calls
from affidavit.records.page.sections.drafts import drafts
from affidavit.records.page.sections.exhibits import exhibits
from affidavit.records.page.sections.gate import gate
from affidavit.records.page.sections.notes import notes
from affidavit.records.page.sections.probes import probes
from affidavit.records.page.sections.record import record
from affidavit.records.page.sections.thread import thread
from affidavit.records.page.shell import document
from affidavit.records.page.view import PageView, view_of
from affidavit.records.page.words import ACTION, CLAIM, count
from affidavit.report import HallucinationReport
from affidavit.trace import RunTrace


def render_page(report: HallucinationReport, trace: RunTrace | None = None) -> str:
    """A report as one self-contained HTML document.

    With ``trace``, the run that was judged, every claim is shown against the whole of its evidence;
    without it, against the places that the report quotes.
    """
    view = view_of(report, trace)
    return document(
        title_of(report), body_of(view), data_block("report", report.model_dump(mode="json"))
    )


def title_of(report: HallucinationReport) -> str:
    return f"{ACTION[report.action].word}: run {report.run_id}"


def body_of(view: PageView, asides: Mapping[int, Markup] | None = None) -> Markup:
    """The page without its shell. ``asides`` are added to the notes on claims, counted from 1."""
    return join(
        _masthead(view),
        el(
            "main",
            {"id": "main"},
            _deposition(view, asides or {}),
            _section("gate", "How it was decided", gate(view)),
            _section("thread", "Where each value came from", thread(view)),
            _section("calls", "Tool calls", calls(view)),
            _section("probes", "Asked again", probes(view)),
            _section("drafts", "Earlier drafts", drafts(view)),
            _section("exhibits", "Exhibits", exhibits(view)),
            _section("record", "The record", record(view)),
        ),
        el("div", {"id": "live", "role": "status", "aria-live": "polite", "class": "unseen-text"}),
        el(
            "footer",
            None,
            el("p", None, "Claims are held against the run’s own evidence, not against the world."),
        ),
    )


def _masthead(view: PageView) -> Markup:
    report, headline = view.report, view.headline
    look = ACTION[report.action]
    counts = [
        el("li", {"class": status}, el("span", {"class": "sign", "aria-hidden": "true"}, told.sign), f" {number} {told.word}")
        for status, told in CLAIM.items()
        if (number := sum(claim.status == status for claim in report.claims))
    ]  # fmt: skip
    about = (
        join(el("a", {"href": f"#claim-{headline.claim}", "data-claim": headline.claim},
                f"Claim {headline.claim}"), " ")
        if headline.claim
        else None
    )  # fmt: skip
    quote = join(el("q", {"dir": "auto"}, prose(headline.quote)), ": ") if headline.quote else None
    figures = "; ".join(report.reasons)
    return el(
        "header",
        {"class": f"masthead {report.action}"},
        el("a", {"class": "skip", "href": "#answer"}, "To the answer"),
        el("p", {"class": "caption"}, el("span", None, "Affidavit"), " on run ", el("bdi", None, prose(report.run_id))),
        el("div", {"class": "tools"}, el("button", {"type": "button", "id": "theme", "hidden": True}, "Theme")),
        el("h1", None, el("span", {"class": "seal", "aria-hidden": "true"}, look.sign), look.word),
        el("p", {"class": "lede"}, about, quote, el("span", {"dir": "auto"}, prose(headline.words)), "." if headline.words else None),
        el("p", {"class": "figures", "dir": "auto"}, look.meaning, prose(_sentence(figures))),
        el("ul", {"class": "tally", "aria-label": "Claims by status"}, counts or el("li", None, "no claims")),
    )  # fmt: skip


def _deposition(view: PageView, asides: Mapping[int, Markup]) -> Markup:
    question = (
        join(el("h2", {"class": "minor"}, "Asked"), el("blockquote", {"class": "question", "dir": "auto"}, prose(view.question)))
        if view.question
        else None
    )  # fmt: skip
    claims = count(len(view.report.claims), "claim")
    return el(
        "div",
        {"class": "deposition"},
        el("section", {"class": "said", "id": "answer", "aria-labelledby": "answer-title"},
           question,
           el("h2", {"class": "minor", "id": "answer-title"}, "Answered"),
           answer(view.report),
           el("p", {"class": "hint"}, "Choose a claim to see its evidence. ", el("kbd", None, "j"), " ", el("kbd", None, "k"), " or ", el("kbd", None, "←"), " ", el("kbd", None, "→"), " go from claim to claim.")),
        el("aside", {"class": "margin", "id": "claims", "aria-labelledby": "claims-title"},
           el("h2", {"class": "minor", "id": "claims-title"}, claims),
           notes(view, asides)),
    )  # fmt: skip


def _section(name: str, title: str, body: Markup | None) -> Markup | None:
    if body is None:
        return None
    return el(
        "section",
        {"id": name, "aria-labelledby": f"{name}-title"},
        el("h2", {"id": f"{name}-title"}, title),
        body,
    )


def _sentence(reason: str) -> str:
    return f" {reason[:1].upper()}{reason[1:]}." if reason else ""
