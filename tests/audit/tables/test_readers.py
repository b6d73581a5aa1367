"""What an audit writes is read by those who work with tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb  # type: ignore[import-not-found]
import pandas as pd  # type: ignore[import-not-found]
import pytest

from affidavit.cli import main

EXAMPLES = Path(__file__).parents[3] / "specs" / "examples"
NAMES = ("anthropic", "invented-price", "openai-chat")


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("audits") / "audit"
    runs = [str(EXAMPLES / f"{name}.json") for name in NAMES]
    assert main(["audit", *runs, "--out", str(out), "--jobs", "0", "--parquet"]) == 0
    return out


@pytest.fixture(scope="module")
def reports(audit: Path) -> list[dict[str, Any]]:
    lines = (audit / "reports.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def statuses(reports: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return sorted((r["run_id"], c["text"], c["status"]) for r in reports for c in r["claims"])


@pytest.mark.parametrize("name", ["claims.parquet", "claims.jsonl"])
def test_duckdb_reads_the_claims(audit: Path, reports: list[dict[str, Any]], name: str) -> None:
    with duckdb.connect() as db:
        rows = db.execute(f"SELECT run_id, text, status FROM '{audit / name}'").fetchall()
        (worst,) = db.execute(
            f"SELECT text FROM '{audit / name}' WHERE status NOT IN ('supported', 'exempt') ORDER BY score LIMIT 1"
        ).fetchone() or (None,)
    assert sorted(rows) == statuses(reports)
    assert worst == "The repair costs $74.90."


def test_duckdb_joins_claims_with_reports(audit: Path, reports: list[dict[str, Any]]) -> None:
    with duckdb.connect() as db:
        rows = db.execute(
            f"""SELECT r.run_id, r.overall_score, count(c.claim), list_contains(r.reasons, 'contradicts_evidence')
            FROM '{audit}/reports.parquet' r JOIN '{audit}/claims.parquet' c USING (run_id) GROUP BY ALL"""
        ).fetchall()
    assert sorted(row[:3] for row in rows) == sorted(
        (r["run_id"], r["overall_score"], len(r["claims"])) for r in reports
    )


def test_pandas_reads_both(audit: Path, reports: list[dict[str, Any]]) -> None:
    for claims in (
        pd.read_parquet(audit / "claims.parquet"),
        pd.read_json(audit / "claims.jsonl", lines=True),
    ):
        found = claims[["run_id", "text", "status"]].itertuples(index=False, name=None)
        assert sorted(found) == statuses(reports)
        assert claims.groupby("status").size().sum() == len(claims)
    table = pd.read_parquet(audit / "reports.parquet")
    assert dict(zip(table.run_id, table.action, strict=True)) == {
        r["run_id"]: r["action"] for r in reports
    }
    assert [json.loads(one) for one in table.report] == reports
