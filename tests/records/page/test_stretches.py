"""Long texts: what is cited is in view, the rest is folded, and nothing is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from affidavit.records.page.view.passages import segments
from affidavit.records.page.view.windows import MARK_ENDS, WHOLE_CHARS, stretches

LONG = st.lists(st.text("ab \n", max_size=200), min_size=1, max_size=120).map("\n".join)


@st.composite
def marked_texts(draw: st.DrawFn) -> tuple[str, list[tuple[int, int]]]:
    text = draw(LONG) * draw(st.integers(1, 6))
    place = st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))
    marks = draw(st.lists(place.map(sorted).map(tuple), max_size=8))
    return text, [(a, b) for a, b in marks if a < b]


@given(marked_texts())
def test_stretches_are_the_text_and_show_every_mark(
    given_: tuple[str, list[tuple[int, int]]],
) -> None:
    text, marks = given_
    found = stretches(text, marks)
    assert "".join(text[s.start : s.end] for s in found) == text
    shown = {at for s in found if not s.folded for at in range(s.start, s.end)}
    for start, end in marks:
        assert {start, end - 1} <= shown
        if end - start <= 2 * MARK_ENDS:
            assert shown.issuperset(range(start, end))


@given(marked_texts(), st.data())
def test_segments_are_the_stretch_and_know_what_they_are_under(
    given_: tuple[str, list[tuple[int, int]]], data: st.DataObject
) -> None:
    text, marks = given_
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    found = segments(start, end, marks)
    assert "".join(text[s.start : s.end] for s in found) == text[start:end]
    for one in found:
        under = {i for i, (a, b) in enumerate(marks) if a <= one.start and one.end <= b}
        assert set(one.under) == under
        lengths = [marks[i][1] - marks[i][0] for i in one.under]
        assert lengths == sorted(lengths, reverse=True)


def test_a_short_text_is_shown_whole() -> None:
    assert [s.folded for s in stretches("x" * WHOLE_CHARS, [])] == [False]


def test_of_a_long_one_only_what_is_cited_is_in_view() -> None:
    lines = [f"line {n}" for n in range(100_000)]
    text = "\n".join(lines)
    at = text.index("line 50000")
    found = stretches(text, [(at, at + 10)])
    shown = [text[s.start : s.end] for s in found if not s.folded]
    assert shown == ["\n".join(lines[49_997:50_004]) + "\n"]


def test_a_very_long_value_shows_its_two_ends() -> None:
    text = "x" * 1_000_000
    shown = sum(s.end - s.start for s in stretches(text, [(0, len(text))]) if not s.folded)
    assert 2 * MARK_ENDS <= shown < 4000
