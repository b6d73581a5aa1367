"""What a rule allows in some states only, denied of another: "a shipped parcel can't be rerouted", where parcels
"can only be rerouted if their status is 'announced'".

A rule that names the only states bars the deed in any other, though no sentence says so; a small model finds the
denial and its opposite alike. What else a claim gives as its reason, a lapsed deadline, no rule of states bears out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.words import content_stems, is_negated, named_in, stem, words
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.checks.states.state_rules import Rule, applying, book_of, may_be
from affidavit.stages.ground.checks.states.vocabulary import STATUS_FIELD
from affidavit.stages.ground.checks.values.outdated import own_identifier
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "barred"

_CANNOT = (
    r"(?:cannot|can not|can['’]t|could not|couldn['’]t|won['’]t be able to|not be able to|unable to|not able to|"
    r"not possible to|impossible to|(?:can|may|could) no longer|(?:may|must) not|not (?:allowed|permitted) to|n['’]t (?:allowed|permitted|possible) to)"
)
_ADVERBS = r"(?:(?:also|yet|currently|now|still|simply|unfortunately|directly|longer|be) )*"
_VERBS = r"(?P<verbs>\w+(?:(?:,|,? or|,? nor|,? and|/) ?(?:be )?\w+(?= |\W*$))*)"
_DENIED_DEED = re.compile(rf"\b{_CANNOT} {_ADVERBS}{_VERBS}", re.I)
""" "Can't be returned", "unable to modify or exchange"."""
_ALLOWED_DEED = re.compile(
    rf"\b(?:can|may|could|(?:is|are) (?:able|allowed|permitted|possible) to) {_ADVERBS}{_VERBS}",
    re.I,
)
_SUPPOSED = re.compile(
    r"\b(?:if|when|once|until|unless|only|after|before|as soon as|whether|while|would|should|not)\b|\?",
    re.I,
)
_CARRIED_OUT = (
    r"(?:processed|done|made|started|initiated|requested|completed|offered|possible|available|allowed|permitted|accepted|"
    r"submitted|arranged|handled|carried out|an option|performed|placed|opened|issued)"
)
_NO_DEED = re.compile(
    rf"\b(?P<verbs>[a-z]+(?:(?: or| nor| and|/) ?(?:an? )?[a-z]+)?)(?: requests?)? (?:{_CANNOT} be|(?:is|are)(?: currently)? not|(?:is|are)n['’]t) {_ADVERBS}{_CARRIED_OUT}\b"
    r"|(?:\bnot|n['’]t)(?: be)?(?: yet| currently)? eligible for (?:an? |any )?(?P<for>[a-z]+(?:(?: or| nor| and|/) ?(?:an? )?[a-z]+)?)"
    rf"|\bno (?P<none>[a-z]+(?: or [a-z]+)?) (?:is|are) (?:currently |yet )?{_CARRIED_OUT}\b",
    re.I,
)
"""The same of the deed as a thing: "a return cannot be processed", "not eligible for a refund"."""
_NOT_SO = re.compile(
    r"(?:\b(?:not|never|yet to be|until|unless|before)|n['’]t)\b(?: (?:(?:it|they)['’](?:s|re|ve)|yet|been|be|marked|as|in|it|its|the|they|status|order|is|are|has|have|becomes?|shows?|reaches))*"
    r"\W+(?P<state>[a-z-]+)",
    re.I,
)
"""A state that a thing is not in, or must be in first."""
_FIRST = re.compile(r"until|unless|before", re.I)
"""What tells of a state that must come first, whatever the state is now."""
_OF_ANY = r"\b(?:an?|any|all|every|each)\s(?:[\w-]+\s)?{0}\b|(?<!\bthe )(?<!\byour )(?<!\bthis )(?<!\bthese )(?<!\bthose )\b{0}\s(?:[\w-]+\s)?[a-z]+s\b"
"""A state of any thing, "a processed order", "shipped parcels", and not of the one spoken of."""
_LIGHT = content_stems(
    "time moment point currently present further request process unfortunately policy still yet status order item one today "
    "here chat system handle submit start make do first right stage state under per rule means such done "
    "anymore because since already unless until yet"
)
"""Words that give no other reason."""


def check_barred(claim: Claim, context: GroundContext) -> Finding:
    """Hold a denial of a deed against the rules that name the only states in which it is done."""
    denials = _denials(claim.text)
    allowed = [] if denials or is_negated(claim.text) else list(_ALLOWED_DEED.finditer(claim.text))
    if claim.is_datum or not (denials or allowed) or claim.kind in ("restatement", "action"):
        return Finding.skip(NAME, "does not say that something cannot be done")
    if allowed and _SUPPOSED.search(claim.text):
        return Finding.skip(NAME, "says what can be done later, or on a condition")
    book = book_of(context)
    deeds = _deeds(denials or allowed)
    rules = [applying(deed, book) for deed in deeds]
    if not deeds or not all(rules):
        return Finding.skip(NAME, "no rule names the only states for it")
    said = _given(claim.text, denials or allowed, book.states)
    if not _says_no_more(claim, said, rules, context):
        return Finding.skip(NAME, "gives another reason")
    barring = [r for own in rules if (r := _first(own, lambda r: _bars(r, said, book.states)))]
    if allowed:
        return _against(barring) if said.told and barring else _NO_DENIAL
    if said.of_any or said.lacking:
        if len(barring) < len(rules):
            return Finding.skip(NAME, "no rule of states bars it")
        if said.of_any or said.first:
            return _finding(barring, [])
    return _by_record(said, rules, book.states, context)


_NO_DENIAL = Finding.skip(NAME, "no rule of states bars it")


def _against(rules: list[Rule]) -> Finding:
    """ "A shipped parcel can be rerouted", though a rule allows it only of those announced."""
    finding = _finding(rules, [])
    return replace(finding, verdict="contradicts", score=0.05, reason="contradicts_evidence")


def _by_record(
    said: _Given, rules: list[list[Rule]], known: frozenset[str], context: GroundContext
) -> Finding:
    """Of the thing spoken of: the state on record must be the one said, and none in which it is done."""
    held = _held(context)
    if not held:
        return Finding.skip(NAME, "nothing shows the state of what is spoken of")
    others = [(p, c) for p, c in held if said.told and not said.told & set(words(c.text))]
    if others:
        return _of_another_state(others[0], context)
    barring = [r for own in rules if (r := _first(own, lambda r: _bars_all(r, held, known)))]
    if len(barring) < len(rules):
        return Finding.skip(NAME, "the state on record is one in which it is done")
    return _finding(barring, held)


def _first(rules: Iterable[Rule], holds: Callable[[Rule], bool]) -> Rule | None:
    return next(filter(holds, rules), None)


@dataclass(frozen=True, slots=True)
class _Given:
    """What a claim tells of states: those that a thing is in, and those that it is not in or must be in first;
    whether it is of any such thing, or of what must come first; and the rest of its words."""

    told: frozenset[str]
    lacking: frozenset[str]
    of_any: bool
    first: bool
    rest: str


def _given(text: str, denials: list[re.Match[str]], known: frozenset[str]) -> _Given:
    rest = text
    for m in denials:
        rest = rest.replace(m[0], " … ", 1)
    asked_for = [m for m in _NOT_SO.finditer(rest) if m["state"].lower() in known]
    lacking = frozenset(m["state"].lower() for m in asked_for)
    told = frozenset(words(rest)) & known - lacking
    of_any = any(re.search(_OF_ANY.format(re.escape(state)), text, re.I) for state in told)
    first = bool(asked_for) and all(_FIRST.match(m[0]) for m in asked_for)
    return _Given(told, lacking, of_any, first, rest)


def _finding(rules: list[Rule], held: list[tuple[Passage, Cell]]) -> Finding:
    spans = dict.fromkeys(
        [*(rule.passage.span() for rule in rules), *(p.span(cell) for p, cell in held[:2])]
    )
    allowed = " or ".join(sorted(rules[0].states))
    detail = f"a rule allows it only where it is {allowed}"
    return Finding(NAME, "checked", "supports", 0.9, None, detail, spans=tuple(spans))


def _denials(text: str) -> list[re.Match[str]]:
    """Where a text denies deeds; "a return cannot be processed" denies the return."""
    nouns = list(_NO_DEED.finditer(text))
    verbs = (m for m in _DENIED_DEED.finditer(text) if not any(n.end() > m.start() for n in nouns))
    return [*nouns, *verbs]


def _of_another_state(other: tuple[Passage, Cell], context: GroundContext) -> Finding:
    """ "Since it is lost", of what is on record as shipped."""
    passage, cell = other
    if not context.firm.names(context.rows.chain(passage)[:1]):
        return Finding.skip(NAME, "another thing may be meant")
    span = passage.span(cell)
    detail = f"the evidence has {span.text}"
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=(span,)
    )


def _deeds(denials: list[re.Match[str]]) -> list[str]:
    """The stems of what is said not to be done."""
    told = (v for m in denials for k, v in m.groupdict().items() if v and k != "state")
    said = (w for text in told for w in re.findall(r"[a-z]{3,}", text.lower()))
    return list(dict.fromkeys(stem(w) for w in said if w not in _JOINERS))


_JOINERS = frozenset(("and", "nor", "any", "the"))


def _bars(rule: Rule, said: _Given, known: frozenset[str]) -> bool:
    """Whether a rule bars its deed in the states that are told, or where those are lacking that it asks for."""
    if said.told:
        return not any(may_be(state, rule.states, known) for state in said.told)
    return bool(said.lacking) and rule.states <= said.lacking


def _bars_all(rule: Rule, held: list[tuple[Passage, Cell]], known: frozenset[str]) -> bool:
    return not any(
        may_be(word, rule.states, known)
        for _, cell in held
        for word in (cell.text.casefold(), *words(cell.text))
    )


def _held(context: GroundContext) -> list[tuple[Passage, Cell]]:
    """The states on record of what the claim speaks about, as last read."""
    latest: dict[str, tuple[Passage, Cell]] = {}
    for passage in context.search.passages:
        if not is_result(passage) or not context.topic.names(context.rows.chain(passage)[:1]):
            continue
        for cell, _, _ in passage.cells:
            if isinstance(cell.raw, str) and STATUS_FIELD.search(cell.key):
                latest[own_identifier(passage) or passage.pointer] = passage, cell
    return list(latest.values())


def _says_no_more(
    claim: Claim, said: _Given, rules: list[list[Rule]], context: GroundContext
) -> bool:
    """Whether a claim has no words but those of the rules, the states and the things spoken of."""
    known = frozenset(map(stem, said.told | said.lacking)) | _LIGHT
    known |= frozenset().union(*(rule.stems for own in rules for rule in own))
    for passage in context.search.passages:
        if is_result(passage) and context.topic.names(context.rows.chain(passage)):
            known |= passage.stems
    left = content_stems(said.rest)
    return not left - named_in(left, known)
