"""A real backend on a free port, and an agent's run that is told to it."""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from affidavit import Detector, Guard, HallucinationReport, Policy
from affidavit.records.telemetry import OtlpTelemetry
from affidavit.trace import Message, TextPart, ToolCallPart, ToolDefinition

PATIENCE = 600
"""Seconds that a server has to be there, on a machine that is busy with other things."""


@dataclass(frozen=True)
class Told:
    """A run that was sent: the ids of its trace and of its agent's span, and what came of it."""

    trace_id: str
    span_id: str
    report: HallucinationReport


def serve(
    command: Sequence[str], url: str, environment: Mapping[str, str], log: Path
) -> Iterator[str]:
    """Start a server, wait until it answers at ``url``, and end it afterwards."""
    with log.open("wb") as out:
        server = subprocess.Popen(
            command, env=os.environ | environment, stdout=out, stderr=out, start_new_session=True
        )
        try:
            until = time.monotonic() + PATIENCE
            while not _answers(url):
                if server.poll() is not None or time.monotonic() > until:
                    pytest.fail(f"{command[0]} did not come up:\n{log.read_text()[-4000:]}")
                time.sleep(0.5)
            yield url
        finally:
            os.killpg(server.pid, 15)
            server.wait()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2):
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


@pytest.fixture(scope="session")
def free_port() -> Callable[[], int]:
    def find() -> int:
        with socket.create_server(("127.0.0.1", 0)) as server:
            return int(server.getsockname()[1])

    return find


@pytest.fixture(scope="session")
def tell() -> Callable[[OtlpTelemetry], Told]:
    return repair_desk


def repair_desk(telemetry: OtlpTelemetry) -> Told:
    """An instrumented agent under a guard: a call with an invented ticket, and an answer in which one
    claim is right and one invented. Returns when everything has been sent."""
    tracer = telemetry.tracer_provider.get_tracer("repair-desk")
    question = "What do I owe for RJ-3107, and when can I have it? Write to ida@example.com."
    ask = Message(role="user", parts=(TextPart(text=question),))
    tool = ToolDefinition(
        name="get_repair",
        input_schema={"type": "object", "properties": {"ticket": {"type": "string"}}},
    )
    detector = Detector(Policy(on_critical="revise", max_revisions=1), observer=telemetry)
    guard = Guard(
        detector, run_id="repair-3107", messages=[ask], tools=[tool], recorders=[telemetry]
    )
    with _span(tracer, "invoke_agent repair-desk", "invoke_agent") as agent:
        for number, ticket in enumerate(("RJ-3170", "RJ-3107")):
            with _span(tracer, "chat model-x", "chat"):
                call = ToolCallPart(
                    id=f"call_{number}", name="get_repair", arguments={"ticket": ticket}
                )
            if guard.check_call(call).run:
                with _span(tracer, "execute_tool get_repair", "execute_tool"):
                    found = {"ticket": ticket, "price_cents": 6250, "ready_on": "2026-11-24"}
                guard.record_result(call.id, found)
        with _span(tracer, "chat model-x", "chat"):
            answer = "The repair costs $62.50. The spare key is $12 extra."
        decision = guard.check_answer(answer)
        context = agent.get_span_context()
    assert telemetry.flush(60)
    return Told(f"{context.trace_id:032x}", f"{context.span_id:016x}", decision.report)


@contextmanager
def _span(tracer: object, name: str, operation: str) -> Iterator[object]:
    with tracer.start_as_current_span(name) as span:  # type: ignore[attr-defined]
        span.set_attribute("gen_ai.operation.name", operation)
        yield span
