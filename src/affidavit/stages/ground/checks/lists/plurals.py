"""Several, a few, multiple: a list of the thing has more than one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.ledger import Passage
from affidavit.ledger.words import content_stems, is_negated, stem
from affidavit.stages.ground.checks.derived.derivation import tables
from affidavit.stages.ground.checks.derived.lists import lists
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "plurals"

_PLURAL = re.compile(
    r"\b(?P<many>several|multiple|a few|a number of|various|a couple of|more than one|many)\s+"
    r"(?P<noun>(?:[\w-]+\s+){0,2}?\w+s)\b",
    re.I,
)
_LEAST = {"several": 3, "a few": 3, "many": 3}
"""How many it takes at the least; two for every other word."""


def check_plurals(claim: Claim, context: GroundContext) -> Finding:
    """Hold "several orders" against a list called ``orders``."""
    said = _PLURAL.search(claim.text)
    if said is None or claim.is_datum:
        return Finding.skip(NAME, "speaks of no several things")
    if is_negated(claim.text):
        return Finding.skip(NAME, "denies that there are several")
    *qualifiers, noun = said["noun"].split()
    found = [(n, p) for name, n, p in _lists(context) if name == stem(noun)]
    if not found or content_stems(" ".join(qualifiers)):
        return Finding.skip(NAME, "no list bears that name, or only some of its rows are meant")
    n, passage = max(found, key=lambda f: f[0])
    span = passage.span()
    detail = f"{n} {said['noun']} are listed"
    if n >= _LEAST.get(said["many"].lower(), 2):
        return Finding(
            NAME, "checked", "supports", 0.9, None, detail, spans=(span,), settles="values"
        )
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=(span,)
    )


def _lists(context: GroundContext) -> Iterator[tuple[str, int, Passage]]:
    for table in tables(context):
        name = table.name.split(" ")[-1] if table.name else ""
        yield stem(name), len(table.rows), table.passages[0]
    for name, cells, passage in lists(context):
        yield stem(name.split(" ")[-1]), len(cells), passage
