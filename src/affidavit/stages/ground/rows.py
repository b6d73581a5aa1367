"""The rows of the evidence, and which of them a text names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from pydantic import JsonValue

from affidavit.ledger.ledger import Ledger, Passage
from affidavit.ledger.records import Record
from affidavit.ledger.search import Search
from affidavit.ledger.values import fold
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.checks.states.vocabulary import STATUS_FIELD, states_in
from affidavit.stages.ground.claim import Claim, tells_field
from affidavit.stages.ground.row_names import (
    CAPITAL,
    CHARS,
    NAME_CHARS,
    called_by,
    in_either_number,
    is_plain_word,
    names_of_cell,
    way_of_number,
    ways_of_key,
    words_of_name,
)
from affidavit.stages.ground.topic import Group, Row, Topic, label_of

Asked: TypeAlias = Mapping[int, Mapping[str, JsonValue]]
"""What the call behind each result was given, by the number of the result's source."""
_Places: TypeAlias = tuple[list[int], list[dict[Row, list[int]]]]
_ANCHORING_KINDS = frozenset({"identifier", "moment", "email", "url", "path", "version", "phone"})


class Rows:
    """The rows of the evidence and the words that name them."""

    def __init__(self, search: Search, asked: Asked) -> None:
        self._search = search
        self._asked_apart = _asked_apart(search, asked)
        self._chains: dict[int, tuple[tuple[Group, Row], ...]] = {}
        self._members: dict[Group, set[Row]] = defaultdict(set)
        self._part_of: dict[tuple[Group, Row], tuple[Group, Row]] = {}
        names: dict[tuple[Group, tuple[str, ...]], set[Row]] = defaultdict(set)
        self._things: set[Row] = set()
        self._identities: set[tuple[Group, tuple[str, ...]]] = set()
        self.names_of_cell: set[tuple[Group, tuple[str, ...]]] = set()
        # Names that are what became of a row: see _named.
        self._states: set[tuple[Group, tuple[str, ...]]] = set()
        self._own_names: dict[tuple[str, ...], set[tuple[Group, Row]]] = defaultdict(set)
        # Words of longer names, "Imani" of Imani Odhiambo: said with a capital they name the row.
        parts: dict[tuple[Group, str], set[Row]] = defaultdict(set)
        numbered: set[tuple[Group, tuple[str, ...]]] = set()
        called = called_by(search.passages)
        for passage in search.passages:
            if passage.record is None or passage.source.kind != "tool_result":
                continue
            chain = self.chain(passage)
            wholes = (*chain[1:], None)
            for (group, row), record, whole in zip(
                chain, _lineage(passage.record), wholes, strict=True
            ):
                self._members[group].add(row)
                if whole is not None:
                    self._part_of[group, row] = whole
                thing = record.identity or (record.group and not record.place.endswith("]"))
                if thing and not (record is passage.record and _is_event(passage)):
                    self._things.add(row)
            for tokens in self._ways_of_asking(passage, asked):
                names[chain[-1][0], tokens].add(chain[-1][1])
            if chain:
                key = passage.record.pointer.rsplit("/", 1)[-1]
                if passage.record.group and not key.isdigit():  # the rows of a map bear their key
                    for tokens in ways_of_key(key, passage.record):
                        names[chain[0][0], tokens].add(chain[0][1])
                calls_itself = called.get((passage.source.id, passage.record.group))
                for cell, _, _ in passage.cells:
                    if passage.source.documents and cell.path == ("text",):
                        continue  # a short passage of a document is no name of it
                    if cell.path == calls_itself:
                        self._things.add(chain[0][1])
                    own = cell.text in passage.record.identity or cell.path == calls_itself
                    if not own and _DIGITS.fullmatch(cell.text):
                        continue  # "15:00" and a phone's number are told of a row: see of_claim
                    ways = [*in_either_number(names_of_cell(cell), one_word=own)]
                    if numbered_way := way_of_number(cell, passage.record):
                        ways, own = [*ways, numbered_way], True
                        self._things.add(chain[0][1])
                    state = bool(STATUS_FIELD.search(cell.key) and states_in(cell.text))
                    for tokens in ways:
                        names[chain[0][0], tokens].add(chain[0][1])
                        if state:
                            self._states.add((chain[0][0], tokens))
                        if own:
                            self._identities.add((chain[0][0], tokens))
                            if not is_plain_word(cell):
                                self.names_of_cell.add((chain[0][0], tokens))
                            self._own_names[tokens].add(chain[0])
                        if own and label_of(chain[0][1]):
                            numbered.add((chain[0][0], tokens))
                    for word in words_of_name(cell) if own else ():
                        parts[chain[0][0], word].add(chain[0][1])
        self._by_name: dict[tuple[str, ...], list[tuple[Group, set[Row]]]] = defaultdict(list)
        for (group, tokens), rows in names.items():
            if tokens and (len(rows) < len(self._members[group]) or (group, tokens) in numbered):
                self._by_name[tokens].append((group, rows))
        self._sizes = sorted({len(tokens) for tokens in self._by_name})
        self._by_part: dict[str, list[tuple[Group, Row]]] = defaultdict(list)
        for (group, word), rows in parts.items():
            if len(rows) == 1 and len(self._members[group]) > 1:
                self._by_part[word] += [(group, row) for row in rows]

    def chain(self, passage: Passage) -> tuple[tuple[Group, Row], ...]:
        """The groups a passage's record belongs to, innermost first, each with its row there."""
        known = self._chains.get(passage.id)
        if known is None:
            record = passage.record
            told = record is not None and passage.source.kind == "tool_result"
            known = (
                tuple(self._place(passage, level) for level in _lineage(record))
                if told and record is not None
                else ()
            )
            self._chains[passage.id] = known
        return known

    def _place(self, passage: Passage, record: Record) -> tuple[Group, Row]:
        group, row = _place(passage, record)
        if (group[0], record.identity) in self._asked_apart:
            return group, (passage.source.id, record.pointer)
        return group, row

    def _ways_of_asking(self, passage: Passage, asked: Asked) -> Iterator[tuple[str, ...]]:
        """What a call was given tells its result from those of the same tool about a thing of one name: the
        quote for 55 chairs from that for 40."""
        record = passage.record
        root = _lineage(record)[-1] if record else None
        if root is not None and (passage.source.tool, root.identity) in self._asked_apart:
            for key, value in asked.get(passage.source.id, {}).items():
                if _is_told(key, value) and (tokens := tuple(fold(str(value)).split())):
                    yield tokens

    def is_sole(self, group: Group) -> bool:
        """Whether a group has one row only, which needs no name."""
        return len(self._members[group]) < 2

    def fitting(self, topic: Topic) -> Sequence[Passage]:
        """The passages that a topic :meth:`~Topic.fits`, in order, found without a look at every row."""
        if not topic.rows:
            return self._search.passages
        found: list[int] = []
        for groups, (places, rows_at) in self._places.items():
            named = [level for level, group in enumerate(groups) if group in topic.rows]
            if not named:
                found += places
            for level in named[:1]:
                for row in topic.rows[groups[level]]:
                    found += rows_at[level].get(row, ())
        found.sort()
        passages = (self._search.passages[at] for at in found)
        return [p for p in passages if topic.fits(self.chain(p))]

    @cached_property
    def _places(self) -> dict[tuple[Group, ...], _Places]:
        """Positions of passages by the groups that their records belong to, and by each row of these."""
        found: dict[tuple[Group, ...], _Places] = {}
        for at, passage in enumerate(self._search.passages):
            chain = self.chain(passage)
            groups = tuple(group for group, _ in chain)
            places, rows = found.setdefault(groups, ([], [{} for _ in groups]))
            places.append(at)
            for level, (_, row) in enumerate(chain):
                rows[level].setdefault(row, []).append(at)
        return found

    def things(self, topic: Topic) -> Topic:
        """Of the rows named, those that are things with a name or number of their own, which a text may
        go on speaking of; an event in a log is not."""
        return Topic({g: rows for g, rows in topic.rows.items() if rows <= self._things})

    def identified_by(self, text: str) -> Topic:
        """The things that a text calls by their own name or number."""
        return self._named(text, self._identities)

    def mentioned(self, text: str) -> Topic:
        """All things that a text calls by their own names, whatever else it names: Tom, of "Lena's manager is
        Tom", who stands in her row as well."""
        found: dict[Group, set[Row]] = defaultdict(set)
        tokens = fold(re.sub(r"['’]s\b", "", text)).split()
        for size in {len(name) for name in self._own_names}:
            for at in range(len(tokens) - size + 1):
                for group, row in self._own_names.get(tuple(tokens[at : at + size]), ()):
                    found[group].add(row)
        return Topic({group: frozenset(rows) for group, rows in found.items()})

    def sole(self, answer: str) -> Topic:
        """The things that an answer calls by their own number while it calls no other of their like so:
        what it says, it says of them. "Import" and "export" may be no names where they are said."""
        named = self.things(self._named(answer, self.names_of_cell))
        return Topic({group: rows for group, rows in named.rows.items() if len(rows) == 1})

    def without_strangers(self, spoken: Topic, named: Topic) -> Topic:
        """What was spoken of before, less the things that what is named now is no part of: after the bicycle,
        "variant 5546" is of the puzzle that it belongs to."""
        wholes: dict[Group, set[Row]] = defaultdict(set)
        for part in ((group, row) for group, rows in named.rows.items() for row in rows):
            while part in self._part_of:
                part = self._part_of[part]
                wholes[part[0]].add(part[1])
        return Topic(
            {
                group: rows
                if group not in wholes or rows & wholes[group]
                else frozenset(wholes[group])
                for group, rows in spoken.rows.items()
            }
        )

    def having_field(self, topic: Topic, text: str) -> Topic:
        """Of the rows named, those with a field that the label before the colon names."""
        label = content_stems(text.split(":", 1)[0])
        keys: dict[Group, frozenset[str]] = {}
        for passage in self.fitting(topic) if topic.rows else ():
            for group, row in self.chain(passage)[:1]:
                if row in topic.rows.get(group, ()):
                    said = content_stems(" ".join(cell.key for cell, _, _ in passage.cells))
                    keys[group] = keys.get(group, frozenset()) | said
        return Topic(
            {g: rows for g, rows in topic.rows.items() if label & keys.get(g, frozenset())}
        )

    def named_by(self, text: str) -> Topic:
        """The rows that a text names in its words, by any field that tells them apart."""
        return self._named(text, None)

    def _named(self, text: str, only: set[tuple[Group, tuple[str, ...]]] | None) -> Topic:
        votes: dict[Group, dict[Row, float]] = defaultdict(lambda: defaultdict(float))
        # "The cardiology appointment is confirmed" names no other appointment that is: by its state a row is called
        # where nothing else is said of it.
        by_state: dict[Group, dict[Row, float]] = defaultdict(lambda: defaultdict(float))
        coded: dict[Group, set[Row]] = defaultdict(set)
        tokens = fold(re.sub(r"['’]s\b", "", text)).split()
        broken = _behind_points(text)
        spans = (
            (at, size)
            for at in range(len(tokens))
            for size in self._sizes
            if at not in broken and at + size not in broken
        )
        for name in (
            tuple(tokens[at : at + size]) for at, size in spans if at + size <= len(tokens)
        ):
            for group, rows in self._by_name.get(name, ()):
                if only is not None and (group, name) not in only:
                    continue
                # Not an ordinary word that happens to stand in one row only.
                unique = len(rows) == 1 and (len(name) > 1 or any(map(str.isdigit, name[0])))
                told = by_state if (group, name) in self._states else votes
                for row in rows:
                    told[group][row] += len(name) / len(rows) ** 0.5 + 1
                    if told is votes and unique and len("".join(name)) >= 4:
                        coded[group].add(row)
        for word in CAPITAL.findall(text) if only is None else ():
            for group, row in self._by_part.get(fold(word), ()):
                votes[group][row] += 2
        votes = {**by_state, **votes}
        # Rows named by their own code are all meant ("from 6117 to 6700"); else the best named.
        named = {group: frozenset(coded[group]) or _leaders(rows) for group, rows in votes.items()}
        return Topic({group: rows for group, rows in named.items() if self._belong(group, named)})

    def _belong(self, group: Group, named: Mapping[Group, frozenset[Row]]) -> bool:
        """Whether some row of a group is not part of another thing than the one that is named: of "the
        action camera", no compartment "camera" of a backpack."""
        for row in named[group]:
            whole, thing = self._part_of.get((group, row), (None, None))
            if whole is None or whole not in named or thing in named[whole]:
                return True
        return False

    def shown_by(self, claim: Claim) -> Topic:
        """The one row of a list that has the measured values of a claim, in fields that it names."""
        said = content_stems(claim.statement)
        found: dict[Group, set[Row]] = {}
        for value in claim.values:
            if value.number is None:
                continue
            rows: dict[Group, set[Row]] = defaultdict(set)
            for hit in self._search.hits(value):
                if hit.cell is not None and named_in(content_stems(hit.cell.key), said):
                    for group, row in self.chain(hit.passage)[:1]:
                        rows[group].add(row)
            for group, holding in rows.items():
                found[group] = found.get(group, holding) & holding
        return Topic({g: frozenset(rows) for g, rows in found.items() if len(rows) == 1})

    def of_claim(self, claim: Claim) -> Topic:
        """The rows a claim names in its words, its context, and the dates it states."""
        topic = self.named_by(claim.statement)
        dated: dict[Group, set[Row]] = defaultdict(set)
        for value in claim.values:
            if value.kind not in _ANCHORING_KINDS:
                continue
            hits = self._search.hits(value)
            if any(hit.cell and tells_field(claim, value, hit.cell.key) for hit in hits):
                continue  # "check-in is from 15:00" is told of a row, and names none
            for hit in hits:
                chain = self.chain(hit.passage)
                if chain:
                    dated[chain[0][0]].add(chain[0][1])
        few = {
            group: frozenset(rows)
            for group, rows in dated.items()
            if len(rows) < len(self._members[group])
        }
        return topic.or_else(Topic(few))


