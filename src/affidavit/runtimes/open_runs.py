"""Runs that wait for their caller: the model has called tools, and the next request brings the results.

A model API has no memory, so each request tells the run anew; but not the calls that were rejected
and answered here. The guard of the run has them, and the evidence already read.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

from affidavit.guard import Guard
from affidavit.trace import Message, ToolCallPart

MOST = 2048
"""Runs that are kept. One that was given up for others is begun anew from its next request."""


class Run(NamedTuple):
    """A guard, and where its caller has got to."""

    guard: Guard
    waits: bool
    """Whether calls are being run; otherwise its answer is out."""
    response_id: str | None = None
    """The id by which the model API knows the response that the caller goes on from."""


class OpenRuns:
    """Runs by the calls that their callers are running, and by the responses they may go on from.

    Safe to share by threads.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._runs: OrderedDict[tuple[str, str], Run] = OrderedDict()
        self._lock = threading.Lock()

    def keep_calls(
        self, guard: Guard, before: Sequence[Message], calls: Sequence[ToolCallPart]
    ) -> None:
        """Keep ``guard`` until the results of ``calls`` come; ``before`` is the request they answer."""
        digest = _digest(before)
        self._keep(Run(guard, waits=True), *((digest, call.id) for call in calls))

    def keep_response(
        self, guard: Guard, response_id: str, *, waits: bool, own_id: str | None = None
    ) -> None:
        """Keep ``guard`` for a request that goes on from a response."""
        self._keep(Run(guard, waits, own_id or response_id), ("response", response_id))

    def by_calls(self, messages: Sequence[Message]) -> Guard | None:
        """The guard of the run that a request goes on with, told of what is new; None for a new run.

        A guard is given out once: a request that is sent again begins anew.
        """
        for i in range(len(messages) - 1, -1, -1):
            if messages[i].role == "user" and messages[i].text.strip():
                return None  # a new question is a new run
            if calls := messages[i].tool_calls:
                guard = self._waiting(_digest(messages[:i]), calls)
                if guard is not None:
                    known = guard.trace("").messages
                    told = [m for m in messages[:i] if m.role == "system" and m not in known]
                    for message in (*told, *messages[i + 1 :]):
                        guard.observe(message)
                return guard
        return None

    def by_response(self, response_id: str, messages: Sequence[Message]) -> Run | None:
        """The run that goes on from a response, told of what is new; None where it is not known."""
        with self._lock:
            run = self._runs.get(("response", response_id))
            if run is not None and run.waits:
                del self._runs["response", response_id]
        if run is None:
            return None
        if not run.waits or any(m.role == "user" and m.text.strip() for m in messages):
            return run._replace(guard=run.guard.next_turn(*messages))
        for message in messages:
            run.guard.observe(message)
        return run

    def _keep(self, run: Run, *keys: tuple[str, str]) -> None:
        with self._lock:
            for key in keys:
                self._runs[key] = run
            while len(self._runs) > self._most:
                self._runs.popitem(last=False)

    def _waiting(self, digest: str, calls: Sequence[ToolCallPart]) -> Guard | None:
        with self._lock:
            found = [self._runs.pop((digest, call.id), None) for call in calls]
        guards = [run.guard for run in found if run is not None]
        same = len(guards) == len(calls) and all(guard is guards[0] for guard in guards)
        return guards[0] if same else None


def _digest(messages: Sequence[Message]) -> str:
    """A conversation, whoever leads it: another agent comes with instructions of its own."""
    digest = hashlib.sha256()
    for message in (message for message in messages if message.role != "system"):
        digest.update(message.model_dump_json().encode("utf-8", "replace"))
    return digest.hexdigest()
