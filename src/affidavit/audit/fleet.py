"""Processes that judge runs side by side, one run in the hands of each, or as many as ``work.together`` says.

A worker that dies or hangs costs the runs that it held: after a crash each of them is tried once more, by itself
(what killed the worker may have been another run, or somebody else), and set aside when it happens again; one that
takes too long is set aside at once. Memory is that of the workers, whatever the number of runs.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from affidavit.audit.item import Fault, Item, Judged
from affidavit.audit.work import Work, judge
from affidavit.errors import AffidavitError
from affidavit.records.recording import Check

Outcome = tuple[Item, Judged | Fault]
_STARTS = 3
"""Workers that may die before they have loaded, with no run judged in between."""


def cores() -> int:
    """The cores that this process may use."""
    with suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass
class _Held:
    item: Item
    since: float = field(default_factory=time.monotonic)


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    room: int
    """Runs that it may hold."""
    ready: bool = False
    held: dict[int, _Held] = field(default_factory=dict)
    """Runs in its hands, by number."""
    given: int = 0
    alone: bool = False
    """Whether it holds a run that must have it for itself."""

    def has_room(self) -> bool:
        return not self.held or (not self.alone and len(self.held) < self.room)

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
                # What was held when a worker died is tried by itself, before anything new is begun.
                alone = bool(self._again)
                worker = self._free(empty=alone)
                if worker is None:
                    break
                item = self._again.popleft() if alone else next(items, None)
                if item is None:
                    more = False
                    break
                self._give(worker, item, alone=alone)
            if not any(worker.held for worker in self._workers):
                return
            yield from self._finished()

    def _free(self, *, empty: bool) -> _Worker | None:
        """A worker that can be given a run: the emptiest, or a new one before any is given a second."""
        emptiest = min(self._workers, key=lambda worker: len(worker.held), default=None)
        if emptiest is not None and not emptiest.held:
            return emptiest
        if len(self._workers) < self._jobs:
            return self._started()
        if empty or emptiest is None:
            return None
        return next((worker for worker in self._workers if worker.has_room()), None)

    def _started(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(theirs, self._work), daemon=True)
        process.start()
        theirs.close()
        worker = _Worker(process, ours, self._work.together)
        self._workers.append(worker)
        return worker

    def _give(self, worker: _Worker, item: Item, *, alone: bool) -> None:
        worker.given += 1
        worker.held[worker.given] = _Held(item)
        worker.alone = alone
        with suppress(OSError):  # it died meanwhile: found out when it is waited for
            worker.pipe.send((worker.given, item))

    def _finished(self) -> Iterator[Outcome]:
        """What the workers have to say, waited for until one does or one's time is up."""
        busy = [worker for worker in self._workers if worker.held]
        for pipe in wait([worker.pipe for worker in busy], self._patience(busy)):
            worker = next(worker for worker in busy if worker.pipe is pipe)
            try:
                told = worker.pipe.recv()
            except (EOFError, OSError):
                yield from self._died(worker)
                continue
            match told:
                case "ready":
                    worker.ready, self._stillborn = True, 0
                    for held in worker.held.values():
                        held.since = time.monotonic()
                case AffidavitError():
                    raise told
                case (int() as number, outcome):
                    self._stillborn = 0
                    yield worker.held.pop(number).item, outcome
        for worker in busy:
            if late := self._late(worker):
                for number in late:
                    told = Fault(f"took longer than {self._timeout:g} s", kind="timeout")
                    yield worker.held.pop(number).item, told
                self._again += (held.item for held in worker.held.values())
                self._discard(worker)

    def _patience(self, busy: list[_Worker]) -> float | None:
        if self._timeout is None:
            return None
        since = [h.since for worker in busy if worker.ready for h in worker.held.values()]
        left = min(since, default=time.monotonic()) + self._timeout - time.monotonic()
        return max(0.01, left)

    def _late(self, worker: _Worker) -> list[int]:
        """The runs of a worker whose time is up."""
        if self._timeout is None or not worker.ready:
            return []
        begun = time.monotonic() - self._timeout
        return [number for number, held in worker.held.items() if held.since <= begun]

    def _died(self, worker: _Worker) -> Iterator[Outcome]:
        worker.process.join(timeout=5)
        code = worker.process.exitcode
        items = [held.item for held in worker.held.values()]
        self._discard(worker)
        if not worker.ready:
            self._stillborn += 1
            if self._stillborn >= _STARTS:
                raise AffidavitError(f"workers end before they have loaded (exit code {code})")
            self._again += items
            return
        for item in items:
            key = item.content()
            self._crashes[key] += 1
            if self._crashes[key] > 1:
                yield item, Fault(f"its worker died twice (exit code {code})", kind="crash")
            else:
                self._again.append(item)

    def _discard(self, worker: _Worker) -> None:
        worker.held.clear()
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
    with ExitStack() as held:
        try:
            check = held.enter_context(work.checking())
        except AffidavitError as error:
            pipe.send(AffidavitError(str(error)))
            return
        pipe.send("ready")
        with suppress(EOFError, OSError):
            if work.together == 1:
                while True:
                    number, item = pipe.recv()
                    pipe.send((number, judge(item, work, check)))
            _serve_many(pipe, work, check)


def _serve_many(pipe: Connection, work: Work, check: Check) -> None:
    """The same with several runs at a time, told of as each is done."""
    speaking = threading.Lock()

    def judged(number: int, item: Item) -> None:
        outcome = judge(item, work, check)
        with speaking, suppress(OSError):
            pipe.send((number, outcome))

    with ThreadPoolExecutor(work.together, thread_name_prefix="judging") as threads:
        while True:
            threads.submit(judged, *pipe.recv())
