"""Strays: a value of another row than the one that all else beside it is of.

"Third place went to Carla of Leeside", where the row of Carla and of place 3 has another club, and Leeside
is the club of another row; a cell of the answer's table that was slipped in from the row below; a number
of another line of a log. Each stands in the evidence, and only what stands beside it tells whose it is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.values import Value, fold, parse_values
from affidavit.ledger.words import STOP_WORDS, is_negated
from affidavit.stages.ground.checks.derived import derive
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.checks.values.phrase import is_operand
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext
from affidavit.stages.ground.phrases import COMPARED
from affidavit.stages.ground.topic import Group, Row

NAME = "strays"

_Place = tuple[Group, Row]
"""A row in its group; a line of a log is a row of the lines of its result."""
_Path = tuple[str | int, ...]

_APART = re.compile(
    r"\b(?:than|while|whereas|others?|another|both|each|all|respectively|from|between|instead|behind|ahead|beat|beats|"
    r"beaten|defeat\w*|lost|before|after|until|till|by then|follow\w*|replac\w*|substitut\w*|stand(?:s|ing)? in|unlike|like|next|"
    r"same|via|within|allow\w*|permit\w*|exceed\w*|limit\w*|joins?|joined|meets?|met|merge\w*|revert\w*|supersed\w*|instead|not|except|besides|plus|total|average|difference|sum)\b"
    r"|->|→|n['’]t\b|\d\s*[+×*=]\s*\S",
    re.I,
)
"""Words of a claim that speaks of several rows, or of what lies between them."""
_GOES_ON = re.compile(
    r"\W*(?:and |but |so |also |then )*(?:it|its|who|whose|which|he|she|his|her|they|their|that one|this one)\b"
    r"|\W*(?:and |but )?(?:with|for|at|in|on|by|[a-z]+s|[a-z]+ed|[a-z]+ing) ",
    re.I,
)
"""How a clause opens that goes on about what the sentence has spoken of."""
_STOP = re.compile(r"\n|[.!?]\s")
"""Where a clause goes on about nothing that stands before it: another line, or another sentence."""
_JUDGED = frozenset({"name", "quoted", "money", "quantity", "identifier", "percent", "duration"})
_SHORT = 60
"""Longest cell that is one value of its row rather than a text about it."""
_LONGEST = 6
"""Words of the longest cell that a text is searched for."""
_COMMON = 60
"""Rows from which on a value tells nothing."""
_SEVERAL = 3
"""Rows from which on a column of different names is what the rows are called by."""


@dataclass
class _Part:
    """Something that is said beside other things, and the rows that hold it, each with the cell."""

    text: str
    value: Value | None = None
    judged: bool = False
    rows: dict[_Place, list[tuple[Passage, Cell | None, Value | None]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    at: int = 0
    """Where among the others it is said."""
    elsewhere: bool = False
    """Whether it stands in the evidence outside of rows as well."""

    def cells_in(self, group: Group) -> list[Cell | None]:
        return [
            cell for place, held in self.rows.items() if place[0] == group for _, cell, _ in held
        ]


def check_strays(claim: Claim, context: GroundContext) -> Finding:
    """Look for a value that is of one row, where all that stands beside it is of another."""
    if not claim.is_datum and (is_negated(claim.text) or claim.kind in ("restatement", "action")):
        return Finding.skip(NAME, "a denial, or an action")
    shelf = context.search.once("rows and lines", lambda: _Shelf(context))
    parts = (
        _beside_datum(claim, context, shelf) if claim.is_datum else _in_prose(claim, context, shelf)
    )
    for n, part in enumerate(parts):
        if not part.judged or part.elsewhere or not part.rows or len(part.rows) >= _COMMON:
            continue
        others = [p for m, p in enumerate(parts) if m != n and len(p.rows) < _COMMON]
        for group in {group for group, _ in part.rows}:
            instead = _of_another(part, others, group, shelf)
            if instead is not None and not _is_computed(part, claim, context):
                return _contradiction(part, group, *instead)
    return Finding.skip(NAME, "no value of another row than what stands beside it")


def _contradiction(
    part: _Part, group: Group, passage: Passage, cell: Cell | None, held: str
) -> Finding:
    of, own, _ = next(rows for place, rows in part.rows.items() if place[0] == group)[0]
    where = of.record.header if of.record else of.span(own).text
    span = passage.span(cell)
    detail = f"“{part.text}” is of {where}; what stands beside it is of the row that has {held or span.text}"
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail[:400], spans=(span,)
    )


def _is_computed(part: _Part, claim: Claim, context: GroundContext) -> bool:
    return part.value is not None and derive(part.value, claim, context) is not None


def _of_another(
    part: _Part, others: Sequence[_Part], group: Group, shelf: _Shelf
) -> tuple[Passage, Cell | None, str] | None:
    """What the row that all else is of has in the place of a value; None wherever that is in doubt."""
    held: dict[_Place, set[int]] = defaultdict(set)
    for n, other in enumerate(others):
        for place in other.rows:
            if place[0] == group:
                held[place].add(n)
    if not held:
        return None
    most = max(len(found) for found in held.values())
    best = [place for place, found in held.items() if len(found) == most]
    own = [place for place in part.rows if place[0] == group]
    if len(best) != 1 or best[0] in own:
        return None
    meant = best[0]
    if any(not held.get(place, set()) < held[meant] for place in own):
        return None  # what is said is of the value's own row as well
    named = (shelf.is_name(p, meant) and p.at < part.at for p in others)
    if most < 2 and not any(named):
        return None  # of two things, what comes first names the row
    said = {id(cell) for other in others for cell in other.cells_in(group)}
    if group[1] == _LINES:
        return _like_in_line(part, meant, others, shelf)
    instead: tuple[Passage, Cell | None, str] | None = None
    for path in {cell.path for cell in part.cells_in(group) if cell is not None}:
        found = shelf.cell_at(meant, path)
        if found is None or found[1].is_blank or id(found[1]) in said:
            return None
        if len(found[1].text) > _SHORT or _is_said(found[1].text, others):
            return None
        instead = found[0], found[1], ""
    return instead


def _is_said(text: str, others: Sequence[_Part]) -> bool:
    """Whether something else that is said is what its row holds, in whatever order: "Ivo Ravel" of
    ``Ravel, Ivo``."""
    words = set(_key(text))
    return any(words <= set(_key(other.text)) for other in others)


def _like_in_line(
    part: _Part, meant: _Place, others: Sequence[_Part], shelf: _Shelf
) -> tuple[Passage, Cell | None, str] | None:
    """The value of a line that is written like one of another line: ``db-02`` for ``db-01``."""
    passage = shelf.passages[meant][0]
    shape = _shape(part.text)
    said = {fold(other.text) for other in others}
    for token in _TOKEN.findall(passage.text):
        if _shape(token) == shape and any(map(str.isdigit, token)) and fold(token) not in said:
            return passage, None, token
    return None


_TOKEN = re.compile(r"#?[\w/](?:[\w./-]*\w)?")


def _shape(text: str) -> str:
    """How a code is written: ``db-01`` and ``web-3`` are both letters, a mark and digits."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", text.strip("`*_()[]"))).casefold()


