"""The words for states: which mean the same, and which cannot hold at once."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from affidavit.ledger.values import fold
from affidavit.ledger.words import words

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

    delivered arrived geliefert entregado livré consegnato entregue
    in-transit out-for-delivery shipped dispatched unterwegs en-route
    processing preparing pending packed

    shipped dispatched

    active enabled activated switched-on turned-on reactivated
    inactive disabled deactivated suspended blocked barred paused stopped frozen switched-off turned-off
    expired lapsed ended terminated

    running spinning on-stream in-operation
    stopped halted idle not-running standing-still at-rest
    cancelled canceled called-off withdrawn

    ready
    not-ready notready unready

    healthy ok up operational online reachable responding live up-and-running working in-service in-operation
    degraded unhealthy warning alarm alarming critical faulty malfunctioning
    down offline unreachable outage unresponsive not-responding dead out-of-service out-of-order

    open
    closed resolved solved shut

    available in-stock on-the-shelf on-shelf ready-to-borrow ready-to-collect ready-for-pickup ready-to-take ready-to-rent vacant unoccupied
    unavailable sold-out out-of-stock on-loan loaned lent lent-out checked-out borrowed occupied already-taken rented-out fully-booked booked-out in-use discontinued back-ordered backordered

    confirmed booked reserved
    cancelled canceled voided called-off storniert cancelado annulé annullato
    tentative provisional waitlisted requested unconfirmed

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
