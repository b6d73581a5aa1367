"""Earlier drafts of the answer that were sent back, each with the feedback it was sent back with."""

from __future__ import annotations

from affidavit.records.page.markup import Markup, el, prose
from affidavit.records.page.view import PageView
from affidavit.records.page.words import ACTION
from affidavit.report import Attempt


def drafts(view: PageView) -> Markup | None:
    attempts = view.report.attempts
    if not attempts:
        return None
    return el("ol", {"class": "drafts"}, [_draft(n, one) for n, one in enumerate(attempts, 1)])


def _draft(number: int, attempt: Attempt) -> Markup:
    look = ACTION[attempt.action]
    return el(
        "li",
        None,
        el("h3", None, f"Draft {number} ", el("span", {"class": f"badge {attempt.action}"}, look.sign, " ", look.word),
           el("span", {"class": "quiet"}, f" at {attempt.overall_score:.2f}")),
        el("div", {"class": "draft", "dir": "auto"}, prose(attempt.answer)),
        el("p", {"class": "why"}, "It only leaves out what the draft before it said.") if attempt.deletes_only else None,
        el("details", {"open": True}, el("summary", None, "What the model was told"),
           el("div", {"class": "text feedback", "dir": "auto"}, attempt.feedback)) if attempt.feedback else None,
    )  # fmt: skip
