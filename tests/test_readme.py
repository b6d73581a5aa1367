"""What the README shows is true."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from affidavit import Detector, Policy, load_run
from affidavit.cli import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("code", blocks("python"), ids=["detector", "guard", "test", "doctor"])
def test_the_python_examples_run(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(code, "README.md", "exec"), {})


def test_the_policy_example_lets_the_good_run_out_and_not_the_bad_one() -> None:
    (text,) = blocks("toml")
    detector = Detector(Policy.model_validate(tomllib.loads(text)))
    actions = [
        detector.check(load_run(ROOT / "specs" / "examples" / name)).action
        for name in ("anthropic.json", "invented-price.json")
    ]
    assert actions == ["emit", "revise"]


def commands() -> list[str]:
    """The indented commands, but those that install or serve, with what they expect taken as given."""
    found = re.findall(r"^    (affidavit [^#\n]+)", README, flags=re.MULTILINE)
    found += [line.strip("`") for line in re.findall(r"`affidavit knowledge ingest [^`]+`", README)]
    return [line.strip() for line in found if "log serve" not in line]


def test_the_commands_run_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = ROOT / "specs" / "examples"
    run = json.loads((examples / "anthropic.json").read_text(encoding="utf-8"))
    (tmp_path / "run.json").write_text(json.dumps(run), encoding="utf-8")
    (tmp_path / "runs.jsonl").write_text(json.dumps(run) + "\n", encoding="utf-8")
    (tmp_path / "policy.toml").write_text(blocks("toml")[0], encoding="utf-8")
    (tmp_path / "FOLDER").mkdir()
    (tmp_path / "FOLDER" / "fees.md").write_text("# Fees\nA card costs 5 euros.\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert len(commands()) >= 7
    for line in commands():
        assert main(line.split()[1:]) == 0, line


def test_every_file_it_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []
