"""Which claims are critical: those whose being wrong does harm."""

from __future__ import annotations

import re
from collections.abc import Sequence

from affidavit.ledger.values import Value
from affidavit.report import ClaimKind
from affidavit.stages.ground.split.kinds import EXEMPT

_DIGIT = re.compile(r"\d")
_DOER = re.compile(
    r"[\W_]*(?P<who>[A-ZÀ-Þ][^\W\d_]+(?:-[^\W\d_]+)?)\s+(?:(?:has|had|have|already|also|then|\w+ly)\s+){0,2}"
    r"(?:[^\W\d_]+ed|did|made|sent|gave|took|wrote|paid|sold|bought|found|left|met|put|set|saw|told|won|built|brought)\s+"
    r"(?:it|them|him|her|us|you|me|the|an?|this|that|these|those|your|my|his|its|our|their|all|both|one)\b"
)
"""Somebody who did something to something."""
_NO_NAME = re.compile(
    r"(?:s|ing|[ts]ion|ment|ness|ity|[ae]nce|age|ship|ware|body|thing|one|ly)$|(?:I|He|She|It|We|You|They|The|This|That|"
    r"These|All|Both|Who)$"
)
"""Words that stand without an article and are no name: of many, of a doing, of a quality, pronouns."""


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
    return bool(_DIGIT.search(text)) or _names_a_doer(text)


def _names_a_doer(text: str) -> bool:
    """Whether a sentence begins with one word that can only be a name: "Ottilie fixed it". A capital says nothing
    there, but a noun that does something to something has an article or stands for many."""
    found = _DOER.match(text)
    return found is not None and not _NO_NAME.search(found["who"])
