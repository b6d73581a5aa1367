"""The sources that a claim says it has its facts from: by marker, "[2]", or in words, "according to the price list"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import fold
from affidavit.stages.ground.linking.evidence import Evidence
from affidavit.stages.ground.linking.sources import (
    Document,
    Place,
    Sources,
    numbers_between,
    places,
    sources_of,
)

_NUMBER = re.compile(r"(\d+)(?:\s*[-–]\s*(\d+))?")
_NAME = r"(?P<name>(?:[^,;:()\[\]\n.!?]|[.!?](?=[^\s)*_\"”]))+)"
_GIVEN = re.compile(
    rf"\b(?:(?P<sure>according to|as \w+ (?:in|by)|source:)|based on|per)\s+{_NAME}", re.IGNORECASE
)
"""Words that give a source, and what stands for it. Behind the ``sure`` ones stands nothing else."""
_SAYS = re.compile(
    r"^\W*+(?P<name>[^,;:()\[\]\n]*?[^,;:()\[\]\s])\s++(?:(?:also|only|itself)\s+)?"
    r"(?:says?|states?|notes?|mentions?|specif(?:y|ies)|reports?|lists?|describes?|confirms?)\b",
    re.IGNORECASE,
)
_LEADING = re.compile(r"^(?:(?:the|our|your|this|its|their)\s+)?(?:[\"“'`*_]+)?", re.IGNORECASE)
_QUOTES = "\"“”'`*_ "
_WHERE: dict[Place, str] = {
    "page": r"\b(?:pages?|pp?\.|pg\.?)\s*(\d{1,4}(?:\s*[-–]\s*\d{1,4})?)",
    "section": r"(?:\b(?:section|sec\.|clause|article|art\.)\s*|§\s*)(\d+(?:\.\d+)*)",
    "version": r"\b(?:version\s+|v\.?\s?)(\d+(?:\.\d+)*)",
}
_ANY = "|".join(pattern.replace("(\\d", "(?:\\d") for pattern in _WHERE.values())
_BEHIND = re.compile(rf"(?:[\s,;(\[]*(?:{_ANY})[\s)\]]*)+", re.IGNORECASE)
"""Places in a source, right behind its name: ", page 8", "(v2, section 5.2)"."""
_ASIDE = re.compile(rf"\((?=[^()]*+\))(?:[^()]*?[^\w()])?(?:{_ANY})[^()]*\)", re.IGNORECASE)
_NAMED_ASIDE = re.compile(
    rf"\((?=[^()]*+\))(?P<name>[^(),;]+)[,;]\s*(?P<where>(?:{_ANY})[^()]*)\)", re.IGNORECASE
)
_PROPER = re.compile(r"[^\W\d_]*(?:[A-ZÀ-Þ]|\d|[_-][^\W_])[\w-]*")
"""Words that name one thing: capitals, digits, codes."""
_LEAD_WORDS, _LONGEST = 2, 12


@dataclass(frozen=True)
class Attribution:
    """The sources that a claim gives. ``lines`` are what of them was retrieved, ``faults`` say what was not."""

    markers: tuple[str, ...] = ()
    """The numbers it gives."""
    documents: tuple[Document, ...] = ()
    """The sources it gives in words."""
    lines: tuple[Passage, ...] = ()
    faults: tuple[str, ...] = ()
    rivals: tuple[Document, ...] = ()
    """The sources it might have given instead of those in words."""
    said: str = ""
    """The words of the claim that give the sources."""
    apart: frozenset[int] = frozenset()
    """Lines, by identity, that are of other sources, and so cannot bear the claim out as it stands."""

    @cached_property
    def is_any(self) -> bool:
        return bool(self.markers or self.documents or self.faults or self.lines)


NONE = Attribution()


def attributed(text: str, lead: str, markers: Sequence[str], evidence: Evidence) -> Attribution:
    """The sources that a claim gives, by its ``markers`` and in its ``text``, or that its ``lead`` gives for it."""
    frames = list(_frames(text)) or list(_carried(lead))
    asides = [aside[0] for aside in _ASIDE.finditer(text)]
    if not (frames or markers or asides):
        return NONE
    sources = sources_of(evidence)
    numbers = [number for marker in markers for number in numbers_of(marker)]
    named, faults, said, where = _named(frames, sources, evidence)
    if not (named or faults or markers):
        return _by_place_alone(asides, sources)
    where = [*where, *asides, *_behind_markers(text, markers)]
    lines = [line for document in named for line in document.lines]
    lines += [line for number in numbers for line in sources.by_number.get(number, ())]
    versions = {document.version for document in named} - {""}
    kept, missing = _at_places(lines, where, versions, " and ".join([*said, *markers]))
    silent = [f"{one.title} returned nothing" for one in named if not one.lines]
    faults += [*missing, *silent]
    rivals = sources.besides(named) if named else ()
    return Attribution(
        tuple(numbers), named, tuple(kept), tuple(faults), rivals, " ".join(said),
        _apart(kept, named, numbers, faults, rivals, sources),
    )  # fmt: skip


def numbers_of(marker: str) -> list[str]:
    """The sources that a marker names: ``[2]``, ``[1, 3]``, ``[1-3]``."""
    return [n for first, last in _NUMBER.findall(marker) for n in numbers_between(first, last)]


@dataclass(frozen=True, slots=True)
class _Frame:
    """Words that may name a source, and the places in it that stand with them."""

    name: str
    where: str
    whole: bool = False
    """Whether all of the words must be its name."""
    sure: bool = False


def _frames(text: str) -> Iterator[_Frame]:
    for found in _GIVEN.finditer(text):
        behind = _BEHIND.match(text, found.end())
        where = found["name"] + (f" {behind[0]}" if behind else "")
        yield _Frame(found["name"], where, sure=bool(found["sure"]))
    for found in _NAMED_ASIDE.finditer(text):
        yield _Frame(found["name"], found["where"], whole=True)
    said = _SAYS.match(text) or _SAYS.match(_ASIDE.sub("", text))
    if said is not None:
        yield _Frame(said["name"], said["name"], whole=True)


def _carried(lead: str) -> Iterator[_Frame]:
    """What a sentence or a list begins with holds for all of its statements: "According to X, A and B". What is named
    further on, "here is how it works according to X:", is not held against each of them."""
    begun = lead.lstrip(_QUOTES)
    if _GIVEN.match(begun) or _SAYS.match(begun):
        yield from _frames(begun)


def _named(
    frames: Sequence[_Frame], sources: Sources, evidence: Evidence
) -> tuple[tuple[Document, ...], list[str], list[str], list[str]]:
    """The sources that frames name, what they name that was not retrieved, and the words and places of both."""
    named: dict[int, Document] = {}
    faults: list[str] = []
    said: list[str] = []
    where: list[str] = []
    for frame in frames:
        found, words = _found(frame, sources)
        if found:
            named.update({id(one): one for one in found})
            said.append(words)
            where.append(frame.where.replace(words, " ", 1))
        elif frame.sure and (stranger := _stranger(frame.name, evidence)):
            faults.append(f"“{stranger}” was not retrieved")
            said.append(stranger)
    return tuple(named.values()), faults, said, where


def _found(frame: _Frame, sources: Sources) -> tuple[tuple[Document, ...], str]:
    """The sources that the words of a frame name, and which of them do."""
    name = frame.name.strip()
    bare = name[_LEADING.match(name).end() :] if name else ""  # type: ignore[union-attr]
    for tool, document in sources.tools.items():
        as_said = bare == name or not name.islower() or "`" in name
        # "the weather" is no tool of that name.
        if as_said and re.match(
            rf"[`\"“'*]*{re.escape(tool)}(?![\w-])", bare if "`" in name else name
        ):
            return (document,), tool
        if "_" in tool and re.match(rf"{re.escape(tool)}(?![\w-])", bare):
            return (document,), tool
    words = bare.split()[:_LONGEST]
    ends = [len(words)] if frame.whole else range(len(words), 0, -1)
    for first in range(min(_LEAD_WORDS, len(words)) + 1):
        for end in ends:
            said = " ".join(words[first:end]).strip(_QUOTES)
            if said and (found := sources.named(said)):
                return found, said
    return (), ""


def _stranger(name: str, evidence: Evidence) -> str:
    """The name where the run knows nothing of that name: a word of it that names one thing stands nowhere."""
    own = name[_LEADING.match(name).end() :].strip(_QUOTES)  # type: ignore[union-attr]
    proper: list[str] = []
    for word in own.split():
        if not _PROPER.match(word.strip(_QUOTES)) and proper:
            break
        proper.append(word)
    telling = [word for word in proper if _PROPER.match(word.strip(_QUOTES))]
    known = evidence.search.once("said anywhere", lambda: _said(evidence))
    strange = [
        w
        for w in telling
        if not set(fold(w.removesuffix("'s").removesuffix("’s")).split()) <= known
    ]
    return own if strange else ""


def _said(evidence: Evidence) -> frozenset[str]:
    lines = " ".join(fold(line.text) for line in evidence.lines)
    tools = " ".join(fold(tool.name) for tool in evidence.ledger.tools or ())
    return frozenset(f"{lines} {tools}".split())


def _behind_markers(text: str, markers: Sequence[str]) -> Iterator[str]:
    for marker in markers:
        at = text.find(marker)
        if at >= 0 and (behind := _BEHIND.match(text, at + len(marker))):
            yield behind[0]


def _wanted(where: Sequence[str]) -> dict[Place, set[str]]:
    found: dict[Place, set[str]] = {}
    for kind, pattern in _WHERE.items():
        for words in where:
            for said in re.findall(pattern, words, re.IGNORECASE):
                numbers = numbers_of(said) if kind == "page" else [said]
                found.setdefault(kind, set()).update(numbers)
    return found


def _at_places(
    lines: Sequence[Passage], where: Sequence[str], versions: set[str], name: str
) -> tuple[list[Passage], list[str]]:
    """The lines that are of the places that were given, and which places none of them is of. A source that tells no
    pages may be cited by any."""
    kept, faults = list(lines), []
    for kind, wanted in _wanted(where).items():
        told = {id(line): places(line, kind) for line in kept}
        known = frozenset().union(*told.values()) or (
            versions if kind == "version" else frozenset()
        )
        if not known:
            continue
        fits = [n for n in wanted if any(_same(n, other, kind) for other in known)]
        if fits:
            kept = [
                line
                for line in kept
                if not told[id(line)]
                or any(_same(n, o, kind) for n in wanted for o in told[id(line)])
            ]
        else:
            given, has = ", ".join(sorted(wanted)), ", ".join(sorted(known))
            faults.append(
                f"{kind} {given} of {name or 'a source'} was not retrieved; retrieved: {kind} {has}"
            )
            kept = []
    return kept, faults


def _same(one: str, other: str, kind: Place) -> bool:
    if kind == "page":
        return one == other
    # Section 5 holds 5.2, and version 2 may be 2.0.
    a, b = one.split("."), other.split(".")
    return a == b[: len(a)] or b == a[: len(b)]


def _by_place_alone(asides: Sequence[str], sources: Sources) -> Attribution:
    """ "(page 2)" with no source named: some document must have been retrieved from there."""
    lines = [line for document in sources.documents for line in document.lines]
    pages = [aside for aside in asides if "page" in _wanted([aside])]
    told = [line for line in lines if places(line, "page")]
    if not pages or not told:
        return NONE
    kept, faults = _at_places(told, pages, set(), "")
    own = frozenset(map(id, kept))
    given = tuple(document for document in sources.documents if own & document.ids)
    return Attribution(
        (), given, tuple(kept), tuple(faults), sources.besides(given), " ".join(pages),
        frozenset(map(id, lines)) - own,
    )  # fmt: skip


def _apart(
    kept: Sequence[Passage],
    named: Sequence[Document],
    numbers: Sequence[str],
    faults: Sequence[str],
    rivals: Sequence[Document],
    sources: Sources,
) -> frozenset[int]:
    others = [line for rival in rivals for line in rival.lines]
    others += [
        line for document in named for line in document.lines
    ]  # all but the place that is given
    if faults and not named:
        others += [line for document in sources.documents for line in document.lines]
    if numbers and sources.are_marked:
        others += [line for lines in sources.by_number.values() for line in lines]
    return frozenset(map(id, others)) - frozenset(map(id, kept))
