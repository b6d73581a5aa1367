"""An audit on a cluster: each run reported once, whatever is lost on the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from affidavit.audit.batch import Batch, Summary
from affidavit.audit.item import Fault, Item, Judged
from affidavit.audit.ray.chunk import Chunk, Met
from affidavit.audit.ray.cluster import Capacity
from affidavit.audit.ray.known import Known
from affidavit.audit.ray.pipeline import TRIES, Pipeline
from affidavit.audit.ray.reading import Reading, is_told
from affidavit.audit.sources import Moved, Source, items, size_of
from affidavit.audit.store import Store
from affidavit.audit.work import Work
from affidavit.errors import AffidavitError, TraceError


def audit_on(
    capacity: Capacity,
    files: Sequence[Source],
    store: Store,
    work: Work,
    *,
    actors: int | None = None,
    timeout: float | None = None,
    gpu: bool = False,
    on_fault: Callable[[AffidavitError], None] = lambda error: None,
    moved: Moved = lambda done: None,
    kept: Callable[[], None] = lambda: None,
) -> Summary:
    """Judge what ``files`` hold on the connected cluster, as :func:`~affidavit.audit.batch.audit` does here.

    ``actors`` is how many judge at once (default: the cluster's processors, or its GPUs with ``gpu``; more of them share
    the GPUs); ``kept`` is called after reports were added. Raises AffidavitError where the cluster lacks what the work needs.
    """
    check_able(capacity, work, gpu=gpu)
    actors = actors or (capacity.gpus if gpu else capacity.processors)
    pipeline = Pipeline(work, actors, timeout, capacity.gpus if gpu else 0)
    count = _Count(tuple(files), Batch(store, on_fault), moved, kept)
    known = Known(store.keys())
    count.take(pipeline, Reading(count.files, store.options, known, runs=pipeline.runs))
    if lacking := count.missing():  # one by one: what ended an actor must not take others along
        count.take(pipeline, Reading(count.files, store.options, (), lacking, runs=1))
    count.give_up()
    return count.batch.finish()


def check_able(capacity: Capacity, work: Work, *, gpu: bool) -> None:
    """Raise AffidavitError where the cluster or the policy does not allow what was asked for."""
    if capacity.processors < 1:
        raise AffidavitError("no node of the Ray cluster offers a CPU: start nodes with --num-cpus")
    if not gpu:
        return
    if capacity.gpus < 1:
        raise AffidavitError(
            "--gpu: no node of the Ray cluster offers a GPU; start one with `ray start --num-gpus`, or leave "
            "--gpu out to judge on processors"
        )
    if not work.policy.entailment.startswith("cross-encoder:"):
        raise AffidavitError(
            f"--gpu runs a model with torch, and the policy's entailment is {work.policy.entailment!r}: name "
            'a model there, as in entailment = "cross-encoder:NAME_OR_PATH"'
        )


@dataclass
class _Count:
    """Which runs of which source have been told of. What comes twice counts once."""

    files: tuple[Source, ...]
    batch: Batch
    moved: Moved
    kept: Callable[[], None]
    told: list[bytearray] = field(default_factory=list)
    """By source: a byte a run, 1 once it was told of."""
    ends: dict[int, int] = field(default_factory=dict)
    _at: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.told = [bytearray() for _ in self.files]

    def take(self, pipeline: Pipeline, reading: Reading) -> None:
        """Keep all that a pass over the sources brings."""
        for chunk in pipeline.judged(reading):
            if chunk.error:
                raise AffidavitError(chunk.error)
            self._take(chunk)
            self.kept()

    def _take(self, chunk: Chunk) -> None:
        if chunk.end is not None:
            self.ends[chunk.source] = chunk.end
            self._at[chunk.source] = size_of(self.files[chunk.source])
        self._at[chunk.source] = max(self._at.get(chunk.source, 0), chunk.at)
        self.moved(sum(self._at.values()))
        told = self.told[chunk.source]
        for number, run in zip(chunk.numbers, chunk.runs, strict=True):
            if number >= len(told):
                told.extend(bytes(number + 1 - len(told)))
            if not told[number]:
                told[number] = self._is_settled(run)

    def _is_settled(self, run: Item | Met | TraceError) -> bool:
        match run:
            case TraceError():
                self.batch.fault(run)
            case Met(item, "known"):
                # Alike records can be more than there are reports of: the rest is still to be judged.
                return not self.batch.is_new(item)
            case Met(item, (Judged() | Fault()) as outcome):
                self.batch.keep(item, outcome)
        return True

    def missing(self) -> dict[int, bytes]:
        """The sources that lack runs, with a byte a run: 1 where it was told of."""
        return {
            source: bytes(told)
            for source, told in enumerate(self.told)
            if sum(told) < self.ends.get(source, sum(told) + 1)
        }

    def give_up(self) -> None:
        """Set aside what was lost in every try."""
        for source, told in self.missing().items():
            if source not in self.ends:
                raise AffidavitError(
                    f"{self.files[source]}: whoever read it was lost, again and again: is there memory "
                    "enough on the nodes?"
                )
            for number, run in enumerate(items([self.files[source]])):
                if isinstance(run, Item) and not is_told(told, number):
                    why = f"its worker was lost {2 * TRIES} times"
                    self.batch.keep(run, Fault(why, kind="crash"))
