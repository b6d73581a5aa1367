"""What a family of made pairs draws: a claim, calls over which it holds, and calls near those over which it does not."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Fields: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool and what came back."""

    tool: str
    arguments: Fields
    result: Any
    failed: bool = False
    """The tool reported an error."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A claim about one object: fields of its record over which the claim holds, and fields over which it does not.

    In ``claim``, ``{it}`` stands for the object and ``{its}`` for what is its own.
    """

    kind: str
    """What the object is: "order"."""
    holds: Fields
    fails: Fields
    claim: str
    today: dt.date | None = None
    """The day that the claim counts from; None where it counts from none."""


@dataclass(frozen=True, slots=True)
class Case:
    """A claim, the calls over which it holds and those over which it does not.

    The claim begins as it would within a sentence: in lower case, unless with a name.
    """

    holds: tuple[Call, ...]
    fails: tuple[Call, ...]
    claim: str
    about: tuple[str, ...] = ()
    """The names and identifiers of the one object that the calls are about; none where they are about several."""
    given: tuple[Call, ...] = ()
    """Calls that come before either: what day it is."""
    system: str = ""
    """What the system message says, instead of a call, for the claim to follow."""
    keys: frozenset[str] = field(default=frozenset())
    """The fields that the claim rests on."""


@dataclass(frozen=True, slots=True)
class Family:
    """Cases that differ in the same way."""

    name: str
    draw: Callable[[random.Random], Case]
