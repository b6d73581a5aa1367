"""Anthropic Messages: a request body, with the answer as its last message or as the ``response``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from affidavit.errors import TraceError
from affidavit.formats.draft import Draft, by_role
from affidavit.formats.node import Node
from affidavit.formats.parts import broke_off, tool_call, tool_definitions, unknown
from affidavit.trace import (
    ContentPart,
    DataPart,
    Message,
    Part,
    ReasoningPart,
    Role,
    TextPart,
    ToolResultPart,
)

NAME = "anthropic_messages"
_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}
_FOREIGN_ROLES = ("tool", "function", "developer")
_FOREIGN_KEYS = (
    "tool_calls", "function_call", "refusal", "audio", "reasoning_content", "parts",
)  # fmt: skip


def mismatch(doc: Node) -> str:
    """Why the document is not of this format; empty where it may be."""
    if not isinstance(doc.mapping().get("messages"), list):
        return "no list 'messages'"
    for i, message in enumerate(doc["messages"].items()):
        if not isinstance(message.value, dict):
            continue
        if message.value.get("role") in _FOREIGN_ROLES:
            return f"messages[{i}] has role {message.value['role']!r}"
        for key in _FOREIGN_KEYS:
            if key in message:
                return f"messages[{i}] has {key!r}"
    response = doc.mapping().get("response")
    if isinstance(response, dict) and "choices" in response:
        return "'response' has 'choices'"
    return ""


def read(doc: Node) -> Draft:
    messages: list[Message] = []
    if system := doc.get("system"):
        messages += by_role("system", _content(system))
    cited: list[Any] = []
    for message in doc["messages"].items():
        role = _ROLES.get(message["role"].text())
        if role is None:
            raise message["role"].error("'user', 'assistant' or 'system'")
        content = message.get("content")
        if content is None and "content" not in message.mapping():
            raise TraceError("expected a value; it is missing", field=f"{message.path}.content")
        parts = () if content is None else tuple(_content(content))
        messages += by_role(role, parts)
        cited += _citations(content)
    response = doc.get("response")
    last = doc["messages"].value
    final = last[-1].get("content") if isinstance(last, list) and last else None
    if response is not None:
        if (fault := response.get("error")) is not None:
            raise TraceError("no final answer: the response is an error", field=fault.path)
        content = response["content"]
        messages.append(Message(role="assistant", parts=tuple(_content(content))))
        cited += _citations(content)
        final = content.value
    model = next((n["model"].text() for n in (response, doc) if n and "model" in n), None)
    return Draft(
        messages,
        tools=tool_definitions(doc.get("tools")),
        model=model,
        run_id=response.text_at("id") if response else "",
        metadata={"citations": cited} if cited else {},
        answer_field="response.content" if response else "messages",
        cut_off=broke_off(response, "stop_reason"),
        cites=bool(_citations(None if final is None else Node(final))),
    )


def _citations(content: Node | None) -> list[Any]:
    """Citations of text blocks: their ``cited_text`` is quoted by the provider, not by the model, and
    of an encrypted search result it is all that can be read."""
    if content is None or isinstance(content.value, str):
        return []
    return [
        citation.json()
        for block in content.items()
        if "citations" in block and isinstance(block["citations"].value, list)
        for citation in block["citations"].items()
    ]


def _content(content: Node) -> Iterator[Part]:
    if isinstance(content.value, str):
        yield TextPart(text=content.text())
        return
    for block in content.items():
        kind = block["type"].text()
        if reader := _BLOCKS.get(kind):
            yield from reader(block)
        elif kind.endswith("tool_use"):
            yield tool_call(
                block["id"].text(),
                block["name"].text(),
                Node(block.mapping().get("input"), f"{block.path}.input"),
                server_side=kind != "tool_use",
            )
        elif kind.endswith("tool_result"):
            yield ToolResultPart(
                id=block["tool_use_id"].text(),
                content=tuple(_result_content(block.get("content"))),
                is_error=block.flag_at("is_error") or _failed(block.get("content")),
            )
        else:
            yield unknown(block)


def _result_content(content: Node | None) -> Iterator[ContentPart]:
    if content is None:
        return
    if isinstance(content.value, str):
        yield TextPart(text=content.text())
    elif isinstance(content.value, dict):
        yield DataPart(value=content.json())  # what a tool of the provider's own returned
    else:
        for block in content.items():
            kind = block["type"].text()
            if kind in ("text", "document", "search_result"):
                yield from _BLOCKS[kind](block)
            elif kind.endswith("search_result"):
                yield DataPart(value=_without_ciphertext(block))
            else:
                yield unknown(block)


def _failed(content: Node | None) -> bool:
    """Whether a tool of the provider's own reports its failure by the type of its content."""
    kind = content.value.get("type") if content and isinstance(content.value, dict) else None
    return isinstance(kind, str) and kind.endswith("_error")


def _without_ciphertext(block: Node) -> Any:
    """A web search result as data. Its ``encrypted_content`` is for the provider to read again; as
    evidence it would only be noise to search in."""
    copy = block.json()
    assert isinstance(copy, dict)
    return {k: v for k, v in copy.items() if k not in ("type", "encrypted_content")}


def _text(block: Node) -> Iterator[TextPart]:
    yield TextPart(text=block["text"].text())


def _thinking(block: Node) -> Iterator[ReasoningPart]:
    yield ReasoningPart(text=block["thinking"].text())


def _document(block: Node) -> Iterator[ContentPart]:
    """A document's text under its title; a PDF or an image cannot be read here."""
    source = block["source"]
    title = "\n".join(filter(None, (block.text_at("title"), block.text_at("context"))))
    lead = f"{title}\n\n" if title else ""
    match source.text_at("type"):
        case "text":
            yield TextPart(text=lead + source["data"].text())
        case "content":
            inner = list(_result_content(source["content"]))
            texts = [part.text for part in inner if isinstance(part, TextPart)]
            yield TextPart(text=lead + "\n\n".join(texts))
            yield from (part for part in inner if not isinstance(part, TextPart))
        case _:
            yield unknown(block)


def _search_result(block: Node) -> Iterator[ContentPart]:
    """A search result supplied by the caller: its text under its title and source."""
    lead = "\n".join(filter(None, (block.text_at("title"), block.text_at("source"))))
    texts = [part["text"].text() for part in block["content"].items()]
    yield TextPart(text="\n\n".join(filter(None, (lead, *texts))))


_BLOCKS: dict[str, Callable[[Node], Iterator[Any]]] = {
    "text": _text,
    "thinking": _thinking,
    "document": _document,
    "search_result": _search_result,
}
