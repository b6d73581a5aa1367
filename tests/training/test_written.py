"""The statements written by hand: whole, labelled, and each with evidence beside it."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

from affidavit.training.pairs.written import read_items, written_pairs


def test_each_item_has_statements_of_all_three_sorts_and_none_twice() -> None:
    items = read_items()
    assert len(items) > 2000
    for item in items:
        texts = [text for _, text in item.claims]
        assert len(set(texts)) == len(texts) >= 7, item.said
        assert {label for label, _ in item.claims} == {"entailment", "neutral", "contradiction"}
    results = Counter(str(item.said) for item in items)
    assert [result for result, times in results.items() if times > 1] == []


def test_a_statement_is_shown_its_evidence() -> None:
    pairs = list(islice(written_pairs(random.Random(1)), 300))
    assert all(pair.premise.strip() and pair.hypothesis.strip() for pair in pairs)
    assert {pair.label for pair in pairs} == {"entailment", "neutral", "contradiction"}
