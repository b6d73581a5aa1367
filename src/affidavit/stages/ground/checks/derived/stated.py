"""Arithmetic on what the answer itself has stated and the evidence bears out: "10,412 to 10,371, by 41"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import combinations, permutations

from affidavit.ledger.values import Value, parse_values
from affidavit.ledger.words import content_stems
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.aggregate import SUM
from affidavit.stages.ground.checks.derived.change import DIFFERENCE, between_called
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Table,
    is_result,
    like_measures,
    number_like,
)
from affidavit.stages.ground.checks.derived.equation import equations
from affidavit.stages.ground.claim import Claim, bare_words
from affidavit.stages.ground.finding import GroundContext

_LEFT_ELSEWHERE = (
    r"noch|übrig|verbleib\w*|fehl(?:t|en)|encore|reste(?:nt|ra|ront)?|restants?|restantes?|il manque|aún|todavía|queda[nr]?|resta[nr]?|"
    r"falta[nr]?|ancora|restano|rimang\w+|rimane|manca(?:no)?|ainda|sobra[mr]?|restam|nog|resterend\w*|resteert"
)
"""Words for what is left, in other languages."""
_SUBTRACTS = re.compile(
    r"\b(?:to go|to spare|away|missing|still needed|by|short|since|margin|gap|apart|ahead|behind|so|reduc\w+|remov\w+|deduct\w*|without|minus|"
    rf"{_LEFT_ELSEWHERE})\b",
    re.I,
)
_RESTS = re.compile(
    rf"\b(?:leaves?|leaving|left|remain\w*|to go|to spare|still (?:free|open|needed)|{_LEFT_ELSEWHERE})\b",
    re.I,
)
"""What is left may bear another name than what it is left of: 63 units, 18 reserved, "45 free to sell"."""
_NEAR = 6
"""How many claims back an answer still computes with."""


def stated(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The difference, the sum or the ratio of values that this claim or those just before it state.

    Operands are few and each is in the evidence (a value stated before was judged by itself), so a
    chance match is unlikely.
    """
    if value.number is None:
        return
    for equation in equations(claim):
        if equation.value is value and all(_is_told(o, context) for o in equation.operands):
            yield _derivation(
                "equation", value, equation.result, equation.text, context, *equation.operands
            )
    operands = _operands(claim, value, context)
    if value.kind == "percent":
        yield from _ratios(value, [*operands, *_worked_out(claim, value, operands, known)])
        return
    yield from _remainders(claim, value, operands, context)
    datum = claim.is_datum
    like = [
        o
        for o in operands
        if (o.kind, o.unit) == (value.kind, value.unit)
        or _bare(o, value)
        or (o.kind == value.kind == "number" and _RESTS.search(claim.text))
    ]
    subtracts = datum or _SUBTRACTS.search(claim.statement) or DIFFERENCE.search(claim.statement)
    for a, b in permutations(like, 2) if subtracts else ():
        if a.number is not None and b.number is not None and a.number >= b.number:
            yield _derivation(
                "difference", value, a.number - b.number, f"{a.text} − {b.text}", context, a, b
            )
    if not datum and not SUM.search(claim.statement):
        return
    if not datum:
        yield from _list_above(claim, value, context)
        yield from _told_alike(value, context)
    elif claim.json_path is not None and SUM.search(str(claim.json_path[-1]).replace("_", " ")):
        yield from _leaves_alike(claim.json_path, value, context)
    sizes = (len(like),) if claim.json_path is not None else (2, 3, 4)
    for size in sizes:
        for parts in combinations(like, size):
            if len({p.unit for p in (*parts, value) if p.unit}) > 1:
                continue  # three assists and 29 points are no 32 points
            if not datum and _leaves_out(parts, claim, context):
                continue
            total = sum((p.number or Decimal(0) for p in parts), Decimal(0))
            text = " + ".join(p.text for p in parts)
            yield _derivation("sum", value, total, text, context, *parts)


_NOT_ADDED = re.compile(
    r"\b(?:instead of|rather than|was|were|from [€$£¥]?\d|down|off|less|minus|discount\w*|sav\w+|deposits?|refundable|hold|budget|limit|balance|"
    r"before|compared|than|versus|vs|includ\w+|of which|or|would|could|if)\b|→|->",
    re.I,
)
"""Words of a claim that has amounts which are not all to be added up."""


