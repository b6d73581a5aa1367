"""The mix: so many pairs of each source, the same ones for the same seed, and none that claims alone give away."""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from affidavit.training.claim_only import LIMIT, claim_only_auroc
from affidavit.training.pairs.made import made_pairs
from affidavit.training.pairs.natural import natural_pairs
from affidavit.training.pairs.nli import CORPORA, nli_pairs
from affidavit.training.pairs.pair import Pair
from affidavit.training.pairs.statements import even, read_statements, statement_pairs
from affidavit.training.pairs.tables import infotabs_pairs, tabfact_pairs
from affidavit.training.runs import read_rows


class GivenAway(ValueError):
    """A mix whose claims alone say what holds."""


def sources(
    data: Path, written: Path, seed: int, jobs: int = 1
) -> Mapping[str, Callable[[int], Iterator[Pair]]]:
    """Each source as a function of how many pairs are wanted of it. ``data`` holds the public sets, ``written`` the
    labelled runs and statements of this project; ``jobs`` processes make the pairs of runs."""

    def rng(name: str) -> random.Random:
        return random.Random(f"{seed}:{name}")

    def statements(count: int) -> Iterator[Pair]:
        chosen = even(read_statements(written / "statements.jsonl.gz"), rng("written"))
        return statement_pairs(chosen[:count])

    table: dict[str, Callable[[int], Iterator[Pair]]] = {
        corpus: (lambda _, corpus=corpus: nli_pairs(data, corpus))  # type: ignore[misc]
        for corpus in CORPORA
    }
    table["infotabs"] = lambda _: infotabs_pairs(data)
    table["tabfact"] = lambda _: tabfact_pairs(data)
    table["written"] = statements
    table["made"] = lambda count: made_pairs(rng("made"), count)
    table["natural"] = lambda _: natural_pairs(
        list(read_rows([written / "runs.train.jsonl.gz"])), rng("natural"), jobs=jobs
    )
    return table


def mixed(
    data: Path,
    written: Path,
    mix: Mapping[str, int],
    seed: int,
    share: float = 1.0,
    *,
    jobs: int = 1,
) -> dict[str, list[Pair]]:
    """Pairs by source, at most as many as the mix asks for, in an order of chance in which the pairs of a claim stay
    together: of a claim's two sides, neither is left behind."""
    made: dict[str, list[Pair]] = {}
    table = sources(data, written, seed, jobs)
    for name, most in mix.items():
        wanted = int(most * share)
        chance = random.Random(f"{seed}:{name}:order").random
        drawn: dict[str, float] = defaultdict(chance)
        pairs = sorted(table[name](wanted), key=lambda pair: drawn[pair.claim or pair.hypothesis])
        made[name] = pairs[:wanted]
    return made


def given_away(made: Mapping[str, Sequence[Pair]]) -> dict[str, float]:
    """The claim-only AUROC of each source and of the whole mix; raises :class:`GivenAway` where that is above
    ``LIMIT``."""
    found = {name: _claim_only(pairs) for name, pairs in made.items() if len(pairs) > 1}
    whole = _claim_only([pair for pairs in made.values() for pair in pairs])
    if whole > LIMIT:
        raise GivenAway(
            f"claims alone rank this mix with AUROC {whole:.3f}, above {LIMIT}: "
            + ", ".join(f"{name} {value:.3f}" for name, value in sorted(found.items()))
        )
    return found | {"all": whole}


def _claim_only(pairs: Sequence[Pair]) -> float:
    holds = [pair.label == "entailment" for pair in pairs]
    found = claim_only_auroc(
        [pair.claim or pair.hypothesis for pair in pairs], holds, [pair.subject for pair in pairs]
    )
    return 0.5 if found is None else found


def held_back(pairs: Sequence[Pair], share: float) -> tuple[list[Pair], list[Pair]]:
    """Split off the pairs of some subjects, so that no subject is on both sides."""
    kept: list[Pair] = []
    held: list[Pair] = []
    for pair in pairs:
        digest = hashlib.sha256((pair.subject or pair.premise).encode()).digest()
        chosen = int.from_bytes(digest[:4], "big") / 2**32 < share
        (held if chosen else kept).append(pair)
    return kept, held
