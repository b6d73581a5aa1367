"""Two nodes of one processor, on this machine."""

from __future__ import annotations

import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any

import pytest

# In a file of its own: other processes must be able to import what they are to do.
MODULE = """
import os, signal, time
from pathlib import Path
from affidavit.testing import claim_verdict, report_of

def make(work):
    return check

def check(trace):
    match trace.answer.split():
        case ["poison"]:
            os.kill(os.getpid(), signal.SIGKILL)
        case ["poison", "of", "actors"]:
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(60)
        case ["hang"]:
            time.sleep(60)
        case ["slow", *_]:
            time.sleep(0.05)
        case ["meet", folder, *_]:
            meet(Path(folder))
    told = claim_verdict(trace.answer, explanation=f"{os.getpid()} {os.getppid()}")
    return report_of(told, run_id=trace.run_id)

def meet(folder):
    # The process of another actor is waited for, as long as it may take to start.
    (folder / str(os.getpid())).touch()
    until = time.monotonic() + 120
    while len(list(folder.iterdir())) < 2 and time.monotonic() < until:
        time.sleep(0.05)

def lacking(work):
    from affidavit.errors import PolicyError
    raise PolicyError("there is no such model")
"""


SMALL = {"num_cpus": 1, "object_store_memory": 100 * 2**20}
ALONE = {"include_log_monitor": False, "no_monitor": True, "include_dashboard": False}
"""A node gives up where its agent has not come up within 15 seconds, for which there is no setting: what else would start
beside the agent, and take its processor, is left out."""
PATIENCE, TRYING = 300, 900
"""Seconds that one wait may take, and for which starting is tried again: a busy machine takes its time."""
PATIENT = {
    "RAY_gcs_server_port_wait_time_s": str(PATIENCE),
    "RAY_gcs_server_request_timeout_seconds": str(PATIENCE),
    "RAY_gcs_rpc_server_reconnect_timeout_s": str(PATIENCE),
    "RAY_worker_register_timeout_seconds": str(PATIENCE),
    "RAY_agent_register_timeout_ms": str(1000 * PATIENCE),
    "RAY_health_check_timeout_ms": str(1000 * PATIENCE),
    "RAY_enable_worker_prestart": "0",
    "RAY_prestart_worker_first_driver": "0",
}
"""Ray's own settings of what it waits for, and of what it starts beforehand."""
PAUSE = 10
"""Seconds between two tries, in which what takes the processor may end."""
AGENTS = (
    "metrics_agent_port",
    "metrics_export_port",
    "runtime_env_agent_port",
    "dashboard_agent_listen_port",
)
"""Ports of a node's agents, which it waits to be told where they are not given."""


@dataclass
class Nodes:
    """The cluster, and the module of checks that its workers can import."""

    cluster: Any
    checks: Any

    def other(self) -> Any:
        """A node that is not the one that the command runs on; started where there is none."""
        for node in self.cluster.worker_nodes:
            return node
        return _tried(lambda: _added(self.cluster))


def _tried(start: Callable[[], Any]) -> Any:
    """What comes of a start, which is tried again where it takes too long. What is tested is tried once."""
    until = time.monotonic() + TRYING
    while True:
        try:
            return start()
        except Exception:
            if time.monotonic() > until:
                raise
        time.sleep(PAUSE)


def _free_ports(number: int) -> list[int]:
    with ExitStack() as held:
        taken = [held.enter_context(socket.create_server(("", 0))) for _ in range(number)]
        return [one.getsockname()[1] for one in taken]


def _added(cluster: Any) -> Any:
    ports = dict(zip(AGENTS, _free_ports(len(AGENTS)), strict=True))
    node = cluster.add_node(wait=False, **SMALL, **ALONE, **ports)
    cluster.wait_for_nodes(timeout=PATIENCE)
    return node


def _started(begun: list[Any]) -> Any:
    """A cluster of two nodes, to which this process is connected. ``begun`` holds the nodes that were begun."""
    import ray
    from ray.cluster_utils import Cluster

    cluster = Cluster()
    try:
        _added(cluster)
        _added(cluster)
        ray.init(address=cluster.address, log_to_driver=False)
    except BaseException:
        ray.shutdown()
        # The cluster knows nothing of a node that did not come up, whose processes would slow the next try.
        for node in begun:
            with suppress(Exception):
                node.kill_all_processes(check_alive=False, allow_graceful=False)
        raise
    finally:
        begun.clear()
    return cluster


def _told_where_its_agent_listens(patch: pytest.MonkeyPatch) -> list[Any]:
    """Let nodes not wait for their agents' HTTP ports, which nobody here asks; returns a list of the nodes that are begun.

    Without the packages of its dashboard an agent has no HTTP server and says that its port is -1. A node waits for that word
    for 15 seconds, whatever the settings, and ends where the agent has not been loaded by then. It is said beforehand.
    """
    from ray._private.node import Node
    from ray._raylet import persist_port

    begun: list[Any] = []
    start = Node.start_raylet

    def started(node: Any, *arguments: Any, **options: Any) -> Any:
        begun.append(node)
        persist_port(node.get_session_dir_path(), node.node_id, "dashboard_agent_listen_port", -1)
        return start(node, *arguments, **options)

    patch.setattr(Node, "start_raylet", started)
    return begun


@pytest.fixture(scope="session")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    folder = tmp_path_factory.mktemp("checks")
    (folder / "checks_on_ray.py").write_text(MODULE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in PATIENT.items():
            patch.setenv(name, value)  # before Ray is imported, which reads some of them then
        patch.syspath_prepend(str(folder))
        patch.setenv("PYTHONPATH", ":".join(path for path in sys.path if path))
        import checks_on_ray  # type: ignore[import-not-found]
        import ray

        begun = _told_where_its_agent_listens(patch)
        cluster = _tried(lambda: _started(begun))
        yield Nodes(cluster, checks_on_ray)
        ray.shutdown()
        cluster.shutdown()
