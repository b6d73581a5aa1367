"""How far an answer that is still being written may be looked at: to the end of whole sentences.

A table, a list, a fence or a JSON document means something only when it is complete, so none is cut.
"""

from __future__ import annotations

import re

# A sentence is over when the next one has begun: "$5." may yet become "$5.00".
_SENTENCE = re.compile(r"[.!?…][\"'”’»)\]*_]*\s+(?=\S)|[。！？؟][”」』]?(?=\S)|\n\s*\n(?=\s*\S)")
_BLOCK_LINE = re.compile(r"\s*(?:[-*+•‣–—]\s|\(?\d{1,3}[.)]\s|\||>|#|\*\*[^*]+\*\*:?\s*$)")
_FENCE = re.compile(r"^[ \t]*(```|~~~)", re.MULTILINE)
_ABBREVIATED = re.compile(
    r"(?:^|[\s(])(?:[^\W\d_]|Mr|Mrs|Ms|Dr|St|No|Nr|Inc|Ltd|Co|vs|approx|e\.g|i\.e|etc|Fig|Jan|Feb|Mar|Apr"
    r"|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.\s*$",
    re.IGNORECASE,
)


def next_cut(text: str, start: int) -> int | None:
    """Where the first sentence or block of ``text`` after ``start`` is over; None where none is yet.

    What follows a cut has begun already, so it is certain that the sentence before it goes no further.
    """
    if text[:1] in "{[" or text.lstrip()[:1] in ("{", "["):
        return None
    for found in _SENTENCE.finditer(text, start):
        cut = found.end()
        if not _inside_block(text, cut, blank_line="\n" in found[0].strip(" \t")):
            if not _ABBREVIATED.search(text, start, cut):
                return cut
    return None


def _inside_block(text: str, cut: int, *, blank_line: bool) -> bool:
    """Whether the text at ``cut`` belongs to a list, a table or a fence that may go on."""
    if len(_FENCE.findall(text, 0, cut)) % 2:
        return True
    before = text[text.rfind("\n", 0, len(text[:cut].rstrip())) + 1 : cut]
    line_end = text.find("\n", cut)
    after = text[text.rfind("\n", 0, cut) + 1 : line_end if line_end >= 0 else len(text)]
    own_block = bool(_BLOCK_LINE.match(before))
    if not own_block:
        # "Your orders:" is read with the list it announces.
        return before.rstrip().endswith(":") and bool(_BLOCK_LINE.match(after))
    ended = blank_line and line_end >= 0 and not _BLOCK_LINE.match(after)
    return not (ended or (blank_line and len(after.strip()) > 3 and not _BLOCK_LINE.match(after)))
