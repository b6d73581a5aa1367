"""States: what a status field says became of a thing, held against what the claim says became of it.

``decision: DECLINED`` contradicts "was approved", though the date and the number are right and a small
model sees only that the words go together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell, Record
from affidavit.ledger.values import fold
from affidavit.ledger.words import content_stems, is_negated, named_in, words
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.checks.values.outdated import own_identifier
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "states"

# Each line is one state, under the words for it. Lines of one paragraph cannot hold at once.
_STATES = """
    approved accepted granted authorised authorized passed genehmigt aprobado approuvé approvato aprovado
    declined rejected denied refused disapproved abgelehnt rechazado refusé rifiutato recusado
    pending awaiting queued submitted in-review under-review processing undecided unresolved ausstehend pendiente

    approved accepted
    changes-requested requested-changes asked-for-changes wanted-changes needs-changes needs-work needs-revision sent-back returned-for-revision

    completed complete succeeded successful finished done passed passing pass ok success abgeschlossen completado terminé completato
    failed failing failure fail error unsuccessful errored crashed crashloopbackoff fehlgeschlagen fallido échoué fallito
    skipped not-run omitted
    running in-progress ongoing underway processing started
    pending queued waiting scheduled planned not-started

    paid settled bezahlt pagado payé pagato pago
    unpaid outstanding overdue open awaiting-payment pending-payment payment-pending payment-due not-paid offen impagado impayé

    delivered shipped dispatched arrived geliefert entregado livré consegnato entregue
    in-transit out-for-delivery shipped dispatched unterwegs en-route
    processing preparing pending packed

    active enabled activated switched-on turned-on reactivated
    inactive disabled deactivated suspended blocked barred paused stopped frozen switched-off turned-off
    expired lapsed ended terminated

    running spinning on-stream in-operation
    stopped halted idle not-running standing-still at-rest
    cancelled canceled called-off withdrawn

    healthy ok up operational online reachable responding live up-and-running working in-service in-operation
    degraded unhealthy warning alarm alarming critical faulty malfunctioning
    down offline unreachable outage unresponsive not-responding dead out-of-service out-of-order

    open
    closed resolved solved shut

    available in-stock on-the-shelf on-shelf ready-to-borrow ready-to-collect ready-for-pickup ready-to-take ready-to-rent vacant unoccupied
    unavailable sold-out out-of-stock on-loan loaned lent lent-out checked-out borrowed occupied already-taken rented-out fully-booked booked-out in-use discontinued back-ordered backordered

    confirmed booked reserved
    cancelled canceled voided called-off storniert cancelado annulé annullato
    tentative provisional waitlisted

    draft unpublished
    published

    on-time on-schedule punctual
    delayed late behind-schedule
    cancelled canceled called-off
    diverted

    merged
    open unmerged
    closed abandoned

    public
    private confidential
    unlisted

    valid in-force current
    expired lapsed out-of-date
    revoked invalid void

    locked
    unlocked

    armed
    disarmed unarmed

    verified
    unverified

    signed countersigned
    unsigned
"""
STATUS_FIELD = re.compile(
    r"(?:^| )(?:status|state|decision|outcome|result|verdict|stage|phase|condition|availability|resolution|conclusion|health|standing|approval)$"
)


_WITHOUT = re.compile(r"\b(?:with no|without|no)\s+(?!longer|more)\w+", re.I)
"""What is denied of a thing's company is not denied of the thing: "running with no restarts"."""
_PREDICATE = re.compile(
    r"\b(?:is|are|was|were|be|been|being|(?<=\bit)['’]s|(?<=\bthat)['’]s|(?<=\bhe)['’]s|['’]re|remains?|stays?|status|marked|has|have|had|(?:is|are|was|were|has|have|had)n['’]t|stage|step|ist|sind|wurde|está|"
    r"fue|est|été|è|stato|foi|passed|failed|completed|approved)\b((?:\W+\w+){0,4})",
    re.I,
)
"""Where a state is said of something; "processing times" and "Running Shoes" are no states."""
_NOT_NOW = re.compile(
    r"\b(?:will|would|can|cannot|could|may|might|must|once|after(?! (?:that|this|which|all)\b)|if|until|unless|should|allowed|only for)\b",
    re.I,
)
_PAIR = re.compile(r"\b(status|state|result|outcome|decision)\s*[=:]\s*\"?([\w-]+)", re.I)
_PAIR_KEY = re.compile(r"status|state|result|outcome|decision", re.I)
_LINE = re.compile(
    r"^\W*(?:[\d:.,TZ+-]+\]?\s+)*(?:\[?(?:info|debug|warn\w*|error|notice)\]?:?\s+)?(?P<name>[\w#./-]+(?: [\w#./-]+){0,3}?):? "
    r"(?:was |is |has been )?(?P<state>[A-Za-z]+)\b(?= *(?:\(|$|,|;| in \d| after \d| [\w-]+=))",
    re.M,
)
"""A line of a log that says how a thing stands: "stage publish: skipped (needs: test)"."""


