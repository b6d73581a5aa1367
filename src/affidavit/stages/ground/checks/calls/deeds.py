"""Deeds: which verbs do the same thing to the world, and which calls do it."""

from __future__ import annotations

import re
from functools import cache

from affidavit.ledger.ledger import CallEntry
from affidavit.ledger.records import words_of
from affidavit.ledger.words import content_stems, stem
from affidavit.stages.ground.checks.calls.phrasal import plain_deeds
from affidavit.stages.ground.finding import GroundContext
from affidavit.stages.ground.phrases import CARRIED_OUT, CARRYING_OUT

# Verbs that do the same thing to the world: what an answer says against what tools are called.
_DEEDS = """
    cancel void terminate annul stornieren storniert cancelar cancelado annuler annulé
    change modify modification update edit set adjust alter switch correct amend replace swap exchange ändern geändert aktualisiert cambiar cambiado modifier modifié
    add append include insert attach hinzugefügt añadido ajouté
    remove delete drop erase clear gelöscht entfernt eliminado supprimé
    send sent email mail message notify remind forward gesendet geschickt verschickt enviado envoyé
    book booking reserve reservation schedule arrange buy bought purchase gebucht reserviert reservado réservé
    create open file make made submit register raise log issue initiate initiated erstellt angelegt creado créé
    refund reimburse credit erstattet reembolsado remboursé
    return
    pay paid payment charge transfer purchase buy order bezahlt überwiesen pagado payé
    publish post release deploy veröffentlicht publicado publié
    save store draft keep kept write wrote gespeichert guardado enregistré
    restart reboot reset neu gestartet reiniciado redémarré
    assign reassign escalate transfer route zugewiesen asignado
    raise set increase upgrade escalate
    lower set decrease downgrade
    enable activate turn start resume aktiviert activado
    disable deactivate stop pause turn suspend deaktiviert desactivado
    approve confirm accept bestätigt confirmado confirmé
    reject decline deny
    apply redeem use
    merge close resolve
    move relocate transfer shift redirect reroute divert
    move reschedule rebook postpone shift change update
    extend renew prolong
    unsubscribe subscribe
    verify authenticate
    generate export download upload
    revert roll rollback restore undo
    block lock freeze unlock unblock
    rename tag label
    run execute trigger launch
"""
VERBISH = re.compile(
    r"\b(?:I|we)(?:['’]ve| have| had|['’]m| am)?\s+(?:now |just |also |already |successfully |gone ahead and )*"
    r"(\w+)|\b(?:has|have|was|were|is|are|been)\s+(?:now |just |also |already |successfully |been )*(\w+)|"
    r"\b(?:habe|hat|haben|wurde|wurden|he|ha|han|se ha|j['’]ai|a été)\b.*?\b(\w+)\b(?=[.!,]|$)",
    re.I,
)
WRITTEN_TO = re.compile(
    r"\b(?:wr(?:ote|itten|ite)|reached out|(?:got|gotten|been) in touch|spoken|talked|replied) (?:back )?(?:to|with)\b|\bcontacted\b|"
    r"\b(?:I|we)(?:['’]ve| have) (?:now |just |also |already )*(?:asked|told)\b",
    re.I,
)
GENERIC_DEEDS = frozenset(
    stem(w)
    for w in "complete process perform finish do done make made handle submit carry proceed success".split()
)
READS = frozenset(
    "get list search find read fetch query lookup look check show describe retrieve count view "
    "calculate estimate verify validate track browse".split()
)
"""First words of the names of tools that change nothing."""
SEARCHES = frozenset(
    "search find query list lookup browse discover recommend suggest filter match ask".split()
)
"""First words of the names of tools whose results need not be about what they were given."""


def deeds_of(text: str) -> frozenset[str]:
    plain = text.replace("_", " ")
    if carried := CARRIED_OUT.search(plain) or CARRYING_OUT.search(plain):
        return same_deed(stem(carried[1]))
    found = {same for verb in plain_deeds(plain) for same in same_deed(verb)}
    text = re.sub(r"\b(e|re)-(?=\w)", r"\1", text, flags=re.I)  # "e-mailed"
    if WRITTEN_TO.search(text):
        found |= same_deed(stem("send"))
    for match in VERBISH.finditer(text):
        verb = next((g for g in match.groups() if g), "")
        found |= same_deed(stem(verb))
    if not found or found <= GENERIC_DEEDS:
        found |= named_deeds(text)
    return frozenset(found)


def named_deeds(text: str) -> frozenset[str]:
    """The deeds that a text has any word for: "no cancellation has been placed" is of cancelling."""
    return frozenset().union(*(same_deed(w) for w in content_stems(text) if w in _deed_table()))


def does(entry: CallEntry, deeds: frozenset[str]) -> bool:
    name = words_of(entry.call.name).split()
    if not name or name[0] in READS:  # ``get_order`` orders nothing
        return False
    return any(not same_deed(stem(word)).isdisjoint(deeds) for word in name)


def could(context: GroundContext, deeds: frozenset[str]) -> bool:
    """Whether a tool of this run does such a thing, so that its call would be in the record."""
    return any(
        not same_deed(stem(word)).isdisjoint(deeds)
        for tool in context.ledger.tools or ()
        for word in words_of(tool.name).split()
        if words_of(tool.name).split()[0] not in READS
    )


def writes(entry: CallEntry) -> bool:
    """Whether a tool's name says that it changes something."""
    name = words_of(entry.call.name).split()
    return bool(name) and name[0] not in READS and any(stem(w) in _deed_table() for w in name)


def anything_done(context: GroundContext) -> bool:
    """Whether a call of this run may have changed something, so that a state read before may be no more."""
    names = (words_of(entry.call.name).split() for entry in context.ledger.calls)
    return any(not name or name[0] not in READS for name in names)


@cache
def _deed_table() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for line in _DEEDS.strip().splitlines():
        group = {stem(word) for word in line.split()}
        for member in group:
            table.setdefault(member, set()).update(group)
    return {member: frozenset(group) for member, group in table.items()}


def same_deed(stemmed: str) -> frozenset[str]:
    """The stems of all verbs that do the same thing to the world; of an unknown one, itself."""
    return _deed_table().get(stemmed, frozenset({stemmed}))


def is_deed(stemmed: str) -> bool:
    """Whether a stem is of a verb that changes something."""
    return stemmed in _deed_table()
