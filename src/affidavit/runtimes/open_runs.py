"""Runs that wait for their caller: the model has called tools, and the next request brings the results.

A model API has no memory, so each request tells the run anew; but not the calls that were rejected
and answered here. The guard of the run has them, and the evidence already read.

A guard is given out to whom it was kept for, and to nobody who merely says the same: two runs that
cannot be told apart both begin anew from their own requests.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

from affidavit.guard import Guard
from affidavit.runtimes.identity import Identity
from affidavit.trace import Message, ToolCallPart

MOST = 2048
"""Runs that are kept. One that was given up for others is begun anew from its next request."""

Key = tuple[str, ...]


class Run(NamedTuple):
    """A guard, and where its caller has got to."""

    guard: Guard
    waits: bool
    """Whether calls are being run; otherwise its answer is out."""
    response_id: str | None = None
    """The id by which the model API knows the response that the caller goes on from."""
    taken: Run | None = None
    """The run as it was kept, where it is no longer: it waits again if the request fails."""


class OpenRuns:
    """Runs by who asks and the calls that are being run, and by the responses they may go on from.

    Safe to share by threads.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        # None where two runs claim one key: neither is given out by it any more.
        self._runs: OrderedDict[Key, Run | None] = OrderedDict()
        self._lock = threading.Lock()

    def keep_calls(
        self,
        guard: Guard,
        identity: Identity,
        before: Sequence[Message],
        calls: Sequence[ToolCallPart],
    ) -> None:
        """Keep ``guard`` until the results of ``calls`` come; ``before`` is the request they answer."""
        if identity.run is not None:
            key = _place(identity, before)
            self._keep(Run(guard, waits=True), *((*key, call.id) for call in calls))

    def keep_response(
        self,
        guard: Guard,
        identity: Identity,
        response_id: str,
        *,
        waits: bool,
        own_id: str | None = None,
    ) -> None:
        """Keep ``guard`` for a request that goes on from a response, whose id its API has made up."""
        run = Run(guard, waits, own_id or response_id)
        self._keep(run, _response_key(identity, response_id))

    def by_calls(self, identity: Identity, messages: Sequence[Message]) -> Guard | None:
        """The guard of the run that a request goes on with, told of what is new; None for a new run.

        A guard is given out once: a request that is sent again begins anew.
        """
        if identity.run is None:
            return None
        for i in range(len(messages) - 1, -1, -1):
            if messages[i].role == "user" and messages[i].text.strip():
                return None  # a new question is a new run
            if calls := messages[i].tool_calls:
                guard = self._waiting(_place(identity, messages[:i]), calls)
                if guard is not None:
                    known = guard.trace("").messages
                    told = [m for m in messages[:i] if m.role == "system" and m not in known]
                    for message in (*told, *messages[i + 1 :]):
                        guard.observe(message)
                return guard
        return None

    def by_response(
        self, identity: Identity, response_id: str, messages: Sequence[Message]
    ) -> Run | None:
        """The run that goes on from a response, told of what is new; None where it is not known."""
        key = _response_key(identity, response_id)
        with self._lock:
            run = self._runs.get(key)
            if run is not None and run.waits:
                del self._runs[key]
        if run is None:
            return None
        taken = run if run.waits else None
        if not run.waits or any(m.role == "user" and m.text.strip() for m in messages):
            return run._replace(guard=run.guard.next_turn(*messages), taken=taken)
        known = run.guard.trace("").messages  # a request that failed may have told some already
        for message in messages:
            if message not in known:
                run.guard.observe(message)
        return run._replace(taken=taken)

    def _keep(self, run: Run, *keys: Key) -> None:
        with self._lock:
            for key in keys:
                known = self._runs.get(key, run)
                same = known is not None and known.guard is run.guard
                self._runs[key] = run if same else None
                self._runs.move_to_end(key)
            while len(self._runs) > self._most:
                self._runs.popitem(last=False)

    def _waiting(self, place: Key, calls: Sequence[ToolCallPart]) -> Guard | None:
        with self._lock:
            found = [self._runs.get((*place, call.id)) for call in calls]
            for call, run in zip(calls, found, strict=True):
                if run is not None:
                    self._runs.pop((*place, call.id), None)
        guards = [run.guard for run in found if run is not None]
        same = len(guards) == len(calls) and all(guard is guards[0] for guard in guards)
        return guards[0] if same else None


def _response_key(identity: Identity, response_id: str) -> Key:
    return ("response", identity.caller, response_id)


def _place(identity: Identity, messages: Sequence[Message]) -> Key:
    """Where in whose run a request stands. In a run that has a name another agent may take over, with
    instructions of its own; a task or thread without one may ask for several users in turn."""
    digest = hashlib.sha256()
    for message in messages:
        if not (identity.named and message.role == "system"):
            digest.update(message.model_dump_json().encode("utf-8", "replace"))
    return ("calls", identity.caller, identity.run or "", digest.hexdigest())
