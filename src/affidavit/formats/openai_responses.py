"""OpenAI Responses: ``input`` items and the ``output`` items of the response."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from affidavit.formats.draft import Draft, tool_message
from affidavit.formats.node import Node
from affidavit.formats.openai_chat import content_parts
from affidavit.formats.parts import (
    broke_off,
    free_text_call,
    result_value,
    tool_call,
    tool_definitions,
    unknown,
)
from affidavit.trace import (
    ContentPart,
    DataPart,
    Message,
    Part,
    ReasoningPart,
    Role,
    TextPart,
    ToolDefinition,
    ToolResultPart,
)

NAME = "openai_responses"
_ROLES: dict[str, Role] = {
    "system": "system", "developer": "system", "user": "user", "assistant": "assistant",
}  # fmt: skip


def mismatch(doc: Node) -> str:
    """Why the document is not of this format; empty where it may be."""
    source = doc.mapping().get("input")
    if not isinstance(source, str | list):
        return "no 'input'"
    output = _output(doc)
    items = [*(source if isinstance(source, list) else ()), *(output or ())]
    if isinstance(source, str) and output is None and "answer" not in doc:
        return "'input' without 'output' or 'response.output'"
    for i, item in enumerate(items):
        if not isinstance(item, dict) or not ("type" in item or "role" in item):
            return f"item {i} of 'input' and 'output' has neither 'type' nor 'role'"
    return ""


def _output(doc: Node) -> list[object] | None:
    response = doc.mapping().get("response")
    found = response.get("output") if isinstance(response, dict) else doc.mapping().get("output")
    return found if isinstance(found, list) else None


def read(doc: Node) -> Draft:
    reader = _Reader()
    response = doc.get("response")
    if instructions := (doc.get("instructions") or (response and response.get("instructions"))):
        parts = tuple(content_parts(instructions)) if isinstance(instructions.value, str) else ()
        reader.messages.append(Message(role="system", parts=parts))
        if not parts:
            reader.items(instructions)
    source = doc["input"]
    if isinstance(source.value, str):
        reader.messages.append(Message(role="user", parts=(TextPart(text=source.text()),)))
    else:
        reader.items(source)
    holder = response or doc
    if "output" in holder:
        reader.items(holder["output"])
    reader.close()
    metadata: dict[str, Any] = {"citations": reader.citations} if reader.citations else {}
    model = next((n["model"].text() for n in (response, doc) if n and "model" in n), None)
    return Draft(
        reader.messages,
        tools=_tools(doc.get("tools") or (response and response.get("tools")), reader.remote),
        model=model,
        run_id=response.text_at("id") if response else "",
        metadata=metadata,
        answer_field="response.output" if response else "output",
        cut_off=broke_off(holder.get("incomplete_details"), "reason"),
    )


def _tools(
    declared: Node | None, remote: dict[str, ToolDefinition]
) -> tuple[ToolDefinition, ...] | None:
    """The tools that the request declares, and those of MCP servers that the API listed or wants to call. None where the
    request is not told: its own calls would be of tools that nobody knows."""
    own = tool_definitions(declared)
    return own if own is None else (*own, *remote.values())


class _Reader:
    """Items in order; what the assistant did in one turn is gathered into one message."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.remote: dict[str, ToolDefinition] = {}
        """Tools of MCP servers that the API calls; of one that was not listed here, no more than its name."""
        self.citations: list[Any] = []
        self._turn: list[Part] = []

    def items(self, items: Node) -> None:
        for item in items.items():
            self._item(item)

    def close(self) -> None:
        if self._turn:
            self.messages.append(Message(role="assistant", parts=tuple(self._turn)))
            self._turn = []

    def _item(self, item: Node) -> None:
        kind = item.text_at("type", "message")
        if kind == "message":
            self._message(item)
        elif kind.endswith("_call_output"):
            self.close()
            content = tuple(_output_content(item.get("output")))
            # That of a local shell names its call as `id`.
            call_id = item.text_at("call_id") or item["id"].text()
            failed = item.text_at("status") == "failed"
            self.messages.append(
                tool_message(ToolResultPart(id=call_id, content=content, is_error=failed))
            )
        elif kind == "mcp_approval_response":
            self._answered(item)
        else:
            if kind == "mcp_list_tools":
                listed = tool_definitions(item.get("tools")) or ()
                self.remote |= {tool.name: tool for tool in listed}
            elif kind == "mcp_approval_request":
                name = item["name"].text()
                self.remote.setdefault(name, ToolDefinition(name=name))
            self._turn += _own_part(item, kind)

    def _answered(self, item: Node) -> None:
        """Whether a remote call may be made. What it then returns comes with the call itself."""
        self.close()
        if item.mapping().get("approve") is False:
            reason = item.text_at("reason") or "not approved"
            part = ToolResultPart(
                id=item["approval_request_id"].text(),
                content=(TextPart(text=reason),),
                is_error=True,
            )
            self.messages.append(tool_message(part))

    def _message(self, item: Node) -> None:
        role = _ROLES.get(item["role"].text())
        if role is None:
            raise item["role"].error("one of " + ", ".join(map(repr, _ROLES)))
        parts = tuple(content_parts(item["content"]))
        if role != "assistant":
            self.close()
            self.messages.append(Message(role=role, parts=parts))
            return
        if any(isinstance(part, TextPart) for part in self._turn):
            self.close()
        self._turn += parts
        self._cite(item["content"])

    def _cite(self, content: Node) -> None:
        if isinstance(content.value, list):
            for part in content.items():
                if (notes := part.get("annotations")) is not None:
                    self.citations += [note.json() for note in notes.items()]


