"""The status fields that bear on a claim: of records, of lines of a log, of what one field lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.words import content_stems, named_in, words
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.checks.states.held import SHORT, has_state, listed_states
from affidavit.stages.ground.checks.states.vocabulary import STATUS_FIELD, states_in
from affidavit.stages.ground.checks.values.outdated import own_identifier
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_PAIR = re.compile(r"\b(status|state|result|outcome|decision)\s*[=:]\s*\"?([\w-]+)", re.I)
_PAIR_KEY = re.compile(r"status|state|result|outcome|decision", re.I)
_LINE = re.compile(
    r"^\W*(?:[\d:.,TZ+-]+\]?\s+)*(?:\[?(?:info|debug|warn\w*|error|notice)\]?:?\s+)?(?P<name>[\w#./-]+(?: [\w#./-]+){0,3}?):? "
    r"(?:was |is |has been )?(?P<state>[A-Za-z]+)\b(?= *(?:\(|$|,|;| in \d| after \d| [\w-]+=))",
    re.M,
)
"""A line of a log that says how a thing stands: "stage publish: skipped (needs: test)"."""


@dataclass(frozen=True, slots=True)
class StatusField:
    """A field that says how a thing stands, where it was found."""

    passage: Passage
    cell: Cell
    said: frozenset[str]
    """Words of the field and its record that the claim says."""


_SORT = re.compile(
    r"^(?:jobs?|stage|step|task|phase|pipeline|service|unit|check|suite|test|build|workflow|process)\s+(?=\S)",
    re.I,
)
"""What sort of thing a line is of, before what it is called: "job sync-offsite"."""
TOLD_OF_ALL = content_stems(
    "status state decision outcome result verdict stage phase condition availability resolution conclusion "
    "health standing approval current"
)
"""Names of status fields, which say nothing of what they are of."""


def is_of_subject(field: StatusField, subject: frozenset[str]) -> bool:
    """Whether a status field bears the name of what is spoken of, or lies in a record that does."""
    record = field.passage.record
    own = content_stems(f"{field.cell.key} {record.header if record else ''}") - TOLD_OF_ALL
    return bool(named_in(own, subject))


def is_of_row_called(passage: Passage, claim: Claim) -> bool:
    """Whether a claim calls a row of a list by its first field, be it one letter or number: "Shed C"."""
    first = next((c.text for c, _, _ in passage.cells), "")
    if passage.record is None or not passage.record.group or not 0 < len(first) <= SHORT:
        return False
    return bool(re.search(rf"(?<=[a-z] ){re.escape(first)}(?!\w)", claim.text))


def is_called(field: StatusField, subject: frozenset[str]) -> bool:
    """Whether a record is called by the subject, by a field or by what one holds, other than by its state: "the
    manuscript is accepted" is of the ``manuscript``, not of the referee whose ``decision`` is "accepted"."""
    return any(
        (key := content_stems(cell.key)) and key <= subject or content_stems(cell.text) & subject
        for cell, _, _ in field.passage.cells
        if cell is not field.cell
    )


def own_fields(subject: frozenset[str], context: GroundContext) -> list[StatusField]:
    """What bears the name of the subject itself and says yes, no or a state of it: with ``roaming_data: false``
    that "data roaming is blocked" is no matter of the line's ``status: active``."""
    found = []
    for passage in context.fitting if subject else ():
        for cell, _, _ in passage.cells if is_result(passage) else ():
            key = content_stems(cell.key)
            *of, last = words(cell.key) or [""]
            counted = bool(of) and bool(states_in(last)) and content_stems(" ".join(of)) <= subject
            tells = cell.flag is not None or has_state(cell) or bool(listed_states(cell))
            if key and (counted or tells and key <= subject and len(cell.text) <= SHORT):
                found.append(StatusField(passage, cell, key))
    return found


def status_fields(
    claim: Claim, subject: frozenset[str], context: GroundContext
) -> Iterator[StatusField]:
    """The status fields of the things the claim names; of the only thing there is, where it names none."""
    said = content_stems(f"{claim.context} {claim.statement}")
    found = []
    for passage in context.search.passages:
        if is_result(passage) and passage.record is None:
            found += _in_line(passage, said)
        if is_result(passage) and context.topic.fits(context.rows.chain(passage)):
            found += _in_list(passage, claim)
        if not is_result(passage) or not context.topic.fits(context.rows.chain(passage)):
            continue
        for cell, _, _ in passage.cells:
            if isinstance(cell.raw, str) and STATUS_FIELD.search(cell.key) and has_state(cell):
                record = passage.record
                around = content_stems(cell.key) | content_stems(record.header if record else "")
                found.append(
                    (
                        passage,
                        cell,
                        named_in(around, said),
                        context.topic.touches(context.rows.chain(passage)),
                    )
                )
    # A log tells of a thing again and again; its last line says how it stands.
    last = {f[1].key: f for f in found if f[0].record is None and not _PAIR_KEY.fullmatch(f[1].key)}
    found = [f for f in found if last.get(f[1].key, f) is f]
    latest = {(own_identifier(p), c.key): p.source.id for p, c, _, _ in found if own_identifier(p)}
    found = [f for f in found if latest.get((own_identifier(f[0]), f[1].key), -1) <= f[0].source.id]
    found = [f for f in found if is_of_row_called(f[0], claim)] or found
    called = [f for f in found if is_called(StatusField(f[0], f[1], f[2]), subject)]
    named = [f for f in found if f[3] or f[2] or f in called]
    for passage, cell, words_said, _ in named or (found if len(found) == 1 else []):
        yield StatusField(passage, cell, words_said)


def _in_line(
    passage: Passage, said: frozenset[str]
) -> list[tuple[Passage, Cell, frozenset[str], bool]]:
    """The status that a line of a log gives itself: ``stage=deploy status=skipped``."""
    pairs = [
        (
            passage,
            Cell((match[1],), match[2], passage.pointer),
            named_in(content_stems(passage.text), said),
            False,
        )
        for match in _PAIR.finditer(passage.text)
        if states_in(match[2])
    ]
    if pairs:
        return pairs
    last = {m["name"]: m["state"] for m in _LINE.finditer(passage.text) if states_in(m["state"])}
    return [
        (passage, Cell((name,), state, passage.pointer), named, False)
        for name, state in last.items()
        if (own := content_stems(_SORT.sub("", name)))
        and len(named := named_in(own, said)) * 2 >= len(own)
    ]


def _in_list(passage: Passage, claim: Claim) -> list[tuple[Passage, Cell, frozenset[str], bool]]:
    """The states of those things that one field lists and the claim names: ``checks: unit OK, e2e FAILED``."""
    said = set(words(claim.text))
    return [
        (passage, cell, frozenset({"listed"}), True)
        for listed, _, _ in passage.cells
        for name, cell in listed_states(listed)
        if set(words(name)) <= said
    ]
