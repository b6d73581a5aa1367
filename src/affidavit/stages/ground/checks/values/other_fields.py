"""A value of another field of the same thing than the one its claim names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.search import Hit
from affidavit.ledger.values import Value, fold
from affidavit.ledger.values.field_paths import field_words
from affidavit.ledger.words import content_stems, named_in, stem
from affidavit.stages.ground.checks.values.hits import GRADE, is_held, is_measure, numbered_alike
from affidavit.stages.ground.checks.values.outdated import (
    comparable_cells,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_LABELS = frozenset(
    stem(word) for word in "number id date time name code type version value no amount key".split()
)
"""Words of field names that say what sort of value it is and not which one."""


def _siblings(passage: Passage, context: GroundContext) -> list[Passage]:
    """The passages of the same record that the claim may speak about."""
    if not context.rows.chain(passage):
        return [passage]
    return [
        other
        for other in _of_record(passage, context)
        if context.topic.fits(context.rows.chain(other))
    ]


def _of_record(passage: Passage, context: GroundContext) -> Sequence[Passage]:
    """All passages that show cells of a passage's record: a long one is dealt out over several."""
    known = context.search.once("of record", lambda: _by_record(context.search.passages))
    return known.get((passage.source.id, passage.pointer), ())


def _by_record(passages: Iterable[Passage]) -> dict[tuple[int, str], list[Passage]]:
    found: dict[tuple[int, str], list[Passage]] = {}
    for passage in passages:
        if passage.record is not None:
            found.setdefault((passage.source.id, passage.record.pointer), []).append(passage)
    return found


def better_field(
    hit: Hit, value: Value, local: frozenset[str], claim: Claim, context: GroundContext
) -> tuple[Passage, Cell] | None:
    """A field of the same thing that the claim's words name and the one that was hit is not.

    "$2,841.17 available" hits ``balance.current``; ``balance.available`` beside it holds another
    amount, and "available" names that one alone. A field whose value the claim states as well is
    accounted for and is no rival.
    """
    if hit.cell is None or not is_measure(value, hit) or numbered_alike(hit, claim):
        return None
    mine, said = content_stems(hit.cell.key), content_stems(claim.statement)
    # "A net leverage of 3.12": the row's own name calls for no field ``net_debt`` of it.
    local -= _name_said(hit.passage, local)
    if mine & _WHOLES and _PART_OF.search(claim.text[: value.start]):
        return None  # "410 of 500 GB are used": the second is what the first is a part of
    counted = content_stems(value.unit.split(" ")[-1])  # "14 packs" names no ``pack_size``
    for passage, cell, other in comparable_cells(_siblings(hit.passage, context), value):
        if cell is hit.cell or is_held(value, other, context):
            continue
        if value.kind == "identifier" and len(value.key) <= GRADE < len(other.key):
            continue  # "a P3 ticket" is no ``ticket: HD-3318``
        if hit.value.kind == "quantity" and hit.value.unit and not other.unit:
            continue  # "15 bar" of a model that is "priced higher" is no price
        theirs = content_stems(cell.key)
        only_theirs = (theirs - mine - _LABELS - counted) & local
        only_mine = named_in(mine - theirs, local)
        if named_in(mine - theirs, said) and len(named_in(theirs - _LABELS, local)) < len(
            theirs - _LABELS
        ):
            continue  # "roaming, with a fair-use limit": ``roaming`` is meant, not ``data_used``
        # "Six assists" names the field ``assists`` outright.
        outright = bool(counted) and theirs == counted != mine
        outright = outright and not named_in(mine - theirs, local)
        if not (outright or (only_theirs and not only_mine)):
            continue
        readings = [v for c, v in passage.cell_values if c is cell]
        if not any(is_held(said, v, context) for said in claim.values for v in readings):
            return passage, cell
    return None


def _name_said(passage: Passage, local: frozenset[str]) -> frozenset[str]:
    """The words of a row's own name, where a claim says all of them."""
    identity = passage.record.identity if passage.record else ""
    names = (c.text for c, _, _ in passage.cells if c.text in identity and isinstance(c.raw, str))
    stems = (content_stems(name.replace("_", " ")) for name in names)
    return frozenset().union(*(name for name in stems if name <= local))


