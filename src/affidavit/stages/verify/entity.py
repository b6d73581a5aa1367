"""A value among the arguments of a call that stands for one existing thing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from affidavit.stages.verify.leaves import Path

Kind = Literal["url", "email", "phone", "handle", "path", "id", "value", "date", "person"]


@dataclass(frozen=True, slots=True)
class Entity:
    """A value that must be known, and where it stands in the arguments."""

    path: Path
    name: str
    value: str
    kind: Kind
