"""Reading and judging as one stream of Ray Data: actors that load the model once, and as much in flight as they keep up with."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from affidavit import __version__
from affidavit.audit.ray.chunk import COLUMN, Chunk, chunk_of
from affidavit.audit.ray.judging import Judging
from affidavit.audit.ray.reading import Reading
from affidavit.audit.work import Work

TRIES = 2
"""How many actors a chunk may cost in one pass."""
_READERS = 4
_TOGETHER = 32
"""Runs that an actor with a GPU judges side by side: what Stage 2 asks of the model is then hundreds of pairs at a time."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """How chunks of runs are judged: by so many actors, with a processor each and a GPU, or a part of one."""

    work: Work
    actors: int
    timeout: float | None = None
    gpus: int = 0
    """GPUs of the cluster that the actors share; 0 to judge on processors."""

    @property
    def runs(self) -> int:
        """Runs in a chunk."""
        return 2 * _TOGETHER if self.gpus else 16

    def judged(self, reading: Reading) -> Iterator[Chunk]:
        """The chunks of all sources with what came of their runs, in no order.

        A chunk may come twice, and one whose actors were lost again and again does not come.
        """
        from ray.data import DataContext

        context = DataContext.get_current().copy()
        context.enable_progress_bars = False
        context.target_max_block_size = 1  # a block a chunk, so that each goes to whoever is free
        context.target_min_block_size = 1
        context.max_errored_blocks = -1  # found missing, and tried by itself, by whoever counts
        with DataContext.current(context), _quietly():
            batches = self._dataset(reading).iter_batches(
                batch_size=None, batch_format="pyarrow", prefetch_batches=1
            )
            with closing(iter(batches)) as told:
                for batch in told:
                    yield from map(chunk_of, batch[COLUMN].to_pylist())

    def _dataset(self, reading: Reading) -> Any:
        import ray.data

        sources = list(range(len(reading.files)) if reading.lacking is None else reading.lacking)
        readers = min(len(sources), _READERS, self.actors + 1)
        reading_where = _where(reading)
        with warnings.catch_warnings():
            # No other parameter bounds how often a chunk is tried: the extra leaves out the version without this one.
            warnings.filterwarnings("ignore", message=".*ray_remote_args_fn.* is deprecated")
            return (
                ray.data.from_items(sources, override_num_blocks=len(sources))
                # Reading waits for files rather than computes: it must not take an actor's processor.
                .flat_map(
                    reading.rows,
                    num_cpus=0,
                    compute=ray.data.TaskPoolStrategy(size=readers),
                    ray_remote_args_fn=lambda: reading_where,
                )
                .map_batches(
                    Judging,
                    batch_size=1,
                    batch_format="pyarrow",
                    fn_constructor_args=(self._of_one_actor(), self.timeout, __version__),
                    compute=ray.data.ActorPoolStrategy(size=self.actors),
                    num_cpus=1,
                    num_gpus=self._of_a_gpu(),
                    ray_remote_args_fn=lambda: {"max_task_retries": TRIES - 1},
                )
            )

    def _of_one_actor(self) -> Work:
        if not self.gpus:
            return replace(self.work, threads=1)
        device = self.work.device or "cuda"
        return replace(self.work, threads=1, device=device, together=_TOGETHER)

    def _of_a_gpu(self) -> float | None:
        """What part of a GPU an actor takes. Actors are never spread over parts of two."""
        if not self.gpus:
            return None
        return 1 / -(-self.actors // self.gpus)


@contextmanager
def _quietly() -> Iterator[None]:
    """Without Ray Data's own account on the screen; its log files keep it."""
    screens = [
        handler
        for handler in logging.getLogger("ray.data").handlers
        if not hasattr(handler, "baseFilename") and type(handler).__name__ != "SessionFileHandler"
    ]
    levels = [handler.level for handler in screens]
    for handler in screens:
        handler.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for handler, level in zip(screens, levels, strict=True):
            handler.setLevel(level)


def _where(reading: Reading) -> dict[str, Any]:
    """Where reading is done: paths on this node, since another may not have them; URLs anywhere."""
    if not any(isinstance(file, Path) for file in reading.files):
        return {}
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    here = ray.get_runtime_context().get_node_id()
    return {"scheduling_strategy": NodeAffinitySchedulingStrategy(here, soft=False)}
