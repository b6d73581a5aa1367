"""Why a tool could not be used, from the exception's class and the HTTP status, never from its words.

Client libraries are known by shape: ``status_code`` (httpx, requests, the provider SDKs), ``status``
(aiohttp), ``code`` (urllib), and the class names of their exceptions. None of them is imported.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Literal

FaultKind = Literal[
    "timeout", "rate_limit", "authorization", "configuration", "unavailable", "bad_request", "internal"
]  # fmt: skip
"""``timeout`` no answer in time · ``rate_limit`` asked too often · ``authorization`` not allowed ·
``configuration`` not set up · ``unavailable`` could not be reached or is down · ``bad_request`` did not
accept the request · ``internal`` failed for another reason."""


class ToolNotConfigured(Exception):
    """For a tool to raise that lacks what it needs to work, such as a key."""


class NothingFound(Exception):
    """For a tool to raise that looked and found nothing, where it cannot return that."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a call failed. ``kind`` None means that it did not fail: what was asked for is not there.

    ``retry_after`` is in seconds. ``detail`` is for logs: it may hold hosts, paths and keys.
    """

    kind: FaultKind | None
    status: int | None = None
    retry_after: float | None = None
    detail: str = ""


_BY_STATUS: dict[int, FaultKind | None] = {
    401: "authorization", 402: "configuration", 403: "authorization", 404: None,
    407: "authorization", 408: "timeout", 410: None, 429: "rate_limit", 504: "timeout",
}  # fmt: skip

_BY_GRPC_CODE: dict[str, FaultKind | None] = {
    "NOT_FOUND": None, "DEADLINE_EXCEEDED": "timeout", "RESOURCE_EXHAUSTED": "rate_limit",
    "UNAUTHENTICATED": "authorization", "PERMISSION_DENIED": "authorization",
    "UNAVAILABLE": "unavailable", "INVALID_ARGUMENT": "bad_request",
}  # fmt: skip

# A part of the name of a class that an exception is or derives from, the first that fits.
_BY_CLASS: tuple[tuple[str, FaultKind | None], ...] = (
    ("NothingFound", None),
    ("ToolNotConfigured", "configuration"),
    ("Timeout", "timeout"),
    ("RateLimit", "rate_limit"),
    ("TooManyRequests", "rate_limit"),
    ("Throttl", "rate_limit"),
    ("PermissionError", "authorization"),
    ("PermissionDenied", "authorization"),
    ("AuthenticationError", "authorization"),
    ("Unauthorized", "authorization"),
    ("Forbidden", "authorization"),
    ("Credential", "authorization"),
    ("ImportError", "configuration"),
    ("ConnectionError", "unavailable"),
    ("ConnectError", "unavailable"),
    ("NetworkError", "unavailable"),
    ("TransportError", "unavailable"),
    ("gaierror", "unavailable"),
    ("URLError", "unavailable"),
    ("RemoteDisconnected", "unavailable"),
)


def fault_of(error: BaseException, *, now: datetime | None = None) -> Fault:
    """Why a tool that raised ``error`` failed.

    The error's own status decides, then its class, then the errors it was raised from. ``now`` is the
    time that a ``Retry-After`` date is counted from.
    """
    detail = _detail(error)
    for cause in _causes(error):
        headers = _headers(cause)
        if (status := _status(cause)) is not None:
            return fault_of_status(status, headers, detail=detail, now=now)
        if (code := _grpc_code(cause)) in _BY_GRPC_CODE:
            return Fault(_BY_GRPC_CODE[code], detail=detail)
        if (kind := _kind_of_class(cause)) != "internal":
            wait = _seconds(getattr(cause, "retry_after", None))
            return Fault(kind, retry_after=wait or _retry_after(headers, now), detail=detail)
    return Fault("internal", detail=detail)


def fault_of_status(
    status: int,
    headers: Mapping[str, str] | None = None,
    *,
    detail: str = "",
    now: datetime | None = None,
) -> Fault:
    """What an HTTP status of 400 or more means for the one who asked."""
    wait = _retry_after(headers or {}, now)
    if status in _BY_STATUS:
        kind = _BY_STATUS[status]
    elif status < 500:
        kind = "bad_request"
    else:
        kind = "unavailable"
    return Fault(kind, status, wait if kind in ("rate_limit", "unavailable") else None, detail)


def status_of_response(value: object) -> int | None:
    """The status of an HTTP response object, of whichever library; None where it is none."""
    headers = getattr(value, "headers", None)
    if headers is None or not (hasattr(value, "content") or hasattr(value, "read")):
        return None
    return _http_status(getattr(value, "status_code", None)) or _http_status(
        getattr(value, "status", None)
    )


def headers_of(value: object) -> dict[str, str]:
    """The headers of a response or an error, their names in lower case."""
    headers = getattr(value, "headers", None)
    try:
        return {str(k).lower(): str(v) for k, v in headers.items()} if headers else {}
    except Exception:  # it only looks like headers
        return {}


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error, what it holds where it is a group, and what it was raised from, nearest first."""
    waiting, seen = [error], set[int]()
    while waiting:
        current = waiting.pop(0)
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        if isinstance(current, BaseExceptionGroup):
            waiting += current.exceptions
        if current.__cause__ is not None:
            waiting.append(current.__cause__)


def _status(error: BaseException) -> int | None:
    for holder in (error, getattr(error, "response", None)):
        for name in ("status_code", "status", "code", "http_status"):
            if (status := _http_status(getattr(holder, name, None))) is not None:
                return status
    response = getattr(error, "response", None)
    if isinstance(response, Mapping):  # botocore
        told = response.get("ResponseMetadata")
        return _http_status(told.get("HTTPStatusCode")) if isinstance(told, Mapping) else None
    return None


def _http_status(value: object) -> int | None:
    # Only a failure's: SDK errors also carry codes of their own under these names.
    return int(value) if isinstance(value, int) and 400 <= value < 600 else None


def _grpc_code(error: BaseException) -> str:
    code = getattr(error, "code", None)
    try:
        return str(code().name) if callable(code) else ""
    except Exception:  # a method of that name which is something else
        return ""


def _headers(error: BaseException) -> dict[str, str]:
    return headers_of(getattr(error, "response", None)) or headers_of(error)


def _kind_of_class(error: BaseException) -> FaultKind | None:
    names = [cls.__name__ for cls in type(error).__mro__]
    for part, kind in _BY_CLASS:
        if any(part in name for name in names):
            return kind
    return "internal"


def _retry_after(headers: Mapping[str, str], now: datetime | None) -> float | None:
    """Seconds to wait: a number of them or a date (RFC 9110, section 10.2.3)."""
    told = headers.get("retry-after", "").strip()
    if not told:
        return None
    if (seconds := _seconds(told)) is not None:
        return seconds
    try:
        when = parsedate_to_datetime(told)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, round((when - (now or datetime.now(UTC))).total_seconds()))


def _seconds(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        seconds = float(value)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _detail(error: BaseException) -> str:
    try:
        return f"{type(error).__module__}.{type(error).__qualname__}: {error}"
    except Exception:  # an exception whose own text fails must not become another failure
        return type(error).__qualname__
