"""Exports that hold several runs in one document: lists, pages of an API, traces whose parts stand apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from affidavit.formats.conversation import is_message
from affidavit.formats.gathered import gathered, is_part

_LISTS = ("data", "traces", "runs", "records", "rows", "items")
"""Under which an API's page or a recorder's file lists its runs."""


def runs_in(doc: Any) -> Iterator[Any]:
    """The runs of a document, itself where it is one. The parts of a trace come as one run, and so do messages."""
    if is_part(doc):
        yield from gathered([doc])
    elif isinstance(doc, list):
        if doc and all(is_part(one) for one in doc):
            yield from gathered(doc)
        elif doc and all(_is_said(one) for one in doc):
            google = not any("content" in one or "kind" in one or _typed(one) for one in doc)
            yield {"contents" if google else "messages": doc}
        else:
            for one in doc:
                yield from runs_in(one) if isinstance(one, Mapping) else iter((one,))
    elif isinstance(doc, Mapping) and (listed := _listed(doc)) is not None:
        yield from runs_in(listed)
    else:
        yield doc


def _is_said(one: Any) -> bool:
    """Whether a document is a message, of whatever SDK, and no run."""
    if not isinstance(one, Mapping) or "messages" in one:
        return False
    parts = isinstance(one.get("parts"), list) and ("role" in one or "kind" in one)
    return parts or is_message(one)


def _typed(one: Mapping[str, Any]) -> bool:
    return any(isinstance(part, Mapping) and "type" in part for part in one.get("parts") or ())


def _listed(doc: Mapping[str, Any]) -> list[Any] | None:
    """The list of a page: there is no more to the document but numbers and names of the page."""
    for key in _LISTS:
        found = doc.get(key)
        others = [value for name, value in doc.items() if name != key]
        if (
            isinstance(found, list)
            and found
            and all(isinstance(one, Mapping) for one in found)
            and not any(isinstance(value, list) for value in others)
            and not any(name in doc for name in ("messages", "answer", "output", "outputs"))
        ):
            return found
    return None
