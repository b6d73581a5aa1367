"""How far reviewers agree: where several people have said something of the same verdict, whether they said the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from affidavit.records.runlog.store import Query

if TYPE_CHECKING:
    from affidavit.records.runlog.log import RunLog

_MEANS = {
    "supported": "right", "emit": "right",
    "contradicted": "wrong", "unsupported": "wrong", "revise": "wrong", "block": "wrong",
}  # fmt: skip
"""What a review comes to. Whether a wrong claim is denied or only without evidence divides nobody here."""


@dataclass(frozen=True, slots=True)
class Shared:
    """A verdict that several people reviewed: of which record and claim (None: the whole answer), and who says what."""

    record: int
    claim: int | None
    said: Mapping[str, str]
    """The last verdict of each reviewer."""

    @property
    def agreed(self) -> bool:
        return len({_MEANS.get(verdict, verdict) for verdict in self.said.values()}) == 1


@dataclass(frozen=True, slots=True)
class Agreement:
    """What all reviews of a log come to."""

    reviewers: tuple[str, ...]
    reviewed: int
    """Verdicts that anybody has reviewed."""
    shared: tuple[Shared, ...]
    """Those that several people have reviewed, in the order of the log."""

    @property
    def agreed(self) -> int:
        """Of the shared verdicts, those that all reviewers say the same of."""
        return sum(one.agreed for one in self.shared)

    @property
    def disputed(self) -> tuple[Shared, ...]:
        return tuple(one for one in self.shared if not one.agreed)

    @property
    def alpha(self) -> float | None:
        """Krippendorff's alpha: 1 where all agree, 0 where they agree no more often than by chance. None where there is
        nothing to tell it by: no shared verdict, or only one thing ever said."""
        counts = [
            Counter(_MEANS.get(verdict, verdict) for verdict in one.said.values())
            for one in self.shared
        ]
        whole = sum(counts, Counter[str]())
        of = whole.total()
        expected = of * of - sum(n * n for n in whole.values())
        if not expected:
            return None
        observed = sum(
            (m * m - sum(n * n for n in one.values())) / (m - 1)
            for one in counts
            if (m := one.total()) > 1
        )
        return 1 - (of - 1) * observed / expected


def agreement(log: RunLog) -> Agreement:
    """What the reviews of a log come to. Of the reviews of one person on one verdict the last counts."""
    said: dict[tuple[int, int | None], dict[str, str]] = {}
    for entry in log.search(Query(kind="overrule")):
        review = log.get(entry.seq).review()
        said.setdefault((review.record, review.claim), {})[review.reviewer] = review.verdict
    places: Sequence[tuple[int, int | None]] = sorted(
        said, key=lambda place: (place[0], -1 if place[1] is None else place[1])
    )
    return Agreement(
        reviewers=tuple(sorted({who for one in said.values() for who in one})),
        reviewed=len(said),
        shared=tuple(Shared(*place, said[place]) for place in places if len(said[place]) > 1),
    )
