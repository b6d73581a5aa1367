"""A check that ends: with its report, with an error, or when the time that the policy allows is up."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")
GRACE = 1.0
"""Seconds beyond the budget. A detector keeps the budget itself, and reports what it got done by then; this is
for one that does not."""


class CheckFailed(RuntimeError):
    """A check ended otherwise than by a report or an ordinary error."""


async def within_budget(check: Coroutine[Any, Any, T], milliseconds: float | None) -> T:
    """What ``check`` comes to. Raises :class:`CheckFailed` where it takes too long, or ends with what would
    end its caller: a cancellation of its own, an exit.

    Where the caller itself is cancelled, so is the check.
    """
    task = asyncio.ensure_future(_kept_in(check))
    task.add_done_callback(partial(_over, check))
    limit = None if milliseconds is None else milliseconds / 1000 + GRACE
    try:
        # Not wait_for: it would wait for a check that takes no notice of being cancelled.
        done, _ = await asyncio.wait({task}, timeout=limit)
    except asyncio.CancelledError:
        task.cancel()
        raise
    if not done:
        task.cancel()
        raise CheckFailed("the check took longer than the policy allows")
    if task.cancelled():
        raise CheckFailed("the check was cancelled from within")
    outcome = task.result()
    if isinstance(outcome, KeyboardInterrupt):
        raise outcome  # a person has asked for it
    if isinstance(outcome, BaseException):
        raise CheckFailed(f"{type(outcome).__name__}: {outcome}") from outcome
    return outcome


def _over(check: Coroutine[Any, Any, T], task: asyncio.Task[Any]) -> None:
    """What a check raises that nobody waits for any more is no news, nor is one that was never begun."""
    check.close()
    if not task.cancelled():
        task.exception()


async def _kept_in(check: Coroutine[Any, Any, T]) -> T | BaseException:
    """Hands on what would end the loop instead of raising it there."""
    try:
        return await check
    except (SystemExit, KeyboardInterrupt, GeneratorExit) as error:
        return error
