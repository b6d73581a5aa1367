"""What the README shows is true."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from affidavit import Policy

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("code", blocks("python"), ids=["detector", "guard"])
def test_the_python_examples_run(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(code, "README.md", "exec"), {})


def test_the_policy_example_is_a_policy() -> None:
    (text,) = blocks("toml")
    policy = Policy.model_validate(tomllib.loads(text))
    assert policy.probes.required


def test_every_file_it_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []
