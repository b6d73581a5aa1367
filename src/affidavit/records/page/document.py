"""The page: one HTML file that asks nothing of the network and runs nothing but its own script."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

from affidavit.records.page.markup import Markup, data_block, el, join, verbatim
from affidavit.records.page.sections.answer import answer
from affidavit.records.page.sections.calls import calls
from affidavit.records.page.sections.drafts import drafts
from affidavit.records.page.sections.exhibits import exhibits
from affidavit.records.page.sections.gate import gate
from affidavit.records.page.sections.notes import notes
from affidavit.records.page.sections.probes import probes
from affidavit.records.page.sections.record import record
from affidavit.records.page.sections.thread import thread
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
    title = f"{ACTION[report.action].word}: run {report.run_id}"
    return document(title, _body(view), data_block("report", report.model_dump(mode="json")))


def document(title: str, body: Markup, *more: Markup) -> str:
    """A document with the style and script of the page and the policy that lets nothing else run."""
    style, script = asset("page.css"), asset("page.js")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    head = el(
        "head",
        None,
        el("meta", {"charset": "utf-8"}),
        el("meta", {"http-equiv": "Content-Security-Policy", "content": policy}),
        el("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        el("meta", {"name": "referrer", "content": "no-referrer"}),
        el("meta", {"name": "color-scheme", "content": "light dark"}),
        el("title", None, title),
        verbatim("style", style, {}),
    )
    end = join(*more, verbatim("script", script, {}))
    return (
        "<!doctype html>\n" + el("html", {"lang": "en"}, head, el("body", None, body, end)) + "\n"
    )


@cache
def asset(name: str) -> str:
    """A style sheet or script of the page."""
    return files("affidavit.records.page").joinpath("assets", name).read_text(encoding="utf-8")


def _hash(source: str) -> str:
    digest = hashlib.sha256(source.encode("utf-8")).digest()
    return "sha256-" + base64.b64encode(digest).decode("ascii")


def _body(view: PageView) -> Markup:
    return join(
        el("a", {"class": "skip", "href": "#answer"}, "To the answer"),
        _masthead(view.report),
        el(
            "main",
            {"id": "main"},
            _deposition(view),
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


def _masthead(report: HallucinationReport) -> Markup:
    look = ACTION[report.action]
    counts = [
        el("li", {"class": status}, el("span", {"class": "sign", "aria-hidden": "true"}, told.sign), f" {number} {told.word}")
        for status, told in CLAIM.items()
        if (number := sum(claim.status == status for claim in report.claims))
    ]  # fmt: skip
    return el(
        "header",
        {"class": f"masthead {report.action}"},
        el("p", {"class": "caption"}, el("span", None, "Affidavit"), " on run ", el("bdi", None, report.run_id)),
        el("div", {"class": "tools"}, el("button", {"type": "button", "id": "theme", "hidden": True}, "Theme")),
        el("h1", None, el("span", {"class": "seal", "aria-hidden": "true"}, look.sign), look.word),
        el("p", {"class": "lede"}, look.meaning, " ", el("span", {"dir": "auto"}, " ".join(map(_sentence, report.reasons[:2])))),
        el("ul", {"class": "tally", "aria-label": "Claims by status"}, counts or el("li", None, "no claims")),
    )  # fmt: skip


def _deposition(view: PageView) -> Markup:
    question = (
        join(el("h2", {"class": "minor"}, "Asked"), el("blockquote", {"class": "question", "dir": "auto"}, view.question))
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
           notes(view)),
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
    return f"{reason[:1].upper()}{reason[1:]}."
