"""How much of a run's evidence is read value by value before anything is asked of it.

To read a value is to weigh its name, its unit and its neighbours, which for megabytes takes longer than an answer can
wait. What is beyond the bound is kept whole and searched by its words and digits; its values are read where a claim
leads to them.
"""

from __future__ import annotations

from collections.abc import Sequence

from affidavit.ledger.ledger import Passage

READ_WHOLE = 400_000
"""Characters of passages, of all results together, whose values are read in advance: the smallest results first."""


def read_whole(passages: Sequence[Passage], limit: int = READ_WHOLE) -> list[bool]:
    """For each passage, whether it belongs to what is read whole. A source is so as a whole or not at all."""
    sizes: dict[int, int] = {}
    for passage in passages:
        key = id(passage.source)
        sizes[key] = sizes.get(key, 0) + len(passage.text)
    left, whole = limit, set()
    for key in sorted(sizes, key=sizes.__getitem__):
        left -= sizes[key]
        if left < 0:
            break
        whole.add(key)
    return [id(passage.source) in whole for passage in passages]
