"""What the handbook says is true, and each of its links leads somewhere."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from affidavit.policy import Policy
from affidavit.runtimes import adapters
from tests.documents import ROOT, Reader, blocks_of

HANDBOOK = ROOT / "specs" / "handbook"
PAGES = sorted((HANDBOOK / "pages").glob("*.md"))


class Page(HTMLParser):
    """The links of a page, what it loads, and the names that links may lead to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.names: set[str] = set()
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {key: value or "" for key, value in attrs}
        self.names |= {told[key] for key in ("id", "name") if key in told}
        if tag == "a" and "href" in told:
            self.links.append(told["href"])
        elif tag in ("img", "script", "iframe") and "src" in told:
            self.loads.append(told["src"])
        elif tag == "link" and told.get("rel") in ("stylesheet", "icon", "preload"):
            self.loads.append(told["href"])

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    build = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(HANDBOOK / "mkdocs.yml"),
         "--site-dir", str(folder)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert build.returncode == 0, build.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    made = (path for path in site.rglob("*.html") if path.name not in ("404.html", "report.html"))
    return {path: Page(path.read_text(encoding="utf-8")) for path in made}


def missing(site: Path, pages: dict[Path, Page]) -> Iterator[str]:
    for path, page in pages.items():
        for link in (*page.links, *page.loads):
            to = urlsplit(link)
            if to.scheme or to.netloc:
                continue
            target = (path.parent / unquote(to.path)).resolve() if to.path else path
            target = target / "index.html" if target.is_dir() else target
            known = pages[target].names if target in pages else None
            if not target.exists() or (to.fragment and known is not None and unquote(to.fragment) not in known):  # fmt: skip
                yield f"{path.relative_to(site)}: {link}"


def test_every_link_leads_somewhere(site: Path, pages: dict[Path, Page]) -> None:
    assert len(pages) > len(PAGES)
    assert list(missing(site, pages)) == []


def test_it_loads_nothing_from_elsewhere(pages: dict[Path, Page]) -> None:
    loads = {load for page in pages.values() for load in page.loads}
    assert [load for load in loads if urlsplit(load).netloc] == []


def test_it_tells_of_every_adapter_and_every_key_of_a_policy(site: Path) -> None:
    told = Page((site / "adapters.html").read_text(encoding="utf-8")).words
    assert [adapter.name for adapter in adapters() if adapter.name not in told] == []
    told = Page((site / "policy.html").read_text(encoding="utf-8")).words
    schema = Policy.model_json_schema()
    tables = [schema, *schema["$defs"].values()]
    keys = {key for table in tables for key in table["properties"]}
    assert [key for key in sorted(keys) if key not in told] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_it_shows_is_what_happens(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = blocks_of(page.read_text(encoding="utf-8"))
    Reader(tmp_path).follow(page.name, blocks)
