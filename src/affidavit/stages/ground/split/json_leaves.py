"""JSON answers: one claim for each leaf, with its path and its place in the text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from json.decoder import scanstring  # type: ignore[attr-defined]

_BLANK = re.compile(r"[ \t\r\n]*")
_MAX_DEPTH = 60
_NAMING_KEYS = ("name", "title", "label", "id", "key", "code", "number")


@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar, or an empty list or object. ``start`` is that of its key, or of the outermost object or
    list it is the first leaf of, so that the name is judged with it. ``label`` names the leaf."""

    start: int
    end: int
    value_start: int
    path: tuple[str | int, ...]
    value: str | int | float | bool | list[object] | dict[str, object] | None
    label: str = ""
    owner: str = ""


def leaves(text: str, start: int, end: int) -> list[Leaf] | None:
    """The leaves of ``text[start:end]``, None if that is not one JSON object or list.

    Line breaks within strings are let pass, and so is an object whose last brackets were never written.
    """
    first = _blank(text, start)
    if first >= end or text[first] not in "{[":
        return None
    whole = text[:end] + _missing_brackets(text[first:end])
    try:
        document = json.loads(whole[first:], strict=False)
        found = list(_Scanner(whole).value(first, (), first))
    except (ValueError, RecursionError, IndexError):
        return None
    return [_named(replace(leaf, end=min(leaf.end, end)), document) for leaf in found]


_STRING = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.S)


def _missing_brackets(text: str) -> str:
    """What closes the brackets that are still open at the end of ``text``."""
    closers: list[str] = []
    if text[0] == "[":
        return ""  # "[1, 2" may be the marks of sources
    for bracket in re.findall(r"[][{}]", _STRING.sub("", text)):
        if bracket in "{[":
            closers.append("}" if bracket == "{" else "]")
        elif closers:
            closers.pop()
    return "".join(reversed(closers))


def raw_offsets(text: str, start: int, end: int) -> list[int]:
    """For each character of the JSON string at ``text[start:end]``, quotes included, where it is written;
    then where the closing quote is."""
    offsets = []
    i = start + 1
    while i < end - 1:
        offsets.append(i)
        if text[i] != "\\":
            i += 1
        elif text[i + 1] != "u":
            i += 2
        elif re.match(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]", text[i : i + 12]):
            i += 12  # a surrogate pair is one character
        else:
            i += 6
    return [*offsets, i]


class _Scanner:
    """Walks JSON that is known to be valid."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.end = 0

    def value(self, at: int, path: tuple[str | int, ...], claim_start: int) -> Iterator[Leaf]:
        """The leaves of the value at ``at``; leaves ``self.end`` behind it."""
        if len(path) > _MAX_DEPTH:
            raise RecursionError
        char = self.text[at]
        if char in "{[":
            yield from self._container(at, path, claim_start, is_object=char == "{")
            return
        if char == '"':
            value, self.end = scanstring(self.text, at + 1, False)
        else:
            m = re.compile(r"[^\s,\]}]+").match(self.text, at)
            assert m is not None
            value, self.end = json.loads(m[0]), m.end()
        yield Leaf(claim_start, self.end, at, path, value)

    def _container(
        self, at: int, path: tuple[str | int, ...], claim_start: int, *, is_object: bool
    ) -> Iterator[Leaf]:
        here = _blank(self.text, at + 1)
        if self.text[here] in "}]":
            self.end = here + 1
            yield Leaf(claim_start, self.end, at, path, {} if is_object else [])
            return
        n = 0
        while True:
            # The first leaf begins where its container does, unless that is the whole document.
            start = claim_start if n == 0 and path else here
            if is_object:
                key, here = scanstring(self.text, here + 1, False)
                here = _blank(self.text, _blank(self.text, here) + 1)
                yield from self.value(here, (*path, key), start)
            else:
                yield from self.value(here, (*path, n), start)
            here = _blank(self.text, self.end)
            n += 1
            if self.text[here] != ",":
                self.end = here + 1
                return
            here = _blank(self.text, here + 1)


def _blank(text: str, at: int) -> int:
    m = _BLANK.match(text, at)
    return m.end() if m else at


def _named(leaf: Leaf, document: object) -> Leaf:
    """``leaf`` with a label in words: "gateway status"; an item of a list goes by its name or number."""
    words: list[str] = []
    owners: list[str] = []
    here = document
    if name := _own_id(document, leaf.path):
        words.append(name)
        owners.append(name)
    for depth, step in enumerate(leaf.path):
        here = here[step]  # type: ignore[index]
        if isinstance(step, str):
            words.append(spoken(step))
            last = depth == len(leaf.path) - 1
            if not last and isinstance(here, dict | list):
                owners.append(spoken(step))
            if name := _own_id(here, leaf.path[depth + 1 :]):
                words.append(name)
                owners.append(name)
            continue
        name = _name_of(here, leaf.path[depth + 1 :])
        words.append(name or str(step + 1))
        if name:
            owners.append(name)
    return Leaf(
        leaf.start,
        leaf.end,
        leaf.value_start,
        leaf.path,
        leaf.value,
        " ".join(words),
        " ".join(owners),
    )


def _name_of(item: object, below: tuple[str | int, ...]) -> str:
    """What an item of a list is called, for its leaf ``below``. Of an item that has two sides, "from_item_id"
    and "to_item_id", what is said of one side is of the thing of that side: "to_price"."""
    if not isinstance(item, dict):
        return ""
    keys = [*(k for k in _NAMING_KEYS if k in item), *(k for k in item if str(k).endswith("_id"))]
    side = next((s for step in below if isinstance(step, str) and (s := _side(step))), None)
    if side is not None:
        keys.sort(key=lambda key: _side(str(key)) != side)
    for key in keys:
        if below[:1] != (key,) and isinstance(item[key], str | int) and str(item[key]).strip():
            return str(item[key])
    return ""


def _own_id(item: object, below: tuple[str | int, ...]) -> str:
    """What an object that opens with an id is called; what lies in objects below it may be of other things."""
    if not isinstance(item, dict) or not item or len(below) != 1:
        return ""
    first = next(iter(item))
    opens = first == "id" or str(first).endswith("_id") and _side(str(first)) is None
    return str(item[first]) if opens and below[0] != first and isinstance(item[first], str) else ""


_SIDES = (
    frozenset("from old original current previous existing before source initial replaced".split()),
    frozenset("to new replacement target after updated requested proposed received".split()),
)


def _side(key: str) -> int | None:
    """Which side of a change a key speaks of: what was (0) or what is to be (1)."""
    first = spoken(key).lower().split()[:1]
    return next((n for n, words in enumerate(_SIDES) if first and first[0] in words), None)


def spoken(key: str) -> str:
    """A key as words: ``issue_date`` and ``issueDate`` are "issue date"."""
    key = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", key)
    return re.sub(r"[_\s-]+", " ", key).strip() if re.fullmatch(r"[A-Za-z][\w\s-]*", key) else key
