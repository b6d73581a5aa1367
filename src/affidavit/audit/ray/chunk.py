"""What passes between the nodes: a few runs of one source, and what came of them."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any, Literal

from affidavit.audit.item import Fault, Item, Judged, JudgedItem
from affidavit.errors import TraceError

Row = dict[str, Any]
COLUMN = "chunk"


@dataclass(frozen=True, slots=True)
class Met:
    """A run by its digest, with what is known of it: its outcome, or that it was judged before."""

    item: JudgedItem
    outcome: Judged | Fault | Literal["known"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Neighbours in one source. Each has a number there, which is the same however often it is read."""

    source: int
    numbers: tuple[int, ...]
    runs: tuple[Item | Met | TraceError, ...]
    at: int
    """Bytes of the source that had been read."""
    end: int | None = None
    """How many runs the source has, in its last chunk."""
    error: str = ""
    """Why no node can do this work: it ends the audit."""

    def row(self) -> Row:
        return {COLUMN: pickle.dumps(self, protocol=5)}


def chunk_of(packed: bytes) -> Chunk:
    """A chunk from its row. What other nodes of the same cluster send is trusted, as Ray itself does."""
    chunk: Chunk = pickle.loads(packed)
    return chunk


def without_content(item: Item) -> JudgedItem:
    """What is sent back of a run: whoever keeps its report needs no more."""
    return JudgedItem(b"", item.file, item.line, item.content())
