"""Recorded runs of the formats people have, read into :class:`~affidavit.trace.RunTrace`.

One format a file, each with a ``NAME``, ``mismatch(doc)`` (why a document is not of it) and
``read(doc)``. A new format is a new file and an entry in :mod:`affidavit.formats.read`.
"""

from __future__ import annotations

from affidavit.formats.files import iter_runs, load_run
from affidavit.formats.read import read_run

__all__ = ["iter_runs", "load_run", "read_run"]
