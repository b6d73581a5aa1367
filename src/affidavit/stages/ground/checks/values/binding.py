"""Whether a value that was found is the one the claim speaks about: the right row, the right field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from affidavit.ledger.ledger import Passage
from affidavit.ledger.named_keys import COUNTRY_FIELDS, LANGUAGE_FIELDS
from affidavit.ledger.records import Cell
from affidavit.ledger.search import Hit
from affidavit.ledger.values import Value, compare, fold
from affidavit.ledger.values.field_paths import field_words
from affidavit.ledger.words import Naming, content_stems, named_in, stem
from affidavit.stages.ground.checks.values.edges import is_own_edge
from affidavit.stages.ground.checks.values.events import of_own_event
from affidavit.stages.ground.checks.values.outdated import (
    CODE_CHARS,
    comparable_cells,
    first_cell,
    speaks_of_past,
    superseded,
)
from affidavit.stages.ground.claim import Claim, tells_field
from affidavit.stages.ground.finding import GroundContext
from affidavit.stages.ground.phrases import BESIDE, COMPARED, RANGE
from affidavit.stages.ground.topic import Group, Row

_LABELS = frozenset(
    stem(word) for word in "number id date time name code type version value no amount key".split()
)
"""Words of field names that say what sort of value it is and not which one."""

_SEGMENT = re.compile(r"[,;:()]|\s(?:and|but|y|und|et|e|with|plus|or)\s|\s[-–—]\s")


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
    fitting = fitting or _of_own_item(value, hits, claim, context)
    fitting = fitting or of_own_event(value, hits, claim, context)
    ranked = _ranked(fitting or hits, local, around)
    if near and (own := _of_another_item(ranked[0], value, hits, claim, context)):
        return Binding("wrong_item", ranked[0], instead=own)
    if fitting and (own := _told_of_another(value, ranked[0], hits, claim, context)):
        return Binding("wrong_row", ranked[0], instead=own)
    if fitting and not near and (own := _of_the_rest(ranked[0], value, local, claim, context)):
        return Binding("wrong_row", ranked[0], instead=own)
    if not fitting:
        return Binding("wrong_row", ranked[0], instead=_same_field(ranked[0], value, context))
    wrong: Binding | None = None
    for hit in ranked:
        rival = None
        if not _is_score(value, hit, claim) and not is_own_edge(value, hit, claim):
            rival = _better_field(hit, value, local, claim, context)
        rival = rival or _other_part(hit, value, claim, context)
        rival = rival or _limit_or_measure(hit, value, hits, claim, context)
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


def _of_the_rest(
    hit: Hit, value: Value, local: frozenset[str], claim: Claim, context: GroundContext
) -> tuple[Passage, Cell] | None:
    """The cell that a value should have been taken from where the rest of its claim is of the thing that the
    answer goes on speaking of: "the clutch had 9 eggs, 8 hatched and 5 fledged", of which 5 is another's."""
    chain = context.rows.chain(hit.passage)
    if hit.cell is None or not chain or not _measured(value, hit):
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
    of_row = any(_is(other, held, context) for other in rest for held in told)
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
        if not _is(hit.value, other, context)
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


def _beside(hit: Hit, number: str) -> bool:
    lines = hit.passage.text.splitlines()
    return any(number in line and hit.value.text in line for line in lines)


_GOES_ON = re.compile(
    r"\W*(?:and |but |so |also )*(?:you|your|it|its|he|she|his|her|they|their|there|with)\b(?:['’]\w+)?\s",
    re.I,
)
"""How a clause opens that goes on about what was spoken of before."""
_NAMING = frozenset("name title label id code number key".split())