def _own_part(item: Node, kind: str) -> Iterator[Part]:
    """What the model or its provider did: a call, a search, thinking."""
    match kind:
        case "function_call":
            yield tool_call(item["call_id"].text(), item["name"].text(), item.get("arguments"))
        case "mcp_approval_request":
            yield tool_call(item["id"].text(), item["name"].text(), item.get("arguments"))
        case "mcp_list_tools":
            return
        case "custom_tool_call":
            yield free_text_call(item["call_id"].text(), item["name"].text(), item.get("input"))
        case "shell_call" | "local_shell_call" | "apply_patch_call":
            yield _built_in_call(item, kind)
        case "reasoning":
            for key in ("summary", "content"):
                if key in item:
                    for part in item[key].items():
                        yield ReasoningPart(text=part["text"].text())
        case "mcp_call":
            yield tool_call(
                item["id"].text(), item["name"].text(), item.get("arguments"), server_side=True
            )
            error = item.get("error")
            content = result_value(item.get("output") or error)
            yield ToolResultPart(id=item["id"].text(), content=content, is_error=bool(error))
        case "web_search_call" | "file_search_call" | "code_interpreter_call":
            yield from _provider_call(item, kind)
        case _:
            yield unknown(item)


def _built_in_call(item: Node, kind: str) -> Part:
    """A call of a tool that the API declares and the caller runs; but for a shell in a container of the API's."""
    of = "operation" if kind == "apply_patch_call" else "action"
    asked = dict(item[of].mapping())
    if "type" in asked:  # under a name that tells what it is: {"operation": "create_file", …}
        asked = {of: asked.pop("type"), **asked}
    where = item.get("environment")
    hosted = where is not None and where.text_at("type") == "container_reference"
    name = kind.removesuffix("_call")
    return tool_call(item["call_id"].text(), name, Node(asked), server_side=hosted)


def _provider_call(item: Node, kind: str) -> Iterator[Part]:
    """A tool the provider ran: what it was asked, and what it says it found, if it says."""
    asked = {k: item[k].json() for k in ("action", "queries", "code") if k in item}
    found = next((item[k] for k in ("results", "outputs") if k in item), None)
    call_id, name = item["id"].text(), kind.removesuffix("_call")
    yield tool_call(call_id, name, Node(asked), server_side=True)
    failed = item.text_at("status") == "failed"
    if found is not None or failed:
        content: tuple[ContentPart, ...] = () if found is None else (DataPart(value=found.json()),)
        yield ToolResultPart(id=call_id, content=content, is_error=failed)


def _output_content(output: Node | None) -> Iterator[ContentPart]:
    # What a shell printed is a list of objects without a type.
    if output is not None and isinstance(output.value, list) and _have_types(output.value):
        yield from content_parts(output)
    else:
        yield from result_value(output)


def _have_types(parts: list[object]) -> bool:
    return all(isinstance(part, dict) and "type" in part for part in parts)
