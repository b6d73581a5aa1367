"""A model's answer as one JSON object, or an error: what cannot be read is never guessed at."""

from __future__ import annotations

import json
import re
from typing import Any

from affidavit._each_once import each_once
from affidavit.errors import ModelError
from affidavit.thinking import spoken

# Local models think aloud first and fence what they were told not to fence.
_FENCE = re.compile(r"```[ \t]*+(?:json[ \t]*+)?\n", re.IGNORECASE)


def json_object(text: str) -> dict[str, Any]:
    """The one object that ``text`` is, with or without a code fence around it.

    Raises :class:`~affidavit.errors.ModelError` for anything else: words beside it, two objects, a key
    given twice, NaN. A document could have put a second object there.
    """
    body = text.strip()
    if not body.startswith("{"):  # one that does may speak of the tags in its own strings
        body = spoken(body).text.strip()
    if (fence := _FENCE.match(body)) and body.endswith("```"):
        body = body[fence.end() : -3]
    try:
        found = json.loads(body, object_pairs_hook=each_once(_twice), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ModelError(f"expected one JSON object, got {text[:200]!r}: {error}") from error
    if not isinstance(found, dict):
        raise ModelError(f"expected one JSON object, got {text[:200]!r}")
    return found


def _twice(key: str) -> Exception:
    return ValueError(f"the key {key!r} is given twice")


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")
