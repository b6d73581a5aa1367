"""A decorator that makes any tool return a grounded result, whatever it returns or raises."""

from __future__ import annotations

import functools
import inspect
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ParamSpec, Protocol, TypeAlias, TypeVar, overload

from affidavit.grounding.citations import numbered
from affidavit.grounding.faults import Fault, fault_of
from affidavit.grounding.floors import Floors
from affidavit.grounding.hits import Row, ScoreOf, as_mapping, rows_field, scored_rows
from affidavit.grounding.knowledge.retriever import Hit
from affidavit.grounding.metrics import Metric
from affidavit.grounding.moments import tell_result
from affidavit.grounding.result import (
    GroundedResult,
    low_relevance,
    not_found,
    of_fault,
    success,
)
from affidavit.grounding.returned import content_of, failure_in, is_empty, materialised

_log = logging.getLogger("affidavit.grounding")

P = ParamSpec("P")
T = TypeVar("T")
Grounded: TypeAlias = Callable[P, GroundedResult]
AsyncGrounded: TypeAlias = Callable[P, Coroutine[Any, Any, GroundedResult]]


@dataclass(frozen=True)
class Grounding:
    """How what one tool returns or raises becomes a grounded result.

    ``source`` names the tool to the model. ``score_of`` reads the relevance of a row where it is under
    another name than the usual ones; where it says None of every row, none has one. ``metric`` is what the
    store measures where it gives distances. ``absent`` are exceptions that mean that the thing is not there,
    such as a tool's own ``KeyError``: by themselves they are technical errors, because taking a defect
    for an absence would make the agent deny what exists.
    """

    source: str
    floors: Floors = field(default_factory=Floors)
    score_of: ScoreOf | None = None
    absent: tuple[type[Exception], ...] = ()
    metric: Metric | None = None

    def of_value(
        self, value: object, arguments: Mapping[str, object] | None = None
    ) -> GroundedResult:
        """The result for what the tool returned; ``arguments`` are what it was called with."""
        if isinstance(value, GroundedResult):
            return value
        query = query_of(arguments or {})
        try:
            if (fault := failure_in(value)) is not None:
                return of_fault(fault, source=self.source, query=query)
            content = materialised(content_of(value))
            if is_empty(content, arguments):
                return not_found(source=self.source, query=query)
            rows = scored_rows(content, self.score_of, self.metric)
            if rows is None:
                return success(content, source=self.source)
            return self._of_rows(rows, content, query)
        except Exception as error:  # a value that cannot be read is the tool's fault
            return self.of_error(error, arguments)

    def of_error(
        self, error: Exception, arguments: Mapping[str, object] | None = None
    ) -> GroundedResult:
        """The result for what the tool raised."""
        fault = (
            Fault(None, detail=repr(error)) if isinstance(error, self.absent) else fault_of(error)
        )
        return of_fault(fault, source=self.source, query=query_of(arguments or {}))

    def _of_rows(self, rows: Sequence[Row], whole: object, query: str | None) -> GroundedResult:
        best = max(row.score for row in rows if row.score is not None)
        state = self.floors.state(best)
        # What is below the floor is not what was asked for, and the model would use it all the same.
        kept = [row.value for row in rows if row.score is None or row.score >= self.floors.low]
        if state == "not_found":
            detail = f"best score {best:g} is below the floor"
            return not_found(source=self.source, query=query, detail=detail)
        content, warnings = _shown(kept, whole)
        make = success if state == "success" else low_relevance
        return make(content, source=self.source, score=best, warnings=warnings)


def _shown(kept: list[object], whole: object) -> tuple[object, Sequence[str]]:
    """The rows that are kept, as the model gets them, and what to warn of."""
    hits = [row for row in kept if isinstance(row, Hit)]
    if len(hits) == len(kept):
        return numbered(hits)
    fields = as_mapping(whole) or {}
    name = rows_field(fields)
    return ({**fields, name: kept} if name else kept), ()


class Decorator(Protocol):
    """Makes a tool return a :class:`GroundedResult`."""

    @overload
    def __call__(self, tool: Callable[P, Coroutine[Any, Any, Any]], /) -> AsyncGrounded[P]: ...
    @overload
    def __call__(self, tool: Callable[P, Any], /) -> Grounded[P]: ...


