"""Rules of states, as they are told: "a parcel can only be rerouted if its status is 'announced'"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from affidavit.ledger.ledger import Passage
from affidavit.ledger.passages import sentences
from affidavit.ledger.search import Search
from affidavit.ledger.words import content_stems, named_in, stem, words
from affidavit.stages.ground.checks.calls.deeds import is_deed, same_deed
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.checks.states.vocabulary import STATUS_FIELD, states_in
from affidavit.stages.ground.finding import GroundContext
from affidavit.stages.ground.rules import rule_sentences

_ONLY_IN = re.compile(
    r"\bonly\b[^.;:]*?\b(?:if|when|while|once|after|as long as|provided(?: that)?|where|for|on|of|in)\b(?P<states>[^.;,]*)",
    re.I,
)
"""A rule of the only states: "can only be cancelled if its status is 'pending'", "only for shipped parcels"."""
_ONLY_SUCH = re.compile(
    r"(?:^\W*|[:,(] ?|\bthat )only (?P<states>[^.;,]{3,60}?) (?:can|may|are|is|qualif\w+)\b(?P<deeds>[^.;]*)",
    re.I,
)
""" "Only checked-in guests can be upgraded"."""
_BESIDES = re.compile(r"\b(?:unless|except|otherwise|other than|besides)\b", re.I)
_ANY_DEED = content_stems("action actions changes")
"""What a rule says of all that can be done: "you can only take action on pending or delivered orders"."""
_LISTED = re.compile(
    r"\b(?:status|state|stage|phase)\b[^.;]*?\b(?:can be|may be|is one of|is either|are|is)\b(?P<states>[^.;]*)",
    re.I,
)
"""The states that there are: "the status can be: open, held or closed"."""
_LIGHT = content_stems("time now done such first right status state stage phase")
"""Words that are no states, in a list of them."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A deed that is allowed in some states only."""

    deeds: frozenset[str]
    states: frozenset[str]
    passage: Passage
    stems: frozenset[str]


@dataclass(frozen=True, slots=True)
class Book:
    """The rules of states, and the words that are states here."""

    rules: tuple[Rule, ...]
    states: frozenset[str]


def book_of(context: GroundContext) -> Book:
    """The rules of states of a run, read once for all claims."""
    return context.search.once("rules of states", lambda: _read(context))


def applying(deed: str, book: Book) -> list[Rule]:
    """The rules of a deed: those that name it, those of all deeds, or those of one that does the same."""
    one = frozenset((deed,))
    named = [rule for rule in book.rules if named_in(one, rule.deeds)]
    if named or not is_deed(deed):
        return named
    general = [rule for rule in book.rules if rule.deeds & _ANY_DEED]
    return general or [rule for rule in book.rules if same_deed(deed) & rule.deeds]


def may_be(state: str, allowed: frozenset[str], known: frozenset[str]) -> bool:
    """Whether a state is among those allowed; two words of the run's own are two states, whatever they mean
    elsewhere."""
    if state in allowed:
        return True
    alike = states_in(state)
    return any(alike & states_in(other) and state not in known for other in allowed)


def _read(context: GroundContext) -> Book:
    """The rules of states of a run, and its words for states."""
    told = list(_sentences(context.search))
    own = _own_words(context, (text for _, text in told))
    rules = []
    for passage, text in told:
        for condition, of in _conditions(text):
            states = frozenset(w for w in words(condition) if w in own or states_in(w))
            parts = re.split(r"\bor\b", condition)
            deeds = _deeds_ruled(of)
            if states and deeds and all(states & set(words(part)) for part in parts):
                rules.append(Rule(deeds, states, passage, content_stems(text)))
    return Book(tuple(rules), own.union(*(rule.states for rule in rules)))


_ONLY_BE_DONE = re.compile(
    r"\b(?:only|can|may|must) (?:be )?(?!be\b|only\b|available|possible|allowed|permitted|eligible|open|granted|take\b)(?P<verbs>[a-z]{3,}(?:(?:,|,? or|,? and|/) ?(?:be )?[a-z]{3,})*)",
    re.I,
)


def _deeds_ruled(text: str) -> frozenset[str]:
    """What a rule is of: the verbs behind its "only", else what deeds it names, "a refund is only possible"."""
    verbs = [m["verbs"] for m in _ONLY_BE_DONE.finditer(text)]
    named = content_stems(" ".join(verbs)) - _PREPOSITIONS
    return named or frozenset(s for s in content_stems(text) if is_deed(s) or s in _ANY_DEED)


_PREPOSITIONS = frozenset(
    map(stem, ("for", "when", "while", "once", "after", "where", "provided", "only"))
)


def _own_words(context: GroundContext, told: Iterable[str]) -> frozenset[str]:
    """The words that are states here: those on record, and those that the rules list or quote."""
    found = {
        cell.text.casefold()  # of "return requested" neither word alone is a state
        for passage in context.search.passages
        if is_result(passage)
        for cell, _, _ in passage.cells
        if isinstance(cell.raw, str) and STATUS_FIELD.search(cell.key) and cell.text.isalpha()
    }
    for text in told:
        if listed := _LISTED.search(text):
            found |= {w for w in re.findall(r"[a-z-]+", listed["states"].lower()) if _is_state(w)}
        for condition, _ in _conditions(text):
            found |= set(_QUOTED.findall(condition.lower()))
    return frozenset(found)


_QUOTED = re.compile(r"['‘“\"*]([a-z-]{3,})['’”\"*]")


def _is_state(word: str) -> bool:
    return len(word) > 2 and bool(content_stems(word) - _LIGHT)


def _conditions(text: str) -> Iterator[tuple[str, str]]:
    """The only states that a sentence names, and what it says of them."""
    if _BESIDES.search(text):
        return
    if such := _ONLY_SUCH.search(text):
        yield such["states"], such["deeds"]
    if only := _ONLY_IN.search(text):
        yield only["states"], text[: only.start("states")]


def _sentences(search: Search) -> Iterator[tuple[Passage, str]]:
    """The sentences of the rules and of running text among the results."""
    for rule in rule_sentences(search):
        yield rule.passage, rule.text.rpartition(" | ")[2]
    for passage in search.passages:
        if is_result(passage) and passage.record is None and "only" in passage.text:
            for start, end in sentences(passage.text):
                yield passage, passage.text[start:end]
