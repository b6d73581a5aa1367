"""Stage 3 of an answer that has gone out already."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from affidavit.report import HallucinationReport, StageState


def in_background(
    probing: Coroutine[Any, Any, HallucinationReport],
    report: HallucinationReport,
    done: Callable[[HallucinationReport], None],
) -> asyncio.Task[HallucinationReport]:
    """Run ``probing`` in the event loop that is running, and give ``done`` what came of it.

    The caller keeps the task: the loop itself holds it only weakly. Where it fails, or its loop is closed before, ``done`` is given ``report`` with Stage 3 as failed.
    """

    def settle(task: asyncio.Task[HallucinationReport]) -> None:
        # Called also where the loop was closed before the task began.
        if task.cancelled():
            done(_failed(report, "the event loop was closed"))
        elif (error := task.exception()) is not None:
            done(_failed(report, f"{type(error).__name__}: {error}"))
        else:
            done(task.result())

    task = asyncio.get_running_loop().create_task(probing)
    task.add_done_callback(settle)
    return task


def _failed(report: HallucinationReport, why: str) -> HallucinationReport:
    failed = StageState(state="failed", reason=why)
    return report.model_copy(update={"stages": {**report.stages, "probe": failed}})
