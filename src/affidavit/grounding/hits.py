"""The rows of a search in the shapes in which stores return them, and how relevant each says it is.

Known by shape, none of the packages imported: pairs and triples, LangChain documents, LlamaIndex nodes,
points of Qdrant, matches of Pinecone, the columns of Chroma, objects of Weaviate, rows of a database,
hits of Elasticsearch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from pydantic import BaseModel

from affidavit.grounding.metrics import Metric, UnreadableScore, is_number, number, similarity

ScoreOf: TypeAlias = Callable[[Any], float | None]

_ALWAYS = ("relevance_score", "relevance", "similarity", "similarity_score")
"""Relevance, whatever else a row holds."""
_OF_HITS = (*_ALWAYS, "score", "_score", "@search.score", "_relevance_score", "certainty")
"""Relevance where the row holds what is found by searching: a score may be that of an exam."""
_DISTANCES = ("distance", "_distance", "vector_distance", "cosine_distance")
_TEXTS = ("text", "content", "page_content", "snippet", "chunk", "document", "title", "passage")
_HOLDERS = ("metadata", "payload", "node", "properties", "_source", "entity", "fields", "document")
"""Where stores keep what belongs to a hit."""
_BESIDE = ("metadata", "_additional", "payload")
"""Where they keep its score, if not with the hit itself."""
ROWS = ("results", "hits", "rows", "items", "documents", "matches", "data", "points", "objects",
        "source_nodes", "nodes")  # fmt: skip
_PROSE = 3
"""Words from which on a string is a passage and not a name."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing a tool found, and how relevant it says it is."""

    value: object
    score: float | None


def scored_rows(
    value: object, score_of: ScoreOf | None = None, metric: Metric | None = None
) -> list[Row] | None:
    """The rows of a search that says how relevant each is; None where it does not.

    ``score_of`` reads rows of another form; ``metric`` says that scores without a name, and those
    called distances, are distances. Raises UnreadableScore for a score that cannot be read.
    """
    rows = columns(value)
    if rows is None:
        mapping = as_mapping(value) or {}
        name = rows_field(mapping)
        listed = mapping[name] if name else value
        if isinstance(listed, Mapping) and isinstance(listed.get("hits"), list):  # Elasticsearch
            listed = listed["hits"]
        if not isinstance(listed, list | tuple) or _is_record(listed):
            return None
        rows = list(listed)
    if score_of is not None:
        found = [Row(row, number(score_of(row))) for row in rows]
    else:
        unnamed = _Unnamed(rows, metric)
        found = [_row(row, unnamed, metric) for row in rows]
    return found if any(row.score is not None for row in found) else None


def rows_field(value: Mapping[Any, Any]) -> str | None:
    """The field of an object that holds the rows found, where it has one."""
    return next((name for name in ROWS if _holds_rows(value.get(name))), None)


def columns(value: object) -> list[object] | None:
    """The rows of a result that is told column by column, as Chroma's is; None for any other."""
    if not isinstance(value, Mapping) or not {"ids", "documents", "distances"} <= value.keys():
        return None
    ids = value["ids"]
    if not isinstance(ids, list) or not all(isinstance(query, list) for query in ids):
        return None

    def cell(name: str, query: int, at: int) -> object:
        try:
            return value[name][query][at]
        except (KeyError, IndexError, TypeError):  # a column that was not asked for is None
            return None

    return [
        {
            "id": ids[query][at],
            "text": cell("documents", query, at),
            "metadata": cell("metadatas", query, at),
            "distance": cell("distances", query, at),
        }
        for query in range(len(ids))
        for at in range(len(ids[query]))
    ]


def as_mapping(value: object) -> Mapping[Any, Any] | None:
    """An object by its fields: a mapping, a model, a dataclass, a client library's result."""
    if isinstance(value, Mapping):
        return value
    is_record = isinstance(value, BaseModel) or (
        is_dataclass(value) and not isinstance(value, type)
    )
    if is_record:
        return attributes(value)
    # What a client library made out of a response, and shows by attributes alone.
    named = {name: found for name in ROWS if _holds_rows(found := _attribute(value, name))}
    return named or None


