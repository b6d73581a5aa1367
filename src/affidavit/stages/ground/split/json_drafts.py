"""Drafts for the leaves of a JSON answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from affidavit.stages.ground.split.draft import Draft
from affidavit.stages.ground.split.json_leaves import Leaf, raw_offsets
from affidavit.stages.ground.split.kinds import kind_of
from affidavit.stages.ground.split.tables import ABSENT

_PROSE_WORDS = 8
"""A string this long, of several lines, or a short one that ends as a sentence, is prose that happens to travel in
JSON."""
_SENTENCE_WORDS = 4


def leaf_drafts(
    answer: str, found: Iterable[Leaf], prose: Callable[[str], Iterator[Draft]]
) -> Iterator[Draft]:
    """One draft for each leaf; the claims inside it for a leaf that is prose, read by ``prose``."""
    for leaf in found:
        if isinstance(leaf.value, str) and _is_prose(leaf.value):
            at = raw_offsets(answer, leaf.value_start, leaf.end)
            # The last character may be written as an escape: up to where the next one begins.
            drafts = [replace(d, start=at[d.start], end=at[d.end]) for d in prose(leaf.value)]
            if drafts:
                yield replace(drafts[0], start=leaf.start, values_from=leaf.value_start)
                yield from drafts[1:]
                continue
        yield _leaf(answer, leaf)


def _is_prose(value: str) -> bool:
    words = len(value.split())
    sentence = words >= _SENTENCE_WORDS and value.rstrip()[-1:] in ".!?"
    return words >= _PROSE_WORDS or sentence or ("\n" in value and " " in value)


def _leaf(answer: str, leaf: Leaf) -> Draft:
    value, text = leaf.value, str(leaf.value)
    if value is None or value == [] or value == {}:
        text = "none" if value is None else "empty"
    elif not isinstance(value, str):
        text = answer[leaf.value_start : leaf.end]  # as it is written: 4176.00 stays 4176.00
    absent = value in (None, [], {}) or isinstance(value, str) and _is_absent(value)
    statement = f"{leaf.label}: {text}" if leaf.label else text
    talk = isinstance(value, str) and re.search(r"\w\s+\w", value) is not None
    return Draft(
        leaf.start,
        leaf.end,
        statement=statement,
        said=text,
        kind="absence" if absent else kind_of(statement).kind if talk else "fact",
        json_path=leaf.path,
        values_from=leaf.value_start,
    )


def _is_absent(value: str) -> bool:
    return not value.strip() or ABSENT.match(value.strip()) is not None
