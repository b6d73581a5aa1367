"""Entities inside words: in a text that goes to somebody, in what is searched for, in a request."""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.stages.verify.entity import Entity
from affidavit.stages.verify.leaves import Path

EMAIL = re.compile(r"(?<![^\s@<>(),;:\"])[^\s@<>(),;:\"]++@[^\s@<>(),;:\"]+\.[^\s@<>(),;:\".]+")
_URL = re.compile(r"https?://[^\s<>\"'`\])}]+", re.I)
_EDGES = ".,;:!?*()[]{}<>\"'`“”‘’"
_CODE = re.compile(
    r"#?(?P<prefix>[A-Z]{2,6})-\d{3,}(?:-\d+)*|#[A-Z]{0,4}-?\d{4,}|[A-Z]{1,4}\d{6,}"
    r"|[a-z]{2,12}_\d{3,}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
)
_PATH = re.compile(r"(?:~|[A-Za-z]:)?(?:[/\\][\w.@+\-]+){2,}[/\\]?")
_MOST = 64
"""Words that are looked at: a text that is longer is a document."""

# What everybody may name without having been told: standards, advisories, product lines.
_OF_THE_WORLD = frozenset(
    "RFC ISO IEC IEEE PEP CVE CWE GHSA UTF SHA AES RSA RTX GTX DIN EN ASTM ANSI NIST PCI HTTP COVID SARS "
    "GPT USB DDR LTE ITU ECMA JSR XEP EIP BIP ERC IAS IFRS SAE MIL STD UL CE FIPS SOC FAA FDA EU CFR ASC "
    "NASA NGC HD HIP PMID DOI UN MH BA LH AF UA AA DL KL QF EK NH JL CX SQ".split()
)


def sent_words(path: Path, name: str, text: str) -> Iterator[Entity]:
    """URLs and addresses inside words that go to somebody: the reader will follow them. Numbers and
    codes inside words are left to the check of what is said."""
    for word in text.split():
        yield from _address(path, name, word)


def in_words(path: Path, name: str, text: str, *, paths: bool) -> Iterator[Entity]:
    """Codes, addresses and, with ``paths``, absolute paths inside words that say what to look for or do.

    Plain numbers are none ("orders over 10000"), nor are codes that everybody knows ("RFC-2616").
    """
    for word in text.split()[:_MOST]:
        if "://" in word or "@" in word:
            yield from _address(path, name, word)
            continue
        bare = word.strip(_EDGES).rpartition("=")[2].rpartition(":")[2].strip(_EDGES)
        if code := _CODE.fullmatch(bare):
            if code["prefix"] not in _OF_THE_WORLD:
                yield Entity(path, name, bare, "id")
        elif paths and _PATH.fullmatch(word.strip(_EDGES)):
            yield Entity(path, name, word.strip(_EDGES), "path")


def _address(path: Path, name: str, word: str) -> Iterator[Entity]:
    if "://" in word and (url := _URL.search(word)):
        yield Entity(path, name, url[0].rstrip(".,;:!?*_"), "url")
    elif "@" in word and len(word) < 320 and (address := EMAIL.search(word)):
        yield Entity(path, name, address[0].strip(".'*_"), "email")
