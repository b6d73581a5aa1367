"""XML: elements and attributes as records. Feeds, SOAP answers, and the tags prompts are made of.

A strict reader of its own, because the standard ones do not say where in the text a value stands, and
follow declarations that this one refuses. What is not well-formed is declined.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

from affidavit.ledger.shapes.json_places import relocated
from affidavit.ledger.shapes.page import Block, Page, Span, Way, chars, trimmed
from affidavit.ledger.walk import records_of

MAX_DEPTH = 60
MAX_FAILURES = 20
"""Tags of one text that may turn out to begin no XML, before its tags are taken for prose."""

_NAME = r"[A-Za-z_][\w:.\-]*"
_ATTRIBUTE = re.compile(rf"""(?<![\w.:-])({_NAME})\s*=\s*(?:"([^"<]*)"|'([^'<]*)')""")
_TOKEN = re.compile(
    rf"""<(?P<close>/)?(?P<tag>{_NAME})
         (?P<attributes>(?:\s+{_NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?P<empty>/)?>
       | <!\[CDATA\[(?P<cdata>.*?)\]\]>
       | <\?.*?\?>
       | <!--.*?-->
       | (?P<text>[^<]+)""",
    re.X | re.S,
)
_START = re.compile(rf"\s*<(?:\?xml\s|{_NAME}[\s>])")


@dataclass(slots=True)
class _Element:
    tag: str
    start: int
    fields: list[tuple[str, Span]] = field(default_factory=list)
    texts: list[Span] = field(default_factory=list)
    children: list[_Element] = field(default_factory=list)
    end: int = 0


def read_xml(page: Page, i: int, way: Way) -> Block | None:
    """A well-formed element with attributes or elements in it. One with only text in it is prose."""
    failures = page.declined.get("xml", 0)
    if failures >= MAX_FAILURES or not _START.match(page.line(i)):
        return None
    page.declined["xml"] = failures + 1
    root = _parsed(page, page.text.index("<", page.starts[i]))
    if root is None or not (root.fields or root.children):
        return None
    newline = page.text.find("\n", root.end, page.end)
    if page.text[root.end : newline if newline >= 0 else page.end].strip():
        return None
    page.declined["xml"] = failures
    places = {"": (root.start, root.end)}
    value = {root.tag: _value(root, f"/{root.tag}", places)}
    found = list(records_of(value, root=way.place))
    return Block(
        page.line_at(root.end, i + 1), relocated(found, places, chars(root.start, root.end))
    )


def _parsed(page: Page, at: int) -> _Element | None:
    """The element that begins at a place; None where it is not well-formed to its end."""
    opened: list[_Element] = []
    while token := _TOKEN.match(page.text, at, page.end):
        at = token.end()
        if token["text"] is not None or token["cdata"] is not None:
            name = "cdata" if token["text"] is None else "text"
            span = trimmed(page.text, *token.span(name))
            if opened and span.text:
                text = span.text if name == "cdata" else html.unescape(span.text)
                opened[-1].texts.append(Span(text, span.start, span.end))
            elif span.text:
                return None
        elif token["tag"] and not token["close"]:
            if len(opened) >= MAX_DEPTH:
                return None
            element = _Element(token["tag"], token.start(), _attributes(page.text, token))
            if opened:
                opened[-1].children.append(element)
            opened.append(element)
        if token["close"] or token["empty"]:
            if not opened or opened[-1].tag != token["tag"]:
                return None
            element = opened.pop()
            element.end = at
            if not opened:
                return element
    return None


def _attributes(text: str, token: re.Match[str]) -> list[tuple[str, Span]]:
    found = []
    for match in _ATTRIBUTE.finditer(text, *token.span("attributes")):
        group = 2 if match[2] is not None else 3
        found.append((match[1], Span(html.unescape(match[group]), *match.span(group))))
    return found


def _value(element: _Element, pointer: str, places: dict[str, tuple[int, int]]) -> object:
    """An element as data: a text, or an object of its attributes, its text and its elements, those of
    one name as a list."""
    places[pointer] = (element.start, element.end)
    text = " ".join(span.text for span in element.texts)
    if not element.fields and not element.children:
        if element.texts:
            places[pointer] = (element.texts[0].start, element.texts[-1].end)
        return text
    several: dict[str, list[_Element]] = {}
    for child in element.children:
        several.setdefault(child.tag, []).append(child)
    value: dict[str, object] = {}
    for name, span in element.fields:
        key = f"@{name}" if name in several or name == "text" else name
        value[key] = span.text
        places[f"{pointer}/{key}"] = (span.start, span.end)
    if text:
        key = "@text" if "text" in several else "text"
        value[key] = text
        places[f"{pointer}/{key}"] = (element.texts[0].start, element.texts[-1].end)
    for tag, children in several.items():
        inside = f"{pointer}/{tag}"
        if len(children) == 1:
            value[tag] = _value(children[0], inside, places)
        else:
            value[tag] = [_value(c, f"{inside}/{n}", places) for n, c in enumerate(children)]
            places[inside] = (children[0].start, children[-1].end)
    return value
