"""What language models wrote about a document, sentence by sentence, over the part of it that they retell.

Sentences that human readers marked as made up are the faulty ones; the others are also told wrongly and set
against the rest of their own document, which speaks of the same matter and does not say it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from affidavit.ledger.passages import sentences
from affidavit.training.pairs.faults import perturb_value
from affidavit.training.pairs.handbook import turned
from affidavit.training.pairs.pair import Label, Pair, content_words, read_rows
from affidavit.training.pairs.tables import relevant

FILES: Final = ("ragtruth_qa", "ragtruth_summary")
PREMISE_CHARS = 500

_RETOLD = 0.6
"""Share of a sentence's words that its premise must hold: below it, what bears the sentence out is elsewhere."""
_UNTOLD = 0.5
"""Share of its words that the rest of the document may hold without saying it."""
_ELSEWHERE = 0.35
"""Share of the sentences that are set against the rest of their document as well: with all of them a model grew
slow to entail what is told in other words (63% of good sentences above a half, 78% before)."""
_PASSAGE = re.compile(r"(?:\A|\n\n)passage \d+:")
_ABOUT_THE_TEXT = re.compile(
    r"\b(?:passages?|provided|the (?:text|article|document)|based on|summary|in conclusion|here (?:is|are))\b", re.I
)  # fmt: skip
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+)*")


def is_trained_on(source_id: int) -> bool:
    """Whether a source's responses may be trained on; those of all others are kept for measuring."""
    return source_id % 2 == 0


def response_pairs(data: Path, rng: random.Random) -> Iterator[Pair]:
    """Sentences of RAGTruth's responses (Niu et al. 2024), of the sources that may be trained on."""
    for name in FILES:
        for row in read_rows(data / "grounded" / f"{name}.jsonl.gz"):
            if is_trained_on(row["source_id"]):
                told = passages_of(row["source"])
                for response in row["responses"]:
                    yield from _pairs_of(response, told, rng)


def passages_of(source: str | Mapping[str, str]) -> list[str]:
    """The sentences of a source, each once: passages that were found for one question repeat each other."""
    text = source if isinstance(source, str) else _PASSAGE.sub("\n", source["passages"])
    found = dict.fromkeys(text[a:b].strip() for a, b in sentences(text))
    return [s for s in found if len(s.split()) > 2]


def _pairs_of(
    response: Mapping[str, Any], told: Sequence[str], rng: random.Random
) -> Iterator[Pair]:
    text = response["response"]
    for start, end in sentences(text):
        said = text[start:end].lstrip("-*#•0123456789. ").strip()
        if (
            not 5 <= len(said.split()) <= 40
            or _ABOUT_THE_TEXT.search(said)
            or said.endswith((":", "?"))
        ):
            continue
        marks = [m for m in response["labels"] if m["start"] < end and m["end"] > start]
        if not marks:
            yield from _of_a_true_one(said, told, rng)
        elif any(not m["implicit_true"] for m in marks):
            conflicts = any("Conflict" in m["label_type"] for m in marks)
            label: Label = "contradiction" if conflicts else "neutral"
            yield Pair(_premise(told, said, rng), said, label, "responses", "marked")


def _of_a_true_one(said: str, told: Sequence[str], rng: random.Random) -> Iterator[Pair]:
    words = content_words(said)
    premise = _premise(told, said, rng)
    if not words or len(words & content_words(premise)) < _RETOLD * len(words):
        return
    yield Pair(premise, said, "entailment", "responses")
    wrong = _told_wrongly(said, told, rng)
    if wrong and wrong != said:
        yield Pair(premise, wrong, "contradiction", "responses", "altered")
    rest = [s for s in told if s not in premise and len(words & content_words(s)) < len(words) / 3]
    drawn = bool(rest) and rng.random() < _ELSEWHERE
    elsewhere = relevant(rest, said, limit=PREMISE_CHARS) if drawn else ""
    if elsewhere and len(words & content_words(elsewhere)) < _UNTOLD * len(words):
        yield Pair(elsewhere, said, "neutral", "responses", "elsewhere")


def _premise(told: Sequence[str], said: str, rng: random.Random) -> str:
    """What a sentence retells, as it comes from a search (sentences apart) or from reading on."""
    if rng.random() < 0.4:
        return relevant(told, said, limit=rng.choice((PREMISE_CHARS, PREMISE_CHARS * 2 // 3)))
    words = content_words(said)
    best = max(_runs(told), key=lambda run: len(words & content_words(run)), default="")
    return best or relevant(told, said, limit=PREMISE_CHARS)


def _runs(told: Sequence[str]) -> Iterator[str]:
    """Sentences that follow each other, as many as fit."""
    for first in range(len(told)):
        run = told[first]
        for sentence in told[first + 1 :]:
            if len(run) + len(sentence) >= PREMISE_CHARS:
                break
            run = f"{run} {sentence}"
        if len(run) <= PREMISE_CHARS:
            yield run


def _told_wrongly(said: str, told: Sequence[str], rng: random.Random) -> str | None:
    """A value, a name or a hinge of the sentence changed, whichever it has, drawn by chance."""
    ways = [_renamed(said, told, rng), turned(said, rng)]
    if any(c.isdigit() for c in said):
        ways.append(perturb_value(said, rng))
    found = [w for w in ways if w]
    return rng.choice(found) if found else None


def _renamed(said: str, told: Sequence[str], rng: random.Random) -> str | None:
    """One name in it replaced by another of the document that shares no word with it."""
    names = _NAME.findall(said)
    if not names:
        return None
    name = rng.choice(names)
    others = {n for s in told for n in _NAME.findall(s) if n not in said}
    others = {n for n in others if not set(n.split()) & set(name.split())}
    return said.replace(name, rng.choice(sorted(others)), 1) if others else None
