"""The mix: so many pairs of each source, the same ones for the same seed."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path

from affidavit.training.pairs.boxscores import box_score_pairs
from affidavit.training.pairs.cases import case_pairs
from affidavit.training.pairs.cells import infotabs_cells, sgd_cells, tabfact_cells
from affidavit.training.pairs.conjoined import conjoined_pairs
from affidavit.training.pairs.documents import document_pairs
from affidavit.training.pairs.flags import flag_pairs
from affidavit.training.pairs.handbook import handbook_pairs
from affidavit.training.pairs.kinds import FIRST, LAST
from affidavit.training.pairs.long import long_pairs
from affidavit.training.pairs.nli import CORPORA, nli_pairs, number_pairs
from affidavit.training.pairs.pair import Pair
from affidavit.training.pairs.records import record_pairs
from affidavit.training.pairs.responses import response_pairs
from affidavit.training.pairs.rules import rule_pairs
from affidavit.training.pairs.sgd import sgd_pairs
from affidavit.training.pairs.statuses import status_pairs
from affidavit.training.pairs.strangers import stranger_pairs
from affidavit.training.pairs.swaps import swap_pairs
from affidavit.training.pairs.tables import infotabs_pairs, tabfact_pairs
from affidavit.training.pairs.written import written_pairs

_STRANGERS = ("snli", "wiki", "handbook", "rules", "records", "flags", "statuses", "sgd", "written")
"""Sources whose claims are set against one another's passages."""

_CONJOINED = ("snli", "sgd", "records", "cells", "written")
"""Sources that say several things of one passage."""

_MOST_PASSES = 8
"""How often the tables are gone through for single cells, and written responses for other faults."""

_SCENE_PAIRS = 6
"""Pairs that a made-up scene gives, at least."""


def sources(data: Path, seed: int) -> Mapping[str, Callable[[int], Iterator[Pair]]]:
    """Each source as a function of how many pairs are wanted of it."""

    def rng(name: str) -> random.Random:
        return random.Random(f"{seed}:{name}")

    table: dict[str, Callable[[int], Iterator[Pair]]] = {
        corpus: (lambda _, corpus=corpus: nli_pairs(data, corpus))  # type: ignore[misc]
        for corpus in CORPORA
    }
    table["numbers"] = lambda _: number_pairs(data, rng("numbers"))
    table["documents"] = lambda _: document_pairs(data, rng("documents"))
    table["infotabs"] = lambda _: infotabs_pairs(data)
    table["tabfact"] = lambda _: tabfact_pairs(data, rng("tabfact"))
    table["sgd"] = lambda _: sgd_pairs(data, rng("sgd"))
    table["records"] = lambda n: record_pairs(rng("records"), n // _SCENE_PAIRS * 2 + 1)
    # Every pass over the tables draws other cells of them.
    table["cells"] = lambda n: islice(
        chain.from_iterable(
            cells(data, rng(f"cells {turn}"))
            for turn in range(_MOST_PASSES)
            for cells in (tabfact_cells, infotabs_cells, sgd_cells)
        ),
        n * 2,
    )
    people = [f"{first} {last}" for first in FIRST for last in LAST]
    table["boxscores"] = lambda n: box_score_pairs(rng("boxscores"), n // 2 + 1, people)
    table["flags"] = lambda n: flag_pairs(rng("flags"), n // 4 + 1)
    table["statuses"] = lambda n: status_pairs(rng("statuses"), n // 3 + 1)
    table["rules"] = lambda n: rule_pairs(rng("rules"), n // 3 + 1)
    table["cases"] = lambda n: case_pairs(rng("cases"), n // 4 + 1)
    table["swaps"] = lambda n: swap_pairs(rng("swaps"), n // 2 + 1)
    table["handbook"] = lambda _: handbook_pairs(data, rng("handbook"))
    table["responses"] = lambda n: islice(
        chain.from_iterable(
            response_pairs(data, rng(f"responses {turn}")) for turn in range(_MOST_PASSES)
        ),
        n,
    )
    table["written"] = lambda _: written_pairs(rng("written"))
    table["long"] = lambda n: long_pairs(_short(table, n, rng("short")), rng("long"))
    table["conjoined"] = lambda n: conjoined_pairs(
        [pair for name in _CONJOINED for pair in table[name](4 * n)], rng("conjoined")
    )
    table["strangers"] = lambda n: stranger_pairs(
        {name: list(islice(table[name](n), n)) for name in _STRANGERS}, n, rng("strangers")
    )
    return table


def _short(
    table: Mapping[str, Callable[[int], Iterator[Pair]]], count: int, rng: random.Random
) -> list[Pair]:
    """Pairs of several sources to be set into longer passages."""
    shares = {
        "wiki": 4,
        "handbook": 4,
        "rules": 4,
        "flags": 4,
        "statuses": 4,
        "records": 3,
        "written": 6,
        "snli": 1,
    }
    chosen: list[Pair] = []
    for name, share in shares.items():
        wanted = count * share // sum(shares.values()) + 1
        pairs = [p for p in table[name](4 * wanted) if len(p.premise) < 200]
        chosen += rng.sample(pairs, k=min(len(pairs), wanted))
    return chosen


def mixed(
    data: Path, mix: Mapping[str, int], seed: int, share: float = 1.0
) -> dict[str, list[Pair]]:
    """Pairs by source, shuffled, at most as many as the mix asks for."""
    made: dict[str, list[Pair]] = {}
    table = sources(data, seed)
    for name, most in mix.items():
        wanted = int(most * share)
        pairs = list(table[name](wanted))
        random.Random(f"{seed}:{name}:order").shuffle(pairs)
        made[name] = pairs[:wanted]
    return made


def held_back(pairs: Sequence[Pair], share: float) -> tuple[list[Pair], list[Pair]]:
    """Split off the pairs of some premises, so that no premise is on both sides."""
    kept: list[Pair] = []
    held: list[Pair] = []
    for pair in pairs:
        digest = hashlib.sha256(pair.premise.encode()).digest()
        chosen = int.from_bytes(digest[:4], "big") / 2**32 < share
        (held if chosen else kept).append(pair)
    return kept, held
