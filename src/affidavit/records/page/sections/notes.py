"""The margin: one note on each claim: why it stands as it does, and what speaks for it and against it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from affidavit._excerpt import excerpt
from affidavit.records.page.markup import Markup, el, join, prose
from affidavit.records.page.view import PageView
from affidavit.records.page.view.markdown import Cell, cells_of
from affidavit.records.page.words import CLAIM, REASON, WITNESS
from affidavit.report import CheckRecord, ClaimVerdict, EvidenceSpan

_EXCERPT = 90
_ALONE = 600
"""Longest quotation, in characters: of a place that is shown as well, and of one that is not."""


def notes(view: PageView, asides: Mapping[int, Markup]) -> Markup:
    if not view.report.claims:
        return el("p", {"class": "quiet"}, "The answer makes no claim.")
    cells = cells_of(view.report.answer)
    listed = [
        _note(view, n, claim, _cell(cells, claim), asides.get(n))
        for n, claim in enumerate(view.report.claims, 1)
    ]
    return el("ol", {"class": "notes"}, listed)


def _note(
    view: PageView, number: int, claim: ClaimVerdict, cell: Cell | None, aside: Markup | None
) -> Markup:
    body = el(
        "div",
        {"class": "note-body", "id": f"note-{number}"},
        el("p", {"class": "why", "dir": "auto"}, prose(_sentence(claim.explanation)))
        if claim.explanation and claim.status != "exempt"
        else None,
        el("blockquote", {"dir": "auto"}, prose(claim.text)),
        _whereabouts(cell) if cell else None,
        list(_formulas(claim)),
        el("div", {"class": "in-place", "hidden": True}) if claim.evidence_spans else None,
        _said(view, claim),
        aside,
    )
    return el(
        "li",
        {"class": f"note {claim.status}", "id": f"claim-{number}"},
        _head(number, claim, cell),
        body,
    )


def _cell(cells: Sequence[Cell], claim: ClaimVerdict) -> Cell | None:
    """The cell that a claim is made in: nothing else of the answer belongs to it."""
    return next(
        (c for c in cells if c.start <= claim.start < c.end and claim.end <= c.end + 2), None
    )


def _whereabouts(cell: Cell) -> Markup:
    names = [("Row", cell.row), ("Column", cell.column)]
    told = [
        el("span", None, el("span", {"class": "label"}, name), " ", el("bdi", None, words))
        for name, words in names
        if words.strip()
    ]
    return el("p", {"class": "whereabouts"}, [join(one, " ") for one in told])


def _head(number: int, claim: ClaimVerdict, cell: Cell | None) -> Markup:
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
        el("span", {"class": "gist", "dir": "auto", "aria-hidden": "true"}, _gist(claim, cell)),
    )  # fmt: skip
    return el("h3", None, button)


def _gist(claim: ClaimVerdict, cell: Cell | None) -> str:
    """The claim in a line; of one in a table, also what it is said of."""
    names = " · ".join(filter(str.strip, (cell.row, cell.column))) if cell else ""
    return f"{names}: {claim.text}" if names else claim.text


def _formulas(claim: ClaimVerdict) -> Iterator[Markup]:
    worked_out = [c for c in claim.checks if c.formula]
    told = [c for c in worked_out if c.name == claim.decided_by] or worked_out
    for formula in dict.fromkeys(check.formula for check in told):
        yield el(
            "p",
            {"class": "formula"},
            el("span", {"class": "label"}, "Worked out"),
            el("code", None, formula),
        )


def _said(view: PageView, claim: ClaimVerdict) -> Markup:
    """What speaks for the claim and against it, each with its places; then the places that no check names."""
    if claim.status == "exempt" and not claim.checks:
        return el("p", {"class": "quiet"}, f"It {CLAIM['exempt'].meaning}.")
    spoke = [check for check in claim.checks if check.state == "checked" and check.verdict]
    failed = [check for check in claim.checks if check.state == "failed"]
    told = {span for check in spoke for span in check.evidence_spans}
    rest = [span for span in dict.fromkeys(claim.evidence_spans) if span not in told]
    sides = [
        ("Against it", "against", [c for c in spoke if c.verdict != "supports"]),
        ("For it", "for", [c for c in spoke if c.verdict == "supports"]),
        ("Could not be carried out", "failed", failed),
    ]
    if claim.status == "supported":
        sides[0], sides[1] = sides[1], sides[0]
    listed = [_side(view, claim, title, name, checks) for title, name, checks in sides if checks]
    if rest:
        listed.append(_places(view, "Held against", rest))
    return join(*listed) or el("p", {"class": "quiet"}, "Nothing in the evidence bears on it.")


def _side(
    view: PageView, claim: ClaimVerdict, title: str, name: str, checks: Sequence[CheckRecord]
) -> Markup:
    return el(
        "div",
        {"class": f"side {name}"},
        el("h4", None, title),
        el("ul", {"class": "checks"}, [_check(view, claim, check) for check in checks]),
    )


def _check(view: PageView, claim: ClaimVerdict, check: CheckRecord) -> Markup:
    score = None if check.score is None else el("span", {"class": "score"}, f" {check.score:.2f}")
    most = (
        el("span", {"class": "flag"}, " weighed most") if check.name == claim.decided_by else None
    )
    told = check.detail == check.formula or check.detail in (claim.explanation or "").split("; ")
    detail = "" if told or check.detail == claim.explanation else check.detail
    places = [citation(view, span) for span in dict.fromkeys(check.evidence_spans)]
    return el(
        "li",
        {"class": f"check {check.verdict or check.state}"},
        el("strong", None, WITNESS.get(check.name, check.name.replace("_", " "))),
        score,
        most,
        el("span", {"class": "detail", "dir": "auto"}, detail) if detail else None,
        el("code", {"class": "detail"}, check.formula) if check.formula else None,
        el("ul", {"class": "citations"}, places) if places else None,
    )


def _places(view: PageView, title: str, spans: Sequence[EvidenceSpan]) -> Markup:
    return el(
        "div",
        {"class": "side"},
        el("h4", None, title),
        el("ul", {"class": "citations"}, [citation(view, span) for span in spans]),
    )


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


def citation(view: PageView, span: EvidenceSpan) -> Markup:
    """A place of the evidence, linked to where it stands in its exhibit."""
    cited = view.exhibits.citation(span)
    mark = "" if cited.mark is None else cited.mark
    shown = excerpt(cited.text, _EXCERPT if cited.mark is not None else _ALONE)
    return el(
        "li",
        {"data-exhibit": cited.exhibit, "data-mark": mark},
        el("a", {"href": f"#{cited.anchor}", "class": "cite"}, f"Exhibit {cited.exhibit}"),
        " ",
        el("code", {"class": "pointer"}, cited.pointer) if cited.pointer else None,
        " ",
        el("q", {"dir": "auto"}, prose(shown)) if shown else None,
        el("cite", {"dir": "auto"}, f" {span.document}") if span.document else None,
        el("span", {"class": "quiet"}, " (not found again in the run as recorded)")
        if cited.mark is None
        else None,
    )
