"""What a call acts on, and whether that is what a claim says it was done to."""

from __future__ import annotations

import re

from affidavit.ledger.ledger import CallEntry
from affidavit.ledger.records import records_of
from affidavit.ledger.search import Hit
from affidavit.ledger.values import Value, fold
from affidavit.stages.ground.finding import GroundContext


def _mentions(entry: CallEntry, key: str) -> bool:
    wanted = fold(key).replace(" ", "")
    texts = [cell.text for record in records_of(entry.call.arguments) for cell in record.cells]
    if entry.result is not None:
        texts += [cell.text for record in entry.result.records for cell in record.cells]
        texts.append(entry.result.text if not entry.result.records else "")
    return any(wanted in fold(text).replace(" ", "") for text in texts)


def is_on(entry: CallEntry, value: Value, context: GroundContext) -> bool:
    """Whether a call or its result names the value, or the record that holds it: "your Visa ending in
    8902" is the ``credit_card_8897086`` that it was charged to."""
    if _mentions(entry, value.key or value.text):
        return True
    return any(
        hit.match == "same" and any(_mentions(entry, name) for name in _identifiers(hit))
        for hit in context.search.hits(value)
    )


def acts_on(entry: CallEntry, value: Value, context: GroundContext) -> bool:
    """Whether a call was told to act on what a value names. Its result shows the whole order: where it takes
    numbers of that form, the number has to be one of those that it was given."""
    form = _form(value.text)
    cells = (cell for record in records_of(entry.call.arguments) for cell in record.cells)
    given = {cell.text for cell in cells if form and _form(cell.text) == form}
    if value.kind == "identifier" and given:
        return value.text in given
    return is_on(entry, value, context)


def _form(text: str) -> str:
    """What a number of five digits and more looks like, "#W9999999"; "" for anything else."""
    digits = sum(map(str.isdigit, text))
    return re.sub(r"\d", "9", text) if digits >= _LONG and " " not in text else ""


_LONG = 5


def _identifiers(hit: Hit) -> list[str]:
    """What the thing that holds a cell is called: by its record, and by the keys that lead to it."""
    record, cell = hit.passage.record, hit.cell
    if record is None or cell is None:
        return []
    steps = [step for step in cell.path[:-1] if isinstance(step, str)]
    return [*steps, *(c.text for c in record.cells if c.text in record.identity)]
