"""What a passage's similarities to a question say of its answering it: the weights of ``Relevance``.

    python -m affidavit.training.relevance --data DIR

Questions and passages are those of RAGTruth's question-answering part (from MS MARCO): all passages
are one knowledge base. For each question, the best of its own passages is a case of "answers", the
best of all others is what search would find if the base had no answer. A logistic regression tells
the two apart, with each question's cases chosen again by the weights so far until they settle.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from affidavit.grounding.knowledge.relevance import Relevance, coverage
from affidavit.grounding.knowledge.terms import terms_of
from affidavit.models.embedding import Encoder, load_encoder

ROUNDS = 10
RIDGE = 1e-3
"""A little weight against weights: separable cases would otherwise drive them to infinity."""

_PASSAGE = re.compile(r"(?:\A|\n\n)passage \d+:")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its similarities to every passage: rows (cosine, coverage); and which are its
    own."""

    similarities: NDArray[np.float64]
    own: NDArray[np.bool_]


def read_questions(data: Path) -> list[tuple[str, list[str]]]:
    """Each question once, with its passages."""
    found: dict[str, list[str]] = {}
    with gzip.open(data / "grounded/ragtruth_qa.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            source = json.loads(line)["source"]
            passages = [p.strip() for p in _PASSAGE.split(source["passages"]) if p.strip()]
            found.setdefault(source["question"], passages)
    return list(found.items())


def similarities(encoder: Encoder, questions: list[tuple[str, list[str]]]) -> Iterator[Asked]:
    passages = [passage for _, own in questions for passage in own]
    owners = np.array([n for n, (_, own) in enumerate(questions) for _ in own])
    vectors = encoder.encode_documents(passages)
    held = [frozenset(terms_of(passage)) for passage in passages]
    asked = encoder.encode_queries([question for question, _ in questions])
    for n, (question, _) in enumerate(questions):
        terms = set(terms_of(question))
        frequencies = {term: sum(term in each for each in held) for term in terms}
        covered = [coverage(terms, each, len(passages), frequencies) for each in held]
        yield Asked(np.column_stack([vectors @ asked[n], covered]), owners == n)


def fitted(questions: list[Asked]) -> tuple[Relevance, float]:
    """The weights, and how often a question's own best passage ranks above the best of the others."""
    weights = np.array([0.0, 1.0, 0.0])  # to begin with, the cosine alone
    for _ in range(ROUNDS):
        own, others = _cases(questions, weights)
        cases = np.vstack([own, others])
        answers = np.r_[np.ones(len(own)), np.zeros(len(others))]
        weights = _logistic(np.column_stack([np.ones(len(cases)), cases]), answers)
    own, others = _cases(questions, weights)
    right = float(((own @ weights[1:])[:, None] > (others @ weights[1:])[None, :]).mean())
    return Relevance(*(round(float(w), 2) for w in weights)), right


def _cases(
    questions: list[Asked], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    own, others = [], []
    for asked in questions:
        score = asked.similarities @ weights[1:]
        own.append(asked.similarities[np.where(asked.own, score, -np.inf).argmax()])
        others.append(asked.similarities[np.where(asked.own, -np.inf, score).argmax()])
    return np.array(own), np.array(others)


def _logistic(cases: NDArray[np.float64], answers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Newton's method; ``cases`` with a column of ones first."""
    weights = np.zeros(cases.shape[1])
    ridge = np.diag([0.0] + [RIDGE * len(cases)] * (cases.shape[1] - 1))
    for _ in range(50):
        odds = 1 / (1 + np.exp(-cases @ weights))
        slope = cases.T @ (odds - answers) + ridge @ weights
        bend = cases.T @ (cases * (odds * (1 - odds))[:, None]) + ridge
        weights = weights - np.linalg.solve(bend, slope)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the training data")
    parser.add_argument("--encoder", help="as load_encoder takes it; the embedded one if not given")
    options = parser.parse_args()
    encoder = load_encoder(options.encoder)
    questions = list(similarities(encoder, read_questions(options.data)))
    relevance, right = fitted(questions)
    print(f"{encoder.name}: {relevance} from {len(questions)} questions; AUROC {right:.3f}")


if __name__ == "__main__":
    main()
