"""Which claims are critical: those whose being wrong does harm."""

from __future__ import annotations

import re
from collections.abc import Sequence

from affidavit.ledger.values import Value
from affidavit.report import ClaimKind
from affidavit.stages.ground.split.kinds import EXEMPT
from affidavit.stages.ground.split.verb_forms import BASE_FORMS, PAST
from affidavit.stages.ground.split.verbs import (
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    SUBORDINATORS,
)

_DIGIT = re.compile(r"\d")
_DOER = re.compile(
    r"[\W_]*(?P<who>[A-ZÀ-Þ][^\W\d_]+(?:-[^\W\d_]+)?)\s+(?:(?:has|had|have|already|also|then|\w+ly)\s+){0,2}"
    r"(?P<did>[^\W\d_]+)\s+(?P<whom>[^\W\d_]+)"
)
_NO_NAME = re.compile(r"(?:s|ing|[ts]ion|ment|ness|ity|[ae]nce|age|ship|ware|body|thing|one|ly)$")
"""Endings of words that stand without an article: of many, of a doing, of a quality."""
_WHOM = DETERMINERS | frozenset("it them him her us you me".split())
_NO_DOERS = PRONOUNS | DETERMINERS | PREPOSITIONS | SUBORDINATORS


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
    if found is None:
        return False
    who, did, whom = found["who"].lower(), found["did"].lower(), found["whom"].lower()
    if who in _NO_DOERS or who in BASE_FORMS or who in PAST or _NO_NAME.search(who):
        return False
    return did in PAST and whom in _WHOM
