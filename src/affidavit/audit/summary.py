"""What an audit came to: actions, claims, reasons and worst claims; by agent, model, task, week and tool."""

from __future__ import annotations

import csv
import heapq
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from affidavit.audit.item import RunRow
from affidavit.audit.statistics import Rate, rate

GROUPS = ("agent", "model", "task", "week", "tool")
ACTIONS = ("emit", "revise", "block")
_WORST = 25
_COLUMNS = (
    "by", "name", "runs", *ACTIONS, "held_back", "low", "high", "claims_against_share",
    "claims", "score", "claim", "why",
)  # fmt: skip
_UNNAMED = "(not recorded)"


@dataclass(frozen=True, slots=True)
class Group:
    """The runs of one agent, model, task or week, or that called one tool."""

    name: str
    runs: int
    actions: dict[str, int]
    held_back: Rate
    """Answers that would not have gone out as they were."""
    against: Rate
    """Claims held against the answer, of those that were scored."""


@dataclass(frozen=True, slots=True)
class Worst:
    """A claim that nothing bears out."""

    run_id: str
    text: str
    score: float | None
    why: str


@dataclass(frozen=True, slots=True)
class AuditSummary:
    """The figures of one audit. Rates have 95 % intervals (Wilson)."""

    runs: int
    actions: dict[str, Rate]
    claims: dict[str, Rate]
    reasons: dict[str, int]
    """Claims held against their answers, by reason code, the most frequent first."""
    groups: dict[str, list[Group]]
    """By agent, model, task, week and tool: the largest first, weeks in their order."""
    worst: list[Worst]
    mean_milliseconds: float | None
    false_stops: Rate | None = None
    """Held back of those that the records call good; None where they say nothing."""
    catches: Rate | None = None
    """Held back of those that the records call bad."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def as_csv(self) -> str:
        """A row for all answers, for each group, reason and label, and for each of the worst claims."""
        out = io.StringIO()
        table = csv.DictWriter(out, _COLUMNS, restval="", lineterminator="\n")
        table.writeheader()
        every = {"all": [self._all()]} | self.groups
        for by, groups in every.items():
            for one in groups:
                counts = {action: one.actions.get(action, 0) for action in ACTIONS}
                told = {"by": by, "name": one.name, "runs": one.runs} | counts
                table.writerow(
                    told | _columns(one.held_back) | {"claims_against_share": one.against.value}
                )
        for code, number in self.reasons.items():
            table.writerow({"by": "reason", "name": code, "claims": number})
        for name, held_back in (("good", self.false_stops), ("bad", self.catches)):
            if held_back is not None:
                told = {"by": "label", "name": name, "runs": held_back.of}
                table.writerow(told | _columns(held_back))
        for worst in self.worst:
            told = {"by": "worst", "name": worst.run_id, "score": worst.score}
            table.writerow(told | {"claim": worst.text, "why": worst.why})
        return out.getvalue()

    def _all(self) -> Group:
        actions = {name: told.count for name, told in self.actions.items()}
        held = self.runs - actions.get("emit", 0)
        against = sum(self.reasons.values())
        scored = against + self.claims["supported"].count if "supported" in self.claims else against
        return Group("all", self.runs, actions, rate(held, self.runs), rate(against, scored))


def _columns(held: Rate) -> dict[str, Any]:
    return {"held_back": held.value, "low": held.low, "high": held.high}


@dataclass
class _Tally:
    actions: Counter[str] = field(default_factory=Counter)
    against: int = 0
    scored: int = 0

    def add(self, row: RunRow) -> None:
        self.actions[row.action] += 1
        against = row.statuses.get("unsupported", 0) + row.statuses.get("contradicted", 0)
        self.against += against
        self.scored += against + row.statuses.get("supported", 0)

    def group(self, name: str) -> Group:
        runs = self.actions.total()
        held = rate(runs - self.actions["emit"], runs)
        return Group(name, runs, dict(self.actions), held, rate(self.against, self.scored))


def summarize(rows: Iterable[RunRow]) -> AuditSummary:
    """The figures of many runs, read once, one at a time."""
    whole, labels = _Tally(), {"good": _Tally(), "bad": _Tally()}
    statuses, reasons = Counter[str](), Counter[str]()
    groups: dict[str, dict[str, _Tally]] = {by: {} for by in GROUPS}
    worst: list[tuple[float, int, Worst]] = []
    spent = 0.0
    for number, row in enumerate(rows):
        whole.add(row)
        statuses.update(row.statuses)
        reasons.update(row.reasons)
        spent += row.milliseconds
        if row.label in labels:
            labels[row.label].add(row)
        for by, name in _names(row):
            groups[by].setdefault(name, _Tally()).add(row)
        if row.worst:
            told = Worst(row.run_id, row.worst, row.worst_score, row.worst_why)
            # The lowest scores are kept: a heap whose first is the highest of them.
            heapq.heappush(worst, (-(row.worst_score or 0.0), -number, told))
            if len(worst) > _WORST:
                heapq.heappop(worst)
    runs = whole.actions.total()
    return AuditSummary(
        runs=runs,
        actions={name: rate(whole.actions[name], runs) for name in ACTIONS},
        claims={name: rate(n, statuses.total()) for name, n in statuses.most_common()},
        reasons=dict(reasons.most_common()),
        groups={by: _ordered(by, named) for by, named in groups.items()},
        worst=[told for _, _, told in sorted(worst, key=lambda one: one[:2], reverse=True)],
        mean_milliseconds=spent / runs if runs else None,
        false_stops=_held_back(labels["good"]),
        catches=_held_back(labels["bad"]),
    )


def _names(row: RunRow) -> Iterator[tuple[str, str]]:
    yield "agent", row.agent or _UNNAMED
    yield "model", row.model or _UNNAMED
    yield "task", row.task or _UNNAMED
    yield "week", row.week or _UNNAMED
    for tool in row.tools:
        yield "tool", tool


def _ordered(by: str, named: Mapping[str, _Tally]) -> list[Group]:
    """Groups in the order to read them in; none where all that is known is that nothing is."""
    if set(named) == {_UNNAMED}:
        return []
    groups = [tally.group(name) for name, tally in named.items()]
    if by == "week":
        return sorted(groups, key=lambda one: one.name)
    return sorted(groups, key=lambda one: (-one.runs, one.name))


def _held_back(tally: _Tally) -> Rate | None:
    group = tally.group("")
    return group.held_back if group.runs else None
