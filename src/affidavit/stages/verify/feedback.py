"""What the model is told of a rejected call: every fault, and what to do next."""

from __future__ import annotations

from affidavit.report import CallError, ToolCallValidation

_NEXT = {
    "malformed_arguments": "Send the arguments as one valid JSON object.",
    "unknown_tool": "Call one of the declared tools.",
    "schema": "Correct the arguments to fit the tool's schema.",
    "provenance": "Use only values that the user gave or a tool returned; look the value up with a "
    "tool, or ask the user for it. Do not guess.",
    "repeated_call": "Do not send the same call again.",
}


def call_feedback(validation: ToolCallValidation, *, retries_left: int | None = None) -> str:
    """One message for all faults of a call, to be returned as its result with ``is_error`` set.

    Empty where the call was not rejected.
    """
    if validation.status != "rejected":
        return ""
    lines = [f"The call of {validation.tool} was not run:"]
    lines += [f"- {_where(error)}{error.message}." for error in validation.errors]
    kinds = {error.kind for error in validation.errors}
    lines += [step for kind, step in _NEXT.items() if kind in kinds]
    if retries_left is not None and retries_left <= 0:
        lines.append("No further attempt will be accepted: go on without this call.")
    return "\n".join(lines)


def _where(error: CallError) -> str:
    return f"{error.path}: " if error.path and error.kind == "provenance" else ""
