"""Premises: what a claim is put beside for the entailment model to read, best first.

Passages that share its words, the sentences of these by themselves, the two best together; and where
a claim says what may be done, the rule with what is on record of the thing: neither says it alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from affidavit.ledger.ledger import Passage
from affidavit.ledger.passages import sentences
from affidavit.ledger.records import Cell
from affidavit.ledger.values import compare
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.asked_of import with_call
from affidavit.stages.ground.checks.calls.deeds import is_deed
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.checks.states.vocabulary import STATUS_FIELD, states_in
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext
from affidavit.stages.ground.orders import without_orders
from affidavit.stages.ground.payment import ORIGINAL, paid_with
from affidavit.stages.ground.phrases import STATED_BY_USER
from affidavit.stages.ground.rules import rule_sentences

PASSAGES = 6
"""How many passages a claim is held against."""
ALIKE = 2
"""How many more, where the evidence is searched by meaning as well."""
_MOST_UNSAID = 16
"""How many it is held against where none shares a word with it."""
_SENTENCES = 3
"""How many of their sentences it is held against one by one."""
_CELLS = 6
"""The most fields of a record that are shown beside a rule: the model reads little at once."""
_CONDITION = re.compile(
    r"\b(?:only|cannot|can not|must|may|not|never|if|unless|once|until|allowed|able)\b", re.I
)
_MAY = re.compile(
    r"\b(?:refund\w*|can|cannot|can not|could|(?:un)?able|(?:im)?possible|(?:in)?eligible|(?:not )?allowed|permitted|qualif\w+|no longer|"
    r"since|because)\b|n['’]t\b",
    re.I,
)
"""What may be done, or follows from something."""


@dataclass(frozen=True, slots=True)
class Premise:
    """A text and the passages that it is from."""

    text: str
    passages: tuple[Passage, ...]


def premises(claim: Claim, context: GroundContext) -> list[Premise]:
    """What a claim is put beside; empty where no evidence bears on it."""
    if claim.kind == "restatement" and STATED_BY_USER.search(claim.text):
        chosen = [p for p in context.search.passages if p.source.kind == "user"][-PASSAGES:]
    else:
        chosen = [p for p in context.passages if _tells(p, claim, context)][:PASSAGES]
        chosen += _alike(claim, context, chosen)
        chosen += _rest(context, chosen)
    said = claim.statement
    shown = [
        Premise(with_call(_aligned(p, claim, context), p, said, context), (p,)) for p in chosen
    ]
    found = [*shown, *_sentences(chosen, claim, context)]
    if len(shown) >= 2:
        first, second = shown[:2]
        text = f"{first.text}\n{second.text}"
        found.append(Premise(text, (*first.passages, *second.passages)))
    if _MAY.search(claim.text):
        found += _rules_and_case(claim, context)
    return found


def _rest(context: GroundContext, chosen: Sequence[Passage]) -> list[Passage]:
    """What else the results say, where that is little: "no re-entry" shares no word with "you can't go back
    in"."""
    results = [p for p in context.fitting if p.source.kind == "tool_result"]
    if len(results) > (PASSAGES if chosen else _MOST_UNSAID):
        return []
    if not chosen:
        return results  # "compilation was fine", of a log whose lines share none of its words
    known = {p.id for p in chosen}
    return [p for p in results if p.id not in known][: max(0, PASSAGES - len(chosen))]


def _alike(claim: Claim, context: GroundContext, chosen: Sequence[Passage]) -> Sequence[Passage]:
    """Passages that say most nearly what the claim says, besides those that share its words."""
    if context.meaning is None:
        return ()
    alike = context.meaning.besides(chosen, claim.statement, context.search, ALIKE)
    return [p for p in alike if _tells(p, claim, context)]


def _sentences(chosen: Sequence[Passage], claim: Claim, context: GroundContext) -> list[Premise]:
    """The sentences of running text, or of a field of it, that share most words with the claim, each by itself: a small
    model reads one rule better than the paragraph it stands in."""
    said = content_stems(claim.statement)
    found = []
    for passage in chosen:
        for text in _several(passage, _told(passage, claim, context)):
            found.append((len(named_in(said, content_stems(text))), text, passage))
    found.sort(key=lambda item: -item[0])
    return [
        Premise(with_call(text, passage, claim.statement, context), (passage,))
        for shared, text, passage in found[:_SENTENCES]
        if shared
    ]


def _several(passage: Passage, whole: str) -> Iterator[str]:
    """The sentences of a text, or of the fields of a record, that has more than one."""
    fields = (c.raw for c, _, _ in passage.cells if isinstance(c.raw, str))
    for text in (whole,) if passage.record is None else fields:
        spans = list(sentences(text))
        if len(spans) > 1:
            yield from (part for start, end in spans if (part := text[start:end]) in whole)


