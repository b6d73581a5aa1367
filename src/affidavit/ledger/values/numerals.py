"""Numbers in digits and in words, with the marks of both conventions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache

from affidavit.ledger.language import UNKNOWN, language_of
from affidavit.ledger.values.cued import Cued
from affidavit.ledger.values.spelled_numbers import read_scientific, written_numbers

_GROUP = "[\u00a0\u202f\u2009'’ ]"
# Thousands in groups of one mark, then perhaps decimals after another; Indian 1,25,000 too.
_DIGITS = re.compile(
    rf"\d{{1,3}}(?:{_GROUP}\d{{3}})+(?:[.,]\d+)?(?!\d)"
    r"|\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d])(?!,\d)"
    r"|\d{1,3}(?:\.\d{3})+(?:,\d+)?(?![\d])(?!\.\d)"
    r"|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?(?!\d)"
    r"|\d+(?:[.,]\d+)?"
)
_THREE = re.compile(r"\d{1,3}([.,])\d{3}")
_CONTINENTAL = re.compile(
    r"\d\.\d{3},\d|(?<!\d)(?<!\d\.)\d{1,3}(?:\.\d{3})*,\d{1,2}(?![\d,])|\d\.\d{3}\s?€"
)
_SPACED = re.compile(r"\d \d")


_MOST_DIGITS = 24
"""More are a code or noise, and past what decimal arithmetic does exactly."""


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number as written. ``other`` is the second reading of a mark that may mean either."""

    start: int
    end: int
    number: Decimal
    other: Decimal | None = None
    in_words: bool = False


def numerals(text: str, taken: bytes | bytearray = b"") -> Iterator[Numeral]:
    """Every number of a text in order, in digits first where both could start at one place. Digits where
    a place is ``taken`` are left out, unless the text has numbers in words: "sixty (60)" is one."""
    words = [*_in_words(text), *_times_over(text)]
    found = list(_in_digits(text, b"" if words else taken))
    if written := [Numeral(a, b, number) for a, b, number in written_numbers(text)]:
        found = [*(n for n in found if not _inside(n, written)), *written]
        words = [n for n in words if not _inside(n, written)]
    if not words:
        yield from sorted(found, key=lambda numeral: numeral.start)
        return
    held: Numeral | None = None
    for numeral in sorted([*found, *words], key=lambda numeral: numeral.start):
        if held is not None and held.in_words and _repeats(text, held, numeral):
            numeral = replace(held, end=numeral.end + 1)
        elif held is not None:
            yield held
        held = numeral
    if held is not None:
        yield held


def _inside(numeral: Numeral, others: list[Numeral]) -> bool:
    return any(other.start < numeral.end and numeral.start < other.end for other in others)


# "You may renew it twice", not "twice as many", "twice the price" and "think twice".
_TIMES_OVER = Cued(
    re.compile(
        r"(?<!think )(?<!thought )(?<![\w-])(?P<word>twice|thrice|zweimal|dreimal|viermal|fünfmal|tweemaal|driemaal)\b"
        r"(?!-|\s(?:as|the|that|this|its|their|his|her|my|your|our|what|so|more|over|before|über)\b)",
        re.I,
    ),
    "twice", "thrice", "mal", "maal",
)  # fmt: skip
_TIMES = {
    "twice": 2, "thrice": 3, "zweimal": 2, "dreimal": 3, "viermal": 4, "fünfmal": 5, "tweemaal": 2,
    "driemaal": 3,
}  # fmt: skip


def _times_over(text: str) -> Iterator[Numeral]:
    for match in _TIMES_OVER.finditer(text):
        yield Numeral(*match.span(), Decimal(_TIMES[match["word"].lower()]), None, True)


def _repeats(text: str, word: Numeral, digits: Numeral) -> bool:
    """Contracts say a number twice: "sixty (60) days"."""
    between = text[word.end : digits.start] + text[digits.end : digits.end + 1]
    return between == " ()" and word.number == digits.number


def _in_digits(text: str, taken: bytes | bytearray = b"") -> Iterator[Numeral]:
    continental: bool | None = None
    at = 0
    while match := _DIGITS.search(text, at):
        start, end = match.span()
        raw = match[0]
        spaced = " " in raw and _SPACED.search(raw) and "," not in raw
        spaced = spaced and not _is_price(text, start, end)
        if spaced and language_of(text) == "en":
            # "in 2026 100 people": English does not group with plain spaces.
            raw = raw.split(" ")[0]
            end = start + len(raw)
        at = end
        if (
            taken.find(1, start, end) >= 0
            or _inside_word(text, start)
            or _is_marker(text, start, end)
            or _is_issue(text, start)
        ):
            continue
        other = None
        plain = raw
        for mark in "\u00a0\u202f\u2009'’ ":
            plain = plain.replace(mark, "")
        if "," in plain or "." in plain:
            if continental is None:
                continental = _is_continental(text)
            number, other = _read_marks(plain, continental)
        else:
            number = Decimal(plain)
        if len(plain) > _MOST_DIGITS:
            continue
        if _is_minus(text, start):
            start, number = start - 1, -number
            other = -other if other is not None else None
        yield Numeral(start, end, number, other)


