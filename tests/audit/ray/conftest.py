"""Two nodes of one processor, on this machine."""

from __future__ import annotations

import sys
from collections.abc import Iterator
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


@dataclass
class Nodes:
    """The cluster, and the module of checks that its workers can import."""

    cluster: Any
    checks: Any

    def other(self) -> Any:
        """A node that is not the one that the command runs on; started where there is none."""
        for node in self.cluster.worker_nodes:
            return node
        return self.cluster.add_node(**SMALL)


@pytest.fixture(scope="session")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    import ray
    from ray.cluster_utils import Cluster

    folder = tmp_path_factory.mktemp("checks")
    (folder / "checks_on_ray.py").write_text(MODULE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        patch.setenv("PYTHONPATH", ":".join(path for path in sys.path if path))
        import checks_on_ray  # type: ignore[import-not-found]

        head = {**SMALL, "include_dashboard": False}
        try:
            cluster = Cluster(initialize_head=True, head_node_args=head)
        except Exception:  # it waits 30 s for the start, which a busy machine may exceed
            cluster = Cluster(initialize_head=True, head_node_args=head)
        found = Nodes(cluster, checks_on_ray)
        found.other()
        ray.init(address=found.cluster.address, log_to_driver=False)
        yield found
        ray.shutdown()
        found.cluster.shutdown()
