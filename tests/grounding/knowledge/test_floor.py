"""The floor parts real questions from the others, and its figures are what they say."""

from __future__ import annotations

import asyncio
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from affidavit.errors import KnowledgeError
from affidavit.grounding.knowledge.base import KnowledgeBase
from affidavit.grounding.knowledge.document import Document
from affidavit.grounding.knowledge.floor import errors_of, floor_between, measure_floor
from affidavit.grounding.knowledge.picture import floor_picture
from affidavit.grounding.knowledge.questions import read_questions
from affidavit.grounding.knowledge.retriever import Hit
from affidavit.models.embedding.onnx import EmbeddedEncoder

scores = st.lists(st.floats(0, 1), min_size=2, max_size=30)


def test_the_line_lies_in_the_middle_of_the_gap() -> None:
    measured = floor_between([0.8, 0.9, 0.7], [0.1, 0.3, 0.2])
    assert measured.floor == pytest.approx(0.5)
    assert (measured.errors.let_through, measured.errors.wrongly_refused) == (0, 0)
    assert measured.separation == 1


def test_where_the_kinds_overlap_the_fewest_errors_count() -> None:
    measured = floor_between([0.2, 0.7, 0.8, 0.9], [0.1, 0.15, 0.3, 0.75])
    assert measured.floor == pytest.approx(0.5)
    assert measured.errors.let_through == measured.errors.wrongly_refused == 0.25


def test_a_floor_that_tells_nothing_apart_says_so() -> None:
    measured = floor_between([0.5, 0.5], [0.5, 0.5])
    assert measured.separation == 0.5
    assert measured.errors.let_through + measured.errors.wrongly_refused == 1


@given(scores, scores)
@example([0.0, 5e-324], [0.0, 0.0])
def test_no_other_floor_has_fewer_errors(real: list[float], noise: list[float]) -> None:
    measured = floor_between(real, noise)
    least = measured.errors.let_through + measured.errors.wrongly_refused
    for floor in [0.0, 1.1, *real, *noise]:
        other = measured.errors_at(floor)
        # Where all scores but one are equal, the line may have to refuse all or nothing.
        if min(*real, *noise) < floor <= max(*real, *noise):
            assert least <= other.let_through + other.wrongly_refused + 1e-6
    assert 0 <= measured.separation <= 1
    assert 0 <= measured.held_out.let_through <= 1 >= measured.held_out.wrongly_refused >= 0


@given(scores, scores, st.floats(0, 1))
def test_a_higher_floor_refuses_no_less(
    real: list[float], noise: list[float], floor: float
) -> None:
    low, high = errors_of(real, noise, floor), errors_of(real, noise, floor + 0.1)
    assert high.let_through <= low.let_through
    assert high.wrongly_refused >= low.wrongly_refused


def test_held_out_figures_do_not_know_their_question() -> None:
    # One real question below the noise: any floor chosen without it refuses it.
    measured = floor_between([0.9, 0.9, 0.9, 0.9, 0.05], [0.1, 0.1, 0.1, 0.1, 0.1])
    assert measured.held_out.wrongly_refused == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("real", "noise"), [([], [0.1, 0.2]), ([0.9], [0.1, 0.2]), ([0.9, 0.8], [0.1])]
)
def test_too_few_questions_are_told(real: list[float], noise: list[float]) -> None:
    with pytest.raises(KnowledgeError, match="at least two"):
        floor_between(real, noise)


def test_measured_on_a_base(encoder: EmbeddedEncoder) -> None:
    base = KnowledgeBase(":memory:", encoder=encoder)
    base.ingest(
        [
            Document.from_text("fees", "The card costs 5 euros a month.", title="Fees"),
            Document.from_text(
                "hours", "The branch opens at nine and closes at five.", title="Hours"
            ),
        ]
    )
    real = ["What does the card cost per month?", "When does the branch open?"]
    noise = ["Who painted the Mona Lisa?", "How deep is the Baltic Sea?"]
    measured = asyncio.run(measure_floor(base, real, noise))
    assert min(measured.answerable) > measured.floor > max(measured.unanswerable)


class Nothing:
    async def search(self, query: str, *, limit: int = 5) -> list[Hit]:
        return []


class Broken:
    async def search(self, query: str, *, limit: int = 5) -> list[Hit]:
        raise ConnectionError("the index is down")


@pytest.mark.spec("AFF-1025")
def test_no_hits_count_as_zero_and_an_error_is_no_score() -> None:
    measured = asyncio.run(measure_floor(Nothing(), ["a", "b"], ["c", "d"]))
    assert measured.answerable == (0, 0)
    with pytest.raises(ConnectionError):
        asyncio.run(measure_floor(Broken(), ["a", "b"], ["c", "d"]))


def test_the_picture_shows_both_kinds_and_the_line() -> None:
    measured = floor_between([0.8, 0.9, 0.9, 1.0], [0.0, 0.1, 0.1, 0.2])
    drawn = ET.fromstring(floor_picture(measured, title="Fees & <terms>"))
    bars = [e for e in drawn.iter() if e.tag.endswith("rect") and e.get("height") != "12"]
    up = [b for b in bars if b.get("fill") == "#0072b2"]
    down = [b for b in bars if b.get("fill") == "#d55e00"]
    assert len(up) == len(down) == 3
    line = next(e for e in drawn.iter() if e.get("stroke-dasharray"))
    rightmost = max(float(b.get("x", 0)) for b in down)
    leftmost = min(float(b.get("x", 0)) for b in up)
    assert rightmost < float(line.get("x1", 0)) < leftmost
    words = " ".join(e.text or "" for e in drawn.iter())
    assert "floor 0.50" in words and "Fees & <terms>" in words
    assert "AUROC 1.000" in words


@given(scores, scores)
def test_any_measurement_can_be_drawn(real: list[float], noise: list[float]) -> None:
    drawn = floor_picture(floor_between(real, noise))
    assert ET.fromstring(drawn).get("viewBox")
    assert not re.search(r'"-?(nan|inf)', drawn)


def test_questions_are_read_with_what_is_known_of_them(tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    rows = [
        {"question": "What does it cost?", "answerable": True, "documents": ["fees"]},
        {"question": "Who?", "answerable": False, "kind": "nonsense"},
    ]
    file.write_text("\n\n".join(map(json.dumps, rows)))
    found = read_questions(file)
    assert [q.answerable for q in found] == [True, False]
    assert found[0].documents == ("fees",) and found[1].kind == "nonsense"


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"question": "x", "answerable": "yes"}'])
def test_a_line_that_is_no_question_is_told(tmp_path: Path, line: str) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text('{"question": "x", "answerable": true}\n' + line)
    with pytest.raises(KnowledgeError, match=r"q.jsonl:2"):
        read_questions(file)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match="cannot be read"):
        read_questions(tmp_path / "none.jsonl")
