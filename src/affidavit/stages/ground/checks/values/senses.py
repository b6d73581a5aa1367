"""Opposite senses of fields: "€35 used" is not borne out by ``balance: 35``, nor the lowest by ``max_score``.

The number is there, in a field of the very thing; only that field tells the other half of it. Each family below
lists senses that exclude one another, by how sentences tell them and how fields are called.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from affidavit.ledger.records import Cell, Record, words_of
from affidavit.ledger.search import Hit
from affidavit.ledger.values.units_of_fields import is_least
from affidavit.ledger.words import is_negated
from affidavit.stages.ground.claim import Claim


@dataclass(frozen=True, slots=True)
class _Sense:
    """How sentences tell it, and the words in the names of fields that are of it."""

    told: str
    field: str


_FAMILIES: tuple[tuple[_Sense, ...], ...] = (
    (
        _Sense(
            r"(?<!be )(?:used(?: up)?|spent|sold|taken|booked|occupied|consumed|redeemed|filled|drawn|enrolled|gone)",
            r"used|spent|sold|taken|booked|occupied|consumed|redeemed|filled|enrolled",
        ),
        _Sense(
            r"(?<!\bhave )(?<!\bhas )left(?! (?:the|for|from|at|in|with|to|his|her|their|our|on (?!(?:it|them|this|that|your|the)\b))\b)|remain\w*|available|unused|unsold|unspent|unbooked|vacant|to spare",
            r"left|remaining|remainder|available|free|unused|unsold|unspent|vacant|balance|bal|spare",
        ),
    ),
    (
        _Sense(r"lowest|minimum|smallest|least|cheapest|shortest|(?:the|a|its|day['’]s) low", r"min|minimum|lowest|low|least|smallest"),
        _Sense(r"highest|maximum|largest|most expensive|longest|peak(?:ed)?|(?:the|a|its|day['’]s) high", r"max|maximum|highest|high|peak|largest"),
        _Sense(r"average[ds]?|on average|mean|typical(?:ly)?|median", r"avg|average|mean|median|typical|p50"),
    ),
    (
        _Sense(r"(?:before|without|excluding|excl\.?|not including|plus|net of) (?:the )?(?:vat|tax(?:es)?|sales tax)|net", r"net|subtotal|excl|pretax"),
        _Sense(r"(?:including|incl\.?|with|inclusive of) (?:the )?(?:vat|tax(?:es)?|sales tax)|gross", r"gross|incl"),
    ),
    (
        _Sense(r"(?:have|has|['’]ve|was|were|been|already) (?:\w+ )?paid|paid so far|settled", r"paid|settled"),
        _Sense(r"outstanding|unpaid|due|remain\w*|the rest|still (?:open|owed?|due|to pay)|owes?|owing|left to pay", r"open|outstanding|unpaid|owed|owing|due"),
    ),
    (
        _Sense(r"next|upcoming|coming", r"next|upcoming"),
        _Sense(r"last|previous|prior|most recent|latest", r"last|previous|prev|prior"),
    ),
    (
        _Sense(r"passed|succeeded|successful", r"passed|pass|passes|succeeded|success|successes|successful|ok"),
        _Sense(r"failed|fail(?:s|ures?)?", r"failed|fail|fails|failures|failure|errors"),
        _Sense(r"skipped|ignored", r"skipped|ignored"),
    ),
    (_Sense(r"won|wins|victor\w+", r"won|wins|w"), _Sense(r"lost|loss(?:es)?|defeat\w*", r"lost|losses|l")),
    (
        _Sense(r"approved|accepted|granted", r"approved|accepted|granted"),
        _Sense(r"rejected|declined|denied|refused|turned down", r"rejected|declined|denied|refused"),
        _Sense(r"requested|asked for|applied for", r"requested|asked|applied"),
    ),
    (
        _Sense(r"(?:was|were|is|are|been) (?:planned|budgeted|targeted|expected|estimated|forecast)", r"planned|plan|budget|budgeted|target|expected|estimated|estimate|forecast|quota"),
        _Sense(r"actual(?:ly)?|in fact|in reality", r"actual|actuals|real"),
    ),
    (
        _Sense(r"old|former|previously|used to|originally|was before", r"old|former|previous|prev|original"),
        _Sense(r"new|now|currently|at present|current|today", r"new|current|curr|now"),
    ),
    (_Sense(r"ahead", r"ahead"), _Sense(r"behind", r"behind")),
    (_Sense(r"added", r"added|insertions|additions"), _Sense(r"removed|deleted", r"removed|deleted|deletions")),
    (_Sense(r"(?:in favou?r|voted for|yes votes?|ayes?)", r"for|yes|ayes|in favour|in favor"), _Sense(r"(?:voted?|votes|were|was) against|no votes?|nays?|noes", r"against|no|nays|noes")),
    (_Sense(r"income|earned|revenue|took in|deposits?|deposited", r"income|revenue|earnings|deposits|inflow"), _Sense(r"expenses?|costs?|outgoings|withdrawals?|withdrew|withdrawn", r"expenses|expense|costs|cost|withdrawals|outflow")),
    (_Sense(r"imports?|imported", r"imports?|imported"), _Sense(r"exports?|exported", r"exports?|exported")),
    (_Sense(r"uploads?|uploaded", r"uploads?|upload|uploaded|up"), _Sense(r"downloads?|downloaded", r"downloads?|download|downloaded|down")),
    (_Sense(r"adults?|grown-ups?", r"adults?"), _Sense(r"child(?:ren)?|kids?", r"child|children|kids?")),
    (_Sense(r"men|male", r"men|male|males"), _Sense(r"women|female", r"women|female|females")),
)  # fmt: skip


def other_sense(hit: Hit, claim: Claim) -> Literal["", "alone", "beside"]:
    """Whether a value that the claim tells in one sense stands in a field of an opposite one, ``alone`` or ``beside`` a
    field of the claim's sense; "" where it does not."""
    record, cell = hit.passage.record, hit.cell
    if cell is None or record is None or claim.is_datum or not claim.covered:
        return ""
    if is_negated(claim.text):
        return ""
    for family, told in enumerate(_told(claim.text)):
        if told is None:
            continue
        held = _senses(cell, record, family)
        if held and told not in held:
            beside = (c for c in record.cells if c is not cell and c.path[:-1] == cell.path[:-1])
            return "beside" if any(told in _senses(c, record, family) for c in beside) else "alone"
    return ""


@cache
def _patterns() -> tuple[tuple[tuple[re.Pattern[str], re.Pattern[str]], ...], ...]:
    return tuple(
        tuple(
            (re.compile(rf"\b(?:{s.told})(?!\w)", re.I), re.compile(rf"(?:{s.field})")) for s in family
        )
        for family in _FAMILIES
    )  # fmt: skip


def _told(text: str) -> list[int | None]:
    """Of each family the one sense that a text tells; None where it tells none, or several."""
    found: list[int | None] = []
    for family in _patterns():
        senses = [n for n, (told, _) in enumerate(family) if told.search(text)]
        found.append(senses[0] if len(senses) == 1 else None)
    return found


def _senses(cell: Cell, record: Record, family: int) -> set[int]:
    """The senses of one family that a field's own name has; ``duration_min`` is no minimum."""
    own = words_of(str(cell.path[-1])).split() if cell.path else []
    if own[-1:] == ["min"] and not is_least(cell.path, record):
        own = own[:-1]
    return {
        n
        for n, (_, field) in enumerate(_patterns()[family])
        if any(field.fullmatch(word) for word in own)
    }
