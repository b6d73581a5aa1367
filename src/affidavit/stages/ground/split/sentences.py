"""Sentences of a text, by offset. Points inside numbers, names and abbreviations end nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.stages.ground.protect import protect
from affidavit.stages.ground.split.verbs import finite_verb

# Never the end of a sentence.
ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof st vs approx ca cf e.g i.e eg ie fig eq sec vol ed eds pp jr sr inc ltd co corp dept "
    "est min max incl excl resp nr núm num art tel ext ave blvd rd mt ft lt gen rep sen "
    "z.b bzw d.h u.a evtl ggf inkl zzgl usw str hr fr abs sra dra ud uds pág av apdo avda "
    "mme mlle n°".split()
)
# The end of a sentence only where the next word begins one: "at 9 a.m. The desk …", "Juniper & Co. I …".
DOUBTFUL = frozenset("a.m p.m am pm etc co inc ltd corp u.s u.k e.u jan feb mar apr jun jul aug sep sept oct "
                     "nov dec usw st ave rd".split())  # fmt: skip
# Before a number these are abbreviations, else words: "No. 14" and "No. You're on Node 18".
BEFORE_NUMBER = frozenset("no nos p pp art sec ch fig vol nr v ver approx ca clause §".split())
_STARTERS = frozenset(
    "the a an this that these those it its he she they we i you your our their there here if when please "
    "both all each no yes in on at for to after before with as from would could can do is are was what how "
    "let thank thanks i'm i've i'll you're it's that's there's we've however also but and so".split()
)
_MONTHS = re.compile(
    r"(?:jan|feb|mär|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec)[a-zä]*\b", re.IGNORECASE
)
_END = re.compile(
    r"(?P<mark>[.!?…]+)(?P<close>[\"'”’»)\]*_`]*(?:[ \t]?\[[x\d]{1,3}\])*)(?P<gap>\s+)|[。！？؟]+[”」』]?\s*"
)
_LABEL_LINE = re.compile(r"[ \t]*(?:[^\w\s]{1,3}[ \t]*)?[A-ZÀ-Þ0-9][^.:!?\n]{0,40}:(?=\s|$)")
_QUOTED_NEXT = re.compile(r"[\"“„«「(]+[A-ZÀ-Þ]|[\"“„«「]\d")
_REFERENCE_YEAR = re.compile(r"\((?:19|20)\d\d[a-z]?\)\.\s*$")
_OPENS = re.compile(r"[ \t]*(?:I|You|We|The|This|It|Please|There|Your|If)(?:['’]\w+)? [a-z]")
_IDENTIFIER_LIKE = re.compile(r"[`]|\w+[-_/]\w|\w*\d")


def sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of the sentences in ``text[start:end]``, trimmed of blanks. ``text`` has its markup blanked."""
    said = text[start:end]
    shown = protect(said)
    here = 0
    for cut in [*_cuts(said, shown), len(shown)]:
        piece = shown[here:cut]
        # A piece of punctuation or an emoji goes with its neighbour.
        if not re.search(r"\w", piece) and cut < len(shown):
            continue
        trimmed = piece.strip()
        if re.search(r"\w", trimmed):
            first = here + len(piece) - len(piece.lstrip())
            yield start + first, start + first + len(trimmed)
        here = cut


def _cuts(said: str, shown: str) -> list[int]:
    cuts = [m.end() for m in _END.finditer(shown) if _ends_sentence(said, shown, m)]
    cuts += [m.end() for m in re.finditer(r"\n", shown) if _ends_line(shown, m.start())]
    return sorted(set(_without_references(said, shown, cuts)))


def _ends_line(shown: str, at: int) -> bool:
    """Whether the line break at ``at`` ends a sentence: a closed line, or a label on the next one."""
    before = shown[shown.rfind("\n", 0, at) + 1 : at].rstrip()
    if re.search(r"[.!?:;]$", before) or _LABEL_LINE.match(shown, at + 1):
        return True
    # "Account check\nI found …": a line that stands as a title, over one that opens a sentence.
    titled = before[:1].isupper() and len(before.split()) <= 6 and before[-1:].isalnum()
    return titled and bool(_OPENS.match(shown, at + 1)) and finite_verb(before) is None


def _ends_sentence(said: str, shown: str, m: re.Match[str]) -> bool:
    if m["mark"] is None:  # the full stops of scripts that need no blank
        return True
    after = shown[m.end() :]
    if _QUOTED_NEXT.match(said, m.end()):
        after = said[m.end() :]  # the quotation itself tells whether it opens a sentence
    following = re.match(r"[^\w`]*([\w'’]*)", after)
    word = following[1].replace("’", "'") if following else ""
    if m["mark"] != "." or m["close"]:
        return not (word[:1].islower() and m["mark"] == "…") and not (
            word[:1].islower() and m["close"] and m["mark"] == "."
        )
    before = re.search(r"[\w.&'’°§]*$", shown[: m.start()])
    last = before[0].lower() if before else ""
    if last in BEFORE_NUMBER and word[:1].isdigit():
        return False
    if last in DOUBTFUL:
        return word.lower() in _STARTERS and word[:1].isupper()
    if last in ABBREVIATIONS:
        return False
    unit = re.search(r"\d\s[a-zA-Z]$", shown[: m.start()])
    if re.fullmatch(r"(?:[^\W\d_]\.)*[^\W\d_]", last) and last != "i" and not unit:
        # An initial ("J. Smith") or "z. B."; "Plan B. You" and "8 m. According" end a sentence.
        return word.lower() in _STARTERS and word[:1].isupper() and "." not in last
    if re.fullmatch(r"\d{1,2}", last) and _MONTHS.match(after):
        return False  # "am 20. März"
    if word[:1].islower():
        return bool(_IDENTIFIER_LIKE.match(after)) and not word.isdigit()
    return True


def _without_references(said: str, shown: str, cuts: list[int]) -> list[int]:
    """``cuts`` without those inside a bibliographic reference: "Doe, J. (2020). Title. Journal 3(1)."

    From "(year)." on, what follows belongs to the reference up to its pages, volume or address, but for
    whole sentences, which have a verb and so no such ending.
    """
    kept = []
    until = -1
    for cut in cuts:
        if cut <= until:
            continue
        line_end = shown.find("\n", cut)
        rest = shown[cut : line_end if line_end >= 0 else len(shown)]
        if _REFERENCE_YEAR.search(said[:cut]):
            tail = re.match(
                r"[^.?!\n]{5,200}[.?!]\s+[^.\n]{2,80}?(?:\d[^.\n]*|pp?\. ?\d[\d–-]*)"
                r"(?:,? ?pp?\. ?\d+(?: ?[–-] ?\d+)?)?\.?(?=\s|$)",
                rest,
            )
            if tail:
                until = cut + tail.end() - 1
                continue
        kept.append(cut)
    return kept
