"""What the page calls things: a sign and a word for every status, so that colour never stands alone."""

from __future__ import annotations

from typing import NamedTuple

from affidavit.report import Action, ClaimStatus, ReasonCode, SourceKind


class Look(NamedTuple):
    """A sign, a word, and what it means to somebody who was not there."""

    sign: str
    word: str
    meaning: str


CLAIM: dict[ClaimStatus, Look] = {
    "supported": Look("✓", "supported", "follows from the evidence"),
    "contradicted": Look("✕", "contradicted", "the evidence says otherwise"),
    "unsupported": Look("○", "unsupported", "the evidence does not clearly bear it out"),
    "exempt": Look("–", "exempt", "states nothing that evidence could bear out"),
    "unchecked": Look("?", "unchecked", "could not be checked; not a pass"),
}
CALL: dict[str, Look] = {
    "accepted": Look("✓", "accepted", "fits the tool, and its values are known"),
    "rejected": Look("✕", "rejected", "was not to be run as it stood"),
    "unchecked": Look("?", "unchecked", "could not be checked"),
}
ACTION: dict[Action, Look] = {
    "emit": Look("✓", "Emit", "The answer may go out."),
    "revise": Look("↻", "Revise", "The answer goes back to the model to be corrected."),
    "block": Look("✕", "Block", "The answer must not reach the user."),
}
STATE: dict[str, Look] = {
    "checked": Look("✓", "carried out", ""),
    "skipped": Look("–", "skipped", ""),
    "failed": Look("!", "failed", ""),
}
WITNESS: dict[str, str] = {
    "values": "Values",
    "formulas": "Worked out",
    "rows": "Rows of data",
    "calls": "Calls made",
    "absence": "What is absent",
    "citations": "Sources cited",
    "scope": "Words of the evidence",
    "entailment": "The meaning",
    "checker": "The meaning, read again",
    "cited": "Shown by the answer",
}
"""What the checks of a claim look at."""
REASON: dict[ReasonCode, str] = {
    "contradicts_evidence": "contradicts the evidence",
    "value_not_in_evidence": "a value that the evidence does not hold",
    "meaning_changed": "restates the evidence with its meaning changed",
    "source_not_retrieved": "cites a source that was not retrieved",
    "action_not_performed": "an action that was not performed",
    "false_absence": "says that nothing was found when something was",
    "not_entailed": "does not follow from the evidence",
    "not_cited": "gives no source, in an answer that gives some",
    "not_covered": "covered by no check",
    "check_failed": "a check failed",
}
CALL_ERROR: dict[str, str] = {
    "schema": "a call that does not fit its tool",
    "provenance": "a call with a value that nobody gave",
    "unknown_tool": "a call to a tool that was not declared",
    "malformed_arguments": "a call whose arguments cannot be read",
    "repeated_call": "the same call again",
}
STAGE: dict[str, str] = {
    "verify": "Tool calls verified",
    "ground": "Claims grounded",
    "probe": "Asked again",
    "gate": "Decided",
}
SOURCE: dict[SourceKind, str] = {
    "tool_result": "Result of a tool",
    "user": "What the user said",
    "system": "The system prompt",
    "tool_definition": "A tool's declaration",
    "assistant": "What the assistant said",
}


def count(number: int, one: str, many: str | None = None) -> str:
    """``1 claim``, ``1,204 claims``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
