"""Handing evaluation results to backends that take them by a call of their own, in the background."""

from __future__ import annotations

import json
import logging
import queue
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, Protocol

from affidavit.records.telemetry.evaluations import Evaluation

_log = logging.getLogger("affidavit.telemetry")

_LONGEST_QUEUE = 1_000
"""Runs waiting to be sent. More are dropped: a backend that is down must not fill the memory."""
_TIMEOUT = 30.0
"""Seconds for one request: nobody waits for it."""
_PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds before each further attempt: a span is there only when its own exporter has sent it."""
_WORTH_ANOTHER = frozenset({404, 408, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class Place:
    """The span that was evaluated: its ids in hexadecimal."""

    trace_id: str
    span_id: str


class EvaluationSink(Protocol):
    """Takes evaluation results. ``put`` returns at once."""

    def put(self, place: Place, results: Sequence[Evaluation]) -> None: ...


@dataclass(frozen=True, slots=True)
class Request:
    """A POST of ``body`` as JSON. One that is not ``repeatable`` would be kept twice if it were sent
    again when its answer did not come."""

    url: str
    body: Mapping[str, Any]
    repeatable: bool = True


class BackgroundSender:
    """Sends requests from one thread of its own, in order. It is the caller's worry no more.

    ``requests_of`` makes the requests for one run's results.
    """

    def __init__(
        self,
        requests_of: Callable[[Place, Sequence[Evaluation]], Sequence[Request]],
        *,
        headers: Mapping[str, str] | None = None,
        timeout: float = _TIMEOUT,
        pauses: Sequence[float] = _PAUSES,
    ) -> None:
        self._requests_of, self._headers = requests_of, dict(headers or {})
        self._timeout, self._pauses = timeout, tuple(pauses)
        self._waiting: queue.Queue[tuple[Place, Sequence[Evaluation]]] = queue.Queue(_LONGEST_QUEUE)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self.dropped = 0
        """Runs whose results were not sent: the queue was full, or the backend refused them."""

    def put(self, place: Place, results: Sequence[Evaluation]) -> None:
        self._started()
        try:
            self._waiting.put_nowait((place, results))
        except queue.Full:
            self._drop("the queue is full")

    def flush(self, timeout: float) -> bool:
        """Wait until all is sent, ``timeout`` seconds at most; whether it is."""
        until = time.monotonic() + timeout
        while self._waiting.unfinished_tasks and time.monotonic() < until:
            time.sleep(0.01)
        return not self._waiting.unfinished_tasks

    def _started(self) -> None:
        with self._lock:
            # A thread does not survive a fork.
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(
                    target=self._work, name="affidavit-evaluations", daemon=True
                )
                self._thread.start()

    def _work(self) -> None:
        while True:
            place, results = self._waiting.get()
            try:
                for request in self._requests_of(place, results):
                    self._send(request)
            except Exception as error:
                self._drop(str(error))
            finally:
                self._waiting.task_done()

    def _send(self, request: Request) -> None:
        for pause in (*self._pauses, None):
            try:
                self._post(request)
                return
            except urllib.error.HTTPError as error:
                with error:
                    if error.code not in _WORTH_ANOTHER or pause is None:
                        raise
            except (OSError, HTTPException) as error:
                if not request.repeatable and not _unsent(error):
                    self._drop(f"no answer, and it may have arrived: {error}")
                    return
                if pause is None:
                    raise
            time.sleep(pause)

    def _post(self, request: Request) -> None:
        body = json.dumps(request.body).encode()
        headers = {"Content-Type": "application/json"} | self._headers
        asked = urllib.request.Request(request.url, body, headers, method="POST")
        with urllib.request.urlopen(asked, timeout=self._timeout) as answer:
            answer.read()

    def _drop(self, why: str) -> None:
        self.dropped += 1
        if self.dropped == 1 or self.dropped % 1000 == 0:
            _log.warning("evaluation results of %d runs were not sent: %s", self.dropped, why)


def _unsent(error: Exception) -> bool:
    """Whether the request surely did not reach the backend: urllib wraps what fails before that."""
    return isinstance(error, urllib.error.URLError)
