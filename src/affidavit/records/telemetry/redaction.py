"""Taking personal data out of a text before it leaves.

Found: e-mail addresses, phone numbers, payment cards, bank accounts (IBAN), US social security
numbers, IP addresses. Names of people are not found; where they must not leave, capture no content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.values.identifiers import find_addresses, find_codes

_DIGIT_GROUPS = re.compile(r"(?<![\w.-])\d+(?:[ -]\d+)*(?![\w-]|\.\d)")
_CARD_DIGITS = range(13, 20)
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)")
_SSN = re.compile(r"(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])")
_IPV4 = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\d)")
_IPV6 = re.compile(r"(?<![\w:])(?:[0-9a-f]{1,4}:){3,7}+(?::?[0-9a-f]++)*+(?![\w:])", re.I)
_DIALLED = re.compile(r"(?<![\w.+-])(?:\+|00)[1-9][\d\s()/.-]{6,18}\d(?!\w)")
"""Numbers with an international prefix, also those that no country could have given out."""

_PERSONAL = {"email": "e-mail", "phone": "phone"}


def redact(text: str) -> str:
    """The text with each personal datum replaced by what it was, in brackets: ``[e-mail]``."""
    parts, at = [], 0
    for start, end, what in sorted(_found(text)):
        if start >= at:
            parts += [text[at:start], f"[{what}]"]
        at = max(at, end)
    return "".join([*parts, text[at:]])


def _found(text: str) -> Iterator[tuple[int, int, str]]:
    for value in (*find_addresses(text), *find_codes(text)):
        if value.kind in _PERSONAL:
            yield value.start, value.end, _PERSONAL[value.kind]
    for start, end in _cards(text):
        yield start, end, "card"
    for match in _IBAN.finditer(text):
        if _mod_97(match[0].replace(" ", "")):
            yield match.start(), match.end(), "bank account"
    for what, pattern in (("ssn", _SSN), ("ip", _IPV6), ("phone", _DIALLED)):
        for match in pattern.finditer(text):
            yield match.start(), match.end(), what
    for match in _IPV4.finditer(text):
        if all(int(part) < 256 for part in match[0].split(".")):
            yield match.start(), match.end(), "ip"


def _cards(text: str) -> Iterator[tuple[int, int]]:
    """Groups of digits that make a card's number together; others may stand around them."""
    for match in _DIGIT_GROUPS.finditer(text):
        if len(match[0]) < _CARD_DIGITS.start:
            continue
        groups = [(g.start(), g.end()) for g in re.finditer(r"\d+", match[0])]
        for i, (start, _) in enumerate(groups):
            for _, end in groups[i : i + 6]:
                digits = re.sub(r"\D", "", match[0][start:end])
                if len(digits) in _CARD_DIGITS and _luhn(digits):
                    yield match.start() + start, match.start() + end


def _luhn(card: str) -> bool:
    """The check digit of payment cards (ISO/IEC 7812-1, annex B)."""
    digits = [int(sign) for sign in reversed(card)]
    doubled = (digit * 2 - 9 * (digit > 4) for digit in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0


def _mod_97(iban: str) -> bool:
    """The check digits of an IBAN (ISO 13616)."""
    return int("".join(str(int(sign, 36)) for sign in iban[4:] + iban[:4])) % 97 == 1
