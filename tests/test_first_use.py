"""The first use of a fresh process, by many threads at once."""

from __future__ import annotations

import subprocess
import sys

MANY = """
import threading
from affidavit import Detector, load_run
from affidavit.testing import FixedEntailment
run, found, start = load_run("specs/examples/trace.json"), [], threading.Barrier(8)
def check():
    start.wait()
    report = Detector(entailment=FixedEntailment()).check(run)
    found.append([claim.status for claim in report.claims])
threads = [threading.Thread(target=check) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert len(found) == 8 and all(one == found[0] for one in found), found
assert "unchecked" not in found[0], found
"""


def test_many_threads_may_begin_together() -> None:
    done = subprocess.run([sys.executable, "-c", MANY], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
