"""What the run has said so far, indexed so that one value is found in microseconds.

Entering what was said costs nothing. It is read when somebody asks or has the time (:meth:`KnownValues.read`), its
words first: most values stand somewhere as they are. Only for what does not are all URLs, paths and numbers told apart
that may be the same in another writing. A value is found where it stands with its edges free: ``88213`` in
``/orders/88213/items``, but not in ``9188213``.
"""

from __future__ import annotations

import re
import threading
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from pydantic import JsonValue

from affidavit.report import EvidenceSpan, SourceKind
from affidavit.stages.verify.edges import Edges
from affidavit.stages.verify.fold import canonical_path, canonical_url, compact, digits, fold
from affidavit.stages.verify.leaves import Leaf, Path, leaves_of, leaves_of_text
from affidavit.stages.verify.names import identifier_name
from affidavit.stages.verify.nearest import Candidates
from affidavit.stages.verify.personal import WORD, in_other_script, plainly, ways_of_calling
from affidavit.stages.verify.place import Place
from affidavit.stages.verify.schema_errors import pointer

# Letters of other scripts border on an identifier without a space: 订单ORD-88213的.
_ATOM = re.compile(r"[a-z0-9]+|[^\W_a-z0-9]+")
_CHUNK = re.compile(r"[^\s<>\"'`\[\]{}|,;]+")
_DOMAIN = re.compile(r"(?:[a-z0-9\-]+\.)+[a-z]{2,}(?::\d+)?(?:[/?#].*)?")
_EMAIL = re.compile(r"[^\s@<>(),;:\"]+@[^\s@<>(),;:\"]+\.[^\s@<>(),;:\"]+")
_PATHLIKE = re.compile(r"[~.]?/|.*\w/\w|.*\w\.[a-z][a-z0-9]{0,7}(?::\d+)*$")
_GROUPS = re.compile(r"\+?\(?\d[\d ().\-/]{4,}\d")
_SERIES = re.compile(r"(?<![a-z0-9])[a-z]{1,4} \d{2,}|[a-z]{2}\d{2}(?: [a-z0-9]{1,4}){2,8}")
_HAS_DIGIT = re.compile(r"\d")
_WHOLE_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_HASH = 7
_SHORT = 200
_LONG = 2048
_PHONE = 9  # digits that a number keeps whichever way its country is written


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who said it, and when."""

    kind: SourceKind
    message: int | None = None
    tool: str | None = None
    call_id: str | None = None


@dataclass(frozen=True, slots=True)
class _Said:
    """One thing that was said: its leaves, one a line, folded; and as they were."""

    speaker: Speaker
    text: str
    original: str
    starts: tuple[int, ...]
    paths: tuple[Path | None, ...]
    atoms: frozenset[str]


class KnownValues:
    """Everything a call may take its arguments from. May be read by one thread while others enter more."""

    def __init__(self) -> None:
        self._entered: deque[Callable[[], None]] = deque()
        self._reading = threading.RLock()
        self._told_apart = 0
        """How many of what was said have had their URLs, paths and numbers told apart."""
        self._said: list[_Said] = []
        self._holding: dict[str, list[int]] = {}
        self._urls: dict[str, Place] = {}
        self._paths: dict[str, Place] = {}
        self._compact: dict[str, Place] = {}
        self._phones: dict[str, Place] = {}
        self._hashes: dict[str, Place] = {}
        self._near = Candidates()

    def add_text(self, speaker: Speaker, text: str) -> None:
        """Enter a text; one that is JSON is read as what it holds."""
        self._entered.append(lambda: self._add(speaker, list(leaves_of_text(text))))

    def add_value(self, speaker: Speaker, value: JsonValue) -> None:
        """Enter structured content."""
        self._entered.append(lambda: self._add(speaker, list(leaves_of(value))))

    def read(self) -> None:
        """Read what was entered, and not only when it is first asked for."""
        if self._entered:
            with self._reading:
                while self._entered:
                    self._entered[0]()
                    self._entered.popleft()  # only now: who finds nothing waiting need not wait

    def _tell_apart(self) -> None:
        """Read what was entered, with everything that may be found in another writing."""
        self.read()
        if self._told_apart < len(self._said):
            with self._reading:
                for source in range(self._told_apart, len(self._said)):
                    self._read_values(source, self._said[source])
                    self._told_apart = source + 1

    @property
    def near(self) -> Candidates:
        """Values that one may have been meant for."""
        self._tell_apart()
        return self._near

    def find(self, folded: str, edges: Edges) -> Place | None:
        """The first place where ``folded`` stands with its edges free."""
        self.read()
        atoms = _ATOM.findall(folded)
        holding = [self._holding.get(atom) for atom in atoms]
        if not atoms or not all(holding):
            return None
        for at in min((h for h in holding if h), key=len):
            said = self._said[at]
            if not all(atom in said.atoms for atom in atoms):
                continue
            start = said.text.find(folded)
            while start >= 0:
                if edges(said.text, start, start + len(folded)):
                    return Place(at, start, start + len(folded))
                start = said.text.find(folded, start + 1)
        return None

    def search(self, atoms: Iterable[str], pattern: re.Pattern[str]) -> Iterator[Place]:
        """Places where ``pattern`` matches, in what holds all of ``atoms``."""
        self.read()
        holding = [self._holding.get(atom) for atom in atoms]
        if not holding or not all(holding):
            return
        for at in min((h for h in holding if h), key=len):
            for match in pattern.finditer(self._said[at].text):
                yield Place(at, match.start(), match.end())

    def scan(self, pattern: re.Pattern[str]) -> Place | None:
        """The first place where ``pattern`` matches, in all that was said: slow, for what is seldom asked."""
        self.read()
        for at, said in enumerate(self._said):
            if match := pattern.search(said.text):
                return Place(at, match.start(), match.end())
        return None

    def named(self, word: str) -> Place | None:
        """Where a word of a name, plainly written, was said first, whole or in short, however its accents are written."""
        self.read()
        pattern = ways_of_calling(word)
        for at, said in enumerate(self._said):
            if not pattern.search(plainly(said.text)):
                continue  # the places of a plain text are others: word by word, for one that has it
            for match in WORD.finditer(said.text):
                if pattern.search(plainly(match[0])):
                    return Place(at, match.start(), match.end())
        return None

    def in_other_script(self) -> bool:
        """Whether the user writes in letters that names have to be spelled anew from."""
        self.read()
        return any(s.speaker.kind == "user" and in_other_script(s.text) for s in self._said)

    def url(self, place: str) -> Place | None:
        """A known URL, or the beginning of one up to a ``/``, in canonical form."""
        self._tell_apart()
        return self._urls.get(place)

    def path(self, path: str) -> Place | None:
        self._tell_apart()
        return self._paths.get(path)

    def compacted(self, text: str) -> Place | None:
        self._tell_apart()
        return self._compact.get(text)

    def phone(self, number: str) -> Place | None:
        self._tell_apart()
        return self._phones.get(number[-_PHONE:])

    def hash(self, beginning: str) -> Place | None:
        """The hash that begins so: a commit is named by its first seven characters or more."""
        self._tell_apart()
        place = self._hashes.get(beginning[:_HASH])
        return place if place and fold(self.text_of(place)).startswith(beginning) else None

    def speaker(self, place: Place) -> Speaker:
        return self._said[place.source].speaker

    def text_of(self, place: Place) -> str:
        """The characters at a place, as they were written."""
        return self._said[place.source].original[place.start : place.end]

    def span(self, place: Place) -> EvidenceSpan:
        """A place as evidence: with a JSON Pointer, or with its characters."""
        said = self._said[place.source]
        leaf = bisect_right(said.starts, place.start) - 1
        start = said.starts[leaf]
        after = said.starts[leaf + 1] - 1 if leaf + 1 < len(said.starts) else len(said.original)
        path, text = said.paths[leaf], self.text_of(place)
        at = "" if path is None else pointer(path)
        if path is None:
            at = f"char={place.start - start},{place.end - start}"
        elif after - start <= _SHORT:
            text = said.original[start:after]
        return EvidenceSpan(
            source=said.speaker.kind,
            text=text,
            pointer=at,
            tool=said.speaker.tool,
            call_id=said.speaker.call_id,
            message=said.speaker.message,
        )

    def _add(self, speaker: Speaker, leaves: list[Leaf]) -> None:
        if not leaves:
            return
        starts, at = [], 0
        for _, leaf in leaves:
            starts.append(at)
            at += len(leaf) + 1
        original = "\n".join(leaf for _, leaf in leaves)
        text = fold(original)
        atoms = frozenset(_ATOM.findall(text))
        source = len(self._said)
        paths = tuple(path for path, _ in leaves)
        self._said.append(_Said(speaker, text, original, tuple(starts), paths, atoms))
        for atom in atoms:
            self._holding.setdefault(atom, []).append(source)

    def _read_values(self, source: int, said: _Said) -> None:
        named = cache(lambda key: identifier_name(str(key)))
        ends = (*(start - 1 for start in said.starts[1:]), len(said.text))
        for path, start, end in zip(said.paths, said.starts, ends, strict=True):
            if path and named(path[-1]) and said.original[start:end].isascii():
                self._near.add("id", said.text[start:end], Place(source, start, end))
        self._read_chunks(source, said.text)
        self._read_groups(source, said.text)

    def _read_chunks(self, source: int, text: str) -> None:
        seen: set[str] = set()
        for match in _CHUNK.finditer(text):
            if match[0] in seen:
                continue  # of what is said again, the first place counts
            seen.add(match[0])
            chunk = match[0].rstrip(".,:!?)*_").lstrip("(*")
            if len(chunk) > _LONG:  # an image, a key: found word for word, if ever
                continue
            start = match.start() + match[0].find(chunk)
            place = Place(source, start, start + len(chunk))
            if "://" in chunk or _DOMAIN.fullmatch(chunk):
                self._enter_url(chunk, place)
            elif "@" in chunk:
                if _EMAIL.fullmatch(chunk.removeprefix("mailto:")):
                    self._near.add("email", chunk, place)
                else:
                    self._near.add("handle", chunk, place)
                    self._enter_url(chunk, place)
            if "/" in chunk or "." in chunk:
                self._enter_path(chunk, place)
            if _HAS_DIGIT.search(chunk):
                self._enter_id(chunk, place)

    def _read_groups(self, source: int, text: str) -> None:
        """Numbers and codes written in groups: ``+1 (503) 555-0148``, ``W 2378156``, an IBAN."""
        for match in _GROUPS.finditer(text):
            place = Place(source, match.start(), match.end())
            number = digits(match[0])
            if len(number) >= 7:
                self._phones.setdefault(number[-_PHONE:], place)
                self._near.add("phone", number, place)
            self._compact.setdefault(compact(match[0]), place)
        for match in _SERIES.finditer(text):
            self._compact.setdefault(compact(match[0]), Place(source, match.start(), match.end()))

    def _enter_url(self, chunk: str, place: Place) -> None:
        url = canonical_url(chunk)
        if url is None or ("." not in url.host and not url.local and "://" not in chunk):
            return
        self._near.add("url", chunk, place)
        whole = f"{url.place}?{url.query}" if url.query else url.place
        beginning = url.place
        if url.query:
            self._urls.setdefault(whole, place)
        while beginning and beginning not in self._urls:
            self._urls[beginning] = place
            beginning = beginning.rpartition("/")[0]

    def _enter_path(self, chunk: str, place: Place) -> None:
        if ("://" in chunk and not chunk.startswith("file:")) or not _PATHLIKE.match(chunk):
            return
        self._near.add("path", chunk, place)
        path = canonical_path(chunk)
        while path and path not in self._paths and path not in ("/", "."):
            self._paths[path] = place
            path = path.rpartition("/")[0]

    def _enter_id(self, chunk: str, place: Place) -> None:
        if len(chunk) <= 80 and "://" not in chunk and "@" not in chunk:
            self._near.add("id", chunk, place)
            if _WHOLE_HASH.fullmatch(chunk):
                self._hashes.setdefault(chunk[:_HASH], place)
            bare = compact(chunk)
            if bare != chunk and len(bare) >= 4:
                self._compact.setdefault(bare, place)
