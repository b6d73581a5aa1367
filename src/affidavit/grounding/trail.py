"""The trail of a search: every attempt, what came of it, and why it ended."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from pydantic import JsonValue
from pydantic_core import to_jsonable_python

from affidavit.grounding.confidence import Confidence
from affidavit.ledger.grounded import ResultState

StopReason = Literal[
    "found", "not_relevant", "attempts_used", "no_other_query", "technical_error", "not_assessed"
]
"""``found`` it answers · ``not_relevant`` what is there is about something else, so another wording would
not help · ``attempts_used`` none is left · ``no_other_query`` no other wording was to be had ·
``technical_error`` the search itself failed · ``not_assessed`` whether it answers could not be found out."""


@dataclass(frozen=True, slots=True)
class SearchAttempt:
    """One search. ``score`` is that of its best hit; ``confidence`` None where it was not assessed."""

    number: int
    of: int
    query: str
    hits: int
    score: float | None
    state: ResultState
    confidence: Confidence | None = None


@dataclass(frozen=True, slots=True)
class SearchTrail:
    """What a run log or a trace should hold of a search."""

    query: str
    attempts: tuple[SearchAttempt, ...]
    stopped: StopReason

    def as_json(self) -> dict[str, JsonValue]:
        record: dict[str, JsonValue] = to_jsonable_python(asdict(self))
        return record
