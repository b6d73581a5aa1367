"""At which rate claims hold in labelled runs: what the labels say, and where they are silent, the scores.

Expectation and maximization over the prior (Saerens, Latinne and Decaestecker, 2002): a claim with a label
counts as what it is, one without as its probability at the present guess. In a bad answer whose wrong
claim nobody named, at least one claim is wrong, which takes from each what all of them being right would need.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affidavit.audit.shift import LEAST
from affidavit.audit.statistics import Rate, rate
from affidavit.audit.tune.answers import Answer
from affidavit.stages.ground.verdict.odds import odds

FEWEST_CLAIMS = 50
"""Scored claims below which the prior stays as it was."""
_WEIGHT = 20.0
"""How many claims the prior before counts for."""
_LOWEST, _HIGHEST = 0.05, 0.999
_ROUNDS = 200

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Prior:
    """A learnt rate, with its 95 % interval; claims of one answer stand and fall together, which is counted in."""

    value: float
    share: Rate
    claims: int


def learn_prior(answers: Sequence[Answer], before: float) -> Prior | None:
    """The rate of claims that hold; None where there are too few claims, or only good answers, to tell."""
    scores = [(n, c.score or 0.0, a.prior) for n, a in enumerate(answers) for c in a.claims]
    if len(scores) < FEWEST_CLAIMS or all(answer.good for answer in answers):
        return None
    group = np.array([n for n, _, _ in scores], np.int64)
    # What the evidence alone says: the log-odds without the rate at which they were given.
    alone = np.array([odds(score, LEAST) - odds(prior) for _, score, prior in scores])
    told = np.array([-1.0 if r is None else float(r) for a in answers for r in a.right])
    unnamed = np.array([a.good is False and False not in a.right for a in answers], np.bool_)[group]
    rate_now = before
    for _ in range(_ROUNDS):
        holds = _holds(alone + odds(rate_now), told, unnamed, group, len(answers))
        after = (holds.sum() + _WEIGHT * before) / (len(holds) + _WEIGHT)
        after = float(min(max(after, _LOWEST), _HIGHEST))
        if abs(after - rate_now) < 1e-6:
            break
        rate_now = after
    value = round(rate_now, 3)
    return Prior(value, _share(holds, group, len(answers)), len(scores))


def _holds(at: Floats, told: Floats, unnamed: NDArray[np.bool_], group: NDArray[np.int64], n: int) -> Floats:  # fmt: skip
    """How probable it is that each claim holds: [claims]."""
    p = np.clip(1 / (1 + np.exp(-np.clip(at, -30, 30))), 1e-9, 1 - 1e-9)
    p = np.where(told >= 0, told, p)
    every = np.zeros(n)  # the log of the probability that all claims of an answer hold
    np.add.at(every, group, np.log(np.clip(p, 1e-12, 1.0)))
    all_hold = np.minimum(np.exp(every), 1 - 1e-9)[group]
    some_wrong = np.clip((p - all_hold) / (1 - all_hold), 0.0, 1.0)
    found: Floats = np.where(unnamed & (told < 0), some_wrong, p)
    return found


def _share(holds: Floats, group: NDArray[np.int64], n: int) -> Rate:
    claims, mean = len(holds), float(holds.mean())
    by_answer = np.zeros(n)
    np.add.at(by_answer, group, holds - mean)
    spread = mean * (1 - mean) * claims
    # Design effect: how much more the sums of whole answers vary than claims by themselves would.
    effect = max(1.0, float((by_answer**2).sum()) / spread) if spread > 0 else 1.0
    told = max(1, int(claims / effect))
    return rate(round(mean * told), told)
