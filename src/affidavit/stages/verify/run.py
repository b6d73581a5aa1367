"""Stage 1 over a recorded run: one walk, each call held against what came before it."""

from __future__ import annotations

from typing import Any

from affidavit.policy import Policy
from affidavit.report import ToolCallValidation
from affidavit.stages.verify.reading import RAN, came_back, reads_by_name
from affidavit.stages.verify.verifier import CallVerifier
from affidavit.trace import Message, RunTrace, ToolCallPart, delegations


def verify_run(trace: RunTrace, policy: Policy | None = None) -> tuple[ToolCallValidation, ...]:
    """The verdict on every call of the run, in order."""
    verifier = CallVerifier(trace.tools, policy, lenient=True)
    final = trace.final_turn_start()
    answered = came_back(trace.messages)
    found: list[ToolCallValidation] = []
    turn_of: list[int] = []
    turn = 0
    delegated = delegations(trace.messages)
    for at, message in enumerate(trace.messages[: _after_last_call(trace)]):
        # A task that the model wrote for an agent under it makes nothing known, and begins no turn.
        role = "assistant" if at in delegated else message.role
        turn += role == "user" and bool(message.text)
        for part in message.parts:
            if isinstance(part, ToolCallPart):
                validation = verifier.check(part)
                update: dict[str, Any] = {"final_turn": at >= final}
                if validation.status == "rejected" and part.id in answered:
                    note = "; ".join(filter(None, (validation.note, RAN)))
                    update |= {"ran": True, "note": note}
                    # What only looked, wherever it got the name from, has done no harm, and what it found is evidence.
                    if all(e.kind == "provenance" for e in validation.errors):
                        update["reads"] = validation.reads or reads_by_name(
                            part.name, part.arguments
                        )
                found.append(validation.model_copy(update=update))
                turn_of.append(turn)
            else:
                verifier.enter(role, part)
        verifier.next_message()
    return tuple(_corrected(found, turn_of))


def _after_last_call(trace: RunTrace) -> int:
    """How many messages can bear on a call: no argument comes from a result that no call follows."""
    calling = (n for n, message in enumerate(trace.messages, 1) if _calls(message))
    return max(calling, default=0)


def _calls(message: Message) -> bool:
    return any(isinstance(part, ToolCallPart) for part in message.parts)


def _corrected(found: list[ToolCallValidation], turn_of: list[int]) -> list[ToolCallValidation]:
    """Name, on each rejected call, the later call of the same turn that put it right."""
    corrected = []
    for i, validation in enumerate(found):
        if validation.status == "rejected":
            later = _correction(found, turn_of, i)
            validation = validation.model_copy(update={"corrected_by": later})
        corrected.append(validation)
    return corrected


def _correction(found: list[ToolCallValidation], turn_of: list[int], at: int) -> str | None:
    meant = {found[at].tool}
    meant |= {e.suggestion for e in found[at].errors if e.kind == "unknown_tool" and e.suggestion}
    for later in range(at + 1, len(found)):
        if turn_of[later] != turn_of[at]:
            return None
        if found[later].status != "rejected" and found[later].tool in meant:
            return found[later].call_id
    return None
