"""``affidavit gateway``: the guard as a reverse proxy."""

from __future__ import annotations

import argparse
import threading
from contextlib import ExitStack
from pathlib import Path

from affidavit.cli.terminal import error_console, policy_of
from affidavit.cli.tools import read_tools
from affidavit.detector import Detector
from affidavit.errors import MissingExtra
from affidavit.guard import GuardOptions
from affidavit.policy import JudgePolicy, Policy
from affidavit.report import HallucinationReport
from affidavit.runtimes.gateway import Upstreams, gateway
from affidavit.runtimes.own_model import judged_by


def run(arguments: argparse.Namespace) -> int:
    try:
        import uvicorn
    except ImportError as error:
        raise MissingExtra("uvicorn", "gateway") from error
    # What passes here can still be put right, which a recorded run cannot.
    detector = Detector(policy_of(arguments.policy, arguments.judge).live())
    options: GuardOptions = {"shadow": arguments.shadow}
    if arguments.tools:
        options["known_tools"] = read_tools(arguments.tools)
    if arguments.reports:
        options["on_report"] = _Reports(arguments.reports)
    upstreams = Upstreams(arguments.anthropic, arguments.openai)
    with ExitStack() as stack:
        if arguments.log:
            from affidavit.records.runlog import open_log

            options["recorders"] = [stack.enter_context(open_log(arguments.log))]
        app = gateway(
            detector, options, upstreams=upstreams, allow_unguarded=arguments.allow_unguarded
        )
        _announce(arguments, upstreams, detector.policy)
        uvicorn.run(app, host=arguments.host, port=arguments.port, log_level="warning")
    return 0


def _announce(arguments: argparse.Namespace, upstreams: Upstreams, policy: Policy) -> None:
    """Where it listens, where it sends on to, and what it holds answers to."""
    host = f"[{arguments.host}]" if ":" in arguments.host else arguments.host
    first = "a false critical claim is revised first" if policy.on_critical == "revise" else "a false critical claim is blocked at once"  # fmt: skip
    manner = "shadow: nothing is held back" if arguments.shadow else first
    error_console().print(
        f"affidavit gateway at http://{host}:{arguments.port} (health: /health, figures: /metrics)\n"
        f"  sends on to {upstreams.anthropic} (Anthropic), {upstreams.openai} (OpenAI)\n"
        f"  policy {arguments.policy or 'default'}: {policy.task_type}, emit at {policy.emit_threshold:g}, "
        f"block below {policy.block_threshold:g}; {manner}\n"
        f"  {_judge(policy.judge)}"
    )


def _judge(policy: JudgePolicy) -> str:
    off = " (--judge none switches it off)" if policy.asks_own else ""
    return judged_by(policy, own="the model of each request itself") + off


class _Reports:
    """Adds each report to a file, one a line."""

    def __init__(self, file: Path) -> None:
        self._file, self._lock = file, threading.Lock()

    def __call__(self, report: HallucinationReport) -> None:
        with self._lock, self._file.open("a", encoding="utf-8") as out:
            out.write(report.model_dump_json() + "\n")
