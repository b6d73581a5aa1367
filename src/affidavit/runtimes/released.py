"""Answers as they were let out, for callers that ask the model API for them again.

The API has stored what its model said, which is not always what was let out: a draft that was blocked
is there under the id by which its caller knows the refusal.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from affidavit.runtimes.identity import Identity
from affidavit.runtimes.wire import Json, Wire

MOST = 2048
"""Answers that are kept. One that was given up for others can no longer be had by its id."""

# Whether an API stores an answer that the request says nothing about.
_STORES = {"openai_responses": True, "openai_chat": False}


class Released:
    """What was let out, by who was given it and its id. Safe to share by threads."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._answers: OrderedDict[tuple[str, str, str], Json | None] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, identity: Identity, wire: Wire, asked: Json, response: Json | None) -> None:
        """Keep the response to a request, if the API does."""
        stored = asked.get("store", _STORES.get(wire.name, False))
        if not stored or response is None or not response.get("id"):
            return
        key = (identity.caller, wire.name, str(response["id"]))
        with self._lock:
            # Two answers under one id cannot be told apart: neither is given back.
            self._answers[key] = None if self._answers.get(key, response) != response else response
            while len(self._answers) > self._most:
                self._answers.popitem(last=False)

    def get(self, identity: Identity, wire: Wire, id: str) -> Json | None:  # noqa: A002
        """The response of an id, None where it is not known here."""
        with self._lock:
            return self._answers.get((identity.caller, wire.name, id))

    def forget(self, identity: Identity, id: str) -> None:  # noqa: A002
        """An answer has been deleted."""
        with self._lock:
            for name in _STORES:
                self._answers.pop((identity.caller, name, id), None)
