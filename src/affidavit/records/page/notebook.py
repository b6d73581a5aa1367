"""A report in a notebook: the decision, the answer with its claims marked, each claim with its evidence.

Styles stand on the elements themselves and nothing runs, so that it looks the same wherever notebooks
are shown.
"""

from __future__ import annotations

from collections.abc import Iterator

from affidavit._excerpt import excerpt
from affidavit.records.page.markup import Markup, el, join
from affidavit.records.page.words import ACTION, CLAIM, count
from affidavit.report import ClaimVerdict, HallucinationReport

# Readable on white and on dark: colour is for lines and signs, text keeps the notebook's own.
_COLOUR = {
    "emit": "#2e8b57", "revise": "#c98a00", "block": "#d04437", "supported": "#2e8b57",
    "contradicted": "#d04437", "unsupported": "#c98a00", "exempt": "#8a8a8a", "unchecked": "#7a6fd0",
}  # fmt: skip
_LONGEST = 300
_CELL = "text-align:left;vertical-align:top;padding:.25em .9em .25em 0"


def fragment(report: HallucinationReport) -> Markup:
    """The report as a piece of HTML."""
    look, colour = ACTION[report.action], _COLOUR[report.action]
    score = "nothing scored" if report.nothing_scored else f"score {report.overall_score:.2f}"
    why = "; ".join(report.reasons)
    return el(
        "div",
        {"style": f"border-left:4px solid {colour};padding:.2em 0 .2em 1em;max-width:60em"},
        el("p", {"style": "margin:.2em 0"},
           el("strong", {"style": f"color:{colour}"}, f"{look.sign} {look.word}"),
           f" · {score} · {count(len(report.claims), 'claim')} · run ", report.run_id),
        el("p", {"style": "margin:.2em 0;opacity:.8"}, why) if why else None,
        el("blockquote", {"style": "white-space:pre-wrap;margin:.6em 0;font-size:1.05em"}, _answer(report)),
        _claims(report) if report.claims else None,
    )  # fmt: skip


def _answer(report: HallucinationReport) -> Markup:
    """The answer, with a line in its status's colour under each claim."""
    pieces: list[str | Markup] = []
    at = 0
    for number, claim in sorted(enumerate(report.claims, 1), key=lambda one: one[1].start):
        if claim.start < at:
            continue  # inside the one before
        pieces.append(report.answer[at : claim.start])
        style = f"border-bottom:2px solid {_COLOUR[claim.status]}"
        said = report.answer[claim.start : claim.end]
        pieces.append(el("span", {"style": style, "title": claim.explanation}, said))
        pieces.append(el("sup", None, number))
        at = claim.end
    return join(*pieces, report.answer[at:])


def _claims(report: HallucinationReport) -> Markup:
    rows = [_row(number, claim) for number, claim in enumerate(report.claims, 1)]
    return el("table", {"style": "border-collapse:collapse"}, el("tbody", None, rows))


def _row(number: int, claim: ClaimVerdict) -> Markup:
    look = CLAIM[claim.status]
    score = "" if claim.score is None else f" {claim.score:.2f}"
    status = el(
        "span",
        {"style": f"color:{_COLOUR[claim.status]};white-space:nowrap"},
        f"{look.sign} {look.word}{score}",
    )
    return el(
        "tr",
        None,
        *(el("td", {"style": _CELL}, cell) for cell in (number, status, join(*_why(claim)))),
    )  # fmt: skip


def _why(claim: ClaimVerdict) -> Iterator[Markup]:
    yield el("div", None, claim.explanation or claim.text)
    for span in claim.evidence_spans[:3]:
        where = " ".join(part for part in (span.tool or span.source, span.pointer) if part)
        short = excerpt(span.text, _LONGEST)
        yield el("div", {"style": "opacity:.75"}, "→ ", el("code", None, where), f" {short}")
