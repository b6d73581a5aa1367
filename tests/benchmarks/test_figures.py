"""Short answers about one figure: what a field says outright, beside a sum or a product of others that comes to something else."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import natural_runs
import pytest

from affidavit import Detector
from affidavit.training.runs import read_rows

RUNS = Path(__file__).parents[2] / "benchmarks" / "data" / "figures.dev.jsonl.gz"


@pytest.mark.spec("AFF-303")
def test_a_field_outranks_what_other_fields_happen_to_come_to(tmp_path: Path) -> None:
    """The same statement over two records: in one its field says so, in the other only a formula does."""
    rows = tmp_path / "rows.jsonl"
    with rows.open("w", encoding="utf-8") as file:
        for row in read_rows([RUNS]):
            row["false"] = [one for one in row["false"] if one["kind"].endswith("of other fields")]
            if row["false"]:
                file.write(json.dumps(row) + "\n")
    figures = asyncio.run(natural_runs.ranked([rows], Detector()))
    assert figures["statements with two results"] >= 60
    assert figures["ranked right by the verdict"] >= 0.9
    assert figures["AUROC of the verdict"] >= 0.95
