"""Which agent frameworks a folder's project uses: by its dependencies, and by what it imports."""

from __future__ import annotations

import ast
import configparser
import re
import tomllib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from affidavit.cli.init.snippets import SNIPPETS

MOST_FILES = 2000
"""Python files that are looked at; the first ones tell, and a folder may be somebody's home."""

_SKIPPED = {"node_modules", "site-packages", "__pycache__", "build", "dist", "venv", "env"}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def frameworks_in(folder: Path) -> list[str]:
    """Names of adapters. A provider's SDK counts only where no framework was found."""
    packages, modules = set(_packages(folder)), set(_modules(folder))
    names = [
        name
        for name, snippet in SNIPPETS.items()
        if packages.intersection(snippet.packages) or modules.intersection(snippet.modules)
    ]
    frameworks = [name for name in names if SNIPPETS[name].framework]
    own = (folder / ".claude").is_dir() or (folder / "CLAUDE.md").exists()
    return (["claude_code"] if own else []) + (frameworks or names)


def _packages(folder: Path) -> Iterator[str]:
    """Distributions that the project asks for."""
    for file in sorted(folder.glob("*requirements*.txt")):
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            yield from _named(line.strip())
    for requirement in _of_setup(folder):
        yield from _named(requirement)
    project = folder / "pyproject.toml"
    if project.exists():
        try:
            data = tomllib.loads(project.read_text(encoding="utf-8", errors="replace"))
        except tomllib.TOMLDecodeError:
            return
        for requirement in _requirements(data):
            yield from _named(requirement)


def _of_setup(folder: Path) -> Iterator[str]:
    """What setup.cfg and setup.py ask for, without running the latter: the texts in its lists."""
    config = configparser.ConfigParser(interpolation=None)
    try:
        config.read_string((folder / "setup.cfg").read_text(encoding="utf-8", errors="replace"))
        listed = [config.get("options", "install_requires", fallback="")]
        if config.has_section("options.extras_require"):
            listed += [text for _, text in config.items("options.extras_require")]
        yield from (line.strip() for text in listed for line in text.splitlines())
    except (OSError, configparser.Error):
        pass
    try:
        tree = ast.parse((folder / "setup.py").read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return
    # A requirement mostly stands in a list, which may have a name before it is passed on.
    for node in ast.walk(tree):
        if isinstance(node, ast.List | ast.Tuple):
            for one in node.elts:
                if isinstance(one, ast.Constant) and isinstance(one.value, str):
                    yield one.value


def _requirements(data: dict[str, Any]) -> Iterator[str]:
    """PEP 621 and PEP 735, and Poetry's own tables, whose keys are the names."""
    project, poetry = data.get("project", {}), data.get("tool", {}).get("poetry", {})
    lists = [project.get("dependencies", [])]
    lists += project.get("optional-dependencies", {}).values()
    lists += data.get("dependency-groups", {}).values()
    lists += [poetry.get("dependencies", {})]
    lists += [group.get("dependencies", {}) for group in poetry.get("group", {}).values()]
    for listed in lists:
        yield from (one for one in listed if isinstance(one, str))


def _named(requirement: str) -> Iterator[str]:
    """The normalised name (PEP 503) of what a requirement asks for."""
    if found := _NAME.match(requirement):
        yield re.sub(r"[-_.]+", "-", found[0]).lower()


def _modules(folder: Path) -> Iterator[str]:
    """Modules that the project's code imports, each with the packages above it."""
    for file in islice(_sources(folder), MOST_FILES):
        try:
            tree = ast.parse(file.read_bytes())
        except (SyntaxError, ValueError, RecursionError, OSError):
            continue
        for node in ast.walk(tree):
            for name in _imported(node):
                parts = name.split(".")
                yield from (".".join(parts[:i]) for i in range(1, len(parts) + 1))


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _sources(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in _SKIPPED or path.is_symlink():
            continue
        if path.is_dir():
            if not (path / "pyvenv.cfg").exists():
                yield from _sources(path)
        elif path.suffix == ".py":
            yield path
