"""Processes that judge runs side by side, one run in the hands of each.

A worker that dies or hangs costs the one run that it held: that run is tried once more after a crash
(what killed the worker may have been somebody else) and set aside when it happens again; one that takes
too long is set aside at once. Memory is that of the workers, whatever the number of runs.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from affidavit.audit.item import Fault, Item, Judged
from affidavit.audit.work import Work, judge
from affidavit.errors import AffidavitError

Outcome = tuple[Item, Judged | Fault]
_STARTS = 3
"""Workers that may die before they have loaded, with no run judged in between."""


def cores() -> int:
    """The cores that this process may use."""
    with suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    ready: bool = False
    item: Item | None = None
    since: float = field(default_factory=time.monotonic)

    def end(self) -> None:
        self.pipe.close()
        if self.process.is_alive():
            self.process.kill()
        self.process.join()


def in_processes(
    items: Iterable[Item], work: Work, *, jobs: int | None = None, timeout: float | None = None
) -> Iterator[Outcome]:
    """Judge items in ``jobs`` processes (default: the cores), and yield each as it is done.

    ``timeout`` bounds the seconds that one run may take. Workers are started as there is work for them.
    Raises AffidavitError where they cannot start.
    """
    jobs = jobs or cores()
    if work.threads is None:
        work = replace(work, threads=max(1, cores() // jobs))
    fleet = Fleet(work, jobs, timeout)
    try:
        yield from fleet.run(iter(items))
    finally:
        fleet.end()


class Fleet:
    """Up to ``jobs`` processes, which outlast the items of one :meth:`run` until :meth:`end`."""

    def __init__(self, work: Work, jobs: int, timeout: float | None) -> None:
        self._work, self._jobs, self._timeout = work, jobs, timeout
        # A fork of a process with threads (the model's, the host's) may hang.
        self._context = multiprocessing.get_context("spawn")
        self._workers: list[_Worker] = []
        self._again: deque[Item] = deque()
        self._crashes: Counter[bytes] = Counter()
        self._stillborn = 0

    def run(self, items: Iterator[Item]) -> Iterator[Outcome]:
        """Judge items, and yield each as it is done. Raises AffidavitError where workers cannot start."""
        more = True
        while True:
            while more or self._again:
                worker = self._idle()
                if worker is None:
                    break
                item = self._again.popleft() if self._again else next(items, None)
                if item is None:
                    more = False
                    break
                self._give(worker, item)
            if not any(worker.item for worker in self._workers):
                return
            yield from self._finished()

    def _idle(self) -> _Worker | None:
        free = next((worker for worker in self._workers if worker.item is None), None)
        if free is None and len(self._workers) < self._jobs:
            return self._started()
        return free

    def _started(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(theirs, self._work), daemon=True)
        process.start()
        theirs.close()
        worker = _Worker(process, ours)
        self._workers.append(worker)
        return worker

    def _give(self, worker: _Worker, item: Item) -> None:
        worker.item, worker.since = item, time.monotonic()
        with suppress(OSError):  # it died meanwhile: found out when it is waited for
            worker.pipe.send(item)

    def _finished(self) -> Iterator[Outcome]:
        """What the workers have to say, waited for until one does or one's time is up."""
        busy = [worker for worker in self._workers if worker.item]
        for pipe in wait([worker.pipe for worker in busy], self._patience(busy)):
            worker = next(worker for worker in busy if worker.pipe is pipe)
            try:
                told = worker.pipe.recv()
            except (EOFError, OSError):
                yield from self._died(worker)
                continue
            match told:
                case "ready":
                    worker.ready, worker.since, self._stillborn = True, time.monotonic(), 0
                case AffidavitError():
                    raise told
                case _:
                    assert worker.item is not None
                    item, worker.item = worker.item, None
                    self._stillborn = 0
                    yield item, told
        for worker in busy:
            if self._is_late(worker) and worker.item is not None:
                told = Fault(f"took longer than {self._timeout:g} s", kind="timeout")
                yield worker.item, told
                self._discard(worker)

    def _patience(self, busy: list[_Worker]) -> float | None:
        if self._timeout is None:
            return None
        now = time.monotonic()
        left = [worker.since + self._timeout - now for worker in busy if worker.ready]
        return max(0.01, min(left, default=self._timeout))

    def _is_late(self, worker: _Worker) -> bool:
        if self._timeout is None or not worker.ready or worker.item is None:
            return False
        return time.monotonic() - worker.since >= self._timeout

    def _died(self, worker: _Worker) -> Iterator[Outcome]:
        item = worker.item
        assert item is not None
        worker.process.join(timeout=5)
        code = worker.process.exitcode
        self._discard(worker)
        if not worker.ready:
            self._stillborn += 1
            if self._stillborn >= _STARTS:
                raise AffidavitError(f"workers end before they have loaded (exit code {code})")
            self._again.append(item)
            return
        key = item.content()
        self._crashes[key] += 1
        if self._crashes[key] > 1:
            yield item, Fault(f"its worker died twice (exit code {code})", kind="crash")
        else:
            self._again.append(item)

    def _discard(self, worker: _Worker) -> None:
        worker.end()
        self._workers.remove(worker)

    def end(self) -> None:
        """End the processes, whatever they are at."""
        for worker in self._workers:
            worker.end()
        self._workers.clear()


def _serve(pipe: Connection, work: Work) -> None:
    """The life of a worker: load, then judge what comes until nobody is there any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started it ends it
    try:
        check = work.check()
    except AffidavitError as error:
        pipe.send(AffidavitError(str(error)))
        return
    pipe.send("ready")
    with suppress(EOFError, OSError):
        while True:
            pipe.send(judge(pipe.recv(), work, check))
