"""What telemetry costs a run: off, on, with a collector that is dead, and with one that hangs.

    python benchmarks/telemetry_overhead.py [--rounds 40] [--json FILE]

One detector checks the same runs (the example runs in specs/examples) in turn under each setting, so
that what else the machine does falls on all alike. ``ratio`` is the median of a round's time over that
of the same round without telemetry; ``cpu`` the same of processor time, which other programs do not
lengthen and which counts what is sent in the background. ``on`` is a collector on this machine that takes
all it is sent; content capture is off, as it is by default.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from affidavit import Detector, RunTrace, load_run
from affidavit.models.entailment.onnx import EmbeddedModel
from affidavit.observer import Observer
from affidavit.records.telemetry import OtlpTelemetry, phoenix

EXAMPLES = Path(__file__).parents[1] / "specs" / "examples"
RUNS = ("invented-price", "anthropic", "openai-chat", "openai-responses", "opentelemetry", "trace")


COLLECTOR = """
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Taking(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *what):
        pass

server = ThreadingHTTPServer(("127.0.0.1", 0), Taking)
print(server.server_port, flush=True)
server.serve_forever()
"""


@contextmanager
def taking() -> Iterator[str]:
    """A collector that takes all, in a process of its own."""
    command = [sys.executable, "-c", COLLECTOR]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        process.terminate()


@contextmanager
def dead() -> Iterator[str]:
    """Where nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
    yield url


@contextmanager
def hanging() -> Iterator[str]:
    """A collector that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=128) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


SETTINGS = {"on": taking, "dead": dead, "hanging": hanging}


def round_of(
    detector: Detector, observer: Observer | None, runs: list[RunTrace]
) -> tuple[float, float]:
    """Milliseconds that one run takes on average, by the clock and of the processor."""
    detector.observer = observer
    begun, worked = time.perf_counter(), time.process_time()
    for run in runs:
        detector.check(run)
    took, work = time.perf_counter() - begun, time.process_time() - worked
    return took * 1000 / len(runs), work * 1000 / len(runs)


def measure(rounds: int) -> dict[str, dict[str, float]]:
    runs = [load_run(EXAMPLES / f"{name}.json") for name in RUNS]
    # Without the cache of scores: a second round would otherwise be answered from the first.
    detector = Detector(entailment=EmbeddedModel(cache=1))
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in ("off", *SETTINGS)}
    with ExitStack() as stack:
        observers: dict[str, OtlpTelemetry | None] = {"off": None}
        for name, collector in SETTINGS.items():
            url = stack.enter_context(collector())
            observers[name] = OtlpTelemetry(url, sinks=[phoenix(url)])
        names = list(observers)
        for number in range(rounds + 2):
            # Each setting comes first, last and after each other as often.
            for name in names[number % 4 :] + names[: number % 4]:
                took = round_of(detector, observers[name], runs)
                if number >= 2:
                    times[name].append(took)
        for observer in observers.values():
            if observer is not None:
                observer.shutdown(0.5)
    return {name: summary(taken, times["off"]) for name, taken in times.items()}


def summary(taken: list[tuple[float, float]], off: list[tuple[float, float]]) -> dict[str, float]:
    def ratio(which: int) -> float:
        return statistics.median(a[which] / b[which] for a, b in zip(taken, off, strict=True))

    return {"ms": statistics.median(took for took, _ in taken), "ratio": ratio(0), "cpu": ratio(1)}


def main() -> int:
    parser = argparse.ArgumentParser(description="Times a run with telemetry and without.")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
    logging.getLogger("affidavit").setLevel(logging.CRITICAL)
    figures = measure(arguments.rounds)
    print(f"{arguments.rounds} rounds of {len(RUNS)} runs, {os.cpu_count()} cores")
    print(f"{'collector':12}{'ms a run':>10}{'ratio':>8}{'cpu':>8}")
    for name, figure in figures.items():
        print(f"{name:12}{figure['ms']:10.2f}{figure['ratio']:8.3f}{figure['cpu']:8.3f}")
    if arguments.json:
        report = {"cores": os.cpu_count(), "rounds": arguments.rounds, "collectors": figures}
        arguments.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
