"""Claims of labelled runs, each with evidence for it and evidence against it, as a run shows them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from affidavit.stages.ground.linking import evidence_of, linked_answer, premise_of
from affidavit.stages.ground.split.kinds import EXEMPT
from affidavit.training.exchange import exchange
from affidavit.training.pairs.pair import Label, Pair
from affidavit.training.runs import Labelled, Row, among, mixed_up, over, results_of

_NEAR = 8
"""Runs of which one is near another: those written after one another are of like subjects."""
_ROOM = (60, 100)
"""Word pieces of evidence that a premise has room for. What ships reads 100; a short one is read more closely and twice as fast. A
model ranks best at the lengths it has met: trained on these, claims of dev .719 at 100 and .688 at 220."""
_LONG = 1_000
"""Characters of results from which a run is left as it is; a shorter one may stand among the results of another."""


def natural_pairs(
    rows: Sequence[Row], rng: random.Random, *, each: int = 6, others: int = 1, amid: float = 0.6
) -> Iterator[Pair]:
    """The claims of ``each`` mixtures of every run that an edit or an exchange bears on, and ``others`` more; a share
    ``amid`` of the runs of short results among those of another run.

    In a mixture each statement that has a false form is told in either, over evidence for either: it holds where the two
    agree. So of the same words, half are true, and which half only the evidence says.
    """
    for _ in range(each):
        for n in rng.sample(range(len(rows)), len(rows)):
            row = rows[n]
            near = [other for other in rows[max(0, n - _NEAR) : n + _NEAR] if other is not row]
            short = sum(map(len, results_of(row["messages"]).values())) < _LONG
            stands = among(row, rng.choice(near)) if short and near and rng.random() < amid else row
            one, messages = exchange(mixed_up(stands, rng), rng)
            if messages is not None:
                one = over(stands, one, messages)
            plain = [i for i, label in enumerate(one.labels) if label and i not in one.changed]
            kept = one.changed | set(rng.sample(plain, min(others, len(plain))))
            yield from claim_pairs(one, str(row["domain"]), kept, rng)


def claim_pairs(
    one: Labelled, subject: str, kept: frozenset[int], rng: random.Random
) -> Iterator[Pair]:
    """Those of the claims of an answer that are ``kept``, where something is known of them."""
    evidence = evidence_of(one.ledger())
    links = linked_answer([claim.statement for claim in one.claims], evidence)
    for n in sorted(kept):
        claim, label = one.claims[n], one.labels[n]
        if label is None or claim.kind in EXEMPT:
            continue
        premise = premise_of(links[n], evidence, before=claim.before, pieces=rng.choice(_ROOM))
        said: Label = "entailment" if label else "not_entailment"
        yield Pair(premise.text, premise.hypothesis, said, "natural", subject, claim.text)
