"""Running the asynchronous core from synchronous code."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Raised:
    """What a coroutine raised that would have ended the loop, and all calls that wait for it."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


async def _kept_in(coroutine: Coroutine[Any, Any, T]) -> T | _Raised:
    try:
        return await coroutine
    except (SystemExit, KeyboardInterrupt) as error:
        return _Raised(error)


class _Runner:
    """One event loop in a thread of its own, for every synchronous call of the process.

    It outlives each call because HTTP clients keep their connections from one to the next, and those
    belong to the loop they were opened in. It also lets synchronous calls be made where a loop is
    already running, as in a notebook.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._pid = 0

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        loop = self._running_loop()
        if threading.current_thread() is self._thread:
            # Called from inside the loop itself: waiting for it here would wait forever.
            return _in_new_thread(coroutine)
        future = asyncio.run_coroutine_threadsafe(_kept_in(coroutine), loop)
        try:
            outcome = future.result()
            if isinstance(outcome, _Raised):
                raise outcome.error
            return outcome
        except BaseException:
            future.cancel()
            raise

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            # Threads do not survive a fork.
            if self._loop is None or self._pid != os.getpid():
                self._pid, self._loop = os.getpid(), asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=self._loop.run_forever, name="affidavit", daemon=True
                )
                self._thread.start()
            return self._loop


def _in_new_thread(coroutine: Coroutine[Any, Any, T]) -> T:
    outcome: list[T] = []
    failure: list[BaseException] = []

    def work() -> None:
        try:
            outcome.append(asyncio.run(coroutine))
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if failure:
        raise failure[0]
    return outcome[0]


_RUNNER = _Runner()


def run_sync(coroutine: Coroutine[Any, Any, T]) -> T:
    """Wait for ``coroutine`` from synchronous code, whether or not an event loop is running here."""
    return _RUNNER.run(coroutine)
