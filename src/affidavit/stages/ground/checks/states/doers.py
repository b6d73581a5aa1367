"""Who did it: what a text says of one of several people or parties, told of another of them.

"Kim sends it to the client", where Pat does and Kim reviews the contract: all words are there, and a small model
reads over whose they are. Only a text that speaks of both is held against a claim, and only where no clause of it
gives the deed to the one whom the claim names, or leaves it open who it was.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from affidavit.ledger.irregular_verbs import IRREGULAR, base_of
from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.search import Search
from affidavit.ledger.words import content_stems, is_negated, named_in, stem
from affidavit.stages.ground.checks.states.told import clauses
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext
from affidavit.stages.ground.split.verbs import finite_verb

NAME = "doers"

_AUXILIARY = re.compile(
    r"(?:\W*\b(?:will|shall|would|can|could|may|must|should|has|have|had|does|do|did|is|are|was|were|be|been|being|"
    r"to|also|then|already|now|just|still|later|\w+ly)\b|['’](?:ll|s|ve|re|d))*\W*",
    re.I,
)
_BE = re.compile(
    r"\b(?:is|are|was|were|be|been|being|gets?|got)(?: (?:also|then|now|already|\w+ly))*\s*$", re.I
)
_BY = re.compile(
    r"\bby (?P<doer>(?:the |our |an? )(?:[\w-]+ ){0,2}?[\w-]+(?=\s+(?:and|or|on|in|at|to|for|with|within|from|before|after|until|as)\b|\W*$|[,;(])"
    r"|(?:Dr\.? |Mr\.? |Mrs\.? |Ms\.? |Prof\.? )?[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*)"
)
_WORD = re.compile(r"[A-Za-zÀ-ÿ][\w’'-]*")
_PAYS = re.compile(r"\b(?:pays?|paid|bears?|covers?|foots?)\b", re.I)
_CHARGED = re.compile(
    r"\b(?:charged|billed|invoiced|passed on|debited) to (?P<to>(?:the |an? )?[\w-]+)"
    r"|\b(?:borne|payable|paid) by (?P<by>(?:the |an? )?[\w-]+)"
    r"|\bat (?:the )?(?P<of>[\w-]+?)['’]s?['’]? expense\b|\bat the expense of (?P<for>(?:the |an? )?[\w-]+)",
    re.I,
)
"""Who pays, where a text does not say that anybody pays."""
_MANY_SIDED = content_stems("meet marry match equal join share face talk speak agree fight play")
"""What two do with one another."""
_SUPPOSED = re.compile(r"\b(?:if|unless|whether|either|or|instead|would|might|could)\b|\?", re.I)
_ASKED = re.compile(
    r"\b(?:asks?|checks?|sees?|knows?|clarif\w+|confirms?|finds? out|decides?|tests?|verif\w+)\b[^.;]{0,40}?\b(?:if|whether)\b",
    re.I,
)
"""What somebody is to find out is no condition."""
_DAYS = content_stems(
    "monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun today tomorrow yesterday morning afternoon evening"
)
_MOST_WORDS = 4
_LEAST = 2
_ENOUGH_WITHOUT_VERB = 3
_MOST_CLAUSES = 600


@dataclass(frozen=True, slots=True)
class _Clause:
    passage: Passage
    text: str
    opening: frozenset[str]
    """Whom it opens with."""


def check_doers(claim: Claim, context: GroundContext) -> Finding:
    """Look for the deed of the claim in the clauses of a text, and for whom they tell it of."""
    skipped = Finding.skip(NAME, "tells of no deed that a text tells of another")
    if claim.is_datum or claim.kind not in ("fact", "action") or claim.performer == "agent":
        return skipped
    if is_negated(claim.text) or _SUPPOSED.search(_ASKED.sub(" ", claim.text)):
        return skipped
    doer, verb, rest = _read(claim.text)
    if not doer or not verb or len(doer) > _MOST_WORDS or verb in _MANY_SIDED:
        return skipped
    told = context.search.once("clauses and whom they open with", lambda: _told(context.search))
    fitting = {passage.id for passage in context.fitting}
    own = {c.passage.source.id for c in told if _are_one(c.opening, doer)}
    rivals = []
    for clause in told:
        if clause.passage.source.id not in own or clause.passage.id not in fitting:
            continue
        of = _doer_of(clause, doer, verb, rest, pays=bool(_PAYS.search(claim.text)))
        if of is None:
            continue
        if of and verb != "be" and of == doer and _tells(clause.text, verb, claim.text):
            return Finding(
                NAME, "checked", "supports", 0.88, None, f"the evidence has “{clause.text}”",
                spans=(clause.passage.span(_field_of(clause)),),
            )  # fmt: skip
        if not of or named_in(of, doer) or named_in(doer, of):
            return skipped
        rivals.append(clause)
    if not rivals:
        return skipped
    detail = f"the evidence has “{rivals[0].text}”"
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail,
        spans=(rivals[0].passage.span(),),
    )  # fmt: skip


def _read(text: str) -> tuple[frozenset[str], str, frozenset[str]]:
    """Whom a claim is of, the base of its verb, and the stems of the rest; nothing where that is in doubt."""
    at = _verb_at(text)
    after = text[at or 0 :]
    start = _AUXILIARY.match(after)
    main = _WORD.search(after, start.end() if start else 0)
    if at is None or main is None:
        return frozenset(), "", frozenset()
    agent = _BY.search(after, main.end())
    before, behind = text[:at], after[main.end() :]
    is_ = _BE.search(after[: main.start()])
    if is_ and not (main[0].endswith(("ed", "ing")) or main[0] in IRREGULAR):
        return _people(before), "be", _bases(after[main.start() :])
    if agent is not None and is_:  # "is reviewed by Kim"
        behind = f"{before} {behind.replace(agent[0], ' ')}"
        before = agent["doer"]
    # The days of a claim are looked up by themselves: "by Wed" is by Wednesday.
    return _people(before), base_of(main[0]), _bases(behind) - _DAYS


def _verb_at(text: str) -> int | None:
    """Where the verb of a clause stands, behind whom it is of."""
    verb = finite_verb(text)
    if verb is not None:
        return verb.start
    plain = _PLAIN.match(text)
    return plain.start("verb") if plain else None


_PLAIN = re.compile(
    r"\W*(?:and |but |so )?(?:[Tt]he [\w-]+|[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*) (?P<verb>[a-z]+(?:s|ed))\b"
)
"""A name or a party, and a word behind it that may be a verb."""


def _people(text: str) -> frozenset[str]:
    """The stems of whom a text names, nothing where it does so by a pronoun or by a figure."""
    text = _NUMBERED.sub("", text)
    return frozenset() if re.search(r"\d", text) else _bases(text) - _DAYS


_NUMBERED = re.compile(r"^\W*(?:\d[\d:.'’]*\W+)+")
"""The number or the time that a line opens with."""


def _bases(text: str) -> frozenset[str]:
    return frozenset(base_of(stem) if stem in IRREGULAR else stem for stem in content_stems(text))


def _are_one(opening: frozenset[str], doer: frozenset[str]) -> bool:
    return bool(opening) and (opening <= doer or doer <= opening)


def _told(search: Search) -> list[_Clause]:
    """The clauses of results, and of what the user gave, with whom each opens with; read once for all claims."""
    found = []
    for passage, text in clauses(search, of_user=True):
        own = text.rpartition(" | ")[2]
        if not _SUPPOSED.search(_ASKED.sub(" ", own)) and not is_negated(own):
            found.append(_Clause(passage, own, _opening(own)))
    return found if len(found) <= _MOST_CLAUSES else []


def _opening(text: str) -> frozenset[str]:
    """Whom a clause opens with: before its verb, or a name before "to": "Cem to call the caterer"."""
    named = _TO_DO.match(text)
    at = named.end("who") if named else _verb_at(text)
    if at is not None:
        return _people(text[:at])
    alone = _ALONE.match(text)
    return _people(alone["who"]) if alone else frozenset()


_TO_DO = re.compile(r"(?P<who>[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*) to (?=[a-z])")
_ALONE = re.compile(r"(?P<who>[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*) (?=[a-z])")


def _tells(text: str, verb: str, claimed: str) -> bool:
    """Whether a clause has the very verb of the claim, and not one of them as done and the other as to come."""
    there, here = _is_done(text, verb), _is_done(claimed, verb)
    return there is not None and there == here


def _is_done(text: str, verb: str) -> bool | None:
    """Whether a text tells of a deed in the past; None where it does not have the verb."""
    at = next((m for m in _WORD.finditer(text) if base_of(m[0]) == verb), None)
    if at is None:
        return None
    if _TO_COME.search(text[: at.start()]):
        return False
    past = at[0].endswith("ed") or base_of(at[0]) != stem(at[0])
    return past or bool(_PERFECT.search(text[: at.start()]))


_TO_COME = re.compile(r"\b(?:will|shall|to|should|must|(?-i:may)|might|can)\b|['’]ll\b", re.I)
_PERFECT = re.compile(r"\b(?:has|have|had|was|were)\b", re.I)


def _doer_of(
    clause: _Clause, doer: frozenset[str], verb: str, rest: frozenset[str], *, pays: bool
) -> frozenset[str] | None:
    """Whom a clause tells the deed of: None where it does not tell of it, nothing where it leaves that open."""
    words = _bases(clause.text)
    at = _IS.search(clause.text) if verb == "be" else None
    at = at or next((m for m in _WORD.finditer(clause.text) if base_of(m[0]) == verb), None)
    if pays and rest and named_in(rest - _PAYING, words) == rest - _PAYING:
        charged = _CHARGED.search(clause.text)
        if charged is not None:
            return _people(next(filter(None, charged.groups())))
    passive = at is not None and _BE.search(clause.text[: at.start()]) and not at[0].endswith("ing")
    opening = clause.opening
    turned = at is not None and not passive and opening & rest and doer <= words - opening
    if not rest or named_in(rest, words if passive or turned else words - opening) != rest:
        return None
    if at is None:
        return opening if len(rest) >= _ENOUGH_WITHOUT_VERB and opening else None
    if len(rest) + 1 < _LEAST:
        return None
    if passive:
        agent = _BY.search(clause.text, at.end())
        return _people(agent["doer"]) if agent else frozenset()
    return _people(_AUXILIARY_END.sub("", clause.text[: at.start()]))


_IS = re.compile(r"\b(?:is|are|was|were)\b", re.I)
_PAYING = content_stems("pay bear cover foot cost")
_AUXILIARY_END = re.compile(r"(?:\s(?:will|has|have|had|to|also|then|shall|must))+\s*$")


def _field_of(clause: _Clause) -> Cell | None:
    """The field of a record that a clause, told as "name: text", is of; None in running text."""
    told = clause.text.partition(": ")[2] or clause.text
    return next((cell for cell, _, _ in clause.passage.cells if told in cell.text), None)
