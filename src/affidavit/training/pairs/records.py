"""Claims in an agent's own voice about made-up business records, each with its faulty twins.

A scene is a record, sometimes with others of its kind, rendered as the ledger would. From a field
come a true claim and twins: a near miss, another value, the neighbouring field's value, another
row's value, a negation, a claim of absence, a claim about something the passage does not show.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, TypeAlias

from affidavit.ledger.passages import render_record
from affidavit.ledger.records import records_of, words_of
from affidavit.training.pairs.domains import DOMAINS, Domain, Field
from affidavit.training.pairs.kinds import (
    Count,
    Day,
    Duration,
    Flag,
    Measure,
    Money,
    Note,
    Several,
    State,
)
from affidavit.training.pairs.pair import Label, Pair
from affidavit.training.pairs.voice import spoken

PREMISE_CHARS = 420

_ABSENT = (
    "There is no {k} on file", "No {k} is recorded", "{S} has no {k}", "The {k} is not listed",
    "I couldn't find a {k}",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Thing:
    """One record: what it is called, its fields with their truths, and its data."""

    domain: Domain
    name: str
    truths: tuple[tuple[Field, str, Any], ...]
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Scene:
    """A thing, other things of its kind beside it, and how the evidence is laid out."""

    thing: Thing
    others: tuple[Thing, ...]
    lay_out: Callable[[Sequence[dict[str, Any]]], object]
    root: str

    def premise(self, data: dict[str, Any] | None = None) -> str:
        rows = [self.thing.data if data is None else data, *(o.data for o in self.others)]
        records = records_of(self.lay_out(rows), root=self.root)
        return "\n".join(p.text for record in records for p in render_record(record))


def record_pairs(rng: random.Random, scenes: int) -> Iterator[Pair]:
    """Pairs from ``scenes`` made-up scenes: a few claims about each, true and faulty."""
    last = ""
    for _ in range(scenes):
        scene = made_scene(rng)
        premise = scene.premise()
        if len(premise) > PREMISE_CHARS:
            continue
        for pair in _claims(scene, rng):
            yield pair
            # A true claim over the evidence of another matter: nothing is said of it either way.
            if last and pair.label == "entailment" and rng.random() < 0.12:
                yield Pair(last, pair.hypothesis, "neutral", "records", "unrelated")
        last = premise


def made_scene(
    rng: random.Random,
    domain: Domain | None = None,
    fields: Sequence[Field] = (),
    beside: int | None = None,
) -> Scene:
    """A scene of some domain; its fields, and how many things stand beside, by chance or as given."""
    domain = domain or rng.choice(DOMAINS)
    size = len(fields) or rng.choices([2, 3, 4, 5, 6, 8], [2, 4, 5, 4, 3, 2])[0]
    some = rng.sample(list(domain.fields), k=min(size, len(domain.fields)))
    chosen = rng.sample(list(fields), k=len(fields)) or some
    keys = {field: rng.choice(list(field.keys)) for field in chosen}
    identity = rng.choice(list(domain.identity.keys))
    thing = _thing(domain, chosen, keys, identity, rng)
    if beside is None:
        beside = 0 if size > 4 else rng.choices([0, 1, 2], [6, 3, 1])[0]
    others = [_thing(domain, chosen, keys, identity, rng) for _ in range(beside)]
    others = [o for o in others if o.name != thing.name]
    return Scene(thing, tuple(others), _layout(domain, rng), _root(domain, rng))


def _thing(
    domain: Domain,
    fields: Sequence[Field],
    keys: dict[Field, str],
    identity: str,
    rng: random.Random,
) -> Thing:
    name = domain.identity.kind.draw(rng)
    data: dict[str, Any] = {identity: name}
    truths: list[tuple[Field, str, Any]] = []
    currency: str | None = None
    for field in fields:
        truth = field.kind.draw(rng)
        if isinstance(field.kind, Money):
            # One record, one currency: two would make its amounts ambiguous.
            currency = currency or truth[1]
            truth = (truth[0], currency)
        style = random.Random(f"{keys[field]}{identity}{len(fields)}")
        data |= field.kind.data(keys[field], truth, style if rng.random() < 0.9 else rng)
        truths.append((field, keys[field], truth))
    return Thing(domain, name, tuple(truths), data)


def _layout(domain: Domain, rng: random.Random) -> Callable[[Sequence[dict[str, Any]]], object]:
    """How rows stand in the result: alone, in a list, under a key, with a count, keyed by name."""
    plural = domain.thing.replace(" ", "_") + "s"
    way = rng.choice(["list", "wrapped", "counted", "wrapped", "list"])
    one = rng.choice(["bare", "bare", "bare", "named", "list", "data"])

    def lay(rows: Sequence[dict[str, Any]]) -> object:
        if len(rows) == 1 and one != "list":
            named = {domain.thing.replace(" ", "_"): rows[0]}
            return {"bare": rows[0], "named": named, "data": {"data": rows[0]}}[one]
        match way:
            case "list":
                return list(rows)
            case "wrapped":
                return {plural: list(rows)}
            case _:
                return {"count": len(rows), "results": list(rows)}

    return lay


def _root(domain: Domain, rng: random.Random) -> str:
    tool = rng.choice(list(domain.tools))
    return rng.choice([tool, tool, words_of(tool), ""])


def _claims(scene: Scene, rng: random.Random) -> Iterator[Pair]:
    for field, key, truth in rng.sample(scene.thing.truths, k=min(2, len(scene.thing.truths))):
        named = bool(scene.others) or rng.random() < 0.4
        subject = named_by(scene.thing, named, rng)
        true = said_of(scene, field, truth, subject, rng)
        premise = scene.premise()
        yield _pair(premise, true, "entailment", "", rng)
        for make in rng.sample(_MAKERS, k=rng.choice([1, 2, 3])):
            yield from make(Telling(scene, field, key, truth, subject), rng)
    if len(scene.thing.truths) >= 3 and rng.random() < 0.5:
        yield from _joined(scene, rng)
    if rng.random() < 0.5:
        yield from _compared(scene, rng)
    if rng.random() < 0.12:
        yield from _counted(scene, rng)


def _pair(premise: str, claim: str, label: Label, fault: str, rng: random.Random) -> Pair:
    return Pair(premise, spoken(claim, rng, 0.22), label, "records", fault)


def named_by(thing: Thing, named: bool, rng: random.Random) -> str:
    """What a claim calls a thing: by its name, or "it", "your order"."""
    kind, name = thing.domain.thing, thing.name
    coded = any(ch.isdigit() for ch in name)
    if not coded and named:
        return rng.choice([name, name, f"the {kind} {name}"])
    if named:
        return rng.choice([f"{kind} {name}", f"{kind} #{name}", f"your {kind} {name}", name])
    return rng.choice(["it", f"the {kind}", f"your {kind}", f"this {kind}"])


def _say(field: Field, truth: Any, subject: str, rng: random.Random) -> str:
    """What is said of a field when ``truth`` is its value."""
    value = field.kind.say(truth, rng)
    match field.kind:
        case State():
            phrase = rng.choice(list(field.kind.told[truth]))
        case Flag():
            phrase = rng.choice(list(field.says if truth else field.no))
        case Note():
            phrase = rng.choice(list(field.says if truth else field.no))
        case _:
            phrase = rng.choice(list(field.says))
    return _fill(phrase, subject, value)


def said_of(s: Scene, field: Field, truth: Any, subject: str, rng: random.Random) -> str:
    """What is said of a field, always naming its thing where the scene shows others."""
    text = _say(field, truth, subject, rng)
    if s.others and subject not in text:
        text = f"{text} for {subject}" if rng.random() < 0.7 else f"For {subject}, {_low(text)}"
    return text


def _fill(phrase: str, subject: str, value: str) -> str:
    text = phrase.replace("{S}", subject).replace("{v}", value)
    text = re.sub(r"\b(is|are|was) (?:are|is) ", r"\1 ", text)
    text = re.sub(r"\ba (?=[aeio])", "an ", text)
    one = re.search(r"\b(?:1|one) (\w+?)s\b", text)
    return text.replace(one.group(), one.group()[:-1]) if one else text


@dataclass(frozen=True, slots=True)
class Telling:
    """One field of a scene's thing, about to be told of."""

    scene: Scene
    field: Field
    key: str
    truth: Any
    subject: str

    def tell(self, value: Any, rng: random.Random) -> str:
        return said_of(self.scene, self.field, value, self.subject, rng)

    def premise(self, data: dict[str, Any] | None = None) -> str:
        return self.scene.premise(data)


