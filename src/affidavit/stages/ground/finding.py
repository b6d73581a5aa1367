"""What a check is given and what it gives back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Literal, Protocol

from affidavit.ledger.ledger import Ledger, Passage
from affidavit.ledger.meaning import Meaning
from affidavit.ledger.search import Search
from affidavit.models.entailment.protocol import EntailmentModel
from affidavit.policy import Policy
from affidavit.report import EvidenceSpan, ReasonCode
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.rows import Rows
from affidavit.stages.ground.topic import Topic

State = Literal["checked", "skipped", "failed"]
Verdict = Literal["supports", "contradicts", "missing"]


@dataclass(frozen=True)
class GroundContext:
    """The sole input of a check besides the claim itself."""

    ledger: Ledger
    policy: Policy
    search: Search
    rows: Rows
    topic: Topic
    """The rows this claim speaks about, those it takes up from the sentences before included."""
    firm: Topic
    """Those of them that it names or refers back to in so many words; only another row than these is
    held against it as the wrong one."""
    named: Topic
    """The rows that this claim names itself."""
    earlier: Topic
    """The rows that were spoken of before this claim."""
    passages: Sequence[Passage]
    """The passages that bear on the claim, best first."""
    answer: str
    question: str = ""
    """What the user asked last."""
    today: date | None = None
    model: EntailmentModel | None = None
    meaning: Meaning | None = None
    """How to find what says the same in other words, for the model to read; None to go by words alone."""
    before: Sequence[Claim] = field(default=())
    """The claims of the answer before this one."""
    beside: Sequence[Claim] = field(default=())
    """The claims that give one thing field by field, this one among them; none in running text."""

    @cached_property
    def fitting(self) -> Sequence[Passage]:
        """The evidence but for the rows that the claim does not speak about."""
        return self.rows.fitting(self.topic)


@dataclass(frozen=True)
class Finding:
    """What one check says of one claim.

    ``skipped`` means that the check has nothing to say about such a claim; ``failed`` that it should
    have but could not. ``missing`` means that something the claim states is nowhere in the evidence.
    ``settles`` is how much of the claim a supporting verdict covers: ``all`` leaves nothing open,
    ``values`` proves its values but not the words around them, ``nothing`` that its names occur.
    """

    check: str
    state: State
    verdict: Verdict | None = None
    score: float | None = None
    reason: ReasonCode | None = None
    detail: str = ""
    formula: str | None = None
    spans: tuple[EvidenceSpan, ...] = ()
    settles: Literal["all", "values", "nothing"] = "all"
    produced_by: str = ""

    @classmethod
    def skip(cls, check: str, why: str = "") -> Finding:
        return cls(check, "skipped", detail=why)


class Check(Protocol):
    """One way of holding a claim against the evidence. Pure: it changes nothing it is given."""

    def __call__(self, claim: Claim, context: GroundContext) -> Finding: ...
