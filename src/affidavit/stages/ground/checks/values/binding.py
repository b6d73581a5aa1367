"""Whether a value that was found is the one the claim speaks about: the right row, the right field."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from affidavit.ledger.ledger import Passage
from affidavit.ledger.named_keys import COUNTRY_FIELDS, LANGUAGE_FIELDS
from affidavit.ledger.records import Cell
from affidavit.ledger.search import Hit
from affidavit.ledger.values import Value, fold
from affidavit.ledger.values.field_paths import field_words
from affidavit.ledger.words import Naming, content_stems, named_in
from affidavit.stages.ground.checks.values.edges import is_own_edge
from affidavit.stages.ground.checks.values.events import of_own_event
from affidavit.stages.ground.checks.values.hits import numbered_alike
from affidavit.stages.ground.checks.values.other_fields import (
    better_field,
    limit_or_measure,
    other_part,
)
from affidavit.stages.ground.checks.values.other_rows import (
    of_another_item,
    of_own_item,
    of_the_rest,
    told_of_another,
)
from affidavit.stages.ground.checks.values.outdated import (
    CODE_CHARS,
    speaks_of_past,
    superseded,
)
from affidavit.stages.ground.checks.values.phrase import local_stems
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext


@dataclass(frozen=True, slots=True)
class Binding:
    """Where a value belongs. ``linked`` says that the claim's words name the field it was found in;
    a wrong row, item or field names the cell the claim should have taken."""

    verdict: Literal["right", "wrong_row", "wrong_item", "wrong_field", "outdated"]
    hit: Hit
    linked: bool = False
    instead: tuple[Passage, Cell] | None = None


def bind(value: Value, hits: Sequence[Hit], claim: Claim, context: GroundContext) -> Binding:
    """The best reading of a value's hits: right if any hit is in a named row and field."""
    local = local_stems(claim, value)
    around = content_stems(claim.statement)
    near = [hit for hit in hits if context.topic.fits(context.rows.chain(hit.passage))]
    near = _with_number(near, hits, claim, context)
    fitting = near or [hit for hit in hits if context.firm.fits(context.rows.chain(hit.passage))]
    fitting = fitting or [hit for hit in hits if _names_itself(value, hit, claim)]
    fitting = fitting or of_own_item(value, hits, claim, context)
    fitting = fitting or of_own_event(value, hits, claim, context)
    ranked = _ranked(fitting or hits, local, around)
    if near and (own := of_another_item(ranked[0], value, hits, claim, context)):
        return Binding("wrong_item", ranked[0], instead=own)
    if fitting and (own := told_of_another(value, ranked[0], hits, claim, context)):
        return Binding("wrong_row", ranked[0], instead=own)
    if fitting and not near and (own := of_the_rest(ranked[0], value, local, claim, context)):
        return Binding("wrong_row", ranked[0], instead=own)
    if not fitting:
        return Binding("wrong_row", ranked[0], instead=_same_field(ranked[0], value, context))
    wrong: Binding | None = None
    for hit in ranked:
        rival = None
        if not _is_score(value, hit, claim) and not is_own_edge(value, hit, claim):
            rival = better_field(hit, value, local, claim, context)
        rival = rival or other_part(hit, value, claim, context)
        rival = rival or limit_or_measure(hit, value, hits, claim, context)
        if rival is not None:
            wrong = wrong or Binding("wrong_field", hit, instead=rival)
            continue
        newer = superseded(hit, value, context) if not speaks_of_past(claim, value) else None
        if newer is not None:
            wrong = wrong or Binding("outdated", hit, instead=newer)
            continue
        return Binding("right", hit, linked=_linked(hit, local, around, claim, context))
    assert wrong is not None
    return wrong


