"""Which run a request belongs to: who sent it says so, never what it says.

Two users may ask the same question with the same calls at the same time, so a run is only ever found
by an identity of its own. Where there is none, a request is judged by what it holds and no more.
"""

from __future__ import annotations

import asyncio
import hashlib
import threading
import uuid
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

RUN_HEADER = "x-affidavit-run"
"""The request header that names a run. It is taken off before a request goes to the model API."""

# What callers prove themselves with; one of them never goes on from what another was told.
_CREDENTIALS = ("authorization", "x-api-key", "api-key", "x-goog-api-key")

_named: ContextVar[str | None] = ContextVar("affidavit_run", default=None)
_of_tasks: weakref.WeakKeyDictionary[asyncio.Task[Any], str] = weakref.WeakKeyDictionary()
_of_thread = threading.local()


@dataclass(frozen=True, slots=True)
class Identity:
    """Whose run a request is of. Without a ``run`` it stands by itself."""

    caller: str = ""
    """A digest of the credentials that it came with."""
    run: str | None = None
    named: bool = False
    """Whether the caller named the run. Otherwise ``run`` is the task or thread that asked, which may
    ask for several runs in turn."""


@contextmanager
def run_identity(name: str) -> Iterator[None]:
    """Every guarded request that is sent inside belongs to the run ``name``, in whichever task or thread
    that inherits this context.

    One name stands for one question of one user, up to its answer.
    """
    token = _named.set(name)
    try:
        yield
    finally:
        _named.reset(token)


def identity_of(headers: Mapping[str, str], *, in_process: bool) -> Identity:
    """The identity of a request. ``in_process`` says that its sender is the code that runs here and now,
    so that the task or thread tells apart what has no name."""
    caller = _caller(headers)
    if name := headers.get(RUN_HEADER) or (_named.get() if in_process else None):
        return Identity(caller, f"name:{name}", named=True)
    return Identity(caller, _sender() if in_process else None)


def _caller(headers: Mapping[str, str]) -> str:
    proofs = [f"{name}:{headers[name]}" for name in _CREDENTIALS if headers.get(name)]
    return hashlib.sha256("\n".join(proofs).encode()).hexdigest() if proofs else ""


def _sender() -> str:
    """The task that runs, or the thread where there is none. A task that another starts is another
    sender: what it inherits would be shared by all its brothers."""
    try:
        task = asyncio.current_task()
    except RuntimeError:
        task = None
    if task is not None:
        return _of_tasks.setdefault(task, uuid.uuid4().hex)
    if not hasattr(_of_thread, "name"):
        _of_thread.name = uuid.uuid4().hex
    name: str = _of_thread.name
    return name
