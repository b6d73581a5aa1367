"""What a record says about itself besides the run: which agent, which task, when, and what is right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from affidavit.trace import RunTrace

_AGENT = (
    "agent_version", "agent.version", "gen_ai.agent.version", "prompt_version", "release",
    "service.version", "version", "agent_name", "agent.name", "gen_ai.agent.name", "agent",
)  # fmt: skip
_TASK = ("task", "task_name", "task_type", "intent", "domain", "category", "name")
_TIME = (
    "timestamp", "time", "created_at", "createdAt", "start_time", "startTime", "created", "date",
)  # fmt: skip
_LABEL = ("label", "grounded", "correct", "is_correct")
_GOOD = {"good", "grounded", "correct", "true", "pass", "faithful", "1"}
_BAD = {"bad", "hallucinated", "hallucination", "incorrect", "false", "fail", "unfaithful", "0"}
_INSIDE = ("metadata", "attributes", "resource")
_LATEST = 4_102_444_800  # the year 2100, in seconds: larger numbers count finer units


def agent_of(places: Iterable[Mapping[str, Any]]) -> str:
    return _text(places, _AGENT)


def task_of(places: Iterable[Mapping[str, Any]]) -> str:
    return _text(places, _TASK)


def label_of(places: Iterable[Mapping[str, Any]]) -> str:
    told = _text(places, _LABEL).lower()
    return "good" if told in _GOOD else "bad" if told in _BAD else ""


def week_of(places: Iterable[Mapping[str, Any]]) -> str:
    """The ISO week of the run, such as 2026-W48."""
    for place in places:
        for key in _TIME:
            if (when := _moment(place.get(key))) is not None:
                year, week, _ = when.isocalendar()
                return f"{year}-W{week:02}"
    return ""


def places_in(doc: Any, trace: RunTrace) -> list[Mapping[str, Any]]:
    """Where a record may speak about itself, the most particular place first."""
    return [place for place in _places(doc, trace) if isinstance(place, Mapping)]


def _places(doc: Any, trace: RunTrace) -> Iterator[Any]:
    yield trace.metadata
    if isinstance(doc, Mapping):
        for key in _INSIDE:
            yield doc.get(key)
        yield doc
        run = doc.get("run")
        if isinstance(run, Mapping):
            yield run.get("metadata")
            yield run


def _text(places: Iterable[Mapping[str, Any]], keys: tuple[str, ...]) -> str:
    held = list(places)
    for key in keys:
        for place in held:
            value = place.get(key)
            if isinstance(value, str | int | float) and str(value).strip():
                return str(value).strip()[:200]
    return ""


def _moment(value: Any) -> datetime | None:
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        if isinstance(value, str):
            return datetime.fromisoformat(value.strip())
        seconds = float(value)
        while seconds > _LATEST:
            seconds /= 1000
        return datetime.fromtimestamp(seconds, UTC) if seconds > 10**8 else None
    except (ValueError, OverflowError, OSError):
        return None
