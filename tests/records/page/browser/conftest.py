"""Real pages in a real Chromium, which may fetch nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture
def laid_out() -> str:
    """A script that opens everything and puts it in its place: what is not rendered yet has a guessed height, and
    axe would take the colour of one line for the ground of another."""
    return """() => {
  document.querySelectorAll('details').forEach((d) => { d.open = true; });
  document.querySelectorAll('.exhibit .text').forEach((t) => { t.style.contentVisibility = 'visible'; });
}"""


@pytest.fixture
def split_words() -> Callable[[Page], list[str]]:
    """The words, numbers and identifiers of a page that do not stand on one line."""
    script = """() => {
  const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode, parent = node.parentElement;
    if (!parent.checkVisibility() || parent.closest('script, style, code, .text, .unseen-text')) continue;
    for (const word of node.data.matchAll(/[\\p{L}\\p{N}]+(?:-[\\p{L}\\p{N}]*\\p{N}[\\p{L}\\p{N}]*)*/gu)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = [...range.getClientRects()].filter((r) => r.width > 0).map((r) => Math.round(r.top));
      if (new Set(lines).size > 1) found.push(word[0]);
    }
  }
  return found;
}"""
    return lambda tab: tab.evaluate(script)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    named = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if named is None:
        pytest.fail("no Chromium was found: install the package chromium, or name one in CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=named, args=ARGUMENTS)
        yield browser
        browser.close()


class Opened:
    """A page in a tab, with everything that it asked for or complained of."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append("dialog"), dialog.dismiss()))


Show = Callable[..., Opened]


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Show]:
    """Opens a page from a file, as one would who was sent it."""
    tabs = []

    def open_(html: str, *, width: int = 1280, scheme: str = "light", **options: object) -> Opened:
        file = tmp_path / f"page-{len(tabs)}.html"
        file.write_text(html, encoding="utf-8")
        tab = browser.new_page(
            viewport={"width": width, "height": 860}, color_scheme=scheme, **options
        )
        tabs.append(tab)
        opened = Opened(tab)
        tab.goto(file.as_uri())
        opened.asked.remove(file.as_uri())
        return opened

    yield open_
    for tab in tabs:
        tab.close()
