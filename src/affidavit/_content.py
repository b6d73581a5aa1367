"""What a tool of the host returned, as parts of a result."""

from __future__ import annotations

from pydantic_core import to_jsonable_python

from affidavit.trace import ContentPart, DataPart, TextPart, UnknownPart

_PARTS = (TextPart, DataPart, UnknownPart)


def content_parts(content: object) -> tuple[ContentPart, ...]:
    """Text, content parts, or anything else as JSON: recording a result must never fail the run."""
    if isinstance(content, str):
        return (TextPart(text=content),)
    found = content if isinstance(content, list | tuple) else (content,)
    parts = tuple(part for part in found if isinstance(part, _PARTS))
    if parts and len(parts) == len(found):
        return parts
    try:
        return (DataPart(value=to_jsonable_python(content, fallback=str)),)
    except Exception:  # it refers to itself, or its own conversion fails
        return (TextPart(text=repr(content)),)
