"""A judge's word on one claim, and how much it counts: so much as it is reliable, and no veto."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from affidavit.models.judge import Finding
from affidavit.report import EvidenceSpan

RELIABILITY = Path(__file__).parent / "reliability.json"


@dataclass(frozen=True, slots=True)
class Word:
    """What the judge says, with the place that its quote stands in. ``fault`` says why it does not count."""

    finding: Finding | None
    why: str = ""
    span: EvidenceSpan | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Reliability:
    """How often a judge errs with each finding, and the most log-odds that its word may bring, either way."""

    errors: Mapping[Finding, float]
    cap: float

    def log_odds(self, word: Word) -> float:
        """What a word adds to the log-odds of its claim: the logarithm of how much likelier it is said where it is
        right than where it is wrong, (1 - error) / error. A word that does not count adds nothing."""
        if word.finding is None or word.fault:
            return 0.0
        error = self.errors[word.finding]
        weight = min(math.log((1 - error) / error), self.cap)
        return weight if word.finding == "supported" else -weight


def read_reliability(raw: Mapping[str, Any]) -> Reliability:
    """A table from the content of its file."""
    errors = {finding: float(told["rate"]) for finding, told in raw["errors"].items()}
    if not all(0 < error <= 0.5 for error in errors.values()):
        raise ValueError(f"a rate of error is above 0 and at most 0.5, got {errors}")
    return Reliability(errors, float(raw["cap"]))


@lru_cache(maxsize=1)
def load_reliability() -> Reliability:
    """The table that ships with the package, read once: of a strong model."""
    return read_reliability(json.loads(RELIABILITY.read_text(encoding="utf-8")))


def reliability_of(error: float | None) -> Reliability:
    """Of a judge that errs so often where it quotes, and three times as often where it has nothing to show: a record is
    easily overlooked. None: the table that ships with the package."""
    if error is None:
        return load_reliability()
    silent = min(3 * error, 0.5)
    return Reliability(
        {"supported": error, "contradicted": error, "unsupported": silent}, load_reliability().cap
    )
