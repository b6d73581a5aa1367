"""Draws the pictures of the pages in the README: python specs/examples/draw_pages.py

Needs playwright and a Chromium (CHROMIUM names one, else the system's), and looks best with the fonts Inter and Noto
Serif installed. The run log is filled with the examples of this folder, over six weeks.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, TypeAlias

from playwright.sync_api import Browser, sync_playwright

from affidavit import Detector, HallucinationReport, Policy, RunTrace, load_run
from affidavit.records.page import render_page
from affidavit.records.page.serve import LogServer
from affidavit.records.runlog import RunLog
from affidavit.records.runlog.sqlite import SqliteStore

Scheme: TypeAlias = Literal["light", "dark"]

HERE = Path(__file__).parent
BOX = HERE / "box-office"
LAST_DAY = datetime(2026, 6, 16, 10, 12, tzinfo=UTC)
DAYS = 42


def box_office() -> tuple[HallucinationReport, RunTrace]:
    report = (BOX / "report.json").read_text(encoding="utf-8")
    trace = (BOX / "run.json").read_text(encoding="utf-8")
    return HallucinationReport.model_validate_json(report), RunTrace.model_validate_json(trace)


def fill(folder: Path) -> RunLog:
    """A log of six weeks; most answers go out."""
    rng = random.Random(11)
    good, bad = load_run(HERE / "anthropic.json"), load_run(HERE / "invented-price.json")
    strict = Policy(prior=0.7)  # at which the invented price is stopped
    revise = strict.model_copy(update={"on_critical": "revise"})
    judged = [
        (Detector(policy).check(run), run)
        for policy, run in ((strict, good), (revise, bad), (strict, bad))
    ]
    at = LAST_DAY
    log = RunLog(SqliteStore(folder / "runs.db"), clock=lambda: at)
    for day in range(DAYS, -1, -1):
        for number in range(rng.randint(4, 17)):
            at = LAST_DAY - timedelta(days=day, minutes=-20 * number)
            report, trace = rng.choices(judged, [14, 2, 1])[0]
            run_id = f"repair-{day:02d}{number:02d}"
            log.report(
                report.model_copy(update={"run_id": run_id}),
                trace.model_copy(update={"run_id": run_id}),
            )
    at += timedelta(minutes=20)
    log.report(*box_office())
    return log


def draw(
    browser: Browser,
    name: str,
    address: str,
    height: int,
    *,
    scheme: Scheme = "light",
    at: str = "",
) -> None:
    """A picture of the page at an address; ``at`` is what is chosen or scrolled to first."""
    page = browser.new_page(
        viewport={"width": 1280, "height": height}, color_scheme=scheme, reduced_motion="reduce"
    )
    page.goto(address)
    if at.startswith("#ref"):
        page.click(at)
    elif at:
        page.locator(at).evaluate("(part) => part.scrollIntoView()")
    page.mouse.move(0, 0)
    page.screenshot(path=HERE / f"{name}.png")
    page.close()


def main() -> None:
    named = (
        os.environ.get("CHROMIUM") or shutil.which("chromium") or sys.exit("no Chromium was found")
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "page.html"
        file.write_text(render_page(*box_office()), encoding="utf-8")
        browser = playwright.chromium.launch(
            executable_path=named, args=["--no-sandbox", "--disable-gpu"]
        )
        page = file.as_uri()
        draw(browser, "report-page", page, 880, at="#ref-7")
        draw(browser, "report-page-dark", page, 900, scheme="dark", at="#gate")
        with fill(Path(folder)) as log, LogServer(log) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            draw(browser, "run-log", f"{server.address}timeline", 640)
            server.shutdown()
        browser.close()


if __name__ == "__main__":
    main()
