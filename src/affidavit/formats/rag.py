"""One question, the passages that were retrieved for it, and the answer: as Ragas, DeepEval and TruLens write it.

The passages become the result of one call of a tool named ``retrieve``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from affidavit.formats.conversation import conversation, messages_in
from affidavit.formats.draft import Draft, tool_message
from affidavit.formats.node import Node
from affidavit.formats.parts import tool_call
from affidavit.trace import ContentPart, DataPart, Message, TextPart, ToolResultPart

NAME = "rag_record"
_QUESTIONS = ("question", "user_input", "query", "input", "prompt")
_CONTEXTS = (
    "contexts", "retrieved_contexts", "retrieval_context", "context", "documents", "source_documents",
    "passages", "retrieved_documents",
)  # fmt: skip
_ANSWERS = ("answer", "response", "actual_output", "output", "generated_answer", "prediction")
_TEXTS = ("page_content", "content", "text", "document", "passage")
SIGNS = (*_QUESTIONS, *_CONTEXTS, *_ANSWERS)


def mismatch(doc: Node) -> str:
    """Why the document is not of this format; empty where it may be."""
    if "messages" in doc:
        return "has 'messages'"
    if _whole(doc) is not None:
        return ""
    for what, names in (("question", _QUESTIONS), ("contexts", _CONTEXTS), ("answer", _ANSWERS)):
        if _found(doc, names) is None:
            return f"no {what}: one of " + ", ".join(map(repr, names))
    answer = _found(doc, _ANSWERS)
    return "" if answer and isinstance(answer.value, str) else "its answer is no string"


def _whole(doc: Node) -> list[Any] | None:
    """The messages of a record that is a conversation with its answer, as Ragas keeps those of several turns."""
    asked = _found(doc, _QUESTIONS)
    if asked is None or _found(doc, _CONTEXTS) is not None or _found(doc, _ANSWERS) is not None:
        return None
    said = messages_in(asked.value) if isinstance(asked.value, list) else None
    return said if said and len(said) > 1 else None


def read(doc: Node) -> Draft:
    if (whole := _whole(doc)) is not None:
        return conversation(whole, "user_input")
    question, contexts = _found(doc, _QUESTIONS), _found(doc, _CONTEXTS)
    answer = _found(doc, _ANSWERS)
    assert question and contexts and answer
    said = messages_in(question.value)
    if said is not None:  # Ragas' samples of several turns
        messages = conversation(said, question.path).messages
        query = messages[-1].text
    else:
        query = question.text()
        messages = [Message(role="user", parts=(TextPart(text=query),))]
    call = tool_call("retrieve_1", "retrieve", Node({"query": query}))
    messages.append(Message(role="assistant", parts=(call,)))
    found = ToolResultPart(id=call.id, content=tuple(_passages(contexts)))
    messages.append(tool_message(found))
    return Draft(messages, answer=answer.text(), answer_field=answer.path)


def _found(doc: Node, names: tuple[str, ...]) -> Node | None:
    return next((doc[name] for name in names if name in doc), None)


def _passages(contexts: Node) -> Iterator[ContentPart]:
    if isinstance(contexts.value, str):
        yield TextPart(text=contexts.text())
        return
    if isinstance(contexts.value, dict):
        yield DataPart(value=contexts.json())
        return
    for one in contexts.items():
        if isinstance(one.value, str):
            yield TextPart(text=one.text())
        elif isinstance(one.value, dict) and len(one.value) == 1 and _found(one, _TEXTS):
            yield TextPart(text=one[next(iter(one.mapping()))].text())
        else:
            yield DataPart(value=one.json())
