"""What a tool that did not raise has returned: nothing, a failure, scored rows, or plain content.

Only the protocol is read: error flags, HTTP status, shape, emptiness and scores. What the texts say
plays no part: a page about timeouts is a result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

from affidavit.grounding.faults import Fault, fault_of_status, headers_of, status_of_response
from affidavit.grounding.hits import as_mapping, attributes, columns, fields
from affidavit.grounding.metrics import is_number

_ERROR_FLAGS = ("is_error", "isError")
_BESIDE_AN_ERROR = frozenset({"error", "errors", "jsonrpc", "id", "code", "status", "status_code"})
_OF_THE_SEARCH = frozenset(
    "page pages page_size per_page limit offset cursor next next_cursor previous has_more took took_ms "
    "elapsed_ms duration_ms object ok success request_id namespace usage timed_out".split()
)
"""Fields that tell of the search and not of what was found."""
_SEARCHES = frozenset({"results", "hits", "matches", "documents", "rows", "points", "source_nodes"})
"""Lists that only a search returns; beside one, a status or a flag is that of the search."""
_COUNT = re.compile(
    r"(?:n|num|count|total|size|length)\Z|num_|total_(?:results|hits|count|matches|rows)|.*_count\Z"
)


def failure_in(value: object) -> Fault | None:
    """The failure that a returned value reports by flag or status; None where it reports none."""
    if (status := status_of_response(value)) is not None:
        return fault_of_status(status, headers_of(value), detail=f"HTTP status {status}")
    flags = fields(value)
    if any(flags.get(name) is True for name in _ERROR_FLAGS):
        return Fault("internal", detail=f"the tool flagged an error: {_shown(value)}")
    if flags.get("type") == "tool" and flags.get("status") == "error":  # a LangChain ToolMessage
        return Fault("internal", detail=f"the tool flagged an error: {_shown(value)}")
    if isinstance(value, Mapping) and _only_error(value):
        return Fault("internal", detail=f"the tool returned an error: {_shown(value)}")
    return None


def content_of(value: object) -> object:
    """The content of an HTTP response, a tool message or an MCP result; any other value as it is."""
    if _is_response(value):
        return _body(value)
    flags = attributes(value)
    if flags.keys() & set(_ERROR_FLAGS) or flags.get("type") == "tool":
        structured = flags.get("structuredContent", flags.get("structured_content"))
        return structured if structured is not None else _texts(flags.get("content"))
    return value


def is_empty(value: object, arguments: Mapping[str, object] | None = None) -> bool:
    """Whether a result holds nothing: blank, or an object with empty lists and nothing beside them but
    zero counts, nulls and an echo of the ``arguments``."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return True
    if getattr(value, "empty", None) is True:  # a data frame
        return True
    if (rows := columns(value)) is not None:
        return not rows
    if (mapping := as_mapping(value)) is not None:
        return not mapping or _empty_mapping(mapping, arguments or {})
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, str | bytes):
        return all(is_empty(item, arguments) for item in value)
    return False


def _empty_mapping(value: Mapping[Any, Any], arguments: Mapping[str, object]) -> bool:
    """Nothing but empty lists, nulls, counts of zero, and what tells of the search itself."""
    of_search = bool(_SEARCHES & value.keys())
    rest = {
        name: inner
        for name, inner in value.items()
        if inner is not None and not _tells_of_the_search(name, inner, of_search, arguments)
    }
    if any(not _is_container(inner) or not is_empty(inner, arguments) for inner in rest.values()):
        return False
    # {"balance": 0} is an answer; {"results": [], "total": 0} is none.
    said = all(inner is None for inner in value.values()) or value.get("found") is False
    return bool(rest) or said


def _tells_of_the_search(
    name: object, inner: object, of_search: bool, arguments: Mapping[str, object]
) -> bool:
    if name in _OF_THE_SEARCH or (name == "found" and inner is False):
        return True
    if isinstance(inner, str):
        echo = inner in [given for given in arguments.values() if isinstance(given, str)]
        return not inner.strip() or echo or (of_search and name == "status")
    if inner is False:
        return of_search
    return inner == 0 and is_number(inner) and bool(_COUNT.match(str(name)))


def _is_container(value: object) -> bool:
    return isinstance(value, list | tuple | set | frozenset) or as_mapping(value) is not None


def _only_error(value: Mapping[Any, Any]) -> bool:
    told = [value.get(name) for name in ("error", "errors")]
    return any(told) and not any(v for k, v in value.items() if k not in _BESIDE_AN_ERROR)


def _is_response(value: object) -> bool:
    status = getattr(value, "status_code", None)
    return type(status) is int and hasattr(value, "headers") and hasattr(value, "text")


def _body(response: Any) -> object:
    try:
        return response.json()
    except Exception:  # each library raises its own; what is not JSON is text
        return response.text


def _texts(content: object) -> object:
    """The text of content blocks; blocks of other kinds as they are."""
    if not isinstance(content, list | tuple):
        return content
    texts = [
        block.get("text") if isinstance(block, Mapping) else getattr(block, "text", None)
        for block in content
    ]
    if all(isinstance(text, str) for text in texts):
        return "\n".join(texts)  # type: ignore[arg-type]
    return list(content)


def materialised(value: object) -> object:
    """Rows that are given out one by one, all of them."""
    lazy = isinstance(value, Iterable) and hasattr(value, "__next__")
    return list(value) if lazy else value  # type: ignore[call-overload]


def _shown(value: object) -> str:
    return repr(asdict(value) if is_dataclass(value) and not isinstance(value, type) else value)[
        :2000
    ]
