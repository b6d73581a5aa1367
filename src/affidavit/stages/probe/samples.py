"""The answers of one re-ask: asked for once, however often an answer is held against them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from affidavit.models.llm.protocol import LanguageModel
from affidavit.stages.probe.paraphrase import re_ask
from affidavit.trace import RunTrace


@dataclass(frozen=True, slots=True)
class Answers:
    """What came of a re-ask: the usable answers, and what became of the others."""

    usable: tuple[str, ...]
    faults: tuple[str, ...]


class Samples:
    """``count`` samples of the question of ``trace``, over the evidence it holds by now.

    Nothing is asked before the first :meth:`answers`. Several may wait for the answers at once, in one
    event loop; if all of them are cancelled the samples are, too.
    """

    def __init__(
        self,
        trace: RunTrace,
        model: LanguageModel,
        count: int,
        *,
        rejected: frozenset[str] = frozenset(),
    ) -> None:
        self.count = count
        self._trace, self._model, self._rejected = trace, model, rejected
        self._tasks: list[asyncio.Task[str]] = []
        self._waiting = 0

    async def answers(self, timeout: float) -> Answers:
        """The answers that come within ``timeout`` seconds of this call."""
        if not self._tasks:
            self._tasks = [
                asyncio.ensure_future(
                    self._model.complete(re_ask(self._trace, i, rejected=self._rejected))
                )
                for i in range(self.count)
            ]
        self._waiting += 1
        try:
            await asyncio.wait(self._tasks, timeout=timeout)
        finally:
            self._waiting -= 1
            late = [task for task in self._tasks if not task.done()]
            # Who has waited long enough decides without the late ones, and so will the others.
            if not self._waiting:
                for task in late:
                    task.cancel()
                await asyncio.gather(*late, return_exceptions=True)
        return _settled(self._tasks, late, timeout)


def _settled(
    tasks: Sequence[asyncio.Task[str]], late: Sequence[asyncio.Task[str]], timeout: float
) -> Answers:
    usable: list[str] = []
    faults: list[str] = []
    for task in tasks:
        if task in late or not task.done() or task.cancelled():
            faults.append(f"a sample took longer than {timeout:g} s")
        elif (error := task.exception()) is not None:
            faults.append(f"a sample failed: {type(error).__name__}: {error}")
        elif task.result().strip():
            usable.append(task.result())
        else:
            faults.append("a sample was empty")
    return Answers(tuple(usable), tuple(faults))
