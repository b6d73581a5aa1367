"""Tools in the doctor's hands: watched, emptied, or broken, and otherwise as they were."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from affidavit.grounding.doctor.examinee import Tools
from affidavit.grounding.tool import Grounding, grounded_by

Outcome = Callable[[], Any]
"""What a tool does instead: returns something, or raises."""

CANARY = "canary-7f3a.internal:8443"
"""A technical detail that must not come out again."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool; ``result`` is what the agent got, ``error`` what it had to catch."""

    tool: str
    arguments: dict[str, Any]
    result: Any = None
    error: Exception | None = None


@dataclass
class Watch:
    """Everything the tools were called with, in order."""

    calls: list[Call] = field(default_factory=list)

    def watched(self, tools: Tools) -> dict[str, Callable[..., Any]]:
        """The same tools, each call noted."""
        return {name: self._watched(name, tool) for name, tool in tools.items()}

    def _watched(self, name: str, tool: Callable[..., Any]) -> Callable[..., Any]:
        def note(args: Any, kwargs: Any, **came: Any) -> None:
            self.calls.append(Call(name, _arguments(tool, args, kwargs), **came))

        @functools.wraps(tool)
        def plain(*args: Any, **kwargs: Any) -> Any:
            try:
                result = tool(*args, **kwargs)
            except Exception as error:
                note(args, kwargs, error=error)
                raise
            note(args, kwargs, result=result)
            return result

        @functools.wraps(tool)
        async def waiting(*args: Any, **kwargs: Any) -> Any:
            try:
                result = await tool(*args, **kwargs)
            except Exception as error:
                note(args, kwargs, error=error)
                raise
            note(args, kwargs, result=result)
            return result

        return waiting if inspect.iscoroutinefunction(tool) else plain


def replaced(tools: Tools, outcome: Outcome) -> dict[str, Callable[..., Any]]:
    """The same tools with ``outcome`` behind them; one that grounds its results goes on doing so."""
    return {name: _replaced(tool, outcome) for name, tool in tools.items()}


def _replaced(tool: Callable[..., Any], outcome: Outcome) -> Callable[..., Any]:
    @functools.wraps(tool)
    def plain(*_: Any, **__: Any) -> Any:
        return outcome()

    @functools.wraps(tool)
    async def waiting(*_: Any, **__: Any) -> Any:
        return outcome()

    stub = waiting if inspect.iscoroutinefunction(tool) else plain
    grounding = grounding_of(tool)
    return stub if grounding is None else grounded_by(grounding, stub)


def grounding_of(tool: Callable[..., Any]) -> Grounding | None:
    """How a tool grounds its results; None where it does not."""
    found = getattr(tool, "__grounding__", None)
    return found if isinstance(found, Grounding) else None


def _arguments(tool: Callable[..., Any], args: Any, kwargs: Any) -> dict[str, Any]:
    try:
        return dict(inspect.signature(tool).bind(*args, **kwargs).arguments)
    except (TypeError, ValueError):
        return {**{str(n): arg for n, arg in enumerate(args)}, **kwargs}


class TooManyRequests(Exception):
    """What a client library raises at HTTP status 429."""

    status_code = 429

    def __init__(self) -> None:
        super().__init__(f"429 Too Many Requests for https://{CANARY}/search")
        self.headers = {"Retry-After": "30"}


def nothing() -> Any:
    return []


def timeout() -> Any:
    raise TimeoutError(f"no answer from https://{CANARY}/search after 5000 ms")


def rate_limit() -> Any:
    raise TooManyRequests