Maker: TypeAlias = Callable[[Telling, random.Random], Iterator[Pair]]


def _near(t: Telling, rng: random.Random) -> Iterator[Pair]:
    """A near miss, or any other value of the kind."""
    wrong = t.field.kind.near(t.truth, rng) if rng.random() < 0.65 else t.field.kind.draw(rng)
    if isinstance(t.field.kind, Money):
        wrong = (wrong[0], t.truth[1])
    if same(wrong, t.truth):
        return
    if isinstance(t.field.kind, Several):
        wrong = tuple(w for w in wrong if w not in t.truth)
        if not wrong:
            return
        value = wrong[0]
        yield _pair(
            t.premise(),
            _fill(rng.choice(list(t.field.says)), t.subject, value),
            "contradiction",
            "value",
            rng,
        )
        if t.field.no:
            denied = _fill(rng.choice(list(t.field.no)), t.subject, value)
            yield _pair(t.premise(), denied, "entailment", "denied", rng)
        return
    yield _pair(t.premise(), t.tell(wrong, rng), "contradiction", "value", rng)


def _neighbour(t: Telling, rng: random.Random) -> Iterator[Pair]:
    """The value of another field of the same kind, said of this one."""
    for other, _, value in t.scene.thing.truths:
        if other is not t.field and type(other.kind) is type(t.field.kind) and other.kind != Flag():
            if isinstance(t.field.kind, State | Note | Several) or same(value, t.truth):
                continue
            text = t.tell(value, rng)
            yield _pair(t.premise(), text, "contradiction", "field", rng)
            return


