"""Where a streamed answer is cut, whatever the pieces it comes in: never inside what belongs together,
and by the block at the latest."""

import re
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.guard import Guard
from affidavit.guard.release import next_cut
from affidavit.policy import Policy
from affidavit.report import HallucinationReport
from affidavit.testing import claim_verdict, report_of
from affidavit.trace import RunTrace

SIZES = (1, 2, 3, 7, 40, 10_000)
AFTER = " It has shipped. So it is. And so on"
# What belongs together stands between ⟦ and ⟧.
TOGETHER = {
    "decimal": "It costs ⟦$5.00⟧ today.",
    "decimal with a space": "It costs ⟦$5. 00⟧ today.",
    "version": "⟦Version 1. 2. 3⟧ is out.",
    "title": "⟦Dr. Smith⟧ called.",
    "initials": "It went to ⟦J. R. Doe⟧ yesterday.",
    "small words": "It weighs ⟦approx. five⟧ kilos.",
    "ellipsis": "⟦Well... it⟧ has shipped.",
    "address": "See ⟦https://x.example/a.b?c=1.2&d=e!f⟧ for more.",
    "file": "It is in ⟦report.v2.pdf⟧ now.",
    "link target": 'See ⟦[this](https://x.example/a. b "Title. It")⟧ now.',
    "link first": "⟦[Your order. Now](https://shop.example/o)⟧ is there.",
    "code span": "Run ⟦`git log. Then push`⟧ now.",
    "brackets": "It came ⟦(on Jan. 5. It was late.)⟧ yesterday.",
    "nested brackets": "It came ⟦(as [they. Said] it. Would)⟧ yesterday.",
    "quotation": 'He said ⟦"It came. It was late."⟧ yesterday.',
    "curled quotation": "He said ⟦“It came. It was late.”⟧ yesterday.",
    "japanese quotation": "彼は⟦「はい。そうです。」⟧と言った。",
    "german quotation": "Er sagte ⟦„Es kam. Es war spät.“⟧ gestern.",
    "bold": "It is ⟦**late. Very late**⟧ now.",
    "formula": "Here ⟦$$x = 5. Then y$$⟧ holds.",
    "comment": "The total ⟦<!-- a note. With a stop. -->⟧ is low.",
    "long comment": "The total ⟦<!-- a note.\n\nWith a stop. And more. -->⟧ is low.",
    "tag": 'See ⟦<a title="one. Two" href="x">⟧this</a> now.',
    "fence": "⟦```python\nx = 1. \n\ny = x. \n```⟧\n\nThere it is.",
    "longer fence": "⟦````\n```\nx. Y\n\n```\nz. W\n````⟧\n\nThere it is.",
    "fence of tildes": "⟦~~~\n```\nfoo. Bar\n\nx. Y\n~~~⟧\n\nThere it is.",
    "list": "⟦Orders:\n\n- one. First.\n- two. Second.\n\n- three. Third.⟧\n\nThere it is.",
    "numbered list": "⟦1. One. First.\n2. Two. Second.⟧\n\nThere it is.",
    "table": "⟦| a. B | c |\n|---|---|\n| 1. X | 2. Y |⟧\n\nThere it is.",
    "quoted block": "⟦> One. Two.\n> Three. Four.⟧\n\nThere it is.",
    "json": '⟦{"note": "One. Two.", "list": [1, "a. B"]}⟧\n\nThere it is.',
    "json list": '⟦[{"note": "One. Two."}, {"b": "c. D"}]⟧\n\nThere it is.',
    "json lines": '⟦{"a": "One. Two."}\n{"b": "Three. Four."}⟧\n\nThere it is.',
    "right to left": "⟦המחיר 5.50 שקלים⟧ היום. זה הכול.",
    "emoji": "It is 🎉 ⟦a v1.2 🎉.5⟧ today.",
    "cents of a currency": "合計は⟦５．００⟧ドルです。",
}
# Two blocks each, and no full stop in either of them.
ENDLESS = {
    "paragraphs": "one thing\n\nanother thing\n\na third",
    "windows lines": "one thing\r\n\r\nanother thing\r\n\r\na third",
    "lines": "roses are red\nviolets are blue\n\nand so are you",
    "list": "- one\n- two\n- three\n\nthat is all of it",
    "numbered list": "1. one\n2. two\n\nthat is all of it",
    "table": "| a | b |\n|---|---|\n| 1 | 2 |\n\nthat is all of it",
    "code": "```\nx = 1\n```\n\nthat is all of it",
    "json": '{"a": {"b": [1, 2]}}\n\nthat is all of it',
    "thai": "จัดส่งแล้ว ยอดรวม 5 บาท\n\nขอบคุณมากครับผม",
    "chinese": "订单已发货，总额五元\n\n谢谢您的惠顾",
    "stray bracket": "a smile :( and so on\n\nthat is all of it",
    "stray quotation mark": 'a 15" screen is there\n\nthat is all of it',
    "stray backtick": "a ` is here\n\nthat is all of it",
    "stray brace": "{name} is the name\n\nthat is all of it",
    "note first": "[1] says so\n\nthat is all of it",
    "hindi": "आपका ऑर्डर भेज दिया गया है। कुल राशि\n\nधन्यवाद आपका",
}
# Each with a full stop of its own kind, after which the next sentence begins.
STOPS = {
    "japanese": ("注文は発送されました。", "合計は五ドルです。終わり"),
    "chinese": ("订单已发货！", "谢谢。再见"),
    "arabic": ("هل تم الشحن؟ ", "نعم. شكرا"),
    "hebrew": ("ההזמנה נשלחה. ", "תודה. להתראות"),
    "russian": ("Заказ отправлен. ", "Спасибо. До свидания"),
    "link first": ("[Your order](https://x.example/o) has shipped. ", "It is late. So"),
    "note first": ("[1] says that it has shipped. ", "It is late. So"),
    "brace first": ("{name} is a placeholder. ", "It is late. So"),
    "emoji": ("Shipped! ", "🎉 It is late. So"),
}