_LINES = "lines"


class _Shelf:
    """The rows of the results and the lines of their logs, with what they are called by."""

    def __init__(self, context: GroundContext) -> None:
        self.passages: dict[_Place, list[Passage]] = defaultdict(list)
        self.parts: dict[str, _Part] = {}
        self._places: dict[int, list[_Place]] = {}
        self._by_words: dict[tuple[str, ...], list[tuple[Passage, Cell]]] = defaultdict(list)
        self._distinct: dict[tuple[Group, _Path], tuple[set[str], int]] = {}
        lines: dict[int, int] = defaultdict(int)
        for passage in filter(is_result, context.search.passages):
            places = list(_rows_of(passage, context))
            if passage.record is None and "\n" not in passage.text.strip():
                places = [((str(passage.source.id), _LINES), str(passage.id))]
                lines[passage.source.id] += 1
            self._places[passage.id] = places
            for place in places:
                self.passages[place].append(passage)
            for cell, _, _ in passage.cells:
                if isinstance(cell.raw, str) and 1 < len(cell.raw) <= _SHORT:
                    self._by_words[_key(cell.raw)].append((passage, cell))
        for place in [
            p for p in self.passages if p[0][1] == _LINES and lines[int(p[0][0])] < _SEVERAL
        ]:
            for passage in self.passages.pop(place):
                self._places[passage.id] = []

    def places(self, passage: Passage) -> Sequence[_Place]:
        return self._places.get(passage.id, ())

    def called(self, text: str) -> Sequence[tuple[Passage, Cell]]:
        """The cells that hold these words, in whatever order."""
        return self._by_words.get(_key(text), ())

    def phrases(self, text: str) -> Iterator[tuple[str, Sequence[tuple[Passage, Cell]]]]:
        """The stretches of a text that are what a cell holds, the longest first where they overlap."""
        words = re.findall(r"\w+", fold(text))
        at = 0
        while at < len(words):
            for size in range(min(_LONGEST, len(words) - at), 0, -1):
                said = " ".join(words[at : at + size])
                found = self.called(said) if len(said) >= 3 and said not in STOP_WORDS else ()
                if found and any(fold(cell.text) == said for _, cell in found):
                    yield said, found
                    at += size - 1
                    break
            at += 1

    def cell_at(self, place: _Place, path: _Path) -> tuple[Passage, Cell] | None:
        if path in ((), ("",)):
            return None
        found = ((p, c) for p in self.passages[place] for c, _, _ in p.cells if c.path == path)
        return next(found, None)

    def is_name(self, part: _Part, place: _Place) -> bool:
        """Whether a part alone tells a row: what every row of its group has another of, in words."""
        cells = [cell for cell in part.cells_in(place[0]) if cell is not None]
        if len({p for p in part.rows if p[0] == place[0]}) != 1 or not cells or part.elsewhere:
            return False
        return all(self._names_rows(place[0], cell) for cell in cells)

    def _names_rows(self, group: Group, cell: Cell) -> bool:
        if (
            not isinstance(cell.raw, str)
            or not _WORDED.search(cell.raw)
            or cell.path in ((), ("",))
        ):
            return False
        known = self._distinct.get((group, cell.path))
        if known is None:
            column = [
                found[1].text
                for place in self.passages
                if place[0] == group and (found := self.cell_at(place, cell.path)) is not None
            ]
            known = self._distinct[group, cell.path] = set(map(fold, column)), len(column)
        texts, rows = known
        return rows >= _SEVERAL and len(texts) == rows