@dataclass(frozen=True, slots=True)
class _Field:
    passage: Passage
    cell: Cell
    said: frozenset[str]
    """Words of the field and its record that the claim says."""


_SORT = re.compile(
    r"^(?:jobs?|stage|step|task|phase|pipeline|service|unit|check|suite|test|build|workflow|process)\s+(?=\S)",
    re.I,
)
"""What sort of thing a line is of, before what it is called: "job sync-offsite"."""
_OF_A_CHANGE = re.compile(
    r"\b(?:changes?|updates?|modifications?|edits?|adjustments?|corrections?) (?:to|on|in|for|of) (?:the |your |this |that )?\S+",
    re.I,
)
"""What was done to a thing may be complete while the thing is pending: "your changes to the order are complete"."""
_THERE_WAS = re.compile(
    r"\bthere (?:was|were|is|are|has been|have been) (?:an?|one|two|some|several|\d+)\b", re.I
)
""" "There was a warning" is of an event in something that may be well."""


def check_states(claim: Claim, context: GroundContext) -> Finding:
    """Compare the state a claim gives a thing with the status fields of that thing."""
    if claim.kind in ("restatement", "absence") or claim.json_path or claim.cell:
        return Finding.skip(NAME, "no statement about a state")
    if claim.kind == "action" and (claim.performer == "agent" or anything_done(context)):
        return Finding.skip(NAME, "no statement about a state")
    if _NOT_NOW.search(claim.text):
        return Finding.skip(NAME, "speaks of what may come, not of what is")
    if (of := _OF_A_CHANGE.search(claim.text)) and _PREDICATE.search(claim.text, of.end()):
        return Finding.skip(NAME, "speaks of a change to it, not of its state")
    if _THERE_WAS.search(claim.text):
        return Finding.skip(NAME, "speaks of an event, not of a state")
    said = claim.statement if claim.is_elliptic else claim.text
    told = _in_plain_words(_without_other(said), claim.statement)
    told = _DONE_SO_FAR.sub(" ", _PARTWAY.sub("in progress", told))
    predicates = " … ".join(m[0] for m in _PREDICATE.finditer(told))
    claimed = states_in(predicates)
    if not claimed:
        return _called_so(predicates, claim, context)
    each = _of_each(claim, told, claimed, context)
    if each is not None:
        return each
    subject = _subject(claim, told)
    fields = list(_fields(claim, subject, context))
    if not fields and not (fields := _own_fields(subject, context)):
        return Finding.skip(NAME, "no status field bears on it")
    chains = [(f, context.rows.chain(f.passage)) for f in fields]
    own = [f for f, chain in chains if context.named.names(chain)]
    # Of a thing and its parts, the thing: the release, and not its gates.
    own = [f for f, chain in chains if context.named.names(chain[:1])] or own
    # "Deploy failed" names by its state the stage that failed as well.
    own = [f for f in own if _is_called(f, subject)] or (
        own and ([f for f in fields if _is_called(f, subject)] or own)
    )
    most = max(len(f.said) for f in own or fields)
    best = [f for f in own or fields if len(f.said) == most]
    if not any(_is_of(field, subject) for field in best) and (
        of_it := _own_fields(subject, context)
    ):
        best = [f for f in of_it if _has_state(f.cell) or listed_states(f.cell)]
        if not best:
            return Finding.skip(NAME, "a field of its own tells of what is spoken of")
    best = [f for f in best if _is_of_row_called(f.passage, claim)] or best
    # Of a host's ``state`` and the status of its disk, the one that is of the whole.
    best = [f for f in best if content_stems(f.cell.key) <= _TOLD_OF_ALL] or best
    verdicts = {compare_states(claimed, field.cell) for field in best}
    if len(verdicts) != 1:
        return Finding.skip(NAME, "status fields that bear on it disagree")
    same = verdicts.pop()
    if same is None:
        return Finding.skip(NAME, "the states do not exclude each other")
    span = best[0].passage.span(best[0].cell)
    in_part = _WHOLLY.search(claim.text) and _PARTLY.search(best[0].cell.text)
    if _OF_ALL.search(claim.text) and same != _denied(told) and not listed_states(best[0].cell):
        return Finding.skip(NAME, "one of them is so, which says nothing of all")
    if same != _denied(told) and not in_part:
        return Finding(
            NAME, "checked", "supports", 0.9, None, span.text, spans=(span,), settles="values"
        )
    detail = f"the evidence has {span.text}"
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=(span,)
    )


