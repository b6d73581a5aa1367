"""Choices: "Sizes: S, M and XL", held against the column of a list that the label names.

Each of them is of another row, so that no row bears the line out; the column does.
"""

from __future__ import annotations

import re

from affidavit.ledger.values import fold
from affidavit.ledger.words import content_stems
from affidavit.stages.ground.checks.derived.derivation import Table, tables
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "choices"

_LISTED = re.compile(
    r"\W*(?:available |other )?(?P<label>[A-Za-z][\w /-]{1,30}?)(?: options| choices)?[*_]*:[*_]*\s+(?P<items>[^:;]+?)\W*"
)
_BETWEEN = re.compile(r"\s*(?:,\s*(?:and|or)\b|,|/|\b(?:and|or)\b)\s*")
_MOST_WORDS = 4


def check_choices(claim: Claim, context: GroundContext) -> Finding:
    """Look for every item of the line in one column that is called as its label says."""
    said = _LISTED.fullmatch(claim.text)
    if claim.is_datum or said is None:
        return Finding.skip(NAME, "no line of choices")
    items = [item.strip(" \"'“”*_") for item in _BETWEEN.split(said["items"])]
    if len(items) < 2 or any(not i or len(i.split()) > _MOST_WORDS for i in items):
        return Finding.skip(NAME, "no line of choices")
    wanted = {fold(item) for item in items}
    label = content_stems(said["label"])
    columns = [
        (table, {fold(text) for text in texts})
        for table in tables(context)
        if _is_meant(table, context)
        for path, texts in table.texts.items()
        if content_stems(str(path[-1])) & label and len(texts) > 1
    ]
    known = [(table, wanted & texts) for table, texts in columns if wanted & texts]
    if not known:
        return Finding.skip(NAME, "no column is called so")
    table, held = max(known, key=lambda item: len(item[1]))
    span = table.passages[0].span()
    if held == wanted:
        detail = f"each is in {table.name or 'the list'}"
        return Finding(NAME, "checked", "supports", 0.92, None, detail, spans=(span,))
    if len(held) * 2 < len(wanted):
        return Finding.skip(NAME, "most are in no column")
    odd = ", ".join(item for item in items if fold(item) not in held)
    detail = f"{odd}: in no row of {table.name or 'the list'}"
    return Finding(NAME, "checked", "missing", 0.1, "value_not_in_evidence", detail, spans=(span,))


def _is_meant(table: Table, context: GroundContext) -> bool:
    """Whether a list is not of another thing than the one spoken of."""
    wholes = (context.rows.chain(passage)[1:] for passage in table.passages[:1])
    return all(context.topic.fits(whole) for whole in wholes)
