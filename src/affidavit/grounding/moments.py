"""What is told of a result, a search and an answer to whoever traces the host: events of its current span."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affidavit.grounding.result import GroundedResult
from affidavit.grounding.trail import SearchTrail

if TYPE_CHECKING:
    from affidavit.records.telemetry.evaluations import Attributes


def tell_result(result: GroundedResult, query: str | None) -> None:
    """What became of a call of a tool, and what it was asked for."""
    # When there is something to tell: telemetry is no part of importing the package.
    from affidavit.records.telemetry import names
    from affidavit.records.telemetry.moments import tell

    about: Attributes = {names.TOOL_NAME: result.source, **_of(result)}
    if result.fault is not None:
        about[names.ERROR_TYPE] = result.fault
    tell(names.RESULT_EVENT, about, query=query)


def tell_search(result: GroundedResult, trail: SearchTrail) -> None:
    """What a search came to, in how many attempts, and why it ended."""
    from affidavit.records.telemetry import names
    from affidavit.records.telemetry.moments import tell

    ended: Attributes = {names.STOP_REASON: trail.stopped, names.ATTEMPTS: len(trail.attempts)}
    tell(names.SEARCH_EVENT, {**ended, **_of(result)}, query=trail.query)


def tell_answer(result: GroundedResult, stop_reason: str, query: str) -> None:
    """Why an answer from a search ended as it did."""
    from affidavit.records.telemetry import names
    from affidavit.records.telemetry.moments import tell

    tell(names.ANSWER_EVENT, {names.STOP_REASON: stop_reason, **_of(result)}, query=query)


def _of(result: GroundedResult) -> Attributes:
    from affidavit.records.telemetry import names

    about: Attributes = {names.RESULT_STATE: result.state}
    if result.score is not None:
        about[names.RESULT_SCORE] = result.score
    return about
