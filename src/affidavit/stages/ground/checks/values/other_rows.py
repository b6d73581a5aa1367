"""A value of another row than the one its claim, or the item of an enumeration it stands in, speaks about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.search import Hit
from affidavit.ledger.values import Value, fold
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.checks.values.hits import is_held, is_measure
from affidavit.stages.ground.checks.values.outdated import (
    first_cell,
)
from affidavit.stages.ground.checks.values.phrase import is_operand
from affidavit.stages.ground.claim import Claim, tells_field
from affidavit.stages.ground.finding import GroundContext
from affidavit.stages.ground.phrases import BESIDE, COMPARED, RANGE
from affidavit.stages.ground.topic import Group, Row

_SEVERAL = re.compile(
    r"\b(?:than|versus|vs|while|whereas|others?|another|both|each|all|respectively|compared|average|total|elsewhere|rest|remaining|difference|instead|"
    r"most|least|first|last|next|second|third|maximum|minimum|peak|best|worst|\w{3,}est)\b"
    r"|\bfrom\b[^.;]*\b(?:to|until|till)\b|->|→",
    re.I,
)
"""Words of a claim that speaks of more things than one."""
_ONE_OF_A_ROW = re.compile(
    r"\W*(?:and |but |so )*(?:the |its |their |his |her )(?:first|last|next|total|average|maximum|minimum|peak) [\w-]+ (?:is|are|was|were|will)\b"
    r"(?!.*\b(?:than|while|others?|another|each|all|from)\b)",
    re.I,
)


def of_the_rest(
    hit: Hit, value: Value, local: frozenset[str], claim: Claim, context: GroundContext
) -> tuple[Passage, Cell] | None:
    """The cell that a value should have been taken from where the rest of its claim is of the thing that the
    answer goes on speaking of: "the clutch had 9 eggs, 8 hatched and 5 fledged", of which 5 is another's."""
    chain = context.rows.chain(hit.passage)
    if hit.cell is None or not chain or not is_measure(value, hit):
        return None
    tells = tells_field(
        claim, value, hit.cell.key
    )  # "the next match" of ``next`` is not of several
    several = _SEVERAL.search(claim.text) and not (tells and _ONE_OF_A_ROW.match(claim.text))
    if several or RANGE.search(claim.text) or is_operand(value, claim):
        return None
    group = chain[0][0]
    spoken = context.topic.rows.get(group, frozenset())
    if len(spoken) != 1 or group in context.named.rows:
        return None
    if _is_column(hit, value, (group, next(iter(spoken))), claim, context):
        return None
    goes_on = context.earlier.rows.get(group) == spoken and _is_of_no_other(hit, value, claim)
    if not goes_on and not named_in(content_stems(hit.cell.key), local):
        return None
    row = [
        passage
        for passage in context.fitting
        if any(place == (group, *spoken) for place in context.rows.chain(passage)[:1])
    ]
    said = [
        *claim.values,
        *(v for c in context.before if c.sentence == claim.sentence for v in c.values),
    ]
    rest = [v for v in said if v is not value and v.kind not in ("name", "quoted")]
    told = [held for passage in row for _, held in passage.cell_values]
    of_row = any(is_held(other, held, context) for other in rest for held in told)
    if not goes_on and not of_row and not _calls_by_kind(claim, row):
        return None
    return _in_the_field_of(hit, row, context)


def _in_the_field_of(
    hit: Hit, row: Iterable[Passage], context: GroundContext
) -> tuple[Passage, Cell] | None:
    """What a row has in the field that a value was found in, where it is another value."""
    held = (
        (passage, cell)
        for passage in row
        for cell, other in passage.cell_values
        if hit.cell is not None and cell.path == hit.cell.path and other.kind == hit.value.kind
        if not is_held(hit.value, other, context)
    )
    return next(held, None)


def _is_column(
    hit: Hit, value: Value, spoken: tuple[Group, Row], claim: Claim, context: GroundContext
) -> bool:
    """Whether a claim tells one field of several rows: "the times were 48:12, 48:55 and 49:40". What the row
    that is spoken of has in another field is of that."""
    for other in claim.values:
        if other is value or other.kind != value.kind or hit.cell is None:
            continue
        hits = [h for h in context.search.hits(other, today=context.today) if h.cell is not None]
        own = [h for h in hits if context.rows.chain(h.passage)[:1] == (spoken,)]
        if any(h.cell.path == hit.cell.path for h in own or hits if h.cell is not None):
            return True
    return False


def _is_of_no_other(hit: Hit, value: Value, claim: Claim) -> bool:
    """Whether a claim says nothing but a field and its value, so that it goes on about the thing that was
    spoken of before: "parking costs €18", "714 MB were downloaded". Any name in it may be of another."""
    if hit.cell is None or any(v is not value for v in claim.values):
        return False
    names_field = tells_field(claim, value, hit.cell.key)
    alone = value.unit and _AMOUNT_FIRST.fullmatch(claim.text[: value.start])
    return names_field or bool(alone and _BECAME.match(claim.text[value.end :]))


_AMOUNT_FIRST = re.compile(
    r"\W*(?:(?:and|but|so|also|in total|in all|of that|about|around|some|only|just|a total of|altogether)\b\W*)*",
    re.I,
)
_BECAME = re.compile(r" (?:is|are|was|were|has been|have been|had been)(?: \w+ly)? \w+\W*$", re.I)
"""What is told of an amount alone, in one word: "… were downloaded"."""
_GOES_ON = re.compile(
    r"\W*(?:and |but |so |also )*(?:you|your|it|its|he|she|his|her|they|their|there|with)\b(?:['’]\w+)?\s",
    re.I,
)
"""How a clause opens that goes on about what was spoken of before."""
_NAMING = frozenset("name title label id code number key".split())


