"""Unfinished: a deed whose own result says that it still waits is not done, paid or sent.

``create_refund`` that answers ``status: pending_approval`` bears out "I've submitted the refund" and "the
money hasn't gone out yet", and contradicts "the refund has been paid out". What merely waits its turn,
``queued``, may be called sent, but not arrived.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from affidavit.ledger.ledger import CallEntry
from affidavit.ledger.records import Cell, records_of, words_of
from affidavit.ledger.values import fold
from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.calls.outcomes import span_of
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_WAITS = re.compile(
    r"\b(?:pending|awaiting|waiting|wait|queued|requested|submitted|processing|initiated|in progress|in review|scheduled|draft|unsent|unpaid|not yet|open|received|accepted)\b",
    re.I,
)
_BARRED = re.compile(
    r"\b(?:approval|review|on hold|held|hold|requires?|required|confirmation|authori[sz]ation|manual|blocked|unsent|draft|not yet)\b",
    re.I,
)
"""What waits for somebody, so that nothing was carried out at all."""
_STATE = re.compile(r"(?:^| )(?:status|state|stage|phase|outcome)$")

_ARRIVED = (
    r"(?:paid out|gone out|gone through|went out|went through|completed?|finali[sz]ed|finished|settled|cleared|arrived|landed|credited|delivered|"
    r"reached|in (?:your|their|his|her|the) (?:account|inbox)|all done|through|live|published|released|public)"
)
_CARRIED_OUT = (
    r"(?:paid|sent|refunded|reimbursed|transferred|booked|approved|issued|shipped|deployed|executed|"
    r"activated|processed|done|in place|confirmed)"
)
_IS = r"\b(?:has|have|had|is|are|was|were|['’]s|['’]ve|I|we)(?: (?:now|just|also|already|since|successfully|all|both|fully))*(?: been)?(?: (?:now|just|also|already|successfully|fully))*"
_HAS_ARRIVED = re.compile(rf"{_IS} {_ARRIVED}\b", re.I)
_IS_CARRIED_OUT = re.compile(rf"{_IS} {_CARRIED_OUT}\b", re.I)
_NOT_YET = re.compile(
    rf"(?:\bnot|n['’]t)(?: (?:yet|actually|fully|been|quite))*\s+(?:{_ARRIVED}|{_CARRIED_OUT}|final|complete|official|moved|left)\b",
    re.I,
)
_MONEY = content_stems(
    "money funds amount payment refund sum cash transfer payout yet still so far moment now status customer it email mail message"
)
_CONDITIONAL = re.compile(
    r"\b(?:once|after|when|if|until|unless|as soon as|will|would|can|could|(?-i:may)|might|should|must|before)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A call that changed something, and the field of its result that says that it waits."""

    entry: CallEntry
    cell: Cell
    barred: bool

    @property
    def detail(self) -> str:
        return f"{self.entry.call.name} answered {self.cell.key}: {self.cell.text}"

    @property
    def span(self) -> EvidenceSpan:
        return span_of(self.entry)


def called_done(claim: Claim, waiting: list[Waiting]) -> Waiting | None:
    """The waiting deed that a claim says was carried out."""
    if is_negated(claim.text) or _CONDITIONAL.search(claim.text):
        return None
    arrived = bool(_HAS_ARRIVED.search(claim.text))
    if not arrived and not _IS_CARRIED_OUT.search(claim.text):
        return None
    said = content_stems(claim.statement)
    for deed in reversed(waiting):
        about = named_in(content_stems(words_of(deed.entry.call.name)), said)
        meant = about or _gives(deed.entry, claim)
        if meant and (arrived or deed.barred) and _is_of(deed.entry, claim):
            return deed
    return None


def called_waiting(claim: Claim, waiting: list[Waiting]) -> Waiting | None:
    """The waiting deed that a claim rightly says is not done yet."""
    denied = _NOT_YET.search(claim.text)
    if denied is None:
        return None
    rest = content_stems(claim.text[: denied.start()] + claim.text[denied.end() :]) - _MONEY
    for deed in reversed(waiting):
        answer = deed.entry.result.text if deed.entry.result else ""
        known = content_stems(
            f"{words_of(deed.entry.call.name)} {deed.entry.call.arguments} {answer}"
        )
        if named_in(rest, known) == rest:
            return deed
    return None


def waiting_deeds(changing: list[CallEntry], context: GroundContext) -> list[Waiting]:
    """Those calls whose own result says that they wait, unless a later one read that they went through."""
    found = []
    for entry in changing:
        for record in entry.result.records if entry.result is not None else ():
            for cell in record.cells:
                if len(cell.path) == 1 and isinstance(cell.raw, str) and _STATE.search(cell.key):
                    plain = cell.text.replace("_", " ").replace("-", " ")
                    if _is_of_thing(plain, entry):
                        continue
                    if _WAITS.search(plain) and not _moved_on(entry, cell, context):
                        found.append(Waiting(entry, cell, bool(_BARRED.search(plain))))
    return found


def _is_of_thing(state: str, entry: CallEntry) -> bool:
    """Whether a state is that of the thing and not of the deed: ``modify_pending_order`` leaves it "pending",
    and "pending (item modified)" says what was done."""
    kept = frozenset(words_of(entry.call.name).split()) & frozenset(state.casefold().split())
    return bool(kept or _DONE_TO_IT.search(state))


_DONE_TO_IT = re.compile(r"\((?:[\w ]+ )?\w+ed\)", re.I)


def _moved_on(entry: CallEntry, state: Cell, context: GroundContext) -> bool:
    """Whether a later result gives the same thing another state."""
    own = [c.text for r in (entry.result.records if entry.result else ()) for c in r.cells]
    marks = {text for text in own if any(map(str.isdigit, text))}
    for later in context.ledger.calls:
        if later.message <= entry.message or later.result is None or later.outcome != "ok":
            continue
        for record in later.result.records:
            other = any(c.key == state.key and c.text != state.text for c in record.cells)
            if other and any(c.text in marks for c in record.cells):
                return True
    return False


def _gives(entry: CallEntry, claim: Claim) -> bool:
    """Whether a call was given the amount that a claim tells, and every name in it."""
    texts = [c.text for r in records_of(entry.call.arguments) for c in r.cells]
    numbers = {float(t) for t in texts if re.fullmatch(r"\d+(?:\.\d+)?", t)}
    amounts = [v for v in claim.values if v.kind == "money" and v.number is not None]
    names = [fold(v.text) for v in claim.values if v.kind == "name"]
    known = f" {fold(' '.join(texts))} "
    given = [v for v in amounts if v.number is not None and float(v.number) in numbers]
    return bool(given) and len(given) == len(amounts) and all(f" {n} " in known for n in names)


def _is_of(entry: CallEntry, claim: Claim) -> bool:
    """Whether a call was given, or answered, each number that a claim calls its thing by."""
    named = [v.text for v in claim.values if v.kind == "identifier"]
    texts = [c.text for r in records_of(entry.call.arguments) for c in r.cells]
    texts += [c.text for r in (entry.result.records if entry.result else ()) for c in r.cells]
    return all(any(name in text for text in texts) for name in named)