class Judge:
    """Sends back what holds a bad word, and keeps what it let out."""

    def __init__(self, bad: str = "BAD") -> None:
        self.policy, self.bad = Policy(), bad
        self.let_out: set[str] = set()

    async def acheck(self, trace: RunTrace, **how: Any) -> HallucinationReport:
        good = self.bad not in trace.answer
        if good:
            self.let_out.add(trace.answer)
        claim = claim_verdict(trace.answer, 0.95 if good else 0.5)
        return report_of(claim, run_id=trace.run_id, action="emit" if good else "revise")


def streamed(text: str, size: int, judge: Judge | None = None) -> list[str]:
    """The places at which an answer is cut that comes in pieces of a size; all of it is let out."""
    judge = judge or Judge()
    guard = Guard(judge)
    draft, shown, cuts = guard.stream(), "", []
    for at in range(0, len(text), size):
        if piece := draft.feed(text[at : at + size]):
            shown += piece
            cuts.append(shown)
            assert shown in judge.let_out, "shown before its verdict"
            assert text.startswith(shown)
    if judge.bad not in text:
        assert shown + draft.finish().rest == text
    return cuts


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", TOGETHER)
def test_what_belongs_together_is_not_cut(name: str, size: int) -> None:
    marked = TOGETHER[name]
    begin, end = marked.index("⟦"), marked.index("⟧") - 1
    text = re.sub("[⟦⟧]", "", marked) + AFTER
    for shown in streamed(text, size):
        assert not begin < len(shown) < end, shown


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", TOGETHER)
def test_what_stands_beside_a_bad_word_is_not_shown(name: str, size: int) -> None:
    """The bad word stands at the end of what belongs together, so nothing of it may be seen."""
    marked = TOGETHER[name]
    begin = marked.index("⟦")
    text = re.sub("[⟦⟧]", "", marked.replace("⟧", "⟧BAD")) + AFTER
    shown = "".join(streamed(text, size)[-1:])
    assert len(shown) <= begin


@pytest.mark.parametrize("size", [1, 2, 3, 7])
@pytest.mark.parametrize("name", ENDLESS)
def test_what_never_stops_goes_out_by_the_block(name: str, size: int) -> None:
    text = ENDLESS[name]
    first = re.split(r"\r?\n\r?\n", text)[0]
    assert streamed(text, size)[0].strip() == first


@pytest.mark.parametrize("size", [1, 2, 3, 7])
@pytest.mark.parametrize("name", STOPS)
def test_sentences_of_every_kind_go_out_one_by_one(name: str, size: int) -> None:
    first, rest = STOPS[name]
    shown = streamed(first + rest, size)[0]
    assert shown.startswith(first)
    assert size > 1 or shown == first


@pytest.mark.parametrize("size", SIZES)
def test_a_value_that_is_cut_by_the_pieces_is_judged_whole(size: int) -> None:
    judge = Judge("$93.70")
    text = "It has shipped. Its total is $93.70, all told. So it is. And so on"
    assert "".join(streamed(text, size, judge)[-1:]) in ("It has shipped. ", "")


FRAGMENTS = [
    "good. ", "BAD. ", "$5.00 ", "e.g. ", "Dr. X ", "- item\n", "\n\n", "\n", "| a | b |\n",
    "```\n", "`x. y`", "(so. It) ", "[a](b. c) ", "<!-- n. -->", "<b>", "“q. Q” ", '"', "(", "]",
    "{", '{"a": "b. C"}', "終。", "نعم؟ ", "🎉", "1. ", "http://x.y/z. ", "**", "So ", "\u200f", "\r\n",
]  # fmt: skip


@given(st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=14), st.integers(1, 9))
@settings(max_examples=150, deadline=None)
def test_nothing_is_shown_that_was_not_let_out(fragments: list[str], size: int) -> None:
    cuts = streamed("".join(fragments), size)
    assert "BAD" not in "".join(cuts[-1:])


@pytest.mark.parametrize(
    "opened", ["(", "[", '"', "“", "`x. ", "<!-- ", "{", "```\n", "| ", "[1, "]
)
def test_a_long_answer_that_is_never_closed_is_cut_in_time(opened: str) -> None:
    text, begun = opened + "it. Is 5. So! " * 300, time.perf_counter()
    start = 0
    for end in range(0, len(text), 40):
        cut = next_cut(text[:end], max(start, end - 512))
        start = cut or start
    assert time.perf_counter() - begun < 20
