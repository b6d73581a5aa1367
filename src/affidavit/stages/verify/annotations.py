"""What a tool's schema says of one argument beyond its type: enum, default, format, entity or not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from affidavit.stages.verify.leaves import Path

MARK = "x-affidavit-entity"
_COMBINE = ("allOf", "anyOf", "oneOf")
_MAX_NODES = 64
_MAX_DECLARED = 10_000
_OPENERS = frozenset(
    ("additionalProperties", "patternProperties", "unevaluatedProperties", "$ref", "if", *_COMBINE)
)
_NOT_SCHEMAS = ("enum", "const", "default", "example", "examples", "description")
_SENTENCE = re.compile(r"(?<=[.;!?])\s+|\n+")
_LISTS = re.compile(
    r"\b(?:one of|either|valid|allowed|available|possible|options|known|defaults?|must be)\b", re.I
)
# "The ID of the ticket", "Customer identifier"; not "whether to show the id".
_IDENTIFIES = re.compile(
    r"\s*(?:(?:the|a|an|your|its|unique|\w+['’]s|\w{2,12})\s+){0,3}(?:ID|Id|identifier|UUID|GUID)\b"
)
_SHOWS = re.compile(r"\b(?:such as|e\.?g\.?|examples?|for instance|like|format|looks?)(?!\w)", re.I)


@dataclass(frozen=True, slots=True)
class Annotation:
    entity: bool | None = None
    """The schema's own word, where it has one."""
    closed: bool = False
    """The values are listed: the schema check covers them."""
    formats: frozenset[str] = frozenset()
    defaults: tuple[Any, ...] = ()
    identifies: bool = False
    """Its title or description says that it holds an identifier."""


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

    def undeclared(self, args: dict[str, JsonValue]) -> list[str]:
        """Arguments that the schema does not name and does not forbid either. It is valid to send
        them, and seldom meant."""
        declared = self._schema.get("properties")
        if not isinstance(declared, dict) or not _OPENERS.isdisjoint(self._schema):
            return []
        return [name for name in args if name not in declared]

    def _nodes(self, path: Path) -> list[dict[str, Any]]:
        """The subschemas that apply at a path, as far as they can be told without the value."""
        nodes = self._expanded([self._schema])
        for step in path:
            nodes = self._expanded([child for node in nodes for child in _children(node, step)])
        return nodes

    def _expanded(self, nodes: list[Any]) -> list[dict[str, Any]]:
        """The schemas, with those that they refer to or combine: so many and no more, as a stranger's
        schema may refer to itself in ever more ways."""
        found: list[dict[str, Any]] = []
        queue = list(nodes)
        for node in queue:  # grows as it is read
            if len(found) == _MAX_NODES or len(queue) > 20 * _MAX_NODES:
                break
            if not isinstance(node, dict) or any(node is known for known in found):
                continue
            found.append(node)
            if isinstance(ref := node.get("$ref"), str):
                queue.append(self._resolve(ref))
            for key in _COMBINE:
                if isinstance(alternatives := node.get(key), list):
                    queue.extend(alternatives)
        return found

    def _resolve(self, ref: str) -> Any:
        if not ref.startswith("#"):
            return None
        node: Any = self._schema
        for step in ref[1:].split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            node = node.get(step) if isinstance(node, dict) else None
        return node


def declared_values(schema: Any, description: str = "") -> Iterator[str]:
    """What a tool's declaration supplies: enum, const and default values, and sentences that list what
    is allowed. Examples do not count: they show a shape, and models copy them."""
    yield from _listed_in(description)
    stack, seen = [schema], 0
    while stack and (seen := seen + 1) < _MAX_DECLARED:
        node = stack.pop()
        if isinstance(node, list):
            stack.extend(node)
        elif isinstance(node, dict):
            listed = node.get("enum")
            given = list(listed) if isinstance(listed, list) else []
            given += [node.get("const"), node.get("default")]
            yield from (str(v) for v in given if isinstance(v, str | int) and v != "")
            yield from _listed_in(node.get("description"))
            stack.extend(inner for key, inner in node.items() if key not in _NOT_SCHEMAS)


def _listed_in(description: Any) -> Iterator[str]:
    if isinstance(description, str):
        for sentence in _SENTENCE.split(description):
            if _LISTS.search(sentence) and not _SHOWS.search(sentence):
                yield sentence


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
        identifies=any(
            _IDENTIFIES.match(told)
            for node in nodes
            for told in (node.get("title"), node.get("description"))
            if isinstance(told, str)
        ),
    )
