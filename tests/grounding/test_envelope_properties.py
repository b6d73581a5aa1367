"""What always holds of a grounded result on its way through a record."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from affidavit.grounding.result import (
    GroundedResult,
    as_json,
    low_relevance,
    not_found,
    success,
    technical_error,
)
from affidavit.ledger.grounded import read_grounded
from affidavit.ledger.ledger import Ledger
from affidavit.trace import DataPart, Message, TextPart, ToolCallPart, ToolResultPart

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
content = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=12,
)
results = (
    st.builds(lambda c, s: success(c, source=s), content, words)
    | st.builds(lambda c, s: low_relevance(c, source=s, score=0.6), content, words)
    | st.builds(lambda s, d: not_found(source=s, detail=d), words, words)
    | st.builds(lambda s, d: technical_error("timeout", source=s, detail=d), words, words)
)


@given(results)
def test_it_is_known_again_as_text_and_as_data(result: GroundedResult) -> None:
    for part in (TextPart(text=str(result)), DataPart(value=result.envelope())):
        reading = read_grounded((part,))
        assert reading is not None and reading.state == result.state
        if not result.is_error:
            assert reading.content == as_json(result.content) == result.content


@given(results)
def test_the_ledger_takes_any_and_enters_no_word_of_the_instruction(result: GroundedResult) -> None:
    ledger = Ledger()
    ledger.add(Message(role="assistant", parts=(ToolCallPart(id="1", name="search"),)))
    part = ToolResultPart(id="1", content=(TextPart(text=str(result)),), is_error=result.is_error)
    ledger.add(Message(role="tool", parts=(part,)))
    (source,) = ledger.sources
    assert source.state == result.state
    assert (source.outcome == "error") == (result.state == "technical_error")
    assert not any(result.instruction[:40] in passage.text for passage in ledger.passages)
    if result.is_error:
        assert not list(ledger.evidence())
