"""What a tool's schema says of one argument beyond its type: enum, default, format, entity or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

Path = tuple[str | int, ...]
MARK = "x-affidavit-entity"
_COMBINE = ("allOf", "anyOf", "oneOf")
_MAX_STEPS = 64


@dataclass(frozen=True, slots=True)
class Annotation:
    entity: bool | None = None
    """The schema's own word, where it has one."""
    closed: bool = False
    """The values are listed: the schema check covers them."""
    formats: frozenset[str] = frozenset()
    defaults: tuple[Any, ...] = ()


class Annotations:
    """Annotations of one tool's arguments, looked up once for each argument."""

    def __init__(self, schema: dict[str, JsonValue] | None) -> None:
        self._schema: Any = schema or {}
        self._found: dict[Path, Annotation] = {}

    def at(self, path: Path) -> Annotation:
        key = tuple("[]" if isinstance(step, int) else step for step in path)
        if key not in self._found:
            self._found[key] = _read(self._nodes(path))
        return self._found[key]

    def _nodes(self, path: Path) -> list[dict[str, Any]]:
        """The subschemas that apply at a path, as far as they can be told without the value."""
        nodes = list(self._expand(self._schema))
        for step in path:
            nodes = [
                inner
                for node in nodes
                for child in _children(node, step)
                for inner in self._expand(child)
            ][:_MAX_STEPS]
        return nodes

    def _expand(self, node: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
        if not isinstance(node, dict) or depth > 8:
            return
        yield node
        if isinstance(ref := node.get("$ref"), str):
            yield from self._expand(self._resolve(ref), depth + 1)
        for key in _COMBINE:
            alternatives = node.get(key)
            for inner in alternatives if isinstance(alternatives, list) else ():
                yield from self._expand(inner, depth + 1)

    def _resolve(self, ref: str) -> Any:
        if not ref.startswith("#"):
            return None
        node: Any = self._schema
        for step in ref[1:].split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            node = node.get(step) if isinstance(node, dict) else None
        return node


def listed_values(schema: Any) -> Iterator[str]:
    """Enum, const and default values anywhere in a schema: the tool's declaration supplies them.
    Examples do not: they show a shape, and models copy them."""
    stack, seen = [schema], 0
    while stack and (seen := seen + 1) < 10_000:
        node = stack.pop()
        if isinstance(node, list):
            stack.extend(node)
        elif isinstance(node, dict):
            listed = node.get("enum")
            given = [
                *(listed if isinstance(listed, list) else ()),
                node.get("const"),
                node.get("default"),
            ]
            yield from (
                str(value) for value in given if isinstance(value, str | int) and value != ""
            )
            stack.extend(
                v
                for k, v in node.items()
                if k not in ("enum", "const", "default", "example", "examples")
            )


def _children(node: dict[str, Any], step: str | int) -> list[Any]:
    if isinstance(step, int):
        prefix = node.get("prefixItems")
        if isinstance(prefix, list) and step < len(prefix):
            return [prefix[step]]
        items = node.get("items")
        return items if isinstance(items, list) else [items]
    properties = node.get("properties")
    if isinstance(properties, dict) and step in properties:
        return [properties[step]]
    return [node.get("additionalProperties")]


def _read(nodes: list[dict[str, Any]]) -> Annotation:
    marks = [node[MARK] for node in nodes if isinstance(node.get(MARK), bool)]
    return Annotation(
        entity=marks[0] if marks else None,
        closed=any("enum" in node or "const" in node for node in nodes),
        formats=frozenset(n["format"] for n in nodes if isinstance(n.get("format"), str)),
        defaults=tuple(node["default"] for node in nodes if "default" in node),
    )
