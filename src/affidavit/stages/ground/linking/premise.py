"""What the entailment model reads: the lines that bear on a claim, whole, and the links marked in both texts.

The same Greek letter stands before a value of the claim and before the places of the evidence that say it, so that the
model need not compare digits; a value that stands nowhere bears a mark of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from affidavit._remembered import remembered
from affidavit.ledger.ledger import Passage
from affidavit.stages.ground.linking.evidence import Evidence, is_call
from affidavit.stages.ground.linking.links import Link, Linked

LETTERS = "αβγδεζηθικλμ"
NOWHERE = "∅"
BEHIND = "»"
"""Stands between what the answer says before a claim and the claim."""
PIECES = 100
"""About how many word pieces of evidence are shown; what bears on a claim best comes first."""

_PIECE = re.compile(r"\d{1,3}|[^\W\d_]{1,6}|[^\w\s]|_")
_MARKED_KINDS = frozenset(
    {
        "number",
        "money",
        "percent",
        "quantity",
        "duration",
        "moment",
        "identifier",
        "version",
        "phone",
        "email",
        "url",
        "path",
    }
)


_FRONT_SHARE, _LEAST_LEFT = 0.5, 12
"""How much of the room is for lines that are to stand first, and the word pieces that no line is looked for any more for."""
_BESIDE = 2_000
"""Lines that share no word with a claim and are looked through for some that fit."""
_ROLES = {"system": "system: ", "user": "user: ", "tool_definition": "tool: "}
_SHARES = {"system": 0.8, "user": 0.6, "tool_definition": 0.4}
"""How much a line counts by who says it; a call's own line counts half of a result's."""
_AROUND, _BEFORE_SHARE = 6, 0.4
"""How many lines that share words with what stands before a claim are considered, and what such words count beside
the claim's own."""


@dataclass(frozen=True)
class Premise:
    """The two texts that the model is shown, and the lines that the first is made of."""

    text: str
    hypothesis: str
    lines: tuple[Passage, ...]


def premise_of(
    linked: Linked,
    evidence: Evidence,
    *,
    before: str = "",
    first: Sequence[Sequence[Passage]] = (),
    pieces: int = PIECES,
    marks: bool = True,
    apart: frozenset[int] = frozenset(),
    alone: bool = False,
) -> Premise:
    """The premise and the hypothesis for one statement. ``before`` is what the answer says before it, ``first`` the
    lines that the premise is to begin with, see :func:`chosen`; lines that are ``apart``, by identity, are not shown,
    and what only they say stands nowhere. With ``alone`` it has no other lines than those of ``first`` and
    those of the calls that returned them."""
    if alone:
        apart |= _others(first, evidence)
    linked = without(linked, apart)
    lines = chosen(linked, evidence, pieces, before, first, apart)
    letters = dict(
        zip((i for i, link in enumerate(linked.links) if _is_marked(link)), LETTERS, strict=False)
    )
    if not marks:
        letters = {}
    today = evidence.today
    parts = [f"today: {today:%Y-%m-%d, %A}"] if today is not None else []
    place = ""
    for line in lines:
        text = _ROLES.get(line.source.kind, "") + _with_letters(line, linked.links, letters)
        head, bar, rest = text.partition(" | ")
        if bar and head == place:
            text = rest
        place = head if bar else ""
        parts.append(text)
    for i, letter in letters.items():
        link = linked.links[i]
        if not link.is_found and link.formula is not None:
            parts.append(f"{letter} {link.value.text.strip()} = {link.formula.text}")
    hypothesis = _hypothesis(linked, letters) if marks else linked.statement
    if before:
        hypothesis = f"{before} {BEHIND} {hypothesis}"
    return Premise((" ¦ " if marks else "\n").join(parts), hypothesis, tuple(lines))


def _others(first: Sequence[Sequence[Passage]], evidence: Evidence) -> frozenset[int]:
    shown = {id(line) for group in first for line in group}
    calls = {line.source.call_id for group in first for line in group}
    return frozenset(
        id(line)
        for line in evidence.lines
        if id(line) not in shown and not (is_call(line) and line.source.call_id in calls)
    )


def without(linked: Linked, apart: frozenset[int]) -> Linked:
    """The links to all lines but those that are ``apart``."""
    if not apart:
        return linked
    links = tuple(
        replace(
            link,
            hits=tuple(hit for hit in link.hits if id(hit.passage) not in apart),
            said=tuple(hit for hit in link.said if id(hit.passage) not in apart),
            formula=None if _rests_on(link, apart) else link.formula,
        )
        for link in linked.links
    )
    near = tuple((line, score) for line, score in linked.near if id(line) not in apart)
    return replace(linked, links=links, near=near)


def _rests_on(link: Link, apart: frozenset[int]) -> bool:
    """Whether a value is worked out from lines that are apart."""
    operands = link.formula.operands if link.formula is not None else ()
    return any(id(operand.line) in apart for operand in operands if operand.line is not None)


