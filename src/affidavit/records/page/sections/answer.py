"""The answer, each claim of it underlined by its status and followed by its number."""

from __future__ import annotations

from affidavit.records.page.markup import Markup, el, join
from affidavit.records.page.view.passages import Segment, segments
from affidavit.records.page.words import CLAIM
from affidavit.report import ClaimVerdict, HallucinationReport


def answer(report: HallucinationReport) -> Markup:
    ranges = [(claim.start, claim.end) for claim in report.claims]
    pieces = segments(0, len(report.answer), ranges)
    ends = {piece.end for piece in pieces}
    after: dict[int, list[int]] = {}
    for number, claim in enumerate(report.claims, 1):
        # A report from elsewhere may name places that its answer does not have: none loses its number.
        end = claim.end if claim.end in ends else len(report.answer)
        after.setdefault(end, []).append(number)
    body = [
        join(_segment(report, piece), _numbers(report, after.pop(piece.end, [])))
        for piece in pieces
    ]
    body += [_numbers(report, left) for left in after.values()]
    return el(
        "div", {"class": "answer", "dir": "auto"}, body or el("em", None, "Nothing was said.")
    )


def _numbers(report: HallucinationReport, numbers: list[int]) -> Markup:
    return join(*(_number(n, report.claims[n - 1]) for n in numbers))


def _segment(report: HallucinationReport, segment: Segment) -> Markup:
    words = report.answer[segment.start : segment.end]
    if not segment.under:
        return join(words)
    inner = segment.under[-1]
    status = report.claims[inner].status
    return el("span", {"class": f"claim {status}", "data-claim": inner + 1}, words)


def _number(number: int, claim: ClaimVerdict) -> Markup:
    look = CLAIM[claim.status]
    # A link, so that it leads to the note without the script; and inline, so that no line breaks before it.
    mark = el(
        "a",
        {
            "class": f"ref {claim.status}",
            "href": f"#claim-{number}",
            "role": "button",
            "data-claim": number,
            "id": f"ref-{number}",
            "aria-expanded": "false",
            "aria-controls": f"claim-{number}",
            "aria-label": f"Claim {number}, {look.word}",
        },
        el("span", {"aria-hidden": "true"}, f"{look.sign}{number}"),
    )
    return join(el("i", {"class": "joint"}), mark)
