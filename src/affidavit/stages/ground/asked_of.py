"""What a result is about by its call alone: a build's log need not say which build it is of.

The number or name that a call was given and a claim names is put before the passages of its result, so that
the model reads "build 5521" beside "FAILED at stage deploy".
"""

from __future__ import annotations

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import words_of
from affidavit.ledger.values import fold
from affidavit.stages.ground.checks.calls.deeds import SEARCHES
from affidavit.stages.ground.finding import GroundContext

_WORDS = frozenset(
    "query q search text prompt question keywords keyword term terms message".split()
)
_LONGEST = 40
_MOST = 3


def with_call(text: str, passage: Passage, statement: str, context: GroundContext) -> str:
    """A passage's text under what its call was given, as far as the claim names it and the text does not."""
    source = passage.source
    if source.kind != "tool_result" or source.tool is None:
        return text
    entry = context.ledger.call_of(source)
    tool = words_of(source.tool)
    if entry is None or not SEARCHES.isdisjoint(tool.split()):
        return text
    arguments = entry.call.arguments if isinstance(entry.call.arguments, dict) else {}
    said, shown = f" {fold(statement)} ", f" {fold(text)} "
    given = [
        f"{words_of(key)} {value}"
        for key, value in arguments.items()
        if isinstance(value, str | int) and not isinstance(value, bool) and key not in _WORDS
        if 1 < len(str(value)) <= _LONGEST
        if f" {fold(str(value))} " in said and f" {fold(str(value))} " not in shown
    ]
    if not given:
        return text
    place, bar, rest = text.partition(" | ") if passage.record else (tool, " | ", text)
    about = ", ".join(given[:_MOST])
    return f"{place} · {about} | {rest}" if bar else f"{tool} · {about} | {text}"