_CONNECTED = re.compile(
    r".*(?:[,;:]|\b(?:and|but|so|while|whereas|although|though|because)\b)", re.I | re.S
)
_TOLD_OF_ALL = content_stems(
    "status state decision outcome result verdict stage phase condition availability resolution conclusion "
    "health standing approval current"
)
"""Names of status fields, which say nothing of what they are of."""


def _subject(claim: Claim, told: str) -> frozenset[str]:
    """The words for what a state is told of; of a clause that leaves it out, those of its statement."""
    said = next((m for m in _PREDICATE.finditer(told) if states_in(m[0])), None)
    before = _CONNECTED.sub("", told[: said.start()]) if said else ""
    return content_stems(before) or content_stems(claim.statement)


def _is_of(field: _Field, subject: frozenset[str]) -> bool:
    """Whether a status field bears the name of what is spoken of, or lies in a record that does."""
    record = field.passage.record
    own = content_stems(f"{field.cell.key} {record.header if record else ''}") - _TOLD_OF_ALL
    return bool(named_in(own, subject))


_OF_ALL = re.compile(r"\b(?:all|both|every|each|everything)\b", re.I)


def _is_of_row_called(passage: Passage, claim: Claim) -> bool:
    """Whether a claim calls a row of a list by its first field, be it one letter or number: "Shed C"."""
    first = next((c.text for c, _, _ in passage.cells), "")
    if passage.record is None or not passage.record.group or not 0 < len(first) <= _SHORT:
        return False
    return bool(re.search(rf"(?<=[a-z] ){re.escape(first)}(?!\w)", claim.text))


def _is_called(field: _Field, subject: frozenset[str]) -> bool:
    """Whether a record is called by the subject, by a field or by what one holds, other than by its state: "the
    manuscript is accepted" is of the ``manuscript``, not of the referee whose ``decision`` is "accepted"."""
    return any(
        (key := content_stems(cell.key)) and key <= subject or content_stems(cell.text) & subject
        for cell, _, _ in field.passage.cells
        if cell is not field.cell
    )


def _own_fields(subject: frozenset[str], context: GroundContext) -> list[_Field]:
    """What bears the name of the subject itself and says yes, no or a state of it: with ``roaming_data: false``
    that "data roaming is blocked" is no matter of the line's ``status: active``."""
    found = []
    for passage in context.fitting if subject else ():
        for cell, _, _ in passage.cells if is_result(passage) else ():
            key = content_stems(cell.key)
            *of, last = words(cell.key) or [""]
            counted = bool(of) and bool(states_in(last)) and content_stems(" ".join(of)) <= subject
            tells = cell.flag is not None or _has_state(cell) or bool(listed_states(cell))
            if key and (counted or tells and key <= subject and len(cell.text) <= _SHORT):
                found.append(_Field(passage, cell, key))
    return found