_WORDED = re.compile(r"[^\W\d_]{2}")


def _rows_of(passage: Passage, context: GroundContext) -> Iterator[_Place]:
    """The rows of lists that a passage is of; what a tool gave at each of several calls is no list."""
    level = passage.record
    for place in context.rows.chain(passage):
        listed = level is not None and bool(level.group or level.place.endswith("]"))
        if listed and not context.rows.is_sole(place[0]):
            yield place
        level = level.parent if level is not None else None


def _key(text: str) -> tuple[str, ...]:
    return tuple(sorted(re.findall(r"\w+", fold(text))))


def _beside_datum(claim: Claim, context: GroundContext, shelf: _Shelf) -> list[_Part]:
    """A datum, to be judged, and the other data of its row of the answer."""
    if not _tells(_datum_text(claim)):
        return []
    parts = []
    for at, (text, own) in enumerate(_row_of(claim, context)):
        if text:
            known = shelf.parts.get(text)
            if known is None:  # each row is read once, and judged for each of its data
                known = shelf.parts[text] = _part(text, context, shelf)
            parts.append(replace(known, judged=own, at=at))
    return parts


def _datum_text(claim: Claim) -> str:
    if claim.cell is not None:
        return claim.cell.cells.get(claim.cell.column, "") or claim.text
    quoted = re.search(r":\s*\"?(.*?)\"?\s*$", claim.text, re.S)
    return quoted[1] if quoted else claim.text


