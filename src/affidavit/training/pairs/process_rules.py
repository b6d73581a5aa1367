"""Rules of how a matter goes on: who is told, what a state allows, what may be changed, where money goes.

The other half of what a system prompt says (:mod:`.rules` has conditions, deadlines and duties). Agents
tell these rules in freer words: "you'll get an email shortly with the return instructions".
"""

from __future__ import annotations

import random
from collections.abc import Callable

from affidavit.training.pairs.rule_parts import DEEDS, STATES, THINGS, Rule, a, capital, plural

_WAYS = ("email", "text message", "letter", "phone call", "push notification")
PARTS = ("delivery address", "payment method", "colour", "quantity", "date", "contact name", "billing plan", "seat", "size",
          "room type", "language", "start time", "phone number", "shipping method", "product options", "notes", "beneficiary")  # fmt: skip
_METHODS = (
    "gift card",
    "credit card",
    "bank transfer",
    "PayPal",
    "store credit",
    "direct debit",
    "voucher",
)
_SOON = ("", "", " shortly", " soon", " in a moment")


def notice(rng: random.Random) -> Rule:
    """Somebody is told something afterwards."""
    thing, (act, done, noun) = rng.choice(THINGS), rng.choice(DEEDS)
    way, other_way = rng.sample(_WAYS, k=2)
    soon, way_a = rng.choice(_SOON), a(way)
    topic, said = rng.choice(
        (
            (f"regarding how to {act} the {thing}", f"with instructions on how to {act} your {thing}"),
            (f"about the {noun}", f"about your {noun}"),
            (f"with the details of the {noun}", f"with the details of the {noun}"),
            (f"for how and where to {act} the {thing}", f"explaining how to {act} it"),
            (f"that explains the {noun}", f"explaining the {noun}"),
        )
    )  # fmt: skip
    who = rng.choice(("the user", "the customer", "the client", "the member"))
    return Rule(
        (
            f"After confirmation, the status of the {thing} will be changed to '{noun} requested', and {who} will receive {way_a} {topic}.",
            f"When {a(thing)} is {done}, {who} will get {way_a} {topic}.",
            f"{capital(who)} will receive a follow-up {way} {topic}.",
            f"{capital(who)} is sent {way_a} {topic} once the {noun} is confirmed.",
        ),
        (
            ("entailment", "", (f"You'll receive {way_a}{soon} {said}", f"You will get {way_a} {said}", f"You’ll receive {a(way)}{soon}",
                                f"You will receive {way_a} with {noun} instructions{soon}" if "how" in topic or "explain" in topic else f"You'll hear from us by {way} {topic.split(' ')[0]} the {noun}" if topic.startswith("about") else f"You'll be sent {way_a} {said}",
                                f"A follow-up {way} {said} is on its way to you{soon}", f"and you'll get {way_a} {said}")),
            ("contradiction", "negation", (f"You will not receive any {way}", f"No {way} will be sent to you", f"You won't get {way_a} {said}")),
            ("neutral", "other", (f"You'll receive {a(other_way)} {said}", f"The {way} includes a prepaid label", f"You'll receive {way_a} with a discount code",
                                  f"The {way} will arrive within two hours")),
            ("neutral", "denied", (f"I can't {act} your {thing} twice", f"Your {thing} cannot be {done} on a weekend", f"{plural(noun)} are not possible by {way}",
                                   f"No further {noun}s can be made after that")),
        ),
    )  # fmt: skip


def state_allows(rng: random.Random) -> Rule:
    """What may be done in one state only, told of the other states."""
    thing, (act, done, noun) = rng.choice(THINGS), rng.choice(DEEDS)
    states = rng.choice(STATES)
    state, other, third = rng.sample(states, k=3)
    return Rule(
        (
            f"{capital(a(thing))} can only be {done} if its status is '{state}', and you should check its status before taking the action.",
            f"Only {state} {thing}s can be {done}.",
            f"{plural(thing)} may be {done} only while they are {state}.",
            f"To {act} {a(thing)}, its status must be '{state}'.",
        ),
        (
            ("entailment", "", (f"If the {thing} is already {other} or {third}, I won't be able to {act} it",
                                f"{plural(noun)} are only available for {state} {thing}s", f"I can {act} it only while it is {state}",
                                f"If your {thing} is {other}, it can't be {done}",
                                f"{plural(noun)} are only allowed for {thing}s that are {state}", f"{capital(a(thing))} that is {other} cannot be {done}",
                                f"I can only {act} {thing}s that are {state}", f"Your {thing} has to be {state} before I can {act} it",
                                f"{capital(a(thing))} that is {other} isn't eligible for {a(noun)}", f"{plural(noun)} aren't possible once {a(thing)} is {third}",
                                f"{capital(a(noun))} isn't available for {other} {thing}s", f"{capital(a(noun))} is possible if your {thing} is still {state}")),
            ("contradiction", "negation", (f"I can {act} your {thing} even if it is {other}", f"{capital(other)} {thing}s can be {done}",
                                           f"{plural(noun)} are only available for {other} {thing}s", f"I can't {act} {state} {thing}s",
                                           f"{capital(a(thing))} that is {state} cannot be {done}", f"{capital(a(noun))} isn't available for {state} {thing}s",
                                           f"If your {thing} is still {state}, {a(noun)} isn't possible")),
            ("contradiction", "broader", (f"{plural(noun)} are possible in any state", f"It doesn't matter what state your {thing} is in")),
            ("neutral", "other", (f"Your {thing} is {other}", f"Your {thing} is still {state}", f"{plural(noun)} cost nothing")),
        ),
    )  # fmt: skip


