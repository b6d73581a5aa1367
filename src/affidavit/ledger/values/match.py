"""The outcome of comparing two values."""

from __future__ import annotations

from typing import Literal, TypeAlias

Match: TypeAlias = Literal[
    "same",  # equal in normal form
    "rounded",  # the claim is the evidence as people round it
    "different",  # things of one kind that are not equal
    "incomparable",  # things of different kinds, or not enough said to tell
]
