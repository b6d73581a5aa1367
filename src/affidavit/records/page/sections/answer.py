"""The answer, each claim of it underlined by its status and followed by its number."""

from __future__ import annotations

from collections.abc import Sequence

from affidavit.records.page.markup import Markup, el, join, prose
from affidavit.records.page.view.markdown import Close, Open, Piece, Plain, Run, pieces_of
from affidavit.records.page.view.passages import Range, Segment, segments
from affidavit.records.page.words import CLAIM
from affidavit.report import ClaimVerdict, HallucinationReport


def answer(report: HallucinationReport) -> Markup:
    """The Markdown of the answer as it is meant to be seen, with its claims marked in it."""
    pieces = pieces_of(report.answer)
    ranges = [(claim.start, claim.end) for claim in report.claims]
    shown = [
        segment
        for piece in pieces
        if isinstance(piece, Run)
        for segment in segments(piece.start, piece.end, ranges)
    ]
    after, left = _places(ranges, shown)
    body = _built(report, pieces, ranges, after)
    return el(
        "div",
        {"class": "answer", "dir": "auto"},
        body or el("em", None, "Nothing was said."),
        _numbers(report, left),
    )


def _places(
    ranges: Sequence[Range], shown: Sequence[Segment]
) -> tuple[dict[int, list[int]], list[int]]:
    """Claims by the end of the last characters of theirs that are shown; and those that show none: a
    report from elsewhere may name places that its answer does not have, and none loses its number."""
    after: dict[int, list[int]] = {}
    left: list[int] = []
    last: dict[int, int] = {}
    for segment in shown:
        last.update(dict.fromkeys(segment.under, segment.end))
    for index in range(len(ranges)):
        if index in last:
            after.setdefault(last[index], []).append(index + 1)
        else:
            left.append(index + 1)
    return after, left


def _built(
    report: HallucinationReport,
    pieces: Sequence[Piece],
    ranges: Sequence[Range],
    after: dict[int, list[int]],
) -> list[Markup]:
    opened: list[Open] = []
    inside: list[list[Markup]] = [[]]
    for piece in pieces:
        match piece:
            case Open():
                opened.append(piece)
                inside.append([])
            case Close():
                made = _element(opened.pop(), inside.pop())
                inside[-1].append(made)
            case Plain(text):
                inside[-1].append(join(text))
            case Run(start, end):
                for segment in segments(start, end, ranges):
                    numbers = after.pop(segment.end, [])
                    inside[-1] += [_segment(report, segment), _numbers(report, numbers)]
    return inside[0]


def _element(opened: Open, children: list[Markup]) -> Markup:
    attributes: dict[str, str | int | bool | None] = {}
    if opened.tag == "ol" and opened.number != 1:
        attributes["start"] = opened.number
    if opened.tag == "h3":
        attributes["class"] = f"level-{opened.number}"
    made = el(opened.tag, attributes, children)
    # A table may be wider than a phone; the page may not.
    return el("div", {"class": "wide"}, made) if opened.tag == "table" else made


def _numbers(report: HallucinationReport, numbers: list[int]) -> Markup:
    return join(*(_number(n, report.claims[n - 1]) for n in numbers))


def _segment(report: HallucinationReport, segment: Segment) -> Markup:
    words = report.answer[segment.start : segment.end]
    if not segment.under:
        return prose(words)
    inner = segment.under[-1]
    status = report.claims[inner].status
    return el("span", {"class": f"claim {status}", "data-claim": inner + 1}, prose(words))


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
