"""Pages for the tests: a whole run with its report, and one in which everything is hostile."""

from __future__ import annotations

from pathlib import Path

import pytest

from affidavit import HallucinationReport, RunTrace

EXAMPLE = Path(__file__).parents[3] / "specs" / "examples" / "box-office"


@pytest.fixture(scope="session")
def report() -> HallucinationReport:
    text = (EXAMPLE / "report.json").read_text(encoding="utf-8")
    return HallucinationReport.model_validate_json(text)


@pytest.fixture(scope="session")
def trace() -> RunTrace:
    return RunTrace.model_validate_json((EXAMPLE / "run.json").read_text(encoding="utf-8"))