def _of_each(
    claim: Claim, told: str, claimed: frozenset[tuple[int, int]], context: GroundContext
) -> Finding | None:
    """ "The build and the unit tests passed": the states of those things, or of the parts that each has; None where
    one of them is no thing that has a state."""
    predicate = next((m for m in _PREDICATE.finditer(told) if states_in(m[0])), None)
    parts = _AND.split(told[: predicate.start()]) if predicate is not None else []
    called = [stems for part in parts if (stems := content_stems(part))]
    if len(called) < _SEVERAL or len(called) != len(parts):
        return None
    found = [_states_of(stems, context) for stems in called]
    if not all(found):
        return None
    denied = _denied(told)
    verdicts = {compare_states(claimed, cell) for cells in found for _, cell in cells}
    if verdicts == {True} and not denied or verdicts == {False} and denied:
        spans = tuple(passage.span(cell) for cells in found for passage, cell in cells)
        detail = "; ".join(span.text for span in spans)
        return Finding(NAME, "checked", "supports", 0.9, None, detail, spans=spans)
    other = next(
        ((p, c) for cells in found for p, c in cells if compare_states(claimed, c) is False), None
    )
    if other is None or denied or None in verdicts:
        return None
    span = other[0].span(other[1])
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", f"the evidence has {span.text}",
        spans=(span,),
    )  # fmt: skip


_AND = re.compile(r",\s*(?:and |both )?|\s(?:and|as well as|plus)\s|^\W*both ", re.I)
_SEVERAL = 2


def _states_of(stems: frozenset[str], context: GroundContext) -> list[tuple[Passage, Cell]]:
    """The status fields of the one thing that is called so, or of the parts that it has."""
    results = [p for p in context.search.passages if p.record is not None and is_result(p)]
    called = [p for p in results if p.record and content_stems(_name_of(p.record)) == stems]
    pointers = {(p.source.id, p.record.pointer) for p in called if p.record}
    if len(pointers) != 1:
        return []
    source, pointer = pointers.pop()
    inside = [
        p
        for p in results
        if p.source.id == source and p.record and _is_in(p.record.pointer, pointer)
    ]
    own = [p for p in inside if p.record and p.record.pointer == pointer]
    for group in (own, inside):
        cells = [
            (p, c) for p in group for c, _, _ in p.cells
            if isinstance(c.raw, str) and STATUS_FIELD.search(c.key) and _has_state(c)
        ]  # fmt: skip
        if cells:
            return cells
    return []


def _is_in(pointer: str, outer: str) -> bool:
    return pointer == outer or pointer.startswith(outer.rstrip("/") + "/")


def _name_of(record: Record) -> str:
    """What a record is called: its first text that is no state and no number."""
    texts = (c.text for c in record.cells if isinstance(c.raw, str) and not states_in(c.text))
    return next((text for text in texts if not text.isdigit()), "")


_WHOLLY = re.compile(r"\b(?:fully|completely|entirely|wholly|in full|totally)\b", re.I)
_PARTLY = re.compile(r"partial|(?<![a-z])part(?:ly)?(?![a-z])|incomplete", re.I)
"""A state of some of it: "fully shipped" is not PARTIALLY_SHIPPED."""

CHECKED = re.compile(
    r"\b(?:checks?|builds?|tests?|pipelines?|jobs?|stages?|ci|suites?|lint\w*|unit|e2e|workflows?|lights?|status|health|dashboards?|probes?|monitors?)\b",
    re.I,
)
_WENT_WELL = re.compile(
    r"\b(?:(?:went|came|got|made it|sailed) through|(?:was|were|is|are|looked|looks?) (?:all )?(?:fine|ok(?:ay)?|good))\b",
    re.I,
)
"""That a check or a step passed, as people say it."""
_GREEN, _RED = re.compile(r"\bgreen\b", re.I), re.compile(r"\bred\b", re.I)
_ENDS_HERE = r"(?=\W*$|[,;.)]| and\b| but\b| as well\b| too\b| at the moment\b| right now\b| again\b| already\b)"
_IS = r"\b((?:is|are|was|were|stays?|remains?|['’]s)(?: (?:\w+ly|still|now|also|all|both|back|not|already))*)"
_IS_IN = re.compile(rf"{_IS} in{_ENDS_HERE}", re.I)
_IS_FREE = re.compile(rf"{_IS} (?:free|empty){_ENDS_HERE}", re.I)
_IS_TAKEN = re.compile(rf"{_IS} (?:taken|full){_ENDS_HERE}", re.I)
_COSTS = re.compile(
    r"\b(?:deliver\w*|shipping|entry|entrance|admission|parking|returns?|cancel\w*|service|trial|breakfast|wi-?fi|support|visits?|upgrade|access|download)\b",
    re.I,
)
"""What is free of charge, and not of people."""
_IS_ON = re.compile(rf"{_IS} (on|off){_ENDS_HERE}", re.I)


