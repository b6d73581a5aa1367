"""Values that are found and still prove nothing: of some rows where all are spoken of, a day that only picks a row,
a small count in a field that the claim does not speak of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from affidavit.ledger.search import Hit
from affidavit.ledger.values import Value
from affidavit.ledger.values.field_paths import field_words
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_OF_ALL = re.compile(
    r"\b(?:every(?:one|body|thing|where)?|each|both)\b(?! (?:day|night|year|week|month)\b)"
    r"|(?<!\bin )(?<!\bat )(?<!\bafter )\ball\b(?! (?:in all|told|day|night|year|week|month)\b)",
    re.I,
)


def is_of_some(hit: Hit, hits: Sequence[Hit], claim: Claim, context: GroundContext) -> bool:
    """Whether a value that is told of all is that of some rows only: "everyone gets ten percent"; or of some fields of
    one map: "all four tyres are at 33 psi"."""
    record = hit.passage.record
    if hit.cell is None or record is None or not _OF_ALL.search(claim.text):
        return False
    path = hit.cell.path
    if not record.group:
        return len(path) > 1 and len({c.text for c in record.cells if c.path[:-1] == path[:-1]}) > 1
    rows = {
        p.pointer
        for p in context.fitting
        if p.source is hit.passage.source and p.record is not None and p.record.group == record.group
        and any(cell.path == path and not cell.is_blank for cell, _, _ in p.cells)
    }  # fmt: skip
    have = {h.passage.pointer for h in hits if h.cell is not None and h.cell.path == path}
    return len(rows) > 1 and not rows <= have


_WHEN = frozenset("date day month week year period quarter time timestamp ts d when".split())
"""Fields that say when a row is of, and nothing that happened to it."""


def picks_row(value: Value, hit: Hit) -> bool:
    """Whether a day only says which row of a list is meant, or was only asked about: "Sunday brought in more" is
    not borne out by there being a Sunday."""
    when = value.moment
    if when is None or when.clock is not None:
        return False
    if hit.passage.source.kind != "tool_result":  # the system prompt's own date is told as such
        return hit.passage.source.kind == "user" or when.day is None
    record = hit.passage.record
    if record is None or hit.cell is None or not record.group:
        return False
    return set(field_words(hit.cell.path)) <= _WHEN


def is_by_accident(value: Value, hit: Hit, claim: Claim) -> bool:
    """Whether a value so common that any field may have it stands in one that the claim does not speak of: "3
    branches" are not borne out by ``ahead: 3``, nor "he left in April" by ``last_login``."""
    if hit.cell is None or claim.is_datum or not claim.covered:
        return False
    if value.moment is not None:
        common = value.moment.clock is None and value.moment.day is None
    else:
        common = value.kind == "number" and value.number in range(13)
    key = [word for word in hit.cell.key.split() if word not in _WHEN]
    if not common or not key or counts_the_same(value, hit) or set(key) & _COUNTS:
        return False
    told = content_stems(f"{' '.join(key)} {hit.cell.text}")
    told -= named_in(told, content_stems(value.text))  # the 3 of the field is the "three" itself
    return not named_in(told, content_stems(claim.statement))


_COUNTS = frozenset("count counts total n num number amount qty quantity size length".split())
"""Fields that count what their list is of."""


def counts_the_same(value: Value, hit: Hit) -> bool:
    """Whether the evidence counts by its noun, or in a field of its name, what a value counts."""
    counted = content_stems(f"{hit.value.unit} {hit.cell.key if hit.cell else ''}")
    return bool(content_stems(value.unit) & counted)
