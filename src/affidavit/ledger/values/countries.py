"""Names of countries and languages, for the codes that results hold and answers spell out."""

from __future__ import annotations

from functools import cache

from affidavit.ledger.values.text import fold

_LANGUAGES = "en de es fr it pt nl".split()
SIDE_FIELDS = frozenset("team teams side squad home away opponent delegation host winner".split())
"""Words of the fields that hold one where countries compete; two letters are no country there."""
# Codes of the Olympic Committee and of FIFA that ISO 3166 spells otherwise or gives to nobody.
_SPORTS = {
    "ALG": "DZ", "ANG": "AO", "ANT": "AG", "ARU": "AW", "ASA": "AS", "BAH": "BS", "BAN": "BD",
    "BAR": "BB", "BER": "BM", "BHU": "BT", "BIZ": "BZ", "BOT": "BW", "BRU": "BN", "BUL": "BG",
    "BUR": "BF", "CAM": "KH", "CAY": "KY", "CGO": "CG", "CHA": "TD", "CHI": "CL", "CRC": "CR",
    "CRO": "HR", "CTA": "CF", "DEN": "DK", "ENG": "GB-ENG", "ESA": "SV", "FIJ": "FJ", "GAM": "GM",
    "GBS": "GW", "GEQ": "GQ", "GER": "DE", "GRE": "GR", "GRN": "GD", "GUA": "GT", "GUI": "GN",
    "HAI": "HT", "HON": "HN", "INA": "ID", "IRI": "IR", "ISV": "VI", "IVB": "VG", "KSA": "SA",
    "KOS": "XK", "KUW": "KW", "LAT": "LV", "LBA": "LY", "LES": "LS", "LIB": "LB", "MAD": "MG",
    "MAS": "MY", "MAW": "MW", "MGL": "MN", "MON": "MC", "MRI": "MU", "MTN": "MR", "MYA": "MM",
    "NCA": "NI", "NED": "NL", "NEP": "NP", "NGR": "NG", "NIG": "NE", "NIR": "GB-NIR", "OMA": "OM",
    "PAR": "PY", "PHI": "PH", "PLE": "PS", "POR": "PT", "PUR": "PR", "RSA": "ZA", "SAM": "WS",
    "SCO": "GB-SCT", "SEY": "SC", "SKN": "KN", "SLO": "SI", "SOL": "SB", "SRI": "LK", "SUD": "SD",
    "SUI": "CH", "TAN": "TZ", "TGA": "TO", "TOG": "TG", "TPE": "TW", "TRI": "TT", "UAE": "AE",
    "URU": "UY", "VAN": "VU", "VIE": "VN", "VIN": "VC", "WAL": "GB-WLS", "ZAM": "ZM", "ZIM": "ZW",
}  # fmt: skip
_PARTS = {
    "GB-ENG": "england", "GB-SCT": "scotland", "GB-WLS": "wales", "GB-NIR": "northern ireland",
}  # fmt: skip
# As people say them, beside the names of CLDR.
_ALSO = {
    "US": "usa, us, america, united states of america", "GB": "uk, britain, great britain",
    "CZ": "czech republic", "NL": "holland, the netherlands", "KR": "korea, south korea",
    "TW": "chinese taipei", "AE": "uae, emirates", "BA": "bosnia", "MK": "macedonia",
    "CI": "ivory coast", "RU": "russian federation", "VN": "viet nam", "CD": "congo, dr congo",
    "IE": "republic of ireland", "TR": "turkey", "CV": "cape verde", "HK": "hong kong",
}  # fmt: skip
# What is of a country, where it is not its name with an ending: Kenya and Kenyan are found by rule.
_OF = {
    "AE": "emirati", "AF": "afghan", "AR": "argentine argentinian", "AT": "austrian", "BE": "belgian",
    "BR": "brazilian", "CA": "canadian", "CH": "swiss", "CI": "ivorian", "CN": "chinese", "CY": "cypriot",
    "CZ": "czech", "DE": "german", "DK": "danish dane", "EC": "ecuadorian", "EG": "egyptian", "ES": "spanish "
    "spaniard", "FI": "finnish finn", "FR": "french", "GB": "british", "GH": "ghanaian", "GR": "greek",
    "HR": "croatian croat", "HU": "hungarian", "IE": "irish", "IL": "israeli", "IQ": "iraqi", "IS": "icelandic",
    "IT": "italian", "JP": "japanese", "KR": "korean", "LB": "lebanese", "LU": "luxembourgish", "LV": "latvian",
    "LT": "lithuanian", "MA": "moroccan", "MT": "maltese", "MX": "mexican", "MY": "malaysian", "NG": "nigerian",
    "NL": "dutch", "NO": "norwegian", "NP": "nepali nepalese", "NZ": "kiwi", "PE": "peruvian", "PH": "filipino "
    "filipina philippine", "PK": "pakistani", "PL": "polish pole", "PT": "portuguese", "RO": "romanian",
    "RS": "serbian serb", "SA": "saudi", "SE": "swedish swede", "SI": "slovenian slovene", "SK": "slovak",
    "SN": "senegalese", "TH": "thai", "TN": "tunisian", "TR": "turkish turk", "TW": "taiwanese",
    "UA": "ukrainian", "US": "american", "UY": "uruguayan", "VN": "vietnamese", "GB-ENG": "english",
    "GB-SCT": "scottish scot", "GB-WLS": "welsh",
}  # fmt: skip


