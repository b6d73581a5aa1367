"""The options ``--junit`` and ``--sarif``: what was judged, for build servers and code review."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from affidavit import __version__
from affidavit.errors import AffidavitError
from affidavit.records.ci import Placed, junit, sarif
from affidavit.report import HallucinationReport


def write_for_ci(arguments: argparse.Namespace, reports: Iterable[Placed]) -> None:
    """Write what the arguments ask for. ``reports`` can be gone through more than once."""
    if arguments.junit is not None:
        _write(arguments.junit, junit(reports))
    if arguments.sarif is not None:
        _write(arguments.sarif, sarif(reports, __version__))


class ReportsIn:
    """The reports of a JSON Lines file, read anew each time, one in memory at a time."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def __iter__(self) -> Iterator[Placed]:
        with self._file.open(encoding="utf-8", errors="replace") as lines:
            for number, line in enumerate(lines, 1):
                report = HallucinationReport.model_validate_json(line)
                yield Placed(report, self._file.as_posix(), number)


def _write(file: Path, parts: Iterable[str]) -> None:
    try:
        with file.open("w", encoding="utf-8", errors="replace") as out:
            out.writelines(parts)
    except OSError as error:
        raise AffidavitError(f"{file}: cannot be written: {error.strerror}") from error
