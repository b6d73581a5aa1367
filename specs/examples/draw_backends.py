"""Draws the pictures of a run in other programs: python specs/examples/draw_backends.py mlflow (or phoenix)

Needs playwright, a Chromium (CHROMIUM names one, else the system's), and what tests/records/backends needs for the program. The
run is that of these tests.
"""

from __future__ import annotations

import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from affidavit.records.telemetry import OtlpTelemetry, mlflow, phoenix  # noqa: E402
from affidavit.records.telemetry.sink import EvaluationSink  # noqa: E402
from tests.records.backends.conftest import Told, repair_desk, serve  # noqa: E402

PATIENCE = 120_000
"""Milliseconds that a page may take, on a machine that is busy with other things."""

SETTLES = 5_000
"""Milliseconds after which a page has stopped moving."""


@dataclass(frozen=True)
class Backend:
    """How a program is started, told of a run, and shown. ``{port}`` and ``{home}`` are filled in."""

    command: tuple[str, ...]
    environment: dict[str, str]
    health: str
    sink: Callable[[str], EvaluationSink]
    telemetry: Callable[[str, EvaluationSink], OtlpTelemetry]
    page: Callable[[Told], str]
    ready: str
    """Words that the page shows when it is complete."""
    opened: tuple[tuple[int, int], ...]
    """The places in the window that open the evaluations: their buttons lie under other elements, or have no names."""
    clip: tuple[int, int, int, int]
    """The part of the window that is the trace: left, top, width and height. Around it are the program's own menus."""
    scheme: Literal["light", "dark"]


BACKENDS = {
    "mlflow": Backend(
        command=(
            "-m", "mlflow", "server", "--host", "127.0.0.1", "--port", "{port}", "--workers", "1",
            "--backend-store-uri", "sqlite:///{home}/mlflow.db", "--artifacts-destination", "{home}/artifacts",
        ),
        environment={"MLFLOW_DISABLE_TELEMETRY": "true", "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"},
        health="/health",
        sink=mlflow,
        telemetry=lambda url, sink: OtlpTelemetry(
            url, headers={"x-mlflow-experiment-id": "0"}, service_name="repair-desk", signals=["traces"],
            content=True, timeout=60, sinks=[sink],
        ),
        page=lambda told: f"/#/experiments/0/traces?selectedEvaluationId=tr-{told.trace_id}",
        ready="affidavit.groundedness",
        opened=((1028, 76), (900, 357), (900, 185)),
        clip=(0, 0, 1124, 780),
        scheme="light",
    ),
    "phoenix": Backend(
        command=("-m", "phoenix.server.main", "serve"),
        environment={
            "PHOENIX_PORT": "{port}", "PHOENIX_GRPC_PORT": "{other}", "PHOENIX_HOST": "127.0.0.1",
            "PHOENIX_WORKING_DIR": "{home}", "PHOENIX_TELEMETRY_ENABLED": "false",
        },
        health="",
        sink=phoenix,
        telemetry=lambda url, sink: OtlpTelemetry(
            url, service_name="repair-desk", signals=["traces"], content=True, timeout=60,
            resource={"openinference.project.name": "repair-desk"}, sinks=[sink],
        ),
        page=lambda told: f"/redirects/traces/{told.trace_id}",
        ready="affidavit.check",
        opened=((805, 305), (1507, 306)),
        clip=(402, 46, 1204, 780),
        scheme="dark",
    ),
}  # fmt: skip


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def draw(name: str, chromium: str) -> None:
    """Start the program, tell it of the run, and take its picture."""
    backend = BACKENDS[name]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        port = free_port()
        given = {"port": str(port), "other": str(free_port()), "home": home}
        command = [sys.executable, *(part.format(**given) for part in backend.command)]
        environment = {key: value.format(**given) for key, value in backend.environment.items()}
        url = f"http://127.0.0.1:{port}"
        for _ in serve(command, url + backend.health, environment, Path(home) / "log"):
            sink = backend.sink(url)
            told = repair_desk(backend.telemetry(url, sink))
            assert sink.flush(60)
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
                )
                page = browser.new_page(
                    viewport={"width": 1606, "height": 826}, color_scheme=backend.scheme
                )
                page.set_default_timeout(PATIENCE)
                page.goto(url + backend.page(told))
                page.get_by_text(backend.ready).first.wait_for()
                page.wait_for_timeout(SETTLES)
                for place in backend.opened:
                    page.mouse.click(*place)
                    page.wait_for_timeout(SETTLES)
                left, top, width, height = backend.clip
                page.screenshot(
                    path=HERE / f"{name}.png",
                    clip={"x": left, "y": top, "width": width, "height": height},
                )
                browser.close()


def main() -> None:
    named = (
        os.environ.get("CHROMIUM") or shutil.which("chromium") or sys.exit("no Chromium was found")
    )
    for name in sys.argv[1:] or BACKENDS:
        draw(name, named)


if __name__ == "__main__":
    main()
