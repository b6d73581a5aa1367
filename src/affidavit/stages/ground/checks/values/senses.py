"""Opposite senses of fields: "€35 used" is not borne out by ``balance: 35``, nor the lowest by ``max_score``.

The number is there, in a field of the very thing; only that field tells the other half of it. Each family below
lists senses that exclude one another, by how sentences tell them and how fields are called.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from affidavit.ledger.records import Cell, Record, words_of
from affidavit.ledger.search import Hit
from affidavit.ledger.values.units_of_fields import is_least
from affidavit.ledger.words import is_negated
from affidavit.stages.ground.claim import Claim


@dataclass(frozen=True, slots=True)
class _Sense:
    """How sentences tell it, a pattern, and the words in the names of fields that are of it."""

    told: str
    field: str


Family: TypeAlias = tuple[_Sense, ...]

_FAMILIES: tuple[Family, ...] = (
    (
        _Sense(
            r"(?<!be )(?:used(?: up)?|spent|sold|taken|booked|occupied|consumed|redeemed|filled|drawn|enrolled|gone)",
            "used spent sold taken booked occupied consumed redeemed filled enrolled",
        ),
        _Sense(
            r"(?<!\bhave )(?<!\bhas )left(?! (?:the|for|from|at|in|with|to|his|her|their|our|on (?!(?:it|them|this|that|your|the)\b))\b)|remain\w*|available|unused|unsold|unspent|unbooked|vacant|to spare",
            "left remaining remainder available free unused unsold unspent vacant balance bal spare",
        ),
    ),
    (
        _Sense(r"lowest|minimum|smallest|least|cheapest|shortest|(?:the|a|its|day['’]s) low", "min minimum lowest low least smallest"),
        _Sense(r"highest|maximum|largest|most expensive|longest|peak(?:ed)?|(?:the|a|its|day['’]s) high", "max maximum highest high peak largest"),
        _Sense(r"average[ds]?|on average|mean|typical(?:ly)?|median", "avg average mean median typical p50"),
    ),
    (
        _Sense(r"(?:before|without|excluding|excl\.?|not including|plus|net of) (?:the )?(?:vat|tax(?:es)?|sales tax)|net", "net subtotal excl pretax"),
        _Sense(r"(?:including|incl\.?|with|inclusive of) (?:the )?(?:vat|tax(?:es)?|sales tax)|gross", "gross incl"),
    ),
    (
        _Sense(r"(?:have|has|['’]ve|was|were|been|already) (?:\w+ )?paid|paid so far|settled", "paid settled"),
        _Sense(r"outstanding|unpaid|due|remain\w*|the rest|still (?:open|owed?|due|to pay)|owes?|owing|left to pay", "open outstanding unpaid owed owing due"),
    ),
    (
        _Sense(r"next|upcoming|coming", "next upcoming"),
        _Sense(r"last|previous|prior|most recent|latest", "last previous prev prior"),
    ),
    (
        _Sense(r"passed|succeeded|successful", "passed pass passes succeeded success successes successful ok"),
        _Sense(r"failed|fail(?:s|ures?)?", "failed fail fails failures failure errors"),
        _Sense(r"skipped|ignored", "skipped ignored"),
    ),
    (_Sense(r"won|wins|victor\w+", "won wins w"), _Sense(r"lost|loss(?:es)?|defeat\w*", "lost losses l")),
    (
        _Sense(r"approved|accepted|granted", "approved accepted granted"),
        _Sense(r"rejected|declined|denied|refused|turned down", "rejected declined denied refused"),
        _Sense(r"requested|asked for|applied for", "requested asked applied"),
    ),
    (
        _Sense(r"(?:was|were|is|are|been) (?:planned|budgeted|targeted|expected|estimated|forecast)", "planned plan budget budgeted target expected estimated estimate forecast quota"),
        _Sense(r"actual(?:ly)?|in fact|in reality", "actual actuals real"),
    ),
    (
        _Sense(r"old|former|previously|used to|originally|was before", "old former previous prev original"),
        _Sense(r"new|now|currently|at present|current|today", "new current curr now"),
    ),
    (_Sense(r"ahead", "ahead"), _Sense(r"behind", "behind")),
    (_Sense(r"added", "added insertions additions"), _Sense(r"removed|deleted", "removed deleted deletions")),
    (_Sense(r"(?:in favou?r|voted for|yes votes?|ayes?)", "for yes ayes"), _Sense(r"(?:voted?|votes|were|was) against|no votes?|nays?|noes", "against no nays noes")),
    (_Sense(r"income|earned|revenue|took in|deposits?|deposited", "income revenue earnings deposits inflow"), _Sense(r"expenses?|costs?|outgoings|withdrawals?|withdrew|withdrawn", "expenses expense costs cost withdrawals outflow")),
    (_Sense(r"imports?|imported", "import imports imported"), _Sense(r"exports?|exported", "export exports exported")),
    (_Sense(r"uploads?|uploaded", "upload uploads uploaded up"), _Sense(r"downloads?|downloaded", "download downloads downloaded down")),
    (_Sense(r"adults?|grown-ups?", "adult adults"), _Sense(r"child(?:ren)?|kids?", "child children kid kids")),
    (_Sense(r"men|male", "men male males"), _Sense(r"women|female", "women female females")),
)  # fmt: skip


Opposed: TypeAlias = Literal["", "alone", "beside"]


def other_senses(hits: Sequence[Hit], claim: Claim) -> list[Opposed]:
    """Of each hit, whether the value that the claim tells in one sense stands there in a field of an opposite one,
    ``alone`` or ``beside`` a field of the claim's sense; "" where it does not."""
    if not hits or claim.is_datum or not claim.covered or is_negated(claim.text):
        return [""] * len(hits)
    told = _told(claim.text)
    return [_opposed(hit, told) for hit in hits]


def _opposed(hit: Hit, told: Sequence[tuple[Family, int]]) -> Opposed:
    record, cell = hit.passage.record, hit.cell
    if cell is None or record is None:
        return ""
    for family, sense in told:
        held = _senses(cell, record, family)
        if held and sense not in held:
            beside = (c for c in record.cells if c is not cell and c.path[:-1] == cell.path[:-1])
            return "beside" if any(sense in _senses(c, record, family) for c in beside) else "alone"
    return ""


def _told(text: str) -> list[tuple[Family, int]]:
    """The families of which a text tells one sense alone, and which."""
    found = []
    for family in _FAMILIES:
        senses = [
            n for n, s in enumerate(family) if re.search(rf"\b(?:{s.told})(?!\w)", text, re.I)
        ]
        if len(senses) == 1:
            found.append((family, senses[0]))
    return found


def _senses(cell: Cell, record: Record, family: Family) -> set[int]:
    """The senses of one family that a field's own name has; ``duration_min`` is no minimum."""
    own = words_of(str(cell.path[-1])).split() if cell.path else []
    if own[-1:] == ["min"] and not is_least(cell.path, record):
        own = own[:-1]
    return {n for n, sense in enumerate(family) if not set(own).isdisjoint(sense.field.split())}
