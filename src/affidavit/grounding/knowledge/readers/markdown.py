"""Markdown, with or without YAML front matter: sections by its headings, text as written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from affidavit.errors import KnowledgeError
from affidavit.grounding.knowledge.document import Document, Section
from affidavit.grounding.knowledge.readers.metadata import Metadata

_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*$\n?", re.S | re.M)


def read_markdown(text: str, id: str, fallback_title: str) -> Document:  # noqa: A002
    """A Markdown file as a document. Front matter may give its id, title, version, url and date; else
    the title is that of the first heading of the first level, or ``fallback_title``."""
    text = text.replace("\r\n", "\n")
    said = Metadata()
    if front := _FRONT.match(text):
        said = Metadata.of(_front_matter(front[1]))
        text = text[front.end() :]
    sections = tuple(markdown_sections(text))
    first = next((s.headings[0] for s in sections if s.headings), None)
    title = said.title or (first if _begins_with_heading(text) else None) or fallback_title
    return Document(
        said.id or id,
        title,
        tuple(under_title(section, title) for section in sections),
        said.version,
        said.url,
        said.document_date,
    )


def markdown_sections(text: str) -> Iterator[Section]:
    """Stretches of the text between its headings, blank ones left out. Headings within lists and
    quotations are text like any other, and so is what looks like one within code."""
    from markdown_it import MarkdownIt

    lines = text.split("\n")
    tokens = MarkdownIt("commonmark").parse(text)
    way: list[tuple[int, str]] = []
    start = 0
    for at, token in enumerate(tokens):
        if token.type != "heading_open" or token.level or token.map is None:
            continue
        yield from _section(lines[start : token.map[0]], way)
        level = int(token.tag[1:])
        way = [step for step in way if step[0] < level]
        said = "".join(child.content for child in tokens[at + 1].children or ())
        way.append((level, " ".join(said.split())))
        start = token.map[1]
    yield from _section(lines[start:], way)


def under_title(section: Section, title: str) -> Section:
    """The section without the document's own title at the head of its way."""
    if section.headings[:1] == (title,):
        return Section(section.text, section.headings[1:], section.page)
    return section


def _section(lines: list[str], way: list[tuple[int, str]]) -> Iterator[Section]:
    text = "\n".join(lines).strip("\n")
    if text.strip():
        yield Section(text, tuple(heading for _, heading in way if heading))


def _begins_with_heading(text: str) -> bool:
    return re.match(r"\s*+(?:#\s|[^\n]+\n=+[ \t]*(?:\n|\Z))", text) is not None


def _front_matter(text: str) -> dict[str, Any]:
    import yaml

    try:
        said = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise KnowledgeError(f"front matter is not valid YAML: {error}") from error
    if said is not None and not isinstance(said, dict):
        raise KnowledgeError("front matter holds no fields; expected lines such as 'title: Fees'")
    return said or {}
