"""Every regular expression of the package, and how the code uses it."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

import affidavit

METHODS = ("search", "match", "fullmatch", "findall", "finditer", "sub", "split")


@dataclass(frozen=True)
class Used:
    """A pattern, where it is defined, and the methods that are called of it: ``search`` where that cannot be seen."""

    place: str
    pattern: re.Pattern[str]
    methods: frozenset[str]

    def run(self, text: str) -> None:
        """Apply it to a text in each of the ways that the code does."""
        for method in self.methods:
            match method:
                case "match":
                    self.pattern.match(text)
                case "fullmatch":
                    self.pattern.fullmatch(text)
                case "search":
                    self.pattern.search(text)
                case _:
                    for _ in self.pattern.finditer(text):
                        pass


def patterns() -> list[Used]:
    """All of them: what modules and classes hold, whatever it is kept in, and what is written where it is used."""
    modules = list(_modules())
    calls = {module.__name__: _calls(module) for module in modules}
    held: dict[re.Pattern[str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for module in modules:
        for name, value in vars(module).items():
            for pattern in _within(value):
                if isinstance(pattern.pattern, str) and pattern.pattern:
                    own = calls[module.__name__][name]
                    held[pattern][f"{module.__name__}.{name}"] |= own
    texts = {pattern.pattern for pattern in held}
    for module in modules:
        for line, literal, method in _literals(module):
            if method != "compile":
                held[literal][f"{module.__name__}:{line}"].add(method)
            elif literal.pattern not in texts:  # compiled in a function
                held[literal][f"{module.__name__}:{line}"].add("search")
    return [
        Used(min(places), pattern, frozenset().union(*places.values()) or frozenset({"search"}))
        for pattern, places in held.items()
    ]


def _modules() -> Iterator[ModuleType]:
    """Every module whose extra is installed."""
    for found in pkgutil.walk_packages(affidavit.__path__, "affidavit.", onerror=lambda _: None):
        if not found.name.endswith("__main__"):
            try:
                yield importlib.import_module(found.name)
            except ImportError:
                continue


def _within(value: object, depth: int = 3) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, dict):
        for inner in (*value.keys(), *value.values()):
            yield from _within(inner, depth - 1)
    elif depth and isinstance(value, (list, tuple, set, frozenset)):
        for inner in value:
            yield from _within(inner, depth - 1)
    elif depth and type(value).__module__.startswith("affidavit"):
        held = getattr(value, "__dict__", None) or {
            name: getattr(value, name, None) for name in getattr(type(value), "__slots__", ())
        }
        yield from _within(dict(held), depth - 1)
    elif depth and inspect.isclass(value) and value.__module__.startswith("affidavit"):
        yield from _within(dict(vars(value)), depth - 1)


def _calls(module: ModuleType) -> dict[str, set[str]]:
    """The methods that are called of each name."""
    found: dict[str, set[str]] = defaultdict(set)
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Attribute) and node.attr in METHODS:
            held = node.value.value if isinstance(node.value, ast.Subscript) else node.value
            if isinstance(held, ast.Name):
                found[held.id].add(node.attr)
    return found


def _literals(module: ModuleType) -> Iterator[tuple[int, re.Pattern[str], str]]:
    """Patterns that are written where they are used: ``re.sub(r"\\s+", …)``."""
    for node in ast.walk(_tree(module)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in (*METHODS, "compile")
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
        ):
            yield node.lineno, re.compile(node.args[0].value), node.func.attr


def _tree(module: ModuleType) -> ast.Module:
    try:
        return ast.parse(inspect.getsource(module))
    except OSError:  # an empty file
        return ast.Module([], [])
