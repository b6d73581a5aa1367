"""What is written as text comes out as text, whatever it holds."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.records.page.markup import data_block, el, join, prose, text

UNSEEN = {
    "\u202e": "U+202E",
    "\u2066": "U+2066",
    "\u200b": "U+200B",
    "\ufeff": "U+FEFF",
    "\x00": "U+0000",
    "\x1b": "U+001B",
    "\U000e0041": "U+E0041",
    "\ud800": "U+D800",
    "\r": "U+000D",
}
PRINTED = st.text(
    st.characters(exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"])
    | st.sampled_from("\n\t<>&\"'/")
)


class Reader(HTMLParser):
    """Keeps what a browser would take for text, elements and attributes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text, self.tags, self.attributes = "", [], {}

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes |= dict(attrs)

    def handle_data(self, data):
        self.text += data


def read(markup: str) -> Reader:
    reader = Reader()
    reader.feed(markup)
    reader.close()
    return reader


@given(PRINTED)
def test_text_is_read_back_as_it_was_and_opens_no_element(words: str) -> None:
    found = read(el("p", None, words))
    assert found.text == words
    assert found.tags == ["p"]


@given(PRINTED | st.from_regex(r"\A([a-z0-9]+-\w*[ <&]?)+\Z"))
def test_prose_is_read_back_as_it_was(words: str) -> None:
    found = read(el("p", None, prose(words)))
    assert found.text == words
    assert set(found.tags) <= {"p", "span"}


@pytest.mark.parametrize(
    ("words", "whole"),
    [
        ("Ticket RJ-3107, by 2026-06-20.", ["RJ-3107", "2026-06-20"]),
        ("a well-known check-in at 9", []),
        ("minus -5, A- and -7-", []),
        ("x-" * 9 + "1", []),
    ],
)
def test_a_number_an_identifier_or_a_date_stays_on_its_line(words: str, whole: list[str]) -> None:
    inside = [re.sub("<[^>]+>", "", part) for part in re.findall("<span.*?</span>", prose(words))]
    assert inside == whole


@given(PRINTED)
def test_an_attribute_is_read_back_as_it_was(words: str) -> None:
    found = read(el("p", {"title": words, "hidden": False, "id": None}, "x"))
    assert found.attributes == {"title": words}


@pytest.mark.spec("AFF-608")
@pytest.mark.parametrize(("sign", "code"), UNSEEN.items(), ids=UNSEEN.values())
def test_what_is_not_seen_is_named(sign: str, code: str) -> None:
    assert code in text(f"a{sign}b")
    assert sign not in text(f"a{sign}b")
    assert sign not in el("p", {"title": f"a{sign}b"})


def test_line_ends_and_joiners_stay() -> None:
    for words in ("a\r\nb\tc", "می\u200cخواهم", "👩\u200d🔬", "\u200fאב"):
        assert text(words) == words


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_data_is_read_back_and_cannot_leave_its_element(document: object) -> None:
    block = data_block("report", document)
    body = block.removeprefix('<script type="application/json" id="report">').removesuffix(
        "</script>"
    )
    assert "<" not in body
    assert json.loads(body) == document


@pytest.mark.parametrize("name", ["on click", "x=1", 'a"', "<p", ""])
def test_only_names_name_elements_and_attributes(name: str) -> None:
    with pytest.raises(ValueError, match="not a name"):
        el(name)
    with pytest.raises(ValueError, match="not a name"):
        el("p", {name: "x"})


def test_children_nest_and_nothing_is_nothing() -> None:
    assert join("a", None, ["b", [el("i", None, 1)]], 2.5) == "ab<i>1</i>2.5"