def read_number(text: str) -> Decimal | None:
    """The number a whole text is, if it is one: "1,250.40" or "-7"."""
    stripped = text.strip()
    if not stripped or not (stripped[0].isdigit() or stripped[0] in "-−+"):
        return None
    if (scientific := read_scientific(stripped)) is not None:
        return scientific
    found = list(_in_digits(stripped))
    if len(found) == 1 and (found[0].start, found[0].end) == (0, len(stripped)):
        return found[0].number
    return None


_CURRENCY = r"(?:[A-Z]{3}|[$€£]|kr\.?|zł|Kč|Ft)"
_BEFORE_PRICE = re.compile(rf"(?<!\w){_CURRENCY}\s?$")
_AFTER_PRICE = re.compile(rf"\s?{_CURRENCY}(?!\w)")


def _is_price(text: str, start: int, end: int) -> bool:
    """Whether a currency stands beside digits: "NOK 389 900" in English too."""
    beside = _BEFORE_PRICE.search(text, max(0, start - 5), start)
    return bool(beside or _AFTER_PRICE.match(text, end))


def _inside_word(text: str, start: int) -> bool:
    """Whether digits are part of a code: "BL-204518", "acc_01", "SEV2"; but not "EUR45"."""
    if start == 0:
        return False
    before = text[start - 1]
    if before in ".," and start > 1 and text[start - 2].isdigit():
        return True
    if before in "xX×" and start > 1 and text[start - 2].isdigit():
        return False  # "2x23kg"
    if before == "_" or before.isalpha():
        left = start
        while left and text[left - 1].isalpha():
            left -= 1
        return before == "_" or text[left:start].upper() not in _GLUED
    joined = before in "-/" and start > 1 and (text[start - 2].isalpha() or text[start - 2] == "_")
    return joined and not _PORT_OF.search(text, max(0, start - 8), start)


_PORT_OF = re.compile(r"(?<![A-Za-z])(?:tcp|udp|sctp|dccp)[/-]\Z", re.I)
"""The protocol before a port, "tcp/443"."""


def _is_marker(text: str, start: int, end: int) -> bool:
    """Whether digits are a reference to a source, as in "[2]", or number a list's item."""
    if text[end : end + 1] == "]":
        return text[start - 1 : start] == "["
    if end - start > 2 or text[end : end + 1] not in (".", ")") or text[end + 1 : end + 2] != " ":
        return False
    line = text.rfind("\n", 0, start) + 1
    return not text[line:start].strip(" \t>*-")


def _is_issue(text: str, start: int) -> bool:
    """The 2 of "14(2)", the issue of a volume or the part of a section, counts nothing."""
    return start > 1 and text[start - 1] == "(" and text[start - 2].isalnum()


_GLUED = frozenset("USD EUR GBP CHF JPY".split())


def _is_minus(text: str, start: int) -> bool:
    if start == 0 or text[start - 1] not in "-−–":
        return False
    if start == 1:
        return True
    # "5-10" and "2–3" are ranges, "word -7" is below zero.
    if text[start - 1] == "–":
        return (
            text[start - 2].isspace()
            and text[start : start + 1].isdigit()
            and not text[: start - 1].rstrip()[-1:].isdigit()
        )
    return not (text[start - 2].isalnum() or text[start - 2] in ")%_°")


def _is_continental(text: str) -> bool:
    """Whether the comma marks decimals here, judged by other numbers and by the language."""
    if re.search(r"\d,\d{3}\.\d|\d\.\d{1,2}(?![\d.,])", text) and not re.search(
        r"\d\.\d{3},\d", text
    ):
        return False
    if _CONTINENTAL.search(text):
        return True
    return language_of(text) not in (UNKNOWN, "en")


def _read_marks(raw: str, continental: bool) -> tuple[Decimal, Decimal | None]:
    commas, dots = raw.count(","), raw.count(".")
    if commas and dots:
        decimal = max(",", ".", key=raw.rfind)
        group = "," if decimal == "." else "."
        return Decimal(raw.replace(group, "").replace(decimal, ".")), None
    mark = "," if commas else "."
    if commas + dots > 1:
        return Decimal(raw.replace(mark, "")), None
    as_decimal, as_group = Decimal(raw.replace(mark, ".")), Decimal(raw.replace(mark, ""))
    if not _THREE.fullmatch(raw) or raw.startswith("0"):
        return as_decimal, None
    if mark == "," and not continental:
        return as_group, None
    grouped = mark == "." and continental
    return (as_group, as_decimal) if grouped else (as_decimal, as_group)


