"""What becomes of each path of a model API: guarded, given back, passed on or refused.

Closed by default: a path that no table names is refused, because a new version of an API may answer
there with words of a model that nobody has checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal

from affidavit.runtimes.wire import Wire

Standing = Literal["guarded", "kept", "harmless", "refused", "unknown"]
"""``guarded``: a model's turn, which is checked. ``kept``: an answer that the API has stored; what was
let out of it is given back. ``harmless``: nothing that a model says. ``refused``: words of a model that
no check here can follow. ``unknown``: in no table, and refused as well."""

NO_TABLE = "this version does not know what it answers with"
WEBSOCKET = "websocket"
"""What a deployment lists in ``allow_unguarded`` to have connections go past the guard."""

_VERSION = re.compile(r"v\d++(?:(?:alpha|beta)\d*+)?")


@dataclass(frozen=True, slots=True)
class Route:
    """Where a request goes. ``id`` is that of the stored answer it asks for or deletes."""

    standing: Standing
    wire: Wire | None = None
    why: str = ""
    id: str | None = None
    framing: Literal["sse", "aws"] = "sse"
    """How a stream is cut into events: as server-sent ones, or in the frames of Amazon's APIs."""


@dataclass(frozen=True)
class Guarded:
    """A pattern of paths at whose end a model answers."""

    pattern: str
    wire: Callable[[], Wire]
    framing: Literal["sse", "aws"] = "sse"


@dataclass(frozen=True)
class Routes:
    """The paths of one API. Patterns are of what follows the version (``/v1/``): ``{}`` is one segment,
    a ``**`` at the end any number of them without a verb (``:generateContent``); before the path may stand
    a method.

    ``guarded`` is looked up by how a path ends, whatever stands before it; all else by the whole.
    """

    guarded: tuple[Guarded, ...]
    kept: Mapping[str, Callable[[], Wire]] = field(default_factory=dict)
    harmless: tuple[str, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)
    """By pattern, why."""
    error: Callable[[], Wire] | None = None
    """A wire format whose errors the API's clients understand."""

    def of(self, method: str, path: str, *, base: str = "") -> Route:
        """The route of a request, below the path ``base`` of its API's address."""
        segments = [segment for segment in path.split("/") if segment]
        if {".", ".."} & set(segments):
            return Route("unknown")  # a server may take it for another path
        whole = "/".join(segments)
        rest = below(whole, base)
        return self._listed(method, rest) or self._answering(method, whole) or Route("unknown")

    def _listed(self, method: str, rest: str) -> Route | None:
        for pattern, wire in self.kept.items():
            if found := _match(pattern, method, rest):
                return Route("kept", wire(), id=found.group(found.lastindex or 0))
        for pattern, why in self.refused.items():
            if _match(pattern, method, rest):
                return Route("refused", why=why)
        if any(_match(pattern, method, rest) for pattern in self.harmless):
            return Route("harmless")
        if method == "DELETE":  # what it takes away, it does not tell
            return Route("harmless", id=rest.rpartition("/")[2])
        return None

    def _answering(self, method: str, whole: str) -> Route | None:
        for guarded in self.guarded:
            if method == "POST" and _ends(guarded.pattern, whole):
                return Route("guarded", guarded.wire(), framing=guarded.framing)
        return None


def allowed(patterns: Iterable[str], path: str, base: str = "") -> bool:
    """Whether a deployment lets requests of ``path`` go past the guard. Its patterns may be whole paths or
    what follows the version, with ``*`` for anything."""
    whole = "/".join(filter(None, path.split("/")))
    names = (whole, below(whole, base))
    return any(fnmatchcase(name, pattern.strip("/")) for pattern in patterns for name in names)


def below(whole: str, base: str) -> str:
    """What follows the address of an API, its version and a deployment's name."""
    azure = "openai" in whole.split("/")[:-1]
    base = "/".join(filter(None, base.split("/")))
    if base and f"{whole}/".startswith(f"{base}/"):
        whole = whole[len(base) + 1 :]
    segments = whole.split("/")
    versions = [i for i, segment in enumerate(segments) if _VERSION.fullmatch(segment)]
    if versions:
        segments = segments[versions[0] + 1 :]
    elif "openai" in segments[:-1]:
        segments = segments[segments.index("openai") + 1 :]
    if azure and segments[0] == "deployments" and len(segments) > 2:
        segments = segments[2:]
    return "/".join(segments)


def _match(pattern: str, method: str, rest: str) -> re.Match[str] | None:
    wanted, _, path = pattern.rpartition(" ")
    if wanted and wanted != method:
        return None
    return re.fullmatch(_regex(path), rest)


def _ends(pattern: str, whole: str) -> bool:
    return re.search(f"(?:^|/){_regex(pattern)}$", whole) is not None


def _regex(pattern: str) -> str:
    regex = re.escape(pattern).replace(re.escape("{}"), "([^/]+)")
    return regex.replace(re.escape("/**"), "(?:/[^:]*)?")
