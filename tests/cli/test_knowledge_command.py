"""``affidavit knowledge``: a folder becomes a base that answers, keeps versions and can be measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from affidavit.cli import main

PAGE = "---\ntitle: Card fees\nversion: {version}\ndate: 2024-01-31\n---\n## Monthly\nThe harbour card costs {euros} euros a month.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "docs"
    place.mkdir()
    (place / "fees.md").write_text(PAGE.format(version="1.0", euros=5))
    (place / "hours.html").write_text("<h1>Hours</h1><p>The branch opens at nine.</p>")
    return place


@pytest.fixture
def base(tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    path = str(tmp_path / "base.db")
    assert main(["knowledge", "ingest", path, str(folder)]) == 0
    assert "2 added, 0 updated, 0 unchanged" in capsys.readouterr().out
    return path


def test_without_a_base_it_is_made_here(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["knowledge", "ingest", str(folder)]) == 0
    assert "2 added, 0 updated, 0 unchanged in knowledge.db" in capsys.readouterr().out
    assert main(["knowledge", "search", "What does the harbour card cost?"]) == 0
    assert "Card fees" in capsys.readouterr().out


def test_search_says_where_a_passage_is_from(base: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["knowledge", "search", base, "What does the harbour card cost?"]) == 0
    out = capsys.readouterr().out
    assert "Card fees · version 1.0 · Monthly · dated 2024-01-31" in out
    assert "fees.md@1#1" in out and "costs 5 euros" in out
    assert "more than 6 months ago" in out


def test_search_as_json(base: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["knowledge", "search", base, "harbour card", "--limit", "1", "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    hit = json.loads(line)
    assert hit["id"] == "fees.md@1#1" and hit["source"]["document_date"] == "2024-01-31"


def test_a_second_ingest_keeps_the_first_version(
    base: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "fees.md").write_text(PAGE.format(version="2.0", euros=7))
    assert main(["knowledge", "ingest", base, str(folder)]) == 0
    assert "0 added, 1 updated, 1 unchanged" in capsys.readouterr().out
    assert main(["knowledge", "show", base, "fees.md@1#1"]) == 0
    shown = capsys.readouterr().out
    assert "costs 5 euros" in shown and "This version of the document is outdated." in shown
    assert main(["knowledge", "search", base, "harbour card"]) == 0
    assert "5 euros" not in capsys.readouterr().out


@pytest.mark.spec("AFF-1024")
def test_what_cannot_be_read_is_told_and_the_rest_goes_on(
    base: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "broken.json").write_text("{")
    (folder / "hours.html").unlink()
    assert main(["knowledge", "ingest", base, str(folder), "--withdraw-missing"]) == 1
    out, err = capsys.readouterr()
    assert "broken.json: not read: not valid JSON" in err
    assert "1 unchanged, none withdrawn" in out and "1 not read" in out


def test_missing_documents_are_withdrawn_when_asked(
    base: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "hours.html").unlink()
    assert main(["knowledge", "ingest", base, str(folder), "--withdraw-missing"]) == 0
    assert "1 unchanged, 1 withdrawn" in capsys.readouterr().out
    assert main(["knowledge", "search", base, "When does the branch open?", "--json"]) == 0
    assert "hours" not in capsys.readouterr().out


def test_the_floor_is_measured_and_drawn(
    base: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = {
        True: ["What does the harbour card cost?", "When does the branch open?"],
        False: ["Who painted the Mona Lisa?", "How deep is the Baltic Sea?"],
    }
    rows = [{"question": q, "answerable": a} for a, questions in asked.items() for q in questions]
    file, svg = tmp_path / "q.jsonl", tmp_path / "floor.svg"
    file.write_text("\n".join(map(json.dumps, rows)))
    assert main(["knowledge", "floor", base, str(file), "--svg", str(svg)]) == 0
    out = capsys.readouterr().out
    assert "100.0% of unanswerable questions refused, 0.0% of answerable ones wrongly" in out
    assert "few questions" in out
    assert svg.read_text().startswith("<svg")
    assert main(["knowledge", "floor", base, str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["separation"] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["search", "none.db", "x"], "no such knowledge base"),
        (["show", "BASE", "none@1#1"], "no passage"),
        (["ingest", "BASE", "no-such-folder"], "no such file or folder"),
        (["search", "BASE", "x", "--encoder", "word2vec"], "unknown encoder"),
        (["floor", "BASE", "none.jsonl"], "cannot be read"),
    ],
)
def test_bad_input_is_told(
    base: str, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [base if word == "BASE" else word for word in arguments]
    assert main(["knowledge", *given]) == 2
    assert words in capsys.readouterr().err