def scope(rng: random.Random) -> Rule:
    """What may be changed, and nothing else."""
    thing = rng.choice(THINGS)
    first, second, third, outside, beyond = rng.sample(PARTS, k=5)
    state = rng.choice(("", "pending ", "confirmed ", "open "))
    return Rule(
        (
            f"For {a(f'{state}{thing}')}, you can change its {first}, {second}, or {third}, but nothing else.",
            f"Of {a(f'{state}{thing}')}, only the {first}, the {second} and the {third} can be modified.",
            f"The {first}, {second} and {third} of {a(f'{state}{thing}')} may be changed; everything else is fixed.",
        ),
        (
            ("entailment", "", (f"I can change the {first}, {second} or {third} of your {thing}", f"You can still change the {second}",
                                f"I'm not able to change the {outside}", f"The {outside} of your {thing} can't be changed",
                                f"Nothing but the {first}, the {second} and the {third} can be changed", f"Changing the {beyond} isn't possible",
                                f"I can update the {third} on your {thing}")),
            ("contradiction", "broader", (f"I can also change the {outside}", f"Everything about your {thing} can be changed", f"The {beyond} can be modified as well")),
            ("contradiction", "negation", (f"The {first} cannot be changed", f"I'm not able to change the {second} of your {thing}")),
        ),
    )  # fmt: skip


def money_back(rng: random.Random) -> Rule:
    """Where money goes and how fast, by how it was paid."""
    thing = rng.choice(THINGS)
    fast, slow, third = rng.sample(_METHODS, k=3)
    low = rng.randint(2, 9)
    high, unit = (
        low + rng.choice((1, 2, 3, 5)),
        rng.choice(("business days", "days", "working days", "weeks")),
    )
    wrong = high + rng.choice((3, 5, 10))
    return Rule(
        (
            f"The total will be refunded via the original payment method immediately if it is {a(fast)}, otherwise in {low} to {high} {unit}.",
            f"Refunds go back to the original payment method: at once for {a(fast)}, within {low} to {high} {unit} for anything else.",
            f"Money for a cancelled {thing} is returned to the original payment method. {capital(fast)} refunds are immediate; all others take {low} to {high} {unit}.",
        ),
        (
            ("entailment", "", (f"The refund goes to your original payment method, which takes {low} to {high} {unit} for {a(slow)}",
                                f"If you paid by {slow}, the refund takes {low}-{high} {unit}", "Your refund will be issued to the original payment method",
                                f"If you used {a(fast)}, you'll have the refund immediately", f"{capital(slow)} refunds take {low} to {high} {unit}",
                                f"Refunds to {a(fast)} are immediate", f"A refund to your {slow} will arrive within {low} to {high} {unit}",
                                "The money will be returned to the payment method you used")),
            ("contradiction", "field", (f"If you paid by {slow}, the refund is immediate", f"{capital(fast)} refunds take {low} to {high} {unit}",
                                        f"Refunds to {a(third)} are immediate")),
            ("contradiction", "digit", (f"Your {slow} refund takes {wrong} {unit}", f"The refund to your {slow} takes {high + 1} to {wrong} {unit}")),
            ("contradiction", "negation", ("The refund can't go to your original payment method", "You won't get a refund", f"Refunds are always paid to {a(third)}")),
            ("neutral", "other", (f"You paid by {slow}", "The refund includes shipping")),
        ),
    )  # fmt: skip


def like_for_like(rng: random.Random) -> Rule:
    """A thing may be swapped for another of its kind only."""
    kind, one, other = rng.choice(
        (
            ("product", "shirt", "pair of shoes"), ("product", "bookshelf", "camera"), ("room type", "single room", "suite"),
            ("category", "compact car", "van"), ("product", "lamp", "kettle"), ("class", "economy seat", "business seat"),
            ("course", "piano lesson", "dance lesson"), ("product", "laptop", "tablet"), ("product", "helmet", "jacket"),
        )
    )  # fmt: skip
    act, done = rng.choice(
        (
            ("exchange", "exchanged"),
            ("swap", "swapped"),
            ("change", "changed"),
            ("replace", "replaced"),
        )
    )
    for_ = rng.choice(("for", "into", "to"))
    return Rule(
        (
            f"Each item can be {done} {for_} an available item of the same {kind} but of different options. There cannot be any change of {kind}.",
            f"An item may be {done} only for another one of the same {kind}.",
            f"Customers can {act} an item for a different option of the same {kind}, never for another {kind}.",
        ),
        (
            ("entailment", "", (f"I can't {act} your {one} for a {other}", f"Your {one} can only be {done} for another {one}",
                                f"{capital(act)}s must stay within the same {kind}", f"Items can only be {done} within the same {kind}",
                                f"The new item has to be of the same {kind}", f"A {one} can be {done} for a different {one}",
                                f"You can choose another option of the same {kind}", f"You can also {act} it for a different variant of the same {kind}",
                                f"I can't {act} your {one} for a {other} because they are different {kind}s",
                                f"{capital(act)}s are for the same {kind} only (a {one} for a {one}), not for a different one like a {other}")),
            ("contradiction", "broader", (f"You can {act} your {one} for a {other}", f"Your {one} can be {done} for anything we have",
                                          f"It doesn't have to be the same {kind}")),
            ("contradiction", "negation", (f"Your {one} can't be {done} at all", f"A {one} cannot be {done} for a different {one}")),
            ("neutral", "other", (f"A {other} is available", f"The new {one} costs the same")),
        ),
    )  # fmt: skip


FRAMES: tuple[Callable[[random.Random], Rule], ...] = (
    notice, notice, state_allows, state_allows, state_allows, scope, money_back, like_for_like,
)  # fmt: skip
