"""Runs that wait for their caller: the model has called tools, and the next request brings the results.

A model API has no memory, so each request tells the run anew; but not the calls that were rejected
and answered here. The guard of the run has them, and the evidence already read.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence

from affidavit.guard import Guard
from affidavit.trace import Message, ToolCallPart

MOST = 2048
"""Runs that are kept. One that was given up for others is begun anew from its next request."""


class OpenRuns:
    """Guards by the calls that their callers are running. Safe to share by threads."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._runs: OrderedDict[tuple[str, str], Guard] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, guard: Guard, before: Sequence[Message], calls: Sequence[ToolCallPart]) -> None:
        """Keep ``guard`` until the results of ``calls`` come; ``before`` is the request they answer."""
        digest = _digest(before)
        with self._lock:
            for call in calls:
                self._runs[digest, call.id] = guard
            while len(self._runs) > self._most:
                self._runs.popitem(last=False)

    def take(self, messages: Sequence[Message]) -> Guard | None:
        """The guard of the run that a request goes on with, told of what is new; None for a new run.

        A guard is given out once: a request that is sent again begins anew.
        """
        for i in range(len(messages) - 1, -1, -1):
            if messages[i].role == "user" and messages[i].text.strip():
                return None  # a new question is a new run
            if calls := messages[i].tool_calls:
                guard = self._found(_digest(messages[:i]), calls)
                if guard is not None:
                    for message in messages[i + 1 :]:
                        guard.observe(message)
                return guard
        return None

    def _found(self, digest: str, calls: Sequence[ToolCallPart]) -> Guard | None:
        with self._lock:
            found = [self._runs.pop((digest, call.id), None) for call in calls]
        return found[0] if found and all(guard is found[0] for guard in found) else None


def _digest(messages: Sequence[Message]) -> str:
    digest = hashlib.sha256()
    for message in messages:
        digest.update(message.model_dump_json().encode("utf-8", "replace"))
    return digest.hexdigest()
