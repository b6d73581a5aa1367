"""A model's thinking where it arrives inside the text of its answer, between tags of its own.

Servers of open models may hand it through as ``<think>…</think>``, some without the opening tag, which is
then part of the prompt. It is no answer: it is neither judged nor shown. Tags in code, and tags that a
sentence merely speaks of, stay.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from affidavit.trace import Message, Part, ReasoningPart, TextPart

_TAG = r"(?:think|thinking|thought)"
_NEXT = re.compile(
    rf"(?P<fence>^[ \t]*(?:```|~~~))|(?P<code>`[^`\n]+`)|(?P<open>(?:\A|^|(?<=[.!?]))[ \t]*<{_TAG}>)",
    re.M | re.I,
)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*$", re.M)
_CLOSE = re.compile(rf"</{_TAG}>[ \t]*\n*", re.I)
_OPENED = re.compile(rf"<{_TAG}>", re.I)
_ANY = re.compile(rf"</?{_TAG}>", re.I)
_LONE = re.compile(rf"(?:^[ \t]*</{_TAG}>|</{_TAG}>[ \t]*$)\s*", re.M | re.I)


class Spoken(NamedTuple):
    """What of a text is said to the reader, and what was thought. ``unfinished`` where it breaks off
    within the thinking."""

    text: str
    thought: tuple[str, ...] = ()
    unfinished: bool = False


def spoken(text: str, *, lone: bool = True) -> Spoken:
    """A text without the thinking in it. ``lone`` takes a closing tag by itself for the end of thinking
    that began before the text."""
    if not _ANY.search(text):
        return Spoken(text)
    said: list[str] = []
    thought: list[str] = []
    at = 0
    if lone and (end := _LONE.search(text)) and not _quoted(text[: end.start()]):
        thought.append(text[: end.start()].strip())
        at = end.end()
    kept = look = at
    while found := _NEXT.search(text, look):
        if found["code"]:
            look = found.end()
            continue
        if found["fence"]:
            closing = _FENCE.search(text, found.end())
            look = closing.end() if closing else len(text)
            continue
        said.append(text[kept : found.start()])
        closed = _CLOSE.search(text, found.end())
        thought.append(text[found.end() : closed.start() if closed else len(text)].strip())
        if closed is None:
            return Spoken("".join(said).rstrip(), tuple(thought), unfinished=True)
        kept = look = closed.end()
    said.append(text[kept:])
    return Spoken("".join(said), tuple(thought)) if thought else Spoken(text)


def _quoted(before: str) -> bool:
    """Whether a closing tag after these words is not the end of thinking: it was opened, or is in code."""
    in_fence = len(re.findall(r"^[ \t]*(?:```|~~~)", before, re.M)) % 2 == 1
    return bool(_OPENED.search(before)) or in_fence or before.endswith("`")


def thought_apart(message: Message) -> Message:
    """A message of the assistant with the thinking in its texts as parts of their own."""
    if message.role != "assistant":
        return message
    parts: list[Part] = []
    for part in message.parts:
        said = spoken(part.text) if isinstance(part, TextPart) else None
        if said is None or not said.thought:
            parts.append(part)
            continue
        parts += [ReasoningPart(text=text) for text in said.thought if text]
        if said.text.strip():
            parts.append(TextPart(text=said.text))
    return (
        message if tuple(parts) == message.parts else Message(role="assistant", parts=tuple(parts))
    )
