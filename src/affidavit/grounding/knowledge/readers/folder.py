"""A folder of files, or one file, as documents."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from affidavit.errors import KnowledgeError, MissingExtra
from affidavit.grounding.knowledge.document import Document
from affidavit.grounding.knowledge.readers.html import read_html
from affidavit.grounding.knowledge.readers.json_records import read_json, read_json_lines
from affidavit.grounding.knowledge.readers.markdown import read_markdown
from affidavit.grounding.knowledge.readers.pdf import read_pdf

SUFFIXES = frozenset(
    {".md", ".markdown", ".html", ".htm", ".pdf", ".json", ".jsonl", ".ndjson", ".txt"}
)


@dataclass(frozen=True, slots=True)
class Unread:
    """A file, or part of one, that did not become a document, and why."""

    place: str
    reason: str


def read_documents(path: Path | str) -> Iterator[Document | Unread]:
    """Every document in a folder and the folders below it, by name; or those of one file.

    A document's id is its own where the file states one, else the file's path within the folder, so
    that the same folder gives the same ids wherever it lies. Hidden files and folders are left out
    silently; a file of another kind, or one that cannot be read, gives an ``Unread``, and the rest
    goes on. Of two documents with one id the second is unread: they would replace each other in turn.

    Raises KnowledgeError when there is nothing at ``path``, and MissingExtra for PDF without pypdf.
    """
    root = Path(path)
    seen: dict[str, str] = {}
    for file, name in _files(root):
        for found in _read(file, name):
            if isinstance(found, Document):
                if found.id in seen:
                    found = Unread(name, f"id {found.id!r} is already taken in {seen[found.id]}")
                else:
                    seen[found.id] = name
            yield found


def _files(root: Path) -> list[tuple[Path, str]]:
    if root.is_file():
        return [(root, root.name)]
    if not root.is_dir():
        raise KnowledgeError(f"{root}: no such file or folder")
    found = [(file, file.relative_to(root).as_posix()) for file in root.rglob("*")]
    return sorted(
        (
            (file, name)
            for file, name in found
            if file.is_file() and not any(part.startswith(".") for part in name.split("/"))
        ),
        key=lambda item: item[1],
    )


def _read(file: Path, name: str) -> Iterator[Document | Unread]:
    plain = name.removesuffix(".gz")
    suffix = Path(plain).suffix.lower()
    if suffix not in SUFFIXES:
        yield Unread(name, f"files of the kind {suffix or 'without a suffix'} are not read")
        return
    try:
        data = file.read_bytes()
        if plain != name:
            data = gzip.decompress(data)
        yield from _documents(data, name, suffix)
    except MissingExtra:
        raise
    except (KnowledgeError, OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        yield Unread(name, str(error))


def _documents(data: bytes, name: str, suffix: str) -> Iterator[Document | Unread]:
    title = Path(name.removesuffix(".gz")).stem
    if suffix == ".pdf":
        document, unread = read_pdf(data, name, title)
        yield document
        yield from (Unread(name, reason) for reason in unread)
        return
    text = data.decode("utf-8-sig")
    match suffix:
        case ".md" | ".markdown":
            yield read_markdown(text, name, title)
        case ".html" | ".htm":
            yield read_html(text, name, title)
        case ".json":
            yield from read_json(text, name, title)
        case ".jsonl" | ".ndjson":
            for found in read_json_lines(text, name, title):
                yield Unread(name, str(found)) if isinstance(found, KnowledgeError) else found
        case _:
            yield Document.from_text(name, text, title=title)
