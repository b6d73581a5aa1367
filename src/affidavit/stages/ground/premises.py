"""Premises: what a claim is put beside for the entailment model to read, best first.

Passages that share its words, the sentences of these by themselves, the two best together; and where
a claim says what may be done, the rule with what is on record of the thing: neither says it alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from affidavit.ledger.ledger import Passage
from affidavit.ledger.passages import sentences
from affidavit.ledger.values import compare
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.checks.states import STATUS_FIELD
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

PASSAGES = 6
"""How many passages a claim is held against."""
ALIKE = 2
"""How many more, where the evidence is searched by meaning as well."""
_SENTENCES = 3
"""How many of their sentences it is held against one by one."""
_RULES = ("system", "tool_definition")
_CELLS = 6
"""The most fields of a record that are shown beside a rule: the model reads little at once."""
_MAY = re.compile(
    r"\b(?:can|cannot|can not|could|(?:un)?able|(?:im)?possible|(?:in)?eligible|(?:not )?allowed|permitted|qualif\w+|no longer|"
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
    chosen = [p for p in context.passages if not _asks(p)][:PASSAGES]
    chosen += _alike(claim, context, chosen)
    shown = [Premise(_aligned(p, claim, context), (p,)) for p in chosen]
    found = [*shown, *_sentences(chosen, claim)]
    if len(shown) >= 2:
        first, second = shown[:2]
        text = f"{first.text}\n{second.text}"
        found.append(Premise(text, (*first.passages, *second.passages)))
    if _MAY.search(claim.text):
        found += _rule_and_case(chosen, claim, context)
    return found


def _alike(claim: Claim, context: GroundContext, chosen: Sequence[Passage]) -> Sequence[Passage]:
    """Passages that say most nearly what the claim says, besides those that share its words."""
    if context.meaning is None:
        return ()
    alike = context.meaning.besides(chosen, claim.statement, context.search, ALIKE)
    return [p for p in alike if not _asks(p)]


def _sentences(chosen: Sequence[Passage], claim: Claim, kinds: Sequence[str] = ()) -> list[Premise]:
    """The sentences of running text that share most words with the claim, each by itself: a small
    model reads one rule better than the paragraph it stands in."""
    said = content_stems(claim.statement)
    found = []
    for passage in chosen:
        if passage.record is not None or (kinds and passage.source.kind not in kinds):
            continue
        spans = list(sentences(passage.text))
        for start, end in spans if len(spans) > 1 or kinds else ():
            text = passage.text[start:end]
            found.append((len(named_in(said, content_stems(text))), text, passage))
    found.sort(key=lambda item: -item[0])
    return [Premise(text, (passage,)) for shared, text, passage in found[:_SENTENCES] if shared]


def _rule_and_case(
    chosen: Sequence[Passage], claim: Claim, context: GroundContext
) -> list[Premise]:
    """The sentence of a rule that shares most words with the claim, and the record it speaks about."""
    rules = _sentences(chosen, claim, _RULES)
    case = next(
        (p for p in chosen if is_result(p) and p.record is not None and _is_meant(p, context)),
        None,
    ) or next((p for p in context.fitting if is_result(p) and _is_meant(p, context)), None)
    if not rules or case is None:
        return []
    rule, said = rules[0], content_stems(f"{claim.statement} {rules[0].text}")
    return [Premise(f"{rule.text}\n{_brief(case, said)}", (*rule.passages, case))]


def _is_meant(passage: Passage, context: GroundContext) -> bool:
    """Whether a passage shows the state of something that the claim speaks about."""
    named = context.topic.names(context.rows.chain(passage))
    return named and any(STATUS_FIELD.search(cell.key) for cell, _, _ in passage.cells)


def _brief(passage: Passage, said: frozenset[str]) -> str:
    """A record's own name, its state, and the fields that are spoken of."""
    record = passage.record
    cells = [
        f"{cell.key}: {cell.text}"
        for cell, _, _ in passage.cells
        if (record and cell.text in record.identity)
        or STATUS_FIELD.search(cell.key)
        or content_stems(f"{cell.key} {cell.text}") & said
    ]
    place = record.place.rsplit("›", 1)[-1].strip() if record else ""
    return f"{place} | {'; '.join(cells[:_CELLS])}"


def _asks(passage: Passage) -> bool:
    """A question entails nothing of what it asks."""
    return passage.source.kind == "user" and "?" in passage.text


def _aligned(passage: Passage, claim: Claim, context: GroundContext) -> str:
    """The passage with each value that the claim states written the claim's way."""
    if passage.record is None or not claim.values:
        return passage.text
    text, shift = passage.text, 0
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
