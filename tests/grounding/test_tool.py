"""The decorator: what a tool returns or raises, and the state that comes of it."""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from affidavit.grounding.faults import NothingFound, ToolNotConfigured
from affidavit.grounding.floors import Floors
from affidavit.grounding.knowledge.retriever import Hit, Source
from affidavit.grounding.result import GroundedResult
from affidavit.grounding.tool import grounded_tool

SECRET = "https://10.0.0.7:8443/v1?key=sk-31337"


class Order(BaseModel):
    id: str
    total: float


class Found(BaseModel):
    results: list[Any]
    total: int


@dataclass
class Matches:
    matches: list[str]


class Page:
    """An HTTP response by shape alone."""

    def __init__(self, status: int, body: str = "", headers: dict[str, str] | None = None) -> None:
        self.status_code, self.text, self.headers = status, body, headers or {}
        self.content = body.encode()

    def json(self) -> Any:
        return json.loads(self.text)


@dataclass
class Document:
    page_content: str


def found(score: float) -> list[dict[str, Any]]:
    return [{"content": "Basic costs $49.", "score": score}]


def hit(score: float) -> Hit:
    return Hit("1", "Basic costs $49.", score, Source("Prices", "P-1"))


RETURNED: dict[str, tuple[Any, str]] = {
    "none": (None, "not_found"),
    "blank text": (" \n", "not_found"),
    "no rows": ([], "not_found"),
    "an empty object": ({}, "not_found"),
    "an empty list under a name": ({"results": [], "total": 0}, "not_found"),
    "an empty list and the query again": ({"query": "alpha", "hits": []}, "not_found"),
    "an empty page": ({"items": [], "page": 1, "page_size": 20, "has_more": False}, "not_found"),
    "a status beside no results": ({"status": "ok", "results": []}, "not_found"),
    "a status beside no items": ({"status": "shipped", "items": []}, "success"),
    "only nulls": ({"order": None, "customer": None}, "not_found"),
    "found: false": ({"found": False}, "not_found"),
    "blank rows": ([{}, None, ""], "not_found"),
    "status 204": (Page(204), "not_found"),
    "status 404": (Page(404, "<h1>no</h1>"), "not_found"),
    "text": ("Basic costs $49.", "success"),
    "text that speaks of errors": ("Error 500: connection timed out, nothing was found", "success"),
    "a model": (Order(id="W1", total=9.5), "success"),
    "rows": ([{"id": "W1"}, {"id": "W2"}], "success"),
    "a model without rows": (Found(results=[], total=0), "not_found"),
    "a model of rows nearly relevant": (Found(results=found(0.6), total=1), "low_relevance"),
    "a dataclass of nothing": (Matches([]), "not_found"),
    "freezing, and no alerts": ({"temperature": 0, "alerts": []}, "success"),
    "not subscribed, and no alerts": ({"subscribed": False, "alerts": []}, "success"),
    "a number that is asked for again": ({"limit": 5, "hits": [], "hit_count": 0}, "not_found"),
    "zero, which is an answer": (0, "success"),
    "no, which is an answer": (False, "success"),
    "a balance of zero": ({"balance": 0}, "success"),
    "an empty list beside a fact": ({"orders": [], "name": "Ada"}, "success"),
    "the score of an exam": ([{"student": "Ada", "score": 0.4}], "success"),
    "rows of a table": ([("discount", 0.4), ("surcharge", 0.1)], "success"),
    "status 200": (Page(200, '{"total": 9}'), "success"),
    "a job that failed, told with its number": ({"job": "J1", "error": "disk full"}, "success"),
    "relevant": (found(0.75), "success"),
    "nearly relevant": (found(0.7499), "low_relevance"),
    "barely": (found(0.55), "low_relevance"),
    "noise": (found(0.5499), "not_found"),
    "a relevance by another name": ([{"id": 1, "relevance_score": 0.6}], "low_relevance"),
    "hits": ([hit(0.8), hit(0.2)], "success"),
    "a document and its score": ([(Document("Basic costs $49."), 0.6)], "low_relevance"),
    "rows under a name": ({"results": found(0.6), "total": 1}, "low_relevance"),
    "a score that is no number": (found(float("nan")), "technical_error"),
    "status 503": (Page(503, "down"), "technical_error"),
    "flagged as an error": ({"isError": True, "content": []}, "technical_error"),
    "an error of JSON-RPC": ({"jsonrpc": "2.0", "id": 1, "error": {"code": -1}}, "technical_error"),
    "an error and no results": ({"error": SECRET, "results": None}, "technical_error"),
}  # fmt: skip


