"""How far an answer that is still being written may be looked at: to the end of whole sentences.

A table, a list, a fence or a JSON document means something only when it is complete, so none is cut.
"""

from __future__ import annotations

import re

from affidavit.stages.ground.split import split_claims

# A sentence is over when the next one has begun: "$5." may yet become "$5.00".
_SENTENCE = re.compile(
    r"[.!?…][\"'”’»)\]*_]*\s+(?=\S)|[。！？؟][”」』]?\s*(?=\S)|\n[ \t]*\n\s*(?=\S)"
)
_BLOCK_LINE = re.compile(
    r"[ \t]*(?:[-*+•‣–—][ \t]|\(?\d{1,3}[.)][ \t]|\||>|#{1,6}[ \t]|\*\*[^*\n]+\*\*:?[ \t]*$)"
)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
_TELLS = 4
"""Characters of a line that tell whether it belongs to a list or a table."""


def next_cut(text: str, start: int) -> int | None:
    """Where the first sentence or block of ``text`` that ends after ``start`` is over, None where none
    is yet. What follows a cut has begun already, so that what stands before it goes no further."""
    if text.lstrip()[:1] in ("{", "["):
        return None
    claims = None
    for found in _SENTENCE.finditer(text, start):
        cut = found.end()
        if _inside_block(text, cut):
            continue
        if claims is None:
            claims = split_claims(text)
        # "approx. 5 kg": what reads like an end may stand within a claim.
        if not any(claim.start < cut < claim.end for claim in claims):
            return cut
    return None


def _inside_block(text: str, cut: int) -> bool:
    """Whether a list, a table or a fence is open at ``cut``, or may be about to begin."""
    if len(_FENCE.findall(text, 0, cut)) % 2:
        return True
    said = text[:cut].rstrip()
    line_before = said[said.rfind("\n") + 1 :]
    in_block = bool(_BLOCK_LINE.match(f"{line_before} "))
    gap = text[len(said) : cut]
    if "\n" not in gap:
        return in_block  # a sentence of a list's item
    line_end = text.find("\n", cut)
    line_after = text[cut - _indent(text, cut) : line_end if line_end >= 0 else len(text)]
    if line_end < 0 and len(line_after.strip()) < _TELLS:
        return True  # "-" may yet become "- item"
    goes_on = bool(_BLOCK_LINE.match(line_after))
    if in_block:
        return goes_on or gap.count("\n") < 2
    # "Your orders:" is read with the list that it announces.
    return goes_on and said.endswith(":")


def _indent(text: str, cut: int) -> int:
    return cut - (text.rfind("\n", 0, cut) + 1)