def _rules_and_case(claim: Claim, context: GroundContext) -> list[Premise]:
    """The sentences of rules that bear most on what the claim says may be done, each by itself and with the
    record that it speaks about."""
    rules = _rules(claim, context)
    if not rules:
        return []
    told = _pays if _MONEY.search(claim.text) else _shows_state
    every = chain(context.passages, context.fitting if context.topic.rows else ())
    cases = (p for p in every if _is_meant(p, context) and told(p))
    case = max(cases, key=lambda p: _named_method(p, claim), default=None)
    found = list(rules)
    if case is None:
        return found
    for rule in rules:
        said = content_stems(f"{claim.statement} {rule.text}")
        text = _resolved(rule.text, case)
        found.append(Premise(f"{text}\n{_brief(case, said)}", (*rule.passages, case)))
        if text != rule.text:
            found.append(Premise(text, (*rule.passages, case)))
    return found


def _rules(claim: Claim, context: GroundContext) -> list[Premise]:
    """Of all sentences of rules, those that speak of the same deeds and states as the claim, conditions
    first. The passages that share most words need not hold them: a long one has more."""
    said = content_stems(claim.statement)
    ranked: list[tuple[float, int]] = []
    known = rule_sentences(context.search)
    for at, rule in enumerate(known):
        shared = named_in(said, rule.stems)
        deeds = sum(is_deed(stem) or bool(states_in(stem)) for stem in shared)
        if deeds:
            conditional = bool(_CONDITION.search(rule.text))
            ranked.append((2 * deeds + conditional + len(shared) / (len(rule.stems) + 1), at))
    best = sorted(ranked, key=lambda item: (-item[0], item[1]))[:_SENTENCES]
    return [Premise(known[at].text, (known[at].passage,)) for _, at in best]


def _is_meant(passage: Passage, context: GroundContext) -> bool:
    """Whether a passage shows something that the claim speaks about."""
    return is_result(passage) and context.topic.names(context.rows.chain(passage))


def _shows_state(passage: Passage) -> bool:
    return any(_is_state(cell) for cell, _, _ in passage.cells)


def _pays(passage: Passage) -> bool:
    return paid_with(passage) is not None


def _named_method(passage: Passage, claim: Claim) -> int:
    """How many words a claim shares with how something was paid: of several payments one is meant."""
    stems = content_stems((paid_with(passage) or "").replace("_", " "))
    return len(stems & content_stems(claim.text))


def _resolved(rule: str, case: Passage) -> str:
    """The rule with what the record says that its "original payment method" is, in brackets after it."""
    by = paid_with(case)
    if by is None:
        return rule
    return ORIGINAL.sub(lambda m: f"{m[0]} ({by.replace('_', ' ')})", rule, count=1)


_MONEY = re.compile(r"\b(?:refund\w*|charged?|paid|payment|credited)\b", re.I)
"""What is told of money is held against how the thing was paid, not against its state."""


def _is_state(cell: Cell) -> bool:
    """Not the state of an address."""
    return bool(STATUS_FIELD.search(cell.key)) and bool(
        states_in(cell.text) or cell.key.endswith("status")
    )


def _brief(passage: Passage, said: frozenset[str]) -> str:
    """A record's own name, its state, and the fields that are spoken of."""
    record = passage.record
    cells = [
        f"{cell.key}: {cell.text}"
        for cell, _, _ in passage.cells
        if not cell.is_blank
        if (record and cell.text in record.identity)
        or _is_state(cell)
        or content_stems(f"{cell.key} {cell.text}") & said
    ]
    place = record.place.rsplit("›", 1)[-1].strip() if record else ""
    return f"{place} | {'; '.join(cells[:_CELLS])}"


def _tells(passage: Passage, claim: Claim, context: GroundContext) -> bool:
    """Whether a passage says anything: a question entails nothing of what it asks, nor an order to models."""
    return bool(_told(passage, claim, context).strip())


def _told(passage: Passage, claim: Claim, context: GroundContext) -> str:
    """What a passage says: of a user's turn, unless the claim is of what the user said, no questions; of a
    result no orders to models."""
    if passage.source.kind == "tool_result":
        return without_orders(passage, claim, context.search)
    asked = passage.source.kind == "user" and claim.kind != "restatement"
    return _without_questions(passage) if asked else passage.text


def _without_questions(passage: Passage) -> str:
    text = passage.text
    if "?" not in text:
        return text
    told = (text[start:end].strip() for start, end in sentences(text))
    return " ".join(sentence for sentence in told if not sentence.rstrip("\"'”)").endswith("?"))


def _aligned(passage: Passage, claim: Claim, context: GroundContext) -> str:
    """The passage with each value that the claim states written the claim's way."""
    text, shift = _told(passage, claim, context), 0
    if passage.record is None or not claim.values or text != passage.text:
        return text
    readings = passage.cell_values
    for cell, start, end in passage.cells:
        for value in claim.values:
            if value.kind in ("name", "quoted"):
                continue
            same = any(
                c is cell and compare(value, v, today=context.today) in ("same", "rounded")
                for c, v in readings
            )
            if same and cell.text != value.text and len(cell.text) <= 40:
                text = text[: start + shift] + value.text + text[end + shift :]
                shift += len(value.text) - (end - start)
                break
    return text
