"""Data sets as people have them: known by their rows, refused with the reason where they are not."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from affidavit.models.entailment import Entailment
from affidavit.training.datasets import DatasetError, label_of, read_dataset
from affidavit.training.evaluate import evaluate_file

BRIDGE = {
    "premise": "The bridge opened in 1931.",
    "hypothesis": "It opened in 1931.",
    "label": "SUPPORTS",
}
NLI = [
    BRIDGE,
    {
        "premise": "The bridge opened in 1931.",
        "hypothesis": "It opened in 1913.",
        "label": "refutes",
    },
    {
        "premise": "The bridge opened in 1931.",
        "hypothesis": "It is red.",
        "label": "not enough info",
    },
]
TABFACT = [{
    "caption": "ferries", "header": ["port", "leaves"],
    "rows": [["north quay", "08:15"], ["old harbour", "09:40"]],
    "supported": "the ferry at old harbour leaves at 09:40 .",
    "refuted": "the ferry at old harbour leaves at 08:15 .",
}]  # fmt: skip
INFOTABS = [{"record": {"title": ["Mount Hale"], "Height": ["2310 m"]},
             "hypothesis": "Mount Hale is 2310 m high.", "label": "entailment"}]  # fmt: skip
RAGTRUTH = [{
    "source_id": 1,
    "source": {"question": "When was it opened?", "passages": "The bridge opened in 1931. It is made of steel."},
    "responses": [
        {"response": "The bridge opened in 1931.", "model": "a", "labels": []},
        {"response": "The bridge opened in 1931. The mayor of Paris wept.", "model": "b",
         "labels": [{"start": 27, "end": 50}]},
    ],
}, {
    "source_id": 3,
    "source": "The tower is 90 metres high. Nobody may climb it.",
    "responses": [
        {"response": "Nobody may climb it.", "model": "a", "labels": []},
        {"response": "Anybody can go to the top.", "model": "b", "labels": [{"start": 0, "end": 26}]},
    ],
}]  # fmt: skip


class Copyist:
    """Entails what stands in the premise word for word, full stops aside."""

    name = "copyist"

    def score(self, pairs: Any) -> list[Entailment]:
        return [
            Entailment(0.9, 0.05, 0.05)
            if all(w.strip(".").lower() in premise.lower() for w in claim.split())
            else Entailment(0.1, 0.7, 0.2)
            for premise, claim in pairs
        ]


def written(path: Path, rows: list[Any]) -> Path:
    text = "\n".join(json.dumps(row) for row in rows) + "\n"
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("entailment", "entailment"), ("ENTAILS", "entailment"), ("Supported", "entailment"),
        ("neutral", "neutral"), ("NOT_ENOUGH_INFO", "neutral"), ("not enough info", "neutral"),
        ("contradiction", "contradiction"), ("Refuted", "contradiction"), ("false", "contradiction"),
    ],
)  # fmt: skip
def test_labels_by_their_usual_names(name: str, label: str) -> None:
    assert label_of(name) == label


@pytest.mark.parametrize("name", [0, 2, "", "maybe", "not_entailment", "not supported"])
def test_labels_that_leave_it_open_are_refused(name: object) -> None:
    with pytest.raises(DatasetError, match="expected entailment, neutral or contradiction"):
        label_of(name)


@pytest.mark.parametrize(
    ("rows", "kind"),
    [(NLI, "nli"), (TABFACT, "tabfact"), (INFOTABS, "infotabs"), (RAGTRUTH, "ragtruth")],
)
@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_rows_say_what_they_are(tmp_path: Path, rows: list[Any], kind: str, suffix: str) -> None:
    assert read_dataset(written(tmp_path / f"data{suffix}", rows))[0] == kind


def test_figures_of_three_way_data(tmp_path: Path) -> None:
    _, figures = evaluate_file(Copyist(), written(tmp_path / "d.jsonl", NLI))
    assert (figures.pairs, figures.auroc) == (3, None) or figures.auroc is not None
    assert figures.accuracy == pytest.approx(1 / 3)  # neutral alone: it knows no contradiction
    assert sum(band.pairs for band in figures.bands) == 3


def test_figures_of_tables_and_of_responses(tmp_path: Path) -> None:
    assert evaluate_file(Copyist(), written(tmp_path / "t.jsonl", TABFACT))[1].ranked == 0.5
    _, figures = evaluate_file(Copyist(), written(tmp_path / "r.jsonl", RAGTRUTH))
    assert (figures.pairs, figures.auroc, figures.f1) == (4, 1.0, 1.0)


def test_the_limit_is_of_rows(tmp_path: Path) -> None:
    assert evaluate_file(Copyist(), written(tmp_path / "d.jsonl", NLI), limit=2)[1].pairs == 2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no rows"),
        ("{oops\n", "d.jsonl:1: not JSON"),
        ("[1]\n", "d.jsonl:1: expected an object"),
        ('{"text": "a"}\n', "rows have text; expected premise, hypothesis and label"),
    ],
)
def test_what_is_no_data_set(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "d.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(DatasetError, match=says):
        read_dataset(tmp_path / "d.jsonl")


def test_a_file_that_is_not_there_or_not_gzip(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="cannot be read"):
        read_dataset(tmp_path / "none.jsonl")
    (tmp_path / "d.jsonl.gz").write_bytes(b"plain")
    with pytest.raises(DatasetError, match="cannot be read"):
        read_dataset(tmp_path / "d.jsonl.gz")
