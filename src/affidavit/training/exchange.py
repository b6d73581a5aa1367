"""Two rows of a result exchange what they say in one field: what was true of either is false.

By machine, so only where it is safe: both values occur once in all results, and a claim counts as changed only if it
mentions one of them together with something else of that row. Other claims that lean on either become unknown.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from affidavit.ledger.records import Cell, Record
from affidavit.stages.ground.linking import Evidence, Linked, evidence_of, linked_answer
from affidavit.stages.ground.linking.evidence import is_call
from affidavit.training.runs import Labelled, Row, patched, results_of

_MOST = 2
_TRIED = 8
"""Pairs of cells that are looked at for an exchange."""


@dataclass(frozen=True)
class _Exchange:
    """Two cells of one field, and the call whose result they are in."""

    call: str
    rows: tuple[Record, Record]
    cells: tuple[Cell, Cell]


def exchange(one: Labelled, rng: random.Random) -> tuple[Labelled, list[Row] | None]:
    """The answer with the claims that up to ``_MOST`` exchanges make false, and the messages with them made. Half of the time
    an exchange is not made, and the same claims are marked as known to be true. The messages are None where nothing
    is exchanged."""
    evidence = evidence_of(one.ledger())
    links = linked_answer([claim.statement for claim in one.claims], evidence)
    options = list(_options(evidence, one.messages))
    labels, changed = list(one.labels), set(one.changed)
    messages: list[Row] | None = None
    used: list[Record] = []
    found = 0
    for option in rng.sample(options, min(_TRIED, len(options))):
        bound = [n for n, linked in enumerate(links) if labels[n] and _bound(linked, option)]
        if not bound or any(row in used for row in option.rows):
            continue
        found += 1
        used += option.rows
        changed |= set(bound)
        if rng.random() < 0.5:
            messages = _made(messages or one.messages, option)
            for n, linked in enumerate(links):
                if n in bound:
                    labels[n] = False
                elif _leans(linked, option):
                    labels[n] = None
        if found == _MOST:
            break
    return replace(one, labels=tuple(labels), changed=frozenset(changed)), messages


def _options(evidence: Evidence, messages: Sequence[Row]) -> Iterator[_Exchange]:
    results = results_of(messages)
    whole = "\n".join(results.values())
    for group, rows in evidence.rows.items():
        line = evidence.line_of[group, rows[0].pointer]
        call = line.source.call_id or ""
        if is_call(line) or call not in results or not 1 < len(rows) <= 40:
            continue
        fields: dict[str, list[tuple[Record, Cell]]] = {}
        for row in rows:
            for cell in row.cells:
                if len(cell.text) > 1 and whole.count(cell.text) == 1:
                    fields.setdefault(cell.key, []).append((row, cell))
        for said in fields.values():
            for n, (row, cell) in enumerate(said[1:]):
                yield _Exchange(call, (said[n][0], row), (said[n][1], cell))


def _bound(linked: Linked, option: _Exchange) -> bool:
    """Whether a claim mentions one of the values together with something else of its row, and not the other one."""
    mine = [
        [h.cell for link in linked.links for h in link.hits if h.passage.record is row]
        for row in option.rows
    ]
    says = [any(c is cell for c in own) for own, cell in zip(mine, option.cells, strict=True)]
    if says[0] == says[1]:
        return False
    n = 0 if says[0] else 1
    return any(c is not None and c is not option.cells[n] for c in mine[n])


def _leans(linked: Linked, option: _Exchange) -> bool:
    """Whether a claim mentions a value of either row, or was worked out from one."""
    for link in linked.links:
        if any(h.cell is c for h in link.hits for c in option.cells):
            return True
        operands = link.formula.operands if link.formula is not None else ()
        if any(o.line is not None and o.line.record in option.rows for o in operands):
            return True
    return False


def _made(messages: Sequence[Row], option: _Exchange) -> list[Row]:
    a, b = (cell.text for cell in option.cells)
    between = "\0"
    edits = [(a, between), (b, a), (between, b)]
    return patched(messages, [{"call": option.call, "old": o, "new": n} for o, n in edits])
