"""Rows of a search by shape: a score that is there is read, and one that cannot be read is an error."""

from __future__ import annotations

from collections import namedtuple
from decimal import Decimal
from typing import Any

import pytest

from affidavit.grounding import Floors, grounded_tool
from affidavit.grounding.metrics import Metric, UnreadableScore, similarity

TEXT = "Basic costs $49."
Record = namedtuple("Record", "id content similarity")

LOW: dict[str, Any] = {
    "source, text, score": [("kyoto", "text", 0.13)],
    "a text and its score": [(TEXT, 0.13)],
    "id, text, score": [(7, TEXT, 0.13)],
    "a title and its score": [{"title": "Basic", "score": 0.13}],
    "the text among the metadata": [{"id": "1", "score": 0.13, "metadata": {"text": TEXT}}],
    "the text in the payload": [{"id": 1, "score": 0.13, "payload": {"body": TEXT}}],
    "the score among the metadata": [{"page_content": TEXT, "metadata": {"score": 0.13}}],
    "a number in a text": [{"text": TEXT, "score": "0.13"}],
    "a decimal": [{"text": TEXT, "similarity": Decimal("0.13")}],
    "a named tuple": [Record(1, TEXT, 0.13)],
    "matches": {"matches": [{"id": "1", "score": 0.13, "metadata": {"text": TEXT}}], "namespace": ""},
    "points": {"points": [{"id": 1, "score": 0.13, "payload": {"text": TEXT}}]},
    "hits of hits": {"hits": {"total": 1, "hits": [{"_score": 0.13, "_source": {"text": TEXT}}]}},
    "certainty": [{"text": TEXT, "_additional": {"certainty": 0.565}}],
    "a negative cosine": [{"text": TEXT, "score": -0.2}],
}  # fmt: skip

UNREADABLE: dict[str, Any] = {
    "a percentage": [{"text": TEXT, "score": 87}],
    "words": [{"text": TEXT, "score": "high"}],
    "a truth": [{"text": TEXT, "score": True}],
    "a term frequency": {"hits": {"hits": [{"_score": 12.3, "_source": {"text": TEXT}}]}},
    "a distance": [{"text": TEXT, "distance": 0.13}],
    "a distance among the metadata": [{"properties": {"a": TEXT}, "metadata": {"distance": 0.1}}],
    "scores that rise": [(TEXT, 0.2), (TEXT, 0.4)],
    "columns": {"ids": [["1"]], "documents": [[TEXT]], "distances": [[0.2]], "metadatas": [[None]]},
}

PLAIN: dict[str, Any] = {
    "an exam": [{"student": "Ada", "score": 0.4}],
    "rows of a table": [("discount", 0.4), ("surcharge", 0.1)],
    "a table of three columns": [("Ada", "Lisbon", 87.0)],
    "a table in another order": [("a", "b", 0.4), ("c", "d", 0.1), ("e", "f", 0.9)],
    "how far a shop is": [{"name": "Pharmacy", "distance": 1.2}],
    "how relevant, in a word": [{"id": 1, "relevance": "high"}],
    "texts": [{"text": TEXT}],
    "a score that is not given": [{"text": TEXT, "score": None}],
    "columns without distances": {"ids": ["1"], "documents": [TEXT], "metadatas": [None]},
}


def state(value: Any, **options: Any) -> str:
    return grounded_tool(**options)(lambda: value)().state


@pytest.mark.spec("AFF-1003")
@pytest.mark.parametrize("value", LOW.values(), ids=LOW)
def test_what_is_below_the_floor_is_not_found(value: Any) -> None:
    assert state(value) == "not_found"
    assert state(value, floors=Floors(-0.5, -0.5)) == "success"


@pytest.mark.spec("AFF-1003")
@pytest.mark.parametrize("value", UNREADABLE.values(), ids=UNREADABLE)
def test_a_score_that_cannot_be_read_is_an_error_that_says_so(value: Any) -> None:
    result = grounded_tool(lambda: value)()
    assert (result.state, result.fault) == ("technical_error", "configuration")
    assert "UnreadableScore" in result.detail and "UnreadableScore" not in str(result)


@pytest.mark.parametrize("value", PLAIN.values(), ids=PLAIN)
def test_what_is_no_search_stays_a_success(value: Any) -> None:
    result = grounded_tool(lambda: value)()
    assert (result.state, result.score) == ("success", None)


def test_floors_of_another_scale_take_its_scores() -> None:
    rows = [{"text": TEXT, "score": 12.3}]
    assert state(rows, floors=Floors(10, 5)) == "success"
    assert state(rows, floors=Floors(20, 15)) == "not_found"
    assert state(rows, score_of=lambda row: row["score"] / 20) == "low_relevance"
    assert state(rows, score_of=lambda row: None) == "success"


@pytest.mark.parametrize(
    ("metric", "distance", "same"),
    [
        ("cosine", 0.25, 0.75),
        ("l2", 0.5, 0.875),
        ("squared_l2", 0.5, 0.75),
        ("inner_product", 0.25, 0.75),
        ("negative_inner_product", -0.75, 0.75),
    ],
)
def test_a_distance_is_read_by_its_metric(metric: Metric, distance: float, same: float) -> None:
    assert similarity(distance, metric) == pytest.approx(same)
    assert state([{"text": TEXT, "distance": distance}], metric=metric) == "success"


@pytest.mark.parametrize("distance", [-3, 5, 87])
def test_a_distance_that_the_metric_does_not_have_is_an_error(distance: float) -> None:
    with pytest.raises(UnreadableScore, match="length 1"):
        similarity(distance, "l2" if distance > 0 else "cosine")
