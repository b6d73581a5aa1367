"""What was learnt, in words, and as the policy file that it makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from affidavit.audit.statistics import Rate
from affidavit.audit.tune.fit import NARROW, Point, Tuned
from affidavit.policy import Policy

FURTHER = 100
"""Further good answers, of which the notes say how many to expect to be stopped."""
_MANY_BAD = 0.4


def notes(told: Tuned) -> Iterator[str]:
    """What a reader must know of the figures: where they come from, and how far they carry."""
    low, high = told.expected(FURTHER)
    yield (
        f"A further good answer of the same kind is stopped with a probability of at most "
        f"{told.max_false_stops:.1%}: that holds on average over such samples, not for each. After {told.good} labels "
        f"expect {low * FURTHER:.0f} to {high * FURTHER:.0f} of {FURTHER} further good answers to be stopped (95 %)."
    )
    if told.prior is not None:
        share = told.prior.share
        yield (
            f"Prior: {told.prior.value:.1%} of claims hold ({share.low:.1%} to {share.high:.1%}), "
            f"from {told.prior.claims:,} claims. It takes the labelled answers to be a sample of your runs."
        )
        if told.bad > _MANY_BAD * (told.good + told.bad):
            yield (
                f"{told.bad} of {told.good + told.bad} labelled answers are bad: if they were picked and not "
                "drawn, the prior is not that of your runs; say what it is with --prior."
            )
    elif told.policy.prior == told.before.prior:
        yield (
            f"The prior stays at {told.policy.prior:.4g}: good answers alone, or a handful of claims, do not "
            "tell how many claims hold."
        )
    if told.assumed:
        yield f"{told.assumed} of the good answers are taken to be good; nobody has labelled them."
    if told.held_good:
        yield (
            f"{told.held_good} good answers are held back by something that no threshold changes: a rejected "
            "call, a check that failed, or a probe."
        )
    if told.left_aside:
        yield (
            f"{told.left_aside} answers are left out, as something else than a score holds them back: what is "
            "promised is promised of the others."
        )
    if not told.bad:
        yield "No answer is known to be bad, so nothing is known of what is caught."
    yield from _missing(told)


def _missing(told: Tuned) -> Iterator[str]:
    width = f"±{NARROW * 100:.0f} points"
    for kind, number, what in (
        ("good", told.missing_good, "false stops"),
        ("bad", told.missing_bad, "what is caught"),
    ):
        if number:
            yield f"{number} more labelled {kind} answers make the interval of {what} as narrow as {width}."
        else:
            yield f"There are enough labelled {kind} answers: the interval of {what} is within {width}."


def verdict_on(told: Tuned, held_out: Point) -> str:
    """Whether the promise holds on other answers, as far as so few can tell."""
    real = held_out.false_stops
    low, high = told.expected(real.of)
    bounds = f"between {low:.1%} and {high:.1%} of {real.of} such answers"
    if real.value is not None and real.value > high:
        return (
            f"The promise does not hold there: {real.value:.1%} of the good answers are stopped, where {bounds} were to "
            "be expected. They are of another kind than those that were learnt from."
        )
    if real.value is not None and real.value < low:
        return f"Fewer good answers are stopped than was to be expected: {real.value:.1%}, not {bounds}."
    return f"That is in keeping with the promise: {bounds} were to be expected (95 %)."


def shown_points(told: Tuned, most: int) -> list[Point]:
    """Points of the curve to show: evenly among them, the chosen one always."""
    points = list(told.curve)
    if len(points) > most:
        gap = (len(points) - 1) / (most - 1)
        wanted = {round(n * gap) for n in range(most)}
        points = [
            one for n, one in enumerate(points)
            if n in wanted or one.threshold == told.chosen.threshold
        ]  # fmt: skip
    return points


def written(policy: Policy) -> dict[str, Any]:
    """A policy as a file says it: what differs from the defaults of its task type, and all that is tuned."""
    plain = Policy(task_type=policy.task_type).model_dump(mode="json")
    told = policy.model_dump(mode="json")
    tuned = {
        name: told[name]
        for name in ("prior", "emit_threshold", "revise_threshold", "block_threshold")
    }
    return {"task_type": policy.task_type, **tuned, **_different(told, plain)}


def head(told: Tuned) -> list[str]:
    """What the policy file says about itself."""
    low, high = told.expected(FURTHER)
    return [
        f"Learnt by `affidavit tune` from {told.good} good and {told.bad} bad answers.",
        f"Good answers stopped: {share(told.chosen.false_stops)}; bad answers stopped: {share(told.chosen.caught)}.",
        f"Of {FURTHER} further good answers of the same kind {low * FURTHER:.0f} to {high * FURTHER:.0f} are stopped (95 %).",
    ]  # fmt: skip


def share(told: Rate) -> str:
    """A rate with its interval."""
    if told.value is None:
        return "unknown"
    return f"{told.value:.1%} ({told.low:.1%} to {told.high:.1%})"


def _different(told: Mapping[str, Any], plain: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in told.items():
        known = plain.get(key)
        if value == known:
            continue
        if isinstance(value, dict) and isinstance(known, dict) and known:
            found[key] = _different(value, known)
        else:
            found[key] = value
    return found