@pytest.mark.spec("AFF-1003")
@pytest.mark.parametrize(("value", "state"), RETURNED.values(), ids=RETURNED)
def test_the_state_of_what_a_tool_returns(value: Any, state: str) -> None:
    @grounded_tool
    def lookup(query: str) -> Any:
        return value

    result = lookup("alpha")
    assert isinstance(result, GroundedResult)
    assert (result.state, result.source) == (state, "lookup")
    assert result.is_error == (state in ("not_found", "technical_error"))
    assert SECRET not in str(result)


class HTTPStatusError(Exception):
    def __init__(self, status: int, **headers: str) -> None:
        super().__init__(SECRET)
        self.response = Page(status, headers={k.replace("_", "-"): v for k, v in headers.items()})


class GrpcError(Exception):
    """As of grpcio, where the code is a method."""

    def __init__(self, name: str) -> None:
        super().__init__(SECRET)
        self.name = name

    def code(self) -> Any:
        return SimpleNamespace(name=self.name)


class ReadTimeoutError(Exception):
    """A client library's own, which is no TimeoutError."""


def raised_from(cause: Exception) -> Exception:
    error = RuntimeError("the tool did not work")
    error.__cause__ = cause
    return error


RAISED: dict[str, tuple[Exception, str | None, float | None]] = {
    "timeout": (TimeoutError(SECRET), "timeout", None),
    "a library's timeout": (ReadTimeoutError(SECRET), "timeout", None),
    "connection": (ConnectionRefusedError(SECRET), "unavailable", None),
    "429": (HTTPStatusError(429), "rate_limit", None),
    "429 with a wait": (HTTPStatusError(429, retry_after="30"), "rate_limit", 30),
    "429 with an odd wait": (HTTPStatusError(429, Retry_After="soon"), "rate_limit", None),
    "401": (HTTPStatusError(401), "authorization", None),
    "403": (HTTPStatusError(403), "authorization", None),
    "an HTTPStatus": (HTTPStatusError(HTTPStatus.TOO_MANY_REQUESTS), "rate_limit", None),
    "gRPC": (GrpcError("UNAVAILABLE"), "unavailable", None),
    "gRPC, not there": (GrpcError("NOT_FOUND"), None, None),
    "404": (HTTPStatusError(404), None, None),
    "408": (HTTPStatusError(408), "timeout", None),
    "422": (HTTPStatusError(422), "bad_request", None),
    "500": (HTTPStatusError(500), "unavailable", None),
    "503 with a wait": (HTTPStatusError(503, Retry_After="5"), "unavailable", 5),
    "no permission": (PermissionError(SECRET), "authorization", None),
    "not configured": (ToolNotConfigured(SECRET), "configuration", None),
    "a package is missing": (ModuleNotFoundError(SECRET), "configuration", None),
    "a defect": (ZeroDivisionError(SECRET), "internal", None),
    "a defect that reads like an absence": (KeyError("not found"), "internal", None),
    "raised from a timeout": (raised_from(TimeoutError(SECRET)), "timeout", None),
    "a group": (ExceptionGroup("several", [ValueError(), TimeoutError()]), "timeout", None),
    "told to be nothing": (NothingFound("no such order"), None, None),
}  # fmt: skip


@pytest.mark.spec("AFF-1003", "AFF-1004")
@pytest.mark.parametrize(("error", "fault", "wait"), RAISED.values(), ids=RAISED)
def test_the_state_of_what_a_tool_raises(
    error: Exception, fault: str | None, wait: float | None, caplog: pytest.LogCaptureFixture
) -> None:
    @grounded_tool(source="the price list")
    def lookup() -> Any:
        raise error

    with caplog.at_level(logging.WARNING, "affidavit.grounding"):
        result = lookup()
    assert result.state == ("technical_error" if fault else "not_found")
    assert (result.fault, result.retry_after) == (fault, wait)
    for shown in (str(result), repr(result), result.model_dump_json(), result.instruction):
        assert SECRET not in shown
    if SECRET in str(error):
        assert SECRET in result.detail and SECRET in caplog.text


def test_each_fault_tells_the_model_something_else() -> None:
    told = {}
    for name in ("timeout", "429", "429 with a wait", "401", "404", "422", "not configured"):
        error = RAISED[name][0]

        @grounded_tool
        def lookup(error: Exception = error) -> Any:
            raise error

        told[name] = lookup().instruction
        assert "own knowledge" in told[name]
    assert len(set(told.values())) == len(told)
    assert "30 seconds" in told["429 with a wait"]


