"""Counts by outcome: yes, no and abstained; passed, failed and skipped. Together they are all there were, though no
field says how many."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from affidavit.ledger.records import words_of
from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Operand,
    Table,
    formula,
    number_like,
    things,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_OUTCOMES = (
    "yes no for against abstain abstained abstentions favour favor ayes nays invalid undecided",
    "passed failed skipped errors errored flaky pass fail xfailed",
    "won lost drawn wins losses draws ties tied",
    "positive negative neutral mixed inconclusive",
    "accepted declined tentative pending rejected attending maybe",
    "open closed resolved done todo doing blocked completed",
    "delivered returned undelivered bounced opened clicked",
    "excellent good fair poor satisfied dissatisfied",
    "true false unknown present absent excused",
)
_ALL = re.compile(r"\b(?:of|out of|total\w*|in all|altogether|overall|together|all)\b", re.I)
_LEAD = re.compile(
    r"\b(?:led|leads?|won|wins?|carried|ahead|margin|majority|more|difference|gap|by)\b", re.I
)
_WITHOUT = re.compile(
    r"\b(?:without|excluding|not counting|ignoring|leaving out|apart from)\s(?:the )?(?P<what>\w+)",
    re.I,
)


_STEM = 5


def outcomes_told(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """All there were, the share of one outcome in them, or by how much one leads another."""
    if value.number is None or value.kind not in ("number", "percent"):
        return
    said = content_stems(claim.statement)
    for thing in things(context):
        for fields in _outcomes(thing):
            left = _WITHOUT.search(claim.text)
            out = left["what"].lower() if left else ""
            counted = [o for o in fields if not (out and _name(o)[:_STEM] == out[:_STEM])]
            whole = sum((o.number for o in counted), Decimal(0))
            spans = tuple(o.span for o in counted)
            if value.kind == "percent":
                for part in counted:
                    if whole and named_in(
                        content_stems(_name(part)) or _raw(part), said | _words(claim)
                    ):
                        share = round(part.number / whole * 100, 6)
                        text = f"{part} / {whole:f} = {share.normalize():f} %"
                        yield Derivation("share", number_like(value, share), text, spans)
            elif _ALL.search(claim.text):
                shown = number_like(value, whole)
                yield Derivation("sum", shown, formula(counted, "+", shown.text), spans, exact=True)
            if value.kind == "number" and _LEAD.search(claim.text):
                first, second = sorted(counted, key=lambda o: -o.number)[:2]
                shown = number_like(value, first.number - second.number)
                text = f"{first} − {second} = {shown.text}"
                yield Derivation("difference", shown, text, (first.span, second.span), exact=True)


def _outcomes(thing: Sequence[Operand]) -> Iterator[list[Operand]]:
    """The counts of one record or map that are named for outcomes of one sort, two at least."""
    found: dict[tuple[object, ...], dict[str, Operand]] = {}
    for operand in thing:
        whole = operand.number == operand.number.to_integral_value()
        if operand.value.kind == "number" and whole and operand.number >= 0:
            for n, sort in enumerate(_OUTCOMES):
                if _name(operand) in sort.split():
                    of = operand.passage.pointer, operand.cell.path[:-1], n
                    found.setdefault(of, {})[_name(operand)] = operand
    yield from (list(fields.values()) for fields in found.values() if len(fields) > 1)


def _name(operand: Operand) -> str:
    steps = [step for step in operand.cell.path if isinstance(step, str)]
    return words_of(steps[-1]) if steps else ""


def _raw(operand: Operand) -> frozenset[str]:
    return frozenset([_name(operand)])


def _words(claim: Claim) -> frozenset[str]:
    """The claim's words as they stand: "no" and "for" have no stem."""
    return frozenset(re.findall(r"[a-z]+", claim.text.lower()))
