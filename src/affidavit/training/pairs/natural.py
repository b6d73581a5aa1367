"""Claims of labelled runs, each with evidence for it and evidence against it, as a run shows them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from affidavit.stages.ground.linking import evidence_of, linked_answer, premise_of
from affidavit.stages.ground.split.kinds import EXEMPT
from affidavit.training.pairs.pair import Label, Pair
from affidavit.training.runs import Labelled, Row, among, labelled

_NEAR = 8
"""Runs of which one is near another: those written after one another are of like subjects."""


def natural_pairs(
    rows: Sequence[Row], rng: random.Random, *, others: int = 4, amid: float = 0.6
) -> Iterator[Pair]:
    """The claims that an edit changes over both states of the evidence, and ``others`` more of each true answer; a
    share ``amid`` of the runs among the results of another one."""
    for n, row in enumerate(rows):
        near = [other for other in rows[max(0, n - _NEAR) : n + _NEAR] if other is not row]
        shown = among(row, rng.choice(near)) if near and rng.random() < amid else row
        made = list(labelled(shown))
        false = [
            claim.text
            for one in made
            for claim, label in zip(one.claims, one.labels, strict=True)
            if label is False
        ]
        for one in made:
            pairs = list(claim_pairs(one, str(row["domain"])))
            if one.variant == "true":
                # Each claim that an edit makes false is shown once where it holds, whatever else is taken.
                plain = [p for p in pairs if p.claim not in false]
                kept = rng.sample(plain, min(others, len(plain)))
                pairs = [p for p in pairs if p.claim in false] + kept
            yield from pairs


def claim_pairs(one: Labelled, subject: str) -> Iterator[Pair]:
    """The claims of an answer of which something is known."""
    evidence = evidence_of(one.ledger())
    links = linked_answer([claim.statement for claim in one.claims], evidence)
    for claim, linked, label in zip(one.claims, links, one.labels, strict=True):
        if label is None or claim.kind in EXEMPT:
            continue
        premise = premise_of(linked, evidence, before=claim.before)
        said: Label = "entailment" if label else "not_entailment"
        yield Pair(premise.text, premise.hypothesis, said, "natural", subject, claim.text)