def _with_number(
    near: list[Hit], hits: Sequence[Hit], claim: Claim, context: GroundContext
) -> list[Hit]:
    """Where a claim calls its thing by a number and a record has the value for another, running text bears
    the value out only in a line that has the number as well: the user named both things and both prices."""
    numbers = [v.text for v in claim.values if v.kind == "identifier" and len(v.text) >= CODE_CHARS]
    numbers = [number for number in numbers if any(map(str.isdigit, number))]
    known = any(context.rows.chain(hit.passage) for hit in hits)
    if not numbers or not known or any(context.rows.chain(hit.passage) for hit in near):
        return near
    return [hit for hit in near if any(_beside(hit, number) for number in numbers)]


def _beside(hit: Hit, number: str) -> bool:
    lines = hit.passage.text.splitlines()
    return any(number in line and hit.value.text in line for line in lines)


_SCORES = content_stems("points score goals runs")


def _is_score(value: Value, hit: Hit, claim: Claim) -> bool:
    """Whether a number is one side of a score, "won 96 - 89", which is of no field called ``wins``."""
    if hit.cell is None or not content_stems(hit.cell.key) & _SCORES:
        return False
    after, before = claim.text[value.end :], claim.text[: value.start]
    return bool(re.match(r"\s?[-–]\s?\d", after) or re.search(r"\d\s?[-–]\s?$", before))


def _names_itself(value: Value, hit: Hit, claim: Claim) -> bool:
    """A name, or a row's own number, says by itself which row it means and cannot be another's; but a
    datum's row and field are given, and its word is a value like any other."""
    if value.kind in ("name", "quoted"):
        return not claim.is_datum and not _is_of_a_country(hit)
    record = hit.passage.record
    return hit.cell is not None and record is not None and hit.cell.text in record.identity


def _is_of_a_country(hit: Hit) -> bool:
    """Whether a name spells out the code of a country or a language, which many rows may have: the Belgium
    of ``country: BE`` says of no row that it is meant."""
    if hit.cell is None or not hit.value.key or hit.value.key == fold(hit.cell.text):
        return False
    words = set(field_words(hit.cell.path))
    return len(hit.cell.text) <= _CODE and bool(words & (COUNTRY_FIELDS | LANGUAGE_FIELDS))


_CODE = 5


def _ranked(hits: Sequence[Hit], local: frozenset[str], around: frozenset[str]) -> list[Hit]:
    """The hits, those first that the claim's words lead to."""
    of_field, of_passage = Naming(local), Naming(around)

    def rank(hit: Hit) -> tuple[bool, bool, int, int, bool, int]:
        key = content_stems(hit.cell.key) if hit.cell else frozenset()
        tool = hit.passage.source.kind == "tool_result"
        return (
            tool and hit.cell is not None,
            tool,
            of_field.count(key),
            of_passage.count(hit.passage.stems),
            hit.match == "same",
            hit.passage.source.id,
        )

    return sorted(hits, key=rank, reverse=True)


def _linked(
    hit: Hit, local: frozenset[str], around: frozenset[str], claim: Claim, context: GroundContext
) -> bool:
    """Whether the claim's words lead to where the value was found: its field, its row or its line."""
    if not claim.covered:
        return True  # another language shares no words with the field names
    chain = context.rows.chain(hit.passage)
    if context.named.touches(chain):
        return True
    if hit.cell is None or len(hit.cell.text) > 40:
        return len(named_in(hit.passage.stems, around)) >= 1
    if numbered_alike(hit, claim):
        return True
    key = content_stems(f"{hit.cell.key} {hit.passage.record.place if hit.passage.record else ''}")
    return bool(named_in(key, local) or named_in(key, around))


def _same_field(hit: Hit, value: Value, context: GroundContext) -> tuple[Passage, Cell] | None:
    """The cell of the hit's field in a row that the claim does name."""
    if hit.cell is None:
        return None
    for passage in context.fitting:
        for cell, _, _ in passage.cells:
            if cell.path == hit.cell.path and passage.source.tool == hit.passage.source.tool:
                return passage, cell
    return None
