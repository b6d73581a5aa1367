"""The tools that a run has, which may change under way."""

from __future__ import annotations

from collections.abc import Iterable

from affidavit.formats.tools import Tools, declared
from affidavit.trace import ToolDefinition


class Toolset:
    """What a run declares (None where that is not known), and what is ``known`` of tools whatever a run declares of them,
    such as the OpenAPI document of what they call."""

    def __init__(self, tools: Tools | None, known: Tools = ()) -> None:
        self.known = {tool.name: tool for tool in declared(known)}
        self.all: tuple[ToolDefinition, ...] | None
        if tools is None:
            self.all = tuple(self.known.values()) or None
        else:
            self.all = tuple(self._held_to(tools))
        self._declared = {tool.name: tool for tool in self.all or ()}

    def declare(self, tools: Tools) -> list[ToolDefinition]:
        """Those of ``tools`` that are new or other than before. One of a name that is known takes its place, unless its
        schema is not told."""
        held = {tool.name: tool for tool in self.all or ()}
        changed = [
            tool
            for tool in self._held_to(tools)
            if self._declared.get(tool.name) != tool
            and (tool.input_schema is not None or tool.name not in held)
        ]
        for tool in changed:
            self._declared[tool.name] = tool
            # Calls that were checked against its earlier schema must not be held against this one.
            schema = None if tool.name in held else tool.input_schema
            held[tool.name] = tool.model_copy(update={"input_schema": schema})
        if changed:
            self.all = tuple(held.values())
        return changed

    def undeclared(self, names: Iterable[str]) -> list[ToolDefinition]:
        """Tools of these names that are not among those declared, where it is known which are."""
        if self.all is None:
            return []
        missing = set(names) - {tool.name for tool in self.all}
        return [ToolDefinition(name=name) for name in sorted(missing)]

    def _held_to(self, tools: Tools) -> list[ToolDefinition]:
        return [self.known.get(tool.name, tool) for tool in declared(tools)]
