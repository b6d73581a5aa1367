"""How something was paid, as records tell it: ``payment_method_id: gift_card_41`` is a "gift card"."""

from __future__ import annotations

import re

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import fold

PAID_WITH = re.compile(r"\b(?:payment method|paid (?:with|by))\b", re.I)
"""A field that says how a thing was paid."""
ORIGINAL = re.compile(r"\boriginal (?:payment method|method of payment|form of payment)\b", re.I)
"""What rules call it."""


def paid_with(passage: Passage) -> str | None:
    """The code of a way of paying that a record gives, None where it gives none."""
    cells = (cell for cell, _, _ in passage.cells if PAID_WITH.search(cell.key))
    return next((cell.text for cell in cells if not cell.is_blank), None)


def in_words(code: str) -> str:
    """A code as words, without its number; "" where no way of paying is called so."""
    words = [word for word in fold(code).replace("_", " ").split() if word.isalpha()]
    return " ".join(words) if 0 < len(words) <= _MOST_WORDS else ""


_MOST_WORDS = 3
