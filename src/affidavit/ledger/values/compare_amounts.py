"""Equality and rounding of numbers, money, percent, quantities and durations."""

from __future__ import annotations

from decimal import Decimal

from affidavit.ledger.values.currencies import CODES, same_currency
from affidavit.ledger.values.match import Match
from affidavit.ledger.values.units import QUANTITIES, celsius, is_measure, quantity_unit, time_unit
from affidavit.ledger.values.value import Value

_HEDGED = Decimal("0.05")
_UNHEDGED = Decimal("0.03")
_BOUND = Decimal("0.2")
_CLOSE = Decimal("0.08")
_TINY = Decimal("1e-9")
_BINARY = Decimal("1.024")


def compare_amounts(claim: Value, evidence: Value) -> Match:
    if claim.bound and evidence.bound and claim.bound != evidence.bound:
        return "different" if _kinds_meet(claim, evidence) else "incomparable"
    pairs = list(_numbers(claim, evidence))
    if not pairs:
        return "different" if _same_kind(claim, evidence) else "incomparable"
    best: Match = "different"
    calendar = {claim.unit, evidence.unit} == {"s", "month"}
    for said, known, step in pairs:
        match = _compare(said, known, step, claim)
        if match == "same":
            return "rounded" if calendar else "same"
        best = "rounded" if match == "rounded" else best
    return best


def _same_kind(claim: Value, evidence: Value) -> bool:
    """Euros and dollars are amounts of one kind, metres and kilograms are not."""
    if claim.kind != evidence.kind:
        return False
    return claim.kind in ("money", "number") or claim.unit == evidence.unit


def _kinds_meet(claim: Value, evidence: Value) -> bool:
    return bool(list(_numbers(claim, evidence)))


def _numbers(claim: Value, evidence: Value) -> list[tuple[Decimal, Decimal, Decimal]]:
    """The numbers to compare, in one unit, with the claim's rounding step; none if kinds differ."""
    assert claim.number is not None
    assert evidence.number is not None
    pairs: list[tuple[Decimal, Decimal, Decimal]] = []
    said, known = claim.number, evidence.number
    step = _step(claim)
    match claim.kind, evidence.kind:
        case "money", "money":
            if not same_currency(claim.unit, evidence.unit):
                return []
            pairs.append((abs(said), abs(known), step))
        case ("quantity", "quantity") | ("duration", "duration"):
            pairs += _in_one_unit(claim, evidence, step)
        case a, b if a == b:
            if a == "number" and _units_clash(claim.unit, evidence.unit):
                return []
            pairs.append((abs(said), abs(known), step))
        case "number", _:
            # "660" for 660.00 USD; the bare 90 of "from 90 to 120 minutes"
            if _units_clash(claim.unit, evidence.face_unit):
                return []
            face = known if evidence.face is None or evidence.kind == "money" else evidence.face
            pairs.append((said, face, step))
        case "percent", "number":
            if evidence.unit in CODES or (is_measure(evidence.unit) and evidence.unit != "percent"):
                return []  # half an hour's price, 0.5 EUR, is no half of anything
            # What a field calls percent is no fraction of one: 0.5 under ``fee_pct`` is not 50%.
            named = evidence.unit == "percent"
            fraction = abs(known) < 1 and not _is_whole(known) and not named
            if claim.face is None and not fraction and not named:
                return []  # "one in three" is no count of 33
            pairs.append((abs(said), abs(known * 100 if fraction else known), step))
        case _, "number":
            if claim.kind == "money" and is_measure(evidence.unit):
                if evidence.unit not in CODES or not same_currency(claim.unit, evidence.unit):
                    return []
            elif _units_clash(claim.face_unit, evidence.unit):
                return []
            face = said if claim.kind == "money" or claim.face is None else claim.face
            pairs.append((face, known, step if claim.kind == "money" else _face_step(claim)))
        case _:
            return []
    if claim.other is not None:
        pairs.append((abs(claim.other), abs(known), _granularity(claim.other)))
    if evidence.other is not None:
        pairs.append((abs(said), abs(evidence.other), step))
    return pairs


def _units_clash(a: str, b: str) -> bool:
    """Whether two written units exclude each other; nouns of counting never do."""
    if a == b or not a or not b:
        return False
    a, b = a.rsplit(" ", 1)[-1], b.rsplit(" ", 1)[-1]  # business days are days
    if not (is_measure(a) and is_measure(b)):
        return False
    return _base(a) != _base(b)


def _base(word: str) -> object:
    return time_unit(word) or quantity_unit(word) or word


def _in_one_unit(
    claim: Value, evidence: Value, step: Decimal
) -> list[tuple[Decimal, Decimal, Decimal]]:
    assert claim.number is not None
    assert evidence.number is not None
    said, known = claim.number, evidence.number
    if claim.unit == evidence.unit:
        pairs = [(said, known, step)]
        if claim.unit == "B" and (ratio := _binary(claim, evidence)) != 1:
            pairs.append((said * ratio, known, step * ratio))
        return pairs
    units = {claim.unit, evidence.unit}
    if units == {"°C", "°F"}:
        width = step if claim.unit == "°C" else step * 5 / 9
        return [(celsius(said, claim.unit), celsius(known, evidence.unit), width)]
    if "°" in units and units <= {"°", "°C", "°F"}:
        return [(said, known, step)]
    if units == {"s", "month"}:
        return _months_and_days(claim, evidence)
    return _by_the_way(claim, evidence)


