"""The exhibits: each source of evidence, what is cited of it marked, what is far from that folded."""

from __future__ import annotations

from affidavit.records.page.markup import Markup, el, join
from affidavit.records.page.view import PageView
from affidavit.records.page.view.exhibits import Exhibit
from affidavit.records.page.view.passages import segments
from affidavit.records.page.view.windows import Stretch, stretches
from affidavit.records.page.words import SOURCE, count


def exhibits(view: PageView) -> Markup:
    if not view.exhibits.listed:
        return el("p", {"class": "quiet"}, "The run has no evidence: no tool returned anything.")
    return el("div", {"class": "exhibits"}, [_exhibit(one) for one in view.exhibits.listed])


def _exhibit(exhibit: Exhibit) -> Markup:
    name = f"exhibit-{exhibit.label}"
    return el(
        "article",
        {"class": f"exhibit {exhibit.kind}", "id": name, "aria-labelledby": f"{name}-title"},
        el(
            "h3",
            {"id": f"{name}-title"},
            el("span", {"class": "letter"}, f"Exhibit {exhibit.label}"),
            " ",
            el("bdi", {"class": "tool"}, exhibit.tool) if exhibit.tool else SOURCE[exhibit.kind],
        ),
        el("p", {"class": "about"}, _about(exhibit)),
        el("div", {"class": "text", "data-exhibit": exhibit.label}, _text(exhibit)),
    )


def _about(exhibit: Exhibit) -> Markup:
    facts: list[str | Markup] = []
    if exhibit.call_id:
        facts.append(join("call ", el("bdi", None, exhibit.call_id)))
    if exhibit.message is not None:
        facts.append(f"message {exhibit.message}")
    if exhibit.is_error:
        facts.append("an error: supports nothing but that it failed")
    if exhibit.rejected:
        facts.append("answers a rejected call: supports nothing")
    if exhibit.partial:
        facts.append("only what the report cites; the run itself was not given")
    else:
        facts.append(count(len(exhibit.text), "character"))
        facts.append(join("SHA-256 ", el("code", {"title": exhibit.digest}, exhibit.digest[:12])))
    return join(*(join(" · " if n else "", fact) for n, fact in enumerate(facts)))


def _text(exhibit: Exhibit) -> Markup:
    if not exhibit.text.strip():
        return el("em", {"class": "quiet"}, "Empty.")
    placed: set[int] = set()
    return join(*(_stretch(exhibit, one, placed) for one in stretches(exhibit.text, exhibit.marks)))


def _stretch(exhibit: Exhibit, stretch: Stretch, placed: set[int]) -> Markup:
    body = join(*(
        _segment(exhibit, one.start, one.end, one.under, placed)
        for one in segments(stretch.start, stretch.end, exhibit.marks)
    ))  # fmt: skip
    if not stretch.folded:
        return el("div", {"class": "shown", "dir": "auto"}, body)
    hidden = exhibit.text[stretch.start : stretch.end]
    lines = hidden.strip("\n").count("\n") + 1
    size = count(lines, "line") if lines > 1 else count(len(hidden), "character")
    return el(
        "details",
        {"class": "fold"},
        el("summary", None, f"{size} folded"),
        el("div", {"class": "shown", "dir": "auto"}, body),
    )


def _segment(
    exhibit: Exhibit, start: int, end: int, under: tuple[int, ...], placed: set[int]
) -> Markup:
    words = exhibit.text[start:end]
    if not under:
        return join(words)
    # The first piece of a mark is what a link to it leads to.
    opening = [number for number in under if number not in placed]
    placed.update(opening)
    broad = all(_is_broad(exhibit, *exhibit.marks[number]) for number in under)
    piece = el(
        "mark",
        {"data-marks": " ".join(map(str, under)), "class": "whole" if broad else None},
        words,
    )
    for number in opening:
        piece = join(el("a", {"class": "anchor", "id": f"exhibit-{exhibit.label}-{number}"}), piece)
    return piece


def _is_broad(exhibit: Exhibit, start: int, end: int) -> bool:
    """Whether a mark takes in nearly all of several lines: colour all over points to nothing."""
    return "\n" in exhibit.text.strip() and end - start >= 0.9 * len(exhibit.text.strip())
