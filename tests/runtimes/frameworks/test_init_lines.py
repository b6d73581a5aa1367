"""What ``affidavit init`` writes for each framework runs where that framework is installed."""

from __future__ import annotations

import runpy
from importlib.util import find_spec
from pathlib import Path

import pytest

from affidavit.cli.init.snippets import SNIPPETS, source

HERE = [name for name, of in SNIPPETS.items() if of.framework and name != "claude_agent_sdk"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", HERE)
def test_the_lines_run_and_what_they_speak_of_is_there(name: str, tmp_path: Path) -> None:
    file = tmp_path / "affidavit_guard.py"
    file.write_text(source([name]), encoding="utf-8")
    made = runpy.run_path(str(file))
    snippet = SNIPPETS[name]
    assert callable(made[snippet.name])
    assert f"{snippet.name}(" in snippet.use
    # It is recognised by modules that its packages really have.
    assert any(find_spec(module) for module in snippet.modules)
