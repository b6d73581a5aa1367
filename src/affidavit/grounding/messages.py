"""Grounded results as the tool messages of each protocol.

Where a protocol flags errors the flag is set; the state stands in the content as well, because some
have none (OpenAI) and models read content first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affidavit.errors import MissingExtra
from affidavit.grounding.result import GroundedResult

if TYPE_CHECKING:
    from langchain_core.messages import ToolMessage
    from mcp.types import CallToolResult


def to_anthropic(result: GroundedResult, tool_use_id: str) -> dict[str, Any]:
    """A ``tool_result`` block, for the content of the next user message."""
    return {
        "type": "tool_result",
        "tool_use_id": tool_use_id,
        "content": [{"type": "text", "text": str(result)}],
        "is_error": result.is_error,
    }


def to_openai_chat(result: GroundedResult, tool_call_id: str) -> dict[str, Any]:
    """A ``tool`` message of Chat Completions."""
    return {"role": "tool", "tool_call_id": tool_call_id, "content": str(result)}


def to_openai_responses(result: GroundedResult, call_id: str) -> dict[str, Any]:
    """A ``function_call_output`` item of the Responses API."""
    return {"type": "function_call_output", "call_id": call_id, "output": str(result)}


def to_langchain(result: GroundedResult, tool_call_id: str) -> ToolMessage:
    """A ``ToolMessage``; the result itself is its ``artifact``, which is not sent to the model."""
    try:
        from langchain_core.messages import ToolMessage
    except ImportError as error:
        raise MissingExtra("langchain-core", "langchain") from error
    return ToolMessage(
        content=str(result),
        tool_call_id=tool_call_id,
        name=result.source,
        status="error" if result.is_error else "success",
        artifact=result,
    )


def to_mcp(result: GroundedResult) -> CallToolResult:
    """A ``CallToolResult``: the envelope as text, and as structured content for clients that read it."""
    try:
        from mcp.types import CallToolResult
    except ImportError as error:
        raise MissingExtra("mcp", "mcp") from error
    # By the names on the wire: those of the Python fields differ between versions 1 and 2.
    return CallToolResult.model_validate(
        {
            "content": [{"type": "text", "text": str(result)}],
            "structuredContent": result.envelope(),
            "isError": result.is_error,
        }
    )
