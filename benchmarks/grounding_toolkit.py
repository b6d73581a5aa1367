"""The grounding checklist with a real model in the loop: with the toolkit, with its results alone, without.

    python benchmarks/grounding_toolkit.py --base-url http://127.0.0.1:8080/v1 --model NAME \\
        --documents banking_documents.jsonl.gz [--base FILE] [--cases N] [--json FILE]

A model behind any OpenAI-compatible endpoint (the key from $OPENAI_API_KEY) answers questions about a
bank's documents in three ways: *plain*, with what the search returned as JSON, as tutorials do it;
*states*, with the same as a grounded result; *toolkit*, through the pipeline, which assesses what was
found, refuses by itself, and holds the answer against its sources. Each way is examined as ``affidavit
doctor`` does it, once for each case: the question that the documents answer, the same with an empty base,
a search that times out, one that is asked too often, and a question about a product that does not exist.

Documents are ``{"id", "title", "content"}``, one a line; cases ``{"question", "expected", "missing"}``.
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
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from affidavit import Detector
from affidavit.grounding import GroundedPipeline, GroundedSearch, LocalConfidence, grounded_tool
from affidavit.grounding.doctor import CHECKLIST, Reply, aexamine
from affidavit.grounding.knowledge.base import KnowledgeBase
from affidavit.grounding.knowledge.document import Document
from affidavit.grounding.knowledge.retriever import Hit
from affidavit.models.llm import ChatMessage, LanguageModel, OpenAICompatibleModel

CASES = Path(__file__).with_name("banking_cases.jsonl")
ROLE = (
    "You answer customers of a bank in one or two sentences. Answer from the search result and name the "
    "document. If you do not know, say so."
)
HITS = 2
"""Passages a search returns: a small model on a CPU reads slowly."""

Tools = Mapping[str, Callable[..., Any]]


class Once:
    """The model at temperature 0; the same request is sent once."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._answers: dict[tuple[ChatMessage, ...], str] = {}
        self.seconds = 0.0

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def requests(self) -> int:
        return len(self._answers)

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        temperature: float | None = None,  # noqa: ARG002
        max_tokens: int | None = None,  # noqa: ARG002
    ) -> str:
        key = tuple(messages)
        if key not in self._answers:
            began = time.perf_counter()
            answer = await self._model.complete(messages, temperature=0.0, max_tokens=120)
            self._answers[key] = answer
            self.seconds += time.perf_counter() - began
        return self._answers[key]


class Plain:
    """The tool's JSON into the prompt, whatever it is."""

    def __init__(
        self,
        base: KnowledgeBase,
        model: LanguageModel,
        detector: Detector,
        case: Mapping[str, str],
    ) -> None:
        async def search(query: str) -> list[Hit]:
            return await base.search(query, limit=HITS)

        self.question, self.expected = case["question"], case["expected"]
        self.missing = case["missing"]
        self.tools: Tools = {"search": search}
        self._model, self._detector = model, detector

    async def ask(self, question: str, tools: Tools) -> Any:
        try:
            hits = await tools["search"](question)
            rows = [{"title": h.source.title, "score": h.score, "content": h.text} for h in hits]
            return await self._answer(question, json.dumps({"results": rows, "total": len(rows)}))
        except Exception as error:
            failed = json.dumps({"error": str(error), "results": None})
            return await self._answer(question, failed)

    async def _answer(self, question: str, result: str) -> Reply:
        prompt = f"Search result:\n{result}\n\nQuestion: {question}"
        messages = [ChatMessage("system", ROLE), ChatMessage("user", prompt)]
        return Reply(await self._model.complete(messages), "stop")


class States(Plain):
    """The same tool, decorated; nothing else."""

    def __init__(
        self,
        base: KnowledgeBase,
        model: LanguageModel,
        detector: Detector,
        case: Mapping[str, str],
    ) -> None:
        super().__init__(base, model, detector, case)
        self.tools = {"search": grounded_tool(source="documents")(self.tools["search"])}

    async def ask(self, question: str, tools: Tools) -> Any:
        return await self._answer(question, str(await tools["search"](question)))


class Toolkit(Plain):
    """The whole pipeline."""

    async def ask(self, question: str, tools: Tools) -> Any:
        async def search(query: str, *, limit: int) -> Any:
            return (await tools["search"](query))[:limit]

        grounded = GroundedSearch(
            SimpleNamespace(search=search), evaluator=LocalConfidence(), limit=HITS
        )
        pipeline = GroundedPipeline(grounded, self._model, self._detector, system=ROLE)
        return await pipeline.aask(question)


WAYS: dict[str, type[Plain]] = {"plain": Plain, "states": States, "toolkit": Toolkit}


def read_lines(path: Path) -> list[dict[str, Any]]:
    packed = path.suffix == ".gz"
    text = gzip.decompress(path.read_bytes()).decode() if packed else path.read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


async def measure(
    base: KnowledgeBase, model: LanguageModel, cases: Sequence[Mapping[str, str]]
) -> tuple[dict[str, dict[str, Counter[str]]], list[dict[str, str]]]:
    """How often each item passed, failed or could not be examined, by way; and every failure."""
    counts = {item: {way: Counter[str]() for way in WAYS} for item, _ in CHECKLIST}
    failures = []
    detector = Detector()
    for case in cases:
        for way, made in WAYS.items():
            for finding in await aexamine(made(base, model, detector, case), detector):
                counts[finding.item][way][finding.state] += 1
                if finding.state == "failed":
                    told = {"item": finding.item, "detail": finding.detail}
                    failures.append({"way": way, "question": case["question"], **told})
    return counts, failures


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--documents", type=Path, required=True)
    parser.add_argument("--base", type=Path, help="where the knowledge base is, or is to be made")
    parser.add_argument("--cases", type=int, default=100, help="at most so many")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    model = Once(
        OpenAICompatibleModel(
            arguments.model, base_url=arguments.base_url, limit_field="max_tokens",
            api_key=os.environ.get("OPENAI_API_KEY", "none"),
        )
    )  # fmt: skip
    cases = read_lines(CASES)[: arguments.cases]
    documents = read_lines(arguments.documents)
    with (
        tempfile.TemporaryDirectory() as folder,
        KnowledgeBase(arguments.base or Path(folder) / "base.sqlite") as base,
    ):
        base.ingest(
            Document.from_text(row["id"], row["content"], title=row["title"]) for row in documents
        )
        counts, failures = asyncio.run(measure(base, model, cases))
    print(
        f"{arguments.model}, {len(cases)} cases, {model.requests} requests, {model.seconds:.0f} s"
    )
    print(f"{'passed':66}" + "".join(f"{way:>9}" for way in WAYS))
    for item, ways in counts.items():
        cells = [(found["passed"], found.total() - found["skipped"]) for found in ways.values()]
        print(f"{item:66}" + "".join(f"{f'{n} of {of}' if of else '-':>9}" for n, of in cells))
    if arguments.json:
        report = {
            "model": arguments.model, "python": platform.python_version(), "cores": os.cpu_count(),
            "cases": len(cases), "requests": model.requests, "seconds": round(model.seconds, 1),
            "counts": counts, "failures": failures,
        }  # fmt: skip
        text = json.dumps(report, indent=2, ensure_ascii=False)
        arguments.json.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
