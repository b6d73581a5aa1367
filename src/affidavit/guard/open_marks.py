"""Whether something that has been opened in a text is still open: a bracket, a quotation, a comment.

A full stop inside it ends no sentence of the answer. One that is never closed ends with its paragraph, so
that a stray mark holds an answer up no longer than that; a comment, which nobody is shown, does not.
"""

from __future__ import annotations

import re

_PAIRS = {"(": ")", "[": "]", "{": "}", "“": "”", "«": "»", "「": "」", "『": "』", "（": "）",
          "【": "】", "《": "》", "〈": "〉", "„": "“"}  # fmt: skip
_CLOSERS = frozenset(_PAIRS.values())
_TOGGLES = frozenset({'"', "`", "**", "$$"})
_MARK = re.compile(
    rf"\*\*|\$\$|</?(?=[A-Za-z])|>|\r?\n[ \t]*\r?\n|[\"`{re.escape(''.join({*_PAIRS, *_CLOSERS}))}]"
)


class OpenMarks:
    """What is open at places of ``text`` that are asked for in their order, from ``start`` on."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._at = _paragraph(text, start)
        self._waiting: list[str] = []
        self._toggled: set[str] = set()

    def at(self, end: int) -> bool:
        """Whether anything is open behind a sentence that stops before ``end``."""
        text = self._text
        for found in _MARK.finditer(text, self._at, end):
            self._take(found.group())
            self._at = found.end()
        comment = text.rfind("<!--", 0, end)
        if comment >= 0 and comment > text.rfind("-->", 0, end):
            return True
        return bool(self._waiting or self._toggled)

    def _take(self, mark: str) -> None:
        waiting, toggled = self._waiting, self._toggled
        if "\n" in mark:
            waiting.clear()
            toggled.clear()
        elif "`" in toggled and mark != "`":
            pass  # code
        elif mark in _TOGGLES:
            toggled ^= {mark}
        elif waiting and mark == waiting[-1]:
            waiting.pop()
        elif mark[0] == "<":
            waiting.append(">")
        elif mark in _PAIRS:
            waiting.append(_PAIRS[mark])
        elif mark in _CLOSERS and mark in waiting:
            # What was opened inside and not closed is taken for closed.
            while waiting.pop() != mark:
                pass


def _paragraph(text: str, place: int) -> int:
    """Where the paragraph of ``place`` begins."""
    line = text.rfind("\n", 0, place)
    while line > 0:
        before = text.rfind("\n", 0, line)
        if not text[before + 1 : line].strip():
            return line
        line = before
    return 0