def _is_marked(link: Link) -> bool:
    known = link.is_found or link.said or link.formula is not None
    return link.value.kind in _MARKED_KINDS and bool(known)


def _hypothesis(linked: Linked, letters: dict[int, str]) -> str:
    text, at = "", 0
    for i, link in enumerate(linked.links):
        mark = letters.get(i, "")
        if not mark and link.value.kind in _MARKED_KINDS and not _is_marked(link):
            mark = NOWHERE
        text += linked.statement[at : link.value.start] + (f"{mark} " if mark else "")
        at = link.value.start
    return text + linked.statement[at:]


def _with_letters(line: Passage, links: Sequence[Link], letters: dict[int, str]) -> str:
    marks: dict[int, str] = {}
    spans = {id(cell): start for cell, start, _ in line.cells}
    for i, letter in letters.items():
        for hit in (*links[i].hits, *links[i].said):
            if hit.passage is line:
                base = spans.get(id(hit.cell)) if hit.cell is not None else 0
                if base is not None:
                    marks.setdefault(base + hit.value.start, letter)
    text, at = "", 0
    for place, letter in sorted(marks.items()):
        text += line.text[at:place] + f"{letter} "
        at = place
    return text + line.text[at:]


def chosen(
    linked: Linked,
    evidence: Evidence,
    pieces: int,
    before: str = "",
    first: Sequence[Sequence[Passage]] = (),
    apart: frozenset[int] = frozenset(),
) -> list[Passage]:
    """The lines that bear on a statement most, as many as fit, in the order of the run; none that are ``apart``.
    ``first`` are groups of lines that come before any other: of each those that bear on the statement, or all where
    none does, best first. Beyond the first of each they leave half of the room to the rest."""
    first = [[line for line in group if id(line) not in apart] for group in first]
    scores = _scores(linked)
    around = evidence.search.by_words(before, _AROUND) if before else []
    for line, score in around:
        gain = _BEFORE_SHARE * score / around[0][1] * _share(line)
        scores[id(line)] = (line, scores.get(id(line), (line, 0.0))[1] + gain)
    at = evidence.order
    ranked = sorted(scores.values(), key=lambda pair: (-pair[1], at[id(pair[0])]))
    front = _front(first, [line for line, _ in ranked], pieces * _FRONT_SHARE)
    taken = dict(front)
    left = pieces - sum(length(line.text) for line in front.values())
    for line in _in_turn([line for line, _ in ranked], evidence):
        if id(line) in taken or id(line) in apart:
            continue
        if taken and left < _LEAST_LEFT:
            break
        cost = length(line.text)
        if taken and cost > left:
            continue
        taken[id(line)] = line
        left -= cost
    rest = (line for key, line in taken.items() if key not in front)
    return [*front.values(), *sorted(rest, key=lambda line: at[id(line)])]


def _front(
    groups: Sequence[Sequence[Passage]], ranked: Sequence[Passage], room: float
) -> dict[int, Passage]:
    front: dict[int, Passage] = {}
    for group in groups:
        wanted = {id(line) for line in group}
        bearing = [line for line in ranked if id(line) in wanted] or group
        for n, line in enumerate(bearing):
            room -= 0 if id(line) in front else length(line.text)
            if n and room < 0:
                break
            front[id(line)] = line
    return front


@remembered(8192)
def length(text: str) -> int:
    """About how many word pieces a text has."""
    return len(_PIECE.findall(text))


def _in_turn(ranked: Sequence[Passage], evidence: Evidence) -> Iterator[Passage]:
    """The best lines first, then what stands beside the best of them, then whatever there is."""
    yield from ranked
    best = {line.source.id for line in ranked[:3]}
    yield from islice((line for line in evidence.lines if line.source.id in best), _BESIDE)
    yield from islice(
        (line for line in evidence.lines if line.source.kind == "tool_result"), _BESIDE
    )


def _scores(linked: Linked) -> dict[int, tuple[Passage, float]]:
    most = linked.near[0][1] if linked.near else 1.0
    scores = {id(line): (line, score / most * _share(line)) for line, score in linked.near}
    for link in linked.links:
        hits = {id(hit.passage): hit.passage for hit in (*link.hits, *link.said)}
        gain = 1.0 / (1 + 0.25 * len(hits))
        for line in hits.values():
            scores[id(line)] = (line, scores.get(id(line), (line, 0.0))[1] + gain * _share(line))
        for operand in link.formula.operands[:4] if link.formula is not None else ():
            if operand.line is not None:
                line = operand.line
                scores[id(line)] = (line, scores.get(id(line), (line, 0.0))[1] + gain)
    return scores


def _share(line: Passage) -> float:
    return _SHARES.get(line.source.kind, 0.5 if is_call(line) else 1.0)
