"""JSON set on lines: nothing of it changes, and every value is found again."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.records.page.view.layout import DEEPEST, lay_out

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
DATA = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


def values(value: object, pointer: str = "") -> dict[str, object]:
    """Every value by its JSON Pointer."""
    found = {pointer: value}
    if isinstance(value, dict):
        for key, inner in value.items():
            escaped = key.replace("~", "~0").replace("/", "~1")
            found |= values(inner, f"{pointer}/{escaped}")
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            found |= values(inner, f"{pointer}/{at}")
    return found


@given(DATA, st.sampled_from([None, 2]), st.booleans())
def test_every_value_is_found_where_it_stands(
    data: object, indent: int | None, ascii_: bool
) -> None:
    laid = lay_out(json.dumps(data, indent=indent, ensure_ascii=ascii_))
    assert json.loads(laid.text) == data
    assert laid.places.keys() == values(data).keys()
    for pointer, value in values(data).items():
        shown = laid.text[slice(*laid.places[pointer])]
        named = pointer and isinstance(parent_of(data, pointer), dict)
        assert json.loads("{" + shown + "}" if named else shown) == (
            {last_key(data, pointer): value} if named else value
        )


def parent_of(data: object, pointer: str) -> object:
    return values(data)[pointer.rpartition("/")[0]]


def last_key(data: object, pointer: str) -> str:
    return pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")


@pytest.mark.parametrize(
    "source",
    [
        '{"price": 1.10, "n": 1e3, "price": 2.00}',
        "{'a': None, 'b': [True, 'it']}",
        '["a", {"b": []}, {}]',
    ],
)
def test_the_tokens_stay_as_they_came(source: str) -> None:
    def tokens(text: str) -> str:
        return re.sub(r"\s+", "", text)

    assert tokens(lay_out(source).text) == tokens(source)


def test_a_result_printed_by_python_is_laid_out_as_well() -> None:
    laid = lay_out("{'total': 5, 'items': [{'name': 'a b'}]}")
    assert laid.text[slice(*laid.places["/items/0/name"])] == "'name': 'a b'"


def test_no_depth_is_too_deep() -> None:
    laid = lay_out("[" * 20_000 + "1" + "]" * 20_000)
    assert laid.text.count("[") == 20_000
    assert max(map(len, laid.places)) == 2 * DEEPEST
