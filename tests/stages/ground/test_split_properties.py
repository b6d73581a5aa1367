"""What holds of every answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from affidavit.stages.ground.split import split_claims
from affidavit.stages.ground.split.kinds import EXEMPT

CASES = Path(__file__).parents[3] / "specs" / "cases" / "cases.jsonl"

FRAGMENTS = st.sampled_from(
    [
        "The order shipped on March 3, 2026", ". ", "\n", "\n\n", "- ", "1. ", "**Label**", ": ", "It costs $5",
        " and ", ", which fell to 1.8", "; ", ", but ", "“quoted. text”", "(a, b)", "`code.x`", "| a | b |\n",
        "|---|---|\n", "# ", "```json\n", "```\n", '{"a": {"b": [1, "x"]}}', "I've cancelled it", "?", "!", "[1]",
        "Yes", "No", "*em*", "_", "> ", "Sie haben 3 Äpfel", "荷物は届きました。", "🎉", "\t", "http://x.example/a.b?c",
        "e.g. ", "a.m.", "\\", '"', "'", "\r\n", "They are 4", "...", "n/a", "\u2028", "\x00", "\x85", "İ", "ß",
    ]
)  # fmt: skip
ANSWERS = st.one_of(st.text(max_size=200), st.lists(FRAGMENTS, max_size=25).map("".join))
PROSE = st.lists(
    st.sampled_from(
        [
            "The order shipped",
            "it costs $5",
            "Paris",
            "on May 3",
            "and",
            "but",
            "which is fine",
            "I've added it",
            "no results",
            "Ihre Rechnung ist da",
        ]
    ),
    min_size=1,
    max_size=30,
)


@example("0_。_")
@example("_。_0_:")
@given(ANSWERS)
@settings(max_examples=200)
def test_offsets_recover_the_text_in_order(answer: str) -> None:
    last = 0
    for claim in split_claims(answer):
        assert answer[claim.start : claim.end] == claim.text
        assert claim.start >= last
        assert claim.end > claim.start
        assert claim.statement.strip()
        assert all(claim.text[v.start : v.end] == v.text for v in claim.values)
        assert not (claim.critical and claim.kind in EXEMPT)
        last = claim.end


@given(PROSE, st.sampled_from([" ", ", ", ". ", "\n", "; ", "! ", ": ", "\n- ", " **", "** "]))
@settings(max_examples=150, deadline=None)
def test_nothing_of_prose_is_dropped(words: list[str], joint: str) -> None:
    answer = joint.join(words)
    covered = {i for claim in split_claims(answer) for i in range(claim.start, claim.end)}
    assert [c for i, c in enumerate(answer) if c.isalnum() and i not in covered] == []


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=40),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
        ),
        max_leaves=12,
    )
)
@example(" \n\b0")
@example("0\r0\r0\x850\r0\r0\u20280\u20280")
@settings(max_examples=100, deadline=None)
def test_every_leaf_of_json_is_in_a_claim(document: Any) -> None:
    answer = json.dumps({"root": document}, ensure_ascii=False)
    claims = split_claims(answer)
    told = {claim.json_path for claim in claims}
    assert told - {None} <= set(paths({"root": document}))
    for path in set(paths({"root": document})) - told:
        # A string of several lines or many words is read as prose, whose claims have no path.
        first = json.dumps(at({"root": document}, path).split()[0], ensure_ascii=False)[1:-1]
        assert any(first in claim.text for claim in claims if claim.json_path is None)
    for claim in claims:
        assert answer[claim.start : claim.end] == claim.text


def at(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def paths(value: Any, above: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    if isinstance(value, dict) and value:
        return [path for key, item in value.items() for path in paths(item, (*above, key))]
    if isinstance(value, list) and value:
        return [path for i, item in enumerate(value) for path in paths(item, (*above, i))]
    return [above]


def cases() -> list[Any]:
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_conformance_substrings_lie_in_claims_of_the_right_sort(case: Any) -> None:
    answer = case["run"]["messages"][-1]["content"]
    claims = split_claims(answer)
    for verdict in ("supported", "unsupported", "exempt"):
        for part in case["expect"].get(verdict, ()):
            at = answer.index(part)
            around = [c for c in claims if c.start <= at and at + len(part) <= c.end]
            assert around, part
            assert all((c.kind in EXEMPT) == (verdict == "exempt") for c in around), part
