"""Which argument values stand for one existing thing, and so must have come from somewhere.

The format of the value decides first (a URL is a URL under any name), then the name of the argument,
then both together. What the model words, counts, dates or names anew is not an entity.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

from pydantic import JsonValue

from affidavit.stages.verify import names, personal
from affidavit.stages.verify.annotations import Annotation, Annotations
from affidavit.stages.verify.entity import Entity, Kind
from affidavit.stages.verify.inner import EMAIL, in_words, sent_words
from affidavit.stages.verify.leaves import Path

_URL = re.compile(r"[a-z][a-z0-9+.\-]*://\S+|git@[\w.\-]+:\S+", re.I)
_LOCAL = re.compile(r"(?:\w+://)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?![\w.\-])", re.I)
_BARE_URL = re.compile(r"(?:[a-z0-9\-]+\.)+[a-z]{2,}(?::\d+)?(?:[/?#]\S*)?", re.I)
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.I)
_PHONE = re.compile(r"(?:tel:)?\+?[\d\s().\-/]{7,20}")
_FULL_PHONE = re.compile(r"(?:tel:)?\+\d[\d\s().\-]{6,18}\d")
_IPV4 = re.compile(r"(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?")
_HANDLE = re.compile(r"@[\w.\-]{2,}")
_PATH = re.compile(
    r"(?:\.{0,2}|~|[A-Za-z]:)[/\\][^\s/\\]\S*|[\w.@+\-]+(?:[/\\][\w.@+\-]+)*[/\\][\w@+\-.]*\w\.[A-Za-z][A-Za-z0-9]{0,4}"
)
_DATE = re.compile(
    r"\d{4}-\d{2}(-\d{2})?([T ]\d{2}:\d{2}\S*)?|\d{4}-?[WQ]\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}"
    r"|\d{4}[/.]\d{1,2}[/.]\d{1,2}|\d{1,2}:\d{2}(:\d{2})?|P(\d+[YMWD])*(T(\d+[HMS])+)?",
    re.I,
)
_RELATIVE = re.compile(r"(?:FETCH_|ORIG_)?HEAD(?:[~^@]|$)")
_DATED = re.compile(r"(?<!\d)(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-3]\d)?(?!\d)")
_GROUPED = re.compile(r"\d+(?: \d+)+|[A-Za-z]{1,5} \d[\w\-]*")
_CODED = re.compile(
    r"#?[A-Za-z]{1,8}[-_]?\d{5,}|#?[A-Z]{2,8}-\d{3,}-\d{3,}|#[A-Za-z]{0,4}\d{4,}|[0-9a-f]{24,}"
)
_SOMEBODY = re.compile(r"[a-z0-9]+(?:[._\-][a-z0-9]+)+|[a-z]+\d[a-z0-9]*")
_YEAR = re.compile(r"(?:19|20)\d{2}")
_SHORT_NUMBER = 3
_WILD = re.compile(r"[*?\[\]{}$]")
_MAX = 4096


@dataclass(frozen=True, slots=True)
class Created:
    """A name that the call gives to a new thing: known once the call has succeeded."""

    value: str


@dataclass(frozen=True, slots=True)
class ToolTraits:
    """What kind of tool it is, from its name and from the action it is told to take."""

    creates: bool
    writes: bool
    moves: bool
    sends: bool
    object: str

    @classmethod
    def of(cls, tool: str, args: JsonValue) -> ToolTraits:
        parts = list(chain(names.words(tool), *names.actions(args)))
        reads = not names.READS.isdisjoint(parts)
        creating = [] if reads else [i for i, p in enumerate(parts) if p in names.CREATES]
        after = parts[creating[0] + 1 : creating[0] + 2] if creating else []
        return cls(
            creates=bool(creating),
            writes=not reads and not names.WRITES.isdisjoint(parts),
            moves=not names.MOVES.isdisjoint(parts),
            sends=not names.SENDS.isdisjoint(parts),
            object=after[0] if after else "",
        )


def entities_of(
    tool: str,
    args: JsonValue,
    annotations: Annotations,
    marked: Callable[[Path], bool | None] = lambda path: None,
) -> Iterator[Entity | Created]:
    """Every entity among the arguments, in order, and every new name.

    ``marked`` is the policy's word on an argument; it goes before the schema's.
    """
    traits = ToolTraits.of(tool, args)
    for path, name, value in _values(args):
        if value is None or isinstance(value, bool) or not name:
            continue
        note = annotations.at(path)
        mark = note.entity if (rule := marked(path)) is None else rule
        if note.closed or mark is False or value in note.defaults:
            continue
        text = value.strip() if isinstance(value, str) else repr(value)
        if not any(c.isalnum() for c in text):
            continue
        if mark:
            kind = _format_of(text) or "value"
            yield from (Entity(path, name, part, kind) for part in _parts(text))
        else:
            yield from _judge(path, name, value, text, traits, note)


def _values(args: JsonValue) -> Iterator[tuple[Path, str, JsonValue]]:
    """Each scalar with its path and the name of the argument that holds it, in order."""
    stack: list[tuple[Path, str, JsonValue]] = [((), "", args)]
    while stack:
        path, name, item = stack.pop()
        if isinstance(item, dict):
            stack.extend(((*path, key), key, item[key]) for key in reversed(item))
        elif isinstance(item, list):
            stack.extend(((*path, i), name, item[i]) for i in range(len(item) - 1, -1, -1))
        else:
            yield path, name, item


def _judge(
    path: Path,
    name: str,
    value: JsonValue,
    text: str,
    traits: ToolTraits,
    note: Annotation,
) -> Iterator[Entity | Created]:
    parts = names.words(name)
    last = parts[-1] if parts else ""
    if (told := _personal(name, text)) is not None:
        yield Entity(path, name, text, told)
        return
    if text.lower().lstrip("@") in names.SENTINELS or names.own_name(name):
        return
    if text.isdecimal() and len(text) <= 3 and names.counts(name):
        return
    if not isinstance(value, str):
        named = names.identifier_name(name) or note.identifies
        if isinstance(value, int) and (named or (names.numbered_thing(name) and _numbers(text))):
            yield _new(name, text, traits) or Entity(path, name, text, "id")
        return
    if last in names.CODE_TEXT or parts[-2:] in names.CODE_TEXT_PAIRS:
        return
    if last in names.PROSE and (" " in text or "\n" in text):
        if traits.sends:
            yield from sent_words(path, name, text)
        return
    for part in _parts(text) if len(text) <= _MAX else ():
        kind = _kind(name, parts, part, note)
        if kind is None and (last in names.QUERY or " " in part):
            yield from in_words(path, name, part, paths=last not in names.PATTERN)
            continue
        if kind is None or (kind == "url" and _LOCAL.match(part)):
            continue
        made = _new(name, part, traits) if kind == "id" else None
        if kind == "path" and _new_path(parts, traits):
            made = Created(part)
        if kind == "handle" and traits.creates and not part.startswith("@"):
            made = Created(part)
        yield made or Entity(path, name, part, kind)


def _personal(name: str, text: str) -> Kind | None:
    """What only the person can tell: when they were born, until when their card is valid, what they are
    called."""
    dated = personal.is_birth_date(name) or personal.is_expiry(name)
    if dated and personal.ways_of_writing(text) is not None:
        return "date"
    named = personal.is_persons_name(name) and len(text) <= _LONGEST_NAME
    return "person" if named and personal.words_of_name(text) else None


_LONGEST_NAME = 80


def _kind(name: str, parts: tuple[str, ...], text: str, note: Annotation) -> Kind | None:
    """What a single value is, by its format, the schema's, and the argument's name."""
    last = parts[-1] if parts else ""
    if (kind := _format_of(text)) is not None:
        return kind
    if "uri" in note.formats or (last in names.URL and _BARE_URL.fullmatch(text)):
        return "url"
    if last in names.QUERY or _DATE.fullmatch(text) or _RELATIVE.match(text):
        return None
    if (last in names.PHONE or (parts[-2:-1] and parts[-2] in names.PHONE)) and _PHONE.fullmatch(
        text
    ):
        return "phone"
    if last in names.HANDLE or parts[-2:] in names.HANDLE_PAIRS:
        return "handle" if " " not in text else None
    if names.somebody(parts) and _SOMEBODY.fullmatch(text):
        return "handle"
    if last in names.PATH:
        return "path" if not _WILD.search(text) and "\n" not in text else None
    if (
        last not in names.PROSE
        and not names.NOT_A_PATH & set(parts)
        and _PATH.fullmatch(text)
        and not _WILD.search(text)
    ):
        return "path"
    if names.identifier_name(name) or note.identifies or "uuid" in note.formats:
        return "id" if _identifies(text) else None
    if names.thing_name(name):
        return "id" if _coded(text) else None
    coded = _CODED.fullmatch(text) and not _DATED.search(text)
    return "id" if coded and last not in names.PROSE else None


def _format_of(text: str) -> Kind | None:
    """The kind of a value whose format says it, whatever the argument is called."""
    if _URL.fullmatch(text):
        return "path" if text[:5].lower() == "file:" else "url"
    if EMAIL.fullmatch(text.removeprefix("mailto:")):
        return "email"
    if _HANDLE.fullmatch(text):
        return "handle"
    if _FULL_PHONE.fullmatch(text):
        return "phone"
    return "id" if _UUID.fullmatch(text) or _IPV4.fullmatch(text) else None


def _identifies(text: str) -> bool:
    """Whether a value of an identifier's argument is one: a number, a code, a slug; not a word."""
    if any(c.isspace() for c in text) and not _GROUPED.fullmatch(text):
        return False
    if any(c.isdigit() for c in text):
        return True
    inner = [c for c in text if not c.isalnum()]
    mixed = any(c.isupper() for c in text[1:]) and any(c.islower() for c in text)
    return bool(inner) or mixed


