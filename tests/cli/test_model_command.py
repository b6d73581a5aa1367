"""``affidavit model`` as a user runs it, with the embedded model."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import pytest

from affidavit.cli import main

Captured = pytest.CaptureFixture[str]
ROWS = [
    {
        "premise": "A dog sleeps on a couch.",
        "hypothesis": "A dog is asleep.",
        "label": "entailment",
    },
    {
        "premise": "A dog sleeps on a couch.",
        "hypothesis": "A dog is running.",
        "label": "contradiction",
    },
]


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return path


def test_info_says_what_ships(capsys: Captured) -> None:
    assert main(["model", "info", "--json"]) == 0
    known = json.loads(capsys.readouterr().out)
    assert known["labels"] == ["entailment", "neutral", "contradiction"]
    assert known["recorded_as"].endswith(known["sha256"][:12])
    folder = Path(known["card"]).parent
    in_the_wheel = sum(len(zlib.compress(p.read_bytes())) for p in folder.iterdir() if p.is_file())
    assert in_the_wheel < 35e6
    assert Path(known["card"]).read_text(encoding="utf-8").startswith(f"# {known['name']}")
    assert known["training"]["pairs_seen"] > 0
    assert main(["model", "info"]) == 0
    assert known["sha256"] in capsys.readouterr().out


def test_evaluate_on_ones_own_pairs(capsys: Captured, dataset: Path) -> None:
    assert main(["model", "evaluate", str(dataset), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["format"], found["pairs"], found["accuracy"], found["auroc"]) == (
        "nli",
        2,
        1.0,
        1.0,
    )
    assert main(["model", "evaluate", str(dataset), "--limit", "1"]) == 0
    assert "what scores come to" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        (["--entailment", "oracle"], "unknown entailment model"),
        (["--entailment", "remote:http://127.0.0.1:9"], "not reached"),
        (["--limit", "0"], "expected 1 or more"),
    ],
)
def test_what_cannot_be_evaluated(
    capsys: Captured, dataset: Path, extra: list[str], says: str
) -> None:
    assert main(["model", "evaluate", str(dataset), *extra]) == 2
    assert says in capsys.readouterr().err


def test_a_data_set_that_is_none(capsys: Captured, tmp_path: Path) -> None:
    assert main(["model", "evaluate", str(tmp_path / "none.jsonl")]) == 2
    assert "none.jsonl" in capsys.readouterr().err
