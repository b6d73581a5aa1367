"""Clauses of a sentence in a language other than English: at semicolons, and where "y", "e", "et", "und" or
"en" begins another statement with a figure of its own, so that one wrong figure does not take the other along.

Only what word lists can tell is cut: behind the conjunction stands a finite verb that is frequent in
answers, at once or behind a short subject with an article. "Zwischen 3 und 5", "7 € et 9 €" stay whole.
"""

from __future__ import annotations

import re

from affidavit.stages.ground.split.clauses import Clause
from affidavit.stages.ground.split.protect import protect

_SPANISH = (
    "es son está están estaba estará fue fueron era eran será serán ha han hay habrá tiene tienen tendrá puede pueden podrá "
    "cuesta cuestan costará vale valen sale salen saldrá llega llegan llegará dura duran incluye incluyen vence vencen "
    "caduca abre abren cierra cierran empieza empiezan comienza termina terminan queda quedan pesa pesan mide miden asciende "
    "ascienden vuelve vuelven corresponde corresponden contiene lleva debe deben recibe recibirá pagará sigue permanece"
)
_PORTUGUESE = (
    "é são está estão estava estará foi foram era será serão tem têm terá pode podem poderá custa custam vale sai saem chega "
    "chegam chegará dura duram inclui incluem vence expira abre abrem fecha fecham começa começam termina terminam fica ficam "
    "ficou pesa mede corresponde contém leva deve devem recebe"
)
_ITALIAN = (
    "è sono era erano sarà saranno ha hanno avrà può possono costa costano vale parte partono arriva arrivano dura durano "
    "include includono scade scadono apre aprono chiude chiudono inizia comincia termina finisce resta restano pesa misura "
    "ammonta corrisponde contiene deve devono riceve riceverà verrà viene vengono"
)
_FRENCH = (
    "est sont était étaient sera seront a ont aura auront peut peuvent pourra coûte coûtent vaut part partent partira arrive "
    "arrivent arrivera dure durent inclut comprend comprennent expire expirent ouvre ouvrent ferme ferment commence "
    "commencent finit termine reste restent pèse mesure correspond contient doit doivent reçoit recevra"
)
_GERMAN = (
    "ist sind war waren wird werden wurde wurden hat haben hatte kann können muss müssen soll darf kostet kosten beträgt "
    "betragen fährt fahren kommt kommen dauert dauern enthält läuft laufen öffnet schließt beginnt beginnen endet enden bleibt "
    "bleiben wiegt misst gilt gelten umfasst geht gehen steht stehen liegt liegen"
)
_DUTCH = (
    "is zijn was waren wordt worden werd heeft hebben kan kunnen moet kost kosten bedraagt vertrekt komt duurt bevat loopt "
    "opent sluit begint eindigt blijft weegt geldt gaat staat ligt"
)
_VERBS = {
    "y": _SPANISH,
    "e": f"{_SPANISH} {_PORTUGUESE} {_ITALIAN}",
    "ed": _ITALIAN,
    "et": _FRENCH,
    "und": _GERMAN,
    "en": _DUTCH,
}
_ARTICLES = (
    r"(?:el|la|los|las|un|una|su|sus|tu|o|a|os|as|um|uma|(?:o |a )?(?:seu|sua)|il|lo|i|gli|le|(?:il |la )?(?:suo|sua)|les|une|votre|"
    r"vos|son|sa|ses|der|die|das|ein|eine|ihre?|deine?|de|het|een|uw|je)"
)
_JOINT = re.compile(rf"(?:,|(?<!\s))\s++(?P<word>{'|'.join(_VERBS)})\s+", re.IGNORECASE)
# The verb may be denied or reflexive: "no incluye", "se cobrará", "ne comprend", "wird nicht" has it first.
_BEFORE_VERB = {
    "y": r"(?:no |se |le )*",
    "e": r"(?:não |non |no )?",
    "et": r"(?:ne |n['’]|s['’]|se )?",
}
_ANOTHER = re.compile(r"\b(?:que|qui|che|welche[rs]?|dass|wenn|si|se|als|dat|cuando|quando|quand)\b", re.IGNORECASE)  # fmt: skip


def split_other(sentence: str) -> list[Clause]:
    """The clauses of ``sentence``, in order; together they are the whole of it."""
    shown = protect(sentence)
    starts: list[tuple[int, int, str]] = [(0, 0, "")]
    for m in re.finditer(r"[;；]\s*|" + _JOINT.pattern, shown, re.IGNORECASE):
        at, inherited = starts[-1][1:]
        left, right = shown[at : m.start()], shown[m.end() :]
        if m["word"] is None:
            if re.search(r"\w", left) and re.search(r"\w", right):
                starts.append((m.end(), m.end(), ""))
            continue
        subject = _subject(m["word"].lower(), left, right, inherited)
        if subject is not None:
            starts.append((m.start("word"), m.end(), subject))
    ends = [start for start, _, _ in starts[1:]] + [len(sentence)]
    return [
        Clause(start, start + len(sentence[start:end].rstrip()), words, before)
        for (start, words, before), end in zip(starts, ends, strict=True)
    ]


def _subject(word: str, left: str, right: str, inherited: str) -> str | None:
    """The subject that the ``right`` clause takes from the ``left``, "" where it has its own, None where it is
    no clause. What the left one itself took is ``inherited``."""
    right = re.split(r"[;:]\s|[.!?](?:\s|$)", right)[0]
    if not re.search(r"\d", left) or not re.search(r"\d", right) or _ANOTHER.search(left):
        return None
    verb = rf"{_BEFORE_VERB.get(word, '')}(?:{'|'.join(_VERBS[word].split())})(?!\w)"
    first = re.search(rf"(?<!\w){verb}", left, re.IGNORECASE)
    if first is None:
        return None
    if re.match(rf"{_ARTICLES}\s+(?:[^\W\d_][\w-]*\s+){{1,4}}?{verb}", right, re.IGNORECASE):
        return ""
    reflexive = word == "y" and re.match(r"se \w+", right)
    if reflexive or re.match(verb, right, re.IGNORECASE):
        return inherited or left[: first.start()].strip() or None
    return None
