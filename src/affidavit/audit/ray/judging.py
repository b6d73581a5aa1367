"""The actor that judges: one process of its own, so that a run costs no more here than on one machine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from affidavit import __version__
from affidavit.audit.fleet import Fleet
from affidavit.audit.item import Item
from affidavit.audit.ray.chunk import COLUMN, Chunk, Met, chunk_of, without_content
from affidavit.audit.work import Work
from affidavit.errors import AffidavitError

Batch = dict[str, Any]


class Judging:
    """Judges chunks in a process that loads the model once and outlasts them.

    A run that ends that process or takes too long is told as on one machine; the actor itself is lost only
    with its node, or when somebody ends it, and its chunks are then given to another.
    """

    def __init__(self, work: Work, timeout: float | None, version: str) -> None:
        self._fleet = Fleet(work, 1, timeout)
        self._lacking = _lacking(work, version)

    def __call__(self, batch: Batch) -> Batch:
        """Chunks with what came of their runs; of the runs themselves only the digests go back."""
        return {COLUMN: [self._judged(chunk_of(one)).row()[COLUMN] for one in batch[COLUMN]]}

    def _judged(self, chunk: Chunk) -> Chunk:
        if self._lacking or chunk.error:
            return replace(chunk, numbers=(), runs=(), error=chunk.error or self._lacking)
        given = dict(zip(chunk.numbers, chunk.runs, strict=True))
        left = {id(run): n for n, run in given.items() if isinstance(run, Item)}
        told: dict[int, Any] = {n: run for n, run in given.items() if not isinstance(run, Item)}
        try:
            for item, outcome in self._fleet.run(iter([given[n] for n in left.values()])):  # type: ignore[misc]
                told[left[id(item)]] = Met(without_content(item), outcome)
        except AffidavitError as error:
            return replace(chunk, numbers=(), runs=(), error=str(error))
        return replace(chunk, runs=tuple(told[n] for n in chunk.numbers))

    def __del__(self) -> None:
        self._fleet.end()


def _lacking(work: Work, version: str) -> str:
    """What this node lacks for the work."""
    if version != __version__:
        return (
            f"a node has affidavit {__version__} and not {version}: install the same one everywhere"
        )
    if work.device != "cuda":
        return ""
    try:
        import torch
    except ImportError:
        return "torch is not installed on a node; run there: pip install 'affidavit[torch]'"
    if torch.cuda.is_available():
        return ""
    return "torch finds no GPU on a node: install a build of torch for its CUDA driver there"
