"""The checklist, carried out on agents that keep to it and on one that does not."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from affidavit import Detector
from affidavit.cli import main
from affidavit.grounding.doctor import CHECKLIST, Finding, Reply, aexamine, examine
from affidavit.grounding.floors import Floors
from affidavit.grounding.knowledge.retriever import Hit, Source
from affidavit.grounding.local_confidence import LocalConfidence
from affidavit.grounding.pipeline import GroundedPipeline
from affidavit.grounding.requery import GroundedSearch
from affidavit.grounding.result import GroundedResult
from affidavit.grounding.tool import grounded_tool
from affidavit.testing import ScriptedModel

QUESTION = "What is the termination notice in the contract with Beta Corp?"
MISSING = "What is the termination notice in the contract with Gamma LLC?"
TEXT = "The contract with Beta Corp can be terminated with 60 days notice."
BETA = Source("Contract with Beta Corp", "C-17", "2.1", "5.2", 8)


async def search(query: str, *, limit: int = 5) -> list[Hit]:
    return [Hit("1", TEXT, 0.9, BETA)]


def reply_of(messages: Any) -> str:
    """A model that says what the result says, wherever it is put."""
    return "The contract with Beta Corp can be terminated with 60 days notice [1]."


class Careful:
    """The pipeline of this package over somebody's search."""

    question, expected, missing = QUESTION, "60 days", MISSING

    def __init__(self) -> None:
        dated = Source(**{**_fields(BETA), "document_date": date(2026, 9, 1)})

        async def search(query: str, *, limit: int = 5) -> list[Hit]:
            return [Hit("1", TEXT, 0.9, dated)]

        self.tools: Mapping[str, Callable[..., Any]] = {"search": search}

    def ask(self, question: str, tools: Mapping[str, Callable[..., Any]]) -> Any:
        retriever = SimpleNamespace(search=tools["search"])
        grounded = GroundedSearch(retriever, evaluator=LocalConfidence())
        model = ScriptedModel([reply_of], repeat=True)
        return GroundedPipeline(grounded, model, Detector()).ask(question)


def _fields(source: Source) -> dict[str, Any]:
    return {name: getattr(source, name) for name in Source.__slots__}


class Careless:
    """An agent that answers from memory, relays errors, and searches until it finds something."""

    question, expected, missing = QUESTION, "60 days", MISSING

    def __init__(self) -> None:
        self.tools: Mapping[str, Callable[..., Any]] = {"search": lambda query: [TEXT]}

    def ask(self, question: str, tools: Mapping[str, Callable[..., Any]]) -> Any:
        try:
            for _ in range(3):
                if tools["search"](question):
                    return "It can be terminated with 60 days notice."
        except Exception as error:
            return f"An error occurred: {error}"
        return "The contract can be terminated with 30 days notice and a fee of $500."


class WithTool:
    """A tool made by the decorator, and an agent that reads its results."""

    question, expected, missing = QUESTION, "60 days", MISSING

    def __init__(self) -> None:
        @grounded_tool(source="contracts")
        def find_contract(query: str) -> Any:
            return [Hit("1", TEXT, 0.9, BETA)] if "Beta" in query else []

        self.tools: Mapping[str, Callable[..., Any]] = {"find_contract": find_contract}

    async def ask(self, question: str, tools: Mapping[str, Callable[..., Any]]) -> Any:
        result = tools["find_contract"](question)
        assert isinstance(result, GroundedResult)
        match result.state:
            case "not_found":
                return Reply("I could not find that contract.", "end_turn")
            case "technical_error":
                return Reply("The contract search failed; please try again later.", "end_turn")
        return Reply(reply_of(None), "end_turn")


def states(found: list[Finding]) -> dict[str, str]:
    return {finding.item: finding.state for finding in found}


def test_the_pipeline_passes_the_checklist(detector: Detector) -> None:
    found = examine(Careful(), detector)
    assert [f.item for f in found] == [name for name, _ in CHECKLIST]
    assert {f.item: f.detail for f in found if f.state == "failed"} == {}
    assert {f.item for f in found if f.state == "skipped"} == {"scores are parted by floors"}


CARELESS_PASSES = {
    "the question is answered",
    "the answer holds against its own results",
    "no second search after a technical error",
}


def test_a_careless_agent_fails_it(detector: Detector) -> None:
    found = states(examine(Careless(), detector))
    assert {item for item, state in found.items() if state == "passed"} == CARELESS_PASSES
    skipped = {item for item, state in found.items() if state == "skipped"}
    assert skipped == {
        "results for prices, terms and dates are assessed",
        "every reply has a stop reason",
    }


def test_a_decorated_tool_and_its_agent(detector: Detector) -> None:
    import asyncio

    found = asyncio.run(aexamine(WithTool(), detector))
    failed = {f.item: f.detail for f in found if f.state == "failed"}
    assert set(failed) == {"results name document, place and date"}, failed
    assert "date" in failed["results name document, place and date"]
    floors = next(f for f in found if "floors" in f.item)
    assert floors.detail == "find_contract 0.75/0.55"


