"""YAML with nesting: manifests, front matter, configuration. Flat ``key: value`` lines need no YAML."""

from __future__ import annotations

import importlib
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from affidavit.ledger.records import Record, Scalar
from affidavit.ledger.shapes.json_places import relocated
from affidavit.ledger.shapes.page import Block, Page, Prose, Way, chars
from affidavit.ledger.walk import records_of

MAX_CHARS = 1_000_000
MAX_DEPTH = 40

_KEY = re.compile(
    r"""(?P<in>\s*)(?:-\s+)*(?:"[^"\n]{1,60}"|'[^'\n]{1,60}'|[\w./$@-][\w./ $@-]{0,60}):(?:\s|\Z)"""
)
_OPENS = re.compile(r"(?P<in>\s*)(?:-\s+)?[^#\n]{1,64}:\s*+(?:[|>][-+]?\s*+)?\Z")
_LINE = re.compile(r"\s+\S|-\s|-\Z|#|---\s*\Z|\.\.\.\s*\Z")
_WORD = re.compile(r"\w")
_ENDS = re.compile(r"(?:---|\.\.\.)\s*\Z")
_COMMENT = re.compile(r"(?:(?<=\s)|(?<![\s\S]))#[^\n]*")
_INT, _FLOAT = (
    re.compile(r"[-+]?(?:0|[1-9]\d{0,17})\Z"),
    re.compile(r"[-+]?\d+\.\d+(?:[eE][-+]?\d+)?\Z"),
)
_WORDS: dict[str, Scalar] = {
    "true": True, "True": True, "false": False, "False": False, "null": None, "~": None, "": None,
}  # fmt: skip


def read_yaml(page: Page, i: int, way: Way) -> Block | None:
    """A run of lines that are keys, items or indented, at least one of which opens a level."""
    first = page.line(i)
    if i < page.declined.get("yaml", 0):
        return None  # looked at from above already: from further down it is no clearer
    if not (_KEY.match(first) or first.strip() == "---"):
        return None
    j, opens, keys, blank = i, 0, 0, 0
    while j < len(page):
        line = page.line(j)
        if line.strip():
            if not (_LINE.match(line) or _KEY.match(line)):
                break
            if _ENDS.match(line) and j > i and not _KEY.match(page.line(j + 1)):
                j += 1
                break  # the end of front matter; between documents a key follows
            blank = 0
            keys += bool(_KEY.match(line))
            opens += bool(_OPENS.match(line) and _is_inside(page.line(j + 1), line))
        elif opens:
            blank += 1
        else:
            break  # a paragraph of plain fields
        j += 1
    if not opens or keys < 3:
        page.declined["yaml"] = j
        return None
    right = page.span(j - 1)[1]
    page.declined["yaml"] = j
    return _parsed(page, j - blank, page.starts[i], right, way)


def _is_inside(line: str, above: str) -> bool:
    """Whether a line is a level below the one above it."""
    indent, base = len(line) - len(line.lstrip()), len(above) - len(above.lstrip())
    return bool(line.strip()) and (indent > base or line.lstrip().startswith("- "))


def _parsed(page: Page, end: int, left: int, right: int, way: Way) -> Block | None:
    if right - left > MAX_CHARS:
        return None
    yaml = _yaml()
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        documents = list(yaml.compose_all(page.text[left:right], Loader=loader))
        data = _Data(left)
        values = [
            data.value(node, f"/{n}", 0)
            for n, node in enumerate(documents)
            if node is not None and node.value
        ]
    except (yaml.YAMLError, ValueError, RecursionError, UnicodeError):
        return None
    if not values or not all(_is_data(value) for value in values):
        return None
    if data.sentences * 4 > len(data.leaves):
        return None  # a list of rules or of steps, written with colons
    records: list[Record] = []
    for n, value in enumerate(values):
        root = f"{way.place or 'document'}[{n}]" if len(values) > 1 else way.place
        records += records_of(value, root=root, pointer=f"/{n}")
    comments = list(_comments(page, left, right, data.leaves, way.heading))
    read = sorted([*data.leaves, *((c.start, c.end) for c in comments), (right, right)])
    at = left
    for start, stop in read:
        if _WORD.search(page.text, at, max(at, start)):
            return None  # an anchor, a tag, a directive: what no record would show
        at = max(at, stop)
    return Block(end, relocated(records, data.places, chars(left, right)), comments)


def _is_data(value: object) -> bool:
    """An object, or a list of objects of several fields: a Markdown list is also a list of items."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(v, dict) and len(v) > 1 for v in value)
    return isinstance(value, dict)


def _comments(
    page: Page, left: int, right: int, leaves: list[tuple[int, int]], heading: str
) -> Iterator[Prose]:
    """Comments: the parser drops them, but what stands in a result was shown to the model."""
    leaves.sort()
    for match in _COMMENT.finditer(page.text, left, right):
        n = bisect_right(leaves, (match.start(), right)) - 1
        if n < 0 or leaves[n][1] <= match.start():
            yield from page.prose(match.start(), match.end(), heading)


def _yaml() -> Any:
    """PyYAML, imported for the rare text that needs it: it takes longer than most texts to read."""
    return importlib.import_module("yaml")


@dataclass
class _Data:
    """Composed nodes as plain data. Scalars are read as YAML 1.2 does: ``no`` is a word, ``12:30`` a
    time of day, and ``010`` is not eight."""

    offset: int
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    leaves: list[tuple[int, int]] = field(default_factory=list)
    sentences: int = 0
    _seen: set[int] = field(default_factory=set)

    def value(self, node: object, pointer: str, depth: int) -> object:
        yaml = _yaml()
        if depth > MAX_DEPTH or id(node) in self._seen:
            raise ValueError("an alias: a few lines of them can stand for gigabytes")
        self._seen.add(id(node))
        assert isinstance(node, yaml.Node)
        left, right = node.start_mark.index, node.end_mark.index
        self.places[pointer] = (self.offset + left, self.offset + right)
        if isinstance(node, yaml.ScalarNode):
            self._leaf(node)
        match node:
            case yaml.MappingNode():
                found: dict[str, object] = {}
                for key, child in node.value:
                    self._leaf(key)
                    name = str(key.value) if isinstance(key, yaml.ScalarNode) else ""
                    if not name or name in found:
                        raise ValueError("a key that is no word, or comes twice")
                    step = name.replace("~", "~0").replace("/", "~1")
                    found[name] = self.value(child, f"{pointer}/{step}", depth + 1)
                return found
            case yaml.SequenceNode():
                return [
                    self.value(child, f"{pointer}/{n}", depth + 1)
                    for n, child in enumerate(node.value)
                ]
            case yaml.ScalarNode():
                quoted = node.style in ("'", '"', "|", ">")
                self.sentences += not quoted and len(node.value.split()) >= 8
                return str(node.value) if quoted else _scalar(node.value)
        raise ValueError(type(node).__name__)

    def _leaf(self, node: Any) -> None:
        left, right = node.start_mark.index, node.end_mark.index
        self.leaves.append((self.offset + left, self.offset + right))


def _scalar(text: str) -> Scalar:
    if text in _WORDS:
        return _WORDS[text]
    if _INT.match(text):
        return int(text)
    return float(text) if _FLOAT.match(text) else text
