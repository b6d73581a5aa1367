"""Places in a ranking: "took third place", "finished 2nd", "auf dem dritten Platz"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

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
_NAMED = re.compile(
    rf"(?<!in the )(?<!\ba )(?<![\w.-])(?:{_RANK})[\s-](?:place|position|rank|spot|seed)(?!\w)(?!\s(?:to|where|of work)\b)",
    re.I,
)
_RANKED = re.compile(
    r"\b(?:finish(?:ed|es|ing)?|came(?: in)?|comes(?: in)?|placed|plac(?:es|ing)|rank(?:ed|s|ing)|qualified|ended up)\s"
    rf"(?:in\s)?(?:joint\s|tied\s)?(?P<rank>{_RANK}){_AFTER}",
    re.I,
)
_FOREIGN = re.compile(
    rf"(?<!\w)(?P<stem>{'|'.join(sorted(_OTHERS, key=len, reverse=True))})(?:er|en|es|e|o|a|os|as)?\s"
    r"(?:Platz|Rang|place|rang|position|puesto|lugar|posición|posto|posizione|plaats|plek)(?!\w)",
    re.I,
)


def find_places(text: str) -> Iterator[Value]:
    """Every place in a ranking that a text tells in an ordinal."""
    for match in _NAMED.finditer(text):
        yield _place(match, match.start(), match.end(), _number(match))
    for match in _RANKED.finditer(text):
        yield _place(match, *match.span("rank"), _number(match))
    for match in _FOREIGN.finditer(text):
        yield _place(match, *match.span(), _OTHERS[match["stem"].lower()])


def _number(match: re.Match[str]) -> int:
    return int(match["digits"]) if match["digits"] else _ENGLISH.index(match["word"].lower()) + 1


def _place(match: re.Match[str], start: int, end: int, number: int) -> Value:
    said, rank = match.string[start:end], Decimal(number)
    return Value("number", said, start, end, number=rank, unit=PLACE, face=rank)
