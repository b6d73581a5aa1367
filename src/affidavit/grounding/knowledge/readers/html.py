"""HTML pages: the text of the main part by its headings, without what surrounds it."""

from __future__ import annotations

from html.parser import HTMLParser

from affidavit.grounding.knowledge.document import Document, Section
from affidavit.grounding.knowledge.readers.markdown import under_title
from affidavit.grounding.knowledge.readers.metadata import Metadata

_HEADINGS = {f"h{n}": n for n in range(1, 7)}
_PARAGRAPHS = frozenset(
    "address article aside blockquote body caption dd details div dl dt fieldset figcaption figure "
    "footer form header hr legend main ol p pre section summary table ul".split()
)
_UNSEEN = frozenset("script style noscript template svg nav head title".split())
_AROUND = frozenset({"header", "footer"})
_VOID = frozenset(
    "area base br col embed hr img input link meta source track wbr".split()
)  # fmt: skip
_META = {
    "og:title": "title",
    "og:url": "url",
    "article:modified_time": "document_date",
    "article:published_time": "published",
    "dcterms.modified": "document_date",
    "dcterms.identifier": "id",
}


def read_html(text: str, id: str, fallback_title: str) -> Document:  # noqa: A002
    """A page as a document: its main element, or else its body without navigation, header and footer.

    Title, date, version and address come from its meta elements, ``<title>`` and canonical link.
    """
    page = _Page()
    page.feed(text)
    page.close()
    page.finish()
    said = Metadata.of(page.said)
    title = page.heading_title or said.title or fallback_title
    sections = page.main if page.main else page.body
    return Document(
        said.id or id,
        title,
        tuple(under_title(section, title) for section in sections),
        said.version,
        said.url,
        said.document_date,
    )


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.said: dict[str, str] = {}
        self.heading_title: str | None = None
        self.main: list[Section] = []
        self.body: list[Section] = []
        self._in_main = 0
        self._skipped: list[str] = []
        self._title: list[str] | None = None
        self._heading: list[str] | None = None
        self._way: list[tuple[int, str]] = []
        self._pieces: list[str] = []
        self._verbatim = 0
        self._cells = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._note(tag, given)
        if tag in _VOID:
            if tag in ("br", "hr"):
                self._pieces.append("\n")
            return
        if self._skipped or self._hides(tag, given):
            self._skipped.append(tag)
        elif tag == "main":
            self._flush()
            self._in_main += 1
        elif tag in _HEADINGS:
            self._flush()
            self._heading = []
        else:
            self._open(tag)

    def _open(self, tag: str) -> None:
        if tag in _PARAGRAPHS:
            self._pieces.append("\n\n")
        if tag == "pre":
            self._verbatim += 1
        elif tag == "li":
            self._pieces.append("\n- ")
        elif tag == "tr":
            self._pieces.append("\n")
            self._cells = 0
        elif tag in ("td", "th"):
            self._pieces.append(" | " if self._cells else "")
            self._cells += 1

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._title = None
        if self._skipped:
            if tag in self._skipped:  # what a page forgot to close ends with what is around it
                while self._skipped.pop() != tag:
                    pass
        elif tag in _HEADINGS:
            self._close_heading(_HEADINGS[tag])
        elif tag == "main" and self._in_main:
            self._flush()
            self._in_main -= 1
        elif tag == "pre":
            self._verbatim = max(0, self._verbatim - 1)
            self._pieces.append("\n\n")
        elif tag in _PARAGRAPHS:
            self._pieces.append("\n\n")

    def handle_data(self, data: str) -> None:
        if self._title is not None:
            self._title.append(data)
            self.said["title"] = " ".join("".join(self._title).split())
        if self._skipped:
            return
        if self._heading is not None:
            self._heading.append(data)
        elif self._verbatim:
            self._pieces.append(data)
        elif data.strip():
            lead, tail = data[:1].isspace(), data[-1:].isspace()
            self._pieces.append(" " * lead + " ".join(data.split()) + " " * tail)
        elif data:
            self._pieces.append(" ")

    def finish(self) -> None:
        self._flush()

    def _note(self, tag: str, given: dict[str, str | None]) -> None:
        """What elements say of the whole page."""
        if tag == "title" and "title" not in self.said and "svg" not in self._skipped:
            self._title = []
        elif tag == "meta":
            name = (given.get("name") or given.get("property") or "").lower()
            if name and given.get("content"):
                self.said.setdefault(_META.get(name, name), given["content"] or "")
        elif tag == "link" and given.get("rel") == "canonical" and given.get("href"):
            self.said["url"] = given["href"] or ""

    def _hides(self, tag: str, given: dict[str, str | None]) -> bool:
        hidden = "hidden" in given or given.get("aria-hidden") == "true"
        return hidden or tag in _UNSEEN or (tag in _AROUND and not self._in_main)

    def _close_heading(self, level: int) -> None:
        if self._heading is None:
            return
        text = " ".join("".join(self._heading).split())
        self._heading = None
        self._way = [step for step in self._way if step[0] < level]
        if text:
            self._way.append((level, text))
            if level == 1 and self.heading_title is None:
                self.heading_title = text

    def _flush(self) -> None:
        text = _tidy("".join(self._pieces))
        self._pieces = []
        if text:
            where = self.main if self._in_main else self.body
            where.append(Section(text, tuple(heading for _, heading in self._way)))


def _tidy(text: str) -> str:
    """Lines without space at their ends, at most one blank line between them."""
    lines: list[str] = []
    for line in text.split("\n"):
        kept = line.rstrip()
        if kept.strip() or (lines and lines[-1]):
            lines.append(kept.strip() if not kept.startswith("  ") else kept)
    return "\n".join(lines).strip("\n")
