"""Proper names: capitalised words that grammar does not explain."""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.language import language_of
from affidavit.ledger.values.calendar_names import calendar_names
from affidavit.ledger.values.text import fold
from affidavit.ledger.values.value import Value

_WORD = re.compile(r"(?:[A-Z]\.){2,}|[^\W_](?:\w|[-'’&](?=\w))*")
_JOIN = re.compile(r" (?:(?:la|le|van|von|der|den|&)(?: (?:der|den))?) |\s?&\s?| ")
_START = re.compile(
    r"(?:[.!?:;…|>•\n]|(?:^|\n)\s{0,12}(?:[-*+]|\d+[.)])|(?:^|\s)\(?[A-Za-z]\)|[\"“”„«»(\[*_#`—–]|\s-\s)\s{0,12}$"
)

_NEVER_NAMES = frozenset("the your our my this that these those and or if it its".split())
_DECIMALS = re.compile(r"[.,:%]\d|%")
# "Terminal 1" and "Room 204" name a number, which is found as one.
_LABELS = frozenset(
    "address terminal gate platform room suite unit line page clause section step option order item invoice "
    "flight seat coach track level tier phase version no number chapter article table figure apt "
    "apartment floor building zone day week grade class size part route bus lot block box code "
    "account ticket case booking reservation source document doc episode season act stage rule "
    "appendix annex exhibit paragraph quarter line platz zimmer gleis wagen coche vía".split()
)
# Not "of" and "de", which join a name to its place as often as they are part of it: "Hotel Miramar
# de Valencia" is in evidence that has the hotel and the city apart.
_JOINERS = frozenset("la le van von der den".split())


def find_names(text: str, taken: bytearray) -> Iterator[Value]:
    """Names of people, places, firms and products, conservatively.

    A capital at the start of a sentence or label says nothing, and German capitalises its nouns:
    there only several capitals in a row count.
    """
    language = language_of(text)
    run: list[re.Match[str]] = []
    for word in _WORD.finditer(text):
        if not run and word[0].islower():
            continue  # nothing that a name begins with
        if run and word[0] in _JOINERS:
            continue  # "Ludwig van Beethoven": the gap between the capitals is judged when they meet
        fits = taken.find(1, word.start(), word.end()) < 0 and _may_belong(text, word, run)
        owned = bool(run) and run[-1][0].endswith(("'s", "’s"))  # "Ines Valdarno's The Salt Road"
        if fits and not owned and (not run or _JOIN.fullmatch(text, run[-1].end(), word.start())):
            run.append(word)
            continue
        if run:
            yield from _name(text, run, language)
        run = [word] if fits and _is_capital(word[0]) else []
    yield from _name(text, run, language)


def _may_belong(text: str, word: re.Match[str], run: list[re.Match[str]]) -> bool:
    """Whether a word can stand in a name: a capital, or digits after one: "AquaJet 300"."""
    if _is_capital(word[0]):
        return True
    decimal = _DECIMALS.match(text, word.end())
    return bool(run) and word[0].isdigit() and not decimal and not run[-1][0].isupper()


def _is_capital(word: str) -> bool:
    """ "Porto", "SWISS", "iPhone", and "3-Person" with its capital after the digits."""
    if word[0].isdigit():
        return bool(re.match(r"\d+-[^\W\d_]", word)) and word.split("-")[1][0].isupper()
    return word[0].isupper() or (any(c.isupper() for c in word[1:4]) and word.isalpha())


def _name(text: str, run: list[re.Match[str]], language: str) -> Iterator[Value]:
    whole = run
    run = _trimmed(text, run)
    if not run:
        return
    start, end = run[0].start(), run[-1].end()
    if text[start:end].endswith(("'s", "’s")):
        end -= 2
    if _is_label(text, whole[0].start(), end):
        return
    if len(run) == 1 and not _stands_alone(text, run[0], german=language == "de"):
        return
    if len(run) == 2 and language == "de" and _starts_something(text, start):
        return
    if len(run) > 2 and all(word[0].isupper() and len(word[0]) > 1 for word in run):
        return  # a shouted sentence
    yield Value("name", text[start:end], start, end, key=fold(text[start:end]))


def _trimmed(text: str, run: list[re.Match[str]]) -> list[re.Match[str]]:
    """A run of capitals without the words at its ends that are no part of a name."""
    run = list(run)
    while run and _is_plain_word(text, run[0]):
        run.pop(0)
    while run and not run[-1][0].isdigit() and _is_plain_word(text, run[-1]):
        run.pop()
    if run and run[-1][0].isdigit() and not _is_model(text, run):
        run.pop()
        while run and fold(run[-1][0]) in _LABELS:
            run.pop()  # "Address Line 2" names no thing but a number
    while len(run) > 1 and fold(run[-1][0]) in _LABELS and _starts_something(text, run[0].start()):
        run.pop()  # "1) Pending Order #W3295833"
    return run


def _is_model(text: str, run: list[re.Match[str]]) -> bool:
    """Whether the digits that end a run are part of the name, as in "AquaJet 300".

    Not in "Room 204", "Widget 88231", "Notes 14(2)", nor at the start of "Across 84 homes".
    """
    digits = run[-1]
    named = len(run) > 1 and len(digits[0]) <= 4 and fold(run[-2][0]) not in _LABELS
    return named and text[digits.end() : digits.end() + 1] != "("


def _stands_alone(text: str, word: re.Match[str], *, german: bool) -> bool:
    """Whether one capitalised word is a name: not a sentence's first."""
    said = word[0]
    if text[word.end() : word.end() + 1] == ":":
        return False
    loud = len(said) > 1 and (said.isupper() or (said[:-1].isupper() and said[-1] == "s"))
    # "2 Personen" counts them.
    if text[word.start() - 2 : word.start() - 1].isdigit() and text[word.start() - 1] == " ":
        return loud
    if len(said) < 3 or fold(said) in _LABELS:
        return False
    odd = _is_odd(said)
    if german or (not text.isascii() and any(c in text for c in "äöüß")):
        return odd or loud
    return odd or loud or not _starts_something(text, word.start())


def _is_odd(word: str) -> bool:
    """A capital inside the word, as only names have: "AquaJet", "iPhone"."""
    return not word.isupper() and word[1:].lower() != word[1:]


def _is_plain_word(text: str, match: re.Match[str]) -> bool:
    word = match[0]
    if len(word) == 1 and not word.isdigit():
        return True
    lower = word.lower().replace("’", "'").removesuffix("'s")
    names = calendar_names()
    if (
        lower in _NEVER_NAMES
        or lower.startswith(("i'", "you'"))
        or fold(lower) in names.months
        or fold(lower) in names.weekdays
    ):
        return True
    # What begins a sentence has its capital from that: of "Booked Grey Harbour" the rest is the name.
    return not (_is_odd(word) or word.isupper()) and _starts_something(text, match.start())


def _starts_something(text: str, start: int) -> bool:
    return bool(_START.search(text, max(0, start - 12), start)) or start == 0


def _is_label(text: str, start: int, end: int) -> bool:
    """ "Order Total: $5" and "**Next Steps**" are labels, whatever their capitals."""
    after = text[end : end + 4].lstrip("*_ ")
    line = text.rfind("\n", 0, start) + 1
    if text[start:end] == text:
        return " " not in text  # a table's cell may be a name and nothing else
    lead = text[line:start].strip(" *-_#|•>\t0123456789.)")
    return (
        not lead and (after.startswith((":", "|")) or after[:1] == "\n" or end == len(text))
    ) or (text[line : line + 1] == "#")