def _by_the_way(claim: Value, evidence: Value) -> list[tuple[Decimal, Decimal, Decimal]]:
    """ "1 g" said of "1 g/day", or the other way round: the unit that it is by stands in other words. Not
    of km/h and l/min, which measure a thing of their own."""
    said, known = claim.face_unit, evidence.face_unit
    if ("/" in said) == ("/" in known) or {said, known} & QUANTITIES.keys() & {
        u for u in (said, known) if "/" in u
    }:
        return []
    one, other = quantity_unit(said.split("/")[0]), quantity_unit(known.split("/")[0])
    if (
        one is None
        or other is None
        or one[0] != other[0]
        or claim.face is None
        or evidence.face is None
    ):
        return []
    return [(claim.face * one[1], evidence.face * other[1], _granularity(claim.face) * one[1])]


def _binary(claim: Value, evidence: Value) -> Decimal:
    """What a decimal unit stands for where it is said for a binary one: memory of 8192 MiB, or of 8192 MB,
    is called 8 GB. 13.2 GB are never 12.3 GB: both say the same unit."""
    steps = _thousands(claim.face_unit) - _thousands(evidence.face_unit)
    return _BINARY**steps if steps > 0 else Decimal(1)


def _thousands(word: str) -> int:
    """How often a decimal unit of bytes multiplies by a thousand: 3 for GB, 0 for bytes and for GiB."""
    unit = quantity_unit(word)
    exponent = unit[1].adjusted() if unit and unit[0] == "B" else 0
    return exponent // 3 if unit and unit[1] == Decimal(10) ** exponent else 0


def _months_and_days(claim: Value, evidence: Value) -> list[tuple[Decimal, Decimal, Decimal]]:
    """A month said as 30 days and a year as 365; other mixtures stay apart."""
    assert claim.number is not None
    assert evidence.number is not None
    months = claim if claim.unit == "month" else evidence
    other = evidence if months is claim else claim
    assert months.number is not None
    assert other.number is not None
    days = other.number / 86400
    per_year = _is_whole(months.number / 12)
    as_days = months.number / 12 * 365 if per_year else months.number * 30
    return [(days, as_days, Decimal(0))]


def _step(value: Value) -> Decimal:
    """The unit of the last digit that was said, in the value's own unit: 100 for "1,200"."""
    assert value.number is not None
    if value.face is None or not value.face:
        return _granularity(value.number)
    return abs(_granularity(value.face) * value.number / value.face)


def _face_step(value: Value) -> Decimal:
    return _granularity(value.face if value.face is not None else value.number or Decimal(0))


def _granularity(number: Decimal) -> Decimal:
    """10 to the power of the last digit that carries meaning: 12.50 gives 0.01, 1200 gives 100."""
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)
    if exponent == 0:
        stripped = number.normalize().as_tuple().exponent
        assert isinstance(stripped, int)
        exponent = stripped
    return Decimal(1).scaleb(exponent)


def _compare(said: Decimal, known: Decimal, step: Decimal, claim: Value) -> Match:
    gap = abs(said - known)
    if gap <= abs(known) * _TINY:
        return "same"
    size = abs(known)
    if not size:
        return "different"
    if claim.approx and claim.bound:
        return "rounded" if _is_just_beside(said, known, step, claim) else "different"
    if claim.approx and gap <= min(size * _HEDGED, _leeway(claim, step)):
        return "rounded"
    if claim.bound and _bounds(said, known, step, claim) and gap <= size * _BOUND:
        return "rounded"
    if claim.bound and (known < said) == (claim.bound == "min"):
        return "different"  # 498 is not "more than 500", however round that is
    if (
        gap * 2 <= step
        and _is_coarser(known, step)
        and (gap <= size * (2 * _HEDGED if claim.approx else _UNHEDGED) or _is_cut(known, claim))
    ):
        return "rounded"
    return "different"


def _is_cut(known: Decimal, claim: Value) -> bool:
    """Whether a percentage is one that no-one gives in full: a growth of 7.371938 % is one of 7 %, as 7.4 % is
    not."""
    exponent = known.normalize().as_tuple().exponent
    return claim.kind == "percent" and isinstance(exponent, int) and exponent <= -3


def _leeway(claim: Value, step: Decimal) -> Decimal:
    """How far "about" reaches: as far as one of the last digit that was said, half of one behind the
    point, and to the middle between two round numbers where that digit is a 5. "About 45" may be 43.5,
    "about 47" is not 45, nor "about 8.6" 8.7."""
    if claim.face is None or not claim.face:
        return Decimal("Infinity")
    last = claim.face.normalize().as_tuple().digits[-1]
    if last == 5:
        return step * Decimal("2.5")
    return step if _is_whole(claim.face) else step / 2


def _is_whole(number: Decimal) -> bool:
    return number == number.to_integral_value()


def _bounds(said: Decimal, known: Decimal, step: Decimal, claim: Value) -> bool:
    """ "Over 200" for 214 and "under 5" for 4.7: the evidence rounded towards the bound."""
    if claim.bound == "min":
        return said <= known < said + step
    return said - step < known <= said


def _is_just_beside(said: Decimal, known: Decimal, step: Decimal, claim: Value) -> bool:
    """ "Just under 46 minutes" for 45:48 and never for 46:10; "a little over 3 hours" for 3:12."""
    if (known < said) != (claim.bound == "max"):
        return False
    return abs(said - known) <= min(abs(known) * _CLOSE, _leeway(claim, step))


def _is_coarser(known: Decimal, step: Decimal) -> bool:
    """Whether rounding to ``step`` is what people do unasked.

    Decimals are dropped, but 11.5 days are not called 12; whole numbers lose two digits or more:
    1,187 may be 1,200, but 1,034 is not 1,030.
    """
    if _is_whole(known):
        return step >= 100 or step < 1
    if step >= 1:
        return not _is_whole(known * 2) and (step == 1 or step >= 100)
    return True
