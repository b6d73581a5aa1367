"""Questions put to the right document, half of them without an answer in it, assessed with no language model.

    python benchmarks/right_document.py --documents banking_documents.jsonl.gz [--questions FILE] [--json FILE]

A question without an answer should come to LOW or NOT_RELEVANT, and its twin of the same document to HIGH
or MEDIUM. Questions are ``{"document", "subject", "question", "answered"}``, documents ``{"id", "title",
"content"}``, one a line. The questions of ``banking_right_document_fit.jsonl`` are those that the model behind it
was fitted on, to documents on other products (``python -m affidavit.training.answering``).
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from affidavit.grounding import LocalConfidence

QUESTIONS = Path(__file__).with_name("banking_right_document.jsonl")


async def measure(
    documents: dict[str, str], questions: list[dict[str, Any]], understood: list[str]
) -> dict[str, Counter[str]]:
    """How many questions come out right and wrong, by subject and by whether there is an answer."""
    evaluator = LocalConfidence(understood=understood)
    counts: dict[str, Counter[str]] = {}
    for row in questions:
        found = await evaluator.evaluate(row["question"], documents[row["document"]])
        outcome = "right" if found.can_answer is row["answered"] else "wrong"
        answered = "answered" if row["answered"] else "not answered"
        for name in (row["subject"], "all"):
            counts.setdefault(f"{name}, {answered}", Counter())[outcome] += 1
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--documents", type=Path, required=True)
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    parser.add_argument("--understood", nargs="*", default=["Rho-Bank"], help="names of one's own")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    packed = gzip.decompress(arguments.documents.read_bytes()).decode()
    rows = [json.loads(line) for line in packed.splitlines()]
    documents = {row["id"]: f"{row['title']}\n{row['content']}" for row in rows}
    lines = arguments.questions.read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    counts = asyncio.run(measure(documents, questions, arguments.understood))
    for name, found in sorted(counts.items()):
        print(f"{name:24} right {found['right']:>3} of {found.total()}")
    if arguments.json:
        arguments.json.write_text(json.dumps(counts, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
