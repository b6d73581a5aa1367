"""How likely a computed figure is to meet a stated one by accident, among all that were computed.

Where words ask for one operation on one pair of fields, a match is proof. Where they only allow a kind of
operation, many results are tried, and the more there are of the size of the stated figure, and the rounder
that is, the less a match says: one of thirty sums meets "20" soon, and "580.30" hardly ever.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from affidavit.ledger.values import Value

LIMIT = Decimal("0.27")
"""The likelihood of a match by accident beyond which none counts; set on development data."""
_FRACTION = Decimal("0.2")
"""How far apart the fractions lie that people name, in shares of them: "half", "a third", "one in twenty"."""
_SPREAD = Decimal("1.5")
"""From half a figure to twice it, in shares of the figure."""


def is_unlikely(value: Value, result: Decimal, step: Decimal, rivals: Iterable[Decimal]) -> bool:
    """Whether few enough of the ``rivals``, ``result`` among them, lie from half the stated figure to twice it
    for one to be met by accident. ``step`` is how finely figures of that sort differ."""
    said = abs(value.number or Decimal(0))
    if not said:
        return False
    near = sum(said / 2 <= rival <= said * 2 for rival in {abs(r) for r in rivals})
    apart = 2 * abs(abs(result) - said)
    if value.kind == "percent" and not any(map(str.isdigit, value.text)):
        step = said * _FRACTION
    return max(near, 1) * max(step, apart) / (said * _SPREAD) <= LIMIT


def roundness(number: Decimal) -> Decimal:
    """The power of ten that a number is a multiple of: 100 of 7,600."""
    exponent = number.normalize().as_tuple().exponent
    return Decimal(1).scaleb(exponent) if isinstance(exponent, int) and number else Decimal(1)
