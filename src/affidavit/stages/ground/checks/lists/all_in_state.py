"""All in a state: "all checks passed", "both are in stock", over the states and flags of like things."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.words import content_stems, is_negated
from affidavit.stages.ground.checks.derived.derivation import is_result, tables
from affidavit.stages.ground.checks.states.claimed import CHECKED, claimed_states
from affidavit.stages.ground.checks.states.held import compare_states, listed_states
from affidavit.stages.ground.checks.states.vocabulary import STATUS_FIELD, states_in
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

_ALL = re.compile(r"\b(?:all|both|every|each|everything)\b", re.I)
_SOME = re.compile(
    r"\b(?:that|which|who|except|but|other than|apart from|besides|almost|nearly|not all|once|if|when|until|must|should|will|would|can|could|after|before)\b",
    re.I,
)
"""What leaves some of them out, or says what is to come."""


def all_in_state(claim: Claim, context: GroundContext, name: str) -> Finding:
    """Hold "all checks passed" against their states: it is wrong where a row of that list, or a part of a listing, is in a state that excludes it."""
    claim = _without_attributes(claim)
    plain = re.sub(r"\([^()]*\)", "", claim.text)  # an aside may be of some of them only
    if not _ALL.search(plain) or is_negated(claim.text) or claim.is_datum:
        return Finding.skip(name, "does not speak of all")
    if (flag := _not_all_flagged(claim, context)) is not None:
        passage, cell = flag
        detail = f"not all are: {passage.text[:160]}"
        return Finding(
            name, "checked", "contradicts", 0.05, "contradicts_evidence", detail,
            spans=(passage.span(cell),),
        )  # fmt: skip
    claimed = claimed_states(claim) if not _SOME.search(claim.text) else frozenset()
    held = list(_states_of_all(claim, context)) if claimed else []
    verdicts = [(compare_states(claimed, cell), passage, cell) for passage, cell in held]
    for same, passage, cell in verdicts:
        if same is False:
            span = passage.span(None if cell.pointer == passage.pointer else cell)
            detail = f"not all are: {passage.text[:160]}"
            return Finding(
                name, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=(span,)
            )
    if len(verdicts) > 1 and all(same for same, _, _ in verdicts):
        spans = tuple(passage.span() for _, passage, _ in verdicts[:3])
        detail = f"all {len(verdicts)} are"
        return Finding(
            name, "checked", "supports", 0.9, None, detail, spans=spans, settles="values"
        )
    return Finding.skip(name, "no list that could tell whether all are in that state")


_ATTRIBUTES = re.compile(
    r"(?P<all>\b(?:all|both|every|each)(?: of)?(?: (?:the|its|their|your|our|these|those))?)"
    r"(?: (?!(?:is|are|was|were|has|have|had)\b)[\w-]+)+(?P<noun> [\w-]+ (?:is|are|was|were|has|have|had)\b)",
    re.I,
)
"""What stands between "all" and its noun: "all *available* sizes are red" does not say that all are available."""


def _without_attributes(claim: Claim) -> Claim:
    text, statement = (
        _ATTRIBUTES.sub(r"\g<all>\g<noun>", told) for told in (claim.text, claim.statement)
    )
    return replace(claim, text=text, statement=statement)


def _not_all_flagged(claim: Claim, context: GroundContext) -> tuple[Passage, Cell] | None:
    """The row that is not, of the one list whose rows say yes or no of it: ``in_stock: false`` for "both are in
    stock"."""
    if _SOME.search(claim.text) or is_negated(claim.text) or _BUT_OUT.search(claim.text):
        return None
    said = content_stems(claim.statement)
    flagged: list[list[tuple[Passage, Cell]]] = []
    for table in tables(context):
        cells = [
            (passage, cell)
            for passage in table.passages
            for cell, _, _ in passage.cells
            if isinstance(cell.raw, bool) and (key := content_stems(cell.key)) and key <= said
        ]
        if len(cells) == len(table.rows) > 1:
            flagged.append(cells)
    if len(flagged) != 1:
        return None
    return next(((p, c) for p, c in flagged[0] if c.raw is False), None)


def _is_state_alone(cell: Cell) -> bool:
    """Whether a field holds a state and at most a remark on it: "e2e: failure (2 of 40)"."""
    return (
        isinstance(cell.raw, str)
        and bool(states_in(cell.text.split("(")[0]))
        and len(cell.text.split("(")[0].split()) <= 2
    )


_BUT_OUT = re.compile(r"\b(?:out of|sold out|off|un\w+)\b", re.I)
"""What turns the flag into its opposite."""


def _states_of_all(claim: Claim, context: GroundContext) -> Iterator[tuple[Passage, Cell]]:
    """The states of the rows of a list that the claim names, and of the parts of a field it names."""
    said = content_stems(claim.statement)
    for passage in context.fitting:
        if not is_result(passage):
            continue
        for cell, _, _ in passage.cells:
            if content_stems(cell.key) & said:
                yield from ((passage, state) for _, state in listed_states(cell))
        if CHECKED.search(claim.statement):
            states = [c for c, _, _ in passage.cells if _is_state_alone(c)]
            yield from ((passage, cell) for cell in states if len(states) > 1)
    for table in tables(context):
        if content_stems(table.name.split(" ")[-1] if table.name else "") & said:
            # That a row is in that state makes it look like the one that is spoken of.
            spoken_of = any(passage in context.fitting for passage in table.passages)
            for passage in table.passages if spoken_of else ():
                states = [c for c, _, _ in passage.cells if STATUS_FIELD.search(c.key)]
                if len(states) == 1 and isinstance(states[0].raw, str):
                    yield passage, states[0]