_ONES = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty",
    "de": "null - zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn "
    "fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
    "fr": "zéro - deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze "
    "seize dix-sept dix-huit dix-neuf vingt",
    "es": "cero - dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince "
    "dieciséis diecisiete dieciocho diecinueve veinte",
    "it": "zero - due tre quattro cinque sei sette otto nove dieci undici dodici tredici "
    "quattordici quindici sedici diciassette diciotto diciannove venti",
    "pt": "zero - dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze "
    "dezesseis dezessete dezoito dezenove vinte",
    "nl": "nul - twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien "
    "vijftien zestien zeventien achttien negentien twintig",
}
_ALSO = {
    "de": {"dreißig": 30, "vierzig": 40, "fünfzig": 50, "sechzig": 60, "hundert": 100},
    "fr": {"trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60, "cent": 100},
    "es": {"treinta": 30, "cuarenta": 40, "cincuenta": 50, "sesenta": 60, "cien": 100},
    "it": {"trenta": 30, "quaranta": 40, "cinquanta": 50, "sessanta": 60, "cento": 100},
    "pt": {"duas": 2, "trinta": 30, "quarenta": 40, "cinquenta": 50, "sessenta": 60, "cem": 100},
    "nl": {"dertig": 30, "veertig": 40, "vijftig": 50, "zestig": 60, "honderd": 100},
}
_TENS = {
    word: 10 * n
    for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
# Also words of other languages: Italian "due" and "sei", Spanish "once", French "cent".
_DOUBTFUL = frozenset("due sei once cent elf null nul seize sept tien cento cem sex".split())
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "dozen": 12}


@cache
def _lexicon(language: str) -> tuple[re.Pattern[str], dict[str, int]]:
    """The number words of a language; of all of them where it is unknown, but for double meanings."""
    words: dict[str, int] = {}
    known = language in _ONES
    for name in [language] if known else _ONES:
        found = {word: n for n, word in enumerate(_ONES[name].split()) if word != "-"}
        found |= _ALSO.get(name, {}) | (_TENS if name == "en" else {})
        for word, n in found.items():
            if known or name == "en" or word not in _DOUBTFUL:
                words.setdefault(word, n)
    english = language in (UNKNOWN, "en")
    ones = "|".join(sorted(words, key=len, reverse=True))
    one = rf"(?:{ones})"
    more = rf"(?:(?:[- ]|\s+and\s+)(?:{ones}|{'|'.join(_SCALES)})\b)*" if english else ""
    first = rf"(?:{one}|an?(?=\s(?:hundred|thousand|million|billion|dozen)))"
    return re.compile(rf"(?<![\w-]){first if more else one}\b{more}", re.I), words


# "one" counts only before a noun: "one of them", "the other one" and "no one" count nothing.
_LOOSE_ONE = re.compile(
    r"\s*(?:$|[^\w\s-]|-on-|\s(?:of|another|more|that|who|which|way|for|in|at|on|is|was|has|by|"
    r"or|and|to|from|with|you|i|we|they|it|can|could|should|would|may|might|below|above)\b|"
    # "one says": a verb, since one of a thing has no plural
    r"\s[a-z]+[^\Ws]s\b)",
    re.I,
)
_NOT_BEFORE_ONE = re.compile(
    r"(?:other|no|any|every|each|which|this|that|the|new|last|next) $", re.I
)
_NAMED_BY_NUMBER = re.compile(r"-(?:way|off|size|stop|time|click|on)\b", re.I)


def _in_words(text: str) -> Iterator[Numeral]:
    pattern, words = _lexicon(language_of(text))
    for match in pattern.finditer(text):
        said = match[0].lower()
        if said == "one" and (
            _LOOSE_ONE.match(text, match.end())
            or _NOT_BEFORE_ONE.search(text, max(0, match.start() - 8), match.start())
            or _NAMED_BY_NUMBER.match(text, match.end())
        ):
            continue
        for start, end, number in _compose(match[0], words):
            yield Numeral(match.start() + start, match.start() + end, Decimal(number), None, True)


def _compose(said: str, words: dict[str, int]) -> Iterator[tuple[int, int, int]]:
    """Read "two hundred and fifty-one" as one number, and "five six" as two."""
    total, current, start, end, last = 0, 0, -1, 0, 0
    for part in re.finditer(r"[^\W\d_]+(?:-(?:sept|huit|neuf))?", said):
        word = part[0].lower()
        if word == "and":
            continue
        scale = _SCALES.get(word)
        number = 1 if word in ("a", "an") else words.get(word)
        if scale is not None:
            current = max(current, 1) * scale
            if scale >= 1000:
                total, current = total + current, 0
            last = scale
        elif number is not None:
            starts_anew = start >= 0 and not (
                last >= 100 or (last in range(20, 100) and last % 10 == 0 and number < 10)
            )
            if starts_anew:
                yield start, end, total + current
                total, current, start = 0, 0, -1
            current += number
            last = number
        start = part.start() if start < 0 else start
        end = part.end()
    if start >= 0:
        yield start, end, total + current
