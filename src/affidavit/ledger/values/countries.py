"""Names of countries, for the codes that results hold and answers spell out."""

from __future__ import annotations

from functools import cache

from affidavit.ledger.values.text import fold

_LANGUAGES = "en de es fr it pt nl".split()


@cache
def country_names(code: str) -> frozenset[str]:
    """Folded names of an ISO 3166 code in the main languages: "portugal" for PT."""
    from babel import Locale

    names = (Locale.parse(language).territories.get(code) for language in _LANGUAGES)
    return frozenset(fold(name) for name in names if name)
