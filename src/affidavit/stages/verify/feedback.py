"""What the model is told of a rejected call: every fault, and what to do next."""

from __future__ import annotations

import re

from affidavit.report import CallError, ToolCallValidation
from affidavit.stages.verify.schema_errors import written

_NEXT = {
    "malformed_arguments": "Send the arguments as one valid JSON object.",
    "unknown_tool": "Call one of the declared tools.",
    "schema": "Correct the arguments to fit the tool's schema.",
    "repeated_call": "Do not send the same call again.",
}
_MEANT = "If the value named is the one you meant, send that. Otherwise look it up"
_LOOK_UP = "Look the value up"
_HEAD = "The call of {} was not run:"
_SAYS_SO = re.compile(r"\A.{0,200}?\bThe call of \S+ was not run:", re.S)
"""Hosts put words of their own before it."""
_OR_ASK = " with a tool, or ask the user for it. Do not guess."


def call_feedback(validation: ToolCallValidation, *, retries_left: int | None = None) -> str:
    """One message for all faults of a call, to be returned as its result with ``is_error`` set.

    Empty where the call was not rejected.
    """
    if validation.status != "rejected":
        return ""
    lines = [_HEAD.format(validation.tool)]
    lines += [f"- {_where(error)}{error.message}." for error in validation.errors]
    kinds = {error.kind for error in validation.errors}
    lines += [step for kind, step in _NEXT.items() if kind in kinds]
    if unknown := [error for error in validation.errors if error.kind == "provenance"]:
        meant = any(error.suggestion for error in unknown)
        lines.append((_MEANT if meant else _LOOK_UP) + _OR_ASK)
    if retries_left is not None and retries_left <= 0:
        lines.append("No further attempt will be accepted: go on without this call.")
    return "\n".join(lines)


def is_call_feedback(text: str) -> bool:
    """Whether a recorded result is the word that the call was not run."""
    return bool(_SAYS_SO.search(text))


def _where(error: CallError) -> str:
    """The argument, where the message does not name it itself."""
    if error.kind != "provenance" or not error.path:
        return ""
    steps = [step.replace("~1", "/").replace("~0", "~") for step in error.path[1:].split("/")]
    return f"`{written(steps)}`: "