def fields(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else attributes(value)


def attributes(value: object) -> Mapping[str, Any]:
    if isinstance(value, BaseModel):
        return {name: getattr(value, name) for name in type(value).model_fields}
    if is_dataclass(value) and not isinstance(value, type):
        return {name: getattr(value, name) for name in value.__dataclass_fields__}
    if isinstance(found := _attribute(value, "_mapping"), Mapping):  # a row of SQLAlchemy
        return found
    if isinstance(value, tuple):
        return dict(zip(getattr(value, "_fields", ()), value, strict=False))
    try:
        own = vars(value)
    except TypeError:  # an object with slots
        own = {}
    if any(not name.startswith("_") for name in own):
        return own
    # A client library's object that keeps its fields to itself and answers by name.
    named = (*_OF_HITS, *_DISTANCES, *_TEXTS, *_HOLDERS)
    return {n: found for n in named if (found := _attribute(value, n)) is not None} or own


class _Unnamed:
    """Scores without a name: similarities as far as their order allows it, or distances."""

    def __init__(self, rows: Sequence[object], metric: Metric | None) -> None:
        self._metric = metric
        tuples = [row for row in rows if isinstance(row, tuple) and row and not _is_record(row)]
        told = [float(row[-1]) for row in tuples if is_number(row[-1])]
        self._falls = all(a >= b for a, b in pairwise(told))
        self._rises = all(a <= b for a, b in pairwise(told))

    @property
    def ordered(self) -> bool:
        """Whether the rows stand in the order of their last column, as those of a search do."""
        return self._falls or self._rises

    def score(self, value: object) -> float | None:
        told = number(value)
        if told is None or self._metric is not None:
            return None if told is None else similarity(told, self._metric)
        if self._rises and not self._falls:
            raise UnreadableScore(
                "the scores rise along the list, as distances do: pass the metric they are measured "
                "with, or score_of"
            )
        return told


def _row(row: object, unnamed: _Unnamed, metric: Metric | None) -> Row:
    if _is_plain_tuple(row):
        assert isinstance(row, tuple)
        return _of_tuple(row, unnamed)
    told = fields(row)
    hit = _is_hit(told)
    for holder in (told, *_beside(told, hit)):
        for name in _OF_HITS if hit else _ALWAYS:
            if holder.get(name) is None:
                continue
            if hit or is_number(holder[name]):
                return Row(row, _named(name, holder[name]))
        distance = next((holder[n] for n in _DISTANCES if holder.get(n) is not None), None)
        # How far away a shop is, is no matter of vectors: only what is found by searching has one.
        if hit and distance is not None and (told_by := number(distance)) is not None:
            return Row(row, similarity(told_by, metric))
    return Row(row, None)


def _named(name: str, value: object) -> float | None:
    score = number(value)
    # Weaviate's certainty is the cosine moved from [-1, 1] to [0, 1].
    return score * 2 - 1 if name == "certainty" and score is not None else score


def _of_tuple(row: tuple[Any, ...], unnamed: _Unnamed) -> Row:
    """(document, score), or (source, text, score); a row of a table is a tuple as well."""
    *before, last = row
    if len(before) not in (1, 2, 3) or isinstance(last, bool):
        return Row(row, None)
    if len(before) == 1 and not isinstance(before[0], str | int | float):
        document = fields(before[0])
        return Row(before[0], unnamed.score(last)) if _is_hit(document) else Row(row, None)
    if not is_number(last) or not unnamed.ordered:
        return Row(row, None)
    texts = [text for text in before if isinstance(text, str)]
    prose = any(len(text.split()) >= _PROSE for text in texts)
    named = len(before) == len(texts) == 2 and isinstance(last, float) and -1 <= last <= 1
    return Row(row, unnamed.score(last)) if prose or named else Row(row, None)


def _is_hit(told: Mapping[str, Any]) -> bool:
    """Whether a row holds what is found by searching: a text, or what stores keep beside a vector."""
    if any(isinstance(told.get(name), str) for name in _TEXTS):
        return True
    return any(_is_holder(told.get(name)) for name in _HOLDERS)


def _beside(told: Mapping[str, Any], hit: bool) -> Iterator[Mapping[str, Any]]:
    for name in _BESIDE if hit else ():
        if _is_holder(inner := told.get(name)):
            yield fields(inner)


def _is_holder(value: object) -> bool:
    return isinstance(value, Mapping) or (
        value is not None
        and not isinstance(value, str | int | float | list | tuple)
        and bool(fields(value))
    )


def _holds_rows(value: object) -> bool:
    if isinstance(value, list):
        return True
    return isinstance(value, Mapping) and isinstance(value.get("hits"), list)


def _is_plain_tuple(row: object) -> bool:
    return isinstance(row, tuple) and not _is_record(row)


def _is_record(row: object) -> bool:
    return isinstance(row, tuple) and hasattr(row, "_fields")


def _attribute(value: object, name: str) -> Any:
    if value is None or isinstance(
        value, str | bytes | int | float | list | tuple | set | frozenset
    ):
        return None
    try:
        found = getattr(value, name, None)
        return None if callable(found) else found
    except Exception:  # each library raises its own for a field that a response did not have
        return None
