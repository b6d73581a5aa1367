"""What a witness says of a claim: how something in it stands to the evidence, how surely, and where."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from affidavit.report import EvidenceSpan

WitnessName = Literal[
    "values", "formulas", "rows", "calls", "absence", "citations", "scope", "entailment"
]
Relation = Literal[
    "same",  # the evidence says it
    "rounded",  # it says it more exactly
    "derived",  # it follows from what the evidence says
    "told",  # only the user says it
    "other_row",  # it is said of another row than the one spoken of
    "other_field",  # it is said in another field than the one spoken of
    "opposed",  # the evidence says otherwise
    "absent",  # the evidence says nothing of it
]


CLAUSE = "clause"
"""The slot of what is said of one clause of a claim."""


@dataclass(frozen=True, slots=True)
class Signal:
    """One finding of one witness. ``strength``, from 0 to 1, is how sure it is; ``slot`` says of what in the claim.

    A signal is no verdict: the fitted verdict says how much it counts.
    """

    witness: WitnessName
    relation: Relation
    strength: float = 1.0
    slot: str = ""
    detail: str = ""
    formula: str | None = None
    spans: tuple[EvidenceSpan, ...] = field(default=(), repr=False)
