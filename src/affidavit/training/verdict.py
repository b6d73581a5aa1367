"""The weights of the verdict, from labelled runs to ``weights.json``.

    python -m affidavit.training.verdict --runs FILE… [--cases FILE…] [--statements FILE…] [--model DIR] [--out FILE]

Runs are rows of :mod:`affidavit.training.runs`, cases those of ``specs/cases``, statements those of
``benchmarks/plain_answers.jsonl``. None of them may be among those that the entailment model was trained on: its scores
must be those of a model that has not seen the claim. Every figure it prints is of claims whose subject the weights
were not fitted on.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from affidavit.audit.cases import Case as ConformanceCase
from affidavit.audit.cases import load_cases
from affidavit.formats import read_run
from affidavit.ledger.ledger import Ledger
from affidavit.ledger.records import Scalar
from affidavit.models.entailment import EntailmentModel
from affidavit.models.entailment.onnx import EMBEDDED, EmbeddedModel
from affidavit.policy import Policy
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.ground import cases_of, hear
from affidavit.stages.ground.signal import Signal
from affidavit.stages.ground.split import split_claims
from affidavit.stages.ground.split.kinds import EXEMPT
from affidavit.stages.ground.verdict.features import FEATURES, features_of
from affidavit.stages.ground.verdict.model import WEIGHTS
from affidavit.trace import RunTrace
from affidavit.training.claim_only import claim_only_auroc
from affidavit.training.measures import auroc
from affidavit.training.runs import labelled, read_rows

CAP = 4.0
"""Most log-odds that one witness may bring, either way: no witness decides alone against all others."""
_FOLDS = 5
_RIDGE = 10.0
"""How firmly weights are held to ``EXPECTED``: as firmly as some forty claims would."""
EXPECTED = {
    **{name: 1.0 for name in FEATURES if name.startswith("entailed above")},
    "figure nowhere": -1.5,
    "code nowhere": -2.0,
    "name nowhere": -0.8,
    "only told by the user": -1.0,
    "figures found": 0.5,
    "worked out": 0.5,
    "fits its place": 0.5,
    "of another row": -2.0,
    "of another field": -1.5,
    "its field says otherwise": -1.5,
    "not done: the agent's own deed": -4.0,
    "not done by any call": -1.5,
    "its call failed": -3.0,
    "search came back empty": 1.0,
    "not spoken of": 0.5,
    "source not retrieved": -4.0,
    "another source says it": -2.5,
    "its source says it": 0.5,
}
"""What the specification leads one to expect of each feature, in log-odds: the mean of a normal prior on its weight. Where there
are many claims that it fires on, they decide; of what hardly ever occurs among them (a citation of nothing, a deed without its
call) the expectation stays."""
_RUNS = 0.6
"""How much runs count: they are what real answers look like. Short cases, which exact comparison decides, would otherwise teach more
trust in it than long answers over long results bear: claims of runs rank .726 so, and .716 where each origin counts alike."""
_LEAST = 1e-4
"""A weight below it is none."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Example:
    """One labelled claim: what the witnesses said of it, and where it is from."""

    origin: str
    subject: str
    answer: str
    claim: str
    label: bool
    signals: tuple[Signal, ...]


def examples_of(
    origin: str,
    subject: str,
    answer: str,
    trace: RunTrace,
    claims: Sequence[Claim],
    labels: Sequence[bool | None],
    model: EntailmentModel | None,
) -> Iterator[Example]:
    """The claims of one answer of which something is known, heard by every witness."""
    cases = cases_of(claims, Ledger.of(trace), Policy())
    wanted = [
        n for n, label in enumerate(labels) if label is not None and claims[n].kind not in EXEMPT
    ]
    heard = hear([cases[n] for n in wanted], model)
    for n, (signals, failure) in zip(wanted, heard, strict=True):
        if failure is not None:
            raise failure
        yield Example(origin, subject, answer, claims[n].text, bool(labels[n]), signals)


def run_examples(row: dict[str, Any], model: EntailmentModel | None) -> Iterator[Example]:
    """The claims of a labelled run."""
    for one in labelled(row):
        yield from examples_of(
            "runs",
            str(row["domain"]),
            f"{one.run}#{one.variant}",
            one.trace,
            one.claims,
            one.labels,
            model,
        )


def case_examples(case: ConformanceCase, model: EntailmentModel | None) -> Iterator[Example]:
    """The claims of a twin case: those that must be supported, and those that must not be."""
    trace = read_run({"run": case.run, "id": case.id}, run_id=case.id)
    claims = split_claims(trace.answer, question=trace.question)
    labels = [_expected(claim, case, trace.answer) for claim in claims]
    yield from examples_of("cases", case.pair, case.id, trace, claims, labels, model)