def _leaves_out(parts: Sequence[Value], claim: Claim, context: GroundContext) -> bool:
    """Whether a total that names none of its parts takes one amount of a claim and leaves out another beside it:
    "the driver adds €36 and the one-way fee €45. In total that makes €294" of €249 and €45. A price of which the
    other is a multiple is no part of its own."""
    said = content_stems(bare_words(claim))
    for earlier in context.before[-_NEAR:]:
        used = [v for v in earlier.values if any(v is part for part in parts)]
        if not used or said & content_stems(bare_words(earlier)):
            continue
        if _NOT_ADDED.search(earlier.text):
            continue
        like = [v for v in earlier.values if (v.kind, v.unit) == (used[0].kind, used[0].unit)]
        rest = [v for v in like if not any(v is one for one in used)]
        counts = {v.face or v.number for v in earlier.values if v not in like}
        if any(not _makes_up(v, rest, used, counts) for v in rest):
            return True
    return False


def _makes_up(
    value: Value, rest: Sequence[Value], used: Sequence[Value], counts: set[Decimal | None]
) -> bool:
    """Whether a used amount is so many times another, or all that is beside it taken together."""
    total = sum((v.number or Decimal(0) for v in rest), Decimal(0))
    return any(
        one.number == total or (value.number and (one.number or 0) / value.number in counts)
        for one in used
    )


def _worked_out(
    claim: Claim, value: Value, operands: Sequence[Value], known: list[Table]
) -> list[Value]:
    """Differences of two named rows that the claim itself states, and then gives the share of: "17 votes
    ahead of Brandt, 0.16 % of all votes"."""
    return [
        v
        for v in claim.values
        if v.number is not None
        and v.kind != "percent"
        and v is not value
        and v not in operands
        and DIFFERENCE.search(claim.statement)
        and any(v.number == found.result.number for found in between_called(claim, v, known))
    ]


def _remainders(
    claim: Claim, value: Value, operands: Sequence[Value], context: GroundContext
) -> Iterator[Derivation]:
    """What is left of a field that the claim names: "balance after the charge" of ``balance: 86`` and
    a charge just stated."""
    if not _LEFT.search(claim.statement):
        return
    said = content_stems(claim.statement)
    for passage in filter(is_result, context.fitting):
        for cell, held in passage.cell_values:
            key = content_stems(cell.key)
            if held.number is None or not key & said or not like_measures(held, value):
                continue
            for taken in operands:
                if taken.number and like_measures(taken, value) and taken.number <= held.number:
                    shown = number_like(value, held.number - taken.number)
                    text = f"{cell.text} − {taken.text} = {shown.text}"
                    yield Derivation("difference", shown, text, (passage.span(cell),), exact=True)


_LEFT = re.compile(r"\b(?:after|left|remain\w*|new (?:\w+ ){0,2}balance)\b", re.I)


def _list_above(claim: Claim, value: Value, context: GroundContext) -> Iterator[Derivation]:
    """The sum of the amounts last stated, from any of them on: the total under a list; of lines that state
    two, "$481.50 → $466.75", also of what each of them ends with."""
    lines = [
        [v for v in c.values if (v.kind, v.unit) == (value.kind, value.unit)]
        for c in context.before
    ]
    every = [v for line in lines for v in line]
    ends = [line[-1] for line in lines if line]
    for parts in (every, ends) if len(ends) < len(every) else (every,):
        total = Decimal(0)
        for n, part in enumerate(reversed(parts[-_LISTED:]), 1):
            total += part.number or Decimal(0)
            if n > 1 and not _leaves_out(parts[-n:], claim, context):
                text = " + ".join(p.text for p in parts[-n:])
                yield _derivation("sum", value, total, text, context, *parts[-n:])


def _told_alike(value: Value, context: GroundContext) -> Iterator[Derivation]:
    """The sum of the amounts that were stated in the same words: "Order #W1 — Total paid: $3,131.10", then
    the same of #W2."""
    alike: dict[str, list[Value]] = defaultdict(list)
    for earlier in context.before:
        amounts = [v for v in earlier.values if (v.kind, v.unit) == (value.kind, value.unit)]
        if len(amounts) == 1:
            alike[" ".join(sorted(content_stems(bare_words(earlier))))].append(amounts[0])
    for words, parts in alike.items():
        if words and len(parts) > 1:
            total = sum((p.number or Decimal(0) for p in parts), Decimal(0))
            text = " + ".join(p.text for p in parts)
            yield _derivation("sum", value, total, text, context, *parts)


