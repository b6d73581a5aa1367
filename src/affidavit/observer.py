"""Seeing a run being judged, as it happens: how long each stage takes, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Literal, Protocol

from affidavit.report import HallucinationReport
from affidavit.trace import RunTrace

Stage = Literal["verify", "ledger", "ground", "judge", "probe", "gate"]
Judged = Callable[[HallucinationReport], object]


class Observer(Protocol):
    """What a detector tells of its work: telemetry. It raises nothing and keeps nobody waiting."""

    def run(self, trace: RunTrace) -> AbstractContextManager[Judged]:
        """Around the judging of a run. What is entered is called with the report, where there is one."""
        ...

    def stage(self, name: Stage) -> AbstractContextManager[object]:
        """Around one stage, inside :meth:`run`, maybe in another task or thread; ``judge`` is a part of ``ground``."""
        ...


class _Nobody:
    """Nobody looks."""

    def run(self, trace: RunTrace) -> AbstractContextManager[Judged]:  # noqa: ARG002
        return nullcontext(lambda report: None)

    def stage(self, name: Stage) -> AbstractContextManager[object]:  # noqa: ARG002
        return nullcontext()


_UNOBSERVED: ContextVar[bool] = ContextVar("affidavit_unobserved", default=False)
_NOBODY = _Nobody()


def observing(observer: Observer | None) -> Observer:
    """The observer, where there is one and it is to look."""
    return _NOBODY if observer is None or _UNOBSERVED.get() else observer


def is_partial() -> bool:
    """Whether what is judged here is an answer that is still being written."""
    return _UNOBSERVED.get()


@contextmanager
def unobserved() -> Iterator[None]:
    """What is judged in here is not told: an answer that is still being written is no answer yet."""
    token = _UNOBSERVED.set(True)
    try:
        yield
    finally:
        _UNOBSERVED.reset(token)
