"""A real model before a knowledge base: what it says when there is nothing to say, with the toolkit and without.

    python benchmarks/grounding_toolkit.py --base-url http://127.0.0.1:8080/v1 --model NAME \\
        --documents banking_documents.jsonl.gz [--each 8] [--json FILE]

A model behind any OpenAI-compatible endpoint (the key from $OPENAI_API_KEY) is asked the same questions
in three ways: *plain*, with what the search returned as JSON; *states*, with the same as a grounded result;
*toolkit*, through the pipeline, which assesses what was found, refuses by itself, and holds the answer
against its sources. Four conditions: the base answers; it is empty; the search fails; it holds much that
is like what is asked, and not that.

An answer is labelled by code that knows nothing of the guard: whether it admits to know nothing, whether it
states figures that stand in none of the texts it was given, and whether it lets out the error's details.
Documents are ``{"id", "title", "content"}``, one a line; questions ``{"question"}``, with ``"kind":
"near_miss"`` where they have no answer.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import platform
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from affidavit import Detector
from affidavit.grounding import Floors, GroundedPipeline, GroundedSearch, LocalConfidence
from affidavit.grounding.doctor.readings import admits, names_source, own_figures
from affidavit.grounding.knowledge.base import KnowledgeBase
from affidavit.grounding.knowledge.document import Document
from affidavit.grounding.knowledge.retriever import Hit
from affidavit.models.llm import ChatMessage, LanguageModel, OpenAICompatibleModel

QUESTIONS = Path(__file__).with_name("banking_questions.jsonl")
HOST = "https://search-3.internal:8443"
ROLE = "You answer customers of a bank in one or two sentences. Use the search result. If you do not know, say so."
LIMIT = 3
"""Hits a search returns: a small model on a CPU reads slowly."""

Way = Literal["plain", "states", "toolkit"]
Condition = Literal["answerable", "empty base", "failed search", "not there"]
WAYS: tuple[Way, ...] = ("plain", "states", "toolkit")


class Once:
    """The model at temperature 0; the same request is sent once."""

    def __init__(self, model: LanguageModel) -> None:
        self._model, self._answers, self.seconds = model, dict[tuple[ChatMessage, ...], str](), 0.0
        self.calls = 0

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        temperature: float | None = 0.0,
        max_tokens: int | None = 160,
    ) -> str:
        self.calls += 1
        key = tuple(messages)
        if key not in self._answers:
            began = time.perf_counter()
            self._answers[key] = await self._model.complete(
                messages, temperature=temperature or 0.0, max_tokens=max_tokens or 160
            )
            self.seconds += time.perf_counter() - began
        return self._answers[key]


@dataclass(frozen=True, slots=True)
class Labelled:
    """One answer and what can be said of it."""

    condition: Condition
    way: Way
    question: str
    answer: str
    admits: bool
    figures: tuple[str, ...]
    """Figures that stand in none of the texts it may take them from."""
    leaks: bool
    cites: bool

    @property
    def good(self) -> bool:
        """What such a condition asks of an answer."""
        if self.condition == "answerable":
            return not self.admits and not self.figures
        return self.admits and not self.figures and not self.leaks


class Shelf:
    """A retriever under one condition."""

    def __init__(self, base: KnowledgeBase, condition: Condition) -> None:
        self._base, self._condition = base, condition

    async def search(self, query: str, *, limit: int = LIMIT) -> list[Hit]:
        if self._condition == "empty base":
            return []
        if self._condition == "failed search":
            raise TimeoutError(f"Connection timeout after 5000 ms to {HOST}/search")
        return await self._base.search(query, limit=limit)


async def plain(question: str, shelf: Shelf, model: LanguageModel) -> tuple[str, list[str]]:
    """As tutorials do it: the tool's JSON into the prompt."""
    try:
        hits = await shelf.search(question)
        rows = [
            {"title": h.source.title, "score": round(h.score, 2), "content": h.text} for h in hits
        ]
        result = json.dumps({"results": rows, "total": len(rows)})
    except TimeoutError as error:
        result = json.dumps({"error": str(error), "results": None})
    prompt = f"Search result:\n{result}\n\nQuestion: {question}"
    answer = await model.complete([ChatMessage("system", ROLE), ChatMessage("user", prompt)])
    return answer, [result]


async def states(question: str, shelf: Shelf, model: LanguageModel) -> tuple[str, list[str]]:
    """The result says what became of the search and what to do; nothing else watches."""
    search = GroundedSearch(shelf, floors=FLOORS, max_attempts=1, assess="never", limit=LIMIT)
    result = str((await search.search(question)).result)
    prompt = f"Search result:\n{result}\n\nQuestion: {question}"
    answer = await model.complete([ChatMessage("system", ROLE), ChatMessage("user", prompt)])
    return answer, [result]


