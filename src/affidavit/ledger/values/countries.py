"""Names of countries and languages, for the codes that results hold and answers spell out."""

from __future__ import annotations

from functools import cache

from affidavit.ledger.values.text import fold

_LANGUAGES = "en de es fr it pt nl".split()


@cache
def country_names(code: str) -> frozenset[str]:
    """Folded names of a country in the main languages: "portugal" for PT and PRT."""
    from babel import Locale

    two = _two_letters(code)
    names = (Locale.parse(language).territories.get(two) for language in _LANGUAGES)
    return frozenset(fold(name) for name in names if name)


@cache
def language_names(code: str) -> frozenset[str]:
    """Folded names of a language in the main languages: "french" for fr and for fr-CA, "canadian french" for
    fr-CA alone."""
    from babel import Locale
    from babel.core import get_global

    plain, *parts = code.lower().replace("_", "-").split("-")
    two = get_global("language_aliases").get(plain, plain)
    region = parts[-1] if parts else ""
    of = f"{two}_{region.title() if len(region) == 4 else region.upper()}"
    tables = [Locale.parse(language).languages for language in _LANGUAGES]
    return frozenset(fold(name) for t in tables for key in (two, of) if (name := t.get(key)))


def _two_letters(code: str) -> str:
    from babel.core import get_global

    known = get_global("territory_aliases").get(code)
    return str(known[0]) if known else code
