"""What the README shows is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.documents import ROOT, Reader, blocks_of

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_its_examples_run_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = blocks_of(README)
    assert {block.language for block in blocks} == {"python", "sh"}
    Reader(tmp_path).follow("README.md", blocks)


def test_every_file_it_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", README)
    assert links
    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []
