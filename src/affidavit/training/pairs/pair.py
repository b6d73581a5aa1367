"""What a training pair is, and how it is made as a run would show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from affidavit.ledger.ledger import Ledger
from affidavit.stages.ground.linking import evidence_of, links_of, premise_of
from affidavit.trace import DataPart, Message, RunTrace, TextPart, ToolCallPart, ToolResultPart

Label: TypeAlias = Literal["entailment", "neutral", "contradiction", "not_entailment"]
"""``not_entailment``: false, and nobody said whether it is contradicted or open."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A premise, a hypothesis and how they stand to each other.

    ``origin`` names the source, ``subject`` what it is about (pairs of one subject stay on one side of a
    split); ``claim`` is the statement as it was written, without link marks.
    """

    premise: str
    hypothesis: str
    label: Label
    origin: str
    subject: str = ""
    claim: str = ""


def shown(
    statement: str, messages: Sequence[Message], label: Label, origin: str, subject: str
) -> Pair:
    """A statement beside what a run of these messages would show with it."""
    trace = RunTrace(run_id=origin, messages=tuple(messages), answer=statement)
    evidence = evidence_of(Ledger.of(trace))
    premise = premise_of(links_of(statement, evidence), evidence)
    return Pair(premise.text, premise.hypothesis, label, origin, subject, statement)


def returned(
    tool: str, value: Any, arguments: Any = None, number: int = 0, *, failed: bool = False
) -> tuple[Message, Message]:
    """A call and its result."""
    call = ToolCallPart(id=str(number), name=tool, arguments={} if arguments is None else arguments)
    result = TextPart(text=value) if isinstance(value, str) else DataPart(value=value)
    returns = ToolResultPart(id=call.id, content=(result,), is_error=failed)
    return Message(role="assistant", parts=(call,)), Message(role="tool", parts=(returns,))
