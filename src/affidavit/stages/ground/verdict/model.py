"""The verdict: an additive model with monotone weights, calibrated at the rate of real runs."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from affidavit.stages.ground.signal import Signal
from affidavit.stages.ground.verdict.features import FEATURES, features_of
from affidavit.stages.ground.verdict.odds import chance, odds

WEIGHTS = Path(__file__).parent / "weights.json"
VOUCHED = 9
"""Other claims that are borne out, beside which the whole of the prior holds."""
_AS_IF = 2
"""How many such claims any answer counts as having: no claim stands on its own alone."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Probabilities that the evidence bears a claim out, leaves it open, or says otherwise; they sum to one.

    ``contributions`` are log-odds by feature, against a claim that nothing is known of: what spoke for it is above 0.
    """

    supported: float
    open: float
    contradicted: float
    contributions: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Weighed:
    """What the signals alone say of a claim that was as likely as not.

    ``log_odds`` are those that the evidence bears it out, ``against`` how strongly anything says otherwise,
    ``contributions`` what each feature brought.
    """

    log_odds: float
    against: float
    contributions: Mapping[str, float]

    def at(self, prior: float, vouched: int = VOUCHED) -> Verdict:
        """The verdict where a share ``prior`` of claims holds, which moves the log-odds by as much as it differs from an
        even one (prior shift, Saerens et al. 2002).

        ``vouched`` is how many other claims of its answer are borne out, each more likely so than not. A fault is
        about as frequent in a short answer as in a long one, so a claim that stands alone is the likelier to be it: the
        odds of ``prior`` are those beside ``VOUCHED`` others, and beside n they are (n + 2) / (VOUCHED + 2) of that: the
        mean of a rate of faults after n claims without one, by a Beta prior that counts as two such claims (as in
        Laplace's rule of succession).
        """
        credit = math.log((min(vouched, VOUCHED) + _AS_IF) / (VOUCHED + _AS_IF))
        supported = chance(self.log_odds + odds(prior) + credit)
        contradicted = (1 - supported) * self.against
        return Verdict(supported, 1 - supported - contradicted, contradicted, self.contributions)


@dataclass(frozen=True, slots=True)
class Head:
    """Weights of the features for claims that the entailment model has read, or that it has not.

    ``base`` is the share of claims that held where the weights were fitted; ``cap`` the most log-odds that one witness
    may bring, either way.
    """

    intercept: float
    weights: Mapping[str, float]
    base: float
    cap: float

    def log_odds(self, values: Sequence[float]) -> tuple[float, dict[str, float]]:
        """The log-odds at the fitted rate, and what each feature brought to it."""
        parts = {
            name: self.weights.get(name, 0.0) * value
            for name, value in zip(FEATURES, values, strict=True)
        }
        by_witness: dict[str, float] = {}
        for name, part in parts.items():
            witness = FEATURES[name][0]
            by_witness[witness] = by_witness.get(witness, 0.0) + part
        shares = {
            witness: min(1.0, self.cap / abs(total)) if total else 1.0
            for witness, total in by_witness.items()
        }
        capped = {name: part * shares[FEATURES[name][0]] for name, part in parts.items() if part}
        return self.intercept + sum(capped.values()), capped


@dataclass(frozen=True, slots=True)
class VerdictModel:
    """The fitted verdict. Holds no state; safe to share by threads."""

    heads: Mapping[str, Head]

    def weigh(self, signals: Sequence[Signal]) -> Weighed:
        """What the signals of one claim say, before anything is known of the run or of its other claims."""
        read = any(s.witness == "entailment" for s in signals)
        head = self.heads["read" if read else "unread"]
        at, parts = head.log_odds(features_of(signals))
        against = max(
            (s.strength for s in signals if s.relation in ("opposed", "other_row", "other_field")),
            default=0.0,
        )
        return Weighed(at - odds(head.base), against, parts)

    def judge(self, signals: Sequence[Signal], *, prior: float, vouched: int = VOUCHED) -> Verdict:
        """The verdict on one claim, see :meth:`Weighed.at`."""
        return self.weigh(signals).at(prior, vouched)


def read_model(raw: Mapping[str, Any]) -> VerdictModel:
    """A model from the content of its file."""
    heads = {
        name: Head(
            float(head["intercept"]),
            {str(k): float(v) for k, v in head["weights"].items()},
            float(head["base"]),
            float(raw["cap"]),
        )
        for name, head in raw["heads"].items()
    }
    return VerdictModel(heads)


@lru_cache(maxsize=1)
def load_verdict() -> VerdictModel:
    """The model that ships with the package, read once."""
    return read_model(json.loads(WEIGHTS.read_text(encoding="utf-8")))