def _behind_points(text: str) -> set[int]:
    """Which words of a folded text are the rest of a number: "6.5 kg" names no row of 5 kg."""
    found: set[int] = set()
    at = 0
    for chunk in re.sub(r"['’]s\b", "", text).split() if _POINT.search(text) else ():
        parts = fold(chunk).split()
        if _POINT.search(chunk):
            found |= {at + n for n in range(1, len(parts)) if parts[n - 1].isdigit()}
        at += len(parts)
    return found


_POINT = re.compile(r"\d[.,]\d")


def rows_of(search: Search, ledger: Ledger) -> Rows:
    """The rows of the evidence that ``search`` is over, read once."""

    def read() -> Rows:
        asked = {
            entry.result.id: entry.call.arguments
            for entry in ledger.calls
            if entry.result is not None and isinstance(entry.call.arguments, dict)
        }
        return Rows(search, asked)

    return search.once("rows", read)


def _asked_apart(search: Search, asked: Asked) -> frozenset[tuple[str | None, str]]:
    """What tools gave several times for a thing of one name, each time asked for something else."""
    asked_for: dict[tuple[str | None, str], list[Mapping[str, JsonValue]]] = {}
    for passage in search.passages:
        record = passage.record
        if record is None or record.group or record.parent or passage.source.id not in asked:
            continue
        given = asked_for.setdefault((passage.source.tool, record.identity), [])
        if asked[passage.source.id] not in given:
            given.append(asked[passage.source.id])
    return frozenset(thing for thing, given in asked_for.items() if len(given) > 1)