_THERE_ARE_SEATS = re.compile(
    r"\bthere (?:is|are)(?: still| also)?(?: some| plenty of)? (?=(?:seats?|rooms?|places?|tickets?|beds?|tables?|spots?|spaces?|slots?|berths?|copies)\b)",
    re.I,
)
"""What there is some of is to be had: "there are seats in second class"."""


def _in_plain_words(text: str, statement: str) -> str:
    """The short words for states that mean other things elsewhere: a check is green, a copy is in, a light is
    off; a jacket may be green as well."""
    if CHECKED.search(statement):
        text = _RED.sub("failed", _GREEN.sub("passed", _WENT_WELL.sub("was passed", text)))
    text = _IS_IN.sub(r"\1 available", text)
    text = text if _COSTS.search(text) else _IS_FREE.sub(r"\1 vacant", text)
    text = _IS_TAKEN.sub(r"\1 occupied", text)
    text = _THERE_ARE_SEATS.sub("is available ", text)
    return _IS_ON.sub(r"\1 turned \2", text)


def anything_done(context: GroundContext) -> bool:
    """Whether a call of this run changed something, so that a state read before may be no more."""
    return any(
        words(e.call.name.replace("_", " "))[:1] not in _READING for e in context.ledger.calls
    )


_READING = [
    [word]
    for word in "get list search find read fetch query lookup look check show describe retrieve view".split()
]


def _called_so(predicates: str, claim: Claim, context: GroundContext) -> Finding:
    """A state that is in no table, told in the field's own word: "your order is processed"."""
    said = f" {fold(predicates)} "
    for passage in context.fitting if predicates and not is_negated(predicates) else ():
        if is_result(passage) and _is_named(passage, context):
            for cell, _, _ in passage.cells:
                own = isinstance(cell.raw, str) and STATUS_FIELD.search(cell.key)
                if own and cell.text.isalpha() and f" {fold(cell.text)} " in said:
                    span = passage.span(cell)
                    return Finding(
                        NAME, "checked", "supports", 0.9, None, span.text, spans=(span,),
                        settles="values",
                    )  # fmt: skip
    return Finding.skip(NAME, "gives nothing a state")


_OTHER = re.compile(
    r"\([^()]*\b(?:not|no)\b[^()]*\)|(?:,(?: and| but)?| and| but) not (?:yet )?(?:(?:in|on|under|at|for) )?(?:an? |the )?\w+(?: \w+)?\W*$",
    re.I,
)
"""What a state is set against: "pending (not delivered yet)", "still open, not resolved"."""


_OF_ANY = re.compile(
    r"\b(?:for|on|to|of|from|with|in) (?:any |all )?[\w-]+ (?!status\b)\w{3,}s\b", re.I
)
"""Things of a state, which says nothing of this one's: "only available for delivered orders"."""


def _without_other(text: str) -> str:
    return _OF_ANY.sub(" ", _OTHER.sub(" ", text))


def _denied(text: str) -> bool:
    """Whether the state is denied; "unable to change an order that has been delivered" denies another."""
    plain = _WITHOUT.sub(" ", text)
    said = [m for m in _PREDICATE.finditer(plain) if states_in(m[0])]
    near = " ".join(plain[max(0, m.start() - _NEGATION_REACH) : m.end()] for m in said)
    return is_negated(near) if said else is_negated(plain)


_NEGATION_REACH = 12
"""Characters before a predicate in which a "not" or "never" is about it."""


def _fields(claim: Claim, subject: frozenset[str], context: GroundContext) -> Iterator[_Field]:
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
            if isinstance(cell.raw, str) and STATUS_FIELD.search(cell.key) and _has_state(cell):
                record = passage.record
                around = content_stems(cell.key) | content_stems(record.header if record else "")
                found.append((passage, cell, named_in(around, said), _is_named(passage, context)))
    # A log tells of a thing again and again; its last line says how it stands.
    last = {f[1].key: f for f in found if f[0].record is None and not _PAIR_KEY.fullmatch(f[1].key)}
    found = [f for f in found if last.get(f[1].key, f) is f]
    latest = {(own_identifier(p), c.key): p.source.id for p, c, _, _ in found if own_identifier(p)}
    found = [f for f in found if latest.get((own_identifier(f[0]), f[1].key), -1) <= f[0].source.id]
    found = [f for f in found if _is_of_row_called(f[0], claim)] or found
    called = [f for f in found if _is_called(_Field(f[0], f[1], f[2]), subject)]
    named = [f for f in found if f[3] or f[2] or f in called]
    for passage, cell, words_said, _ in named or (found if len(found) == 1 else []):
        yield _Field(passage, cell, words_said)


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


