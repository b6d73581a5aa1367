"""Writers that are killed, and writers side by side: nothing is lost and the chain is one."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from affidavit.errors import LogError
from affidavit.records.runlog import RunLog, open_log
from affidavit.records.runlog.chain import verify
from affidavit.records.runlog.lines import from_line
from affidavit.testing import claim_verdict, report_of

WRITER = Path(__file__).with_name("writer.py")
KILLS = 8
LARGE = 1_000_000
"""Characters: more than one system call writes, so that a kill can find half a record."""


@contextmanager
def writer(address: str, name: str, count: int, size: int = 10) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, str(WRITER), address, name, str(count), str(size)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield process


def killed_writer(address: str, name: str, wait: random.Random) -> dict[int, str]:
    """Run a writer and kill it in its work; what it told to be kept, by number."""
    with writer(address, name, 10_000, LARGE) as process:
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(2)]  # it is at work by now
        time.sleep(wait.random() * 0.05)
        process.send_signal(signal.SIGKILL)
        told += process.stdout.read().splitlines()
    numbers = [int(line) for line in told if line.strip()]
    return {seq: f"{name}-{number}" for number, seq in enumerate(numbers)}


@pytest.mark.spec("AFF-1202")
def test_what_was_acknowledged_outlives_a_killed_writer(address: str) -> None:
    wait = random.Random(8)
    told: dict[int, str] = {}
    for kill in range(KILLS):
        told |= killed_writer(address, f"writer{kill}", wait)
        with open_log(address) as log:
            found = log.verify()
            assert found.ok, found.faults
            kept = {entry.seq: entry.run_id for entry in log.search()}
            assert told.items() <= kept.items()
            # PostgreSQL may commit what the killed writer had sent between the two readings.
            assert 0 <= len(kept) - found.records <= 1
            # Of what was not acknowledged, at most the last record of each writer is there.
            assert len(kept) - len(told) <= kill + 1
    with open_log(address) as log:
        log.report(report_of())
        assert all(len(record.report().answer) in (0, LARGE + 13) for record in log.records())
        assert log.verify().ok


@pytest.mark.spec("AFF-1202")
@pytest.mark.parametrize("left", [1, 9, 10, 40, -2, -1])
def test_half_a_line_is_cut_by_the_next_writer(tmp_path: Path, left: int) -> None:
    path = tmp_path / "runs.jsonl"
    with open_log(f"jsonl:{path}") as log:
        log.report(report_of(run_id="a"))
        log.report(report_of(run_id="b"))
    first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + second[:left])
    with open_log(f"jsonl:{path}") as log:
        assert [entry.run_id for entry in log.search()] == ["a"]
        assert log.anchor() == next(iter(log.search())).anchor
        log.report(report_of(run_id="c"))
        assert [entry.run_id for entry in log.search()] == ["a", "c"]
        assert log.verify().ok


def test_what_no_log_wrote_is_not_cut(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    with open_log(f"jsonl:{path}") as log:
        log.report(report_of())
    path.write_bytes(path.read_bytes() + b"and a note")
    with open_log(f"jsonl:{path}") as log, pytest.raises(LogError, match="no record"):
        log.report(report_of())
    assert path.read_bytes().endswith(b"and a note")


@pytest.mark.spec("AFF-1205")
def test_processes_and_threads_append_to_one_chain(address: str) -> None:
    each = 25
    with open_log(address) as log:
        threads = [
            threading.Thread(target=append, args=(log, f"thread{n}", each)) for n in range(3)
        ]
        with writer(address, "process0", each) as a, writer(address, "process1", each) as b:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            for process in (a, b):
                process.communicate()
        assert (a.returncode, b.returncode) == (0, 0)
        names = [entry.run_id for entry in log.search()]
        writers = ("process0", "process1", "thread0", "thread1", "thread2")
        assert sorted(names) == sorted(f"{w}-{n}" for w in writers for n in range(each))
        # Each writer's own records are in the order in which it wrote them.
        for name in writers:
            own = [run for run in names if run.startswith(name)]
            assert own == [f"{name}-{n}" for n in range(each)]
        assert log.verify().ok


def append(log: RunLog, name: str, count: int) -> None:
    for number in range(count):
        log.report(report_of(claim_verdict(), run_id=f"{name}-{number}"))


def test_a_log_opened_before_a_fork_serves_the_child(address: str) -> None:
    import multiprocessing

    with open_log(address) as log:
        log.report(report_of(run_id="parent"))
        child = multiprocessing.get_context("fork").Process(target=append, args=(log, "child", 3))
        child.start()
        child.join()
        assert child.exitcode == 0
        log.report(report_of(run_id="parent again"))
        names = [entry.run_id for entry in log.search()]
        assert names == ["parent", "child-0", "child-1", "child-2", "parent again"]
        assert log.verify().ok


@pytest.mark.postgres
def test_a_connection_that_was_lost_is_opened_again(postgres: str) -> None:
    import psycopg

    with open_log(postgres) as log, psycopg.connect(postgres, autocommit=True) as other:
        log.report(report_of(run_id="before"))
        others = "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
        other.execute(
            f"SELECT pg_terminate_backend(pid) FROM ({others}) o WHERE pid <> pg_backend_pid()"
        )
        log.report(report_of(run_id="after"))
        assert [entry.run_id for entry in log.search()][-2:] == ["before", "after"]
        assert log.verify().ok


def test_a_log_that_cannot_be_reached_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LogError):
        open_log(tmp_path / "no such folder" / "runs.db")
    with pytest.raises(LogError):
        open_log(f"jsonl:{tmp_path}/no such folder/runs.jsonl")


@pytest.mark.postgres
def test_a_server_that_cannot_be_reached_is_an_error() -> None:
    with pytest.raises(LogError, match="PostgreSQL"):
        open_log("postgresql://nobody@127.0.0.1:1/none")


def test_a_pipe_is_written_and_not_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    lines: list[str] = []
    reader = threading.Thread(target=lambda: lines.extend(pipe.read_text().splitlines()))
    reader.start()
    with open_log(f"jsonl:{pipe}") as log:
        log.report(report_of(run_id="a"))
        log.report(report_of(run_id="b"))
        with pytest.raises(LogError, match="is a pipe"):
            log.verify()
    reader.join()
    assert verify(map(from_line, lines)).ok
    assert [from_line(line).run_id for line in lines] == ["a", "b"]
