"""The run log in a browser: looking for a run, reading it, overruling a verdict."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from affidavit import HallucinationReport, RunTrace
from affidavit.records.page.serve import LogServer
from affidavit.records.runlog import ReviewKey, RunLog, open_log
from affidavit.testing import claim_verdict, report_of

KEY = ReviewKey(b"a secret that is long enough to be one")


@pytest.fixture
def log(tmp_path: Path, report: HallucinationReport, trace: RunTrace) -> Iterator[RunLog]:
    with open_log(tmp_path / "runs.db") as log:
        for number in range(8):
            hostile = "<img src=x onerror=window.ran=1>" if number == 3 else ""
            claim = claim_verdict(f"The fee is {number} dollars.{hostile}", 0.95)
            log.report(report_of(claim, run_id=f"run-{number}{hostile}"))
        log.report(report, trace)
        yield log


@pytest.fixture
def tab(browser: Browser, log: RunLog) -> Iterator[Page]:
    with LogServer(log, key=KEY, reviewer="Ines") as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        tab = browser.new_page(viewport={"width": 1280, "height": 900}, base_url=server.address)
        complaints: list[str] = []
        tab.on("console", lambda message: complaints.append(message.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        try:
            yield tab
            assert complaints == []
            assert tab.evaluate("window.ran") is None
        finally:
            tab.close()
            server.shutdown()


def test_a_verdict_is_found_read_and_overruled(
    tab: Page, log: RunLog, report: HallucinationReport
) -> None:
    tab.goto("/")
    expect(tab.locator("tbody tr")).to_have_count(9)
    tab.locator('[name="text"]').fill("winter lighthouse")
    tab.get_by_role("button", name="Show").click()
    expect(tab.locator("tbody tr")).to_have_count(1)
    tab.get_by_role("link", name="box-office-48213").click()
    tab.click("#ref-7")
    note = tab.locator("#claim-7")
    expect(note.locator(".in-place mark.on", has_text="18:45").first).to_be_visible()
    note.get_by_text("Review this verdict").click()
    note.locator('[name="verdict"]').select_option("supported")
    note.locator('[name="reason"]').fill("The doors did open at 19:00 that day.")
    note.get_by_role("button", name="Sign").click()
    expect(tab).to_have_url(re.compile(r"/records/9#claim-7$"))
    expect(note.locator(".human")).to_contain_text("Ines says ✓ supported")
    expect(note.locator(".status")).to_contain_text(report.claims[6].status)
    assert KEY.signed(log.get(10).review())
    assert log.verify(keys=[KEY]).ok


def test_the_queue_grows_shorter(tab: Page, report: HallucinationReport) -> None:
    waiting = sum(claim.status == "supported" for claim in report.claims)
    tab.goto("/review?status=supported&run=box-office-48213")
    item, first = tab.locator(".queue > li"), tab.locator(".queue blockquote")
    expect(item).to_have_count(1)
    expect(tab.locator("main")).to_contain_text(f"{waiting} verdicts that nobody has reviewed")
    asked = first.inner_text()
    item.locator('[name="reason"]').fill("Seen")
    item.get_by_role("button", name="Sign").click()
    expect(tab.locator("main")).to_contain_text(f"{waiting - 1} verdicts that nobody has reviewed")
    expect(first).not_to_have_text(asked)
    left = first.inner_text()
    tab.get_by_role("link", name="Skip this one").click()
    expect(first).not_to_have_text(left)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault_on_the_pages_of_the_log(tab: Page, laid_out: str, scheme: str) -> None:
    tab.emulate_media(color_scheme=scheme)
    for address in ("/", "/timeline", "/review", "/records/9", "/verify"):
        tab.goto(address)
        tab.evaluate(laid_out)
        found = Axe().run(tab).response["violations"]
        assert [(f["id"], f["impact"], f["nodes"][0]["html"]) for f in found] == [], address


def test_on_a_phone_nothing_is_too_wide_and_no_word_is_split(
    tab: Page, split_words: Callable[[Page], list[str]]
) -> None:
    tab.set_viewport_size({"width": 390, "height": 800})
    for address in ("/", "/timeline", "/review", "/records/9"):
        tab.goto(address)
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390, address
        assert split_words(tab) == [], address
