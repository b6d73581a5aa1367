"""How far an answer that is still being written may be looked at: to the end of whole sentences.

A table, a list, a fence or a JSON document means something only when it is complete, so none is cut; nor
is a quotation, a link or a note in brackets. What never comes to a full stop goes out by the block.
"""

from __future__ import annotations

import json
import re

from affidavit.guard.open_marks import OpenMarks
from affidavit.stages.ground.split import split_claims

# A sentence is over when the next one has begun: "$5." may yet become "$5.00".
_SENTENCE = re.compile(
    r"[.!?…][\"'”’»)\]*_]*\s+(?=\S)"
    # Scripts that set no space after a sentence, or have a stop of their own.
    r"|[。！？｡؟۔।॥։።፧။។៕‼⁇⁈⁉][」』”’\"'）)】》〉]*\s*(?=\S)"
    r"|．[」』”’）】》〉]*\s*(?=[^\s\d])"
    # From the first white space on, or a thousand empty lines would be read again from each of them.
    r"|(?<!\s)[ \t]*\r?\n[ \t]*\r?\n\s*+(?=\S)"
)
_BLOCK_LINE = re.compile(
    r"[ \t]*(?:[-*+•‣–—][ \t]|\(?\d{1,3}[.)][ \t]|\||>|#{1,6}[ \t]|\*\*[^*\n]+\*\*:?[ \t]*$)"
)
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})(.*)$", re.MULTILINE)
_INITIAL = re.compile(r"(?:^|[^\w])[^\W\d_]\.$")
"""What a stop after a single letter is the end of: more often a name's initial than a sentence."""
_TELLS = 4
"""Characters of a line that tell whether it belongs to a list or a table."""
_DECODER = json.JSONDecoder()
_JSON_BEGINS = re.compile(r"\{\s*(?:[\"}]|$)|\[\s*(?:[\[{\"\]\d-]|$|t(?:r|$)|f(?:a|$)|n(?:u|$))")


def next_cut(text: str, start: int) -> int | None:
    """Where the first sentence or block of ``text`` that ends after ``start`` is over, None where none
    is yet. What follows a cut has begun already, so that what stands before it goes no further."""
    whole = _end_of_json(text)
    if whole is None:
        return None
    marks, fences, claims = OpenMarks(text, start), None, None
    for found in _SENTENCE.finditer(text, start):
        cut = found.end()
        if cut <= whole or marks.at(cut) or _goes_on(text, found):
            continue
        if fences is None:
            fences = _fences(text)
        if any(begun < cut <= ended for begun, ended in fences) or _inside_block(text, cut):
            continue
        if claims is None:
            claims = split_claims(text)
        # "approx. 5 kg": what reads like an end may stand within a claim.
        if not any(claim.start < cut < claim.end for claim in claims):
            return cut
    return None


def _end_of_json(text: str) -> int | None:
    """Where the JSON that ``text`` begins with is over: 0 where it begins with none, None where it is not
    complete yet, or may turn out to be some."""
    at = len(text) - len(text.lstrip())
    end = 0
    while at < len(text) and text[at] in "{[" and _JSON_BEGINS.match(text, at):
        try:
            _, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            broken_at = getattr(error, "pos", len(text))
            # What is wrong in the middle is no JSON; what is missing at the end may yet come.
            unfinished = broken_at >= len(text.rstrip()) or "Unterminated" in str(error)
            return None if unfinished or not isinstance(error, ValueError) else end
        at = end + len(text[end:]) - len(text[end:].lstrip())
        if at == end and end < len(text):
            return 0  # "[1](https://…": a link, or a note
    if end and at >= len(text):
        return None
    if end and "\n" not in text[end:at]:
        return 0  # "[1] says that it has shipped"
    return end


def _goes_on(text: str, found: re.Match[str]) -> bool:
    """Whether what looks like an end stands within a sentence: "5. 00", "J. Doe", "well… no"."""
    end, after = found.group(), text[found.end()]
    if end[0] not in ".…" or "\n" in end:
        return False
    if after.islower():
        return True
    before = text[max(found.start() - 1, 0)]
    if before.isdigit() and after.isdigit():
        return True
    return _INITIAL.search(text, max(found.start() - 2, 0), found.start() + 1) is not None


def _inside_block(text: str, cut: int) -> bool:
    """Whether a list or a table is open at ``cut``, or may be about to begin."""
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


def _fences(text: str) -> list[tuple[int, int]]:
    """The stretches of ``text`` inside fences, the last of which may be open to the end. A fence is closed
    by as many marks of its own kind, and no word."""
    found: list[tuple[int, int]] = []
    marks, begun = "", 0
    for line in _FENCE.finditer(text):
        these, rest = line.groups()
        if not marks:
            marks, begun = these, line.start()
        elif these[0] == marks[0] and len(these) >= len(marks) and not rest.strip():
            found.append((begun, line.end()))
            marks = ""
    return [*found, (begun, len(text))] if marks else found


def _indent(text: str, cut: int) -> int:
    return cut - (text.rfind("\n", 0, cut) + 1)