@cache
def country_names(code: str) -> frozenset[str]:
    """Folded names of a country in the main languages, and what is of it in English: "portugal" and
    "portuguese" for PT, PRT and POR."""
    from babel import Locale

    two = _two_letters(code)
    if two is None or two == "ZZ":
        return frozenset()
    names = (Locale.parse(language).territories.get(two) for language in _LANGUAGES)
    found = {fold(name) for name in names if name}
    own = _PARTS.get(two) or fold(Locale.parse("en").territories.get(two) or "")
    if own.endswith("a") and " " not in own:
        found.add(own + "n")  # Kenyan
    return frozenset(found | set(_OF.get(two, "").split()) | set(_ALSO.get(two, own).split(", ")))


@cache
def language_names(code: str) -> frozenset[str]:
    """Folded names of a language, with its country or without, in the main languages: "french" for fr and
    for fr-CA, "canadian french" and "french canada" for fr-CA alone."""
    from babel import Locale

    plain, *parts = code.lower().replace("_", "-").split("-")
    two = _OLD_LANGUAGES.get(plain, plain)
    region = parts[-1] if parts else ""
    region = region.title() if len(region) == 4 else region.upper()
    tables = [Locale.parse(language).languages for language in _LANGUAGES]
    names = {fold(name) for table in tables if (name := table.get(two))}
    if region:
        whole = {fold(name) for table in tables if (name := table.get(f"{two}_{region}"))}
        whole |= {f"{of} {name}" for of in country_adjectives(region) for name in names}
        lands = country_names(region) if len(region) == 2 else ()
        names |= whole | {f"{name} {land}" for land in lands for name in names}
    return frozenset(names)


def country_adjectives(code: str) -> frozenset[str]:
    """What is of a country, in English: "brazilian" for BR."""
    own = next((name for name in country_names(code) if f"{name}n" in country_names(code)), "")
    return frozenset([*_OF.get(code, "").split(), *([f"{own}n"] if own else [])])


@cache
def lands_by_adjective() -> dict[str, str]:
    """The folded English names of countries, by what is of them: "brazil" by "brazilian"."""
    from babel import Locale

    lands = Locale.parse("en").territories
    codes = [str(code) for code in lands if str(code).isalpha() and len(str(code)) == 2]
    return {of: fold(lands[code]) for code in codes for of in country_adjectives(code)}


_OLD_LANGUAGES = {
    "eng": "en", "deu": "de", "ger": "de", "fra": "fr", "fre": "fr", "spa": "es", "ita": "it", "por": "pt",
    "nld": "nl", "dut": "nl", "jpn": "ja", "zho": "zh", "chi": "zh", "kor": "ko", "rus": "ru", "pol": "pl",
    "swe": "sv", "dan": "da", "nor": "no", "fin": "fi", "ces": "cs", "cze": "cs", "ell": "el", "gre": "el",
    "ara": "ar", "heb": "he", "hin": "hi", "tur": "tr", "ukr": "uk", "hun": "hu", "ron": "ro", "rum": "ro",
}  # fmt: skip
"""Codes of three letters, ISO 639-2."""


def _two_letters(code: str) -> str | None:
    from babel.core import get_global

    if len(code) == 2:
        return code
    if code in _SPORTS:
        return _SPORTS[code]
    known = get_global("territory_aliases").get(code)
    return known[0] if known else None
