"""Sentences of a text, by offset. Points inside numbers, names and abbreviations end nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.stages.ground.split.protect import protect

_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof st vs approx ca cf eg ie fig sec vol pp jr sr inc ltd co dept resp nr num tel ext ave "
    "blvd bzw evtl ggf inkl zzgl sra dra av mme".split()
)
"""Never the end of a sentence before a small letter or a digit, nor, with the next, before a name."""
_TITLES = frozenset("mr mrs ms dr prof st mme sra dra vs".split())
_BEFORE_NUMBER = frozenset("no nos p pp art sec ch fig vol nr v ver".split())
"""Abbreviations before a number, words elsewhere: "No. 14" and "No. You're on Node 18"."""
_END = re.compile(
    r"(?<![.!?…])(?P<mark>[.!?…]++)(?P<close>[\"'”’»)\]*_`]*+(?:[ \t]?\[[x\d]{1,3}\])*)(?P<gap>\s+)|[。！？؟]+[”」』]?\s*"
)
_PART = re.compile(r";\s+")
"""A semicolon parts statements that could be sentences."""
_LABEL_LINE = re.compile(r"[ \t]*(?:[^\w\s]{1,3}[ \t]*)?[A-ZÀ-Þ0-9][^.:!?\n]{0,40}:(?=\s|$)")
_TITLE_LINE = re.compile(r"[A-ZÀ-Þ](?:[\w'’&/-]+ ){0,5}[\w'’&/-]*[^\W_]$")
_OPENS = re.compile(r"[ \t]*[A-ZÀ-Þ][\w'’]* [a-z]")
_MONTH = re.compile(
    r"(?:jan|feb|mär|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec)[^\W\d_]{0,7}\b",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"[^\W\d_]{3,12}(?:$|[,.;:])")
_LAST = re.compile(r"(?:(?<![\w.&'’°§])|^)[\w.&'’°§]*+$")
_WORD = re.compile(r"\w")
_AROUND = 120
"""Characters on both sides of a full stop that say whether it ends a sentence."""


def sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of the sentences in ``text[start:end]``, trimmed of blanks. ``text`` has its markup blanked."""
    said = text[start:end]
    shown = protect(said)
    here = read = 0
    says_something = False
    for cut in [*_cuts(said, shown), len(shown)]:
        says_something = says_something or bool(_WORD.search(shown, read, cut))
        read = cut
        # A piece of punctuation or an emoji goes with its neighbour.
        if not says_something and cut < len(shown):
            continue
        piece = shown[here:cut]
        trimmed = piece.strip()
        if says_something:
            first = here + len(piece) - len(piece.lstrip())
            yield start + first, start + first + len(trimmed)
        here, says_something = cut, False


def _cuts(said: str, shown: str) -> list[int]:
    cuts = [m.end() for m in _END.finditer(shown) if _ends_sentence(said, shown, m)]
    cuts += [m.end() for m in _PART.finditer(shown)]
    cuts += [m.end() for m in re.finditer(r"\n", shown) if _ends_line(shown, m.start())]
    return sorted(set(cuts))


def _ends_line(shown: str, at: int) -> bool:
    """Whether the line break at ``at`` ends a sentence: a closed line, or a label on the next one."""
    before = shown[shown.rfind("\n", 0, at) + 1 : at].strip()
    if re.search(r"[.!?:;]$", before) or _LABEL_LINE.match(shown, at + 1):
        return True
    # "Account check\nI found …": a line that stands as a title, over one that opens a sentence.
    return bool(_TITLE_LINE.match(before)) and bool(_OPENS.match(shown, at + 1))


def _ends_sentence(said: str, shown: str, m: re.Match[str]) -> bool:
    if m["mark"] is None:  # the full stops of scripts that need no blank
        return True
    # What a quotation or a bracket opens with tells whether it begins a sentence.
    quoted = shown[m.end() : m.end() + 1] in '"“„«「(['
    after = (said if quoted else shown)[m.end() : m.end() + _AROUND].lstrip('"“„«「([*_ ')
    small, digit = after[:1].islower(), after[:1].isdigit()
    if m["mark"] != "." or m["close"]:
        return not (small and (m["mark"] == "…" or m["close"]))
    so_far = shown[max(0, m.start() - _AROUND) : m.start()]
    found = _LAST.search(so_far)
    last = found[0].lower() if found else ""
    if last in _BEFORE_NUMBER and digit:
        return False
    measured = re.search(r"\d\s?[^\W\d_]+$", so_far) is not None  # "367 ms. There", "8 m. From"
    if not measured and (last in _TITLES or (last in _ABBREVIATIONS and (small or digit))):
        return False
    if re.fullmatch(r"(?:[^\W\d_]\.)+[^\W\d_]", last):  # "e.g.", "9 a.m.", "z. B."
        return not small and not digit and bool(_OPENS.match(after))
    if re.fullmatch(r"[^\W\d_]", last) and last != "i" and not measured:
        return False  # an initial: "J. Smith"
    if re.fullmatch(r"\d{1,2}", last) and (_MONTH.match(after) or _ORDINAL.match(after)):
        return False  # "am 20. März", "im 3. Stock"
    if small:
        return bool(re.match(r"[`]|\w+[-_/]\w|\w*\d", after)) and last not in _ABBREVIATIONS
    return True