@overload
def grounded_tool(tool: Callable[P, Coroutine[Any, Any, Any]], /) -> AsyncGrounded[P]: ...
@overload
def grounded_tool(tool: Callable[P, Any], /) -> Grounded[P]: ...
@overload
def grounded_tool(
    *,
    source: str | None = None,
    floors: Floors | None = None,
    score_of: ScoreOf | None = None,
    absent: Sequence[type[Exception]] = (),
    metric: Metric | None = None,
) -> Decorator: ...
def grounded_tool(
    tool: Callable[..., Any] | None = None,
    /,
    *,
    source: str | None = None,
    floors: Floors | None = None,
    score_of: ScoreOf | None = None,
    absent: Sequence[type[Exception]] = (),
    metric: Metric | None = None,
) -> Any:
    """Make a tool return a :class:`GroundedResult`, and never raise an ``Exception``.

    It may be a plain function, an asynchronous one, or a generator of rows of either kind. Name and
    signature stay those of the tool, and ``str`` of the result is what a model should read. ``source``
    is the tool's name unless given. Where the tool says how relevant what it found is, ``floors`` decide;
    a relevance that cannot be read, or that is outside [-1, 1] where the floors are inside, is an error.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        name = source or str(getattr(function, "__name__", type(function).__name__))
        grounding = Grounding(name, floors or Floors(), score_of, tuple(absent), metric)
        return grounded_by(grounding, function)

    return decorate if tool is None else decorate(tool)


def grounded_by(grounding: Grounding, function: Callable[..., Any]) -> Callable[..., Any]:
    """``function`` with its results grounded in this way."""
    wrapped: Callable[..., Any]
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):

        @functools.wraps(function)
        async def wrapped(*args: Any, **kwargs: Any) -> GroundedResult:
            return await _awaited(grounding, function, args, kwargs)
    else:

        @functools.wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            try:
                value = function(*args, **kwargs)
            except Exception as error:
                return _of(grounding.of_error, error, _arguments(function, args, kwargs))
            if inspect.isawaitable(value):  # a plain function that hands on a coroutine
                return _awaited(grounding, lambda: value, (), {})
            return _of(grounding.of_value, value, _arguments(function, args, kwargs))

    wrapped.__grounding__ = grounding  # type: ignore[attr-defined]
    return wrapped


async def _awaited(
    grounding: Grounding, function: Callable[..., Any], args: Any, kwargs: Any
) -> GroundedResult:
    try:
        value = function(*args, **kwargs)
        if isinstance(value, Awaitable):
            value = await value
        if isinstance(value, AsyncIterator):
            value = [row async for row in value]
    except Exception as error:
        return _of(grounding.of_error, error, _arguments(function, args, kwargs))
    return _of(grounding.of_value, value, _arguments(function, args, kwargs))


def _of(
    ground: Callable[[T, Mapping[str, object]], GroundedResult],
    came: T,
    arguments: Mapping[str, object],
) -> GroundedResult:
    return _logged(ground(came, arguments), query_of(arguments))


def _arguments(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> dict[str, object]:
    try:
        return dict(inspect.signature(function).bind(*args, **kwargs).arguments)
    except (TypeError, ValueError):  # a callable that does not tell its signature
        return {**{str(n): arg for n, arg in enumerate(args)}, **kwargs}


_QUERIES = ("query", "q", "question", "search", "search_query", "text", "keywords")


def query_of(arguments: Mapping[str, object]) -> str | None:
    """What a tool was asked for: its query, or the only text it was given."""
    texts = {name: value for name, value in arguments.items() if isinstance(value, str) and value}
    named = next((texts[name] for name in _QUERIES if name in texts), None)
    return named or (next(iter(texts.values())) if len(texts) == 1 else None)


def _logged(result: GroundedResult, query: str | None) -> GroundedResult:
    score = "" if result.score is None else f", best {result.score:.4g}"
    asked = "" if query is None else f" for {query!r}"
    match result.state:
        case "technical_error":
            _log.error("%s failed%s (%s): %s", result.source, asked, result.fault, result.detail)
        case "not_found" | "low_relevance":
            _log.warning("%s: %s%s%s %s", result.source, result.state, asked, score, result.detail)
        case _:
            _log.info("%s: %s%s%s", result.source, result.state, asked, score)
    tell_result(result, query)
    return result
