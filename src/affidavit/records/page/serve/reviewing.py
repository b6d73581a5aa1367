"""Reviewing: what people said of a verdict, a form to say it, one question at a time, and how far people agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from affidavit._excerpt import excerpt
from affidavit.records.page.markup import Child, Markup, el, join, prose
from affidavit.records.page.serve.filters import Filters
from affidavit.records.page.serve.pages import badge, choice, entry, filter_form, log_page, when
from affidavit.records.page.serve.queue import DOUBTFUL, SECOND, Pending
from affidavit.records.page.words import CLAIM, REASON, count
from affidavit.records.runlog import Agreement, Review
from affidavit.report import ClaimVerdict

_STATUSES = [(status, look.word) for status, look in CLAIM.items()]
_QUEUES = [
    (DOUBTFUL, "held against an answer, or unchecked"),
    *_STATUSES,
    (SECOND, "reviewed by one person: a second look"),
]
_DISPUTED = 20
"""Verdicts that people disagree on, as many as are listed."""
_NO_KEY = "Reviews are signed: start the server with a key (--key FILE) to take them."


@dataclass(frozen=True, slots=True)
class Desk:
    """What a form needs: the token that makes it ours, who reviews, and whether reviews are taken."""

    token: str
    reviewer: str
    open: bool


def review_asides(
    seq: int, claims: Sequence[ClaimVerdict], reviews: Sequence[Review], desk: Desk
) -> Mapping[int, Markup]:
    """For the note on each claim: earlier reviews, and a form."""
    return {
        number: el(
            "div",
            {"class": "review"},
            [_said(review) for review in reviews if review.claim == number - 1],
            el("details", None, el("summary", None, "Review this verdict"), _form(seq, number - 1, claim, desk, "report")),
        )
        for number, claim in enumerate(claims, 1)
    }  # fmt: skip


def _said(review: Review) -> Markup:
    verdict = CLAIM.get(review.verdict)  # type: ignore[arg-type]
    word = verdict.word if verdict else review.verdict
    signed = "signed" if review.signature else "not signed"
    return el(
        "p",
        {"class": f"human {review.verdict}"},
        el("bdi", None, review.reviewer),
        " says ",
        el("span", {"class": "badge"}, verdict.sign if verdict else "", " ", word),
        ": ",
        el("span", {"dir": "auto"}, review.reason),
        el("span", {"class": "quiet"}, f" ({signed})"),
    )


def _form(
    seq: int, claim: int, verdict: ClaimVerdict, desk: Desk, back: str, address: str = ""
) -> Markup:
    if not desk.open:
        return el("p", {"class": "quiet"}, _NO_KEY)
    return el(
        "form",
        {"class": "judge", "method": "post", "action": f"/records/{seq}/claims/{claim}/review"},
        el("input", {"type": "hidden", "name": "token", "value": desk.token}),
        el("input", {"type": "hidden", "name": "back", "value": back}),
        el("input", {"type": "hidden", "name": "address", "value": address}) if address else None,
        el("label", None, el("span", None, "It is"), choice("verdict", _STATUSES, verdict.status)),
        el(
            "label",
            None,
            el("span", None, "Reviewer"),
            entry("reviewer", desk.reviewer, required=True),
        ),
        el(
            "label",
            {"class": "long"},
            el("span", None, "Because"),
            entry("reason", "", required=True),
        ),
        el("button", {"type": "submit", "class": "solid"}, "Sign"),
    )


def queue_page(
    item: Pending | None, left: str, filters: Filters, status: str, desk: Desk, agreed: Agreement
) -> str:
    """One verdict to say something of; ``left`` says in words how many wait, with it."""
    which = el("label", None, el("span", None, "Verdict"), choice("status", _QUEUES, status))
    address = filters.address(status=status)
    told = "that one person has reviewed." if status == SECOND else "that nobody has reviewed."
    return log_page(
        "Review",
        filter_form(filters, "/review", which),
        el("p", {"class": "quiet"}, left, " ", told, " ",
           "Export what was reviewed: ", el("a", {"href": "/labels.jsonl?" + filters.address()}, "labelled data"), ", ",
           el("a", {"href": "/cases.jsonl?" + filters.address()}, "cases for affidavit conformance"), "."),
        None if desk.open else el("p", {"class": "why"}, _NO_KEY),
        el("ol", {"class": "queue"}, _item(item, desk, address)) if item is not None else None,
        _agreed(agreed),
        place="/review",
    )  # fmt: skip


def _agreed(found: Agreement) -> Markup | None:
    """How far people agree on what several of them reviewed, and where they do not."""
    if len(found.reviewers) < 2:
        return None
    told = f"{len(found.reviewers)} reviewers. "
    if not found.shared:
        told += "No verdict has been reviewed by two of them, so nothing is known of how far they agree."
        return el("p", {"class": "quiet agreement"}, told)
    alpha = "" if found.alpha is None else f", Krippendorff's α {found.alpha:.2f}"
    told += (
        f"{count(len(found.shared), 'verdict')} reviewed by several: they agree on {found.agreed} "
        f"({found.agreed / len(found.shared):.0%}{alpha})."
    )
    disputed: list[Child] = [
        el(
            "li",
            None,
            el("a", {"href": f"/records/{one.record}" + ("" if one.claim is None else f"#claim-{one.claim + 1}")},
               f"record {one.record}, " + ("the answer" if one.claim is None else f"claim {one.claim + 1}")),
            ": ",
            join(*(part for who, verdict in one.said.items() for part in (el("bdi", None, who), f" says {verdict}; "))),
        )
        for one in found.disputed[:_DISPUTED]
    ]  # fmt: skip
    return el(
        "section",
        {"class": "agreement", "aria-label": "How far reviewers agree"},
        el("p", {"class": "quiet"}, told),
        el("ul", {"class": "disputed"}, disputed) if disputed else None,
    )


def _item(item: Pending, desk: Desk, address: str) -> Markup:
    claim, number = item.verdict, item.claim + 1
    look = CLAIM[claim.status]
    at = f"/records/{item.record.seq}#claim-{number}"
    evidence = [
        el("li", None, el("code", {"class": "pointer"}, " ".join(p for p in (span.tool or span.source, span.pointer) if p)), " ",
           el("q", {"dir": "auto"}, prose(excerpt(span.text, 300))) if span.text else None)
        for span in dict.fromkeys(claim.evidence_spans)
    ]  # fmt: skip
    return el(
        "li",
        {"class": claim.status},
        el("h2", {"class": "verdict"}, el("span", {"class": "badge"}, look.sign, " ", look.word), " ",
           "" if claim.score is None else f"{claim.score:.2f} ",
           el("span", {"class": "reason"}, REASON[claim.reason]) if claim.reason else None),
        el("blockquote", {"dir": "auto"}, prose(claim.text)),
        el("p", {"class": "why", "dir": "auto"}, prose(claim.explanation)) if claim.explanation else None,
        el("ul", {"class": "citations"}, evidence) if evidence else None,
        el("p", {"class": "about"}, join("In ", el("a", {"href": at}, el("bdi", None, item.report.run_id or "unnamed")), " ",
                                         badge(item.report.action), " · ", when(item.record), " UTC")),
        _form(item.record.seq, item.claim, claim, desk, "queue", address) if desk.open else None,
        el("p", {"class": "about"}, el("a", {"href": f"/review?{address}&after={item.place}", "rel": "next"}, "Skip this one")),
    )  # fmt: skip
