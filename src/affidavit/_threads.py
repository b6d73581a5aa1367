"""Blocking work off the event loop, in threads that can be given up.

The threads of ``asyncio.to_thread`` are waited for when a loop is closed, run out when some never
return, and leave their caller waiting for ever where the work raises ``StopIteration``. These are daemons: whoever
has waited long enough goes on without them.
"""

from __future__ import annotations

import asyncio
import contextvars
import os
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class WorkFailed(RuntimeError):
    """Work has raised what is no ordinary error, or what means something else to its caller's code: an
    exit, a cancellation of its own, the end of an iteration."""


class _Work:
    """One piece of work, waited for or given up."""

    def __init__(self, run: Callable[[], Any]) -> None:
        self._run = run
        self.future: Future[Any] = Future()
        self.given_up = False

    def __call__(self) -> None:
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            done = self._run()
        except BaseException as error:
            self.future.set_exception(_ordinary(error))
        else:
            self.future.set_result(done)


_FIRST = threading.Lock()


def _ready() -> None:
    """Import numpy, by one thread alone: of two that begin to import its extension side by side, each may meet the half of
    it that the other has loaded, and then neither can ever load it."""
    with _FIRST:
        import numpy  # noqa: F401


class _Pool:
    """So many threads as do work side by side, made when they are needed. One whose work was given up is
    replaced, and ends when that work does."""

    def __init__(self, size: int) -> None:
        self._size, self._threads, self._idle = size, 0, 0
        self._work: queue.SimpleQueue[_Work] = queue.SimpleQueue()
        self._lock = threading.Lock()

    def do(self, work: _Work) -> None:
        with self._lock:
            self._work.put(work)
            if self._idle:
                self._idle -= 1  # woken by what was put
            elif self._threads < self._size:
                self._begin()

    def give_up(self, work: _Work) -> None:
        """Nobody waits for ``work`` any more."""
        if work.future.cancel() or work.future.done():
            return
        with self._lock:
            if not work.given_up:
                work.given_up = True
                self._threads -= 1  # that which is busy with it counts no more
                self._begin()

    def _begin(self) -> None:
        self._threads += 1
        threading.Thread(target=self._serve, name="affidavit-work", daemon=True).start()

    def _serve(self) -> None:
        _ready()
        while True:
            work = self._work.get()
            work()
            with self._lock:
                if work.given_up:
                    return
                if self._work.empty():
                    self._idle += 1


_SIZE = min(32, (os.cpu_count() or 1) + 4)
_pools: dict[int, _Pool] = {}


async def in_thread(run: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What ``run`` returns, run in a thread and in the context of here.

    Cancelled, it goes on without the thread. What is raised is an ``Exception``, and never one that a
    loop cannot hand on.
    """
    context = contextvars.copy_context()
    work = _Work(lambda: context.run(run, *args, **kwargs))
    pid = os.getpid()  # threads do not survive a fork
    pool = _pools.get(pid) or _pools.setdefault(pid, _Pool(_SIZE))
    pool.do(work)
    try:
        done: T = await asyncio.wrap_future(work.future)
    except asyncio.CancelledError:
        pool.give_up(work)
        raise
    return done


async def in_own_thread(run: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """:func:`in_thread`, for what waits on another machine: it keeps none of the threads that others work in."""
    context = contextvars.copy_context()
    work = _Work(lambda: context.run(run, *args, **kwargs))
    threading.Thread(target=work, name="affidavit-waiting", daemon=True).start()
    done: T = await asyncio.wrap_future(work.future)
    return done


def _ordinary(error: BaseException) -> Exception:
    if isinstance(error, Exception) and not isinstance(error, StopIteration | StopAsyncIteration):
        return error
    failed = WorkFailed(f"{type(error).__name__}: {error}")
    failed.__cause__ = error
    return failed
