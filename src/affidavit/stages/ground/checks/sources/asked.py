"""What was asked about, what the results say, and the records that a claim is drawn from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

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


class Told:
    """What a run was asked and what its results say apart from repeating it, both folded. The results are read
    when something is looked for that was asked about, which of most claims nothing is."""

    def __init__(self, context: GroundContext) -> None:
        given = [
            cell.text
            for entry in context.ledger.calls
            for record in records_of(entry.call.arguments)
            for cell in record.cells
        ]
        said = [p.text for p in context.search.passages if p.source.kind == "user"]
        asked = " ".join([context.question, *said, *given])
        self.asked = f" {fold(asked)} "
        self.asked_stems = content_stems(asked)
        self._queries = [f" {fold(text)} " for text in given if len(text.split()) > 1]
        self._context = context

    @cached_property
    def texts(self) -> tuple[tuple[Passage, str], ...]:
        """The passages of results, each without what it repeats of its call."""
        told = (p for p in self._context.search.passages if p.source.kind != "user")
        return tuple((passage, self._without_echoes(passage)) for passage in told)

    @cached_property
    def stems(self) -> frozenset[str]:
        return stems_of_all(text for _, text in self.texts)

    @cached_property
    def _echoed(self) -> frozenset[str]:
        """What results were asked for by name and repeat: each is the result for it, though a list of finds that
        repeats its query is not."""
        return frozenset(
            fold(text)
            for passage in self._context.search.passages
            for key, text in given_to(passage, self._context).intersection(
                (cell.key, cell.text) for cell, _, _ in passage.cells
            )
            if not QUERY.search(key)
        )

    def is_asked_only(self, phrase: str) -> bool:
        plain = f" {fold(phrase)} "
        if plain not in self.asked or plain.strip() in self._echoed:
            return False
        return not any(plain in text for _, text in self.texts)

    def _without_echoes(self, passage: Passage) -> str:
        text = passage.text
        if passage.record is not None:
            echoes = given_to(passage, self._context)
            held = ((cell.key, cell.text) for cell, _, _ in passage.cells)
            cells = " ".join(f"{key} {text}" for key, text in held if (key, text) not in echoes)
            text = f"{passage.record.header} {cells}"
        plain = f" {fold(text)} "
        for query in self._queries:  # "Results for “model 3 warranty”:"
            plain = plain.replace(query, " ")
        return plain


def told_of(context: GroundContext) -> Told:
    return context.search.once("asked about", lambda: Told(context))


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