def _expected(claim: Claim, case: ConformanceCase, answer: str) -> bool | None:
    for words, label in ((case.expect.unsupported, False), (case.expect.supported, True)):
        for said in words:
            at = answer.find(said)
            if at >= 0 and claim.start < at + len(said) and at < claim.end:
                return label
    return None


def statement_examples(row: dict[str, Any], model: EntailmentModel | None) -> Iterator[Example]:
    """One-sentence answers over a plain run."""
    said = [(text, True) for text in row["true"]] + [(text, False) for text, _ in row["false"]]
    for n, (text, label) in enumerate(said):
        trace = plain_trace(row, text)
        claims = split_claims(text, question=trace.question)
        labels = [label] * len(claims) if label or len(claims) == 1 else [None] * len(claims)
        yield from examples_of(
            "statements", row["id"], f"{row['id']}#{n}", trace, claims, labels, model
        )


def is_fitted_on(row: dict[str, Any]) -> bool:
    """Whether a plain run is one to fit on: those of an odd number are kept for measuring."""
    return int(row["id"].rsplit("-", 1)[1]) % 2 == 0


def plain_trace(row: dict[str, Any], answer: str) -> RunTrace:
    """A plain run with one of its answers."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": row["question"]}]
    for n, call in enumerate(row["calls"]):
        use = {
            "type": "tool_use",
            "id": f"t{n}",
            "name": call["tool"],
            "input": call.get("arguments") or {},
        }
        result: Scalar = (
            call["result"] if isinstance(call["result"], str) else json.dumps(call["result"])
        )
        messages.append({"role": "assistant", "content": [use]})
        back = {"type": "tool_result", "tool_use_id": f"t{n}", "content": result}
        messages.append({"role": "user", "content": [back]})
    messages.append({"role": "assistant", "content": answer})
    return read_run({"system": f"Today is {row['today']}.", "messages": messages}, run_id=row["id"])


def fit(values: Floats, labels: NDArray[np.bool_], weights: Floats) -> tuple[float, Floats]:
    """Intercept and weights of a logistic regression whose weights keep the directions of their features."""
    from scipy.optimize import minimize

    expected = np.array([EXPECTED.get(name, 0.0) for name in FEATURES])
    directions = np.array([direction for _, direction, _ in FEATURES.values()], dtype=float)
    signs = np.where(labels, 1.0, -1.0)

    def loss(at: Floats) -> tuple[float, Floats]:
        margin = signs * (at[0] + values @ at[1:])
        slope = -signs * weights / (1 + np.exp(np.clip(margin, -30, 30)))
        gradient = np.concatenate([[slope.sum()], values.T @ slope + _RIDGE * (at[1:] - expected)])
        return float(
            (weights * np.logaddexp(0, -margin)).sum()
            + _RIDGE / 2 * ((at[1:] - expected) ** 2).sum()
        ), gradient

    bounds = [(None, None)] + [(0.0, CAP) if d > 0 else (-CAP, 0.0) for d in directions]
    start = np.concatenate([[0.0], expected])
    found = minimize(
        loss, start, jac=True, bounds=bounds, method="L-BFGS-B", options={"maxiter": 2000}
    )
    return float(found.x[0]), found.x[1:]


def cross_fitted(
    values: Floats, labels: NDArray[np.bool_], weights: Floats, folds: NDArray[np.int64]
) -> Floats:
    """The log-odds of each claim by weights that were fitted without its subject."""
    scores = np.zeros(len(labels))
    for fold in range(_FOLDS):
        own = folds == fold
        if own.any():
            intercept, found = fit(values[~own], labels[~own], weights[~own])
            scores[own] = intercept + values[own] @ found
    return scores


def balanced(examples: Sequence[Example]) -> Floats:
    """Weights under which runs count for ``_RUNS`` and other origins for the rest, each alike, and of each what holds and what does
    not as well."""
    weights = np.zeros(len(examples))
    groups: dict[tuple[str, bool], list[int]] = {}
    for n, one in enumerate(examples):
        groups.setdefault((one.origin, one.label), []).append(n)
    others = len({origin for origin, _ in groups} - {"runs"})
    for (origin, _), at in groups.items():
        share = _RUNS if origin == "runs" else (1 - _RUNS) / others
        weights[at] = len(examples) * share / 2 / len(at)
    weights *= len(examples) / weights.sum()
    return weights


def fitted(examples: Sequence[Example]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The content of ``weights.json`` without its card, and the cross-fitted figures."""
    # What the model does not read, in other languages, is for the other head alone.
    read = [e for e in examples if any(s.witness == "entailment" for s in e.signals)]
    heads: dict[str, Any] = {}
    figures: dict[str, Any] = {}
    heads["read"], figures["read"] = _head(read, [e.signals for e in read])
    unread = [tuple(s for s in e.signals if s.witness != "entailment") for e in examples]
    heads["unread"], figures["unread"] = _head(examples, unread)
    texts, labels = [e.claim for e in examples], [e.label for e in examples]
    figures["claim only"] = rounded(claim_only_auroc(texts, labels, [e.subject for e in examples]))
    figures["examples"] = len(examples)
    return {"cap": CAP, "heads": heads}, figures


