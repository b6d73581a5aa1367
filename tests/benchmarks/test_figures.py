"""Short answers about one figure: what a field says outright, beside a sum or a product of others that comes to something else."""

from __future__ import annotations

import asyncio
from pathlib import Path

import natural_runs
import pytest

from affidavit import Detector

RUNS = Path(__file__).parents[2] / "benchmarks" / "data" / "figures.dev.jsonl.gz"


@pytest.mark.spec("AFF-303")
def test_a_field_outranks_what_other_fields_happen_to_come_to() -> None:
    """The same statement over two records: in one its field says so, in the other only a formula does."""
    rows = natural_runs.rows_of([RUNS], "of other fields")
    figures = asyncio.run(natural_runs.ranked(rows, Detector()))
    assert figures["statements with two results"] >= 60
    assert figures["ranked right by the verdict"] >= 0.9
    assert figures["AUROC of the verdict"] >= 0.95
