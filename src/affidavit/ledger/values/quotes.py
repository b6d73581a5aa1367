"""Words in quotation marks or backticks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.values.text import fold
from affidavit.ledger.values.value import Value

_CODE = re.compile(r"(?<!`)`([^`\n]{1,200})`(?!`)")
_QUOTED = re.compile(
    r"“([^“”\n]{1,200})[”“]|„([^„“”\n]{1,200})[“”]|«\s?([^«»\n]{1,200}?)\s?»|"
    r"(?<![\w\"])\"([^\"\n]{1,200})\"(?![\w\"])|(?<![\w'’])'([^'\n]{1,80})'(?![\w'])|"
    r"‘([^‘’\n]{1,80})’(?!\w)"
)
_SCARE = frozenset("yes no ok ja nein oui non sí si sim não".split())
LONGEST = 12
"""Longer quotations, in words, are passages of prose and are read as such."""


def find_quotes(text: str) -> Iterator[tuple[Value, bool]]:
    """Each quoted stretch as a value without its marks, and whether it is code."""
    code_spans = []
    if "`" in text:
        for match in _CODE.finditer(text):
            code_spans.append(match.span())
            if fold(match[1]):
                yield _value(match, 1), True
    for match in _QUOTED.finditer(text):
        if any(s <= match.start() < e or match.start() <= s < match.end() for s, e in code_spans):
            continue
        assert match.lastindex is not None
        words = match[match.lastindex].split()
        # 'Reply "yes"' asks, and '"#"' shows a sign: neither quotes anyone.
        if len(words) <= LONGEST and fold(match[match.lastindex]) not in ("", *_SCARE):
            yield _value(match, match.lastindex), False


def _value(match: re.Match[str], group: int) -> Value:
    start, end = match.span(group)
    while start < end and match.string[start].isspace():
        start += 1
    while end > start and match.string[end - 1].isspace():
        end -= 1
    text = match.string[start:end]
    return Value("quoted", text, start, end, key=fold(text))
