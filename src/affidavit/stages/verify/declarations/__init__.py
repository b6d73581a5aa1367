"""Tools as people declare them, read into :class:`~affidavit.trace.ToolDefinition`."""

from affidavit.stages.verify.declarations.openapi import openapi_tools
from affidavit.stages.verify.declarations.tools import tool_definition, tool_definitions

__all__ = ["openapi_tools", "tool_definition", "tool_definitions"]
