"""Files that the tools themselves wrote of one run: a question, a call with its result, and the answer.

Ragas 0.4, DeepEval 2.9, Langfuse 5.0, LangSmith 0.15, LangGraph 1 (langchain 1.5), Pydantic AI 2.38, OpenInference
0.1 with the OpenTelemetry SDK 1.45, Phoenix 20.26, Vercel AI SDK 6.0. Addresses and names of machines have been taken out.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from affidavit import load_run, read_run
from affidavit.audit.item import Item
from affidavit.audit.sources import items
from affidavit.cli import main
from affidavit.errors import TraceError
from affidavit.trace import DataPart, RunTrace, TextPart, ToolResultPart

FILES = sorted((Path(__file__).parent / "written").iterdir())


def results_of(run: RunTrace) -> list[str]:
    return [
        part.text if isinstance(part, TextPart) else json.dumps(part.value)
        for message in run.messages
        for result in message.parts
        if isinstance(result, ToolResultPart)
        for part in result.content
        if isinstance(part, TextPart | DataPart)
    ]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_it_reads_to_one_run_with_its_evidence(file: Path) -> None:
    (item,) = items([file])
    assert isinstance(item, Item)
    run = read_run(json.loads(item.raw))
    assert run.answer == "The repair costs $62.50."
    assert "What does the repair RJ-3107 cost?" in [m.text for m in run.messages]
    assert any("62.50" in told and "RJ-3107" in told for told in results_of(run))


@pytest.mark.parametrize(
    "file", [file for file in FILES if file.suffix == ".json"], ids=lambda file: file.name
)
def test_check_reads_what_holds_one_run(file: Path) -> None:
    run = load_run(file)
    assert run.answer == "The repair costs $62.50."


@pytest.mark.parametrize("name", ["ragas.csv", "langsmith-batch.jsonl"])
def test_check_sends_what_audit_reads_there(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (file,) = (file for file in FILES if file.name == name)
    assert main(["check", str(file)]) == 2
    assert "`affidavit audit` judges" in capsys.readouterr().err
    assert main(["check", str(file.parent)]) == 2
    assert "is a folder; `affidavit audit`" in capsys.readouterr().err


def test_two_traces_in_one_list_are_two_runs(tmp_path: Path) -> None:
    (file,) = (file for file in FILES if file.name == "langsmith-batch.jsonl")
    lines = file.read_text(encoding="utf-8").splitlines()
    other = [line.replace("01a2238c-4b5d", "ffff238c-4b5d") for line in lines]
    mixed = tmp_path / "runs.jsonl"
    mixed.write_text("\n".join(x for pair in zip(lines, other, strict=True) for x in pair))
    runs = [item for item in items([mixed]) if isinstance(item, Item)]
    assert [read_run(json.loads(run.raw)).answer for run in runs] == [
        "The repair costs $62.50."
    ] * 2
    whole = tmp_path / "runs.json"
    whole.write_text(json.dumps([json.loads(run.raw) for run in runs]), encoding="utf-8")
    with pytest.raises(TraceError, match="holds a list"):
        load_run(whole)
