"""Which claims are critical: those whose being wrong does harm."""

from __future__ import annotations

import re
from collections.abc import Sequence

from affidavit.ledger.values import Value
from affidavit.report import ClaimKind
from affidavit.stages.ground.split.kinds import EXEMPT

_DIGIT = re.compile(r"\d")


def is_critical(kind: ClaimKind, text: str, values: Sequence[Value]) -> bool:
    """Numbers, dates, citations, named entities, identifiers and action commitments are critical.

    Quoted words alone are not: they may be any words. A digit is always one of the first two, even
    where no value was read from it.
    """
    if kind in EXEMPT:
        return False
    if kind in ("action", "citation"):
        return True
    if any(value.kind != "quoted" for value in values):
        return True
    return bool(_DIGIT.search(text))
