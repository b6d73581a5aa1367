"""A kind of record: its fields, and what people say about each.

In a phrase ``{S}`` is the subject ("Order W12", "your order", "it") and ``{v}`` the value as said.
``no`` holds what is said where a flag is false, a note is missing or a list lacks something.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from affidavit.training.pairs.kinds import CITIES, Code, Kind, Name

CITY = Name(CITIES)


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """One field of a record: its possible keys, its kind, and what is said of it."""

    keys: Sequence[str]
    kind: Kind
    says: Sequence[str]
    no: Sequence[str] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """A kind of record. ``thing`` is what people call it; ``tools`` return it."""

    thing: str
    tools: Sequence[str]
    identity: Field
    fields: Sequence[Field]
    plural: str = ""


def f(keys: str, kind: Kind, *says: str, no: Sequence[str] = ()) -> Field:
    return Field(keys.split(), kind, says, no)


def identifier(keys: str, pattern: str) -> Field:
    return Field(keys.split(), Code(pattern), ())
