"""The table of adapters says what the contract's tests run."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

import affidavit.runtimes
from affidavit.runtimes import adapters
from affidavit.runtimes.adapter import Adapter
from affidavit.runtimes.contract import SCENARIOS
from affidavit.runtimes.table import table

TESTS = Path(__file__).parent


def run_by(file: Path) -> set[str]:
    """The names of the adapters whose kept scenarios a test file runs."""
    source = file.read_text(encoding="utf-8")
    if ".keeps(SCENARIOS)" not in source:
        return set()
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
            "affidavit.runtimes"
        ):
            for alias in node.names:
                if alias.name.isupper():
                    value = getattr(import_module(node.module or ""), alias.name)
                    found |= {value.name} if isinstance(value, Adapter) else set()
    return found


def test_every_adapter_of_the_table_is_run_under_the_contract() -> None:
    run = [name for file in sorted(TESTS.rglob("test_*.py")) for name in run_by(file)]
    assert set(run) == {adapter.name for adapter in adapters()}


def test_the_committed_table_is_the_generated_one() -> None:
    committed = Path(affidavit.runtimes.__file__).with_name("ADAPTERS.md")
    assert committed.read_text(encoding="utf-8") == table(adapters(), SCENARIOS), (
        "run: python -m affidavit.runtimes.table > src/affidavit/runtimes/ADAPTERS.md"
    )


def test_what_an_adapter_cannot_keep_is_of_the_contract() -> None:
    with pytest.raises(ValueError, match="no scenario flies"):
        Adapter("x", "x", "1", "x", cannot={"flies": "no wings"}).keeps(SCENARIOS)
    for adapter in adapters():
        assert set(adapter.cannot) | set(adapter.keeps(SCENARIOS)) == set(SCENARIOS)
