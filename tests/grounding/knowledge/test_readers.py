"""Files of each kind as documents: sections, pages, what they say of themselves, and what is wrong."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.errors import KnowledgeError
from affidavit.grounding.knowledge.chunks import CHUNK_CHARS, chunks_of
from affidavit.grounding.knowledge.document import Document, Section
from affidavit.grounding.knowledge.readers.folder import Unread, read_documents
from affidavit.grounding.knowledge.readers.html import read_html
from affidavit.grounding.knowledge.readers.json_records import read_json
from affidavit.grounding.knowledge.readers.markdown import read_markdown
from affidavit.grounding.knowledge.readers.metadata import day_of

MARKDOWN = """\
---
title: Card fees
version: 2.1
last_updated: 2026-03-01
source_url: https://bank.example/fees
---
Before the first heading.

# Card fees

## Monthly

The card costs 5 euros.

```
# not a heading
```

- an item
  ## nor this

Abroad *and* [online](x)
------

| where | fee |
|---|---|
| cash | 2 % |

#### Deeper

At **night** only.
# Second part
End.
"""


def outline(document: Document) -> list[tuple[str, ...]]:
    return [section.headings for section in document.sections]


def test_markdown_by_its_headings() -> None:
    document = read_markdown(MARKDOWN, "fees.md", "fees")
    assert outline(document) == [
        (),
        ("Monthly",),
        ("Abroad and online",),
        ("Abroad and online", "Deeper"),
        ("Second part",),
    ]
    monthly = document.sections[1].text
    assert "# not a heading" in monthly and "## nor this" in monthly
    assert "| cash | 2 % |" in document.sections[2].text


def test_markdown_says_things_of_itself() -> None:
    document = read_markdown(MARKDOWN, "fees.md", "fees")
    assert (document.id, document.title, document.version) == ("fees.md", "Card fees", "2.1")
    assert document.document_date == date(2026, 3, 1)
    assert document.url == "https://bank.example/fees"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Opening hours\nNine to five.", "Opening hours"),
        ("Opening hours\n===\nNine to five.", "Opening hours"),
        ("Nine to five.\n# Later", "hours"),
        ("Nine to five.", "hours"),
        ("## Small heading\nx", "hours"),
        ("", "hours"),
    ],
)
def test_the_title_without_front_matter(text: str, title: str) -> None:
    assert read_markdown(text, "hours.md", "hours").title == title


@pytest.mark.parametrize("front", ["- a\n- b", "a: [", "date: soon"])
def test_front_matter_that_cannot_be_meant_is_told(front: str) -> None:
    with pytest.raises(KnowledgeError):
        read_markdown(f"---\n{front}\n---\ntext", "x.md", "x")


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("2026-03-01", date(2026, 3, 1)),
        ("2026-03-01T23:59:00+01:00", date(2026, 3, 1)),
        (date(2026, 3, 1), date(2026, 3, 1)),
        (None, None),
        ("", None),
    ],
)
def test_days(said: object, day: date | None) -> None:
    assert day_of(said) == day


@pytest.mark.parametrize("said", ["01/02/2026", "March", "2026-13-01", 5])
def test_a_date_that_could_be_two_days_is_refused(said: object) -> None:
    with pytest.raises(KnowledgeError, match="expected the form"):
        day_of(said)


PAGE = """<!doctype html><html><head><title>Fees | Bank</title>
<meta property="article:modified_time" content="2026-02-03T10:00:00Z">
<link rel="canonical" href="https://bank.example/fees"><style>p{}</style></head>
<body><nav><a href="/">Home</a></nav><header>Menu</header>
<main><h1>Card fees</h1><p>All fees &amp; charges<br>in euros.</p>
<h2>Cash <em>abroad</em></h2><table><tr><th>where</th><th>fee</th></tr>
<tr><td>EU</td><td>2&nbsp;%</td></tr></table><ul><li>one</li><li>two</li></ul>
<div hidden>secret</div><script>let x = "<p>no</p>"</script><pre>a  b
 c</pre></main><footer>© Bank</footer></body></html>"""


def test_html_is_its_main_part() -> None:
    document = read_html(PAGE, "fees.html", "fees")
    assert (document.title, document.url) == ("Card fees", "https://bank.example/fees")
    assert document.document_date == date(2026, 2, 3)
    assert outline(document) == [(), ("Cash abroad",)]
    first, second = (section.text for section in document.sections)
    assert first == "All fees & charges\nin euros."
    assert "where | fee\nEU | 2" in second and "- one\n- two" in second and "a  b" in second
    whole = first + second
    assert not any(word in whole for word in ("Menu", "Home", "secret", "let x", "© Bank", "p{}"))


def test_html_without_main_leaves_out_what_surrounds_it() -> None:
    page = "<title>Hours</title><header>Menu</header><p>Nine to <b>five</b>.<p>Daily.<footer>f</footer>"
    document = read_html(page, "h.html", "h")
    assert (
        "Menu" not in str(document.sections)
        and document.sections[0].text == "Nine to five.\n\nDaily."
    )


@given(st.text(alphabet="<>/abh1pnavm!-\"' =&;", max_size=80))
def test_any_text_can_be_read_as_html(text: str) -> None:
    assert read_html(text, "x.html", "x").id == "x.html"


def test_json_records_and_their_names() -> None:
    rows = [
        {"id": "a", "title": "Fees", "content": "## Monthly\n5 euros", "updated_at": "2026-01-02"},
        {"name": "Hours", "body": "Nine to five.", "version": 3},
        "Just words.",
    ]
    a, b, c = read_json(json.dumps(rows), "kb.json", "kb")
    assert (a.id, a.title, a.document_date) == ("a", "Fees", date(2026, 1, 2))
    assert a.sections == (Section("5 euros", ("Monthly",)),)
    assert (b.id, b.title, b.version) == ("kb.json#2", "Hours", "3")
    assert c.sections[0].text == "Just words."


def test_json_without_a_text_is_kept_whole() -> None:
    data = {"currency": "EUR", "plans": [{"name": "Basic", "price": 49}], "café": {"open": True}}
    (document,) = read_json(json.dumps(data), "plans.json", "plans")
    assert outline(document) == [(), ("plans",), ("café",)]
    assert "currency: EUR" in document.sections[0].text
    assert "name: Basic" in document.sections[1].text and "price: 49" in document.sections[1].text


def pdf(pages: list[str], *, outline: Sequence[tuple[str, int]] = (), title: str = "") -> bytes:
    """A PDF that says these lines, drawn in Helvetica."""
    import io

    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = PdfWriter()
    for text in pages:
        page = writer.add_blank_page(width=595, height=842)
        lines = " ".join(f"({line}) Tj T*" for line in text.split("\n"))
        content = DecodedStreamObject()
        content.set_data(f"BT /F1 12 Tf 14 TL 72 770 Td {lines} ET".encode("latin-1"))
        font = DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Font"),
                NameObject("/Subtype"): NameObject("/Type1"),
                NameObject("/BaseFont"): NameObject("/Helvetica"),
            }
        )
        fonts = DictionaryObject({NameObject("/F1"): font})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        page[NameObject("/Contents")] = writer._add_object(content)
    for words, number in outline:
        writer.add_outline_item(title=words, page_number=number - 1)
    writer.add_metadata({"/Title": title, "/ModDate": "D:20260304120000Z"} if title else {})
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.pdf
def test_pdf_page_by_page(tmp_path: Path) -> None:
    data = pdf(
        [
            "Terms of the card\nWelcome.",
            "Fees\nThe card costs 5 euros.\nLimits\nNo more than 9.",
            "End.",
        ],
        outline=[("Fees", 2), ("Limits", 2)],
        title="Card terms",
    )
    (tmp_path / "terms.pdf").write_bytes(data)
    (document,) = read_documents(tmp_path)
    assert isinstance(document, Document)
    assert (document.title, document.document_date) == ("Card terms", date(2026, 3, 4))
    assert [(s.headings, s.page, s.text) for s in document.sections] == [
        ((), 1, "Terms of the card\nWelcome."),
        (("Fees",), 2, "The card costs 5 euros."),
        (("Limits",), 2, "No more than 9."),
        (("Limits",), 3, "End."),
    ]


@pytest.mark.pdf
@pytest.mark.parametrize(
    ("data", "why"), [(b"%PDF-1.4 broken", "cannot be read"), (None, "holds no text")]
)
def test_pdfs_without_text_are_told(tmp_path: Path, data: bytes | None, why: str) -> None:
    (tmp_path / "scan.pdf").write_bytes(pdf([""]) if data is None else data)
    (unread,) = read_documents(tmp_path)
    assert isinstance(unread, Unread) and unread.place == "scan.pdf" and why in unread.reason


@pytest.mark.pdf
def test_an_encrypted_pdf_is_told(tmp_path: Path) -> None:
    from pypdf import PdfReader, PdfWriter

    (tmp_path / "plain.pdf").write_bytes(pdf(["Secret."]))
    writer = PdfWriter(clone_from=PdfReader(tmp_path / "plain.pdf"))
    writer.encrypt("password", algorithm="RC4-128")
    writer.write(tmp_path / "plain.pdf")
    (unread,) = read_documents(tmp_path / "plain.pdf")
    assert isinstance(unread, Unread) and "encrypted" in unread.reason


@pytest.mark.spec("AFF-1024")
def test_a_folder_with_everything_in_it(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.md").write_text("hidden")
    (tmp_path / "a.md").write_text("\ufeff# A\r\ntext\r\n", encoding="utf-8")
    (tmp_path / "sub" / "b.htm").write_text("<h1>B</h1><p>text")
    (tmp_path / "c.txt").write_text("plain")
    lines = [
        json.dumps({"id": "one", "text": "1"}),
        "{broken",
        json.dumps({"id": "one", "text": "2"}),
    ]
    (tmp_path / "d.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    (tmp_path / "e.docx").write_text("?")
    (tmp_path / "f.txt").write_bytes(b"\xff\xfe\x00")
    found = list(read_documents(tmp_path))
    documents = [each for each in found if isinstance(each, Document)]
    assert [d.id for d in documents] == ["a.md", "c.txt", "one", "sub/b.htm"]
    assert documents[0].title == "A"
    unread = {each.place: each.reason for each in found if isinstance(each, Unread)}
    assert set(unread) == {"d.jsonl.gz", "e.docx", "f.txt"}
    reasons = [each.reason for each in found if isinstance(each, Unread)]
    assert any("line 2" in r for r in reasons) and any("already taken" in r for r in reasons)


def test_a_path_with_nothing_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match="no such file or folder"):
        list(read_documents(tmp_path / "none"))


@given(st.lists(st.tuples(st.text(max_size=3000), st.integers(0, 3)), max_size=4))
def test_chunks_keep_every_word(sections: list[tuple[str, int]]) -> None:
    document = Document(
        "x", "X", tuple(Section(text, ("a", "b")[:depth], page=3) for text, depth in sections)
    )
    chunks = chunks_of(document)
    kept = "".join("".join(chunk.text.split()) for chunk in chunks)
    assert kept == "".join("".join(text.split()) for text, _ in sections)
    assert all(len(chunk.text) <= CHUNK_CHARS and chunk.page == 3 for chunk in chunks)
