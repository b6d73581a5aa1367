"""The sole input of a witness: one claim with its links, and the evidence of the run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from affidavit.ledger.ledger import Passage
from affidavit.ledger.words import content_stems
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.linking import (
    Evidence,
    Linked,
    Premise,
    Shown,
    clauses,
    premise_of,
)
from affidavit.stages.ground.linking.attribution import Attribution, attributed
from affidavit.stages.ground.linking.evidence import is_call
from affidavit.stages.ground.signal import Signal

_ASIDE = frozenset({"user", "assistant", "tool_definition"})


@dataclass(frozen=True)
class Case:
    """A claim, joined to the evidence it is held against."""

    claim: Claim
    linked: Linked
    evidence: Evidence
    shown: tuple[Shown, ...] = ()
    """What the answer itself shows for it. That chooses evidence, and is none."""

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the words of the statement that say something."""
        return content_stems(self.linked.statement)

    def share_in(self, said: frozenset[str]) -> float:
        """The share of its words that stand among the stems ``said``, in the same or another word."""
        return len(self.stems & said) / len(self.stems) if self.stems else 0.0

    @cached_property
    def cited(self) -> Attribution:
        """The sources that the claim says it has its facts from."""
        claim = self.claim
        if claim.json_path is not None:
            return Attribution()
        return attributed(claim.text, claim.lead, claim.citations, self.evidence)

    @cached_property
    def clauses(self) -> tuple[Case, ...]:
        """The clauses of a sentence, each behind what stands before it; none where it is of one piece."""
        return tuple(
            replace(self, claim=replace(self.claim, before=clause.before), linked=clause.linked)
            for clause in clauses(self.claim, self.linked, self.evidence)
        )

    @cached_property
    def premise(self) -> Premise:
        """What the entailment model is shown: nothing of sources other than those that the claim gives."""
        return self._premise(self.first)

    def premises(self, *, plain: bool = False) -> tuple[Premise, ...]:
        """What the entailment model is shown in turn: the evidence as it is chosen for any claim and, where the answer shows
        something for this one, that alone, and that before the rest. ``plain`` is for a model that was trained elsewhere:
        without links marked, and the claim alone."""
        if not self.first:
            return (self.plain_premise if plain else self.premise,)
        return (
            self._premise((), plain=plain),
            self._premise(self.first, plain=plain, alone=True),
            self._premise(self.first, plain=plain),
        )

    def _premise(
        self, first: Sequence[Sequence[Passage]], *, plain: bool = False, alone: bool = False
    ) -> Premise:
        return premise_of(
            self.linked,
            self.evidence,
            before="" if plain else self.claim.before,
            first=first,
            apart=self.cited.apart,
            marks=not plain,
            alone=alone,
        )

    @cached_property
    def nearest(self) -> tuple[Passage, ...]:
        """The two lines of the premise that a reader should look at first: what a call returned says more than that it was
        made, and the more of the claim's words a line has, the more likely it is the one that decides. What the user said,
        and what a tool is said to do, decides least."""
        own = self.premise.lines
        lines = [line for line in own if line.source.kind not in _ASIDE] or own
        ranked = sorted(lines, key=lambda line: (is_call(line), -self.share_in(line.stems)))
        return tuple(ranked[:2])

    @cached_property
    def plain_premise(self) -> Premise:
        """The same as a model is shown that was trained elsewhere: without links marked, and the claim alone."""
        return self._premise(self.first, plain=True)

    @property
    def first(self) -> list[tuple[Passage, ...]]:
        """The lines that whoever judges it reads before any other: of each citation those that it leads to."""
        return [shown.lines for shown in self.shown if shown.lines]


Witness: TypeAlias = Callable[[Case], Iterable[Signal]]
"""One way of holding a claim against the evidence. Pure: it changes nothing it is given."""