def _leaves_alike(
    own: tuple[str | int, ...], value: Value, context: GroundContext
) -> Iterator[Derivation]:
    """The sum of one field of all items of a list of the answer, "total" below ``[{"order", "refund"}, …]``, or
    of the amounts that stand before it in the same object."""
    columns: dict[tuple[str, ...], list[Value]] = defaultdict(list)
    for earlier in context.before:
        path = earlier.json_path or ()
        amounts = [v for v in earlier.values if v.number is not None and like_measures(v, value)]
        if len(amounts) == 1 and any(isinstance(step, int) for step in path):
            of = tuple("*" if isinstance(step, int) else step for step in path)
            columns[of].append(amounts[0])
        if len(amounts) == 1 and path[:-1] == own[:-1]:
            columns["beside",].append(amounts[0])
    for of, parts in columns.items():
        # Of a list in the same object the total is told of its one item as well.
        inside = len(of) == len(own) + 2 and of[: len(own) - 1] == own[:-1]
        if len(parts) > 1 or inside:
            total = sum((p.number or Decimal(0) for p in parts), Decimal(0))
            text = " + ".join(p.text for p in parts)
            yield _derivation("sum", value, total, text, context, *parts)


_LISTED = 30


def _ratios(value: Value, operands: Sequence[Value]) -> Iterator[Derivation]:
    for part, whole in permutations([o for o in operands if o.kind != "percent"], 2):
        if part.number and whole.number and abs(part.number) <= abs(whole.number):
            ratio = round(part.number / whole.number * 100, 6)
            text = f"{part.text} / {whole.text} = {ratio.normalize():f} %"
            yield Derivation("share", number_like(value, ratio), text)


def _operands(claim: Claim, value: Value, context: GroundContext) -> list[Value]:
    """Measured values stated nearby; of a table's cell, those of its row."""
    if claim.cell is not None:
        texts = [text for column, text in claim.cell.cells.items() if column != claim.cell.column]
        return [v for text in texts for v in parse_values(text) if v.number is not None][:8]
    if claim.json_path is not None:
        return _sibling_leaves(claim, context)
    asked = [v for v in parse_values(context.question) if v.number is not None]
    before = asked + [v for c in context.before[-_NEAR:] for v in c.values]
    own = [v for v in claim.values if _is_told(v, context)]
    return [
        v for v in (*before, *own)
        if v.number is not None and v is not value and v.text != value.text
        and (v.kind == value.kind or value.kind == "percent" or _bare(v, value))
    ][-8:]  # fmt: skip


def _is_told(value: Value, context: GroundContext) -> bool:
    """Whether a value of the claim itself may be computed with: two numbers that are nowhere would
    prove each other."""
    before = ((v.kind, v.unit, v.number) for c in context.before for v in c.values)
    if (value.kind, value.unit, value.number) in before:
        return True
    if value.number is not None and value.number < 0:  # "- $48.15" may be a sum's own sign
        value = replace(value, number=-value.number)
    return bool(context.search.hits(value, today=context.today))


def _sibling_leaves(claim: Claim, context: GroundContext) -> list[Value]:
    """What a JSON answer's ``total_covers`` adds up: the leaves called ``covers``."""
    path = claim.json_path or ()
    own = content_stems(str(path[-1]).replace("_", " "))
    parts = own - content_stems("total sum overall count number of")
    if parts == own:
        return []
    return [
        v
        for c in context.before
        if c.json_path and parts & content_stems(str(c.json_path[-1]).replace("_", " "))
        for v in c.values
        if v.number is not None
    ]


def _bare(operand: Value, value: Value) -> bool:
    """Counts of one thing may name it once, or in more words: "10,412 to 10,371, by 41 votes"."""
    if not {operand.kind, value.kind} <= {"number", "quantity"}:
        return False
    return len({v.unit.split(" ")[-1] for v in (operand, value) if v.unit}) <= 1


def _derivation(
    operation: str, value: Value, result: Decimal, text: str, context: GroundContext, *parts: Value
) -> Derivation:
    shown = number_like(value, result)
    spans: list[EvidenceSpan] = []
    for part in parts:
        hit = next(iter(context.search.hits(part)), None)
        if hit is not None:
            spans.append(hit.passage.span(hit.cell))
    return Derivation(operation, shown, f"{text} = {shown.text}", tuple(spans), exact=True)
