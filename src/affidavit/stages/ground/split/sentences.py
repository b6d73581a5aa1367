"""Sentences of a text, by offset. Points inside numbers, names and abbreviations end nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.stages.ground.split.protect import protect
from affidavit.stages.ground.split.verb_forms import BASE_FORMS
from affidavit.stages.ground.split.verbs import finite_verb, is_proposition

# Never the end of a sentence.
ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof st vs approx ca cf e.g i.e eg ie fig eq sec vol ed eds pp jr sr inc ltd co corp dept "
    "est min max incl excl resp nr núm num art tel ext ave blvd rd mt ft lt gen rep sen "
    "z.b bzw d.h u.a evtl ggf inkl zzgl usw str hr fr abs sra dra ud uds pág av apdo avda "
    "mme mlle n°".split()
)
# The end of a sentence only where the next word begins one: "at 9 a.m. The desk …", "Juniper & Co. I …".
DOUBTFUL = frozenset("a.m p.m am pm etc co inc ltd corp llc plc gmbh u.s u.k e.u jan feb mar apr jun jul aug sep sept "
                     "oct nov dec usw st ave blvd rd apt jr sr dept ext".split())  # fmt: skip
# Behind these a capital begins a sentence: "at 9:40 AM. Enjoy …", "flights, hotels etc. Prices …".
_CLOSED = frozenset("am pm etc usw".split())
# But "at 9 a.m. Eastern", "by 5 p.m. Monday" go on.
_TIMED = frozenset("a.m p.m".split())
_TELLS_WHEN = re.compile(
    r"(?:eastern|central|pacific|mountain|atlantic|local|greenwich|(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|[A-Z]{2,5})\b",
)
# Units are abbreviations too, and may close a sentence behind their number: "It takes 45 min. Bring …".
_UNITS = frozenset("min sec hr ms ft max".split())
# Ends of the names of firms and streets: a sentence ends there if there is one on either side.
_NAME_ENDS = frozenset(
    "co inc ltd corp llc plc gmbh st ave blvd rd apt jr sr dept u.s u.k e.u".split()
)
# "im 2. Stock", "der 3. Versuch": a German ordinal.
_BEFORE_ORDINAL = re.compile(
    r"\b(?:de[rsmn]|die|das|im|zum|zur|vom|beim|jede[rsnm]?|(?:d?ein|kein|ihr|unser)e?[rsnm]?)\s+\d{1,2}$",
    re.IGNORECASE,
)
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
    r"(?<![.!?…])(?P<mark>[.!?…]++)(?P<close>[\"'”’»)\]*_`]*(?:[ \t]?\[[x\d]{1,3}\])*)(?P<gap>\s+)|[。！？؟]+[”」』]?\s*"
)
_LABEL_LINE = re.compile(r"[ \t]*(?:[^\w\s]{1,3}[ \t]*)?[A-ZÀ-Þ0-9][^.:!?\n]{0,40}:(?=\s|$)")
_QUOTED_NEXT = re.compile(r"[\"“„«「(]+[A-ZÀ-Þ]|[\"“„«「]\d")
_REFERENCE_YEAR = re.compile(r"\((?:19|20)\d\d[a-z]?\)\.\s*$")
_OPENS = re.compile(r"[ \t]*(?:I|You|We|The|This|It|Please|There|Your|If)(?:['’]\w+)? [a-z]")
_IDENTIFIER_LIKE = re.compile(r"[`]|\w+[-_/]\w|\w*\d")


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
    after = shown[m.end() : m.end() + _AROUND]
    if _QUOTED_NEXT.match(said, m.end()):
        after = said[
            m.end() : m.end() + _AROUND
        ]  # the quotation itself tells whether it opens a sentence
    following = re.match(r"[^\w`]*([\w'’]*)", after)
    word = following[1].replace("’", "'") if following else ""
    if m["mark"] != "." or m["close"]:
        return not (word[:1].islower() and m["mark"] == "…") and not (
            word[:1].islower() and m["close"] and m["mark"] == "."
        )
    so_far = shown[max(0, m.start() - _AROUND) : m.start()]
    before = re.search(r"(?<![\w.&'’°§])[\w.&'’°§]*+$", so_far)
    last = before[0].lower() if before else ""
    if last in BEFORE_NUMBER and word[:1].isdigit():
        return False
    measured = last in _UNITS and bool(re.search(r"\d\s?\w{1,40}$", so_far))
    if last in DOUBTFUL or measured:
        return word[:1].isupper() and (_starts(word) or _new_after(last, shown, m, after))
    if last in ABBREVIATIONS:
        return False
    unit = re.search(r"\d\s(?:[^\W\d_]{1,4}/)?[a-zA-Z]$", so_far)
    if re.fullmatch(r"(?:[^\W\d_]\.)*[^\W\d_]", last) and last != "i" and not unit:
        # An initial ("J. Smith") or "z. B."; "Plan B. You" and "8 m. According" end a sentence.
        return _starts(word) and word[:1].isupper() and "." not in last
    ordinal = _MONTHS.match(after) or _BEFORE_ORDINAL.search(so_far)
    if re.fullmatch(r"\d{1,2}", last) and ordinal:
        return False  # "am 20. März"
    if word[:1].islower():
        return bool(_IDENTIFIER_LIKE.match(after)) and not word.isdigit()
    return True


def _starts(word: str) -> bool:
    """Whether ``word`` is one that often begins a sentence: "You", "You'll"."""
    return word.lower() in _STARTERS or word.lower().split("'")[0] in _STARTERS


def _new_after(last: str, shown: str, m: re.Match[str], after: str) -> bool:
    """Whether a sentence begins with ``after``, behind an abbreviation that also stands inside sentences."""
    if last in _CLOSED:
        return True
    if last in _TIMED:
        return not _TELLS_WHEN.match(after.lower()) and not _TELLS_WHEN.match(after)
    if last in _UNITS:
        opening = re.match(r"\W*(\w+) [a-z]", after)  # "Bring a towel"
        told = opening is not None and opening[1].lower() in BASE_FORMS
        return told or is_proposition(_END.split(after, maxsplit=1)[0])
    if last not in _NAME_ENDS:
        return False
    # Not "St. Mary", nor "Toyota Motor Corp. President A. Toda said".
    before = shown[max(0, m.start() - 4 * _AROUND) : m.start()]
    if last in ("st", "apt", "dept") and not re.search(
        r"\d\W{1,20}(?:[\w'’-]{1,40} ){1,3}\w{1,40}$", before
    ):
        return False
    left = before[max((c.end() for c in _END.finditer(before)), default=0) :]
    return is_proposition(left) and is_proposition(_END.split(after, maxsplit=1)[0])


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
        rest = shown[cut : line_end if 0 <= line_end < cut + 4 * _AROUND else cut + 4 * _AROUND]
        if _REFERENCE_YEAR.search(said[max(0, cut - _AROUND) : cut]):
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