def _told_of_another(
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

_SCORES = content_stems("points score goals runs")


def _is_score(value: Value, hit: Hit, claim: Claim) -> bool:
    """Whether a number is one side of a score, "won 96 - 89", which is of no field called ``wins``."""
    if hit.cell is None or not content_stems(hit.cell.key) & _SCORES:
        return False
    after, before = claim.text[value.end :], claim.text[: value.start]
    return bool(re.match(r"\s?[-–]\s?\d", after) or re.search(r"\d\s?[-–]\s?$", before))


_ITEM = re.compile(r"[,;+]\s|\b(?:and|between|versus|vs|than)\b|:(?!\d)|\n")
_IN_SUM = re.compile(r"\s*(?:\([^()]*\)\s*)?[+−–×*=-]\s*[€$£¥\d(]")


def _of_own_item(
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


def _of_another_item(
    hit: Hit, value: Value, hits: Sequence[Hit], claim: Claim, context: GroundContext
) -> tuple[Passage, Cell] | None:
    """The cell that a value should have been taken from where its claim names several rows, each with its own
    amount, and the one beside the value has another: "2 lamps for €90 and 3 chairs for €40". Not where the
    things are named together, "the lamp and the chair at €40 and €90"."""
    chain = context.rows.chain(hit.passage)
    if claim.is_datum or hit.cell is None or not chain or not _measured(value, hit):
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


def is_operand(value: Value, claim: Claim) -> bool:
    """Whether a value stands in an equation: "$32 + $54 = $86"."""
    ahead = claim.text[: value.start].replace("**", "")
    before = re.search(r"[+−–×*=-]\s*[^\w\s]?$", ahead)
    return bool(before or _IN_SUM.match(claim.text[value.end :]))


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


def local_stems(claim: Claim, value: Value) -> frozenset[str]:
    """The words nearest to a value: its own phrase, its column and its field, not the whole claim."""
    label = ""
    if claim.cell is not None:
        label = claim.cell.column
    if claim.json_path:
        label = " ".join(str(step) for step in claim.json_path)
    stems = content_stems(f"{label} {phrase_around(claim, value)} {value.unit}")
    return stems or content_stems(claim.statement)


def phrase_around(claim: Claim, value: Value) -> str:
    """The words before and after a value, up to the next comma or conjunction."""
    cuts = [0, *(m.end() for m in _SEGMENT.finditer(claim.text)), len(claim.text)]
    left = max(cut for cut in cuts if cut <= value.start)
    right = min((cut for cut in cuts if cut >= value.end), default=len(claim.text))
    if _FRONTED.fullmatch(claim.text[:left]):
        left = 0
    return claim.text[left : value.start] + " " + claim.text[value.end : right]


_FRONTED = re.compile(
    r"\W*(?:and |but )?(?:for|in|at|on|with|as for|as to|of|from|under|within|regarding|concerning|when it comes to)\b[^,;:()\d]{2,50},",
    re.I,
)
"""What a claim opens with that its value is of: "for theft, the deductible is $500"."""


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
    if any(row in context.named.rows.get(group, ()) for group, row in chain):
        return True
    if hit.cell is None or len(hit.cell.text) > 40:
        return len(named_in(hit.passage.stems, around)) >= 1
    if _numbered_alike(hit, claim):
        return True
    key = content_stems(f"{hit.cell.key} {hit.passage.record.place if hit.passage.record else ''}")
    return bool(named_in(key, local) or named_in(key, around))


def _numbered_alike(hit: Hit, claim: Claim) -> bool:
    """Whether a cell and the claim number the same noun: "from desk 4" of ``Faro Airport, desk 4``."""
    if hit.cell is None or not isinstance(hit.cell.raw, str):
        return False
    said = f" {fold(claim.text)} "
    return any(
        f" {fold(m[0])} " in said
        for m in _NUMBERED.finditer(hit.cell.raw)
        if hit.value.text in m[0]
    )


_NUMBERED = re.compile(r"[^\W\d_]{3,} (?:no\. ?|nr\. ?|#)?\d+\w?\b")


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


def _better_field(
    hit: Hit, value: Value, local: frozenset[str], claim: Claim, context: GroundContext
) -> tuple[Passage, Cell] | None:
    """A field of the same thing that the claim's words name and the one that was hit is not.

    "$2,841.17 available" hits ``balance.current``; ``balance.available`` beside it holds another
    amount, and "available" names that one alone. A field whose value the claim states as well is
    accounted for and is no rival.
    """
    if hit.cell is None or not _measured(value, hit) or _numbered_alike(hit, claim):
        return None
    mine, said = content_stems(hit.cell.key), content_stems(claim.statement)
    # "A net leverage of 3.12": the row's own name calls for no field ``net_debt`` of it.
    local -= _name_said(hit.passage, local)
    if mine & _WHOLES and _PART_OF.search(claim.text[: value.start]):
        return None  # "410 of 500 GB are used": the second is what the first is a part of
    counted = content_stems(value.unit.split(" ")[-1])  # "14 packs" names no ``pack_size``
    for passage, cell, other in comparable_cells(_siblings(hit.passage, context), value):
        if cell is hit.cell or _is(value, other, context):
            continue
        if value.kind == "identifier" and len(value.key) <= _GRADE < len(other.key):
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
        if not any(_is(said, v, context) for said in claim.values for v in readings):
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


def _other_part(
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
            if cell.path == other and not _is(value, held, context):
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


def _limit_or_measure(
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


def _measured(value: Value, hit: Hit) -> bool:
    """Whether two fields could be confused over this value: amounts and dates can, names cannot."""
    return (
        value.number is not None
        or value.moment is not None
        or (
            value.kind == hit.value.kind == "identifier"
            and (value.key.isdigit() or len(value.key) <= _GRADE)
        )
    )


_GRADE = 3
"""Signs of a code so short that several things may have it: a level B1, a seat 12A, a gate."""


def _is(said: Value, held: Value, context: GroundContext) -> bool:
    return compare(said, held, today=context.today) in ("same", "rounded")


def _same_field(hit: Hit, value: Value, context: GroundContext) -> tuple[Passage, Cell] | None:
    """The cell of the hit's field in a row that the claim does name."""
    if hit.cell is None:
        return None
    for passage in context.fitting:
        for cell, _, _ in passage.cells:
            if cell.path == hit.cell.path and passage.source.tool == hit.passage.source.tool:
                return passage, cell
    return None
