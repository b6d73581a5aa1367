"""Two things of one kind in one passage, each told truly and each told of the other.

Dates, sums, people or flags of one record, or one field of two records: the passage holds all the
words and values of all four claims, and only which belongs to which tells the true from the false.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from affidavit.training.pairs.domains import DOMAINS, Domain, Field
from affidavit.training.pairs.kinds import Money, Name, Note, Several, State
from affidavit.training.pairs.pair import Pair
from affidavit.training.pairs.records import (
    PREMISE_CHARS,
    Scene,
    Thing,
    made_scene,
    named_by,
    said_of,
    same,
)
from affidavit.training.pairs.voice import spoken

Held: TypeAlias = tuple[Field, str, Any]


def swap_pairs(rng: random.Random, scenes: int) -> Iterator[Pair]:
    """Four claims a scene: two true, two with the values changed over."""
    for _ in range(scenes):
        if rng.random() < 0.65:
            domain = rng.choice(DOMAINS)
            scene = made_scene(rng, domain, _alike(domain, rng), beside=0)
            made = _over_fields(scene, rng)
        else:
            made = _over_rows(made_scene(rng, beside=rng.choice([1, 1, 2])), rng)
        if len(premise := (made[0].premise if made else "")) and len(premise) <= PREMISE_CHARS:
            yield from made


def _alike(domain: Domain, rng: random.Random) -> list[Field]:
    """Two or three fields of one kind, and up to two others."""
    groups: dict[object, list[Field]] = defaultdict(list)
    for field in domain.fields:
        if not isinstance(field.kind, State | Note | Several):
            groups[_sort(field)].append(field)
    several = [fields for fields in groups.values() if len(fields) > 1]
    if not several:
        return rng.sample(list(domain.fields), k=min(4, len(domain.fields)))
    # By group rather than by field: flags are few in each domain, and hard.
    group = rng.choice(several)
    chosen = rng.sample(group, k=min(len(group), rng.choice([2, 2, 3])))
    rest = [f for f in domain.fields if f not in chosen]
    return [*chosen, *rng.sample(rest, k=min(len(rest), rng.choice([0, 1, 2])))]


def _sort(field: Field) -> object:
    """Fields whose values could stand in each other's place."""
    kind = field.kind
    return tuple(kind.options) if isinstance(kind, Name) else type(kind)


def _over_fields(scene: Scene, rng: random.Random) -> list[Pair]:
    held = [t for t in scene.thing.truths if not isinstance(t[0].kind, State | Note | Several)]
    rng.shuffle(held)
    for one in held:
        for other in held:
            if one is not other and _sort(one[0]) == _sort(other[0]) and not same(one[2], other[2]):
                subject = named_by(scene.thing, rng.random() < 0.4, rng)
                return _crossed(scene, [(one, other, subject), (other, one, subject)], "field", rng)
    return []


def _over_rows(scene: Scene, rng: random.Random) -> list[Pair]:
    if not scene.others:
        return []
    here, there = scene.thing, rng.choice(scene.others)
    for field, key, truth in rng.sample(list(here.truths), k=len(here.truths)):
        theirs = _of(there, field)
        usable = not isinstance(field.kind, Note | Several) and theirs is not None
        if (
            not usable
            or same(truth, theirs)
            or isinstance(field.kind, Money)
            and truth[1] != theirs[1]
        ):
            continue
        mine, other = (field, key, truth), (field, key, theirs)
        subjects = [named_by(thing, True, rng) for thing in (here, there)]
        return _crossed(scene, [(mine, other, subjects[0]), (other, mine, subjects[1])], "row", rng)
    return []


def _crossed(
    scene: Scene, told: Sequence[tuple[Held, Held, str]], fault: str, rng: random.Random
) -> list[Pair]:
    premise = scene.premise()
    made: list[Pair] = []
    for (field, _, truth), (_, _, wrong), subject in told:
        true = said_of(scene, field, truth, subject, rng)
        false = said_of(scene, field, wrong, subject, rng)
        if true != false:
            made.append(Pair(premise, spoken(true, rng, 0.15), "entailment", "swaps"))
            made.append(Pair(premise, spoken(false, rng, 0.15), "contradiction", "swaps", fault))
    return made


def _of(thing: Thing, field: Field) -> Any:
    return next((truth for f, _, truth in thing.truths if f is field), None)
