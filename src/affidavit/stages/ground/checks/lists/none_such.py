"""None such: "no in-stock variant has RGB and clicky switches", "none available under $537", over every row.

Where no row has even the marks that could be read from the claim, none has those and more besides. That
some have them proves nothing: the claim may ask for more than was read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from affidavit.ledger.records import Record
from affidavit.ledger.values import Value, fold
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.checks.derived.derivation import Table, same_measure, tables
from affidavit.stages.ground.checks.lists.bounds import BOUND, is_within
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "none_such"

_ONE = r"(?:option|variant|version|model|combination|choice|configuration|size|one|item|edition|plan|type|class)"
_NO_ROW = re.compile(
    r"\bnone\b|\bno (?:[\w/‑-]+ ){0,4}?(?P<noun>[\w‑-]+s)\b|\b(?:do|does|are|is)(?: not|n['’]t) (?:\w+ )?any\b"
    rf"|\bno (?:[\w/‑-]+ ){{0,4}}?{_ONE}\b"
    rf"|\b{_ONE}\b(?:[^.;:,]|(?<=\d)[.,](?=\d)){{0,60}}? (?:(?:is|was)(?: not|n['’]t)(?: currently| even)? (?:listed|offered|available|in stock|carried|shown|among|in the)|does(?: not|n['’]t) exist)\b",
    re.I,
)
"""None of several, "no sizes", or no one that is so: "a 7 bar option isn't listed"."""
_BUT = re.compile(
    r"\b(?:without|except|other than|besides|but|unless|only|than (?:the|your|that|this))\b", re.I
)
"""What turns a mark into its opposite."""
_AVAILABLE = re.compile(r"\b(?:available|in[ ‑-]stock)\b", re.I)


def check_none_such(claim: Claim, context: GroundContext) -> Finding:
    """Look for a row that has the marks which none is said to have."""
    said = _NO_ROW.search(claim.text)
    if claim.is_datum or said is None or _BUT.search(claim.text):
        return Finding.skip(NAME, "does not say that no row is like that")
    chosen = [table for table in _tables(claim, context) if _is_of(said["noun"], table)]
    # What was looked up for this answer, and not what was listed for another question before it.
    chosen = [
        t for t in chosen if t.passages[0].source.message >= context.ledger.last_said
    ] or chosen
    if content_stems(said[0]) & _KINDS_OF_ONE:
        chosen = [t for t in chosen if content_stems(t.name) & _KINDS_OF_ONE] or chosen
    # What the answer has just shown to be there is not what it says there is none of.
    if not _OTHERS.search(claim.text):
        chosen = [t for t in chosen if not _is_shown(t, context)] or chosen
    found = [_having(claim, table) for table in chosen]
    if not found or None in found:
        return Finding.skip(NAME, "no list that could tell, or no mark to look for")
    if any(found):
        return Finding.skip(NAME, "some have the marks that could be read")
    count = sum(len(table.rows) for table in chosen)
    spans = tuple(table.passages[0].span() for table in chosen)
    detail = f"none of the {count} in {chosen[0].name or 'the list'} is"
    return Finding(NAME, "checked", "supports", 0.9, None, detail, spans=spans, settles="all")


def is_of_none(value: Value, claim: Claim, context: GroundContext) -> bool:
    """Whether a value is nowhere because none has it, "no 10 bar model"; a bound, "none under $60", is somebody's."""
    bounded = BOUND.search(claim.text[: value.start])
    measured = value.number is not None and bool(value.unit)
    return measured and not bounded and check_none_such(claim, context).verdict == "supports"


def _is_shown(table: Table, context: GroundContext) -> bool:
    """Whether a claim before calls a row of the table by its number."""
    codes = {
        fold(v.text) for c in context.before for v in c.values if v.kind == "identifier"
    }  # fmt: skip
    return not codes.isdisjoint(table.by_code)


_OTHERS = re.compile(r"\b(?:other|others|else|more|further|additional|remaining|another)\b", re.I)
""" "No other one" is of those like the one that was shown."""
_KINDS_OF_ONE = content_stems(
    "variants options versions models configurations combinations editions"
)
"""What the rows are called that are one thing in several kinds."""


def _is_of(noun: str | None, table: Table) -> bool:
    """Whether the rows are what there is said to be none of: "no refunds are available for large prints" is
    not of prints."""
    stems = content_stems(noun or "")
    told = content_stems(table.name).union(*(p.stems for p in table.passages))
    return not stems or bool(stems & _ANY_ROW) or named_in(stems, told) == stems


_ANY_ROW = content_stems(
    "variants options versions models items ones products choices matches results"
)


def _tables(claim: Claim, context: GroundContext) -> list[Table]:
    """The lists whose rows share most words with the claim and with what it is about."""
    said = content_stems(f"{claim.context} {claim.statement}")
    if said & _KINDS_OF_ONE:  # an option is a variant
        said |= _KINDS_OF_ONE
    ranked = [
        (len(named_in(said, content_stems(t.name).union(*(p.stems for p in t.passages)))), t)
        for t in tables(context)
        if len(t.rows) > 1
    ]
    most = max((n for n, _ in ranked), default=0)
    return [table for n, table in ranked if n == most and n]


def _having(claim: Claim, table: Table) -> Sequence[Record] | None:
    """The rows with every mark that the claim names; None where it names none."""
    marked = table.rows_that_say(claim.text)
    rows = list(table.rows if marked is None else marked)
    known = marked is not None
    if _AVAILABLE.search(claim.text):
        flags = {id(row): _is_available(row) for row in rows}
        if None not in flags.values():
            rows, known = [row for row in rows if flags[id(row)]], True
    for value in claim.values:
        bound = BOUND.search(claim.text[: value.start])
        column = _column(table, value) if bound and value.number is not None else None
        if bound is not None and column is not None:
            rows, known = [r for r in rows if _within(column.get(r.pointer), value, bound[1])], True
        same = _column(table, value, exact=True) if bound is None and value.unit else None
        if same is not None:
            rows, known = [r for r in rows if same[r.pointer].number == value.number], True
    return rows if known else None


def _is_available(row: Record) -> bool | None:
    flags = [c.raw for c in row.cells if isinstance(c.raw, bool) and _AVAILABLE_KEY.search(c.key)]
    return flags[0] if flags else None


_AVAILABLE_KEY = re.compile(r"\b(?:available|in stock)$", re.I)


def _column(table: Table, value: Value, *, exact: bool = False) -> dict[str, Value] | None:
    """The one field that measures what the value does, by row; where ``exact``, in its very unit."""
    like = {
        operands[0].cell.path: operands
        for column in table.columns.values()
        if len(operands := same_measure(column, value)) == len(table.rows)
        and not (exact and any(o.value.unit != value.unit for o in operands))
    }
    own = {path: column for path, column in like.items() if column[0].value.kind == value.kind}
    like = own or like
    if len(like) != 1:
        return None
    return {o.passage.pointer: o.value for o in next(iter(like.values()))}


def _within(held: Value | None, limit: Value, bound: str) -> bool:
    """Whether a row's value lies on the side of a bound; one that is not known may."""
    if held is None or held.number is None or limit.number is None:
        return True
    return is_within(held.number, bound, limit.number)
