"""Differences, percentage changes and shares between two values of one thing or one column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from itertools import permutations, product

from affidavit.ledger.values import Moment, Value, compare
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Operand,
    Table,
    counts_nothing,
    in_time,
    is_result,
    measure_of,
    number_like,
    same_measure,
    things,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

CHANGE = re.compile(
    r"\b(up|down|rose|rise[sn]?|fell|fall(?:s|en)?|grew|grow[sn]?|growth|increas\w*|decreas\w*|drop\w*|"
    r"declin\w*|shr[aiu]nk|chang\w*|gain\w*|lost|higher|lower|(?:more|less|greater|bigger|smaller|fewer)(?= than)|gestiegen|gesunken|subi\w*|baj\w*)\b",
    re.I,
)
DIFFERENCE = re.compile(
    CHANGE.pattern[:-3]
    + r"|difference|more|less|cheaper|pricier|dearer|short(?:er)?|longer|left|leav(?:es|ing)(?! (?:at|from|for|on)\b)|remain\w*|sav\w*|extra|"
    r"faster|slower|quicker|earlier|later|heavier|lighter|taller|older|younger|bigger|larger|greater|smaller|fewer|wider|narrower|broader|"
    r"warmer|colder|hotter|cooler|milder|deeper|shallower|closer|nearer|farther|further|thicker|thinner|stronger|weaker|louder|quieter|steeper|better|worse|"
    r"margin|gap|since|(?:over|under) (?:the |your |its |their )?(?:budget|limit|allowance|cap|target|threshold|minimum|maximum)|"
    r"refund\w*|net|after|alone|without|excluding|excl|before (?:shipping|delivery|tax(?:es)?|vat|fees?|tips?)|apart|ahead|behind|unterschied|diferencia|restant\w*)\b",
    re.I,
)
ARROW = r"\s*(?:-+>|=+>|→)\s*"
"""What stands between what something was and what it becomes."""
_SHARE = re.compile(r"\b(of|share|portion|proportion|percent\w*|%|anteil|de|des|von)\b|%", re.I)
_MOST = 40
"""Operands beyond which pairs are not tried: chance would find a match among so many."""


_OF = re.compile(r"\s*(?:of|in|out of)\b", re.I)


def is_part(value: Value, claim: Claim) -> bool:
    """Whether a percentage or a fraction is told as a part of something: "under two thirds of the participants"
    is no change, though "under" might speak of one."""
    told = value.text.lower().endswith(" of") or _OF.match(claim.text[value.end :])
    return value.kind == "percent" and bool(told)


def changes(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """(new − old) / old in percent, of two measures in one row or of two column totals.

    The base is always the earlier measure: 96 gained on 640 is 15 %, whatever 96/736 may be.
    """
    if value.kind != "percent" or is_part(value, claim) or not CHANGE.search(claim.statement):
        return
    for old, new in (*_ordered_pairs(context, known), *_dated_rows(claim, known)):
        if old.number == 0 or old.value.kind == "percent":
            continue
        result = round((new.number - old.number) / abs(old.number) * 100, 6)
        text = f"({new} − {old}) / {old} = {result.normalize():f} %"
        yield Derivation("change", number_like(value, result), text, (old.span, new.span))


def differences(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """One measure less another, of one thing, of one column, or of two column totals."""
    if value.number is None or value.kind == "percent":
        return
    yield from _left_of_whole(claim, value, context)
    if not DIFFERENCE.search(claim.statement):
        return
    for old, new in _ordered_pairs(context, known):
        if len(same_measure((old, new), value)) < 2:
            continue
        result = new.number - old.number
        if result == 0:
            continue
        # "Fell by 300 kWh": the word says the direction.
        shown = number_like(value, abs(result) if value.number > 0 else result, new.value.unit)
        text = f"{new} − {old}" if result > 0 else f"{old} − {new}"
        yield Derivation("difference", shown, f"{text} = {shown.text}", (old.span, new.span))
    yield from _from_stated(claim, value, context)
    yield from _short_of(claim, value, context)
    yield from _between_named(claim, value, context)
    yield from between_called(claim, value, known)
    for first, second in _two_rows(context, known):
        if len(same_measure((first, second), value)) == 2:
            shown = number_like(value, abs(first.number - second.number), first.value.unit)
            text = f"|{first} − {second}| = {shown.text}"
            yield Derivation("difference", shown, text, (first.span, second.span))


def _between_named(claim: Claim, value: Value, context: GroundContext) -> Iterator[Derivation]:
    """The difference of one field between two things that the claim, or the sentences just before it,
    name: what it costs to swap one for the other."""
    near = " ".join([*(c.statement for c in context.before[-5:]), claim.statement])
    named = context.rows.named_by(near)
    columns: dict[str, list[Operand]] = {}
    for passage in context.search.passages if named.rows else ():
        chain = context.rows.chain(passage)
        if chain and chain[0][1] in named.rows.get(chain[0][0], ()):
            for cell, held in passage.cell_values:
                if held.number is not None and held.kind == value.kind:
                    columns.setdefault(cell.key, []).append(Operand(passage, cell, held))
    for cells in columns.values():
        for first, second in permutations(cells[:12], 2):
            if first.number > second.number:
                shown = number_like(value, first.number - second.number, first.value.unit)
                text = f"{first} − {second} = {shown.text}"
                yield Derivation("difference", shown, text, (first.span, second.span))


_SHORT_OF = re.compile(
    r"\b(?:short of|shy of|away from|from|below|above|over|under|past|beyond|clear of)\s+(?:the |a |an |its |your |their )?"
    r"(?P<of>[a-z][\w -]{2,30})",
    re.I,
)
"""Up to what something is short, or by what it is beyond it."""


def _short_of(claim: Claim, value: Value, context: GroundContext) -> Iterator[Derivation]:
    """How far a row that the claim names is from a field that it names: "15 seats short of a majority"."""
    short = _SHORT_OF.search(claim.text[value.end :])
    said = content_stems(short["of"]) if short else frozenset()
    if not said or value.kind == "percent":
        return
    results = [p for p in context.search.passages if p.record is not None and is_result(p)]
    marks = [
        Operand(p, c, v)
        for p in results
        for c, v in p.cell_values
        if v.number is not None and named_in(content_stems(c.key), said)
    ]
    own = [
        Operand(p, c, v)
        for p in results
        if context.named.touches(context.rows.chain(p)[:1])
        for c, v in p.cell_values
        if v.number is not None and (not value.unit or v.unit == value.unit or v.kind != "number")
    ]
    for mark, mine in product(marks[:_FEW], own[:_FEW]):
        if mark.cell is not mine.cell and mine.value.kind == value.kind:
            shown = number_like(value, abs(mark.number - mine.number), value.unit)
            text = f"|{mark} − {mine}| = {shown.text}"
            yield Derivation("difference", shown, text, (mark.span, mine.span), exact=True)


_FEW = 6
_LEFT = re.compile(
    r"\b(?:left|leav(?:es|ing)|remain\w*|available|after|spare|more|another|further|still|free|open|vacant|empty|un(?:used|spent|booked|assigned|filled|planned|sold|taken|occupied))\b",
    re.I,
)


def _left_of_whole(claim: Claim, value: Value, context: GroundContext) -> Iterator[Derivation]:
    """A whole less all that is taken from it: a budget less what is spent and what is committed."""
    for thing in things(context) if _LEFT.search(claim.statement) else ():
        like = [o for o in thing if o.value.kind == value.kind]
        taken = [o for o in like if content_stems(o.cell.key) & _TAKEN]
        rest = [o for o in like if not content_stems(o.cell.key) & _TAKEN]
        whole = [o for o in rest if content_stems(o.cell.key) & _WHOLE] or [
            # "three beds free" of ``beds: 28``
            o
            for o in rest
            if content_stems(o.cell.key) & content_stems(value.unit)
        ]
        if len(whole) == 1 and taken:
            result = whole[0].number - sum((o.number for o in taken), Decimal(0))
            # The noun of a plain number is only the last word of its field's name.
            unit = "" if value.kind == "number" else whole[0].value.unit
            shown = number_like(value, result, unit)
            text = f"{whole[0]} − {' − '.join(map(str, taken))} = {shown.text}"
            spans = tuple(o.span for o in (*whole, *taken))
            yield Derivation("difference", shown, text, spans, exact=True)


_TAKEN = content_stems(
    "spent used committed reserved booked allocated taken paid sold consumed pending planned borrowed lent loaned occupied "
    "filled assigned issued redeemed registered enrolled claimed drawn blocked defective rented signed"
)


def between_called(claim: Claim, value: Value, known: list[Table]) -> Iterator[Derivation]:
    """The difference of one field between the two rows that the claim calls by a word of their own:
    "Okoro finished 17 votes ahead of Brandt"."""
    for table in known:
        called = table.called_in(claim.statement)
        if len(called) != 2:
            continue
        for column in table.columns.values():
            cells = [o for o in column if o.passage.pointer in called]
            if len(same_measure(cells, value)) == 2:
                first, second = sorted(cells, key=lambda o: o.number, reverse=True)
                shown = number_like(value, first.number - second.number, first.value.unit)
                text = f"{first} − {second} = {shown.text}"
                yield Derivation("difference", shown, text, (first.span, second.span))


def _from_stated(claim: Claim, value: Value, context: GroundContext) -> Iterator[Derivation]:
    """The difference between an amount the claim states and another in a field of the same name:
    "$54.85 (difference +$9.72)" when the item at hand costs 45.13."""
    for stated in claim.values:
        if stated is value or stated.number is None or stated.kind != value.kind:
            continue
        keys = {h.cell.key for h in context.search.hits(stated) if h.cell is not None}
        for sign in (-1, 1):
            other = number_like(stated, stated.number + sign * value.number)  # type: ignore[operator]
            for hit in context.search.hits(other):
                if hit.match == "same" and hit.cell is not None and hit.cell.key in keys:
                    shown = number_like(value, abs(value.number or Decimal(0)), value.unit)
                    text = f"|{stated.text} − {other.text}| = {shown.text}"
                    yield Derivation("difference", shown, text, (hit.passage.span(hit.cell),))
                    return


def shares(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """One measure as a percentage of another of the same thing."""
    if value.kind != "percent" or not _SHARE.search(claim.statement):
        return
    for part, whole in (*_ordered_pairs(context, known), *_parts(claim, context, known)):
        if whole.number != 0 and 0 <= part.number / whole.number <= 1:
            result = round(part.number / whole.number * 100, 6)
            text = f"{part} / {whole} = {result.normalize():f} %"
            yield Derivation("share", number_like(value, result), text, (part.span, whole.span))


_WHOLE = content_stems(
    "total all overall sum capacity limit budget allowance quota size max maximum possible full target goal entitled entitlement granted "
    "included contracted initial opening"
)


def _parts(
    claim: Claim, context: GroundContext, known: list[Table]
) -> Iterator[tuple[Operand, Operand]]:
    """Pairs (part, whole) that the claim names: a field of the whole's own thing, "45 of the tests", or a row's
    share of its column."""
    said = content_stems(claim.statement)
    for thing in things(context):
        measures = [o for o in thing if o.value.kind in ("number", "money", "quantity")][:_MOST]
        told = [o for o in measures if named_in(content_stems(o.cell.key), said)]
        wholes = [o for o in measures if content_stems(o.cell.key) & _WHOLE]
        for part, whole in (*product(told, wholes), *permutations(told, 2)):
            if part.value.kind == whole.value.kind and part.cell is not whole.cell:
                yield part, whole
    for table in known:
        columns = list(table.columns.values())
        told_columns = [c for c in columns if named_in(content_stems(c[0].cell.key), said)]
        called = context.named.rows
        for column in told_columns or columns[:1]:
            for part in column:
                chain = context.rows.chain(part.passage)[:1]
                if len(column) > 1 and any(row in called.get(group, ()) for group, row in chain):
                    rows = [o for o in column if o.passage.pointer not in table.totals]
                    yield part, Operand(part.passage, part.cell, _total(rows or column))


def _ordered_pairs(context: GroundContext, known: list[Table]) -> Iterator[tuple[Operand, Operand]]:
    """Pairs (earlier, later) of the fields of one thing, then pairs of column totals."""
    for thing in things(context):
        measures = [o for o in thing if o.value.kind != "percent"][:_MOST]
        for i, old in enumerate(measures):
            for new in measures[i + 1 :]:
                if measure_of(old) == measure_of(new) and old.cell is not new.cell:
                    yield in_time(old, new)
    for totals in context.search.once("totals", lambda: [_totals(table) for table in known]):
        for i, old in enumerate(totals):
            for new in totals[i + 1 :]:
                if (old.value.kind, old.value.unit) == (new.value.kind, new.value.unit):
                    yield in_time(old, new)


def _dated_rows(claim: Claim, known: list[Table]) -> Iterator[tuple[Operand, Operand]]:
    """Each column in the two rows whose days or months the claim says, in order of time: "from January to March"."""
    said = [v for v in claim.values if v.moment is not None and v.moment.clock is None]
    for table in known if len(said) > 1 else ():
        rows: dict[str, date] = {}
        for passage in table.passages:
            for _, held in passage.cell_values:
                if held.moment and any(compare(v, held) == "same" for v in said):
                    first = held.moment.date or _first_day(held.moment)
                    if first is not None:
                        rows.setdefault(passage.pointer, first)
        if len(rows) != 2:
            continue
        early, late = sorted(rows, key=lambda pointer: rows[pointer])
        for column in table.columns.values():
            pair = [o for at in (early, late) for o in column if o.passage.pointer == at]
            if len(pair) == 2 and not counts_nothing(pair[0].cell):
                yield pair[0], pair[1]


def _first_day(moment: Moment) -> date | None:
    if moment.year is None or moment.month is None:
        return None
    return date(moment.year, moment.month, 1)


def _two_rows(context: GroundContext, known: list[Table]) -> Iterator[tuple[Operand, Operand]]:
    """The same column in two rows, where the table has few rows or the claim names them."""
    fitting = {passage.id for passage in context.fitting}
    for table in known:
        for column in table.columns.values():
            cells = [o for o in column if o.passage.id in fitting]
            if 2 <= len(cells) <= 6:
                yield from permutations(cells, 2)


def _totals(table: Table) -> list[Operand]:
    return [
        Operand(column[0].passage, column[0].cell, _total(column))
        for column in table.columns.values()
        if len(column) > 1
    ]


def _total(column: list[Operand]) -> Value:
    total = sum((o.number for o in column), Decimal(0))
    return number_like(column[0].value, total)
