"""Claude Code's transcript of a conversation: JSON lines, read on from where it was left.

A row that cannot be read is left out with a warning: a hook that fails because a new version writes
a new kind of row would be worse than one that knows a little less.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from affidavit.errors import TraceError
from affidavit.formats import anthropic
from affidavit.formats.node import Node
from affidavit.trace import Message, TextPart

_log = logging.getLogger("affidavit.claude_code")


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that was said. ``prompt_id`` is set where it is the user's own prompt."""

    message: Message
    prompt_id: str = ""


class Transcript:
    """The rows of one conversation. ``agent`` says that it is a subagent's own transcript, whose rows
    are all marked as beside the main conversation."""

    def __init__(self, path: Path | None, *, agent: bool = False) -> None:
        self.path = path
        self._agent = agent
        self._offset = 0

    def read_on(self) -> Iterator[Row]:
        """What was added since the last time. A line that is still being written waits."""
        for line in self._new_lines():
            try:
                row = json.loads(line)
                if isinstance(row, dict):
                    yield from self._rows(row)
            except (ValueError, TraceError, RecursionError, AttributeError, TypeError) as error:
                _log.warning("%s: a row was left out: %s", self.path, error)

    def _new_lines(self) -> list[bytes]:
        if self.path is None:
            return []
        try:
            with self.path.open("rb") as file:
                file.seek(self._offset)
                data = file.read()
        except FileNotFoundError:
            return []  # a conversation that has just begun
        except OSError as error:
            _log.warning("%s: the transcript cannot be read: %s", self.path, error.strerror)
            return []
        whole = data.rfind(b"\n") + 1
        self._offset += whole
        return data[:whole].splitlines()

    def _rows(self, row: dict[str, Any]) -> Iterator[Row]:
        if row.get("isSidechain") and not self._agent:
            return
        match row.get("type"):
            case "user" | "assistant" if not _written_for_the_model(row):
                prompt_id = str(row.get("promptId") or "")
                for message in anthropic.read(Node({"messages": [row.get("message")]})).messages:
                    yield Row(message, prompt_id if message.role == "user" else "")
            case "attachment":
                if text := _attached(row):
                    yield Row(Message(role="system", parts=(TextPart(text=text),)))


def _written_for_the_model(row: dict[str, Any]) -> bool:
    """Rows in the user's or the model's name that neither wrote: feedback of hooks (which quotes false
    claims), summaries of what was compacted, errors of the API."""
    return any(row.get(flag) for flag in ("isMeta", "isCompactSummary", "isApiErrorMessage"))


def _attached(row: dict[str, Any]) -> str:
    """What Claude Code told the model besides: the date, the environment, files that were mentioned.

    Not what hooks said, which quotes false claims, nor the lists of tools and skills it has.
    """
    attachment = row.get("attachment") or {}
    kind = str(attachment.get("type", ""))
    if kind.startswith("hook_") or kind.endswith(("_listing", "_delta")):
        return ""
    texts: list[str] = []
    for piece in row.get("rendered") or ():
        content = piece.get("content") if isinstance(piece, dict) else None
        blocks = content if isinstance(content, list) else [{"text": content}]
        texts += [
            b["text"] for b in blocks if isinstance(b, dict) and isinstance(b.get("text"), str)
        ]
    return "\n\n".join(texts)
