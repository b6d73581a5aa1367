"""Pairs from the families: each claim once over evidence for it and once over evidence against it, rendered as in a run."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from affidavit.ledger.ledger import Ledger
from affidavit.stages.ground.linking import Premise, evidence_of, linked_answer, premise_of
from affidavit.trace import Message, RunTrace, TextPart
from affidavit.training.pairs.made.case import Call, Case, Family
from affidavit.training.pairs.made.families import FAMILIES
from affidavit.training.pairs.made.records import number_of
from affidavit.training.pairs.made.saying import opened
from affidavit.training.pairs.made.words import OBJECTS, PEOPLE
from affidavit.training.pairs.pair import Label, Pair, returned

_KEPT = 24
"""Calls of earlier cases from which those beside a case are drawn."""
_ASKED = ("Can you check this for me?", "What's the situation?", "Please have a look.", "How are we doing?", "And?",
          "Could you tell me more?", "I need this for a meeting, what do we know?", "Please take care of it.", "", "")  # fmt: skip
_BEFORE = ("Here is what I found.", "Thanks for waiting.", "I looked that up.", "Sure.", "Two things:", "In short:",
           "Here is the summary you asked for.", "All right, I have the details.", "Good question.")  # fmt: skip
_NAMING = (
    "About {n}:",
    "I checked {n}.",
    "Here is {n}.",
    "As for {n}:",
    "You asked about {n}.",
    "Regarding {n}:",
)
_LEADS = ("As of now, {c}", "Good news: {c}", "According to the system, {c}", "To sum up, {c}", "In other words, {c}",
          "As far as I can see, {c}", "Yes, {c}", "Just so you know, {c}", "Please note that {c}", "It turns out that {c}",
          "I can confirm that {c}", "The record shows that {c}")  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Frame:
    """What surrounds a case, the same over both of its states."""

    asked: str
    before: str
    earlier: tuple[Call, ...]
    later: tuple[Call, ...]


def made_pairs(
    rng: random.Random, count: int, families: Sequence[Family] = FAMILIES
) -> Iterator[Pair]:
    """``count`` pairs, one more where that is odd; every family as often as any other."""
    past: list[Call] = []
    left = count
    while left > 0:
        for family in rng.sample(families, len(families))[: (left + 1) // 2]:
            yield from _told(rng, family, past)
            left -= 2


def _told(rng: random.Random, family: Family, past: list[Call]) -> tuple[Pair, Pair]:
    """One case of a family as its two pairs; draws again where the two premises come out the same, or where the room
    of a premise does not show all that the claim rests on."""
    while True:
        case = family.draw(rng)
        if case.holds == case.fails:
            continue
        case = _beside_a_twin(rng, case) if rng.random() < 0.35 else case
        lead = rng.choice(_LEADS) if rng.random() < 0.15 else "{c}"
        case = replace(case, claim=opened(lead.format(c=case.claim)))
        frame = _framed(rng, case, past)
        one, two = (
            _shown(case, (*case.given, *calls), frame) for calls in (case.holds, case.fails)
        )
        if one is None or two is None or one.text == two.text:
            continue
        if case.system and not _says_today(one):
            continue
        past.extend(call for call in case.holds if _went_well(call))
        del past[:-_KEPT]
        subject = f"{family.name}: {case.claim}"
        return (
            _pair(one, "entailment", subject, case.claim),
            _pair(two, "not_entailment", subject, case.claim),
        )


def _went_well(call: Call) -> bool:
    answer = call.result if isinstance(call.result, dict) else {}
    return not call.failed and answer.get("ok") is not False and answer.get("success") is not False


def _pair(premise: Premise, label: Label, subject: str, claim: str) -> Pair:
    return Pair(premise.text, premise.hypothesis, label, "made", subject, claim)


def _beside_a_twin(rng: random.Random, case: Case) -> Case:
    """The case with a second object of the same kind, over which the opposite holds: what a claim says of the one is
    borne out by the other alone."""
    if not any(name in case.claim for name in case.about):
        return case
    named = {name: _like(rng, name) for name in case.about}
    if any(name in case.claim for name in named.values()):
        return case
    twins = [tuple(_renamed(call, named) for call in calls) for calls in (case.fails, case.holds)]
    if rng.random() < 0.5:
        holds, fails = (*case.holds, *twins[0]), (*case.fails, *twins[1])
    else:
        holds, fails = (*twins[0], *case.holds), (*twins[1], *case.fails)
    return replace(case, holds=holds, fails=fails)


def _like(rng: random.Random, name: str) -> str:
    """Another name, or another number, of the same kind."""
    if any(letter.isdigit() for letter in name):
        return number_of(rng)
    return rng.choice(PEOPLE if name in PEOPLE else OBJECTS)


def _renamed(call: Call, named: dict[str, str]) -> Call:
    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: turned(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [turned(inner) for inner in value]
        if isinstance(value, str):
            for old, new in named.items():
                value = value.replace(old, new)
        return value

    return Call(call.tool, turned(call.arguments), turned(call.result), call.failed)


def _framed(rng: random.Random, case: Case, past: Sequence[Call]) -> _Frame:
    """What stands around a case: a question, a sentence before the claim, results of other calls."""
    is_named = any(name in case.claim for name in case.about)
    before = ""
    if case.about and not is_named and rng.random() < 0.5:
        before = rng.choice(_NAMING).format(n=case.about[-1])
        is_named = True
    elif rng.random() < 0.25:
        before = rng.choice(_BEFORE)
    fit = [call for call in past if _is_apart(call, case, f"{before} {case.claim}", is_named)]
    chosen = rng.sample(fit, min(len(fit), rng.choice((1, 1, 2, 3)))) if rng.random() < 0.5 else []
    cut = rng.randint(0, len(chosen))
    return _Frame(rng.choice(_ASKED), before, tuple(chosen[:cut]), tuple(chosen[cut:]))


def _is_apart(call: Call, case: Case, said: str, is_named: bool) -> bool:
    """Whether a call bears nothing out of what is said: it has none of the names in it, and where what is said names
    no object, none of the fields that it rests on either."""
    text = json.dumps([call.arguments, call.result], ensure_ascii=False)
    if any(one.tool == call.tool for one in (*case.given, *case.holds, *case.fails)):
        return False
    if any(name in text for name in case.about):
        return False
    if any(leaf in said for leaf in _leaves(call.arguments) | _leaves(call.result)):
        return False
    return is_named or not case.keys & _keys([call.arguments, call.result])


def _leaves(value: Any) -> set[str]:
    """The texts within a value, short ones left out."""
    if isinstance(value, dict):
        return set().union(*(_leaves(inner) for inner in value.values()))
    if isinstance(value, list):
        return set().union(*(_leaves(inner) for inner in value))
    return {value} if isinstance(value, str) and len(value) > 2 else set()


def _keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*(_keys(inner) for inner in value.values()))
    if isinstance(value, list):
        return set().union(*(_keys(inner) for inner in value))
    return set()


def _shown(case: Case, calls: Sequence[Call], frame: _Frame) -> Premise | None:
    """The premise of the claim over these calls; None where some line of theirs is not in it."""
    messages = list(_messages(case.system, frame.asked, [*frame.earlier, *calls, *frame.later]))
    trace = RunTrace(run_id="made", messages=tuple(messages), answer=case.claim)
    evidence = evidence_of(Ledger.of(trace))
    premise = premise_of(linked_answer([case.claim], evidence)[0], evidence, before=frame.before)
    first = len(frame.earlier)
    own = {str(n) for n in range(first, first + len(calls))}
    there = {id(line) for line in premise.lines}
    shown = all(id(line) in there for line in evidence.lines if line.source.call_id in own)
    return premise if shown else None


def _says_today(premise: Premise) -> bool:
    """Whether a premise has the day that the claim counts from, or what was worked out from it."""
    said = any(line.source.kind == "system" for line in premise.lines)
    return said or "from today" in premise.text


def _messages(system: str, asked: str, calls: Sequence[Call]) -> Iterator[Message]:
    if system:
        yield Message(role="system", parts=(TextPart(text=system),))
    if asked:
        yield Message(role="user", parts=(TextPart(text=asked),))
    for number, call in enumerate(calls):
        yield from returned(call.tool, call.result, call.arguments, number, failed=call.failed)
