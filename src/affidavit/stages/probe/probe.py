"""Stage 3: ask the model again and see whether it says the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from affidavit._threads import in_thread
from affidavit.errors import ScorerError
from affidavit.models.entailment.protocol import EntailmentModel
from affidavit.policy import Policy
from affidavit.report import ClaimVerdict, ConsistencyProbe, StageState
from affidavit.stages.probe.agreement import Reading, Sample, read_values, read_words, tally
from affidavit.stages.probe.align import sentence_around
from affidavit.stages.probe.samples import Samples
from affidavit.trace import RunTrace

PROVEN = "every critical claim is proven by an exact check, and the policy asks about none of these"


class Probed(Protocol):
    """What a claim must show to be probed: a claim of Stage 2, before or after its verdict.

    A ``statement`` (the claim made to stand alone) is used where there is one, and a claim whose
    ``status`` is ``exempt`` is not probed.
    """

    @property
    def text(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def critical(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class ProbeOutcome:
    """One probe for each critical claim, and whether the stage ran."""

    probes: tuple[ConsistencyProbe, ...]
    state: StageState


def to_probe(claims: Sequence[Probed], policy: Policy) -> list[Probed]:
    """The claims that are asked about again: the critical ones, without those that an exact check has
    proven where the policy says so."""
    critical = [c for c in claims if c.critical and getattr(c, "status", "") != "exempt"]
    if policy.probes.proven == "skip":
        return [c for c in critical if not _proven(c)]
    return critical


async def probe(
    trace: RunTrace,
    claims: Sequence[Probed],
    samples: Samples | str,
    policy: Policy,
    entailment: EntailmentModel | None = None,
    *,
    timeout: float | None = None,
) -> ProbeOutcome:
    """Hold the critical claims of ``trace.answer`` against ``samples``. Never raises for what a model
    does.

    ``samples`` is a text where there are none: the reason. ``timeout`` in seconds shortens the
    policy's own.
    """
    probed = to_probe(claims, policy)
    if not probed and any(c.critical and getattr(c, "status", "") != "exempt" for c in claims):
        return without("checked", PROVEN)  # nothing is open, and nothing was left out
    if not probed:
        return without("skipped", "no critical claims")
    if isinstance(samples, str):
        return without("skipped", samples)
    allowed = policy.probes.timeout
    found = await samples.answers(allowed if timeout is None else min(allowed, timeout))
    if not found.usable:
        return without("failed", f"all {samples.count} samples failed: {found.faults[0]}")
    probes, comparison_fault = await _compare(
        trace, probed, found.usable, entailment, samples.count
    )
    faults = [*found.faults, comparison_fault] if comparison_fault else list(found.faults)
    if all(p.agreement is None for p in probes):
        # Nothing was compared, and that is not the same as finding no divergence.
        why = "; ".join(["too few answers addressed a critical claim", *faults])
        return ProbeOutcome(probes, StageState(state="failed", reason=why))
    return ProbeOutcome(probes, StageState(state="checked", reason="; ".join(faults)))


_EXACT = frozenset({"values", "formulas", "calls"})
"""Witnesses that compare, where a model reads."""


def _proven(claim: Probed) -> bool:
    """Whether an exact check has proven the claim. A model's word for it is no proof."""
    return (
        isinstance(claim, ClaimVerdict)
        and claim.status == "supported"
        and {c.verdict for c in claim.checks if c.name in _EXACT} == {"supports"}
    )


async def _compare(
    trace: RunTrace,
    claims: Sequence[Probed],
    answers: Sequence[str],
    entailment: EntailmentModel | None,
    asked: int,
) -> tuple[tuple[ConsistencyProbe, ...], str]:
    """The probes, and what went wrong with the entailment model, if anything."""
    question = trace.question
    statements = [getattr(claim, "statement", claim.text) for claim in claims]
    grid = [[read_values(s, answer, question) for answer in answers] for s in statements]
    open_pairs = [
        (sample.passage, statement)
        for statement, row in zip(statements, grid, strict=True)
        for sample in row
        if sample.reading == "words"
    ]
    by_words, fault = await _entailed(open_pairs, entailment)
    probes = []
    for claim, statement, row in zip(claims, statements, grid, strict=True):
        readings = [_final(sample, statement, by_words) for sample in row]
        agreement, diverges = tally(readings, asked)
        probes.append(
            ConsistencyProbe(
                claim=claim.text,
                original=sentence_around(trace.answer, claim.start, claim.end),
                probe_answers=tuple(sample.passage for sample in row),
                agreement=agreement,
                diverges=diverges,
            )
        )
    return tuple(probes), fault


def _final(sample: Sample, statement: str, by_words: dict[tuple[str, str], Reading]) -> Reading:
    if sample.reading == "words":
        return by_words.get((sample.passage, statement), "silent")
    return sample.reading


async def _entailed(
    pairs: Sequence[tuple[str, str]], entailment: EntailmentModel | None
) -> tuple[dict[tuple[str, str], Reading], str]:
    distinct = list(dict.fromkeys(pairs))
    if entailment is None or not distinct:
        return {}, ""
    try:
        scores = await in_thread(entailment.score, distinct)
    except ScorerError as error:
        return {}, f"words could not be compared: {error}"
    readings = [read_words(score) for score in scores]
    return dict(zip(distinct, readings, strict=True)), ""


def without(state: str, reason: str) -> ProbeOutcome:
    """Stage 3 where nothing was compared, and why."""
    return ProbeOutcome((), StageState.model_validate({"state": state, "reason": reason}))
