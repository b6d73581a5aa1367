"""An audit whose output stands elsewhere: written here, and kept by URL.

It is written in a folder that outlasts the process, so that a copy that breaks off is gone on with.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from affidavit._state import state_folder
from affidavit.audit.remote import Remote
from affidavit.audit.store import Store, index_of
from affidavit.errors import AffidavitError

_EVERY = 600.0
"""Seconds between two copies on the way, at least."""
_GROWN = 1.25
"""How much the reports have grown by then: object stores take whole files, so that this bounds what is sent."""
_PIECE = 2**20


@dataclass
class Mirror:
    """A local copy of an audit's output. ``target`` has it at the end, and from time to time before."""

    target: Remote
    out: Path
    folder: bool
    journal: Path
    """What is there by now, as JSON: see :class:`_There`."""
    _there: _There = field(default_factory=lambda: _There())
    _sent: float = 0.0
    _size: int = 0

    def keep(self, store: Store) -> None:
        """Copy what there is to the target, when that is due: what is lost after a crash is judged again."""
        size = store.reports.stat().st_size
        if time.monotonic() - self._sent < _EVERY or size < _GROWN * self._size:
            return
        self._sent, self._size = time.monotonic(), size
        # The index is taken first and sent last: it never names what the target does not have.
        taken = store.copy_of_index(store.index.with_name(f"{store.index.name}.copy"))
        for file in filter(None, (store.reports, store.claims)):
            self._place(file).send(file)
        self._place(store.index).send(taken)
        self._there.index = _digest(taken)
        self._there.write(self.journal)
        taken.unlink()

    def begin(self) -> None:
        """Go on from what an earlier pass left: here, where its copy broke off, else at the target."""
        if not self._is_left_here():
            shutil.rmtree(self.out.parent, ignore_errors=True)
            self.out.parent.mkdir(parents=True)
            self._fetch()
        self._sent = time.monotonic()

    def _is_left_here(self) -> bool:
        """Whether what lies here is newer than what the target has: nobody has put another index there since."""
        there = _There.read(self.journal)
        index = index_of(self.out, folder=self.folder)
        if there is None or not index.exists():
            return False
        if (found := self._index_there()) not in (None, there.index):
            return False
        self._there = there
        self._there.index = found
        return True

    def _index_there(self) -> str | None:
        copy = self.out.parent / "index.there"
        try:
            place = self._place(index_of(self.out, folder=self.folder))
            return _digest(copy) if place.fetch(copy) else None
        finally:
            copy.unlink(missing_ok=True)

    def _fetch(self) -> None:
        index = index_of(self.out, folder=self.folder)
        files = (
            [self.out]
            if not self.folder
            else [self.out / f"{n}.jsonl" for n in ("reports", "claims")]
        )
        if self.folder:
            self.out.mkdir()
        for file in (index, *files):
            self._place(file).fetch(file)
        had = {self._name(file): _digest(file) for file in files if file.exists()}
        self._there = _There(_digest(index) if index.exists() else None, had)
        self._there.write(self.journal)

    def send(self) -> None:
        """Copy everything to the target that it has not got. Raises AffidavitError where that breaks off; what was
        judged is then still here, and is gone on from by :meth:`begin`."""
        index = index_of(self.out, folder=self.folder)
        if not index.exists():
            return
        files = sorted(one for one in self.out.parent.rglob("*") if one.is_file() and one != index)
        try:
            # Records that have changed move the reports of others: the old index does not fit the new file.
            self._place(index).delete()
            for file in files:
                self._send(file)
            self._place(index).send(index)
        except Exception as error:  # each file system raises its own
            raise AffidavitError(
                f"{error}; what was judged is kept in {self.out.parent}: give the same command again, and what is "
                "missing is sent without judging anything anew"
            ) from error

    def _send(self, file: Path) -> None:
        place, name, digest = self._place(file), self._name(file), _digest(file)
        if self._there.files.get(name) == digest and place.size() == file.stat().st_size:
            return
        place.send(file)
        self._there.files[name] = digest
        self._there.write(self.journal)

    def _name(self, file: Path) -> str:
        return file.relative_to(self.out.parent).as_posix()

    def _place(self, file: Path) -> Remote:
        if self.folder:
            return self.target.child(file.relative_to(self.out).as_posix())
        return self.target.beside(file.name)


@dataclass
class _There:
    """What the target has, as far as this machine knows: the digest of the index that it had last, and of each other
    file that was fetched, or sent at the end."""

    index: str | None = None
    files: dict[str, str] = field(default_factory=dict)

    def write(self, journal: Path) -> None:
        fresh = journal.with_name(f"{journal.name}.new")
        fresh.write_text(json.dumps({"index": self.index, "files": self.files}), encoding="utf-8")
        fresh.replace(journal)

    @classmethod
    def read(cls, journal: Path) -> _There | None:
        try:
            told = json.loads(journal.read_text(encoding="utf-8"))
            return cls(told["index"], dict(told["files"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None


def _digest(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as content:
        while piece := content.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


@contextmanager
def mirrored(target: Remote) -> Iterator[Mirror]:
    """A mirror of ``target``, which is sent there however the work ends. Only one process of this machine may hold it."""
    folder = target.is_dir() or (not target.suffix and not target.is_file())
    with _held(target) as place:
        mirror = Mirror(target, place / "out" / target.name, folder, place / "sent.json")
        mirror.begin()
        try:
            yield mirror
        finally:
            mirror.send()
            shutil.rmtree(place, ignore_errors=True)


@contextmanager
def _held(target: Remote) -> Iterator[Path]:
    """The folder of this machine for a target, locked."""
    name = hashlib.sha256(str(target).encode()).hexdigest()[:32]
    place = state_folder() / "audits" / name
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = place.with_name(f"{name}.lock").open("ab")
    except OSError as error:
        raise AffidavitError(
            f"{place}: cannot be written: {error.strerror}; name a folder in AFFIDAVIT_STATE that can, in which an audit is "
            "written before it is sent"
        ) from error
    with lock:
        try:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # not POSIX: the index itself is locked as soon as it is open
            pass
        except BlockingIOError as error:
            raise AffidavitError(f"{target}: another audit is writing there") from error
        yield place