def _row(t: Telling, rng: random.Random) -> Iterator[Pair]:
    """Another row's value, said of this row."""
    for other in t.scene.others:
        value = next((v for f, _, v in other.truths if f is t.field), None)
        if value is None or same(value, t.truth) or isinstance(t.field.kind, Several | Note):
            continue
        if isinstance(t.field.kind, Money) and value[1] != t.truth[1]:
            continue
        yield _pair(t.premise(), t.tell(value, rng), "contradiction", "row", rng)
        return


_AUXILIARY = re.compile(r"\b(is|was|are|were|will|should|has been|can)\b(?! not|n't)")


def _negated(t: Telling, rng: random.Random) -> Iterator[Pair]:
    """The true claim denied; now and then a wrong claim denied, which is true."""
    if isinstance(t.field.kind, Flag | Note | Several | State):
        return
    claim, label = t.tell(t.truth, rng), "contradiction"
    if rng.random() < 0.35:
        wrong = t.field.kind.near(t.truth, rng)
        if same(wrong, t.truth):
            return
        claim, label = t.tell(wrong, rng), "entailment"
    denied = _deny(claim, rng)
    if denied:
        yield _pair(t.premise(), denied, label, "negation", rng)  # type: ignore[arg-type]


def _deny(claim: str, rng: random.Random) -> str | None:
    found = _AUXILIARY.search(claim)
    if not found or "no " in claim:
        return None
    word = found.group()
    short = {"is": "isn't", "was": "wasn't", "are": "aren't", "were": "weren't"}
    if word in short and rng.random() < 0.4:
        new = short[word]
    else:
        new = "has not been" if word == "has been" else "cannot" if word == "can" else f"{word} not"
    return claim[: found.start()] + new + claim[found.end() :]


