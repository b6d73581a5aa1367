"""Runs for the clauses: one workshop, one tool, one repair; each test says what is different."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from affidavit import Detector, HallucinationReport, Policy, RunTrace, read_run
from affidavit.models.entailment.protocol import EntailmentModel
from affidavit.models.llm.protocol import LanguageModel
from affidavit.testing import FixedEntailment

REPAIR: dict[str, Any] = {
    "ticket": "RJ-3107",
    "bike": "Fuji Touring, green",
    "status": "ready",
    "ready_since": "2026-05-12",
    "lines": [
        {"item": "brake pads", "amount_cents": 2450},
        {"item": "brake service", "amount_cents": 3800},
    ],
    "total_cents": 6250,
    "closes_at": "18:30",
}
TOOL: dict[str, Any] = {
    "name": "get_repair",
    "description": "Look up a repair by its ticket.",
    "input_schema": {
        "type": "object",
        "properties": {"ticket": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["ticket"],
        "additionalProperties": False,
    },
}
QUESTION = "Is my bike ready, and what do I owe? The ticket is RJ-3107."

Call = tuple[str, Mapping[str, Any] | str, Any]
"""Name of the tool, arguments, and the result (text, or data written as JSON)."""


def run_with(
    answer: str,
    *,
    result: Any = REPAIR,
    calls: Sequence[Call] | None = None,
    user: str = QUESTION,
    system: str = "You answer for a bicycle workshop. Today is 2026-05-13.",
    tools: Sequence[Mapping[str, Any]] | None = (TOOL,),
    is_error: bool = False,
    before: Sequence[Mapping[str, Any]] = (),
) -> RunTrace:
    """A run that asks, calls and answers. Calls are named call_1, call_2, …"""
    given = [("get_repair", {"ticket": "RJ-3107"}, result)] if calls is None else calls
    messages: list[Any] = [*before, {"role": "user", "content": user}]
    for number, (name, args, came) in enumerate(given, 1):
        use = {"type": "tool_use", "id": f"call_{number}", "name": name, "input": args}
        text = came if isinstance(came, str) else json.dumps(came)
        back = {"type": "tool_result", "tool_use_id": f"call_{number}", "content": text}
        messages += [
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": [back | {"is_error": is_error}]},
        ]
    messages.append({"role": "assistant", "content": answer})
    data: dict[str, Any] = {"id": "run-7", "system": system, "messages": messages}
    return read_run(data if tools is None else data | {"tools": list(tools)})


Judge = Callable[..., HallucinationReport]

SUSPICIOUS = 0.95
"""The clauses are tried where one claim in twenty is false, so that a single fault shows in the decision."""


@pytest.fixture
def judge() -> Judge:
    """Judges an answer, or a trace, by the embedded model unless another is given."""

    def judge_(
        answer: str | RunTrace,
        *,
        policy: Mapping[str, Any] | None = None,
        entailment: EntailmentModel | None = None,
        model: LanguageModel | None = None,
        **run: Any,
    ) -> HallucinationReport:
        trace = run_with(answer, **run) if isinstance(answer, str) else answer
        settings = {"prior": SUSPICIOUS, **(policy or {})}
        detector = Detector(Policy.model_validate(settings), entailment=entailment, model=model)
        return detector.check(trace)

    return judge_


@pytest.fixture
def make_run() -> Callable[..., RunTrace]:
    return run_with


@pytest.fixture
def says_neutral() -> FixedEntailment:
    """An entailment model to which nothing follows from anything."""
    return FixedEntailment(default="neutral")
