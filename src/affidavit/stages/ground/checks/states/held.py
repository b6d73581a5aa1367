"""The states that a field holds, and whether they are those that are claimed."""

from __future__ import annotations

import re
from functools import cache

from affidavit.ledger.records import Cell
from affidavit.stages.ground.checks.states.vocabulary import states_in

_LISTED_STATE = re.compile(r"\s*(?P<name>[\w./-]+(?: [\w./-]+)?)\s*[:=]?\s+(?P<state>[\w-]+)\s*")
BETWEEN_STATES = re.compile(r"[,;|]\s*|\s{2,}|\s(?=[\w./-]+\s?[=:])")
"""Where one part of a listing ends: "A=online  B=online"."""


def listed_states(cell: Cell) -> list[tuple[str, Cell]]:
    """The names and states of a field that gives several of them, nothing else: "unit OK, e2e FAILED"."""
    parts = BETWEEN_STATES.split(cell.text.strip()) if isinstance(cell.raw, str) else []
    pairs = [m for part in parts if (m := _LISTED_STATE.fullmatch(part)) and states_in(m["state"])]
    if len(parts) < 2 or len(pairs) != len(parts):
        return []
    return [(m["name"], Cell((*cell.path, m["name"]), m["state"], cell.pointer)) for m in pairs]


_NOT_SO = re.compile(r"\b(?:not|never|without being|instead of) \w+")
"""What a field says that it is not: "closed, not merged"."""
PARTWAY = re.compile(r"(?<![\d.,])\d{1,2}(?:[.,]\d+)?\s?%\s(?:\w+ )?(?:done|complete\w*|finished)")


def compare_states(claimed: frozenset[tuple[int, int]], cell: Cell) -> bool | None:
    """Same state, states that exclude each other, or neither; nothing of several things in several states."""
    if listed := listed_states(cell):
        each = {compare_states(claimed, state) for _, state in listed}
        return each.pop() if len(each) == 1 else None
    text = PARTWAY.sub("in progress", cell.text.casefold())
    held = states_in(f"turned {text}" if text in ("on", "off") else _NOT_SO.sub(" ", text))
    if held & states_in("delivered"):
        held |= _sent()  # what has arrived was sent, though it is no longer on its way
    if claimed & held:
        return True
    if {paragraph for paragraph, _ in claimed} & {paragraph for paragraph, _ in held}:
        return False
    return None


@cache
def _sent() -> frozenset[tuple[int, int]]:
    """That something was sent, and not that it is on its way."""
    return states_in("shipped") - states_in("in-transit")


SHORT = 60
"""Characters of a field that says how a thing stands; a longer one tells a story."""


def has_state(cell: Cell) -> bool:
    return bool(states_in(cell.text)) or cell.text.casefold() in ("on", "off")
