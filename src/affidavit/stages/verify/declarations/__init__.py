"""Tools as people declare them, read into :class:`~affidavit.trace.ToolDefinition`."""

from affidavit.formats.openapi import is_openapi, openapi_tools
from affidavit.stages.verify.declarations.tools import tool_definition, tool_definitions

__all__ = ["is_openapi", "openapi_tools", "tool_definition", "tool_definitions"]
