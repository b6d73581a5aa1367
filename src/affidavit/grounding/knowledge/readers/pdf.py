"""PDF files: text page by page, sections where the file has an outline."""

from __future__ import annotations

import io
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from affidavit.errors import KnowledgeError, MissingExtra
from affidavit.grounding.knowledge.document import Document, Section

if TYPE_CHECKING:
    from pypdf import PdfReader

_Entry = tuple[int, tuple[str, ...]]
"""An entry of the outline: the page it points to, from 1, and the way of titles down to it."""


def read_pdf(data: bytes, id: str, fallback_title: str) -> tuple[Document, list[str]]:  # noqa: A002
    """A PDF as a document, and what could not be read of it: pages that show only pictures.

    Needs ``pip install 'affidavit[pdf]'``. Title and date are those of the file's own properties.
    Raises KnowledgeError for files that are broken, encrypted, or hold no text at all.
    """
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ImportError as error:
        raise MissingExtra("pypdf", "pdf") from error
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise KnowledgeError("the PDF is encrypted; remove its password first")
        pages = [page.extract_text() for page in reader.pages]
        outline = sorted(_entries(reader, reader.outline, ()))
        pictures = [
            number
            for number, text in enumerate(pages, 1)
            if not text.strip() and _has_picture(reader, number)
        ]
        properties = reader.metadata
        title = (properties and properties.title) or fallback_title
        written = properties and (properties.modification_date or properties.creation_date)
    except (PyPdfError, OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise KnowledgeError(f"the PDF cannot be read: {error}") from error
    sections = tuple(_sections(pages, outline))
    if not sections:
        raise KnowledgeError("the PDF holds no text; scanned pages need OCR first")
    unread = [f"page {number} shows a picture and no text" for number in pictures]
    return Document(id, title, sections, document_date=written.date() if written else None), unread


def _sections(pages: list[str], outline: list[_Entry]) -> Iterator[Section]:
    starts = [page for page, _ in outline]
    for number, text in enumerate(pages, 1):
        passed = bisect_right(starts, number - 1)
        way = outline[passed - 1][1] if passed else ()
        here = [titles for _, titles in outline[passed : bisect_right(starts, number)]]
        for stretch, titles in _split(text, way, here):
            if stretch.strip():
                yield Section(stretch.strip("\n"), titles, number)


def _split(
    text: str, way: tuple[str, ...], here: list[tuple[str, ...]]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A page's text cut at the lines that are the outline's titles; ``way`` holds up to the first."""
    lines = text.split("\n")
    start = 0
    for titles in here:
        wanted = _folded(titles[-1])
        at = next((n for n in range(start, len(lines)) if _folded(lines[n]) == wanted), None)
        if at is None:  # drawn in some other way: from here on, as far as anyone can tell
            way = titles
            continue
        yield "\n".join(lines[start:at]), way
        start, way = at + 1, titles
    yield "\n".join(lines[start:]), way


def _folded(line: str) -> str:
    return "".join(line.split()).casefold()


def _entries(reader: PdfReader, outline: Any, above: tuple[str, ...]) -> Iterator[_Entry]:
    """The outline's entries; a list after an entry holds those below it."""
    last = above
    for item in outline:
        if isinstance(item, list):
            yield from _entries(reader, item, last)
            continue
        page = reader.get_destination_page_number(item)
        last = (*above, str(item.title))
        if page is not None and page >= 0:
            yield page + 1, last


def _has_picture(reader: PdfReader, number: int) -> bool:
    return len(reader.pages[number - 1].images) > 0
