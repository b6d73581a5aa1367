"""Seeing a run being judged, as it happens: how long each stage takes, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Literal, Protocol

from affidavit.report import HallucinationReport
from affidavit.trace import RunTrace

Stage = Literal["verify", "ledger", "ground", "probe", "gate"]
Judged = Callable[[HallucinationReport], object]


class Observer(Protocol):
    """What a detector tells of its work: telemetry. It raises nothing and keeps nobody waiting."""

    def run(self, trace: RunTrace) -> AbstractContextManager[Judged]:
        """Around the judging of a run. What is entered is called with the report, where there is one."""
        ...

    def stage(self, name: Stage) -> AbstractContextManager[object]:
        """Around one stage, inside :meth:`run`, maybe in another task or thread."""
        ...


class Unobserved:
    """Nobody looks."""

    def run(self, trace: RunTrace) -> AbstractContextManager[Judged]:  # noqa: ARG002
        return nullcontext(lambda report: None)

    def stage(self, name: Stage) -> AbstractContextManager[object]:  # noqa: ARG002
        return nullcontext()
