"""A report shows itself in a notebook."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser

from affidavit.report import HallucinationReport

MakeReport = Callable[..., HallucinationReport]


class Texts(HTMLParser):
    """The tags and the text of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.words += data


def test_it_shows_the_decision_the_answer_and_the_evidence(make_report: MakeReport) -> None:
    report = make_report(
        "The pads cost $99. They are new.",
        {"The pads cost $99.": {"status": "contradicted", "explanation": "the price is 24.50"}, "They are new.": "supported"},
        action="block", reasons=("a critical claim is contradicted",),
    )  # fmt: skip
    shown = Texts(report._repr_html_())
    for words in (
        "Block",
        "a critical claim is contradicted",
        "The pads cost $99.",
        "the price is 24.50",
        "get_part /price",
    ):
        assert words in shown.words
    assert "script" not in shown.tags and shown.tags.count("tr") == 2


def test_nothing_in_it_can_run(make_report: MakeReport) -> None:
    answer = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    shown = Texts(make_report(answer, {answer: "unsupported"})._repr_html_())
    assert not {"script", "img"} & set(shown.tags)
    assert answer in shown.words


def test_its_repr_is_a_line(make_report: MakeReport) -> None:
    report = make_report("A. B.", {"A.": "supported", "B.": "unsupported"}, run_id="r1")
    assert repr(report) == "<HallucinationReport 'r1': emit, 0.10; 1 supported, 1 unsupported>"
