"""Identifiers, addresses on the web and in files, phone numbers, versions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.language import language_of
from affidavit.ledger.values.cued import Cued
from affidavit.ledger.values.currencies import CODES
from affidavit.ledger.values.text import squeeze
from affidavit.ledger.values.value import Value, ValueKind

_URL = re.compile(r"\b(?:https?|ftp|wss?|s3|postgres(?:ql)?|mailto)://[^\s<>\"'`“”«»]+", re.I)
_EMAIL = re.compile(r"(?<![\w.+*-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_HOST = re.compile(
    r"(?<![\w@./-])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+"
    r"(?:com|org|net|io|dev|app|ai|co|eu|de|fr|es|it|nl|pt|uk|gov|edu|example|info|local)"
    r"(?![\w@])(?![\w.-]{0,80}\w\()(?:/[^\s<>\"'`):]*)?(?![\w@])"
)
_HANDLE = re.compile(r"(?<![\w./@])@[A-Za-z0-9_](?:[\w.-]*[\w])?")
_EXTENSIONS = (
    "py pyi js mjs cjs ts tsx jsx json jsonl yaml yml toml ini cfg conf env md rst txt log csv tsv "
    "xml html css scss sql sh go rs java kt c h cc cpp hpp cs rb php swift lock pdf docx xlsx pptx "
    "png jpg jpeg svg gif zip gz tar parquet ipynb proto tf"
).replace(" ", "|")
# Nothing begins within what looks like a path, not even behind "-": a long one would be read again from each place.
_PATH = re.compile(
    r"(?<![\w/.:@<+-])(?:~/|\.{1,2}/|/(?=[A-Za-z_.]))?(?:[\w.@+-]+/)*(?:[\w@+-]|\.(?=\w))+/?"
)
_PATHISH = re.compile(r"(?<![^\s/.])[^\s/.]*+[/.]\w\S*")
_PATH_LIKE = re.compile(rf"(?:.*\.(?:{_EXTENSIONS})|(?:~|\.{{1,2}})?/[^A-Za-z\n]*[A-Za-z].*)")
_WINDOWS = re.compile(r"\b[A-Z]:\\(?!n\b)[^\s\"'<>|]+")
_ROOTS = frozenset(
    "src app apps lib libs test tests docs pkg cmd internal packages modules usr etc home var opt "
    "tmp bin build dist config scripts public static node_modules site-packages".split()
)
_NOT_PATH = re.compile(r"(?:and/or|he/she|n/a|w/o|\w{1,3}/\w{1,3})", re.I)
_VERSION = re.compile(
    r"(?<![\w.,/-])(?:v\d+(?:\.\d+)*|\d+(?:\.\d+){2,})(?:[-+][A-Za-z][\w.]*)?(?![\w]|[.,]\d)"
)
# A version behind the name of what it is of, with nothing but a mark between: "TLSv1.2", "Python3.11",
# "HTTP/2.0", "python-3.12.1". Not a price ("EUR45.50"), nor a letter and a number ("f/2.8", "R2.5").
_PRODUCT_VERSION = re.compile(
    r"(?<![\w.@/:#-])(?P<product>[A-Za-z][A-Za-z+]{1,40}(?:-[A-Za-z]+)*)[-_/]?v?(?P<v>\d{1,4}(?:\.\d{1,4})+)(?![\w%-]|\.\d)"
)
_DOI = re.compile(r"(?<![\w.])10\.\d{4,9}/[^\s\"<>]+")
_IP = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_PHONE = re.compile(r"(?<![\w.,/-])(?:\+|\(|00)?\d[\d\s().\u00a0/-]{6,20}\d(?!\w)")
_PHONE_CUE = re.compile(
    r"\b(?:phone|tel|telephone|mobile|fax|call|hotline|dial|text|sms|Telefon|Tel|teléfono|"
    r"téléphone|telefono|telefone)\b[^.\n]{0,24}$",
    re.I,
)
_NORTH_AMERICAN = re.compile(r"(?:\(\d{3}\)\s?|\d{3}[-. ])\d{3}[-. ]\d{4}")
_TOKEN = re.compile(r"(?<![\w.@-])(?<!\d,)#?[A-Za-z0-9](?:\w|[-#](?=\w))*(?!\w)")
_DIGITS_ONLY = re.compile(r"#?\d+(?:[-]\d+)*")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s|er|ème|e|º|x)", re.I)
_AGED = re.compile(r"(?:under|over)-\d{1,2}s?", re.I)  # the people of an age
_COUNTED = re.compile(r"\d+-[A-Za-z]{3,}(?:-[A-Za-z]+)*")
_CUE = re.compile(
    r"\b(?:order|account|acct|ticket|invoice|booking|reservation|confirmation|tracking|reference|"
    r"ref|case|customer|employee|serial|part|item|product|id|code|locator|pnr|number|no|nr|num|"
    r"bestellung|rechnung|pedido|localizador|código|commande|ordine|factura)\b\.?"
    r"(?:\s(?:number|no\.?|nr\.?|id|code|is|ist|es|n°|nº))?[\s:#]{1,3}$",
    re.I,
)
_ENDING = re.compile(
    r"(?:\b(?:ending|ends|ended) (?:in|with)|\bendet auf|\bendend auf|terminad[ao] en|"
    r"finissant par|se terminant par|che termina (?:in|con)|terminad[ao] em|eindigend op|"
    r"(?<![*•xX·.…])[*•xX·.…]{2,}+)[\s#-]*(?P<id>\d{2,6})(?!\w|[.,:]\d)",
    re.I,
)
_BOLD = re.compile(r"\*\*\d")
_ENDING_HINT = re.compile(r"nd(?:s|ed|ing|et|end)|ermina|iniss|indig|[*•xX·.…]{2}")
# "The 95th percentile" is the name of a figure, and no 95. So is "p95", which is read as a code.
_PERCENTILE = Cued(
    re.compile(
        r"(?<![\w.,])(?P<n>\d{1,2}(?:\.\d{1,2})?)(?:st|nd|rd|th|\.|º|ª|e|er)?[\s-]"
        r"(?:percentiles?|per cent quantiles?|Perzentile?n?|percentil|centile|percentile)(?!\w)"
        r"|(?<!\w)percentile\s(?P<m>\d{1,2}(?:\.\d{1,2})?)(?!\w)",
        re.I,
    ),
    "zentil", "centil", "quantile",
)  # fmt: skip
_WEEK_OF = Cued(
    re.compile(
        r"\b(?:calendar\s)?(?:week|KW|CW|Kalenderwoche|semaine|semana|settimana)\s(?P<w>[0-5]?\d),?\s(?:(?:of|in|de|del|di)\s)?"
        r"(?P<y>20\d\d)(?!\w)",
        re.I,
    ),
    "week", "kw", "cw", "woche", "semaine", "semana", "settimana",
)  # fmt: skip
_PARTED = Cued(
    re.compile(r"\d(?:st|nd|rd|th)[\s-](?:quartile|quintile|tercile|tertile|decile)s?", re.I),
    "tile", "cile",
)  # fmt: skip
_CAPS_CODE = re.compile(r"[A-Z]{4,}")
_DIGIT = re.compile(r"\d")
_LETTERS = re.compile(r"[A-Za-z]")
_SNAKE = re.compile(r"_*+[A-Za-z](?=\w*_\w)\w++")
_CAPS_PARTS = re.compile(r"[A-Z]+(?:[-][A-Z]+){2,}")


def find_addresses(text: str) -> Iterator[Value]:
    """URLs, e-mail addresses and bare host names."""
    if "://" in text:
        for match in _URL.finditer(text):
            raw = _without_trailing(match[0])
            yield _value("url", raw, match.start(), normal_url(raw))
    if "@" in text:
        for match in _EMAIL.finditer(text):
            raw = match[0].rstrip(".-")
            yield _value("email", raw, match.start(), raw.casefold())
        for match in _HANDLE.finditer(text):
            yield _value("handle", match[0], match.start(), match[0].casefold())
    if "." in text:
        for match in _HOST.finditer(text):
            raw = _without_trailing(match[0])
            yield _value("url", raw, match.start(), normal_url(raw))


def find_paths(text: str) -> Iterator[Value]:
    if ":\\" in text:
        for match in _WINDOWS.finditer(text):
            raw = _without_trailing(match[0])
            yield _value("path", raw, match.start(), normal_path(raw))
    for chunk in _PATHISH.finditer(text) if "/" in text or "." in text else ():
        for match in _PATH.finditer(text, *chunk.span()):
            raw = match[0]
            if ("/" in raw or "." in raw) and _is_path(raw):
                yield _value("path", raw, match.start(), normal_path(raw))


def _is_path(raw: str) -> bool:
    if not _LETTERS.search(raw) or _NOT_PATH.fullmatch(raw):
        return False
    if _PATH_LIKE.fullmatch(raw):
        return len(raw) > 2
    # "i5/32GB/256GB" and "size/color/material" are lists.
    first, slash, rest = raw.partition("/")
    return bool(slash) and ("_" in raw or (first in _ROOTS and bool(rest)))


def find_codes(text: str) -> Iterator[Value]:
    """Versions, phone numbers and identifiers, wherever digits or joined capitals stand."""
    if _DIGIT.search(text):
        for match in _DOI.finditer(text) if "10." in text else ():
            raw = _without_trailing(match[0])
            yield _value("identifier", raw, match.start(), squeeze(raw))
        for match in _PERCENTILE.finditer(text):
            key = "p" + (match["n"] or match["m"]).replace(".", "")
            yield _value("identifier", match[0], match.start(), key)
        for match in _PARTED.finditer(text):
            yield _value("identifier", match[0], match.start(), squeeze(match[0]))
        yield from _endings(text)
        yield from _versions(text)
        yield from _phones(text)


def find_identifiers(text: str, taken: bytearray) -> Iterator[Value]:
    """Codes, and numbers that name something, outside the places already taken."""
    for match in _TOKEN.finditer(text):
        raw = match[0]
        if taken.find(1, *match.span()) < 0 and _is_identifier(text, raw, match.start()):
            yield _value("identifier", raw, match.start(), squeeze(raw))


def find_weeks(text: str) -> Iterator[Value]:
    """ "Week 11 of 2026", which is 2026-W11."""
    for match in _WEEK_OF.finditer(text):
        yield _value("identifier", match[0], match.start(), f"{match['y']}w{int(match['w']):02}")


def _is_identifier(text: str, raw: str, start: int) -> bool:
    if raw.isalpha() and not raw.isupper():
        return False  # a word, as most are
    if not _DIGIT.search(raw):
        return bool(_SNAKE.fullmatch(raw) or _CAPS_PARTS.fullmatch(raw)) or (
            bool(_CAPS_CODE.fullmatch(raw)) and bool(_CUE.search(text, max(0, start - 32), start))
        )
    if _DIGITS_ONLY.fullmatch(raw):
        return _is_numeric_code(text, raw, start)
    return not (
        _ORDINAL.fullmatch(raw)
        or _AGED.fullmatch(raw)
        or (_COUNTED.fullmatch(raw) and not raw[-1].isupper())
    )


def _is_numeric_code(text: str, raw: str, start: int) -> bool:
    """Digits that name something: long ones, joined ones that are no range, "#14", "order 4417"."""
    if raw[0] == "#" or (len(raw) > 1 and raw[0] == "0"):
        return True
    after = text[start + len(raw) : start + len(raw) + 2]
    if after[:1] in ",." and after[1:].isdigit():
        return False
    groups = raw.split("-")
    if len(groups) == 1:
        return len(raw) >= 7 or (
            len(raw) >= 3 and bool(_CUE.search(text, max(0, start - 32), start))
        )
    if len(groups) > 2 or any(len(group) >= 5 for group in groups) or groups[1][0] == "0":
        return True
    if _CUE.search(text, max(0, start - 32), start):
        return True
    # "77-91" is a range of pages, "8841-20" an order number.
    return int(groups[0]) >= int(groups[1])


def _endings(text: str) -> Iterator[Value]:
    if not _ENDING_HINT.search(text):
        return
    for match in _ENDING.finditer(text):
        if _BOLD.match(match[0]) and "**" in text[match.end() :].partition("\n")[0]:
            continue  # "**566 ppm**" is written in bold, "**4417" hides what comes before
        yield _value("identifier", match["id"], match.start("id"), "*" + match["id"])


def _versions(text: str) -> Iterator[Value]:
    for match in _PRODUCT_VERSION.finditer(text) if "." in text else ():
        if match["product"].upper() not in CODES and not _NUMBERED.fullmatch(match["product"]):
            yield _value("version", match[0], match.start(), match["v"])
    for match in _VERSION.finditer(text):
        raw = match[0]
        if re.fullmatch(r"\d{1,3}(?:\.\d{3})+", raw) and language_of(text) != "en":
            continue  # 1.250.400 on the Continent
        kind: ValueKind = "identifier" if _IP.fullmatch(raw) else "version"
        yield _value(kind, raw, match.start(), normal_version(raw))


def product_of(value: Value) -> str:
    """What a version is of, where that is written in one with it: "tls" for "TLSv1.2", else ""."""
    match = _PRODUCT_VERSION.match(value.text) if value.kind == "version" else None
    return _WITHOUT_V.sub("", match["product"].casefold()) if match else ""


_WITHOUT_V = re.compile(r"(?<=[a-z]{2})v$|-v$")


# "sec3.4" and "fig2.1" are places in a text, "ca.5.2" and "min2.5" amounts.
_NUMBERED = re.compile(
    r"(?:sec|section|fig|figure|eq|tab|table|ch|chap|art|par|no|nr|ca|min|max|avg|from|to|x)", re.I
)


def _phones(text: str) -> Iterator[Value]:
    for match in _PHONE.finditer(text):
        raw = match[0].rstrip(" (-/.")
        digits = re.sub(r"\D", "", raw)
        if not 7 <= len(digits) <= 15 or raw.count(")") != raw.count("("):
            continue
        if raw[0] == "+":
            if not _is_phone(raw):
                continue
        elif not _NORTH_AMERICAN.fullmatch(raw) and not (
            _PHONE_CUE.search(text, max(0, match.start() - 32), match.start())
        ):
            continue
        yield _value("phone", raw, match.start(), digits)


def _is_phone(raw: str) -> bool:
    import phonenumbers  # its metadata is large, and few texts have a number

    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(raw, None))
    except phonenumbers.NumberParseException:
        return False


def normal_url(raw: str) -> str:
    """Host in lower case, without scheme, default port, "www." and a last slash."""
    rest = re.sub(r"^[a-z][a-z0-9+.-]*://", "", raw, flags=re.I)
    host, slash, path = rest.partition("/")
    host = re.sub(r":(?:80|443)$", "", host.casefold())
    return (host.removeprefix("www.") + slash + path).rstrip("/")


def normal_path(raw: str) -> str:
    return raw.replace("\\", "/").removeprefix("./").rstrip("/")


def normal_version(raw: str) -> str:
    return raw.casefold().removeprefix("v")


def _without_trailing(raw: str) -> str:
    """Without the sentence's own marks: "(see https://a.example/x)." """
    while raw and (
        raw[-1] in ".,;:!?*_'\"" or (raw[-1] in ")]}" and raw.count(")") > raw.count("("))
    ):
        raw = raw[:-1]
    return raw


def _value(kind: ValueKind, raw: str, start: int, key: str) -> Value:
    return Value(kind, raw, start, start + len(raw), key=key)
