"""What the answer itself shows for a claim: the places of the evidence that its citations lead to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from affidavit._excerpt import excerpt
from affidavit.ledger.ledger import Passage
from affidavit.ledger.words import content_stems
from affidavit.models.judge.quotes import place_of
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.linking.evidence import Evidence
from affidavit.trace import Citation

_SYNTAX = re.compile(r"[\"{}\[\]\\;|]|[:,](?!\d)")
"""What a piece of JSON and the line that is made of it differ by."""
_SHOWN = 120
"""Characters of a quote that are repeated."""


@dataclass(frozen=True)
class Shown:
    """A citation, and the lines that it leads to. ``fault`` says why it leads to none."""

    citation: Citation
    lines: tuple[Passage, ...] = ()
    fault: str = ""

    @property
    def detail(self) -> str:
        """What it cites, or why that is not there, in words."""
        if self.fault:
            return self.fault
        where = _result(self.lines[0], self.citation.calls[0])
        return (
            f"the answer cites {_quoted(self.citation)} from {where}"
            if self.citation.quote
            else f"the answer cites {where}"
        )


@dataclass(frozen=True)
class _Text:
    text: str


def shown_for(
    claims: Sequence[Claim], citations: Iterable[Citation], evidence: Evidence
) -> list[tuple[Shown, ...]]:
    """What is shown for each of the claims of an answer, in their order."""
    shown: list[list[Shown]] = [[] for _ in claims]
    before, places = 0, sorted({c.at for c in citations})
    citations = sorted(citations, key=lambda c: c.at)
    owners: dict[int, list[int]] = {}
    for place in places:
        owners[place] = _owners(claims, before, place)
        before = place
    for citation in citations:
        found = _followed(citation, evidence)
        for n in owners[citation.at]:
            shown[n].append(found)
    return [tuple(some) for some in shown]


def _owners(claims: Sequence[Claim], before: int, place: int) -> list[int]:
    """The claims that a citation stands behind: of its sentence, those since the citation before it."""
    begun = [n for n, claim in enumerate(claims) if claim.start < place]
    if not begun:
        return [0] if claims else []
    last = max(begun, key=lambda n: claims[n].start)
    since = [
        n
        for n in begun
        if claims[n].start >= before and claims[n].sentence == claims[last].sentence
    ]
    return since or [last]


def _followed(citation: Citation, evidence: Evidence) -> Shown:
    lines: list[Passage] = []
    for name in citation.calls:
        calls = [e.call for e in evidence.ledger.calls if name in (e.call.id, e.call.name)]
        if not calls:
            return Shown(citation, fault=f"[{excerpt(name, _SHOWN)}] is no call of this run")
        ids = [call.id for call in calls if call.id == name] or [call.id for call in calls]
        lines += [line for of in dict.fromkeys(ids) for line in evidence.of_call.get(of, ())]
    if not lines:
        return Shown(
            citation, fault=f"[{excerpt(citation.calls[0], _SHOWN)}] has no result to cite"
        )
    if not citation.quote.strip():
        return Shown(citation, tuple(lines))
    line = _quoted_line(citation.quote, lines)
    if line is None:
        where = _result(lines[0], citation.calls[0])
        return Shown(citation, fault=f"{_quoted(citation)} does not stand in {where}")
    return Shown(citation, (line,))


def _quoted_line(quote: str, lines: Sequence[Passage]) -> Passage | None:
    """The line that a quote stands in. It may be quoted as the tool returned it, or as the line reads."""
    if (line := place_of(quote, lines)) is not None:
        return line
    bare = [_Text(_SYNTAX.sub(" ", line.text)) for line in lines]
    if (found := place_of(_SYNTAX.sub(" ", quote), bare)) is not None:
        return lines[next(n for n, text in enumerate(bare) if text is found)]
    for source in {line.source.id: line.source for line in lines}.values():
        if place_of(quote, [source]) is not None:
            own, words = [one for one in lines if one.source.id == source.id], content_stems(quote)
            return max(own, key=lambda one: len(words & one.stems))
    return None


def _result(line: Passage, name: str) -> str:
    tool, call = line.source.tool or "a tool", line.source.call_id or name
    return (
        f"the result of {tool}"
        if call == tool
        else f"the result of {tool} [{excerpt(call, _SHOWN)}]"
    )


def _quoted(citation: Citation) -> str:
    return f"“{excerpt(citation.quote, _SHOWN)}”"
