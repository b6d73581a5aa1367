"""An audit whose output stands elsewhere: written here, and kept by URL."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from affidavit.audit.remote import Remote
from affidavit.audit.store import Store, index_of

_EVERY = 600.0
"""Seconds between two copies on the way, at least."""
_GROWN = 1.25
"""How much the reports have grown by then: object stores take whole files, so that this bounds what is sent."""


@dataclass
class Mirror:
    """A local copy of an audit's output. ``target`` has it at the end, and from time to time before."""

    target: Remote
    out: Path
    folder: bool
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
        taken.unlink()

    def fetch(self) -> None:
        """Bring what an earlier pass left, to go on from there."""
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
        self._sent = time.monotonic()

    def send(self) -> None:
        """Copy everything to the target."""
        index = index_of(self.out, folder=self.folder)
        if not index.exists():
            return
        # Records that have changed move the reports of others: the old index does not fit the new file.
        self._place(index).delete()
        files = sorted(one for one in self.out.parent.rglob("*") if one.is_file() and one != index)
        for file in (*files, index):
            self._place(file).send(file)

    def _place(self, file: Path) -> Remote:
        if self.folder:
            return self.target.child(file.relative_to(self.out).as_posix())
        return self.target.beside(file.name)


@contextmanager
def mirrored(target: Remote) -> Iterator[Mirror]:
    """A mirror of ``target``, which is sent there however the work ends."""
    folder = target.is_dir() or (not target.suffix and not target.is_file())
    with tempfile.TemporaryDirectory(prefix="affidavit-audit-") as name:
        mirror = Mirror(target, Path(name) / target.name, folder)
        mirror.fetch()
        try:
            yield mirror
        finally:
            mirror.send()
