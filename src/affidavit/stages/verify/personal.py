"""What only a person can tell of themselves, or a record of them: their birth date, their name.

Nobody can work these out, as one works out the date of next Friday: a birth date that was never given is
made up, in whatever way dates are written. A name counts as known where any word of it was said, or its
beginning, since people are called in more ways than one.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from affidavit.stages.verify.names import words

_BIRTH = frozenset("birth birthdate birthday dob born".split())
_NOT_A_DATE_OF_BIRTH = frozenset(
    "year place country city month day name certificate weight".split()
)
_PAPER = frozenset("card passport licence license visa document credit debit".split())
_ENDS = frozenset("expiry expiration expires exp".split())
_PERSON = frozenset(
    "passenger guest patient recipient contact customer cardholder applicant traveler traveller attendee client holder insured "
    "tenant employee student member payee beneficiary claimant caller".split()
)
_OF_PERSON = frozenset({("first",), ("last",), ("given",), ("family",), ("middle",), ("maiden",)})
_SURNAME = frozenset("surname surnames forename firstname lastname".split())
_MONTHS = (
    "jan feb mar apr may jun jul aug sep oct nov dec".split(),
    "januar februar märz april mai juni juli august september oktober november dezember".split(),
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(),
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre".split(),
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split(),
    "januari februari maart april mei juni juli augustus september oktober november december".split(),
)
_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?:[T ].*)?")
_SHORT = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})")
_MONTH_YEAR = re.compile(r"(\d{1,2})[-/.](\d{4}|\d{2})")
WORD = re.compile(r"[^\W\d_]{2,}")
_OTHER_SCRIPT = re.compile(r"[^\W\d_\u0000-\u024f\u1e00-\u1eff]")
_SPELLED = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("ß", "ss"))
_NOBODY = frozenset(
    "guest customer user unknown none test anonymous somebody someone team support".split()
)
_START = 3
"""Letters that a word must have for a name that begins so, so that Rob may be Robert."""


def is_birth_date(name: str) -> bool:
    """Whether an argument of this name holds the day somebody was born."""
    parts = words(name)
    return not _BIRTH.isdisjoint(parts) and _NOT_A_DATE_OF_BIRTH.isdisjoint(parts)


def is_expiry(name: str) -> bool:
    """Whether an argument of this name says until when somebody's card or passport is valid."""
    parts = words(name)
    return not _PAPER.isdisjoint(parts) and not _ENDS.isdisjoint(parts)


def is_persons_name(name: str) -> bool:
    """Whether an argument of this name says what somebody is called."""
    parts = words(name)
    if parts[-1:] != ("name",):
        return not _SURNAME.isdisjoint(parts)
    return parts[:-1][-1:] in _OF_PERSON or not _PERSON.isdisjoint(parts)


@lru_cache(maxsize=256)
def ways_of_writing(text: str) -> re.Pattern[str] | None:
    """How a date may have been written by others, folded; None where it is no date that could be told.

    "1988-04-12" is also 12.04.88, 4/12/1988, "12th April 1988", "April 12, 1988" and 1988年4月12日.
    """
    parsed = _parsed(text)
    if parsed is None:
        return None
    year, month, day = parsed
    y = rf"(?:{year:04d}|'?{year % 100:02d})"
    m = rf"0?{month}"
    named = "|".join(re.escape(names[month - 1]) + r"\w*\.?" for names in _MONTHS)
    gap = r"[\s\-/.,年月日]{1,3}"
    if day is None:
        return re.compile(
            rf"(?<!\d){m}{gap}{y}(?!\d)|(?<!\d){year:04d}{gap}{m}(?!\d)|\b(?:{named}){gap}{y}(?!\d)|(?<!\d)0?{month:02d}{year % 100:02d}(?!\d)"
        )
    d = rf"0?{day}(?:st|nd|rd|th|\.|er|º|ª)?"
    # In a script of its own, the day, a word or two, and the year.
    loose = rf"(?<!\d){d}\s+(?:[^\W\d_a-z]\w*\.?\s+){{1,3}}{y}(?!\d)"
    ways = (
        rf"(?<!\d){year:04d}{gap}{m}{gap}{d}(?!\d)",
        rf"(?<!\d){d}{gap}{m}{gap}{y}(?!\d)",
        rf"(?<!\d){m}{gap}{d}{gap}{y}(?!\d)",
        rf"(?<!\d){d}{gap}(?:of |de |d'|di )?(?:the )?(?:{named}){gap}(?:de |del )?{y}(?!\d)",
        rf"\b(?:{named})\s+(?:the )?{d}{gap}{y}(?!\d)",
        rf"(?<!\d){year:04d}{month:02d}{day:02d}(?!\d)",
        rf"(?<!\d){day:02d}{month:02d}{year:04d}(?!\d)|(?<!\d){month:02d}{day:02d}{year:04d}(?!\d)",
        loose,
    )
    return re.compile("|".join(ways))


def _parsed(text: str) -> tuple[int, int, int | None] | None:
    if iso := _ISO.fullmatch(text):
        year, month, day = int(iso[1]), int(iso[2]), int(iso[3]) if iso[3] else None
    elif short := _SHORT.fullmatch(text):
        first, second, year = int(short[1]), int(short[2]), int(short[3])
        # 04/12 is read either way by the patterns.
        month, day = (second, first) if second <= 12 else (first, second)
    elif month_year := _MONTH_YEAR.fullmatch(text):
        year, month, day = int(month_year[2]), int(month_year[1]), None
        year += 2000 if year < 100 else 0
    else:
        return None
    return (year, month, day) if 1 <= month <= 12 and (day is None or 1 <= day <= 31) else None


def in_other_script(text: str) -> bool:
    """Whether a text is written in other letters than Latin ones, so that its names are spelled anew."""
    return bool(_OTHER_SCRIPT.search(text))


def words_of_name(text: str) -> list[str]:
    """Each word of a name, plainly written; none where it is nobody's."""
    found = WORD.findall(text)
    return [] if {w.casefold() for w in found} & _NOBODY else [plainly(w) for w in found]


@lru_cache(maxsize=256)
def ways_of_calling(word: str) -> re.Pattern[str]:
    """The whole words, plainly written, that a name's ``word`` may be said as: itself, its beginning, or a word that it
    is the beginning of."""
    longer = r"[a-z]*" if len(word) >= _START else ""
    ways = [word + longer, *(word[:end] for end in range(_START, len(word)))]
    return re.compile(rf"(?<![a-z])(?:{'|'.join(ways)})(?![a-z])")


def plainly(text: str) -> str:
    """A text in small letters without accents, and with the umlauts as some spell them: Müller, Mueller."""
    bare = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(c for c in bare if not unicodedata.combining(c))
    for spelled, letter in _SPELLED:
        bare = bare.replace(spelled, letter)
    return bare
