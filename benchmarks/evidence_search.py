"""How often the passage that bears a claim out is shown to the entailment model, by words and by meaning.

    python benchmarks/evidence_search.py DATA [--claims 150] [--json FILE]

DATA is the folder of the development data. Three sorts of claims, harder in turn, each with the passages
that are known to bear it out among all those of the evidence:

- ``rules``: sentences of the banking documents (``knowledge/banking_documents``) in an agent's voice, to
  be found among the 4,300 passages of all 698 documents;
- ``answers``: sentences without a marked error from RAGTruth's responses (``grounded/ragtruth_*``), to be
  found among the passages of 40 sources at a time; those are borne out by a passage of their own source
  to which the entailment model gives 0.5 or more;
- ``questions``: the questions of ``banking_questions.jsonl``, which hardly use the documents' words; a
  passage of the document that answers counts.

The first way is what the model is shown by default, the last what it is shown with
``Policy(encoder="embedded")``: two more, where no passage says nearly all of the claim's words. Times are
for one claim, the encoding of passages at first sight included.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from rich.console import Console
from rich.table import Table

from affidavit.ledger.ledger import Ledger, Passage
from affidavit.ledger.meaning import Meaning
from affidavit.ledger.passages import sentences
from affidavit.ledger.search import Search, search_of
from affidavit.models.embedding import load_encoder
from affidavit.models.entailment.onnx import EmbeddedModel
from affidavit.stages.ground.premises import ALIKE, PASSAGES
from affidavit.trace import Message, RunTrace, TextPart, ToolCallPart, ToolResultPart
from affidavit.training.pairs.handbook import in_voice
from affidavit.training.pairs.voice import spoken

QUESTIONS = Path(__file__).parent / "banking_questions.jsonl"
POOLED = 40
ENTAILED = 0.5

Finder: TypeAlias = Callable[[str, Search], list[Passage]]


@dataclass(frozen=True)
class Sought:
    """A claim, the evidence, and the ids of the passages that bear the claim out."""

    claim: str
    search: Search
    gold: frozenset[int]


def main() -> None:
    parser = argparse.ArgumentParser(description="Evidence found by words and by meaning.")
    parser.add_argument("data", type=Path)
    parser.add_argument("--claims", type=int, default=150, help="claims of each sort at most")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    random = Random(5)
    documents = rows(options.data / "knowledge" / "banking_documents.jsonl.gz")
    bank = search_of(ledger_of([document["content"] for document in documents]))
    bank.by_words("the index is made at first use", 1)
    sorts = {
        "rules": list(rules(bank, random))[: options.claims],
        "answers, QA": answers(options.data, "qa", options.claims, random),
        "answers, summaries": answers(options.data, "summary", options.claims, random),
        "questions": list(questions(bank, documents))[: options.claims],
    }
    figures = {name: measure(sought) for name, sought in sorts.items()}
    shown = Table("claims", "number", "passages shown", "found", "ms a claim")
    for name, ways in figures.items():
        for way, row in ways.items():
            shown.add_row(name, str(row["claims"]), way, f"{row['found']:.1%}", f"{row['ms']:,.1f}")
    Console().print(shown)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def measure(sought: Sequence[Sought]) -> dict[str, dict[str, float]]:
    """By what is shown: the share of claims of which a passage that bears them out is among it."""
    found: dict[str, dict[str, float]] = {}
    for name, finder in finders().items():
        begun = time.perf_counter()
        shown = [finder(item.claim, item.search) for item in sought]
        spent = (time.perf_counter() - begun) * 1000
        hits = sum(
            any(p.id in item.gold for p in passages)
            for item, passages in zip(sought, shown, strict=True)
        )
        number = max(1, len(sought))
        found[name] = {"claims": len(sought), "found": hits / number, "ms": spent / number}
    return found


def finders() -> dict[str, Finder]:
    meaning = Meaning(load_encoder())
    meaning.encoder.encode_queries(["warm up"])

    def by_words(claim: str, search: Search) -> list[Passage]:
        return [p for p, _ in search.by_words(claim, PASSAGES)]

    def as_many_words(claim: str, search: Search) -> list[Passage]:
        return [p for p, _ in search.by_words(claim, PASSAGES + ALIKE)]

    def by_both(claim: str, search: Search) -> list[Passage]:
        first = by_words(claim, search)
        return first + meaning.besides(first, claim, search, ALIKE)

    return {
        f"{PASSAGES} by words": by_words,
        f"{PASSAGES + ALIKE} by words": as_many_words,
        f"{PASSAGES} and {ALIKE} by meaning": by_both,
    }


def rules(bank: Search, random: Random) -> Iterator[Sought]:
    passages = [p for p in bank.passages if p.record is None]
    for passage in random.sample(passages, len(passages)):
        spans = (passage.text[a:b] for a, b in sentences(passage.text))
        told = [s.lstrip("-*#•0123456789. ") for s in spans]
        told = [s for s in told if 6 <= len(s.split()) <= 32 and s.endswith(".") and "|" not in s]
        if told:
            claim = spoken(in_voice(random.choice(told), random), random, 0.4)
            yield Sought(claim, bank, frozenset({passage.id}))


def questions(bank: Search, documents: Sequence[Any]) -> Iterator[Sought]:
    for line in QUESTIONS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["answerable"]:
            # The n-th document is the n-th result.
            gold = (p.id for p in bank.passages if documents[p.source.id]["id"] in row["documents"])
            yield Sought(row["question"], bank, frozenset(gold))


def answers(data: Path, part: str, limit: int, random: Random) -> list[Sought]:
    """Sentences without a marked error, over the passages of their own source and 39 others."""
    sources = rows(data / "grounded" / f"ragtruth_{part}.jsonl.gz")
    model = EmbeddedModel()
    found: list[Sought] = []
    for at in range(0, len(sources), POOLED):
        pool = sources[at : at + POOLED]
        search = search_of(ledger_of([text_of(row) for row in pool]))
        for n, row in enumerate(pool):
            own = [p for p in search.passages if p.source.id == n]
            claim = random.choice(list(unmarked(row)) or [""])
            scores = model.score([(p.text, claim) for p in own]) if claim else []
            gold = frozenset(
                p.id for p, s in zip(own, scores, strict=False) if s.entailment >= ENTAILED
            )
            if gold:
                found.append(Sought(claim, search, gold))
            if len(found) >= limit:
                return found
    return found


def unmarked(row: Any) -> Iterator[str]:
    for response in row["responses"]:
        text = response["response"]
        for start, end in sentences(text):
            marked = any(span["start"] < end and start < span["end"] for span in response["labels"])
            if not marked and len(text[start:end].split()) >= 6:
                yield text[start:end]


def text_of(row: Any) -> str:
    source = row["source"]
    return str(source["passages"] if isinstance(source, dict) else source)


def ledger_of(texts: Sequence[str]) -> Ledger:
    """One result a text, numbered from 0."""
    messages: list[Message] = []
    for n, text in enumerate(texts):
        call = ToolCallPart(id=str(n), name="search", arguments={})
        result = ToolResultPart(id=str(n), content=(TextPart(text=text),))
        messages += [
            Message(role="assistant", parts=(call,)),
            Message(role="tool", parts=(result,)),
        ]
    return Ledger.of(RunTrace(run_id="r", messages=tuple(messages), answer=""))


def rows(file: Path) -> list[Any]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


if __name__ == "__main__":
    main()
