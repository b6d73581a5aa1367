"""The run log as lines of JSON: a file that any program can follow, or a pipe."""

from __future__ import annotations

import os
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from affidavit.errors import LogError
from affidavit.records.runlog.lines import OPENING, from_line, to_line, unreadable
from affidavit.records.runlog.record import Anchor, Entry, Record
from affidavit.records.runlog.store import Query

_BLOCK = 1 << 16


class JsonlStore:
    """Records in a file, appended under a lock that other processes respect.

    A line that a dying process left half written was never acknowledged: the next writer cuts it off.
    A search reads the whole file. ``path`` ``-`` is standard output; that and a named pipe can only be
    written, and each writer begins a chain of its own.
    """

    def __init__(self, path: Path, *, create: bool = True) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._tail: tuple[int, int, Anchor | None] | None = None
        self._pipe = _opened_pipe(path)
        self._sent: Anchor | None = None
        if self._pipe is None:
            self._begin(create)

    def append(self, follow: Callable[[Anchor | None], Record], *, dropping: int = 0) -> Record:
        with self._lock:
            if self._pipe is not None:
                record = follow(self._sent)
                _write(self._pipe, _bytes(record))
                self._sent = Anchor(record.seq, record.hash)
                return record
            with self._locked() as file:
                record = follow(self._last_of(file))
                if dropping:
                    self._rewrite(record, dropping)
                else:
                    self._add(file, record)
        return record

    def last(self) -> Anchor | None:
        if self._pipe is not None:
            return self._sent
        with self._opened(os.O_RDONLY) as file:
            _, line = _last_whole_line(file)
            return self._anchor(line)

    def get(self, seq: int) -> Record | None:
        return next((record for record in self.records() if record.seq == seq), None)

    def search(self, query: Query) -> Iterator[Entry]:
        found = (record for record in self.records() if query.matches(record))
        ordered = reversed(list(found)) if query.newest_first else found
        return islice(ordered, query.limit)

    def records(self, after: int = 0) -> Iterator[Record]:
        if self._pipe is not None:
            raise LogError(f"{self._path}: is a pipe: what was written to it cannot be read back")
        seq = 0
        try:
            with self._path.open("rb") as lines:
                for line in lines:
                    if not line.endswith(b"\n"):
                        return  # being written, or left by a writer that died
                    record = _read(line, seq + 1)
                    seq = record.seq
                    if seq > after:
                        yield record
        except OSError as error:
            raise LogError(f"{self._path}: {error.strerror}") from error

    def close(self) -> None:
        with self._lock:
            if self._pipe is not None and self._pipe != sys.stdout.fileno():
                os.close(self._pipe)
            self._pipe = None

    def _begin(self, create: bool) -> None:
        if not create and not self._path.exists():
            raise LogError(f"{self._path}: there is no run log")
        with self._opened(os.O_RDONLY | (os.O_CREAT if create else 0)) as file:
            opening = os.pread(file, len(OPENING), 0)
        if opening != OPENING[: len(opening)]:
            raise LogError(f"{self._path}: is a file, but not a run log")

    @contextmanager
    def _opened(self, flags: int) -> Iterator[int]:
        try:
            file = os.open(self._path, flags, 0o644)
            try:
                yield file
            finally:
                os.close(file)
        except OSError as error:
            raise LogError(f"{self._path}: {error.strerror}") from error

    @contextmanager
    def _locked(self) -> Iterator[int]:
        """The file, open, with its lock; anew each time, as pruning puts another in its place."""
        import fcntl

        while True:
            with self._opened(os.O_RDWR | os.O_CREAT | os.O_APPEND) as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                if self._path.exists() and os.path.samestat(os.fstat(file), self._path.stat()):
                    yield file
                    return

    def _last_of(self, file: int) -> Anchor | None:
        """The last record; what a writer left half written after it is cut off."""
        found = os.fstat(file)
        if self._tail is None or self._tail[:2] != (found.st_ino, found.st_size):
            end, line = _last_whole_line(file)
            if end < found.st_size:
                left = os.pread(file, len(OPENING), end)
                if left != OPENING[: len(left)]:
                    raise LogError(f"{self._path}: ends in what is no record of a run log")
                os.ftruncate(file, end)
            self._tail = (found.st_ino, end, self._anchor(line))
        return self._tail[2]

    def _anchor(self, line: bytes) -> Anchor | None:
        if not line:
            return None
        try:
            record = from_line(line.decode().rstrip("\n"))
        except (ValueError, KeyError, TypeError) as error:
            raise LogError(f"{self._path}: its last line is no record of a run log") from error
        return Anchor(record.seq, record.hash)

    def _add(self, file: int, record: Record) -> None:
        size = os.fstat(file).st_size
        try:
            _write(file, _bytes(record))
            os.fsync(file)
        except OSError:
            os.ftruncate(file, size)  # a full disk: half a line is no record
            raise
        now = os.fstat(file)
        self._tail = (now.st_ino, now.st_size, Anchor(record.seq, record.hash))

    def _rewrite(self, record: Record, dropping: int) -> None:
        """Put a file without the dropped records in the place of this one, in one step."""
        fresh = self._path.with_name(f"{self._path.name}.{os.getpid()}.new")
        with fresh.open("wb") as out, self._path.open("rb") as lines:
            for line in lines:
                if _read(line, dropping + 1).seq > dropping:
                    out.write(line)
            out.write(_bytes(record))
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(self._path)
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _opened_pipe(path: Path) -> int | None:
    """The descriptor to write to where the path is no regular file."""
    if str(path) == "-":
        return sys.stdout.fileno()
    try:
        if path.exists() and not stat.S_ISREG(path.stat().st_mode):
            return os.open(path, os.O_WRONLY)
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}") from error
    return None


def _bytes(record: Record) -> bytes:
    return to_line(record).encode() + b"\n"


def _write(file: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(file, left) :]


def _read(line: bytes, seq: int) -> Record:
    try:
        return from_line(line.decode().rstrip("\n"))
    except (ValueError, KeyError, TypeError):
        return unreadable(line.decode(errors="replace"), seq)


def _last_whole_line(file: int) -> tuple[int, bytes]:
    """Where the last line with an end ends, and its bytes."""
    start = os.fstat(file).st_size
    tail = b""
    while start > 0:
        step = min(_BLOCK, start)
        start -= step
        tail = os.pread(file, step, start) + tail
        end = tail.rfind(b"\n") + 1
        before = tail.rfind(b"\n", 0, max(end - 1, 0)) + 1
        if end and (before or start == 0):
            return start + end, tail[before:end]
    return 0, b""
