"""How large the page of a report is, and how soon it can be used.

    pip install playwright   (and a Chromium; CHROMIUM names one, else the system's)
    python benchmarks/report_page.py [--claims 200] [--megabytes 1] [--runs 5] [--json FILE]

The run is made up: one result of that many megabytes, as JSON, and claims that each cite places in
it. A page is usable when its script has run (the load event); a claim is answered when its evidence has
been painted. Limits: 3.8 s for a page to be usable ("good" in Lighthouse), 100 ms for an answer to a
click (Nielsen, Usability Engineering, 1993, ch. 5).
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from affidavit import HallucinationReport, RunTrace
from affidavit.records.page import render_page
from affidavit.report import CheckRecord, EvidenceSpan, StageState
from affidavit.testing import claim_verdict, report_of
from affidavit.trace import DataPart, Message, TextPart, ToolCallPart, ToolResultPart

USABLE_MS = 3800
ANSWERED_MS = 100
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]

CLICK = """async (number) => {
  const link = document.getElementById(`ref-${number}`);
  link.scrollIntoView({ block: "center", behavior: "instant" });
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const begun = performance.now();
  link.click();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const shown = document.querySelectorAll(`#claim-${number} .in-place mark.on`).length;
  if (!shown) throw new Error(`claim ${number} shows no evidence`);
  return performance.now() - begun;
}"""


def made_up(claims: int, megabytes: float) -> tuple[HallucinationReport, RunTrace]:
    """A run whose one result has that size, and a report on an answer of that many claims."""
    rng = random.Random(7)
    orders: list[Any] = []
    size = 0
    while size < megabytes * 1_000_000:
        order = {
            "order": f"O-{len(orders):06d}",
            "total_cents": rng.randrange(100, 100_000),
            "status": rng.choice(["paid", "open", "shipped"]),
            "note": " ".join(
                rng.choice("amber birch cedar dune elm fern".split()) for _ in range(12)
            ),
        }
        orders.append(order)
        size += len(json.dumps(order)) + 2
    messages = (
        Message(role="user", parts=(TextPart(text="What became of my orders?"),)),
        Message(role="assistant", parts=(ToolCallPart(id="call_1", name="list_orders"),)),
        Message(role="tool", parts=(ToolResultPart(id="call_1", content=(DataPart(value=orders),)),)),
    )  # fmt: skip
    verdicts, answer = [], ""
    for number, at in enumerate(sorted(rng.sample(range(len(orders)), claims))):
        text = f"Order {orders[at]['order']} is {orders[at]['status']} and cost ${orders[at]['total_cents'] / 100:.2f}."
        spans = [_span(at, name, orders[at][name]) for name in ("order", "status", "total_cents")]
        status = "contradicted" if number % 20 == 7 else "supported"
        checks = tuple(
            CheckRecord(name=name, state="checked" if name == "values" else "skipped",
                        verdict="supports" if name == "values" else None, detail="nothing to say of it")
            for name in ("values", "derived", "citations", "actions", "extremes", "trends", "quotes", "states")
        )  # fmt: skip
        verdicts.append(
            claim_verdict(
                text, 0.02 if status == "contradicted" else 0.9 + number % 10 / 100, status=status, evidence=spans,
                start=len(answer), end=len(answer) + len(text), checks=checks, decided_by="values",
                explanation="its values are proven",
            )
        )  # fmt: skip
        answer += text + "\n"
    stages = {name: StageState(state="checked") for name in ("verify", "ground", "probe", "gate")}
    report = report_of(*verdicts, answer=answer, action="block", stages=stages, reasons=("below",))
    return report, RunTrace(run_id="run", messages=messages, answer=answer)


def _span(at: int, name: str, value: object) -> EvidenceSpan:
    return EvidenceSpan(
        source="tool_result", tool="list_orders", call_id="call_1", message=2,
        pointer=f"/{at}/{name}", text=f"{name.replace('_', ' ')}: {value}",
    )  # fmt: skip


def in_browser(file: Path, claims: int, runs: int) -> dict[str, list[float]]:
    """Milliseconds until the page is usable, and for each answer to a click."""
    from playwright.sync_api import sync_playwright

    named = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if named is None:
        sys.exit("no Chromium was found: install one, or name it in CHROMIUM")
    times: dict[str, list[float]] = {"parsed": [], "usable": [], "answered": []}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=named, args=ARGUMENTS)
        for number in range(runs + 1):
            tab = browser.new_page(viewport={"width": 1280, "height": 900})
            tab.goto(file.as_uri(), wait_until="load")
            timing = tab.evaluate("performance.getEntriesByType('navigation')[0].toJSON()")
            clicks = [tab.evaluate(CLICK, n) for n in range(1, claims + 1, max(1, claims // 20))]
            tab.close()
            if number:  # the first fills the browser's caches
                times["parsed"].append(timing["domInteractive"])
                times["usable"].append(timing["loadEventEnd"])
                times["answered"] += clicks
        browser.close()
    return times


def main() -> int:
    parser = argparse.ArgumentParser(description="Sizes and times the page of a large report.")
    parser.add_argument("--claims", type=int, default=200)
    parser.add_argument("--megabytes", type=float, default=1.0)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    report, trace = made_up(arguments.claims, arguments.megabytes)
    begun = time.perf_counter()
    page = render_page(report, trace).encode()
    rendered = (time.perf_counter() - begun) * 1000
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        file.write_bytes(page)
        times = in_browser(file, arguments.claims, arguments.runs)
    packed = len(gzip.compress(page))
    print(
        f"{arguments.claims} claims, {arguments.megabytes:g} MB of evidence, {os.cpu_count()} cores"
    )
    print(
        f"page {len(page) / 1e6:.2f} MB, {packed / 1e6:.2f} MB gzipped; written in {rendered:.0f} ms"
    )
    print(f"{'ms':10} {'median':>8} {'max':>8} {'limit':>8}")
    for name, limit in (("parsed", None), ("usable", USABLE_MS), ("answered", ANSWERED_MS)):
        taken = times[name]
        told = "" if limit is None else str(limit)
        print(f"{name:10} {statistics.median(taken):8.1f} {max(taken):8.1f} {told:>8}")
    if arguments.json:
        figures = {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "cores": os.cpu_count(),
            "claims": arguments.claims,
            "evidence_mb": arguments.megabytes,
            "page_bytes": len(page),
            "page_bytes_gzipped": packed,
            "written_ms": rendered,
            "ms": {n: {"median": statistics.median(t), "max": max(t)} for n, t in times.items()},
            "limits_ms": {"usable": USABLE_MS, "answered": ANSWERED_MS},
        }
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