def told_of_another(
    value: Value, hit: Hit, hits: Sequence[Hit], claim: Claim, context: GroundContext
) -> tuple[Passage, Cell] | None:
    """The cell that a name should have been taken from, where nothing but the name leads to another row than
    the one that was spoken of: "you'll be seeing Dr. Ito" of the visit that is with Dr. Abe."""
    chain = context.rows.chain(hit.passage)
    if value.kind != "name" or hit.cell is None or not chain or claim.is_datum:
        return None
    if not _GOES_ON.match(claim.text[: value.start]):
        return None
    if any(words.search(claim.text) for words in (_SEVERAL, COMPARED, BESIDE)):
        return None
    record, words = hit.passage.record, hit.cell.key.split()
    if record is None or hit.cell.text in record.identity or _NAMING & set(words[-1:]):
        return None
    group, row = chain[0]
    spoken = context.earlier.rows.get(group, frozenset())
    holding = {place for h in hits for place in context.rows.chain(h.passage)[:1]}
    if len(spoken) != 1 or any((group, one) in holding for one in spoken):
        return None
    if any(h.cell is None for h in hits):
        return None
    besides = claim.text[: value.start] + claim.text[value.end :]
    if row in context.rows.named_by(besides).rows.get(group, frozenset()):
        return None
    others = [v for v in claim.values if v is not value]
    if any(
        context.rows.chain(h.passage)[:1] == ((group, row),)
        for v in others
        for h in context.search.hits(v)
    ):
        return None
    for passage in context.search.passages:
        if context.rows.chain(passage)[:1] == ((group, next(iter(spoken))),):
            for cell, _, _ in passage.cells:
                if cell.path == hit.cell.path and fold(cell.text) != fold(hit.cell.text):
                    return passage, cell
    return None


def _calls_by_kind(claim: Claim, row: Sequence[Passage]) -> bool:
    """Whether a claim opens with what the rows are: "the stall" of ``stall: River Steps``."""
    opening = _THE.match(claim.statement)
    first = next((f for p in row if p.record and (f := first_cell(p.record))), None)
    return bool(opening and first and content_stems(first.key) & content_stems(opening[1]))


_THE = re.compile(r"\W*(?:the|this|that)\s+(\w+)\s", re.I)
_ITEM = re.compile(r"[,;+]\s|\b(?:and|between|versus|vs|than)\b|:(?!\d)|\n")


def of_own_item(
    value: Value, hits: Sequence[Hit], claim: Claim, context: GroundContext
) -> list[Hit]:
    """The hits in the row that the value's own item of an enumeration names: "the kit ($24), the chair
    ($51)". What is added up or becomes something else is of any row: "$32 + $54 = $86", "from 24 to 30".
    """
    if claim.is_datum:
        return []  # a datum's row is given
    item = claim.text[: value.end]
    cuts = [m.end() for m in _ITEM.finditer(item)]
    groups = {group for h in hits for group, _ in context.rows.chain(h.passage)[:1]}
    # "Elm at 7:15, with rooms from €31": the nearest part before the value that names a row tells whose it is.
    for start in [*reversed(cuts), 0] if cuts else ():
        own = context.rows.named_by(item[start:])
        if own.rows.keys() & groups:
            own_hits = [h for h in hits if own.names(context.rows.chain(h.passage))]
            if own_hits:
                return own_hits
            break
    if is_operand(value, claim) or COMPARED.search(claim.text[: value.start]):
        return list(hits)
    changed = re.search(
        r"\bfrom\b[^.;]{1,40}\bto\s+\W*$|(?:->|→)\s*\W*$", claim.text[: value.start]
    )
    return list(hits) if changed else []


def of_another_item(
    hit: Hit, value: Value, hits: Sequence[Hit], claim: Claim, context: GroundContext
) -> tuple[Passage, Cell] | None:
    """The cell that a value should have been taken from where its claim names several rows, each with its own
    amount, and the one beside the value has another: "2 lamps for €90 and 3 chairs for €40". Not where the
    things are named together, "the lamp and the chair at €40 and €90"."""
    chain = context.rows.chain(hit.passage)
    if claim.is_datum or hit.cell is None or not chain or not is_measure(value, hit):
        return None
    group = chain[0][0]
    if len(context.topic.rows.get(group, ())) < 2 or _SEVERAL.search(claim.text):
        return None
    if is_operand(value, claim) or COMPARED.search(claim.text) or BESIDE.search(claim.text):
        return None
    own = _row_beside(value, group, claim, context)
    if own is None or any(context.rows.chain(h.passage)[:1] in ((), ((group, own),)) for h in hits):
        return None
    row = [p for p in context.fitting if context.rows.chain(p)[:1] == ((group, own),)]
    held = {v.number for p in row for _, v in p.cell_values if v.number is not None}
    if value.number in {a * b for a in held for b in held}:
        return None  # "2 lamps for €80" of ``qty: 2, unit_price: 40``
    return _in_the_field_of(hit, row, context)


def _row_beside(value: Value, group: Group, claim: Claim, context: GroundContext) -> Row | None:
    """The row of a group that the item of an enumeration names in which a value stands, where every item
    that names one has a value of its kind, and no two name the same."""
    cuts = [0, *(m.end() for m in _ITEM.finditer(claim.text)), len(claim.text)]
    named: list[Row] = []
    beside: Row | None = None
    for start, end in pairwise(cuts):
        rows = context.rows.named_by(claim.text[start:end]).rows.get(group, frozenset())
        if not rows:
            continue
        like = [v for v in claim.values if v.kind == value.kind and start <= v.start < end]
        if len(rows) != 1 or not like:
            return None
        named += rows
        if value in like:
            (beside,) = rows
    return beside if len(named) > 1 and len(set(named)) == len(named) else None