@pytest.mark.parametrize(
    ("named", "state", "told"),
    [
        ({"section": "5.2"}, "passed", ""),
        ({"page": 8}, "passed", ""),
        ({"url": "https://contracts.example/17"}, "passed", ""),
        ({}, "failed", "no source names a section, page or address"),
    ],
)
def test_a_source_says_where_in_the_document(
    named: dict[str, Any], state: str, told: str, detector: Detector
) -> None:
    examinee = WithTool()
    source = Source("Contract with Beta Corp", "C-17", document_date=date(2026, 9, 1), **named)
    tool = grounded_tool(lambda query: [Hit("1", TEXT, 0.9, source)] if "Beta" in query else [])
    examinee.tools = {"find_contract": tool}
    found = {f.item: f for f in examine(examinee, detector)}
    one = found["results name document, place and date"]
    assert (one.state, one.detail) == (state, told)


def test_a_floor_that_lets_everything_pass_is_none(detector: Detector) -> None:
    examinee = WithTool()
    tool = grounded_tool(floors=Floors(0.5, 0.0))(lambda query: [Hit("1", TEXT, 0.9, BETA)])
    examinee.tools = {"find_contract": tool}
    assert states(examine(examinee, detector))["scores are parted by floors"] == "failed"


def test_an_agent_that_raises_is_a_finding(detector: Detector) -> None:
    class Fragile(Careless):
        def ask(self, question: str, tools: Any) -> Any:
            return str(tools["search"](question)[0])

    found = {f.item: f for f in examine(Fragile(), detector)}
    assert "IndexError" in found["an empty base: “not found”, and no figures"].detail
    assert "TimeoutError" in found["a failed call: says so, and no figures"].detail


class OverData(Careless):
    """An agent of plain tools: they look records up, and there are no documents."""

    question, missing = "What does repair RJ-3107 cost?", "What does repair RJ-9999 cost?"
    expected = "62.50"

    def __init__(self) -> None:
        row = {"ticket": "RJ-3107", "price": "62.50"}
        self.tools = {"get_repair": lambda ticket: row if ticket == "RJ-3107" else []}

    def ask(self, question: str, tools: Mapping[str, Callable[..., Any]]) -> Any:
        try:
            found = tools["get_repair"](question.split()[3])
        except Exception:
            return "The lookup failed; please try again later."
        return f"The repair costs {found['price']}." if found else "I could not find that repair."


def test_an_agent_without_documents_is_not_asked_for_any(detector: Detector) -> None:
    found = {f.item: f for f in examine(OverData(), detector)}
    assert [item for item, f in found.items() if f.state == "failed"] == []
    told = {f.detail for f in found.values() if f.state == "skipped"}
    assert "the tools return data and search no documents" in told


def test_conditions_are_told() -> None:
    told: list[str] = []
    examine(Careless(), on_condition=told.append)
    assert told == ["well", "empty", "timeout", "rate_limit", "missing"]


MODULE = """
TEXT = {text!r}

class Agent:
    tools = {{"search": lambda query: [TEXT]}}
    question, expected, missing = {question!r}, "60 days", {missing!r}

    def ask(self, question, tools):
        return {answer}

lacking = object()
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    def made(answer: str) -> str:
        text = MODULE.format(text=TEXT, question=QUESTION, missing=MISSING, answer=answer)
        (tmp_path / "examined_shop.py").write_text(text, encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "path", list(sys.path))
        monkeypatch.delitem(sys.modules, "examined_shop", raising=False)
        return "examined_shop"

    return made


def test_the_command(module: Callable[[str], str], capsys: pytest.CaptureFixture[str]) -> None:
    name = module("str(tools['search'](question))")
    assert main(["doctor", f"{name}:Agent"]) == 1
    told = capsys.readouterr().out
    assert "✓ the question is answered" in told and "✗ an empty base" in told
    assert "not examined" in told
    assert main(["doctor", f"{name}:Agent", "--json"]) == 1
    findings = json.loads(capsys.readouterr().out)
    assert [f["item"] for f in findings] == [item for item, _ in CHECKLIST]


BAD = {
    "no object": ("shop", "expected MODULE:OBJECT"),
    "no module": ("not_there_at_all:Agent", "cannot be loaded"),
    "no such name": ("{module}:Nobody", "cannot be loaded"),
    "not an examinee": ("{module}:lacking", "lacks tools, question"),
    "a function that is to be given something": ("json:loads", "calling it raised TypeError"),
    "a protocol": (
        "affidavit.grounding.doctor:Examinee",
        "expected an object with tools, question",
    ),
    "an answer that is none": ("{module}:Agent", "must return text"),
}


@pytest.mark.parametrize(("spec", "told"), BAD.values(), ids=BAD)
def test_what_cannot_be_examined(
    module: Callable[[str], str], capsys: pytest.CaptureFixture[str], spec: str, told: str
) -> None:
    name = module("42")
    assert main(["doctor", spec.replace("{module}", name)]) == 2
    assert told in capsys.readouterr().err
