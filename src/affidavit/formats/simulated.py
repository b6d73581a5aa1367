"""Simulated conversations as benchmark files keep them (τ-bench, τ²-bench).

Chat Completions messages with flat tool calls ``{id, name, arguments}`` and the run's ``task_id`` and
``reward``. The simulated user has the last word (``###STOP###``), so that the answer is the last
assistant message with text; what comes after it is counted, not read as evidence.
"""

from __future__ import annotations

from affidavit.formats import openai_chat
from affidavit.formats.draft import Draft
from affidavit.formats.node import Node

NAME = "simulated_conversation"
_ABOUT = ("domain", "task_id", "reward")


def mismatch(doc: Node) -> str:
    """Why the document is not of this format; empty where it may be."""
    if reason := openai_chat.mismatch(doc):
        return reason
    return "" if "task_id" in doc and "reward" in doc else "no 'task_id' and 'reward'"


def read(doc: Node) -> Draft:
    draft = openai_chat.read(doc)
    draft.metadata |= {key: doc[key].json() for key in _ABOUT if key in doc}
    draft.ends_with_user = True
    return draft