_WHOLES = content_stems(
    "limit total capacity max maximum size quota allowed allowance desired goal target budget all available seats places"
)
_PART_OF = re.compile(
    r"\d\S*(?:\s[^\W\d_/]{1,12}){0,2}\s(?:out )?of (?:a |the )?(?:total (?:of )?|maximum (?:of )?|possible )?$",
    re.I,
)


def other_part(
    hit: Hit, value: Value, claim: Claim, context: GroundContext
) -> tuple[Passage, Cell] | None:
    """The same field of the other part of a record, where the claim names that part and not this one:
    with ``home.name: Utah`` and ``visitor.name: Lakers``, points of the Lakers are not ``home.points``.
    """
    if hit.cell is None or hit.passage.record is None or len(hit.cell.path) < 2:
        return None
    part, rest = hit.cell.path[0], hit.cell.path[1:]
    said = f" {fold(claim.statement)} "
    named = {
        cell.path[0]
        for cell in hit.passage.record.cells
        if len(cell.path) == 2 and str(cell.path[1]) in ("name", "city", "id", "code", "title")
        if isinstance(cell.raw, str) and cell.text and f" {fold(cell.text)} " in said
    }
    if part in named or len(named) != 1:
        return None
    other = (*named, *rest)
    for passage in _of_record(hit.passage, context):
        for cell, held in passage.cell_values:
            if cell.path == other and not is_held(value, held, context):
                return passage, cell
    return None


_LIMIT_FIELDS = frozenset(
    "limit threshold maximum minimum max min target goal budget cap allowance allowed permitted quota ceiling floor".split()
)
_MEASURE_FIELDS = frozenset(
    "actual value current measured measurement reading result observed".split()
)
_OF_LIMITS = re.compile(
    r"\b(?:limits?|threshold|max(?:imum)?|min(?:imum)?|targets?|goals?|budget\w*|cap(?:s|ped)?|quota|ceiling|floor|allow\w*|permit\w*|"
    r"at most|at least|up to|down to|no (?:more|less|fewer) than|requir\w*|needs?|must|should|may|can|under|below|above|over|within|between|"
    r"beyond|exceed\w*|aim\w*|plan\w*|set|stipulat\w*|demand\w*|until)\b",
    re.I,
)
_WAS_MEASURED = re.compile(
    r"\b(?:was|were|reached|came to|stood at|measured|recorded|registered|read|showed|ran at|totall?ed|amounted to|spent|"
    r"had (?:an? )?(?:[\w-]+ ){1,3}of)(?: (?:at|about|around|only|just|already|a total of))*\s\W*$",
    re.I,
)
"""How a measure is told, before its value; "you have €4,000 for it" may be of the budget."""
_LIMIT_TOLD = re.compile(
    r"\b(?:limit|threshold|maximum|minimum|target|goal|budget|cap|quota|at most|at least|up to|no (?:more|less|fewer) than)"
    r"(?: (?:is|was|of|at|to|a|an|the|set|stands|allows))*\s\W*$",
    re.I,
)


def limit_or_measure(
    hit: Hit, value: Value, hits: Sequence[Hit], claim: Claim, context: GroundContext
) -> tuple[Passage, Cell] | None:
    """The measure of a thing, where its limit is told as what it is: "noise was 45 dB" of ``limit: 45,
    measured: 42.6``; and its limit, where the measure is told as that."""
    if hit.cell is None or value.number is None or claim.is_datum:
        return None
    own = set(field_words(hit.cell.path)[-1:])
    measured = _WAS_MEASURED.search(claim.text[: value.start])
    if own & _LIMIT_FIELDS and measured and not _OF_LIMITS.search(claim.statement):
        wanted = _MEASURE_FIELDS
    elif own & _MEASURE_FIELDS and _LIMIT_TOLD.search(claim.text[: value.start]):
        wanted = _LIMIT_FIELDS
    else:
        return None
    there = {id(h.cell) for h in hits}
    beside = {
        id(cell): (passage, cell)
        for passage in _siblings(hit.passage, context)
        for cell, other in passage.cell_values
        if cell.path[:-1] == hit.cell.path[:-1] and other.number not in (None, hit.value.number)
        if set(field_words(cell.path)[-1:]) & wanted
    }
    return next(iter(beside.values())) if len(beside) == 1 and not beside.keys() & there else None
