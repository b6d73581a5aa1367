"""Rows of the Schema-Guided Dialogue data: ``user_turns``, one ``call``, its ``results``, the ``answer``."""

from __future__ import annotations

from affidavit.formats.draft import Draft, tool_message
from affidavit.formats.node import Node
from affidavit.formats.parts import tool_call
from affidavit.trace import DataPart, Message, TextPart, ToolResultPart

NAME = "schema_guided_dialogue"
_FIELDS = ("user_turns", "call", "results", "answer")
_ABOUT = ("service", "slots", "actions")


def mismatch(doc: Node) -> str:
    """Why the document is not of this format; empty where it may be."""
    missing = [key for key in _FIELDS if key not in doc]
    return f"no {missing[0]!r}" if missing else ""


def read(doc: Node) -> Draft:
    turns = [turn.text() for turn in doc["user_turns"].items()]
    call = tool_call("call_1", doc["call"]["method"].text(), doc["call"].get("parameters"))
    result = ToolResultPart(id=call.id, content=(DataPart(value=doc["results"].json()),))
    return Draft(
        # The assistant's replies between the turns are not in the data.
        [
            *(Message(role="user", parts=(TextPart(text=turn),)) for turn in turns),
            Message(role="assistant", parts=(call,)),
            tool_message(result),
        ],
        answer=doc["answer"].text(),
        metadata={key: doc[key].json() for key in _ABOUT if key in doc},
    )
