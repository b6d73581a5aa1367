"""Places in a ranking: "took third place", "finished 2nd", "auf dem dritten Platz", "won silver"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from affidavit.ledger.values.cued import Cued
from affidavit.ledger.values.value import Value

PLACE = "ordinal"
"""The unit of a number that is a place in a ranking."""

_ENGLISH = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
)
# Stems, since they are declined: "dritter", "dritten"; "tercer", "tercero"; "première", "premier". Not French
# "second", which is English too.
_OTHERS = {
    "erst": 1, "zweit": 2, "dritt": 3, "viert": 4, "fünft": 5, "sechst": 6, "siebt": 7, "acht": 8, "neunt": 9,
    "zehnt": 10, "premier": 1, "premièr": 1, "deuxièm": 2, "troisièm": 3, "quatrièm": 4, "cinquièm": 5,
    "sixièm": 6, "primer": 1, "segund": 2, "tercer": 3, "cuart": 4, "quint": 5, "sext": 6, "prim": 1,
    "terz": 3, "quart": 4, "primeir": 1, "terceir": 3, "eerst": 1, "tweed": 2, "derd": 3,
    "vierd": 4, "vijfd": 5, "zesd": 6,
}  # fmt: skip
_WORD = "|".join(_ENGLISH)
_RANK = rf"(?P<word>{_WORD})|(?P<digits>\d{{1,3}})(?:st|nd|rd|th)"
_AFTER = r"(?=\s*(?:[,.;:!)–—]|\Z|\n)|\s(?:in|at|overall|behind|with|out|of|for|on|and|after|among|place)\b)"
# "Third place" and "2nd spot", not "in the first place" and "a second place to stay".
_NAMED = Cued(
    re.compile(
        rf"(?<!in the )(?<!\ba )(?<![\w.-])(?:{_RANK})[\s-](?:place|position|rank|spot|seed)(?!\w)(?!\s(?:to|where|of work)\b)",
        re.I,
    ),
    "place", "position", "rank", "spot", "seed",
)  # fmt: skip
_RANKED = Cued(
    re.compile(
        r"\b(?:finish(?:ed|es|ing)?|came(?: in)?|comes(?: in)?|placed|plac(?:es|ing)|rank(?:ed|s|ing)|qualified|ended up)\s"
        rf"(?:in\s)?(?:joint\s|tied\s)?(?P<rank>{_RANK}){_AFTER}",
        re.I,
    ),
    "finish", "came", "come", "plac", "rank", "qualified", "ended up",
)  # fmt: skip
_FOREIGN = Cued(
    re.compile(
        rf"(?<!\w)(?P<stem>{'|'.join(sorted(_OTHERS, key=len, reverse=True))})(?:er|en|es|e|o|a|os|as)?\s"
        r"(?:Platz|Rang|place|rang|position|puesto|lugar|posición|posto|posizione|plaats|plek)(?!\w)",
        re.I,
    ),
    "plat", "plaats", "rang", "place", "posi", "puesto", "lugar", "posto", "plek",
)  # fmt: skip


# First place told as a victory, second and third as medals. Not "won 12 games" and "a silver ring".
_PRIZE = r"(?:win|victory|gold(?: medal)?|title|top spot|crown|trophy|first prize)"
_TOOK = (
    r"(?:took|takes?|taking|taken|claim(?:ed|s|ing)?|clinch(?:ed|es|ing)|seal(?:ed|s|ing)|secur(?:ed|es|ing)|won|wins?|winning|"
    r"earn(?:ed|s|ing)|grabbed|grabs|captured|collected|bagged|got|gets|landed)(?: home)?(?: the| a| his| her| their)?"
)
_WON = Cued(
    re.compile(
        rf"\b(?P<prize>{_PRIZE}) (?:went|goes|fell|belongs|belonged) to\b|\b{_TOOK} (?P<taken>win|victory|gold(?: medal)?|top spot|first prize)(?!\w| (?:ring|watch|card))"
        r"|\b(?P<won>won|wins)(?= (?:the |this |that )?(?:[\w'’-]+ ){0,3}?(?:race|final|event|heat|stage|regatta|marathon|sprint|relay)\b| in \d+:\d| by \d| ahead of)"
        r"|\b(?P<top>came out on top|on the top step|topp?(?:ed|s) the (?:podium|table|standings|leaderboard|rankings|classification))\b",
        re.I,
    ),
    "win", "victory", "gold", "title", "top", "crown", "trophy", "prize", "won",
)  # fmt: skip
_MEDALS = Cued(
    re.compile(
        rf"\b(?:{_TOOK}|with) (?P<medal>silver|bronze)(?: medal)?(?!\w| (?:ring|watch|card|medals|status|tier))|\b(?P<second>runners?-up)\b"
        r"|\b(?P<medal2>silver|bronze) (?:medal )?(?:went|goes|fell) to\b",
        re.I,
    ),
    "silver", "bronze", "runner",
)  # fmt: skip
_PODIUM = Cued(
    re.compile(
        r"\b(?P<off>(?:missed(?: out on)?|missing(?: out on)?|misses|(?:just )?(?:off|outside|short of)|denied) (?:the |a )?(?:podium|medals|medal)(?: places| spots| positions)?)\b"
        r"|\b(?P<on>on the podium|podium (?:finish|place|spot)|(?:among|in) the medals|made (?:it onto )?the podium)\b"
        r"|\b(?P<top>(?:in|inside|into|made) the top[ -](?P<n>three|five|ten|\d{1,2}))\b",
        re.I,
    ),
    "podium", "medal", "top",
)  # fmt: skip
_TOP = {"three": 3, "five": 5, "ten": 10}
VICTORY = "victory"
"""The written unit of a place that is told without a number."""


def _untold(text: str) -> Iterator[Value]:
    """Places that no ordinal tells: "won the final", "took silver", "missed the podium"."""
    for match in _WON.finditer(text):
        name = next(name for name, found in match.groupdict().items() if found)
        yield _victory(match, name, 1)
    for match in _MEDALS.finditer(text):
        name = next(name for name, found in match.groupdict().items() if found)
        yield _victory(match, name, 3 if match[name].lower() == "bronze" else 2)
    for match in _PODIUM.finditer(text):
        if match["off"]:
            yield replace(_victory(match, "off", 4), bound="min")
        elif match["on"]:
            yield replace(_victory(match, "on", 3), bound="max")
        else:
            most = _TOP.get(match["n"].lower()) or int(match["n"])
            yield replace(_victory(match, "top", most), bound="max")


def _victory(match: re.Match[str], group: str, number: int) -> Value:
    return replace(_place(match, *match.span(group), number), face_unit=VICTORY)


def find_places(text: str) -> Iterator[Value]:
    """Every place in a ranking that a text tells in an ordinal."""
    for match in _NAMED.finditer(text):
        yield _place(match, match.start(), match.end(), _number(match))
    for match in _RANKED.finditer(text):
        yield _place(match, *match.span("rank"), _number(match))
    for match in _FOREIGN.finditer(text):
        yield _place(match, *match.span(), _OTHERS[match["stem"].lower()])
    yield from _untold(text)


def _number(match: re.Match[str]) -> int:
    return int(match["digits"]) if match["digits"] else _ENGLISH.index(match["word"].lower()) + 1


def _place(match: re.Match[str], start: int, end: int, number: int) -> Value:
    said, rank = match.string[start:end], Decimal(number)
    return Value("number", said, start, end, number=rank, unit=PLACE, face=rank)
