"""How a value of each kind is found among what is known: written the same, written differently, as a
part of something, or composed of known parts."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qsl

from affidavit.stages.verify.edges import alone, free, prefixed, unprefixed, whole_name, whole_path
from affidavit.stages.verify.entity import Kind
from affidavit.stages.verify.fold import canonical_path, canonical_url, compact, digits, fold
from affidavit.stages.verify.known import KnownValues
from affidavit.stages.verify.personal import ways_of_writing, words_of_name
from affidavit.stages.verify.place import Place

_ATOM = re.compile(r"[a-z0-9]+|[^\W_a-z0-9]+")
_MOST_WORDS = 24
_MOST_STEPS = 32
_DIGITS = re.compile(r"\d{4,}")

Found = tuple[Place, str] | None


def verbatim(known: KnownValues, value: str, kind: Kind = "value") -> Found:
    place = known.find(fold(value), free if kind in ("id", "value") else whole_name)
    return (place, "seen") if place else None


def _known_url(known: KnownValues, value: str) -> Found:
    url = canonical_url(value)
    if url is None:
        return None
    whole = f"{url.place}?{url.query}" if url.query else url.place
    if place := known.url(whole):
        return place, "seen"
    if (place := known.url(url.place)) and url.query:
        return (
            (place, "known address, known parameters") if _plain_query(known, url.query) else None
        )
    return _composed_url(known, url.place)


def _plain_query(known: KnownValues, query: str) -> bool:
    """Whether parameters added to a known address are words and counts, or known."""
    for _, value in parse_qsl(query, keep_blank_values=True):
        coded = (any(c.isdigit() for c in value) and len(value) > 3) or "://" in value
        if coded and known.find(value, free) is None:
            return False
    return True


def _composed_url(known: KnownValues, place: str) -> Found:
    """A known address followed by a path that was returned by itself (``/docs/x``, ``x.html``), or
    by identifiers that are known (``/orders/`` + ``ORD-88213``)."""
    head, slash, tail = place.partition("/")
    while slash:
        base = known.url(head)
        if base is None:
            return None
        if relative := known.find("/" + tail, whole_path):
            return relative, "known path on a known host"
        segments = tail.split("/")
        if any(len(_ATOM.findall(s)) > 1 or _coded(s) for s in segments) and all(
            _known_segment(known, s) for s in segments
        ):
            return base, "known address with known identifiers"
        if "." in tail and (relative := known.find(tail, whole_path)):
            return relative, "known name under a known address"
        step, slash, tail = tail.partition("/")
        head = f"{head}/{step}"
    return None


def _known_segment(known: KnownValues, segment: str) -> bool:
    """A known identifier or slug, or a word of a template: ``/orders/{id}/items``."""
    if _coded(segment):
        return known.find(segment, free) is not None
    if len(_ATOM.findall(segment)) > 1 and known.find(segment, whole_path):
        return True
    return known.find("/" + segment, whole_path) is not None


def _known_path(known: KnownValues, value: str) -> Found:
    path = canonical_path(value)
    if place := known.path(path) or known.find(path, whole_name):
        return place, "seen"
    return _composed_path(known, path)


def _composed_path(known: KnownValues, path: str) -> Found:
    """A known folder followed by names that were listed by themselves: ``src`` + ``main.py``, also
    down a tree, folder by folder."""
    root, steps = path[: len(path) - len(path.lstrip("/"))], path.strip("/").split("/")
    if len(steps) > _MOST_STEPS:
        return None
    listed: Place | None = None
    reached: list[int] = []
    for end in range(1, len(steps) + 1):
        folder = root + "/".join(steps[:end])
        names = (known.find("/".join(steps[start:end]), whole_path) for start in reached)
        listed = next((place for place in names if place), None)
        if listed or known.path(folder) or known.find(folder, whole_name):
            reached.append(end)
    return (listed, "known name in a known folder") if listed else None


def _known_id(known: KnownValues, value: str) -> Found:
    folded = fold(value).strip("\"'`")
    edges = alone if folded.isdigit() and len(folded) <= 3 else free
    bare = folded.lstrip("#@")
    for text in (folded, bare) if bare != folded else (folded,):
        if place := known.find(text, edges):
            return place, "seen"
    if len(joined := compact(folded)) >= 4 and (
        place := known.compacted(joined) or known.find(joined, free)
    ):
        return place, "seen, written differently"
    if place := known.hash(folded):
        return place, "beginning of a known hash"
    if not any(c.isdigit() for c in folded):
        return _same_words(known, folded)
    return _number_from_user(known, folded)


def _same_words(known: KnownValues, folded: str) -> Found:
    """``acme-corp`` where the user wrote "Acme Corp"."""
    atoms = _ATOM.findall(folded)
    if not 2 <= len(atoms) <= _MOST_WORDS:
        return None
    pattern = re.compile(r"[\W_]{1,3}".join(map(re.escape, atoms)))
    place = next(known.search(atoms, pattern), None)
    return (place, "seen, written differently") if place else None


def _number_from_user(known: KnownValues, folded: str) -> Found:
    """``ORD-88213`` where the user said "order 88213": the rest is how the tool writes its numbers.
    Only a number that stood alone: ``gift_card_2378156`` does not supply ``paypal_2378156``."""
    numbers = _DIGITS.findall(folded)
    if len(numbers) != 1 or len(digits(folded)) != len(numbers[0]):
        return None
    place = known.find(numbers[0], unprefixed)
    if known.find(numbers[0], prefixed):  # its code is known, and it is not this one
        return None
    if place is None or known.speaker(place).kind not in ("user", "system"):
        return None
    return place, "number given by the user"


def _known_phone(known: KnownValues, value: str) -> Found:
    number = digits(value)
    place = known.phone(number) or known.find(number, free)
    return (place, "seen") if place else None


def _known_email(known: KnownValues, value: str) -> Found:
    folded = fold(value).removeprefix("mailto:")
    if place := known.find(folded, whole_name):
        return place, "seen"
    spoken = folded.replace("@", " at ").replace(".", " dot ")
    place = known.find(spoken, free) or known.find(folded.replace("@", "%40"), free)
    return (place, "seen, written differently") if place else None


def _known_date(known: KnownValues, value: str) -> Found:
    pattern = ways_of_writing(value)
    place = known.scan(pattern) if pattern is not None else None
    return (place, "seen, written differently") if place else None


def _known_person(known: KnownValues, value: str) -> Found:
    """A name of which any word was said, in full or in short."""
    places = (known.named(word) for word in words_of_name(value))
    place = next((place for place in places if place), None)
    return (place, "a name that was said") if place else None


FINDERS: dict[Kind, Callable[[KnownValues, str], Found]] = {
    "url": _known_url,
    "email": _known_email,
    "phone": _known_phone,
    "handle": _known_id,
    "path": _known_path,
    "id": _known_id,
    "value": _known_id,
    "date": _known_date,
    "person": _known_person,
}


def _coded(segment: str) -> bool:
    return any(c.isdigit() for c in segment)
