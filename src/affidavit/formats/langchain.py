"""The state of a LangGraph agent: ``messages`` of LangChain, dumped by pydantic, by ``dumps`` or by ``messages_to_dict``."""

from __future__ import annotations

from affidavit.formats.conversation import conversation, is_message
from affidavit.formats.draft import Draft
from affidavit.formats.node import Node

NAME = "langchain_messages"


def mismatch(doc: Node) -> str:
    """Why the document is not of this format; empty where it may be."""
    messages = doc.mapping().get("messages")
    if not isinstance(messages, list) or not messages:
        return "no list 'messages'"
    if not all(is_message(one) and "role" not in one for one in messages):
        return "its messages are not of a 'type' such as 'human' and 'ai'"
    return ""


def read(doc: Node) -> Draft:
    return conversation([one.value for one in doc["messages"].items()], "messages")
