"""Normal forms: when two writings of a URL, a path or an identifier are the same value.

``fold`` keeps the length of its text, so that a place found in folded text is a place in the
original.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

_DASHES = "‐‑‒–—―−﹣－"
_QUOTES = "‘’‚‛′＇"
_SEPARATORS = re.compile(r"[\s\-_#./()+:]+")
_NOT_DIGITS = re.compile(r"\D+")
_SCHEME = re.compile(r"^[a-z][a-z0-9+.\-]*://", re.I)
_SCP = re.compile(r"^git@([\w.\-]+):([^\s:]+)$", re.I)
_DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}


class _Folds(dict[int, str]):
    """One character for one: compatibility forms, case, dashes and quotes. Filled as it is used."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        folded = unicodedata.normalize("NFKC", char).casefold()
        self[code] = (
            folded if len(folded) == 1 else char.lower() if len(char.lower()) == 1 else char
        )
        return self[code]


_FOLDS = _Folds({ord(c): "-" for c in _DASHES} | {ord(c): "'" for c in _QUOTES} | {92: "/"})


def fold(text: str) -> str:
    """Case, width, dashes and the direction of slashes removed; as long as ``text``."""
    return text.lower().replace("\\", "/") if text.isascii() else text.translate(_FOLDS)


def compact(folded: str) -> str:
    """An identifier without its separators: ``ord 88213``, ``#ord-88213`` → ``ord88213``."""
    return _SEPARATORS.sub("", folded)


def digits(text: str) -> str:
    return _NOT_DIGITS.sub("", unicodedata.normalize("NFKC", text))


class Url(NamedTuple):
    """A URL with what does not change its meaning taken off. ``place`` is host and path."""

    place: str
    query: str
    local: bool

    @property
    def host(self) -> str:
        return self.place.partition("/")[0]


def canonical_url(text: str) -> Url | None:
    """Scheme, ``www.``, default port, case of the host, percent-encoding and a last ``/`` do not
    matter. A fragment is a place within the same page, unless it is a route (``#/orders/7``)."""
    text = text.strip().strip("<>\"'`").rstrip(".,;:!?")
    if scp := _SCP.match(text):
        text = f"ssh://{scp[1]}/{scp[2]}"
    if not _SCHEME.match(text):
        text = "//" + text
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return None
    if not host:
        return None
    host = host.removeprefix("www.")
    if port and port != _DEFAULT_PORTS.get(parts.scheme.lower(), 80):
        host = f"{host}:{port}"
    path = fold(unquote(parts.path))
    if parts.fragment.startswith(("/", "!")):
        path = f"{path}#{fold(unquote(parts.fragment))}"
    path = re.sub(r"/{2,}", "/", path).rstrip("/").removesuffix(".git")
    name = host.partition(":")[0]
    local = name in ("localhost", "127.0.0.1", "0.0.0.0", "::1")
    return Url(fold(host) + path, fold(unquote(parts.query)), local)


def canonical_path(text: str) -> str:
    """``./a//b/../c.py`` → ``a/c.py``; a trailing slash and ``file://`` are taken off."""
    text = fold(unquote(text.strip().strip("\"'`"))).removeprefix("file://")
    if not text:
        return ""
    return posixpath.normpath(text).removeprefix("./")
