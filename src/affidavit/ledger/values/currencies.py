"""Currency codes, signs and words."""

from __future__ import annotations

import re
from functools import cache

CODES = frozenset(
    "USD EUR GBP JPY CHF CAD AUD NZD CNY HKD SGD SEK NOK DKK ISK PLN CZK HUF RON BGN TRY RUB UAH "
    "INR IDR MYR THB PHP VND KRW TWD BRL MXN ARS CLP COP PEN ZAR EGP NGN KES MAD ILS AED SAR QAR "
    "KWD BHD PKR BDT LKR".split()
)
"""Codes read beside a number. Not all of ISO 4217: ALL, TOP and CUP are English words."""

DECIMALS = dict.fromkeys("JPY KRW VND CLP ISK".split(), 0) | {"KWD": 3, "BHD": 3}
"""Digits of the minor unit, where it is not 2."""

SIGNS = {
    "US$": "USD", "CA$": "CAD", "C$": "CAD", "A$": "AUD", "AU$": "AUD", "NZ$": "NZD",
    "HK$": "HKD", "S$": "SGD", "R$": "BRL", "MX$": "MXN", "NT$": "TWD",
    "$": "$", "€": "EUR", "£": "GBP", "¥": "¥", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY",
    "₴": "UAH", "₪": "ILS", "₫": "VND", "฿": "THB", "₱": "PHP", "₦": "NGN", "zł": "PLN",
    "Kč": "CZK", "Ft": "HUF", "Fr.": "CHF", "kr.": "kr", "kr": "kr", "Rs.": "INR", "Rp": "IDR",
}  # fmt: skip

# Not "pounds", which are as often a weight: they are counted like any noun.
WORDS = {
    "dollar": "$", "dollars": "$", "dólares": "$", "dolares": "$", "peso": "$", "pesos": "$",
    "euro": "EUR", "euros": "EUR", "quid": "GBP", "yen": "JPY",
    "yuan": "CNY", "franc": "CHF", "francs": "CHF", "franken": "CHF", "rupee": "INR",
    "rupees": "INR", "kronor": "SEK", "kroner": "kr", "krone": "kr", "złoty": "PLN",
    "zloty": "PLN", "reais": "BRL", "bucks": "$", "lira": "TRY", "rand": "ZAR",
}  # fmt: skip

MINOR_WORDS = {
    "cent": "", "cents": "", "¢": "", "ct": "", "céntimos": "EUR", "centimes": "EUR",
    "centesimi": "EUR", "cêntimos": "EUR", "pence": "GBP", "penny": "GBP", "p": "GBP",
    "øre": "kr", "öre": "kr",
}  # fmt: skip

FAMILIES = {
    "$": frozenset("USD CAD AUD NZD HKD SGD TWD MXN ARS CLP COP".split()),
    "kr": frozenset("SEK NOK DKK ISK".split()),
    "¥": frozenset("JPY CNY".split()),
}
"""What a sign without a country may stand for."""


@cache
def currency_names() -> re.Pattern[str]:
    """The full names of currencies in English, "Swiss francs", each as a group of its code; with the space
    before it."""
    from babel.numbers import get_currency_name

    ways = []
    for code in sorted(CODES):
        names = {get_currency_name(code, count=n, locale="en") for n in (1, 2)}
        names |= {name.replace("US ", "American ") for name in names}
        alike = "|".join(
            re.escape(name) for name in sorted(names, key=len, reverse=True) if " " in name
        )
        if alike:
            ways.append(f"(?P<{code}>{alike})")
    more = r"(?P<GBP2>pounds? sterling|sterling)"
    return re.compile(rf"[\s-](?:{'|'.join(ways)}|{more})s?(?!\w)", re.I)


def named_currency(text: str, at: int) -> tuple[str, int] | None:
    """The code of a currency whose full name stands at a place of a text, and where it ends."""
    if not text[at : at + 1].isspace() or not text[at + 1 : at + 2].isalpha():
        return None
    match = currency_names().match(text, at)
    return (str(match.lastgroup)[:3], match.end()) if match else None


def same_currency(a: str, b: str) -> bool:
    """Whether two units of money may be the same currency; "" is one that nobody named."""
    return not a or not b or a == b or b in FAMILIES.get(a, ()) or a in FAMILIES.get(b, ())


def minor_digits(code: str) -> int:
    return DECIMALS.get(code, 2)
