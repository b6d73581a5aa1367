"""A rule and a case beside it, and what follows from the two together.

"Only pending orders can be cancelled" and "order | id: W1; status: delivered" together say that this
order cannot be cancelled; neither says it alone. The premise is the rule, among others now and then,
and the record; what an agent concludes is told with its reason or without.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from affidavit.ledger.passages import render_record
from affidavit.ledger.records import records_of
from affidavit.training.pairs.pair import Label, Pair
from affidavit.training.pairs.rule_parts import DEEDS, STATES, THINGS, Texts, a, capital, plural
from affidavit.training.pairs.voice import freely, spoken


@dataclass(frozen=True, slots=True)
class Case:
    """A rule, the record it is applied to, and what is said of the two.

    ``beside`` is another rule, which says nothing of the matter: with it in the rule's place, what
    followed is open.
    """

    rule: Texts
    record: str
    claims: Sequence[tuple[Label, str, Texts]]
    beside: Texts


def case_pairs(rng: random.Random, count: int) -> Iterator[Pair]:
    """Conclusions from a rule and a record, true ones and false, and over one of the two alone."""
    for _ in range(count):
        case = rng.choice(_FRAMES)(rng)
        premise = _together([*_some(case.beside, rng), rng.choice(case.rule)], case.record, rng)
        true = next(ways for label, _, ways in case.claims if label == "entailment")
        for claim in rng.sample(list(true), k=2):
            yield Pair(premise, spoken(freely(claim, rng, 0.4), rng, 0.3), "entailment", "cases")
        for label, fault, ways in case.claims:
            if label != "entailment":
                told = freely(rng.choice(ways), rng, 0.4)
                yield Pair(premise, spoken(told, rng, 0.3), label, "cases", fault)
        alone = rng.choice((case.record, _together([rng.choice(case.beside)], case.record, rng)))
        yield Pair(
            alone,
            spoken(freely(rng.choice(true), rng, 0.4), rng, 0.3),
            "neutral",
            "cases",
            "no rule",
        )


def _some(rules: Texts, rng: random.Random) -> list[str]:
    return [rng.choice(rules)] if rng.random() < 0.4 else []


def _together(rules: list[str], record: str, rng: random.Random) -> str:
    rng.shuffle(rules)
    text = rng.choice((" ", "\n- ", "\n")).join(rules)
    return f"{text}\n{record}" if rng.random() < 0.5 else f"{record}\n{text}"


def _record(thing: str, field: str, value: object, rng: random.Random) -> tuple[str, str]:
    """A record of the thing with one field that matters, among others, as the ledger shows it, and its code."""
    code = f"{rng.choice(('', '#', ''))}{rng.choice('ABCKPRSTW')}{rng.randint(100, 9999999)}"
    key = rng.choice(("id", f"{thing}_id", "number", f"{thing}_number"))
    about: list[tuple[str, Any]] = [
        (field, value),
        ("user_id", f"{rng.choice(('mia', 'noah', 'li', 'omar', 'eva'))}_{rng.randint(10, 9999)}"),
        ("created_at", f"2025-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"),
        ("priority", rng.choice(("low", "normal", "high"))),
        ("amount", round(rng.uniform(5, 900), 2)),
    ]
    kept = [about[0], *rng.sample(about[1:], k=rng.randint(0, 3))]
    rng.shuffle(kept)
    name = rng.choice((thing, f"get_{thing}", f"get_{thing}_details", f"{thing}_lookup"))
    found = records_of({key: code, **dict(kept)}, root=name)
    return "\n".join(p.text for r in found for p in render_record(r)), code


def _open_state(rng: random.Random) -> Case:
    """A state that allows a deed or forbids it."""
    thing, (act, done, noun), (act2, done2, noun2) = rng.choice(THINGS), *rng.sample(DEEDS, k=2)
    states = rng.choice(STATES)
    state, other = rng.sample(states, k=2)
    allowed = rng.random() < 0.5
    found = state if allowed else other
    record, code = _record(thing, rng.choice(("status", "state", "order_status")), found, rng)
    one = rng.choice((f"{thing} {code}", f"your {thing}", f"this {thing}", "it", "that one"))
    can: Texts = (
        f"{one} can be {done}", f"{one} can be {done}, since it is {found}", f"{one} is eligible for {a(noun)}",
        f"{one} is still {found}, so I can {act} it", f"because {one} is {found}, {a(noun)} is possible",
        f"{one} qualifies for {a(noun)}", f"I can {act} {one}",
    )  # fmt: skip
    cannot: Texts = (
        f"{one} can't be {done}", f"{one} cannot be {done} because it is {found}", f"{one} isn't eligible for {a(noun)}",
        f"since {one} is already {found}, I'm unable to {act} it", f"{a(noun)} is not possible for {one}",
        f"unfortunately {one} can no longer be {done}", f"I can't {act} {one} at this point",
        f"{one} is {found}, so it's not possible to {act} it",
    )  # fmt: skip
    return Case(
        (
            f"{capital(a(thing))} can only be {done} if its status is '{state}'.",
            f"Only {state} {thing}s can be {done}.",
            f"{plural(thing)} may be {done} only while they are {state}.",
            f"You can only {act} {thing}s that are {state}; check the status first.",
            f"{plural(noun)} are for {state} {thing}s only.",
        ),
        record,
        (
            ("entailment", "", can if allowed else cannot),
            ("contradiction", "conclusion", cannot if allowed else can),
            ("neutral", "other", (f"{one} can't be {done2}", f"{one} can be {done2}", f"I can't {act2} {one}",
                                  f"{one} isn't eligible for {a(noun2)}")),
        ),
        _other_rules(rng, thing, (act2, done2, noun2)),
    )  # fmt: skip


def _paid_by(rng: random.Random) -> Case:
    """How long money takes, by how it was paid."""
    thing = rng.choice(THINGS)
    fast, slow = rng.sample(
        ("gift card", "credit card", "paypal", "bank transfer", "voucher", "debit card"), k=2
    )
    low = rng.randint(2, 8)
    high, unit = low + rng.randint(1, 4), rng.choice(("business days", "days", "working days"))
    quick = rng.random() < 0.4
    by = fast if quick else slow
    value = rng.choice(
        (by, by.replace(" ", "_"), f"{by.replace(' ', '_')}_{rng.randint(1000, 9999999)}")
    )
    record, code = _record(
        thing,
        rng.choice(("payment_method", "paid_with", "payment_method_id", "source")),
        value,
        rng,
    )
    soon: Texts = (
        "your refund is immediate", f"the refund for {thing} {code} is immediate", f"since you paid by {by}, the money is back right away",
        f"as it was paid with {a(by)}, you'll have the refund immediately",
    )  # fmt: skip
    later: Texts = (
        f"your refund takes {low} to {high} {unit}", f"the refund for {thing} {code} will take {low}-{high} {unit}",
        f"since you paid by {by}, the refund takes {low} to {high} {unit}",
        f"because the payment wasn't made with {a(fast)}, the refund will take {low} to {high} {unit} to process",
        f"as it was paid by {by}, please allow {low}–{high} {unit}",
    )  # fmt: skip
    return Case(
        (
            f"Refunds are immediate for {a(fast)}; otherwise they take {low} to {high} {unit}.",
            f"The money is returned at once if it was paid by {fast}, and within {low} to {high} {unit} for any other method.",
            f"A refund goes to the original payment method: immediately for {a(fast)}, otherwise in {low} to {high} {unit}.",
        ),
        record,
        (
            ("entailment", "", soon if quick else later),
            ("contradiction", "conclusion", later[:3] if quick else soon),
            ("neutral", "other", (f"the refund for {thing} {code} has been issued", "the refund includes the fee")),
        ),
        _other_rules(rng, thing, rng.choice(DEEDS)),
    )  # fmt: skip


def _paid_back(rng: random.Random) -> Case:
    """Where money goes back to, by how it was paid."""
    by, other = rng.sample(
        ("PayPal", "gift card", "credit card", "bank account", "debit card", "Klarna", "voucher"),
        k=2,
    )
    code = f"{by.lower().replace(' ', '_')}_{rng.randint(1000, 9999999)}"
    record = {
        "transaction_type": "payment",
        "amount": round(rng.uniform(5, 900), 2),
        "payment_method_id": code,
    }
    name = rng.choice(
        ("payment_history", "payment", "get_order › payment history[0]", "transactions")
    )
    found = records_of(record, root=name)
    # The ledger's own way of saying what a rule's "original payment method" is, or the record beside it.
    named = rng.choice((f" ({by})", f" ({code.replace('_', ' ')})", f" ({by.lower()})", "", "", ""))
    either = "" if "gift card" in (by, other) else " or to an existing gift card"
    return Case(
        (
            f"The refund goes to the original payment method{named}.", f"Money is always paid back via the original payment method{named}, whatever was bought.",
            f"The total will be refunded via the original payment method{named} after confirmation.",
            f"The refund must go to the original payment method{named}{either}.",
            f"Any difference in price is charged or refunded to the original payment method{named}, and so is every refund.",
        ),
        "\n".join(p.text for r in found for p in render_record(r)),
        (
            ("entailment", "", (f"the refund will go back to your {by}", f"the refund can be processed to your original {by} payment method", f"your refund will be issued to your {by}",
                                f"the refund goes to the original payment method ({by})", f"refund destination: your {by}", f"since you paid by {by}, that is where the refund goes",
                                f"the refund will be issued back to your original {by} method", f"the refund will go back to your {by} account", f"you'll be refunded via {by}",
                                f"the amount will be returned to your original {by} payment", f"the refund can be processed back to your {by}")),
            ("contradiction", "conclusion", (f"the refund will go to your {other}", f"your refund will be issued to your {other}", f"refund destination: your {other}",
                                             f"the refund will be issued back to your original {other} method", f"you'll be refunded via {other}",
                                             f"the refund can't be made to your {by}")),
            ("neutral", "other", (f"the refund to your {by} has been made", f"the refund to your {by} takes two days", f"your {by} has been charged")),
        ),
        ("Explain the details of the refund and obtain explicit confirmation.", "Refunds are checked by a second person.", "A refund needs the number of the order."),
    )  # fmt: skip


def _threshold(rng: random.Random) -> Case:
    """A bound on a number of the record."""
    thing = rng.choice(THINGS)
    field, unit = rng.choice(
        (
            ("amount", "$"),
            ("total", "$"),
            ("age", ""),
            ("score", ""),
            ("balance", "$"),
            ("weight_kg", ""),
            ("distance", ""),
        )
    )
    bound = rng.choice((10, 20, 25, 30, 50, 60, 75, 100, 200, 500))
    above = rng.random() < 0.5
    value = round(bound * rng.uniform(1.1, 3) if above else bound * rng.uniform(0.1, 0.9)) + (
        0 if unit == "" else rng.choice((0, 0.5))
    )
    act, done, noun = rng.choice(DEEDS)
    name = field.removesuffix("_kg")
    over = rng.random() < 0.5
    allowed = above == over
    side = "above" if over else "under"
    record, code = _record(thing, field, value, rng)
    one = rng.choice((f"{thing} {code}", f"your {thing}", f"this {thing}"))
    can: Texts = (f"{one} can be {done}", f"{one} qualifies for {a(noun)}", f"with {a(name)} of {unit}{value:g}, {one} can be {done}",
                  f"its {name} is {side} {unit}{bound}, so {one} can be {done}")  # fmt: skip
    opposite = "not above" if over else "not under"
    cannot: Texts = (f"{one} can't be {done}", f"{one} isn't eligible for {a(noun)}", f"with {a(name)} of {unit}{value:g}, {one} can't be {done}",
                     f"its {name} is {opposite} {unit}{bound}, so {one} can't be {done}")  # fmt: skip
    return Case(
        (
            f"Only {thing}s with {a(name)} {side} {unit}{bound} can be {done}.",
            f"{capital(a(thing))} may be {done} only if its {name} is {side} {unit}{bound}.",
            f"To {act} {a(thing)}, its {name} must be {side} {unit}{bound}.",
        ),
        record,
        (
            ("entailment", "", can if allowed else cannot),
            ("contradiction", "conclusion", cannot if allowed else can),
            ("neutral", "other", (f"{one} was {done}", f"{one} has been {done} already")),
        ),
        _other_rules(rng, thing, rng.choice(DEEDS)),
    )  # fmt: skip


def _deed_done(rng: random.Random) -> Case:
    """What may be done once: over a record that shows it was done."""
    thing, ((act, done, noun), (act2, done2, noun2)) = rng.choice(THINGS), rng.sample(DEEDS, k=2)
    record, code = _record(
        thing,
        "status",
        rng.choice((f"{noun} requested", f"{done}", f"pending ({done})", f"{done} today")),
        rng,
    )
    one = rng.choice((f"{thing} {code}", f"your {thing}", f"this {thing}", "it"))
    return Case(
        (
            f"Once {a(thing)} has been {done}, it can no longer be {done} or {done2}.",
            f"After {a(thing)} is {done}, the agent will not be able to {act} or {act2} it any more.",
            f"{capital(a(noun))} is possible once per {thing}, and {a(thing)} that was {done} can't be {done2} afterwards.",
        ),
        record,
        (
            ("entailment", "", (f"{one} can't be {done2} any more", f"no further {noun}s or {noun2}s can be made for {one}", f"I can't {act2} {one} now",
                                f"since {one} was {done}, it can't be {done2}", f"{one} has been {done}, so no further {noun2}s are possible",
                                f"{one} can no longer be {done2} or {done} further")),
            ("contradiction", "conclusion", (f"{one} can still be {done2}", f"{one} can be {done} again", f"I can {act2} {one} later")),
            ("neutral", "other", (f"{one} was {done2}", f"{one} was {done} at your request")),
        ),
        _other_rules(rng, thing, (act2, done2, noun2)),
    )  # fmt: skip


def _other_rules(rng: random.Random, thing: str, deed: tuple[str, str, str]) -> Texts:
    """Rules that say nothing of what may be done in which state."""
    act, done, noun = deed
    n = rng.randint(2, 12)
    return (
        f"The user is asked for a reason before {a(thing)} is {done}.",
        f"{capital(a(noun))} is confirmed by email.",
        f"Explain the details of the {noun} and obtain explicit confirmation before you {act} {a(thing)}.",
        f"{plural(noun)} are processed by the back office on working days.",
        f"A {thing} has an id, a status and up to {n} notes.",
        f"List what will be {done} before you go on.",
    )


_FRAMES: tuple[Callable[[random.Random], Case], ...] = (
    _open_state, _open_state, _open_state, _paid_by, _paid_back, _threshold, _deed_done,
)  # fmt: skip
