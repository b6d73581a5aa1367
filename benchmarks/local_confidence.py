"""What the assessment without a language model adds to the score: questions with an answer and without.

    python benchmarks/local_confidence.py --documents banking_documents.jsonl.gz [--base FILE] [--json FILE]

Every question is searched once; the state it comes to is read by the score alone, by the score and the
local assessment for prices, terms and dates (the default), and by both for every question. An answerable
question that comes to ``not_found`` is refused wrongly; one without an answer should come to it.
Documents are ``{"id", "title", "content"}``, one a line; questions ``{"question", "answerable"}`` with
``"kind"`` ``near_miss`` or ``nonsense`` where there is no answer.
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
from collections import Counter
from pathlib import Path
from typing import Any

from affidavit.grounding import GroundedSearch, LocalConfidence
from affidavit.grounding.knowledge.base import KnowledgeBase
from affidavit.grounding.knowledge.document import Document
from affidavit.grounding.query_kinds import Assess

QUESTIONS = Path(__file__).with_name("banking_questions.jsonl")
WAYS: tuple[Assess, ...] = ("never", "by_kind", "always")
STATES = ("success", "low_relevance", "not_found")


def read_lines(path: Path) -> list[dict[str, Any]]:
    packed = path.suffix == ".gz"
    text = gzip.decompress(path.read_bytes()).decode() if packed else path.read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


async def measure(
    base: KnowledgeBase, questions: list[dict[str, Any]], understood: list[str]
) -> dict[str, Counter[str]]:
    """How many questions of each kind come to each state, by way of assessing."""
    evaluator = LocalConfidence(understood=understood)
    searches = {
        way: GroundedSearch(base, evaluator=evaluator, assess=way, max_attempts=1) for way in WAYS
    }
    counts: dict[str, Counter[str]] = {}
    for row in questions:
        kind = row.get("kind", "answerable")
        for way, search in searches.items():
            searched = await search.search(row["question"])
            counts.setdefault(f"{kind}, {way}", Counter())[searched.result.state] += 1
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--documents", type=Path, required=True)
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    parser.add_argument("--base", type=Path, help="where the knowledge base is, or is to be made")
    parser.add_argument("--understood", nargs="*", default=["Rho-Bank"], help="names of one's own")
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
        questions = read_lines(arguments.questions)
        counts = asyncio.run(measure(base, questions, arguments.understood))
    print(f"{'questions, assessed':24}" + "".join(f"{state:>15}" for state in STATES))
    for name, found in counts.items():
        total = found.total()
        cells = "".join(f"{found[state]:>7} ({found[state] / total:4.0%})" for state in STATES)
        print(f"{name:24}{cells}")
    if arguments.json:
        report = {"python": platform.python_version(), "cores": os.cpu_count(), "counts": counts}
        arguments.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