async def toolkit(
    question: str, shelf: Shelf, model: LanguageModel, detector: Detector
) -> tuple[str, list[str]]:
    """All of it."""
    evaluator = LocalConfidence(understood=["Rho-Bank"])
    search = GroundedSearch(shelf, floors=FLOORS, evaluator=evaluator, limit=LIMIT)
    answer = await GroundedPipeline(search, model, detector, system=ROLE).aask(question)
    return answer.answer, [hit.text for hit in answer.sources]


FLOORS = Floors(0.75, 0.55)


async def label(
    condition: Condition,
    way: Way,
    question: str,
    base: KnowledgeBase,
    model: Once,
    detector: Detector,
) -> Labelled:
    shelf = Shelf(base, condition)
    match way:
        case "plain":
            answer, shown = await plain(question, shelf, model)
        case "states":
            answer, shown = await states(question, shelf, model)
        case "toolkit":
            answer, shown = await toolkit(question, shelf, model, detector)
    # Where the base holds no answer, a figure of another document is none either.
    given = [question, *shown] if condition == "answerable" else [question]
    return Labelled(
        condition, way, question, answer,
        admits(answer), tuple(own_figures(answer, given)), HOST.split("//")[1].split(":")[0] in answer,
        names_source(answer, []),
    )  # fmt: skip


def read_lines(path: Path) -> list[dict[str, Any]]:
    packed = path.suffix == ".gz"
    text = gzip.decompress(path.read_bytes()).decode() if packed else path.read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def spread(rows: list[str], count: int) -> list[str]:
    """So many of them, from the whole list."""
    return rows[:: max(1, len(rows) // count)][:count]


async def measure(
    arguments: argparse.Namespace, base: KnowledgeBase
) -> tuple[list[Labelled], Once]:
    questions = read_lines(arguments.questions)
    by_kind: dict[str, list[str]] = defaultdict(list)
    for row in questions:
        by_kind[row.get("kind", "answerable")].append(row["question"])
    asked: dict[Condition, list[str]] = {
        "answerable": spread(by_kind["answerable"], arguments.each),
        "empty base": spread(by_kind["answerable"], arguments.each),
        "failed search": spread(by_kind["answerable"], arguments.each),
        "not there": spread(by_kind["near_miss"], arguments.each),
    }
    model = Once(
        OpenAICompatibleModel(
            arguments.model, base_url=arguments.base_url, limit_field="max_tokens",
            api_key=os.environ.get("OPENAI_API_KEY", "none"),
        )
    )  # fmt: skip
    detector = Detector()
    found = []
    for condition, rows in asked.items():
        for question in rows:
            for way in WAYS:
                found.append(await label(condition, way, question, base, model, detector))
                if arguments.verbose:
                    print(json.dumps(asdict(found[-1]), ensure_ascii=False), flush=True)
    return found, model


def table(found: Sequence[Labelled]) -> dict[str, dict[str, dict[str, int]]]:
    """Counts by condition and way."""
    counts: dict[str, dict[str, dict[str, int]]] = {}
    for one in found:
        cell = counts.setdefault(one.condition, {}).setdefault(one.way, defaultdict(int))
        cell["answers"] += 1
        cell["as they should be"] += one.good
        cell["admit to know nothing"] += one.admits
        cell["with figures from nowhere"] += bool(one.figures)
        cell["with technical details"] += one.leaks
        cell["name a source"] += one.cites
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--documents", type=Path, required=True)
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    parser.add_argument("--base", type=Path, help="where the knowledge base is, or is to be made")
    parser.add_argument("--each", type=int, default=8, help="questions under each condition")
    parser.add_argument("--verbose", action="store_true", help="print each answer")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    documents = read_lines(arguments.documents)
    with (
        tempfile.TemporaryDirectory() as folder,
        KnowledgeBase(arguments.base or Path(folder) / "base.sqlite") as base,
    ):
        base.ingest(
            Document.from_text(row["id"], row["content"], title=row["title"]) for row in documents
        )
        found, model = asyncio.run(measure(arguments, base))
    counts = table(found)
    print(f"{arguments.model}, {len(found)} answers, {model.seconds:.0f} s of the model")
    print(f"{'':14} {'':28}" + "".join(f"{way:>9}" for way in WAYS))
    for condition, ways in counts.items():
        for what in (
            "as they should be",
            "admit to know nothing",
            "with figures from nowhere",
            "with technical details",
            "name a source",
        ):
            cells = "".join(f"{ways[way][what]:>4} of {ways[way]['answers']:<2}" for way in WAYS)
            print(f"{condition:14} {what:28}{cells}")
    if arguments.json:
        report = {
            "model": arguments.model, "python": platform.python_version(), "cores": os.cpu_count(),
            "counts": counts, "answers": [asdict(one) for one in found],
        }  # fmt: skip
        arguments.json.write_text(
            json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
