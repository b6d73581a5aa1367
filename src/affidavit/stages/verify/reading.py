"""Tools that only read, and what became of a call that was made although Stage 1 would have refused it.

A tool that changes nothing may look around: opening a file by guess does no harm, and what is opened is
then known. An identifier or an address is no guess at where something lies, and stays refused.
"""

from __future__ import annotations

from collections.abc import Collection

from pydantic import JsonValue

from affidavit.policy import ToolRule
from affidavit.stages.verify import names
from affidavit.stages.verify.entity import Kind
from affidavit.stages.verify.feedback import is_call_feedback
from affidavit.trace import Message, TextPart, ToolDefinition, ToolResultPart

LOOKED_FOR: frozenset[Kind] = frozenset({"path", "person"})
"""Kinds of value by which one looks around."""

RAN = "the call ran although it was rejected: what came back is evidence"

_VERBS = (names.READS - {"check", "open", "load", "count", "query"}) | frozenset(
    "glob grep ls cat head tail stat tree browse".split()
)
_CHANGES = names.WRITES | names.MOVES | names.SENDS | frozenset(
    "update delete remove rm cancel set modify edit patch apply replace pay transfer refund exchange return "
    "book order buy sell submit assign close open approve reject execute exec run add upload".split()
)  # fmt: skip
_DOES = frozenset(
    "charge issue grant revoke schedule reschedule reserve checkout start stop restart enable disable lock unlock reset "
    "clear trigger deploy merge push release register enrol enroll invite assign log report print call dial".split()
)
_PAGES = frozenset("file page document doc url link folder path tab".split())
"""What one opens to look at; an account or a ticket is opened by making one."""
_NOUNS = names.SENDS & frozenset("email mail message post comment tweet text".split())


def declared_reads(rule: ToolRule | None, tool: ToolDefinition | None) -> bool:
    """Whether the policy, or else the tool's own declaration, says that it only reads."""
    if rule is not None and rule.reads is not None:
        return rule.reads
    return tool is not None and tool.reads


def reads_by_name(tool: str, args: JsonValue) -> bool:
    """Whether a tool that says nothing of it is called like one that reads: ``Read``, ``list_orders``,
    ``editor`` with ``command="view"``. Good enough to judge what has been run, not to let it run."""
    parts = (names.actions(args) or [names.words(tool)])[-1]
    verbs = [i for i, part in enumerate(parts) if part in _VERBS]
    if verbs:  # after the verb stands what is read: ``read_email``, ``get_order``
        return not _CHANGES & set(parts[: verbs[0]]) - _NOUNS
    if parts[:1] == ("open",):
        return parts[-1] in _PAGES
    # ``lab_results`` is called after what it returns, as is ``parcel`` if it is told nothing but which one.
    named = len(parts) > 1 or (len(parts) == 1 and _which(args))
    return named and not (_CHANGES | _DOES) & {parts[0], *(set(parts[1:]) - _NOUNS)}


def _which(args: JsonValue) -> bool:
    """Whether arguments say which thing is meant, and no more: single words and numbers."""
    said = list(args.values()) if isinstance(args, dict) else []
    return bool(said) and not any(
        isinstance(value, dict | list) or len(str(value).split()) > 1 for value in said
    )


def came_back(messages: Collection[Message]) -> frozenset[str]:
    """Ids of the calls whose tool answered: with something that is neither an error nor this package's
    own word that the call was not run, which not every protocol flags as one."""
    return frozenset(
        part.id
        for message in messages
        for part in message.parts
        if isinstance(part, ToolResultPart) and answered(part)
    )


def answered(result: ToolResultPart) -> bool:
    """Whether a tool was run and returned, by its result."""
    return not result.is_error and not is_refusal(result)


def is_refusal(result: ToolResultPart) -> bool:
    """Whether a result is the word that the call was not run."""
    texts = [inner.text for inner in result.content if isinstance(inner, TextPart)]
    return any(map(is_call_feedback, texts))
