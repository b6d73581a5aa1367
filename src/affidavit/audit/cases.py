"""Conformance cases: recorded runs whose right verdicts are known.

Cases come in twins, the same run once with a grounded answer and once with one fault in it, so that
flagging everything scores no better than flagging nothing.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from affidavit.errors import TraceError
from affidavit.report import Action


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Expectations(_Model):
    """What must be said of a case's run. Substrings are of its answer, calls are call ids."""

    action: tuple[Action, ...] = ("emit", "revise", "block")
    supported: tuple[str, ...] = ()
    unsupported: tuple[str, ...] = ()
    """Holds for a claim that is unsupported or contradicted."""
    exempt: tuple[str, ...] = ()
    rejected_calls: tuple[str, ...] = ()
    accepted_calls: tuple[str, ...] = ()


class Case(_Model):
    """One run and what a correct detector says of it. Twins share ``pair``."""

    id: str
    pair: str
    twin: Literal["good", "bad", "partial"]
    """``partial`` is a run that was reviewed in part: what was said of it must hold, and it is no good example."""
    family: str
    run: dict[str, Any]
    policy: dict[str, Any] = Field(default_factory=dict)
    expect: Expectations
    note: str = ""


def load_cases(path: str | Path) -> Iterator[Case]:
    """The cases of a JSON Lines file, plain or gzip."""
    file = Path(path)
    opener = gzip.open if file.suffix == ".gz" else open
    try:
        with opener(file, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _case(line, str(file), number)
    except OSError as error:
        raise TraceError(f"cannot be read: {error.strerror or error}", file=str(file)) from error


def _case(line: str, file: str, number: int) -> Case:
    try:
        return Case.model_validate(json.loads(line))
    except json.JSONDecodeError as error:
        raise TraceError(f"not valid JSON: {error}", file=file, line=number) from error
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise TraceError(first["msg"], field=field, file=file, line=number) from error
