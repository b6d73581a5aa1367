"""Equality of identifiers, addresses, names and quoted words."""

from __future__ import annotations

import re

from affidavit.ledger.values.identifiers import product_of
from affidavit.ledger.values.match import Match
from affidavit.ledger.values.text import fold, singular, squeeze
from affidavit.ledger.values.value import Value

_CODES = frozenset({"identifier", "version", "phone"})
_WORDS = frozenset({"name", "quoted"})
_SHORTEST_TAIL = 7
_SHORTEST_HASH = 7
_HASH = re.compile(r"(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{7,}")
_ARTICLE = re.compile(r"(?:the|an?|der|die|das|les?|el|il|het)\s(?=\S{3})")


def compare_words(claim: Value, evidence: Value) -> Match:
    if claim.kind == evidence.kind == "version":
        return _versions(claim, evidence)
    if claim.text == evidence.text or (claim.key and claim.key == evidence.key):
        return "same"
    if "*" in claim.key[:1] + evidence.key[:1]:
        return _endings(claim, evidence)
    match claim.kind, evidence.kind:
        case "url", "url":
            return "same" if _same_url(claim.key, evidence.key) else "different"
        case "phone", "phone":
            return "same" if _same_phone(claim.key, evidence.key) else "different"
        case "path", "path":
            return "same" if _same_path(claim.key, evidence.key) else "different"
        case "email", "email":
            return "different"
    if squeeze(claim.text) and squeeze(claim.text) == squeeze(evidence.text):
        return "same"
    if claim.kind == "handle" or evidence.kind == "handle":
        equal = claim.key.removeprefix("@") == evidence.key.removeprefix("@")
        return "same" if equal else "incomparable"
    if evidence.kind in _WORDS:
        said = fold(claim.text)
        # A title is named with its article or without.
        if any(_contains(evidence.key, way) for way in (said, _titled(said))):
            return "same"
    if claim.kind == "name" and evidence.kind == "version":
        return "same" if claim.key == product_of(evidence) else "incomparable"
    if claim.kind == "name" and evidence.kind == "identifier" and len(claim.key) > 2:
        # Mia is in mia_garcia_4516, PayPal in paypal_3024827.
        return "same" if _contains(fold(evidence.text), claim.key) else "incomparable"
    if claim.kind == evidence.kind == "identifier" and (
        _is_tail(claim, evidence) or _is_short_hash(claim.key, evidence.key)
    ):
        return "same"
    if claim.kind in _WORDS and evidence.kind in ("url", "email", "path"):
        # "Karbon Analytics" and karbon-analytics.example
        squeezed = squeeze(claim.text)
        return (
            "same" if len(squeezed) > 4 and squeezed in squeeze(evidence.text) else ("incomparable")
        )
    alike = claim.kind == evidence.kind or {claim.kind, evidence.kind} <= _WORDS
    return "different" if alike else "incomparable"


def _titled(said: str) -> str:
    match = _ARTICLE.match(said)
    return said[match.end() :] if match else said


def is_hash(key: str) -> bool:
    """Whether a code is hexadecimal, with letters and digits, and long enough to be a hash."""
    return bool(_HASH.fullmatch(key))


def _is_short_hash(claim: str, evidence: str) -> bool:
    """ "9f3c1e7" for the whole hash of a commit."""
    long = is_hash(evidence) and evidence.startswith(claim)
    return long and len(claim) >= _SHORTEST_HASH and (len(evidence) >= 32 or is_hash(claim))


def _is_tail(claim: Value, evidence: Value) -> bool:
    """ "Gift card 3491931" for ``gift_card_3491931``: whole parts, and enough of them to tell."""
    telling = sum(c.isalnum() for c in claim.text) >= 5 and any(c.isdigit() for c in claim.text)
    return telling and _contains(fold(evidence.text), fold(claim.text))


def _endings(claim: Value, evidence: Value) -> Match:
    """ "Ending in 4417" and a number that does."""
    a, b = claim.key.removeprefix("*"), evidence.key.removeprefix("*")
    if a == b:
        return "same"
    ends = (claim.key[0] == "*" and b.endswith(a)) or (evidence.key[:1] == "*" and a.endswith(b))
    return "same" if ends and min(len(a), len(b)) >= 3 else "different"


def _same_url(a: str, b: str) -> bool:
    return a.split("#")[0].rstrip("/") == b.split("#")[0].rstrip("/")


def _same_phone(a: str, b: str) -> bool:
    """Equal digits, with or without the country's and the trunk's."""
    a, b = a.lstrip("0"), b.lstrip("0")
    short, long = sorted((a, b), key=len)
    return a == b or (len(short) >= _SHORTEST_TAIL and long.endswith(short) and len(long) < 16)


def _same_path(a: str, b: str) -> bool:
    """Equal, or one the end of the other at a folder: "hash.py" and "src/auth/hash.py"."""
    short, long = sorted((a.lstrip("/"), b.lstrip("/")), key=len)
    return short == long or long.endswith("/" + short)


def _versions(claim: Value, evidence: Value) -> Match:
    """Equal, or the first parts of it; "SMBv3.0" is no "TLSv3.0", and says no less than "3.0"."""
    said, held = product_of(claim), product_of(evidence)
    if said and held and said != held:
        return "different"
    a, b = claim.key.split("."), evidence.key.split(".")
    while a and a[-1] == "0":
        a.pop()
    while b and b[-1] == "0":
        b.pop()
    if a == b:
        return "same"
    return "rounded" if a and a == b[: len(a)] else "different"


def _contains(evidence: str, claim: str) -> bool:
    """Whether the claim's words stand together in the evidence's, singular or plural."""
    wanted = [singular(word) for word in claim.split()]
    words = [singular(word) for word in evidence.split()]
    if not wanted or len(wanted) > len(words):
        return False
    return any(words[i : i + len(wanted)] == wanted for i in range(len(words) - len(wanted) + 1))