def _is_told(key: str, value: JsonValue) -> bool:
    """Whether an answer may name a result by this argument."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return False
    return not _PAGING.search(key) and 1 < len(str(value)) <= NAME_CHARS


_PAGING = re.compile(
    r"(?:^|_)(?:page|limit|offset|cursor|top_?k|sort|order_by|format|lang(?:uage)?)(?:$|_)|^max_",
    re.I,
)


def _lineage(record: Record) -> list[Record]:
    """A record and those it lies in, innermost first."""
    line: list[Record] = []
    level: Record | None = record
    while level is not None:
        line.append(level)
        level = level.parent
    return line


def _place(passage: Passage, record: Record) -> tuple[Group, Row]:
    pattern = _NUMBERS.sub("/*", record.pointer)
    if record.group and not _NUMBERED.search(record.pointer):
        pattern = f"{record.group}/*"  # a map of records is keyed by name, not by number
    if (
        record.cells
    ):  # where a text has its records differs from call to call: they open with a like field
        pattern = CHARS.sub(lambda _: record.cells[0].key, pattern)
    group = (passage.source.tool or str(passage.source.id), pattern)
    if record.group:  # rows may share what they call themselves: one article, two sites
        return group, (passage.source.id, record.pointer)
    return group, record.identity or (passage.source.id, record.pointer)


_DIGITS = re.compile(r"\+?\d[\d\s:.,()/-]*")


def _is_event(passage: Passage) -> bool:
    """Whether a row opens with its time and has a code that says what happened, ``DEPOT_REACHED``, and no
    name: an appointment has one."""
    record = passage.record
    if record is None or not record.group or not _CODED.match(record.identity):
        return False
    first = next((cell for cell in record.cells if not cell.is_blank), None)
    return any(cell is first and value.moment is not None for cell, value in passage.cell_values)


_CODED = re.compile(r"(?:code|key) [^\W\d]+\Z")
_NUMBERS = re.compile(r"/\d+(?=/|$)")
_NUMBERED = re.compile(r"/\d+$")


def _leaders(votes: Mapping[Row, float]) -> frozenset[Row]:
    best = max(votes.values())
    return frozenset(row for row, vote in votes.items() if vote >= best * 0.99)
