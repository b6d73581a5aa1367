"""A connection to a Ray cluster, and what there is in it for the work."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from affidavit.errors import AffidavitError, MissingExtra


@dataclass(frozen=True, slots=True)
class Capacity:
    """What the nodes have together."""

    processors: int
    gpus: int


def check_installed() -> None:
    """Raise MissingExtra where Ray is not there, before anything is begun."""
    _ray()


@contextmanager
def connected(address: str | None = None) -> Iterator[Capacity]:
    """Be connected to the cluster at ``address``, such as ``10.0.0.5:6379``.

    Without one: the cluster that RAY_ADDRESS names or that was started on this machine, or else a new one of this
    machine alone, which ends with the connection. A connection that the process has already is used.
    Raises MissingExtra without Ray, AffidavitError where nothing answers.
    """
    ray = _ray()
    if ray.is_initialized():
        yield _capacity(ray)
        return
    if (address or "").startswith("ray://"):
        raise AffidavitError(
            f"{address}: runs are not read through a Ray client; give this command on a node of the cluster, "
            "with the address HOST:PORT or none"
        )
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        ray.init(address=address or "auto", **quiet)
    except (ConnectionError, ValueError, RuntimeError) as error:
        if address is not None:
            raise AffidavitError(f"no Ray cluster answers at {address!r}: {error}") from error
        ray.init(address="local", include_dashboard=False, **quiet)
    try:
        yield _capacity(ray)
    finally:
        ray.shutdown()


def _capacity(ray: Any) -> Capacity:
    found = ray.cluster_resources()
    return Capacity(int(found.get("CPU", 0)), int(found.get("GPU", 0)))


def _ray() -> Any:
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise MissingExtra("ray[data]", "ray") from error
    return ray
