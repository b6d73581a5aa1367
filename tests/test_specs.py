"""The specification is held by tests, and the schemas are those of the code."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from affidavit.cli.schema import schema

ROOT = Path(__file__).parents[1]
SPECS = ROOT / "specs"
CLAUSE = re.compile(r"^\*\*(AFF-\d{3,4})\*\* (MUST|SHOULD|MAY)\. ", re.MULTILINE)


def clauses() -> dict[str, str]:
    text = (SPECS / "specification.md").read_text(encoding="utf-8")
    found = CLAUSE.findall(text)
    assert len(found) == len({number for number, _ in found}) == text.count("\n**AFF-")
    return dict(found)


def named_by_tests() -> dict[str, list[str]]:
    """Clause to the tests whose ``spec`` mark names it, on the test, its class or its module."""
    named: dict[str, list[str]] = {}
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            for clause in _marks(node):
                named.setdefault(clause, []).append(f"{file.name}:{node.lineno}")  # type: ignore[attr-defined]
    return named


def _marks(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        decorators: list[ast.expr] = node.decorator_list
    elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
        decorators = [node.value, *(node.value.elts if isinstance(node.value, ast.List) else ())]
    else:
        return
    for call in decorators:
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.spec":
            for argument in call.args:
                yield ast.literal_eval(argument)


def test_every_clause_that_binds_has_a_test() -> None:
    binding = {number for number, word in clauses().items() if word != "MAY"}
    assert sorted(binding - set(named_by_tests())) == []


def test_no_test_names_a_clause_that_is_not_there() -> None:
    unknown = {c: tests for c, tests in named_by_tests().items() if c not in clauses()}
    assert unknown == {}


@pytest.mark.parametrize("of", ["report", "policy", "trace"])
def test_the_committed_schema_is_the_generated_one(of: str) -> None:
    committed: Any = json.loads((SPECS / f"{of}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(committed)
    assert committed == schema(of), f"run: affidavit schema {of} > specs/{of}.schema.json"
