"""The answers of one re-ask: asked for once, however often an answer is held against them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from affidavit.models.llm.protocol import LanguageModel
from affidavit.stages.probe.paraphrase import paraphrased, re_ask
from affidavit.thinking import spoken
from affidavit.trace import RunTrace

_FOR_THE_WORDING = 0.3
"""Share of the time allowed that may go by until the question is in other words."""


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
        paraphrase: bool = False,
    ) -> None:
        self.count = count
        self._paraphrase = paraphrase
        self._trace, self._model, self._rejected = trace, model, rejected
        self._tasks: list[asyncio.Task[str]] = []
        self._question: asyncio.Task[str] | None = None
        self._waiting = 0

    async def answers(self, timeout: float) -> Answers:
        """The answers that come within ``timeout`` seconds of this call."""
        if not self._tasks:
            self._question = asyncio.ensure_future(self._asked(timeout * _FOR_THE_WORDING))
            self._tasks = [
                asyncio.ensure_future(self._sample(i, self._question)) for i in range(self.count)
            ]
        self._waiting += 1
        try:
            await asyncio.wait(self._tasks, timeout=timeout)
        finally:
            self._waiting -= 1
            late = [task for task in self._tasks if not task.done()]
            # Who has waited long enough decides without the late ones, and so will the others.
            if not self._waiting:
                over = [*late, *([self._question] if self._question and late else ())]
                for task in over:
                    task.cancel()
                await asyncio.gather(*over, return_exceptions=True)
        return _settled(self._tasks, late, timeout)

    async def _asked(self, timeout: float) -> str:
        """The question as it is asked again."""
        question = self._trace.question
        if not self._paraphrase:
            return question
        try:
            return await asyncio.wait_for(paraphrased(question, self._model), timeout)
        except TimeoutError:
            return question

    async def _sample(self, number: int, question: asyncio.Future[str]) -> str:
        # Shielded: one sample that is given up does not take the question from the others.
        asked = await asyncio.shield(question)
        messages = re_ask(self._trace, number, rejected=self._rejected, question=asked)
        return await self._model.complete(messages)


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
        elif said := spoken(task.result()).text.strip():
            usable.append(said)
        else:
            faults.append("a sample was empty")
    return Answers(tuple(usable), tuple(faults))
