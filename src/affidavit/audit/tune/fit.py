"""The fit: which threshold keeps false stops below what is allowed, and what it catches.

The threshold is an order statistic of the good answers' levels, chosen so that a further good answer
falls below it with a probability of at most what is allowed, whatever the distribution (split conformal
prediction: Vovk, Gammerman and Shafer, 2005). Bad answers are only counted: none moves the threshold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import ceil, floor, sqrt
from typing import Any

from affidavit.audit.shift import DIGITS
from affidavit.audit.statistics import Rate, Z, further, rate
from affidavit.audit.tune.answers import HELD, Gathered
from affidavit.audit.tune.prior import Prior, learn_prior
from affidavit.errors import AffidavitError
from affidavit.policy import Policy

FEWEST = 20
"""Good answers that any fit needs."""
NARROW = 0.05
"""Half the width of an interval that is called narrow."""
_FOLDS = 5
_MOST_POINTS = 200


@dataclass(frozen=True, slots=True)
class Point:
    """What one threshold does to the labelled answers."""

    threshold: float
    false_stops: Rate
    caught: Rate


@dataclass(frozen=True, slots=True)
class Tuned:
    """What was learnt: the policy, what it promises, and the curve that it is a point of."""

    policy: Policy
    before: Policy
    max_false_stops: float
    chosen: Point
    now: Point
    """The policy before, on the same answers."""
    left_out: Point | None
    """Each fifth of the answers under a threshold fitted on the others; None where those are too few."""
    curve: tuple[Point, ...]
    prior: Prior | None
    good: int
    bad: int
    assumed: int
    """Good answers that nobody has looked at."""
    held_good: int
    """Good answers that something else than a score holds back."""
    left_aside: int
    """Answers left out because something else than a score holds them back."""
    missing_good: int
    """Labels of good answers missing for an interval of the false stops that is narrow."""
    missing_bad: int
    rank: int
    """Which of the good answers, from the lowest and from 1, the threshold was read off."""

    def expected(self, of: int) -> tuple[float, float]:
        """Between which shares of so many further good answers of the same kind are stopped, at 95 %: what few labels
        leave open is in it, which the interval of a count on the same labels does not tell."""
        return further(self.rank, self.good, of)

    def as_json(self) -> dict[str, Any]:
        """The figures, with the policies as they are written."""
        plain = asdict(self)
        for name in ("policy", "before"):
            plain[name] = getattr(self, name).model_dump(mode="json")
        return plain


def tune(
    gathered: Gathered,
    *,
    max_false_stops: float = 0.05,
    prior: float | None = None,
    scores_only: bool = False,
) -> Tuned:
    """Learn ``prior`` (unless it is given) and ``emit_threshold``.

    With ``scores_only`` answers that something else than a score holds back are left out, and what is
    promised is promised of the others. Raises :class:`AffidavitError` where there are fewer good answers than the promise can be kept with.
    """
    if not 0 < max_false_stops < 1:
        raise AffidavitError(
            f"max false stops: expected a share between 0 and 1, got {max_false_stops}"
        )
    if prior is not None and not 0 < prior < 1:
        raise AffidavitError(f"prior: expected a share between 0 and 1, got {prior}")
    if scores_only:
        held = [answer for answer in gathered.answers if answer.held]
        kept = [answer for answer in gathered.answers if not answer.held]
        gathered = replace(gathered, answers=kept)
    else:
        held = []
    _enough(gathered, max_false_stops)
    before = gathered.policy
    learnt = learn_prior(gathered.answers, before.prior) if prior is None else None
    rate_of_claims = prior if prior is not None else learnt.value if learnt else before.prior
    at_rate = before.model_copy(update={"prior": rate_of_claims})
    good = [a.level(at_rate) for a in gathered.answers if a.good]
    bad = [a.level(at_rate) for a in gathered.answers if not a.good]
    _promisable(gathered, good, max_false_stops)
    threshold = _threshold(good, max_false_stops)
    chosen = _point(threshold, good, bad)
    assert chosen.false_stops.value is not None
    return Tuned(
        policy=_policy(before, rate_of_claims, threshold), before=before,
        max_false_stops=max_false_stops, chosen=chosen, now=_now(gathered),
        left_out=_left_out(good, bad, max_false_stops), curve=_curve(good, bad, threshold),
        prior=learnt, good=len(good), bad=len(bad),
        assumed=sum(a.assumed for a in gathered.answers),
        held_good=sum(level == HELD for level in good), left_aside=len(held),
        missing_good=_missing(chosen.false_stops), missing_bad=_missing(chosen.caught),
        rank=_rank(len(good), max_false_stops) + 1,
    )  # fmt: skip


def judged_on(gathered: Gathered, told: Tuned, *, scores_only: bool = False) -> Point:
    """What the learnt policy does to other labelled answers, which the fit has not seen. Raises
    :class:`AffidavitError` where there is no good one among them."""
    answers = [a for a in gathered.answers if not (scores_only and a.held)]
    levels = [(answer.good, answer.level(told.policy)) for answer in answers]
    good = [level for is_good, level in levels if is_good]
    bad = [level for is_good, level in levels if not is_good]
    if not good:
        raise AffidavitError("no answer of the runs that are held out is labelled as good")
    return _point(told.policy.emit_threshold, good, bad)


def fewest_good(max_false_stops: float) -> int:
    """How many good answers it takes to promise so few false stops."""
    return max(FEWEST, ceil(1 / max_false_stops - 1e-9) - 1)


def _enough(gathered: Gathered, allowed: float) -> None:
    good = sum(answer.good is True for answer in gathered.answers)
    needed = fewest_good(allowed)
    if good >= needed:
        return
    more = f"; {gathered.partial} more are labelled in part" if gathered.partial else ""
    raise AffidavitError(
        f"too few labels to promise at most {allowed:.1%} false stops: it takes {needed} good answers, "
        f"there are {good}{more}: label {needed - good} more"
    )


def _promisable(gathered: Gathered, good: Sequence[float], allowed: float) -> None:
    """Raise where something else than scores stops more good answers than are allowed."""
    if sorted(good)[_rank(len(good), allowed)] != HELD:
        return
    causes = Counter(answer.held for answer in gathered.answers if answer.good and answer.held)
    total = sum(level == HELD for level in good)
    by_claim = ("a critical claim scores below block_threshold", total)
    often, number = next(iter(causes.most_common(1)), by_claim)
    raise AffidavitError(
        f"{total} of {len(good)} good answers are held back whatever the threshold, {number} of "
        f"them as in: {often}. At most {allowed:.1%} false stops cannot be promised before that is "
        "mended; --scores-only leaves them out"
    )


def _rank(of: int, allowed: float) -> int:
    """Which of so many good answers, from the lowest, the threshold is read off."""
    return floor(allowed * (of + 1) + 1e-9) - 1


def _threshold(good: Sequence[float], allowed: float) -> float:
    at = max(sorted(good)[_rank(len(good), allowed)], 0.0)
    # Down, never up: a threshold that was rounded must not stop what it was read off.
    steps = 10.0**DIGITS
    return floor(at * steps + 1e-6) / steps


def _point(threshold: float, good: Sequence[float], bad: Sequence[float]) -> Point:
    return Point(
        threshold,
        rate(sum(level < threshold for level in good), len(good)),
        rate(sum(level < threshold for level in bad), len(bad)),
    )


def _now(gathered: Gathered) -> Point:
    before = gathered.policy
    levels = [(answer.good, answer.level(before)) for answer in gathered.answers]
    good = [level for is_good, level in levels if is_good]
    return _point(before.emit_threshold, good, [level for is_good, level in levels if not is_good])


def _left_out(good: Sequence[float], bad: Sequence[float], allowed: float) -> Point | None:
    """What the fit does to answers that it has not seen. The threshold is the mean of those fitted."""
    if len(good) - ceil(len(good) / _FOLDS) < fewest_good(allowed):
        return None
    stopped, caught, used = 0, 0, list[float]()
    for fold in range(_FOLDS):
        rest = [level for n, level in enumerate(good) if n % _FOLDS != fold]
        at = _threshold(rest, allowed)
        used.append(at)
        stopped += sum(level < at for level in good[fold::_FOLDS])
        caught += sum(level < at for level in bad[fold::_FOLDS])
    return Point(sum(used) / _FOLDS, rate(stopped, len(good)), rate(caught, len(bad)))


def _curve(good: Sequence[float], bad: Sequence[float], chosen: float) -> tuple[Point, ...]:
    """From the most lenient threshold to the strictest: every one that changes anything, or as many as are drawn."""
    steps = sorted({level for level in (*good, *bad) if level != HELD} | {0.0, 1.0})
    if len(steps) > _MOST_POINTS:
        gap = (len(steps) - 1) / (_MOST_POINTS - 1)
        steps = [steps[round(n * gap)] for n in range(_MOST_POINTS)]
    return tuple(_point(step, good, bad) for step in sorted({*steps, chosen}))


def _policy(before: Policy, prior: float, threshold: float) -> Policy:
    """The policy before with what was learnt; lower thresholds that would stand above it come down with it."""
    revise = min(before.revise_threshold, threshold)
    return Policy.model_validate(
        before.model_dump(mode="json")
        | {
            "prior": prior,
            "emit_threshold": threshold,
            "revise_threshold": revise,
            "block_threshold": min(before.block_threshold, revise),
        }
    )


def _missing(told: Rate) -> int:
    """How many more it takes for a narrow interval of such a rate; of an unknown one, at worst."""
    share = 0.5 if told.value is None else told.value
    low, high = 1, 2000
    while low < high:
        middle = (low + high) // 2
        if _half_width(share, middle) <= NARROW:
            high = middle
        else:
            low = middle + 1
    return max(0, low - told.of)


def _half_width(share: float, of: int) -> float:
    """Of Wilson's interval, for a share of so many."""
    z2 = Z * Z
    return Z / (1 + z2 / of) * sqrt(share * (1 - share) / of + z2 / (4 * of * of))
