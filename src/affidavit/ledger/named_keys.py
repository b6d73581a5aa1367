"""Keys that are codes of countries and languages, spelled out: the English of ``languages: {"en": "C1"}``.

People say the name and never the code, so that a field with a code for its key could not be told from
those beside it.
"""

from __future__ import annotations

import re
from functools import lru_cache

COUNTRY_FIELDS = frozenset(
    "country countries nation nationality nationalities citizenship citizenships nat noc ctry cntry iso "
    "iso2 iso3 flag origin land staat pays nationalité país pais paese nazione nacionalidad nazionalità "
    "nacionalidade nationalität".split()
)
"""Words of the fields that hold a country's code."""
LANGUAGE_FIELDS = frozenset(
    "language languages lang langs locale locales audio subtitles subtitle captions dub dubs dubbed "
    "sprache sprachen langue langues idioma idiomas lingua lingue língua taal translation translations".split()
)
"""Words of the fields that hold a language's code."""
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Z]{2})?")
_COUNTRY = re.compile(r"[A-Z]{2}")


@lru_cache(maxsize=4096)
def spelled_key(key: str, holder: str) -> str:
    """What a key stands for, by the words of what it lies in; the key itself where it is no such code."""
    names = set(holder.split())
    if _LANGUAGE.fullmatch(key) and names & LANGUAGE_FIELDS:
        return _of("languages", key.replace("-", "_")) or key
    if _COUNTRY.fullmatch(key) and names & COUNTRY_FIELDS:
        return _of("territories", key) or key
    return key


def _of(table: str, code: str) -> str:
    from babel import Locale  # takes 30 ms, and few keys are codes

    names: dict[str, str] = getattr(Locale.parse("en"), table)
    return names.get(code, "")
