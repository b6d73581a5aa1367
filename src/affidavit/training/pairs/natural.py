"""Claims of labelled runs, each with evidence for it and evidence against it, as a run shows them: whole, and clause by
clause."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.linking import (
    Evidence,
    Linked,
    clauses,
    evidence_of,
    linked_answer,
    premise_of,
)
from affidavit.stages.ground.split.kinds import EXEMPT
from affidavit.training.exchange import exchange
from affidavit.training.pairs.pair import Label, Pair
from affidavit.training.runs import Labelled, Row, among, over, results_of, twins

_NEAR = 8
"""Runs of which one is near another: those written after one another are of like subjects."""
_ROOM = (60, 100)
"""Word pieces of evidence that a premise has room for. What ships reads 100; a short one is read more closely and twice as fast. A
model ranks best at the lengths it has met: trained on these, claims of dev .719 at 100 and .688 at 220."""
_LONG = 1_000
"""Characters of results from which a run is left as it is; a shorter one may stand among the results of another."""
_CLAIMS = 8
"""Claims of a mixture that are taken, so that more runs come in for the same time."""
_WHOLE, _ASIDE = 0.5, 0.15
"""Shares of the sentences of several clauses that are told as a whole as well, and of the clauses that no edit bears on."""
_LEFT_OUT = 0.3
"""Share of what holds that is told over the same results without the lines that bear it out as well: invented, for all
that is left. Dev claims with an invented detail: .84 before, .80 after 49,000 pairs without such ones, .82 after 11,000
more with them."""
_DECIDING = 2
"""Lines that share most of a statement's words, and are taken away with those that say its values."""
_WORD = re.compile(r"\w+")


def natural_pairs(
    rows: Sequence[Row],
    rng: random.Random,
    *,
    each: int = 1,
    others: int = 1,
    claims: int = _CLAIMS,
    amid: float = 0.6,
    jobs: int = 1,
) -> Iterator[Pair]:
    """Claims of ``each`` pair of mixtures of every run that an edit or an exchange bears on, ``claims`` at most, and ``others``
    more; a share ``amid`` of the runs of short results among those of another run. The pairs are the same however many ``jobs``
    (processes) make them.

    In a mixture each statement that has a false form is told in either, over evidence for either: it holds where the two
    agree. The second mixture says the same over the evidence that the first did not choose. So of the same words, half are
    true, and which half only the evidence says.
    """
    told = [
        _told(rows, n, random.Random(rng.random()), amid)
        for _ in range(each)
        for n in rng.sample(range(len(rows)), len(rows))
    ]
    make = partial(_pairs_of, others=others, claims=claims)
    if jobs == 1:
        for one in told:
            yield from make(one)
        return
    with ProcessPoolExecutor(jobs) as workers:
        for pairs in workers.map(make, told, chunksize=8):
            yield from pairs


def _told(
    rows: Sequence[Row], n: int, rng: random.Random, amid: float
) -> tuple[Row, random.Random]:
    """A run as it is to be told, perhaps among the results of one near it, and what chance has in store for it."""
    row = rows[n]
    near = [other for other in rows[max(0, n - _NEAR) : n + _NEAR] if other is not row]
    short = sum(map(len, results_of(row["messages"]).values())) < _LONG
    stands = among(row, rng.choice(near)) if short and near and rng.random() < amid else row
    return stands, rng


def _pairs_of(told: tuple[Row, random.Random], *, others: int, claims: int) -> list[Pair]:
    row, rng = told
    one, other = twins(row, rng)
    one, messages = exchange(one, rng)
    if messages is not None:
        one = over(row, one, messages)
    plain = [i for i, label in enumerate(one.labels) if label and i not in one.changed]
    changed = sorted(one.changed)
    kept = frozenset(
        rng.sample(changed, min(claims, len(changed))) + rng.sample(plain, min(others, len(plain)))
    )
    seed = rng.random()  # the same choices for both
    # A patch that leaves no room for another may change what is told.
    same = one.trace.answer == other.trace.answer
    return [
        pair
        for mixture in ((one, other) if same else (one,))
        for pair in claim_pairs(mixture, str(row["domain"]), kept, random.Random(seed))
    ]


def claim_pairs(
    one: Labelled, subject: str, kept: frozenset[int], rng: random.Random
) -> Iterator[Pair]:
    """Those of the claims of an answer that are ``kept``, where something is known of them."""
    evidence = evidence_of(one.ledger())
    links = linked_answer([claim.statement for claim in one.claims], evidence)
    for n in sorted(kept):
        claim, label, room, whole = one.claims[n], one.labels[n], rng.choice(_ROOM), rng.random()
        aside, left_out = rng.random(), rng.random()
        if label is None or claim.kind in EXEMPT:
            continue
        parts = list(_labelled_clauses(one, n, links[n], evidence))
        told = [
            (linked, before, holds is not False, linked.statement)
            for linked, before, holds in parts
            if holds is not None or aside < _ASIDE
        ]
        if not parts or whole < _WHOLE:
            told.append((links[n], claim.before, label, claim.text))
        for linked, before, holds, said in told:
            yield _pair(linked, evidence, before, room, holds, subject, said)
            if holds and left_out < _LEFT_OUT:
                apart = _deciding(linked)
                yield _pair(linked, evidence, before, room, False, subject, said, apart)


def _pair(
    linked: Linked,
    evidence: Evidence,
    before: str,
    room: int,
    holds: bool,
    subject: str,
    said: str,
    apart: frozenset[int] = frozenset(),
) -> Pair:
    premise = premise_of(linked, evidence, before=before, pieces=room, apart=apart)
    label: Label = "entailment" if holds else "not_entailment"
    return Pair(premise.text, premise.hypothesis, label, "natural", subject, said)


def _deciding(linked: Linked) -> frozenset[int]:
    """The lines that bear a statement out, as far as that can be told: those that say its values, and the nearest by words."""
    lines = [hit.passage for link in linked.links for hit in link.hits]
    lines += [line for line, _ in linked.near[:_DECIDING]]
    return frozenset(id(line) for line in lines)


def _labelled_clauses(
    one: Labelled, n: int, linked: Linked, evidence: Evidence
) -> Iterator[tuple[Linked, str, bool | None]]:
    """The clauses of a claim, what stands before each, and whether it holds; None of one that no edit bears on. Nothing
    where it is not known which clause an edit bears on."""
    claim = one.claims[n]
    edits = _edits_within(one, claim)
    if not edits or all(holds for *_, holds in edits) != one.labels[n]:  # a row was exchanged
        return
    for clause in clauses(claim, linked, evidence):
        start, end = clause.start, clause.start + len(clause.linked.statement)
        own = [holds for first, last, holds in edits if first < end and start < last]
        yield clause.linked, clause.before, all(own) if own else None


def _edits_within(one: Labelled, claim: Claim) -> list[tuple[int, int, bool]]:
    """The edits that bear on a claim, with their places in its statement; none where one cannot be placed. The statement ends
    in the words of the answer, without its markup."""
    said = list(_WORD.finditer(claim.text))
    told = list(_WORD.finditer(claim.statement))[-len(said) :] if said else []
    if [m[0] for m in said] != [m[0] for m in told]:
        return []
    found: list[tuple[int, int, bool]] = []
    for start, end, holds in one.edits:
        if claim.start <= max(end - 1, start) and start < claim.end:
            own = [
                there
                for here, there in zip(said, told, strict=True)
                if claim.start + here.start() < end and start < claim.start + here.end()
            ]
            if not own:
                return []
            found.append((own[0].start(), own[-1].end(), holds))
    return found
