"""Answers that repeat themselves are split in time that grows with their length, not with its square."""

from __future__ import annotations

import time

import pytest

from affidavit.stages.ground.split import split_claims

FRAGMENTS = ("1 ", "$1 ", '"a" ', "(", "[", "[a](b) ", "**a** ", "*", "`", "|", "a: ", ":", "a; ", "and ", "a.b.", "a@b.",
             "- a\n", "? ", "i.e. ", "x", "_a ", "who is ")  # fmt: skip


def _seconds(fragment: str, characters: int) -> float:
    text = "So: " + (fragment * characters)[:characters]
    best = 9e9
    for _ in range(2):
        begun = time.process_time()
        split_claims(text)
        best = min(best, time.process_time() - begun)
    return best


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_time_grows_with_the_length(fragment: str) -> None:
    # Eight times the text takes 64 times as long where the cost is its square. Where that is no time at all, nothing is
    # said.
    small, large = _seconds(fragment, 2_000), _seconds(fragment, 16_000)
    assert large < 1 or large < 40 * small
