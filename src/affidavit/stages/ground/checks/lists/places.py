"""Places in a ranking: "finished third" is of the row that the claim names and of its field for the place.

A 3 stands anywhere; the place of a runner is in ``pos`` or ``rank`` of his own row and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.values import Value
from affidavit.ledger.values.field_paths import field_words
from affidavit.ledger.values.places import PLACE, VICTORY
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.checks.values.value_verdict import ValueVerdict
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.denial import is_denied
from affidavit.stages.ground.finding import GroundContext

_RANKS = frozenset(
    "pos position place placing plc rank rk rnk ranking standing standings seed platz rang puesto posición posto plaats "
    "plek classement classifica lugar clasificación".split()
)
_PLACINGS = frozenset(
    "pos position place placing plc rk rnk platz puesto posición posto plaats plek lugar classement rank".split()
)
"""Fields that say how one came out; the winner of a race may be seeded fourth, or stand eighth in the world."""
_BEFORE = frozenset(
    "grid start starting seed initial previous prev last old world qualifying".split()
)
"""Words of fields for a place from before, "grid position"."""


def placed(value: Value, claim: Claim, context: GroundContext) -> ValueVerdict | None:
    """What the rows named here say of a place in a ranking; None where the value is none."""
    if value.kind != "number" or value.unit != PLACE:
        return None
    told = list(_ranks_of_named(context))
    if value.face_unit == VICTORY:
        told = [at for at in told if at[1].key.split()[-1] in _PLACINGS]
    own = next((at for at in told if _is_place(value, at[2])), None)
    if own is not None and not is_denied(value, claim):
        span = own[0].span(own[1])
        return ValueVerdict(value, "found", span, None, f"{value.text} = {span.text}")
    if own is None and told and not is_denied(value, claim):
        span = told[0][0].span(told[0][1])
        detail = f"“{value.text}”, where the evidence has {span.text}"
        return ValueVerdict(
            value, "contradicted", span, "contradicts_evidence", detail, derivable=False
        )
    return ValueVerdict(value, "open", derivable=False)


def _is_place(said: Value, held: Value) -> bool:
    """Whether a place is the one told; "missed the podium" is any from the fourth on."""
    assert said.number is not None
    if held.number is None or not said.bound:
        return said.number == held.number
    return held.number >= said.number if said.bound == "min" else 1 <= held.number <= said.number


def _ranks_of_named(context: GroundContext) -> Iterator[tuple[Passage, Cell, Value]]:
    """The fields for a place in the rows that the claim names itself."""
    for passage in context.rows.fitting(context.named):
        chain = context.rows.chain(passage) if is_result(passage) else ()
        if not chain or chain[0][1] not in context.named.rows.get(chain[0][0], ()):
            continue
        for cell, held in passage.cell_values:
            words = field_words(cell.path)
            if held.kind == "number" and set(words[-1:]) & _RANKS and not set(words) & _BEFORE:
                yield passage, cell, held
