"""Fakes for tests, of this package and of those who build on it: no weights, no network, no key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from affidavit.models.entailment.protocol import Entailment
from affidavit.models.llm.protocol import ChatMessage
from affidavit.report import (
    ClaimVerdict,
    Coverage,
    EvidenceSpan,
    HallucinationReport,
    StageState,
    ToolCallValidation,
)
from affidavit.stages.ground.linking.premise import NOWHERE
from affidavit.trace import ToolCallPart

Turn = ToolCallPart | str
Label = Literal["entailment", "neutral", "contradiction"]
Scripted = str | BaseException | Callable[[Sequence[ChatMessage]], str]

_PROBABILITIES: dict[Label, Entailment] = {
    "entailment": Entailment(0.98, 0.01, 0.01),
    "neutral": Entailment(0.01, 0.98, 0.01),
    "contradiction": Entailment(0.01, 0.01, 0.98),
}


class ScriptedModel:
    """A language model that answers from a script, in order, and keeps what it was asked.

    An entry is an answer, an error to raise, or a function of the messages. When the script has run
    out it fails the test; with ``repeat`` it goes on with its last entry.
    """

    def __init__(
        self, script: Iterable[Scripted], *, name: str = "scripted", repeat: bool = False
    ) -> None:
        self._script = list(script)
        self._repeat = repeat
        self._name = name
        self.calls: list[tuple[ChatMessage, ...]] = []

    @property
    def name(self) -> str:
        return self._name

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        temperature: float | None = None,  # noqa: ARG002
        max_tokens: int | None = None,  # noqa: ARG002
    ) -> str:
        at = len(self.calls)
        self.calls.append(tuple(messages))
        if at >= len(self._script) and not (self._repeat and self._script):
            raise AssertionError(
                f"the script has {len(self._script)} answers; asked {at + 1} times"
            )
        match self._script[min(at, len(self._script) - 1)]:
            case str() as answer:
                return answer
            case BaseException() as error:
                raise error
            case ask:
                return ask(messages)


class FixedEntailment:
    """An entailment model with known answers: from a table, else from a rule, else ``default``. Without a default it
    takes for entailed whatever bears no mark of a value that stands nowhere.

    The table is keyed by ``(premise, hypothesis)``. ``pairs`` keeps what was asked.
    """

    def __init__(
        self,
        table: Mapping[tuple[str, str], Label | Entailment] | None = None,
        *,
        rule: Callable[[str, str], Label | Entailment | None] | None = None,
        default: Label | Entailment | None = None,
        name: str = "fixed",
    ) -> None:
        self._table, self._rule, self._default = table or {}, rule, default
        self._name = name
        self.pairs: list[tuple[str, str]] = []

    @property
    def name(self) -> str:
        return self._name

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        self.pairs.extend(pairs)
        return [self._one(premise, hypothesis) for premise, hypothesis in pairs]

    def _one(self, premise: str, hypothesis: str) -> Entailment:
        found = self._table.get((premise, hypothesis))
        if found is None and self._rule is not None:
            found = self._rule(premise, hypothesis)
        found = self._default if found is None else found
        if found is None:
            found = "neutral" if NOWHERE in hypothesis else "entailment"
        return found if isinstance(found, Entailment) else _PROBABILITIES[found]


def claim_verdict(
    text: str = "The total was $5.", score: float | None = 0.95, **fields: Any
) -> ClaimVerdict:
    """A claim as Stage 2 hands it on. Without a status it is supported or unsupported by its score."""
    evidence = fields.pop("evidence", ())
    if "status" not in fields:
        fields["status"] = (
            "unchecked" if score is None else "supported" if score >= 0.6 else "unsupported"
        )
    spans = tuple(
        span if isinstance(span, EvidenceSpan) else EvidenceSpan(source="tool_result", text=span)
        for span in evidence
    )
    defaults: dict[str, Any] = {"critical": True, "start": 0, "end": len(text)}
    return ClaimVerdict(text=text, score=score, evidence_spans=spans, **{**defaults, **fields})


def report_of(
    *claims: ClaimVerdict,
    answer: str | None = None,
    calls: Sequence[ToolCallValidation] = (),
    **fields: Any,
) -> HallucinationReport:
    """A report on ``claims``, with everything else at its plainest."""
    scored = [c.score for c in claims if c.score is not None and c.status != "exempt"]
    unchecked = sum(c.status == "unchecked" for c in claims)
    judged = len(scored) + unchecked
    defaults: dict[str, Any] = {
        "run_id": "run",
        "answer": " ".join(c.text for c in claims) if answer is None else answer,
        "overall_score": min(scored, default=1.0),
        "nothing_scored": not scored,
        "consistency_probes": (),
        "action": "emit",
        "stages": {"ground": StageState(state="checked")},
        "coverage": Coverage(
            claims=len(claims),
            scored=len(scored),
            exempt=sum(c.status == "exempt" for c in claims),
            unchecked=unchecked,
            share=len(scored) / judged if judged else 1.0,
        ),
    }
    return HallucinationReport(
        claims=claims, tool_call_validations=tuple(calls), **{**defaults, **fields}
    )


@dataclass
class Driven:
    """What came of a scripted agent: what the user saw, which tools ran, what the model was told."""

    sent: str | None = None
    ran: list[ToolCallPart] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    calls: list[Any] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)


async def drive(
    guard: Any, turns: Iterable[Turn], tools: Mapping[str, Callable[..., Any]] | None = None
) -> Driven:
    """A small agent loop under a guard: each turn is a tool call or a draft of the answer.

    It ends with the first draft that is not sent back; ``sent`` is None if the script ends before.
    """
    driven = Driven()
    for turn in turns:
        if isinstance(turn, str):
            answer = await guard.acheck_answer(turn)
            driven.answers.append(answer)
            if answer.action != "revise":
                driven.sent = answer.text
                return driven
            driven.told.append(answer.feedback)
            continue
        call = guard.check_call(turn)
        driven.calls.append(call)
        if not call.run:
            driven.told.append(call.feedback)
            continue
        driven.ran.append(turn)
        arguments = turn.arguments if isinstance(turn.arguments, dict) else {}
        guard.record_result(turn.id, (tools or {})[turn.name](**arguments))
    return driven
