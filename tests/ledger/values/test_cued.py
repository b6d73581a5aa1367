"""A cue never hides what its pattern finds."""

from __future__ import annotations

import importlib
import pkgutil
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.ledger import values
from affidavit.ledger.values.cued import Cued

MODULES = [
    importlib.import_module(f"{package.__name__}.{module.name}")
    for package in (values,)
    for module in pkgutil.iter_modules(package.__path__)
]
CUED = {
    f"{module.__name__.rpartition('.')[2]}.{name}": found
    for module in MODULES
    for name, found in vars(module).items()
    if isinstance(found, Cued)
}


@pytest.mark.parametrize("name", CUED)
@given(data=st.data())
def test_every_match_holds_a_cue(name: str, data: st.DataObject) -> None:
    cued = CUED[name]
    text = data.draw(st.from_regex(cued.pattern))
    assert [m.span() for m in cued.finditer(text)] == [
        m.span() for m in cued.pattern.finditer(text)
    ]


def test_a_text_without_a_cue_is_not_searched() -> None:
    cued = Cued(re.compile("(?:first|second) place", re.I), "place")
    assert not cued.may_match("the second rank")
    assert cued.may_match("SECOND PLACE")


def test_letters_that_a_pattern_takes_for_others_are_no_obstacle() -> None:
    cued = Cued(re.compile("kiss", re.I), "kiss")
    for text in ("\u212aiss", "k\u0131ss", "k\u0130ss", "ki\u017f\u017f"):
        assert [match[0] for match in cued.finditer(f"a {text}")] == [text]
