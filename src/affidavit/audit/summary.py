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
_WORST_OF_A_GROUP = 3
_MOST_GROUPS = 10_000
"""Names that are kept apart: where each run is a task of its own, memory must not grow with the runs."""
_COLUMNS = (
    "by", "name", "runs", *ACTIONS, "held_back", "low", "high", "claims_against_share",
    "claims", "score", "claim", "why",
)  # fmt: skip
_UNNAMED = "(not recorded)"
_OTHERS = "(others)"


@dataclass(frozen=True, slots=True)
class Worst:
    """A claim that nothing bears out."""

    run_id: str
    text: str
    score: float | None
    why: str


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
    reasons: dict[str, int] = field(default_factory=dict)
    """Those claims by reason code, the most frequent first."""
    worst: list[Worst] = field(default_factory=list)
    """The ones with the least behind them, the lowest score first."""


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


class _Lowest:
    """The claims with the lowest scores, so many of them; of equals those that came first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._heap: list[tuple[float, int, Worst]] = []  # its first is the one to give up next

    def add(self, number: int, told: Worst) -> None:
        heapq.heappush(self._heap, (-(told.score or 0.0), -number, told))
        if len(self._heap) > self._most:
            heapq.heappop(self._heap)

    def sorted(self) -> list[Worst]:
        return [told for *_, told in sorted(self._heap, key=lambda one: one[:2], reverse=True)]


def _columns(held: Rate) -> dict[str, Any]:
    return {"held_back": held.value, "low": held.low, "high": held.high}


@dataclass
class _Tally:
    actions: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    worst: _Lowest = field(default_factory=lambda: _Lowest(_WORST_OF_A_GROUP))
    against: int = 0
    scored: int = 0

    def add(self, number: int, row: RunRow) -> None:
        self.actions[row.action] += 1
        self.reasons.update(row.reasons)
        if row.worst:
            self.worst.add(number, Worst(row.run_id, row.worst, row.worst_score, row.worst_why))
        against = row.statuses.get("unsupported", 0) + row.statuses.get("contradicted", 0)
        self.against += against
        self.scored += against + row.statuses.get("supported", 0)

    def group(self, name: str) -> Group:
        runs = self.actions.total()
        held = rate(runs - self.actions["emit"], runs)
        return Group(
            name, runs, dict(self.actions), held, rate(self.against, self.scored),
            dict(self.reasons.most_common()), self.worst.sorted(),
        )  # fmt: skip


def summarize(rows: Iterable[RunRow]) -> AuditSummary:
    """The figures of many runs, read once, one at a time."""
    whole, labels = _Tally(worst=_Lowest(_WORST)), {"good": _Tally(), "bad": _Tally()}
    statuses = Counter[str]()
    groups: dict[str, dict[str, _Tally]] = {by: {} for by in GROUPS}
    spent = 0.0
    for number, row in enumerate(rows):
        whole.add(number, row)
        statuses.update(row.statuses)
        spent += row.milliseconds
        if row.label in labels:
            labels[row.label].add(number, row)
        for by, name in _names(row):
            named = groups[by]
            if len(named) >= _MOST_GROUPS and name not in named:
                name = _OTHERS
            named.setdefault(name, _Tally()).add(number, row)
    runs = whole.actions.total()
    return AuditSummary(
        runs=runs,
        actions={name: rate(whole.actions[name], runs) for name in ACTIONS},
        claims={name: rate(n, statuses.total()) for name, n in statuses.most_common()},
        reasons=dict(whole.reasons.most_common()),
        groups={by: _ordered(by, named) for by, named in groups.items()},
        worst=whole.worst.sorted(),
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