def _absence(t: Telling, rng: random.Random) -> Iterator[Pair]:
    """A claim that there is no such thing, where there is one; and the same where it is null."""
    if isinstance(t.field.kind, Flag | State) or t.truth in (None, 0):
        return
    claim = _absent(t.key, t.subject, rng)
    if rng.random() < 0.5:
        yield _pair(t.premise(), claim, "contradiction", "absence", rng)
    else:
        yield _pair(t.premise(_nulled(t.scene.thing, t.key)), claim, "entailment", "null", rng)


def _blank(t: Telling, rng: random.Random) -> Iterator[Pair]:
    """The claim of a value where the passage says that there is none."""
    if isinstance(t.field.kind, Flag | State) or t.truth is None:
        return
    claim = t.tell(t.truth, rng)
    yield _pair(t.premise(_nulled(t.scene.thing, t.key)), claim, "contradiction", "null", rng)


def _lacking(t: Telling, rng: random.Random) -> Iterator[Pair]:
    """The field is not in the passage at all: nothing is said of it either way."""
    if t.scene.others or len(t.scene.thing.truths) < 2:
        return
    data = {k: v for k, v in t.scene.thing.data.items() if not _belongs(k, t.key)}
    claim = _absent(t.key, t.subject, rng) if rng.random() < 0.2 else t.tell(t.truth, rng)
    yield _pair(t.premise(data), claim, "neutral", "lacking", rng)


def _elsewhere(t: Telling, rng: random.Random) -> Iterator[Pair]:
    """The same claim about a thing that the passage does not show."""
    shown = {t.scene.thing.name, *(o.name for o in t.scene.others)}
    other = t.scene.thing.domain.identity.kind.near(t.scene.thing.name, rng)
    if other in shown:
        return
    stranger = named_by(Thing(t.scene.thing.domain, other, (), {}), True, rng)
    claim = _say(t.field, t.truth, stranger, rng)
    if other in claim:
        yield _pair(t.premise(), claim, "neutral", "stranger", rng)


def _joined(s: Scene, rng: random.Random) -> Iterator[Pair]:
    """Two facts in one sentence: true if both are, false if either is, open if either is open."""
    (one, _, a), (two, key, b) = rng.sample(s.thing.truths, k=2)
    subject = named_by(s.thing, bool(s.others) or rng.random() < 0.5, rng)
    follow = rng.choice(["it", "it", subject])
    first = said_of(s, one, a, subject, rng)
    joint = rng.choice([" and ", ", and ", ", but ", "; "])
    true = _say(two, b, follow, rng)
    yield _pair(s.premise(), f"{first}{joint}{_low(true)}", "entailment", "joined", rng)
    wrong = two.kind.near(b, rng)
    if isinstance(two.kind, Several) or same(wrong, b):
        return
    false = _say(two, wrong, follow, rng)
    parts = (
        [first, _low(false)]
        if rng.random() < 0.6
        else [said_of(s, two, wrong, subject, rng), _low(_say(one, a, "it", rng))]
    )
    yield _pair(s.premise(), joint.join(parts), "contradiction", "joined", rng)
    if not s.others and rng.random() < 0.5:
        data = {k: v for k, v in s.thing.data.items() if not _belongs(k, key)}
        yield _pair(s.premise(data), f"{first}{joint}{_low(true)}", "neutral", "joined", rng)


def _low(text: str) -> str:
    return text[0].lower() + text[1:] if text.split()[0].isalpha() and text[:2] != "I " else text


_MORE = ("more than {v}", "over {v}", "above {v}")
_LESS = ("less than {v}", "under {v}", "below {v}")


