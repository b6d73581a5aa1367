"""Declared tools, however a caller has them: definitions, any provider's list, an OpenAPI document, single operations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from affidavit.formats.node import Node
from affidavit.formats.openapi import is_openapi
from affidavit.formats.parts import tool_definitions
from affidavit.trace import ToolDefinition

Tools: TypeAlias = Mapping[str, Any] | Iterable[ToolDefinition | Mapping[str, Any]]
"""An OpenAPI document or operation, or a list in which these may stand beside tools of any dialect."""


def declared(tools: Tools) -> tuple[ToolDefinition, ...]:
    """The tools. Raises TraceError, which says where a declaration is none."""
    if isinstance(tools, Mapping):
        if is_openapi(tools):
            return tool_definitions(Node(tools, "tools")) or ()
        tools = [tools]
    found: list[ToolDefinition] = []
    for tool in tools:
        if isinstance(tool, ToolDefinition):
            found.append(tool)
        else:
            found += tool_definitions(Node([tool], "tools")) or ()
    return tuple(found)