def _coded(text: str) -> bool:
    """The stricter shape, where the argument's name alone does not say that it is an identifier."""
    if any(c.isspace() for c in text):
        return False
    count = sum(c.isdigit() for c in text)
    return count >= 5 or (count >= 2 and any(c.isalpha() for c in text))


def _numbers(text: str) -> bool:
    """Whether a number is long enough to number something, and is no year."""
    return len(text) > _SHORT_NUMBER and not _YEAR.fullmatch(text)


def _new(name: str, text: str, traits: ToolTraits) -> Created | None:
    """``create_task(task_id="setup-db")``: the caller names what it creates."""
    if not traits.creates:
        return None
    parts = names.words(name)
    own = len(parts) == 1 or (parts[0] == traits.object and len(parts) == 2)
    return Created(text) if own else None


def _new_path(parts: tuple[str, ...], traits: ToolTraits) -> bool:
    """Whether a path is where something new goes, rather than where something is."""
    if not names.SOURCE.isdisjoint(parts):
        return False
    goes_to = traits.moves and parts[-1:] in (("to",), ("target",))
    return traits.writes or goes_to or not names.DESTINATION.isdisjoint(parts)


def _parts(text: str) -> list[str]:
    """A list written as one string is checked value by value."""
    for separator in (",", ";"):
        if separator in text and "://" not in text and not any(c in text for c in "{[\n"):
            pieces = [piece.strip() for piece in text.split(separator) if piece.strip()]
            if all(" " not in piece or "<" in piece for piece in pieces):
                return [_address(piece) for piece in pieces]
    return [_address(text)]


def _address(text: str) -> str:
    """``Dana Whitlock <dana@brisk-mail.example>`` → the address."""
    if text.endswith(">") and (found := EMAIL.search(text.rpartition("<")[2])):
        return found[0]
    return text