def _compared(s: Scene, rng: random.Random) -> Iterator[Pair]:
    """Bounds and round figures: "more than $600", "before March 10", "about 2 hours"."""
    field, _, truth = rng.choice(s.thing.truths)
    subject = named_by(s.thing, bool(s.others) or rng.random() < 0.5, rng)
    phrase = next((p for p in field.says if "{v}" in p and "{S}" in p), "")
    match field.kind:
        case Money() if phrase:
            amount, currency = truth
            bound = max(100, int(amount * rng.choice([0.5, 0.8, 0.9, 1.1, 1.25, 2])) // 100 * 100)
            low, shown = bound < amount, field.kind.say((bound, currency), rng)
        case Count() | Duration() | Measure() if phrase and truth > 1:
            bound = max(1, int(truth * rng.choice([0.5, 0.7, 1.4, 2])))
            low, shown = bound < truth, field.kind.say(bound, rng)
        case Day() if phrase and " on {v}" in phrase:
            moved = truth.fromordinal(truth.toordinal() + rng.choice([-40, -9, -2, 2, 9, 40]))
            low, shown = moved < truth, field.kind.say(moved, rng)
            bound = moved
        case _:
            return
    if bound == truth or (isinstance(truth, tuple) and bound == truth[0]):
        return
    more: Sequence[str] = _MORE
    less: Sequence[str] = _LESS
    if isinstance(truth, date | datetime):
        phrase, more, less = phrase.replace(" on {v}", " {v}"), ("after {v}",), ("before {v}",)
    true, false = (more, less) if low else (less, more)
    for words, label in ((true, "entailment"), (false, "contradiction")):
        value = rng.choice(words).replace("{v}", shown)
        yield _pair(s.premise(), _fill(phrase, subject, value), label, "bound", rng)  # type: ignore[arg-type]


def _counted(s: Scene, rng: random.Random) -> Iterator[Pair]:
    """How many were found, by a count that the result states; and nothing found, where it is 0."""
    thing = s.thing.domain.thing
    plural = thing[:-1] + "ies" if thing.endswith("y") else thing + "s"
    true = rng.choice([0, 0, 1, 2, 3, 4, 5, 7, 8, 12, 20, 48])
    key = rng.choice(["count", "total", "total_count", "num_results", "matches"])
    value: dict[str, Any] = {key: true, "page": 1, "results": [s.thing.data] if true else []}
    if rng.random() < 0.5:
        del value["page"]
    text = "\n".join(p.text for r in records_of(value, root=s.root) for p in render_record(r))
    nothing = [
        f"I couldn't find any {plural}",
        f"There are no {plural}",
        f"No {plural} were found",
        f"I didn't find any matching {plural}",
        "Nothing was found",
    ]
    said = Count().say
    for n, label in ((true, "entailment"), (Count().near(true, rng), "contradiction")):
        found = [
            f"I found {said(n, rng)} {plural}",
            f"There are {said(n, rng)} {plural}",
            f"I've found {said(n, rng)} matching {plural}",
            f"{said(n, rng)} {plural} came up",
        ]
        claim = rng.choice(nothing if n == 0 else found)
        yield _pair(text, _fill(claim, "", ""), label, "count", rng)  # type: ignore[arg-type]
    if true and rng.random() < 0.5:
        yield _pair(text, rng.choice(nothing), "contradiction", "absence", rng)


_MAKERS: tuple[Maker, ...] = (
    _near, _near, _neighbour, _row, _negated, _absence, _elsewhere, _lacking, _lacking, _blank,
)  # fmt: skip


def _absent(key: str, subject: str, rng: random.Random) -> str:
    return rng.choice(_ABSENT).replace("{S}", subject).replace("{k}", words_of(key))


def _belongs(name: str, key: str) -> bool:
    """Whether a data key was written for this field: ``total_cents`` for ``total``."""
    return name == key or name.startswith(key + "_")


def _nulled(thing: Thing, key: str) -> dict[str, Any]:
    return {k: None if _belongs(k, key) else v for k, v in thing.data.items()}


def same(a: Any, b: Any) -> bool:
    """Whether two truths would be told alike."""
    if isinstance(a, datetime) and isinstance(b, datetime):
        return a.date() == b.date()
    return bool(a == b)
