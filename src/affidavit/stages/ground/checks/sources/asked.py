"""What was asked about, what the results say, and the records that a claim is drawn from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell, records_of
from affidavit.ledger.values import fold
from affidavit.ledger.words import (
    content_stems,
    named_in,
    stems_of_all,
)
from affidavit.stages.ground.checks.sources.echoes import (
    given_to,
    is_echo,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext


@dataclass(frozen=True, slots=True)
class Other:
    """What was asked about, and what was found in its place."""

    asked: str
    found: str
    passage: Passage


@dataclass(frozen=True, slots=True)
class Told:
    """What a run was asked and what its results say apart from repeating it, both folded."""

    asked: str
    asked_stems: frozenset[str]
    texts: tuple[tuple[Passage, str], ...]
    stems: frozenset[str]
    echoed: frozenset[str]
    """What results were asked for by name and repeat: each is the result for it, though a list of finds that
    repeats its query is not."""

    def is_asked_only(self, phrase: str) -> bool:
        plain = f" {fold(phrase)} "
        if plain.strip() in self.echoed:
            return False
        return plain in self.asked and not any(plain in text for _, text in self.texts)


def told_of(context: GroundContext) -> Told:
    return context.search.once("asked about", lambda: _make_told(context))


def _make_told(context: GroundContext) -> Told:
    given = [
        cell.text
        for entry in context.ledger.calls
        for record in records_of(entry.call.arguments)
        for cell in record.cells
    ]
    said = [p.text for p in context.search.passages if p.source.kind == "user"]
    queries = [f" {fold(text)} " for text in given if len(text.split()) > 1]
    texts: list[tuple[Passage, str]] = []
    echoed: set[str] = set()
    for passage in context.search.passages:
        echoes = given_to(passage, context)
        held = [(cell.key, cell.text) for cell, _, _ in passage.cells]
        echoed |= {fold(text) for key, text in echoes.intersection(held) if not QUERY.search(key)}
        if passage.source.kind == "user":
            continue
        cells = [f"{key} {text}" for key, text in held if (key, text) not in echoes]
        whole = (
            passage.text if passage.record is None else f"{passage.record.header} {' '.join(cells)}"
        )
        plain = f" {fold(whole)} "
        for query in queries:  # "Results for “model 3 warranty”:"
            plain = plain.replace(query, " ")
        texts.append((passage, plain))
    asked = " ".join([context.question, *said, *given])
    return Told(
        f" {fold(asked)} ", content_stems(asked), tuple(texts),
        stems_of_all(text for _, text in texts), frozenset(echoed),
    )  # fmt: skip


MARKUP = re.compile(r"[*_`]+")
NO_HEAD = frozenset(
    "january february march april may june july august september october november december jan feb mar apr jun jul aug sep "
    "sept oct nov dec monday tuesday wednesday thursday friday saturday sunday the this that these those and but for from "
    "since until before after about around over under only another some about step option item day week "
    "suite apt apartment unit box floor building line room".split()  # parts of an address are no models
)
LONGEST = 40


def drawn_from(claim: Claim, context: GroundContext) -> Iterator[tuple[list[Cell], Passage]]:
    """The records that hold the figures of a claim, each with its cells and those of what it lies in; none
    where a figure stands in running text that is of no record, or the user gave it."""
    for value in claim.values:
        hits = context.search.hits(value) if value.kind in FIGURES else []
        own = [hit for hit in hits if hit.passage.source.kind == "tool_result"]
        for hit in own if len(own) == len(hits) else ():
            cells: list[Cell] = []
            record = hit.passage.record
            while record is not None:
                cells += [c for c in record.cells if not is_echo(hit.passage, c, context)]
                record = record.parent
            yield cells, hit.passage


QUERY = re.compile(
    r"(?:^| )(?:query|q|search|text|term|terms|keywords?|title|name|phrase|subject)$"
)
FIGURES = frozenset({"money", "percent", "quantity", "duration", "moment", "number"})


def is_only_asked(text: str, context: GroundContext) -> bool:
    """Whether the question names something in these words, and no result says most of them."""
    told, stems = told_of(context), content_stems(text)
    unseen = stems - named_in(stems, told.stems)
    return bool(unseen) and len(unseen) * 2 > len(stems) and stems <= told.asked_stems
