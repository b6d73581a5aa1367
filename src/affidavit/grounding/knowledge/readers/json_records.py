"""JSON and JSON Lines: records with a text of their own, or any data as it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from affidavit.errors import KnowledgeError
from affidavit.grounding.knowledge.document import Document, Section
from affidavit.grounding.knowledge.readers.markdown import markdown_sections, under_title
from affidavit.grounding.knowledge.readers.metadata import Metadata

_TEXT = ("content", "text", "body", "markdown", "page_content")


def read_json(text: str, id: str, fallback_title: str) -> list[Document]:  # noqa: A002
    """A list of records gives one document each, named by their own ``id`` or by the file's and their
    number; anything else is one document.

    A record's text is its ``content``, ``text`` or ``body``, read as Markdown; one without is kept
    whole as YAML, a section for each of its fields.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise KnowledgeError(f"not valid JSON: {error}") from error
    if isinstance(data, list):
        return [
            _record(item, f"{id}#{n}", f"{fallback_title} {n}") for n, item in enumerate(data, 1)
        ]
    return [_record(data, id, fallback_title)]


def read_json_lines(text: str, id: str, fallback_title: str) -> Iterator[Document | KnowledgeError]:  # noqa: A002
    """One document a line; a line that cannot be read gives its error, and the rest goes on."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield _record(json.loads(line), f"{id}#{number}", f"{fallback_title} {number}")
        except (ValueError, RecursionError) as error:
            yield KnowledgeError(f"line {number}: not valid JSON: {error}")
        except KnowledgeError as error:
            yield KnowledgeError(f"line {number}: {error}")


def _record(item: Any, id: str, fallback_title: str) -> Document:  # noqa: A002
    said = Metadata.of(item) if isinstance(item, dict) else Metadata()
    title = said.title or fallback_title
    text = _own_text(item)
    if text is None:
        sections = tuple(_data_sections(item))
    else:
        sections = tuple(under_title(section, title) for section in markdown_sections(text))
    return Document(
        said.id or id,
        title,
        sections,
        said.version,
        said.url,
        said.document_date,
    )


def _own_text(item: Any) -> str | None:
    if not isinstance(item, dict):
        return item if isinstance(item, str) else None
    return next((item[name] for name in _TEXT if isinstance(item.get(name), str)), None)


def _data_sections(item: Any) -> Iterator[Section]:
    if isinstance(item, dict):
        plain = {k: v for k, v in item.items() if not isinstance(v, dict | list)}
        if plain:
            yield Section(_yaml(plain))
        for key, value in item.items():
            if key not in plain:
                yield Section(_yaml(value), (str(key),))
    else:
        yield Section(_yaml(item))


def _yaml(value: Any) -> str:
    import yaml

    return str(yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=10_000)).strip()