def _head(
    examples: Sequence[Example], heard: Sequence[Sequence[Signal]]
) -> tuple[dict[str, Any], dict[str, Any]]:
    labels = np.array([e.label for e in examples])
    folds = np.array([hashlib.sha256(e.subject.encode()).digest()[1] % _FOLDS for e in examples])
    weights = balanced(examples)
    values = np.array([features_of(signals) for signals in heard])
    intercept, found = fit(values, labels, weights)
    head = {
        "intercept": round(intercept, 4),
        "base": round(float((weights * labels).sum() / weights.sum()), 4),
        "weights": {
            name: round(float(w), 4)
            for name, w in zip(FEATURES, found, strict=True)
            if abs(w) > _LEAST
        },
    }
    scores = cross_fitted(values, labels, weights, folds)
    figures: dict[str, Any] = {"claims": rounded(auroc(scores, labels))}
    for origin in sorted({e.origin for e in examples}):
        own = np.array([e.origin == origin for e in examples])
        figures[f"claims of {origin}"] = rounded(auroc(scores[own], labels[own]))
    figures["answers of runs"] = answers_auroc(examples, scores)
    return head, figures


def answers_auroc(examples: Sequence[Example], scores: Floats) -> float | None:
    """How well the least score of an answer tells true answers from those with one false statement."""
    least: dict[str, float] = {}
    for example, score in zip(examples, scores, strict=True):
        if example.origin == "runs":
            least[example.answer] = min(least.get(example.answer, np.inf), float(score))
    # A false answer shares its other claims with the true one: it scores as its false claim or as the true answer.
    both = {
        n: min(s, least.get(f"{n.split('#')[0]}#true", s))
        for n, s in least.items()
        if "#false" in n
    }
    true = {n: s for n, s in least.items() if n.endswith("#true")}
    if not both or not true:
        return None
    at = np.array([*true.values(), *both.values()])
    return rounded(auroc(at, np.array([True] * len(true) + [False] * len(both))))


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


Source = tuple[Callable[[Any, EntailmentModel | None], Iterator[Example]], Any]
"""What makes the claims of one row, and the row."""


def gather(sources: Sequence[Source], model: Path, jobs: int) -> list[Example]:
    """The claims of all rows, in order, by so many processes with a model each."""
    with ProcessPoolExecutor(jobs, initializer=_load, initargs=(model,)) as workers:
        found = workers.map(_made, sources, chunksize=4)
        return [example for examples in found for example in examples]


_MODEL: list[EmbeddedModel] = []
"""The model of a worker process."""


def _load(folder: Path) -> None:
    _MODEL.append(EmbeddedModel(folder, threads=1, cache=1))


def _made(source: Source) -> list[Example]:
    make, row = source
    return list(make(row, _MODEL[0]))


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the verdict's weights")
    parser.add_argument("--runs", nargs="*", type=Path, default=[])
    parser.add_argument("--cases", nargs="*", type=Path, default=[])
    parser.add_argument("--statements", nargs="*", type=Path, default=[])
    parser.add_argument(
        "--model", type=Path, default=EMBEDDED, help="the folder of the entailment model"
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    cases = [case for file in options.cases for case in load_cases(file) if not case.policy]
    sources: list[Source] = [
        *((run_examples, row) for row in read_rows(options.runs)),
        *((case_examples, case) for case in cases),
        *((statement_examples, row) for row in read_rows(options.statements) if is_fitted_on(row)),
    ]
    examples = gather(sources, options.model, options.jobs)
    content, figures = fitted(examples)
    card = {
        "model": EmbeddedModel(options.model).name,
        "fitted": datetime.now(UTC).date().isoformat(),
        "sources": sorted({f.name for f in (*options.runs, *options.cases, *options.statements)}),
        "cross_fitted_auroc": figures,
    }
    options.out.write_text(
        json.dumps({"card": card, **content}, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
