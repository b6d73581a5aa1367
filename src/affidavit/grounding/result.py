"""A tool's result as the model should get it: what became of the call, what to do now, and the content."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_serializer, model_validator
from pydantic_core import to_jsonable_python

from affidavit.grounding import instructions
from affidavit.grounding.faults import Fault, FaultKind
from affidavit.ledger.grounded import CONTENT, ENVELOPE, ERROR_STATES, ResultState


class GroundedResult(BaseModel):
    """One of the four states, each with its instruction to the model.

    As text (``str``) and as JSON it is an envelope, ``{"grounding": {…}, "content": …}``, which the
    ledger knows again in a recorded run. ``detail`` is for logs alone: it is in neither, nor in the
    ``repr``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    state: ResultState
    source: str
    """The tool or knowledge base that was asked."""
    instruction: str = Field(min_length=1)
    content: JsonValue = None
    """What was found; None unless something was."""
    query: str | None = None
    """What was asked for, where nothing was found."""
    score: float | None = None
    """Relevance of the best of it, where the tool measures that."""
    warnings: tuple[str, ...] = ()
    """What the user should be told about it, such as that a source is old."""
    fault: FaultKind | None = None
    retry_after: float | None = Field(default=None, ge=0)
    """Seconds to wait before the next call."""
    detail: str = Field(default="", repr=False)

    @model_validator(mode="after")
    def _holds_together(self) -> GroundedResult:
        if (self.fault is not None) != (self.state == "technical_error"):
            raise ValueError("a technical error, and nothing else, has a fault")
        if self.is_error and self.content is not None:
            raise ValueError(f"a result that is {self.state} has no content")
        return self

    @property
    def is_error(self) -> bool:
        """Whether there is nothing to answer from, as protocols flag it."""
        return self.state in ERROR_STATES

    @model_serializer
    def envelope(self) -> dict[str, JsonValue]:
        """The result as JSON, for the model and for the record of the run."""
        said: dict[str, JsonValue] = {
            "state": self.state,
            "is_error": self.is_error,
            "source": self.source,
            "instruction": self.instruction,
        }
        if self.query is not None:
            said["query"] = self.query
        if self.score is not None:
            said["score"] = round(self.score, 4)
        if self.warnings:
            said["warnings"] = list(self.warnings)
        if self.fault is not None:
            said["error"] = self.fault
        if self.retry_after is not None:
            wait = self.retry_after
            said["retry_after_seconds"] = int(wait) if wait.is_integer() else wait
        return {ENVELOPE: said} if self.is_error else {ENVELOPE: said, CONTENT: self.content}

    def __str__(self) -> str:
        return json.dumps(self.envelope(), ensure_ascii=False)


def success(
    content: object, *, source: str, score: float | None = None, warnings: Sequence[str] = ()
) -> GroundedResult:
    """Something was found that answers."""
    return GroundedResult(
        state="success", source=source, content=as_json(content), score=score,
        instruction=_with(instructions.SUCCESS, warnings), warnings=tuple(warnings),
    )  # fmt: skip


def low_relevance(
    content: object,
    *,
    source: str,
    score: float | None = None,
    warnings: Sequence[str] = (),
    detail: str = "",
) -> GroundedResult:
    """Something was found that may not be what was asked for."""
    return GroundedResult(
        state="low_relevance", source=source, content=as_json(content), score=score, detail=detail,
        instruction=_with(instructions.LOW_RELEVANCE, warnings), warnings=tuple(warnings),
    )  # fmt: skip


def not_found(*, source: str, query: str | None = None, detail: str = "") -> GroundedResult:
    """The source was asked, for ``query`` where that is known, and has nothing."""
    return GroundedResult(
        state="not_found", source=source, query=query, instruction=instructions.NOT_FOUND,
        detail=detail,
    )  # fmt: skip


def technical_error(
    kind: FaultKind, *, source: str, retry_after: float | None = None, detail: str = ""
) -> GroundedResult:
    """The source could not be asked, which says nothing about what it has."""
    return GroundedResult(
        state="technical_error", source=source, fault=kind, retry_after=retry_after, detail=detail,
        instruction=instructions.of_fault(kind, retry_after),
    )  # fmt: skip


def of_fault(fault: Fault, *, source: str, query: str | None = None) -> GroundedResult:
    """A failed call; one that failed because the thing is not there is ``not_found``."""
    if fault.kind is None:
        return not_found(source=source, query=query, detail=fault.detail)
    return technical_error(
        fault.kind, source=source, retry_after=fault.retry_after, detail=fault.detail
    )


def as_json(content: object) -> Any:
    """Content as JSON; what JSON has no form for as its text."""
    # NaN has none: it would make the whole result unreadable for strict parsers.
    return to_jsonable_python(content, fallback=_plain, inf_nan_mode="null")


def _plain(value: object) -> object:
    """What a client library's object says of itself as a mapping, or as text."""
    if isinstance(mapping := getattr(value, "_mapping", None), Mapping):  # a row of SQLAlchemy
        return dict(mapping)
    told = getattr(value, "to_dict", None)
    try:
        return told() if callable(told) and not isinstance(value, type) else str(value)
    except Exception:  # it wants arguments, or fails
        return str(value)


def _with(instruction: str, warnings: Sequence[str]) -> str:
    return " ".join([instruction, "Tell the user:", *warnings]) if warnings else instruction