_LISTED_STATE = re.compile(r"\s*(?P<name>[\w./-]+(?: [\w./-]+)?)\s*[:=]?\s+(?P<state>[\w-]+)\s*")


BETWEEN_STATES = re.compile(r"[,;|]\s*|\s{2,}|\s(?=[\w./-]+\s?[=:])")
"""Where one part of a listing ends: "A=online  B=online"."""


def listed_states(cell: Cell) -> list[tuple[str, Cell]]:
    """The names and states of a field that gives several of them, nothing else: "unit OK, e2e FAILED"."""
    parts = BETWEEN_STATES.split(cell.text.strip()) if isinstance(cell.raw, str) else []
    pairs = [m for part in parts if (m := _LISTED_STATE.fullmatch(part)) and states_in(m["state"])]
    if len(parts) < 2 or len(pairs) != len(parts):
        return []
    return [(m["name"], Cell((*cell.path, m["name"]), m["state"], cell.pointer)) for m in pairs]


def _is_named(passage: Passage, context: GroundContext) -> bool:
    chain = context.rows.chain(passage)
    return any(row in context.topic.rows.get(group, ()) for group, row in chain)


_NOT_SO = re.compile(r"\b(?:not|never|without being|instead of) \w+")
"""What a field says that it is not: "closed, not merged"."""
_DONE_SO_FAR = re.compile(
    r"\b(?:has|have|had) (?:\w+ )?(?:done|finished|completed)(?= (?:\w+ )?\d)", re.I
)
"""How much of it is done: "the job has done 6,400 documents" does not say that it is done."""
_PARTWAY = re.compile(r"(?<![\d.,])\d{1,2}(?:[.,]\d+)?\s?%\s(?:\w+ )?(?:done|complete\w*|finished)")


def compare_states(claimed: frozenset[tuple[int, int]], cell: Cell) -> bool | None:
    """Same state, states that exclude each other, or neither; nothing of several things in several states."""
    if listed := listed_states(cell):
        each = {compare_states(claimed, state) for _, state in listed}
        return each.pop() if len(each) == 1 else None
    text = _PARTWAY.sub("in progress", cell.text.casefold())
    held = states_in(f"turned {text}" if text in ("on", "off") else _NOT_SO.sub(" ", text))
    if claimed & held:
        return True
    if {paragraph for paragraph, _ in claimed} & {paragraph for paragraph, _ in held}:
        return False
    return None


_SHORT = 60
"""Characters of a field that says how a thing stands; a longer one tells a story."""


def _has_state(cell: Cell) -> bool:
    return bool(states_in(cell.text)) or cell.text.casefold() in ("on", "off")


def claimed_states(claim: Claim) -> frozenset[tuple[int, int]]:
    """The states that a claim gives what it speaks of."""
    said = claim.statement if claim.is_elliptic else claim.text
    told = _in_plain_words(_without_other(said), claim.statement)
    return states_in(" … ".join(m[0] for m in _PREDICATE.finditer(told)))


@lru_cache(maxsize=4096)
def states_in(text: str) -> frozenset[tuple[int, int]]:
    """The states a text names, as (paragraph, line) of the table."""
    plain, table = words(text.replace("_", " ")), _table()
    phrases = (
        tuple(plain[i : i + size]) for size in _sizes() for i in range(len(plain) - size + 1)
    )
    return frozenset(state for phrase in phrases for state in table.get(phrase, ()))


@cache
def _sizes() -> frozenset[int]:
    """How many words the states of the table have."""
    return frozenset(map(len, _table()))


@cache
def _table() -> dict[tuple[str, ...], set[tuple[int, int]]]:
    table: dict[tuple[str, ...], set[tuple[int, int]]] = {}
    for p, paragraph in enumerate(_STATES.strip().split("\n\n")):
        for n, line in enumerate(paragraph.splitlines()):
            for name in line.split():
                phrase = tuple(fold(word) for word in name.split("-"))
                table.setdefault(phrase, set()).add((p, n))
    return table
