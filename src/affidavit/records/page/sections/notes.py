"""The margin: one note on each claim, with why it stands as it does and what it was held against."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from affidavit.records.page.markup import Markup, el, join
from affidavit.records.page.view import PageView
from affidavit.records.page.words import CLAIM, REASON, VERDICT
from affidavit.report import CheckRecord, ClaimVerdict, EvidenceSpan

_EXCERPT = 90
_ALONE = 600
"""Longest quotation, in characters: of a place that is shown as well, and of one that is not."""


def notes(view: PageView, asides: Mapping[int, Markup]) -> Markup:
    if not view.report.claims:
        return el("p", {"class": "quiet"}, "The answer makes no claim.")
    listed = [_note(view, n, claim, asides.get(n)) for n, claim in enumerate(view.report.claims, 1)]
    return el("ol", {"class": "notes"}, listed)


def _note(view: PageView, number: int, claim: ClaimVerdict, aside: Markup | None) -> Markup:
    body = el(
        "div",
        {"class": "note-body", "id": f"note-{number}"},
        el("blockquote", {"dir": "auto"}, claim.text),
        el("p", {"class": "why", "dir": "auto"}, claim.explanation) if claim.explanation else None,
        list(_formulas(claim)),
        _evidence(view, claim),
        _checks(claim),
        aside,
    )
    return el(
        "li", {"class": f"note {claim.status}", "id": f"claim-{number}"}, _head(number, claim), body
    )


def _head(number: int, claim: ClaimVerdict) -> Markup:
    look = CLAIM[claim.status]
    facts = [
        el(
            "span",
            {"class": "status"},
            el("span", {"class": "sign", "aria-hidden": "true"}, look.sign),
            look.word,
        ),
        None if claim.score is None else el("span", {"class": "score"}, f"{claim.score:.2f}"),
        el("span", {"class": "flag"}, "critical") if claim.critical else None,
        el("span", {"class": "reason"}, REASON[claim.reason]) if claim.reason else None,
    ]
    button = el(
        "button",
        {"type": "button", "class": "note-head", "data-claim": number, "aria-expanded": "false",
         "aria-controls": f"note-{number}"},
        el("span", {"class": "number"}, number),
        join(*(join(fact, " ") for fact in facts if fact)),
        el("span", {"class": "gist", "dir": "auto", "aria-hidden": "true"}, claim.text),
    )  # fmt: skip
    return el("h3", None, button)


def _formulas(claim: ClaimVerdict) -> Iterator[Markup]:
    checks = [c for c in claim.checks if c.name == claim.decided_by] or list(claim.checks)
    for formula in dict.fromkeys(check.formula for check in checks if check.formula):
        yield el(
            "p",
            {"class": "formula"},
            el("span", {"class": "label"}, "Worked out"),
            el("code", None, formula),
        )


def _evidence(view: PageView, claim: ClaimVerdict) -> Markup:
    if not claim.evidence_spans:
        held = (
            "Nothing in the evidence bears on it."
            if claim.status != "exempt"
            else CLAIM["exempt"].meaning
        )
        return el("p", {"class": "quiet"}, held if claim.status != "exempt" else f"It {held}.")
    rows = [citation(view, span) for span in dict.fromkeys(claim.evidence_spans)]
    return join(
        el("div", {"class": "in-place", "hidden": True}),
        el("ul", {"class": "citations", "aria-label": "Evidence"}, rows),
    )


def citation(view: PageView, span: EvidenceSpan) -> Markup:
    """A place of the evidence, linked to where it stands in its exhibit."""
    cited = view.exhibits.citation(span)
    mark = "" if cited.mark is None else cited.mark
    flat = " ".join(cited.text.split())
    most = _EXCERPT if cited.mark is not None else _ALONE
    shown = flat if len(flat) <= most else flat[: most - 1] + "…"
    return el(
        "li",
        {"data-exhibit": cited.exhibit, "data-mark": mark},
        el("a", {"href": f"#{cited.anchor}", "class": "cite"}, f"Exhibit {cited.exhibit}"),
        " ",
        el("code", {"class": "pointer"}, cited.pointer) if cited.pointer else None,
        " ",
        el("q", {"dir": "auto"}, shown) if shown else None,
        el("cite", {"dir": "auto"}, f" {span.document}") if span.document else None,
        el("span", {"class": "quiet"}, " (not found again in the run as recorded)")
        if cited.mark is None
        else None,
    )


def _checks(claim: ClaimVerdict) -> Markup | None:
    if not claim.checks:
        return None
    said = [check for check in claim.checks if check.state != "skipped"]
    silent = [check for check in claim.checks if check.state == "skipped"]
    decided = f"Decided by {claim.decided_by}. " if claim.decided_by else ""
    return el(
        "details",
        {"class": "checks"},
        el(
            "summary",
            None,
            f"{decided}{len(said)} of {len(claim.checks)} checks had something to say",
        ),
        el("ul", None, [_check(check, decided=check.name == claim.decided_by) for check in said]),
        el("p", {"class": "quiet"}, "Nothing to say: ", _silent(silent)) if silent else None,
    )


def _check(check: CheckRecord, *, decided: bool) -> Markup:
    outcome = "failed" if check.state == "failed" else VERDICT[check.verdict]
    return el(
        "li",
        {"class": f"check {check.verdict or check.state}"},
        el("strong", None, check.name),
        f" {outcome}",
        None if check.score is None else el("span", {"class": "score"}, f" {check.score:.2f}"),
        el("span", {"class": "flag"}, " decided") if decided else None,
        el("span", {"class": "detail", "dir": "auto"}, check.detail) if check.detail else None,
        el("code", {"class": "detail"}, check.formula) if check.formula else None,
        el("span", {"class": "quiet"}, f" by {check.produced_by}") if check.produced_by else None,
    )


def _silent(checks: list[CheckRecord]) -> str:
    return "; ".join(f"{c.name} ({c.detail})" if c.detail else c.name for c in checks) + "."
