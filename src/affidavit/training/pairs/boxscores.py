"""Made-up box scores, told the way game reports tell them, with twins one column or one row over."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from affidavit.training.pairs.pair import Pair
from affidavit.training.pairs.sgd import rendered
from affidavit.training.pairs.voice import spoken

PREMISE_CHARS = 380

_STATS = (
    "points,rebounds,assists,steals,blocks,turnovers,minutes,fouls,field_goals_made,"
    "field_goals_attempted,three_pointers_made,free_throws_made,free_throws_attempted"
).split(",")
_SHORT = "PTS REB AST STL BLK TO MIN PF FGM FGA FG3M FTM FTA".split()


def box_score_pairs(rng: random.Random, games: int, people: Sequence[str]) -> Iterator[Pair]:
    """Statistics of one to three of the ``people`` a game."""
    for _ in range(games):
        columns = rng.sample(range(len(_STATS)), k=rng.randint(3, 7))
        keys = _SHORT if rng.random() < 0.5 else _STATS
        players = rng.sample(list(people), k=rng.randint(1, 3))
        lines = [{c: rng.randint(0, 40 if c in (0, 6) else 14) for c in columns} for _ in players]
        rows = [{"player": p, **{keys[c]: n for c, n in line.items()}}
                for p, line in zip(players, lines, strict=True)]  # fmt: skip
        premise = rendered(
            rows, rng.choice(["box_score", "get_box_score", "players", "game_stats"])
        )
        if len(premise) > PREMISE_CHARS:
            continue
        yield from _statistics(premise, players, lines, columns, rng)


def _statistics(
    premise: str,
    players: Sequence[str],
    lines: Sequence[Mapping[int, int]],
    columns: Sequence[int],
    rng: random.Random,
) -> Iterator[Pair]:
    who = rng.randrange(len(players))
    a, b = rng.sample(list(columns), k=2)
    line = lines[who]

    def told(x: int, y: int | None) -> str:
        first, second = (f"{n} {_STATS[c].replace('_', ' ')}" for n, c in ((x, a), (y, b)))
        verb = rng.choice(["had", "finished with", "recorded", "posted", "put up", "ended with"])
        return f"{players[who]} {verb} {first}" + (f" and {second}" if y is not None else "")

    true = (line[a], line[b] if rng.random() < 0.6 else None)
    wrong = rng.choice([line[b], lines[who - 1][a], line[a] + rng.choice([-2, -1, 1, 2, 10])])
    yield Pair(premise, spoken(told(*true), rng, 0.1), "entailment", "boxscores")
    if wrong != line[a] and wrong >= 0:
        yield Pair(
            premise, spoken(told(wrong, true[1]), rng, 0.1), "contradiction", "boxscores", "field"
        )
    if line[a] != line[b] and rng.random() < 0.6:
        yield Pair(
            premise, spoken(told(line[b], line[a]), rng, 0.1), "contradiction", "boxscores", "field"
        )
