"""Google GenAI ``generateContent``: ``contents``, with the answer last or in ``response.candidates[0]``.

Keys in camel case as the API writes them, or in snake case as its Python SDK dumps them.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator

from affidavit.formats.dialects import json_schema
from affidavit.formats.draft import Draft, by_role
from affidavit.formats.node import Node
from affidavit.formats.openapi import is_openapi
from affidavit.formats.parts import broke_off, result_value, tool_call, tool_definitions, unknown
from affidavit.trace import (
    ContentPart,
    Message,
    Part,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolDefinition,
    ToolResultPart,
)

NAME = "google_genai"
_ROLES: dict[str, Role] = {
    "user": "user", "model": "assistant", "function": "tool", "tool": "tool", "system": "system",
}  # fmt: skip
_ANSWERED = ("output", "result")
"""Keys that hold a whole result; other responses are the result themselves."""


def mismatch(doc: Node) -> str:
    """Why the document is not of this format; empty where it may be."""
    contents = doc.mapping().get("contents")
    if not isinstance(contents, list):
        return "no list 'contents'"
    for i, content in enumerate(contents):
        if not isinstance(content, dict) or not isinstance(content.get("parts"), list | None):
            return f"contents[{i}] has no 'parts'"
    return ""


def read(doc: Node) -> Draft:
    reader = _Reader()
    config = doc.get("config") or doc
    if system := _at(config, "systemInstruction"):
        reader.add("system", system)
    for content in doc["contents"].items():
        reader.add(_role(content), content)
    response = doc.get("response")
    cut_off = False
    if response is not None:
        candidates = response.get("candidates")
        for candidate in [*candidates.items()][:1] if candidates else ():
            cut_off = broke_off(candidate, "finishReason", "finish_reason")
            if (said := candidate.get("content")) is not None:
                reader.add("assistant", said)
    version = _at(response, "modelVersion") if response else None
    return Draft(
        reader.messages,
        tools=_tools(config.get("tools")),
        model=version.text() if version else doc.text_at("model") or None,
        run_id=_text_at(response, "responseId") if response else "",
        answer_field="response.candidates[0].content" if response else "contents",
        cut_off=cut_off,
    )


class _Reader:
    """Contents in order. It names the calls, because most carry no id: by what they ask, so that a
    call has the same name whether or not one before it was left out of the record."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self._asked: Counter[str] = Counter()
        self._unanswered: list[ToolCallPart] = []

    def add(self, role: Role, content: Node) -> None:
        if isinstance(content.value, str):
            self.messages.append(Message(role=role, parts=(TextPart(text=content.text()),)))
            return
        parts = content.get("parts")
        if parts is not None:
            self.messages += by_role(role, self._parts(parts))

    def _parts(self, parts: Node) -> Iterator[Part]:
        for part in parts.items():
            if (text := part.get("text")) is not None:
                if part.flag_at("thought"):
                    yield ReasoningPart(text=text.text())
                elif text.value:
                    yield TextPart(text=text.text())
            elif call := _at(part, "functionCall"):
                yield self._call(call)
            elif result := _at(part, "functionResponse"):
                yield self._result(result)
            elif code := _at(part, "executableCode"):
                yield self._numbered("", "code_execution", code, server_side=True)
            elif done := _at(part, "codeExecutionResult"):
                failed = done.text_at("outcome") not in ("OUTCOME_OK", "")
                call_id = self._answered("", "code_execution")
                content = result_value(done.get("output"))
                yield ToolResultPart(id=call_id, content=content, is_error=failed)
            elif not _at(part, "thoughtSignature"):
                yield unknown(part, next(iter(part.mapping()), ""))

    def _call(self, call: Node) -> ToolCallPart:
        return self._numbered(call.text_at("id"), call["name"].text(), call.get("args"))

    def _numbered(
        self, call_id: str, name: str, arguments: Node | None, *, server_side: bool = False
    ) -> ToolCallPart:
        part = tool_call(call_id, name, arguments, server_side=server_side)
        if not call_id:
            told = json.dumps([name, part.arguments], sort_keys=True)
            asked = f"{name}#{hashlib.sha256(told.encode()).hexdigest()[:8]}"
            self._asked[asked] += 1
            part = part.model_copy(update={"id": f"{asked}.{self._asked[asked]}"})
        self._unanswered.append(part)
        return part

    def _result(self, result: Node) -> ToolResultPart:
        call_id = self._answered(result.text_at("id"), result["name"].text())
        response = result.get("response")
        return ToolResultPart(
            id=call_id,
            content=_content(response),
            is_error=response is not None and "error" in response,
        )

    def _answered(self, call_id: str, name: str) -> str:
        """The call that a result answers: by id, or else the first of its name that waits."""
        fits = [c for c in self._unanswered if (c.id == call_id if call_id else c.name == name)]
        if fits:
            self._unanswered.remove(fits[0])
        return fits[0].id if fits else call_id or name


def _content(response: Node | None) -> tuple[ContentPart, ...]:
    """What a function returned: the SDK puts a value that is not an object under one key."""
    if response is not None:
        keys = [*response.mapping()]
        if len(keys) == 1 and keys[0] in (*_ANSWERED, "error"):
            return result_value(response.get(keys[0]))
    return result_value(response)


def _role(content: Node) -> Role:
    role = content.text_at("role", "user")
    if role not in _ROLES:
        raise content["role"].error("one of " + ", ".join(map(repr, _ROLES)))
    return _ROLES[role]


def _tools(tools: Node | None) -> tuple[ToolDefinition, ...] | None:
    if tools is None:
        return None
    if is_openapi(tools.value):
        return tool_definitions(tools)
    declared: list[object] = []
    for tool in tools.items():
        if is_openapi(tool.value):
            declared.append(tool.json())
            continue
        found = _at(tool, "functionDeclarations")
        if found is None:
            declared += [
                {"type": key} for key, value in tool.mapping().items() if value is not None
            ]
            continue
        for function in found.items():
            schema = _at(function, "parametersJsonSchema")
            plain = {
                "name": function["name"].text(),
                "description": function.text_at("description"),
            }
            if schema is None and (own := function.get("parameters")) is not None:
                declared.append({**plain, "parameters": json_schema(_renamed(own.json()))})
            else:
                declared.append({**plain, "parameters": schema.json() if schema else None})
    return tool_definitions(Node(declared, tools.path))


_NAMED = ("properties", "defs", "$defs")
_GIVEN = ("enum", "default", "example")


def _renamed(schema: object) -> object:
    """Keywords in camel case; the names of properties, and values that are given, as they are."""
    if isinstance(schema, list):
        return [_renamed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made: dict[str, object] = {}
    for key, value in schema.items():
        if key in _NAMED and isinstance(value, dict):
            made[key] = {name: _renamed(inner) for name, inner in value.items()}
        else:
            made[_snake_to_camel(key)] = value if key in _GIVEN else _renamed(value)
    made.pop("propertyOrdering", None)
    return made


def _at(node: Node, camel: str) -> Node | None:
    """The field under its name in either spelling."""
    return node.get(camel) or node.get(_camel_to_snake(camel))


def _text_at(node: Node, camel: str) -> str:
    found = _at(node, camel)
    return found.text() if found else ""


def _camel_to_snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name)


def _snake_to_camel(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)