def _tells(text: str) -> bool:
    """Whether a datum is of few rows: a word, a code, or a number of three digits or more."""
    digits = sum(map(str.isdigit, text))
    if digits >= _SEVERAL or (digits and any(map(str.isalpha, text))):
        return True
    return bool(_WORDED.search(text)) and fold(text) not in STOP_WORDS | _PLAIN


_PLAIN = frozenset("yes no true false none null open closed".split())


def _row_of(claim: Claim, context: GroundContext) -> list[tuple[str, bool]]:
    """What the answer's table or object has in the row of a datum, in order, and which of it is the datum."""
    if claim.cell is not None:
        column = claim.cell.column
        return [(text, name == column) for name, text in claim.cell.cells.items()]
    return [(_datum_text(other), other is claim) for other in context.beside]


def _part(text: str, context: GroundContext, shelf: _Shelf) -> _Part:
    """The rows that hold all of a datum: its words, or every value in it."""
    text = text.strip("*_` ")
    part = _Part(text)
    for passage, cell in shelf.called(text):
        _shelve(part, passage, cell, None, shelf)
    values = [v for v in parse_values(text) if v.kind not in ("name", "quoted")]
    if part.rows or not values:
        return part
    read = []
    for value in values:
        one = _Part(text)
        _find(one, value, context, shelf)
        read.append(one)
    common = set.intersection(*(set(one.rows) for one in read))
    for one in read:
        part.elsewhere |= one.elsewhere
        for place in common:
            part.rows[place] += one.rows[place]
    return part


def _in_prose(claim: Claim, context: GroundContext, shelf: _Shelf) -> list[_Part]:
    """What a clause says, each value to be judged, with what its sentence has said before where it goes on
    about that."""
    if _APART.search(claim.text) or COMPARED.search(claim.text) or len(claim.text) > 300:
        return []
    parts = list(_read(claim, context, shelf, judged=True))
    if _GOES_ON.match(claim.text):
        for other in context.before:
            between = context.answer[other.end - 1 : claim.start]
            if not _STOP.search(between) and not _APART.search(other.text):
                parts += _read(other, context, shelf, judged=False)
    return parts


def _read(claim: Claim, context: GroundContext, shelf: _Shelf, *, judged: bool) -> Iterator[_Part]:
    for value in claim.values:
        part = _Part(value.text, value, at=claim.start + value.start)
        _find(part, value, context, shelf)
        part.judged = judged and _is_judged(value, claim)
        yield part
    stated = {id(cell) for value in claim.values for _, cell in shelf.called(value.text)}
    for said, found in shelf.phrases(claim.text):
        if not any(id(cell) in stated for _, cell in found):
            where = re.search(re.escape(said.split()[0]), claim.text, re.I)
            named = any(_is_name_in(cell.text, claim.text) for _, cell in found)
            at = claim.start + (where.start() if where else 0)
            part = _Part(said, judged=judged and named, at=at)
            for passage, cell in found:
                _shelve(part, passage, cell, None, shelf)
            yield part


def _is_name_in(name: str, text: str) -> bool:
    """Whether a text says a name of several words as it is written: "Dr. Lund"."""
    return len(name.split()) > 1 and name[:1].isupper() and name in text


def _is_judged(value: Value, claim: Claim) -> bool:
    if is_operand(value, claim):
        return False
    if value.kind == "moment":
        return value.moment is not None
    digits = sum(map(str.isdigit, value.text))
    return value.kind in _JUDGED or value.kind == "number" and digits >= 3


def _find(part: _Part, value: Value, context: GroundContext, shelf: _Shelf) -> None:
    for hit in context.search.hits(value, today=context.today):
        _shelve(part, hit.passage, hit.cell, hit.value, shelf)
    if value.kind in ("name", "quoted"):
        for passage, cell in shelf.called(value.text):
            _shelve(part, passage, cell, None, shelf)


def _shelve(
    part: _Part, passage: Passage, cell: Cell | None, value: Value | None, shelf: _Shelf
) -> None:
    places = shelf.places(passage)
    if not places or (cell is not None and len(cell.text) > _SHORT):
        part.elsewhere = True
    for place in places:
        part.rows[place].append((passage, cell, value))
