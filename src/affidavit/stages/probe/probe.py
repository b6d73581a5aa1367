"""Stage 3: ask the model again and see whether it says the same."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from affidavit.errors import ScorerError
from affidavit.models.entailment.protocol import EntailmentModel
from affidavit.models.llm.protocol import LanguageModel
from affidavit.policy import Policy
from affidavit.report import ConsistencyProbe, StageState
from affidavit.stages.probe.agreement import Reading, Sample, read_values, read_words, tally
from affidavit.stages.probe.align import sentence_around
from affidavit.stages.probe.paraphrase import re_ask
from affidavit.trace import RunTrace


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


async def probe(
    trace: RunTrace,
    claims: Sequence[Probed],
    model: LanguageModel | None,
    policy: Policy,
    entailment: EntailmentModel | None = None,
    *,
    rejected: frozenset[str] = frozenset(),
) -> ProbeOutcome:
    """Probe the critical claims of ``trace.answer``. Never raises for what a model does.

    ``rejected`` are ids of calls that Stage 1 rejected: their results are not shown again.
    """
    critical = [c for c in claims if c.critical and getattr(c, "status", "") != "exempt"]
    if not critical:
        return _without("skipped", "no critical claims")
    if model is None:
        return _without("skipped", "no model configured")
    if not trace.question.strip():
        return _without("skipped", "the run holds no question to ask again")
    answers, faults = await _ask(trace, model, policy, rejected)
    if not answers:
        return _without("failed", f"all {policy.probes.samples} samples failed: {faults[0]}")
    probes, comparison_fault = await _compare(trace, critical, answers, entailment)
    if comparison_fault:
        faults = [*faults, comparison_fault]
    if all(p.agreement is None for p in probes):
        # Nothing was compared, and that is not the same as finding no divergence.
        why = "; ".join(["no answer addressed a critical claim", *faults])
        return ProbeOutcome(probes, StageState(state="failed", reason=why))
    return ProbeOutcome(probes, StageState(state="checked", reason="; ".join(faults)))


async def _ask(
    trace: RunTrace, model: LanguageModel, policy: Policy, rejected: frozenset[str]
) -> tuple[list[str], list[str]]:
    """The answers that came in time, and what became of the others."""
    tasks = [
        asyncio.ensure_future(model.complete(re_ask(trace, i, rejected=rejected)))
        for i in range(policy.probes.samples)
    ]
    try:
        await asyncio.wait(tasks, timeout=policy.probes.timeout)
        late = [task for task in tasks if not task.done()]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    answers: list[str] = []
    faults: list[str] = []
    for task in tasks:
        if task in late or task.cancelled():
            faults.append(f"a sample took longer than {policy.probes.timeout:g} s")
        elif (error := task.exception()) is not None:
            faults.append(f"a sample failed: {type(error).__name__}: {error}")
        elif task.result().strip():
            answers.append(task.result())
        else:
            faults.append("a sample was empty")
    return answers, faults


async def _compare(
    trace: RunTrace,
    claims: Sequence[Probed],
    answers: Sequence[str],
    entailment: EntailmentModel | None,
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
        agreement, diverges = tally(readings)
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
        scores = await asyncio.to_thread(entailment.score, distinct)
    except ScorerError as error:
        return {}, f"words could not be compared: {error}"
    readings = [read_words(score) for score in scores]
    return dict(zip(distinct, readings, strict=True)), ""


def _without(state: str, reason: str) -> ProbeOutcome:
    return ProbeOutcome((), StageState.model_validate({"state": state, "reason": reason}))
