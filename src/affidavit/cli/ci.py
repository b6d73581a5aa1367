"""The options ``--junit`` and ``--sarif``: what was judged, for build servers and code review."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from affidavit import __version__
from affidavit.audit.store import Store
from affidavit.errors import AffidavitError
from affidavit.records.ci import Placed, junit, sarif
from affidavit.report import HallucinationReport


def write_for_ci(arguments: argparse.Namespace, reports: Iterable[Placed]) -> None:
    """Write what the arguments ask for. ``reports`` can be gone through more than once."""
    if arguments.junit is not None:
        _write(arguments.junit, junit(reports))
    if arguments.sarif is not None:
        _write(arguments.sarif, sarif(reports, __version__))


class ReportsOf:
    """The reports of an audit, read anew each time, one in memory at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __iter__(self) -> Iterator[Placed]:
        for text, file, line in self._store.placed():
            yield Placed(HallucinationReport.model_validate_json(text), file, line or 1)


def _write(file: Path, parts: Iterable[str]) -> None:
    try:
        with file.open("w", encoding="utf-8", errors="replace") as out:
            out.writelines(parts)
    except OSError as error:
        raise AffidavitError(f"{file}: cannot be written: {error.strerror}") from error
