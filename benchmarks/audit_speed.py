"""How fast an audit is with one and two processes and on a Ray cluster, how fast its reports are replayed, and in what memory.

    python benchmarks/audit_speed.py [--runs 120] [--rounds 3] [--replayed 5000] [--ray] [--cost] [--json FILE]

The runs are the example runs in specs/examples, over and over, each with its own name, so that no record
is known already; scores are not cached, since real runs do not repeat their claims. One job, two jobs and with --ray two
actors on a cluster of this machine are timed in turn, which of them first changing from round to round, so that what else
the machine does falls on all alike; ``pair`` and ``ray_pair`` are ratios within a round. Starting the processes and loading the model is part of an audit and
is told apart: pace is of the time in which all workers were at work, by their own clocks. Replay is timed from file to file, reading,
deciding and writing included. Memory is the most that a process held (its resident set), of the largest
worker and of the process that gives out the work; a worker on Ray is two processes, the actor and the one in which it judges, and
theirs are told apart (on Linux).

--cost adds what that makes for 10 million runs a day. It is computed, not measured: 10,000,000 / 86,400 is 116 runs a
second without a pause, and workers on several machines add up, since they share nothing but their input and where reports go.
From the measured parts:

- cores = 116 / (runs a second of one worker). How far two on one machine are from twice one is ``pair``, on cores that
  are free: the load before is told, and beyond two workers nothing has been measured.
- memory = the process that gives out the work + cores x the largest worker. Files that are mapped are
  shared, so that this is an upper bound.
- the process that gives out the work and writes the reports is one for each audit: what it costs a run is its
  own processor time over the runs. Where that times the runs a second reaches a whole core, more workers bring nothing; that is
  where the line ends, and a second audit takes half of the files.
- replay: a policy is tried on a day's reports in (claims of 10 million runs) / (verdicts a second) seconds on one core,
  and is divided among machines as the files are.

Longer answers and larger results cost in proportion to their claims: claims a second is told beside runs a second, for
an estimate from one's own runs.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from affidavit.audit.fleet import in_processes
from affidavit.audit.item import Fault, Item
from affidavit.audit.replayed import replay_audit
from affidavit.audit.store import Store
from affidavit.audit.work import Work
from affidavit.detector import Detector
from affidavit.models.entailment.onnx import EmbeddedModel
from affidavit.policy import Policy
from affidavit.records.recording import Check
from affidavit.report import HallucinationReport
from affidavit.trace import RunTrace

EXAMPLES = Path(__file__).parents[1] / "specs" / "examples"
RUNS = ("invented-price", "anthropic", "openai-chat", "openai-responses", "opentelemetry", "trace")
A_DAY = 10_000_000
SECONDS = 86_400
ACTORS = 2
TRIED = Policy(prior=0.9, emit_threshold=0.8)
"""Another rate and another threshold: scores, statuses and the gate all have to be made anew."""


@dataclass(frozen=True, slots=True)
class Pace:
    """One round: what was judged in how many seconds, and how long it took until all workers had judged a run."""

    runs: int
    claims: int
    seconds: float
    start: float
    parent: float
    """Processor seconds of the process that gives out the work."""

    @property
    def runs_a_second(self) -> float:
        return self.runs / self.seconds

    @property
    def claims_a_second(self) -> float:
        return self.claims / self.seconds


def items(number: int, name: str) -> list[Item]:
    """Runs of the examples, each with a name of its own."""
    docs = [json.loads((EXAMPLES / f"{one}.json").read_text(encoding="utf-8")) for one in RUNS]
    return [
        Item(json.dumps(_named(docs[n % len(docs)], f"{name}-{n}")).encode()) for n in range(number)
    ]


def _named(doc: Any, name: str) -> Any:
    return doc | {"run_id": name} if isinstance(doc, dict) else doc


@dataclass(frozen=True, slots=True)
class Stamped:
    """Makes a detector that reads each claim anew, and notes in ``folder`` when it was done with each run.

    Workers import it by its name.
    """

    folder: Path

    def __call__(self, work: Work) -> Check:
        check = Detector(work.policy, entailment=EmbeddedModel(threads=1, cache=1)).check

        def stamped(trace: RunTrace) -> HallucinationReport:
            report = check(trace)
            with (self.folder / str(os.getpid())).open("a", encoding="utf-8") as file:
                file.write(f"{time.time()} {len(report.claims)}\n")
            return report

        return stamped


def pace_of(folder: Path, begun: float, parent: float) -> Pace:
    """The pace while all workers were at work: since the last of them had its first run, until the first ran out.

    ``begun`` is when the audit began, ``parent`` what a run cost the process that gave out the work.
    """
    workers = [
        [(float(at), int(claims)) for at, claims in map(str.split, file.read_text().splitlines())]
        for file in folder.iterdir()
    ]
    start = max(stamps[0][0] for stamps in workers)
    end = min(stamps[-1][0] for stamps in workers)
    within = [claims for stamps in workers for at, claims in stamps if start < at <= end]
    return Pace(len(within), sum(within), end - start, start - begun, parent * len(within))


def audited(jobs: int, runs: list[Item], out: Path) -> Pace:
    """Judge runs in so many processes, and keep what comes of it as an audit does."""
    stamps = out.with_suffix(".stamps")
    stamps.mkdir()
    work = Work(policy=Policy(), make=Stamped(stamps))
    store = Store(out, work)
    begun, worked = time.time(), list[float]()
    try:
        for item, outcome in in_processes(iter(runs), work, jobs=jobs):
            if isinstance(outcome, Fault):
                raise SystemExit(f"a run could not be judged: {outcome.message}")
            store.add(item, outcome)
            worked.append(time.process_time())
    finally:
        store.close()
    return pace_of(stamps, begun, (worked[-1] - worked[0]) / (len(worked) - 1))


@dataclass
class Workers:
    """The most memory that workers on Ray held, in MiB, as far as this machine tells."""

    actor: float = 0.0
    judge: float = 0.0

    def look(self) -> None:
        """Take the peaks that the processes have had until now."""
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                parent = stat.read_text().rpartition(")")[2].split()[1]
                if "ray::MapWorker" in Path(f"/proc/{parent}/cmdline").read_text():
                    self.judge = max(self.judge, _held(stat.parent))
                    self.actor = max(self.actor, _held(Path(f"/proc/{parent}")))
            except (OSError, UnicodeDecodeError):
                continue  # it ended meanwhile


def _held(process: Path) -> float:
    lines = (process / "status").read_text().splitlines()
    return next((int(line.split()[1]) / 2**10 for line in lines if line.startswith("VmHWM")), 0.0)


def audited_on_ray(runs: list[Item], out: Path, workers: Workers) -> Pace:
    """The same with two actors of Ray."""
    from affidavit.audit.ray.audit import audit_on
    from affidavit.audit.ray.cluster import connected

    given, stamps = out.with_suffix(".runs.jsonl"), out.with_suffix(".stamps")
    given.write_bytes(b"".join(run.raw + b"\n" for run in runs))
    stamps.mkdir()
    # By its name in this folder: the processes of the actors import it.
    work = Work(policy=Policy(), make=importlib.import_module("audit_speed").Stamped(stamps))
    store = Store(out, work)
    begun, worked, looking = time.time(), list[tuple[float, int]](), 0.0

    def kept() -> None:
        nonlocal looking
        began = time.process_time()
        workers.look()
        (reports,) = store.db.execute("SELECT COUNT(*) FROM runs").fetchone()
        worked.append((began - looking, reports))
        looking += time.process_time() - began

    try:
        with connected() as capacity:
            audit_on(capacity, [given], store, work, actors=ACTORS, on_fault=_stop, kept=kept)
    finally:
        store.close()
    (first, before), (last, after) = worked[0], worked[-1]
    return pace_of(stamps, begun, (last - first) / (after - before))


def _stop(error: Exception) -> None:
    raise SystemExit(f"a run could not be judged: {error}")


def replayed(source: Path, folder: Path, copies: int) -> tuple[int, int, float]:
    """Replay a file of so many reports: reports, claims, seconds."""
    lines = source.read_text(encoding="utf-8").splitlines()
    many = folder / "many.jsonl"
    claims = 0
    with many.open("w", encoding="utf-8") as file:
        for n in range(copies):
            report = json.loads(lines[n % len(lines)]) | {"run_id": f"copy-{n}"}
            claims += len(report["claims"])
            file.write(json.dumps(report) + "\n")
    begun = time.perf_counter()
    _, store = replay_audit(many, folder / "tried.jsonl", TRIED, folder=False)
    took = time.perf_counter() - begun
    store.close()
    return copies, claims, took


def peak(who: int) -> float:
    """The most memory held, in MiB."""
    most = resource.getrusage(who).ru_maxrss
    return most / (2**20 if sys.platform == "darwin" else 2**10)


def measure(runs: int, rounds: int, copies: int, *, ray: bool = False) -> dict[str, Any]:
    workers = Workers()
    timed: dict[str, Callable[[list[Item], Path], Pace]] = {
        "1": lambda given, out: audited(1, given, out),
        "2": lambda given, out: audited(2, given, out),
    }
    if ray:
        timed["ray"] = lambda given, out: audited_on_ray(given, out, workers)
    paces: dict[str, list[Pace]] = {name: [] for name in timed}
    replays: list[tuple[int, int, float]] = []
    load = os.getloadavg()[0]
    memory: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(rounds):
            names = list(timed)
            first = number % len(names)
            for one in (*names[first:], *names[:first]):
                out = folder / f"{number}-{one}.jsonl"
                paces[one].append(timed[one](items(runs, f"{number}-{one}"), out))
                if not paces.get("ray"):  # Ray's own processes are children too, and no workers
                    memory["worker_mib"] = peak(resource.RUSAGE_CHILDREN)
                    memory["parent_mib"] = peak(resource.RUSAGE_SELF)
        if ray:
            memory |= {
                "ray_actor_mib": workers.actor,
                "ray_judge_mib": workers.judge,
                "ray_parent_mib": peak(resource.RUSAGE_SELF),
            }
        for number in range(rounds):
            within = folder / f"replay-{number}"
            within.mkdir()
            replays.append(replayed(folder / "0-1.jsonl", within, copies))
        memory["after_replay_mib"] = peak(resource.RUSAGE_SELF)
    pairs = {"pair": ("2", "1"), **({"ray_pair": ("ray", "2")} if ray else {})}
    return {
        "cores": os.cpu_count(),
        "cores_are_shared": load > 0.5,
        "load_before": load,
        "runs": runs,
        "rounds": rounds,
        "audit": {jobs: _audit(taken) for jobs, taken in paces.items()},
        **{
            name: spread([b.runs_a_second / a.runs_a_second for b, a in zip(paces[of], paces[over], strict=True)])
            for name, (of, over) in pairs.items()
        },
        "replay": {
            "reports": copies,
            "reports_a_second": spread([n / took for n, _, took in replays]),
            "verdicts_a_second": spread([claims / took for _, claims, took in replays]),
        },
        "memory": memory,
    }  # fmt: skip


def _audit(taken: list[Pace]) -> dict[str, Any]:
    told: dict[str, Callable[[Pace], float]] = {
        "runs_a_second": lambda pace: pace.runs_a_second,
        "claims_a_second": lambda pace: pace.claims_a_second,
        "start_seconds": lambda pace: pace.start,
        "parent_milliseconds_a_run": lambda pace: 1000 * pace.parent / pace.runs,
    }
    figures = {name: spread([read(pace) for pace in taken]) for name, read in told.items()}
    return {**figures, "rounds": [asdict(pace) for pace in taken]}


def spread(values: list[float]) -> dict[str, float]:
    return {"min": min(values), "median": statistics.median(values), "max": max(values)}


def day(told: dict[str, Any]) -> dict[str, dict[str, float]]:
    """What 10 million runs a day take, computed from the parts: in processes, and on Ray where that was measured."""
    memory = told["memory"]
    found = {"jobs": _of_day(told, "1", 1, memory["worker_mib"], memory["parent_mib"])}
    if "ray" in told["audit"]:
        worker = memory["ray_actor_mib"] + memory["ray_judge_mib"]
        found["ray"] = _of_day(told, "ray", ACTORS, worker, memory["ray_parent_mib"])
    return found


def _of_day(
    told: dict[str, Any], name: str, workers: int, worker_mib: float, parent_mib: float
) -> dict[str, float]:
    figures = told["audit"][name]
    needed = A_DAY / SECONDS
    claims = figures["claims_a_second"]["median"] / figures["runs_a_second"]["median"]
    parent = figures["parent_milliseconds_a_run"]["median"] / 1000
    cores = workers * needed / figures["runs_a_second"]["median"]
    return {
        "runs_a_second": needed,
        "cores": cores,
        "memory_mib": parent_mib + cores * worker_mib,
        "runs_a_second_where_one_audit_ends": 1 / parent if parent else float("inf"),
        "replay_minutes": A_DAY * claims / told["replay"]["verdicts_a_second"]["median"] / 60,
    }


NAMES = {"1": "1 job", "2": "2 jobs", "ray": "2 Ray actors"}


def table(told: dict[str, Any]) -> Iterator[str]:
    yield f"{told['rounds']} rounds of {told['runs']} runs, {told['cores']} cores{' shared with other work' if told['cores_are_shared'] else ''}, load {told['load_before']:.1f} before"
    yield f"{'':34}{'min':>10}{'median':>10}{'max':>10}"
    for jobs, figures in told["audit"].items():
        for name, what in (
            ("runs_a_second", "runs a second"),
            ("claims_a_second", "claims a second"),
            ("start_seconds", "seconds until all are at work"),
            ("parent_milliseconds_a_run", "parent's ms a run"),
        ):
            yield _line(f"{NAMES[jobs]}: {what}", figures[name])
    yield _line("2 jobs over 1, within a round", told["pair"])
    if "ray_pair" in told:
        yield _line("2 actors over 2 jobs, likewise", told["ray_pair"])
    yield _line("replay: reports a second", told["replay"]["reports_a_second"])
    yield _line("replay: verdicts a second", told["replay"]["verdicts_a_second"])
    memory = told["memory"]
    yield (
        f"peak memory: {memory['worker_mib']:.0f} MiB the largest worker, {memory['parent_mib']:.0f} MiB "
        f"the process that gives out work, {memory['after_replay_mib']:.0f} MiB after replaying"
    )
    if "ray_actor_mib" in memory:
        yield (
            f"a worker on Ray: {memory['ray_actor_mib']:.0f} MiB the actor and {memory['ray_judge_mib']:.0f} MiB "
            f"the process in which it judges; {memory['ray_parent_mib']:.0f} MiB the process that gives out work"
        )
    for name, of_day in told.get("ten_million_a_day", {}).items():
        yield (
            f"10 million runs a day, computed, {'on Ray' if name == 'ray' else 'in processes'}: "
            f"{of_day['runs_a_second']:.0f} runs a second, {of_day['cores']:.0f} cores, "
            f"{of_day['memory_mib'] / 1024:.0f} GiB at most; one audit's line ends at "
            f"{of_day['runs_a_second_where_one_audit_ends']:.0f} runs a second; replayed in "
            f"{of_day['replay_minutes']:.0f} minutes on one core"
        )


def _line(name: str, told: dict[str, float]) -> str:
    return f"{name:34}{told['min']:>10.2f}{told['median']:>10.2f}{told['max']:>10.2f}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Times audits with one and two jobs and on Ray, and replay."
    )
    parser.add_argument("--runs", type=int, default=120)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--replayed", type=int, default=5000)
    parser.add_argument("--ray", action="store_true", help="two actors of a Ray cluster too")
    parser.add_argument("--cost", action="store_true", help="what 10 million runs a day take")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    told = measure(arguments.runs, arguments.rounds, arguments.replayed, ray=arguments.ray)
    if arguments.cost:
        told["ten_million_a_day"] = day(told)
    for line in table(told):
        print(line)
    if arguments.json:
        arguments.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
