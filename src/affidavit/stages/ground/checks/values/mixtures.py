"""Mixtures: what one breath says of one thing is of one row, not most of it of one row and the rest of another.

"Laptop (15-inch, i5, 16 GB)" where the one row that is a laptop with an i5 and 16 GB has 13 inches, and
15 inches are another's: each value stands in the evidence, and no word of the claim names a wrong row.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell, Record
from affidavit.ledger.search import Hit, Search
from affidavit.ledger.values import Value, fold
from affidavit.ledger.words import STOP_WORDS, content_stems, is_negated
from affidavit.stages.ground.checks.derived import derive
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.checks.values.phrase import is_operand
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "mixtures"

_CHANGED = r"\b(?:replac|exchang|swap|chang|switch|upgrad|modif|updat|convert)\w*\b(?:(?!->)[^.;→]){0,40}?\b(?:with|for|to|into|by)\b"
_THING_END = re.compile(
    r"[;\n]|\.\s|→|->|\b(?:to|for|into|with|by|from) (?=(?:the |an? |your |my )?(?:new|item|another|other|[A-Z]))|"
    + _CHANGED
    + r"|\((?=(?:current|original|previous|existing|old|new|was|instead|vs|compared|up from|down from)\b)"
)
_SORT = re.compile(r"(?:^| )(?:type|status|source|kind|role|reason|currency)$")
"""Fields that sort records rather than tell them apart: what "refund" means is not the row called so."""
_LABEL = re.compile(r"(\w[\w ]{0,20})[*_]*:[*_]*\s*$")
_JUDGED = frozenset({"money", "quantity", "identifier", "email", "phone", "duration", "number"})
"""Kinds that a row is told by; a name may be of anything."""
_LONGEST = 6
"""Words of the longest cell that counts as a mark of its row."""
_SEVERAL = 3
"""Words from which on a row that has them all is the one meant."""
_COMMON = 200
"""Rows from which on a phrase or a value tells nothing."""

_Record = tuple[int, str]
"""A record by its source and its pointer."""


@dataclass
class _Breath:
    """What is said of one thing: its stretches of text, each with the records that hold it."""

    marks: dict[_Record, set[int]] = field(default_factory=lambda: defaultdict(set))
    """The stretches that each record holds."""
    cells: set[int] = field(default_factory=set)
    """The cells that are stated, by ``id``."""
    texts: list[str] = field(default_factory=list)
    judged: list[tuple[int, Value]] = field(default_factory=list)
    """The stretches that are values of the claim to be judged."""


def check_mixtures(claim: Claim, context: GroundContext) -> Finding:
    """Look for a value of another row than the one that holds all else that is said in one breath."""
    if claim.is_datum or is_negated(claim.text):
        return Finding.skip(NAME, "a datum, or a denial")
    for breath in _breaths(claim, context):
        for n, value in breath.judged:
            odd = _odd_one(n, value, breath, claim, context)
            if odd is not None:
                hit, passage, cell = odd
                record = hit.passage.record
                detail = (
                    f"“{value.text}” is of {record.header if record else 'another'}; "
                    f"what else is said is of {passage.span(cell).text}"
                )
                return Finding(
                    NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail,
                    spans=(passage.span(cell),),
                )  # fmt: skip
    return _of_one_row(claim, context)


def _of_one_row(claim: Claim, context: GroundContext) -> Finding:
    """ "Black, medium brightness, AC adapter": nothing but what one row has, and what its fields are called."""
    breath = _Breath()
    _read(claim, 0, len(claim.text), breath, context, judged=True)
    said = content_stems(claim.statement if claim.is_elliptic else claim.text)
    for record, held in breath.marks.items() if len(said) >= _SEVERAL else ():
        passages = _by_record(context.search).get(record, [])
        told = " ".join(f"{cell.key} {cell.text}" for p in passages for cell, _, _ in p.cells)
        fitting = [p for p in passages if context.topic.fits(context.rows.chain(p))]
        whole = len(held) == len(breath.texts) >= 2 and said <= content_stems(told)
        if fitting and whole:
            span = fitting[0].span()
            return Finding(
                NAME, "checked", "supports", 0.92, None, f"of one row: {span.text[:120]}", spans=(span,)
            )  # fmt: skip
    return Finding.skip(NAME, "no value of another row than the rest")


def _odd_one(
    n: int, value: Value, breath: _Breath, claim: Claim, context: GroundContext
) -> tuple[Hit, Passage, Cell] | None:
    """The hit of a value in another row, with the cell that the row of all else has in its place."""
    others = {record: held - {n} for record, held in breath.marks.items()}
    every = context.search.hits(value, today=context.today)
    hits = [hit for hit in every if hit.value.kind == value.kind] or every
    if not hits:
        return None
    own = [_said_of(hit.passage, others, breath) - {n} for hit in hits]
    fields = {hit.cell.path for hit in hits if hit.cell is not None}
    for record, held in others.items():
        if len(held) < 2 or n in breath.marks[record]:
            continue
        for passage in _by_record(context.search).get(record, ()):
            # What is said of the value's own row and not of this one tells that row by itself.
            said = _said_of(passage, others, breath)
            cell = _in_its_place(value, fields, passage, breath, claim)
            if cell is None or not all(mine < said for mine in own):
                continue
            if _called(cell, value, claim) or derive(value, claim, context) is None:
                return next((h for h in hits if h.cell is not None), hits[0]), passage, cell
    return None


def _in_its_place(
    value: Value,
    fields: set[tuple[str | int, ...]],
    passage: Passage,
    breath: _Breath,
    claim: Claim,
) -> Cell | None:
    """What a row holds, unsaid, in the field of a value, or in the one that the claim calls it by."""
    for cell, held in passage.cell_values:
        same = cell.path in fields or (held.kind == value.kind and _called(cell, value, claim))
        if same and id(cell) not in breath.cells:
            return cell
    return None


def _said_of(passage: Passage, others: dict[_Record, set[int]], breath: _Breath) -> set[int]:
    """What is said of a row, and of those it lies in."""
    if passage.record is None:
        told = f" {fold(passage.text)} "
        return {n for n, text in enumerate(breath.texts) if f" {fold(text)} " in told}
    found: set[int] = set()
    level: Record | None = passage.record
    while level is not None:
        found |= others.get((passage.source.id, level.pointer), set())
        level = level.parent
    return found


def _called(cell: Cell, value: Value, claim: Claim) -> bool:
    """Whether the words right before an amount call it by this field: "Price: $5"."""
    before = _LABEL.search(claim.text[: value.start])
    return value.kind == "money" and before is not None and fold(before[1]) == fold(cell.key)


def _breaths(claim: Claim, context: GroundContext) -> Iterator[_Breath]:
    """The stretches of the claim that speak of one thing each; a list of fields speaks of one as well."""
    # A line that tells of two things, "from 17 → to 19", gives no field of the one listed.
    listed = [other for other in context.beside if not _THING_END.search(other.text)]
    if claim in listed:
        breath = _Breath()
        for other in listed:
            _read(other, 0, len(other.text), breath, context, judged=other is claim)
        yield breath
    cuts = [0, *(m.end() for m in _THING_END.finditer(claim.text)), len(claim.text)]
    for start, end in pairwise(cuts):
        breath = _Breath()
        _read(claim, start, end, breath, context, judged=True)
        yield breath


def _read(
    claim: Claim, start: int, end: int, breath: _Breath, context: GroundContext, *, judged: bool
) -> None:
    """Add what ``claim.text[start:end]`` says to a breath: its values, then the words between them."""
    rest = list(claim.text[start:end])
    for value in claim.values:
        if value.kind not in _JUDGED or not start <= value.start < end:
            continue
        rest[value.start - start : value.end - start] = "\n" * (value.end - value.start)
        hits = [h for h in context.search.hits(value, today=context.today) if h.cell is not None]
        if len(hits) >= _COMMON:
            continue
        if judged and _is_telling(value, claim):
            breath.judged.append((len(breath.texts), value))
        _mark(value.text, [(h.passage, h.cell) for h in hits if h.cell], breath)
    for stretch in "".join(rest).split("\n"):
        _read_words(stretch, breath, context)


def _is_telling(value: Value, claim: Claim) -> bool:
    """Whether a value is of one row: not a small number, nor what is added up."""
    digits = sum(map(str.isdigit, value.text))
    summed = value.kind == "money" and is_operand(value, claim)
    return digits >= (4 if value.kind == "number" else 1) and not summed


def _read_words(text: str, breath: _Breath, context: GroundContext) -> None:
    phrases = _by_phrase(context.search)
    words = re.findall(r"\w+", text)
    at = 0
    while at < len(words):
        for size in range(min(_LONGEST, len(words) - at), 0, -1):
            said = " ".join(words[at : at + size])
            if len(said) < 3 and not said.isupper():
                continue  # "or" is no Oregon
            found = phrases.get(fold(said), ())
            if found and len(found) < _COMMON:
                _mark(said, found, breath)
                at += size - 1
                break
        at += 1


def _mark(text: str, found: Sequence[tuple[Passage, Cell]], breath: _Breath) -> None:
    n = len(breath.texts)
    breath.texts.append(text)
    for passage, cell in found:
        if passage.record is not None and is_result(passage):
            breath.marks[passage.source.id, passage.record.pointer].add(n)
            breath.cells.add(id(cell))


def _by_phrase(search: Search) -> dict[str, list[tuple[Passage, Cell]]]:
    """The short cells of the results, by their folded text."""

    def read() -> dict[str, list[tuple[Passage, Cell]]]:
        found: dict[str, list[tuple[Passage, Cell]]] = defaultdict(list)
        for passage in search.passages:
            for cell, _, _ in passage.cells if is_result(passage) else ():
                if isinstance(cell.raw, str) and len(cell.raw) > 1 and not _SORT.search(cell.key):
                    text = fold(cell.raw)
                    if text not in STOP_WORDS and len(text.split()) <= _LONGEST:
                        found[text].append((passage, cell))
        return found

    return search.once("cells by phrase", read)


def _by_record(search: Search) -> dict[_Record, list[Passage]]:
    def read() -> dict[_Record, list[Passage]]:
        found: dict[_Record, list[Passage]] = defaultdict(list)
        for passage in search.passages:
            if passage.record is not None and is_result(passage):
                found[passage.source.id, passage.record.pointer].append(passage)
        return found

    return search.once("passages by record", read)