def test_an_exception_can_be_declared_to_mean_absence() -> None:
    @grounded_tool(absent=[KeyError])
    def lookup(ticket: str) -> Any:
        return {"RJ-1": "ready"}[ticket]

    assert lookup("RJ-1").state == "success"
    assert lookup("RJ-2").state == "not_found"


async def _rows() -> AsyncIterator[str]:
    yield "Basic costs $49."


async def _text() -> str:
    await asyncio.sleep(0)
    return "Basic costs $49."


async def _fails() -> str:
    raise TimeoutError


def _generator() -> Iterator[str]:
    yield "Basic costs $49."


def _broken() -> Iterator[str]:
    yield "Basic costs $49."
    raise TimeoutError


def _hands_on() -> Any:
    return _text()


@pytest.mark.parametrize(
    ("tool", "state"),
    [(_rows, "success"), (_text, "success"), (_fails, "technical_error"), (_hands_on, "success"),
     (_generator, "success"), (_broken, "technical_error")],
)  # fmt: skip
def test_tools_of_every_kind(tool: Callable[[], Any], state: str) -> None:
    decorated = grounded_tool(tool)
    came = decorated()
    result = asyncio.run(came) if inspect.iscoroutine(came) else came
    assert result.state == state
    assert result.content in ("Basic costs $49.", ["Basic costs $49."], None)


def test_cancellation_and_interrupts_pass() -> None:
    @grounded_tool
    def lookup() -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lookup()


def test_name_signature_and_documentation_stay_those_of_the_tool() -> None:
    def search(query: str, limit: int = 3) -> list[str]:
        """Searches."""
        return []

    decorated = grounded_tool(search)
    assert decorated.__name__ == "search" and decorated.__doc__ == "Searches."
    assert list(inspect.signature(decorated).parameters) == ["query", "limit"]


@pytest.mark.parametrize(
    ("call", "query"),
    [
        (lambda tool: tool("the Alpha contract"), "the Alpha contract"),
        (lambda tool: tool(query="the Alpha contract", index="kb"), "the Alpha contract"),
        (lambda tool: tool("", index=""), None),
    ],
)
def test_what_was_not_found_is_told_with_its_query(
    call: Any, query: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    @grounded_tool
    def search(query: str, index: str = "") -> Any:
        return []

    with caplog.at_level(logging.INFO, "affidavit.grounding"):
        result = call(search)
    assert result.query == query == result.envelope()["grounding"].get("query")
    assert query is None or query in caplog.text
    assert grounded_tool(lambda query: found(0.9))("x").query is None


def test_the_floors_are_the_deployments_own() -> None:
    @grounded_tool(floors=Floors(0.3, 0.15), score_of=lambda row: row[1])
    def search() -> Any:
        return [("Kyoto in November", 0.31), ("scuba diving", 0.13)]

    result = search()
    assert (result.state, result.score) == ("success", 0.31)
    assert result.content == [["Kyoto in November", 0.31]], "what is below the floor is left out"


def test_rows_under_a_name_keep_what_stands_beside_them() -> None:
    @grounded_tool
    def search() -> Any:
        return {"results": [*found(0.9), *found(0.1)], "index": "prices"}

    assert search().content == {"results": found(0.9), "index": "prices"}


def test_a_grounded_result_is_returned_as_it_is() -> None:
    @grounded_tool
    def inner() -> Any:
        return found(0.6)

    assert grounded_tool(inner)() == inner()


def test_floors_out_of_order_are_refused() -> None:
    with pytest.raises(ValueError, match="low <= success"):
        Floors(0.5, 0.6)


@given(st.floats(0, 1))
def test_states_follow_the_score(score: float) -> None:
    expected = "success" if score >= 0.75 else "low_relevance" if score >= 0.55 else "not_found"
    assert Floors().state(score) == expected


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(max_size=4),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(json_like)
def test_whatever_is_returned_gives_a_result_that_is_strict_json(value: object) -> None:
    result = grounded_tool(lambda: value)()
    json.loads(str(result), parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert result.instruction
    assert (result.fault is not None) == (result.state == "technical_error")


def test_the_caller_s_rows_are_not_changed() -> None:
    rows = found(0.9)
    before = json.dumps(rows)
    grounded_tool(lambda: rows)()
    assert json.dumps(rows) == before
