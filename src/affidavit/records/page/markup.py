"""HTML written so that nothing in it can run: every text is escaped, every attribute quoted.

What a tool or a model said may hold markup, terminal commands, or characters that are not seen but
change what is (Boucher and Anderson, "Trojan Source", 2021). Markup is escaped; the unseen is named.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Sequence
from typing import TypeAlias

# Bidirectional overrides and isolates, zero-width and tag characters, controls, lone surrogates. Joiners
# (U+200C, U+200D) and direction marks (U+200E, U+200F) are part of ordinary writing and stay.
_UNSEEN = re.compile(
    r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b\u2028\u2029\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    r"\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]"
)
# A browser breaks a line after each hyphen; in RJ-3107, 2026-06-20 or 555-0123 nobody would.
_HYPHENED = re.compile(r"(?<![\w-])(?=[\w-]{0,24}\d)\w{1,16}(?:-\w{1,16}){1,4}(?![\w-])")
_VOID = frozenset({"meta", "input", "br", "hr"})
_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*\Z")


class Markup(str):
    """Text that is HTML already. Made only by the functions of this module."""

    __slots__ = ()


Child: TypeAlias = "str | int | float | Markup | Sequence[Child] | None"


def el(
    tag: str, attributes: dict[str, str | int | bool | None] | None = None, *children: Child
) -> Markup:
    """An element. Children that are not Markup are text; an attribute that is None or False is left out."""
    opening = f"<{_checked(tag)}{_attributes(attributes or {})}>"
    if tag in _VOID:
        return Markup(opening)
    return Markup(f"{opening}{join(*children)}</{tag}>")


def join(*children: Child) -> Markup:
    """Children one after another."""
    return Markup("".join(map(_one, children)))


def text(value: object) -> Markup:
    """Text as HTML, with characters that are not seen named where they stand."""
    escaped = html.escape(str(value), quote=True)
    return Markup(_UNSEEN.sub(_named, escaped))


def prose(value: str) -> Markup:
    """Text to be read, in which no line breaks inside what has hyphens and digits: numbers, dates, identifiers."""
    parts: list[Markup] = []
    at = 0
    for found in _HYPHENED.finditer(value):
        parts += [text(value[at : found.start()]), el("span", {"class": "one"}, found[0])]
        at = found.end()
    return join(parts, text(value[at:]))


def data_block(name: str, document: object) -> Markup:
    """JSON to be read, never run: no character in it can end the element it stands in."""
    body = json.dumps(document, ensure_ascii=True, separators=(",", ":"))
    for sign in "<>&":
        body = body.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(f'<script type="application/json" id="{_checked(name)}">{body}</script>')


def verbatim(tag: str, source: str, attributes: dict[str, str | int | bool | None]) -> Markup:
    """A style or script of this package, as it is. ``source`` is never what a run said."""
    assert f"</{tag}" not in source
    return Markup(f"<{_checked(tag)}{_attributes(attributes)}>{source}</{tag}>")


def _one(child: Child) -> str:
    match child:
        case None:
            return ""
        case Markup():
            return child
        case list() | tuple():
            return "".join(map(_one, child))
        case _:
            return text(child)


def _attributes(given: dict[str, str | int | bool | None]) -> str:
    return "".join(
        f" {_checked(name)}" if value is True else f' {_checked(name)}="{_attribute(value)}"'
        for name, value in given.items()
        if value is not None and value is not False
    )


def _attribute(value: object) -> str:
    plain = _UNSEEN.sub(lambda found: f"<U+{ord(found[0]):04X}>", str(value))
    return html.escape(plain, quote=True)


def _checked(name: str) -> str:
    if not _NAME.match(name):
        raise ValueError(f"not a name of an element or attribute: {name!r}")
    return name


def _named(found: re.Match[str]) -> str:
    code = ord(found[0])
    title = unicodedata.name(found[0], "control character").lower()
    return f'<span class="unseen" title="{title}">U+{code:04X}</span>'
