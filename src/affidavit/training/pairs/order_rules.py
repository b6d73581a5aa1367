"""Rules of what comes before and after: what a state opens or closes, what may be done once, what the user's
word sets off.

Small models read "before" for "after" and take any rule for a ban; each frame has both turned round.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from affidavit.training.pairs.process_rules import PARTS
from affidavit.training.pairs.rule_parts import DEEDS, THINGS, Rule, a, capital, plural


def after_a_state(rng: random.Random) -> Rule:
    """What may be done only after something has happened, and not before it."""
    thing, (act, done, noun) = rng.choice(THINGS), rng.choice(DEEDS)
    state = rng.choice(
        (
            "delivered",
            "paid",
            "approved",
            "confirmed",
            "completed",
            "signed",
            "verified",
            "activated",
            "reviewed",
        )
    )
    return Rule(
        (
            f"{capital(a(thing))} can only be {done} after it has been {state}.",
            f"{plural(noun)} are for {state} {thing}s: do not {act} {a(thing)} before it is {state}.",
            f"Only {act} {a(thing)} that has been {state}.",
            f"{capital(a(thing))} must be {state} before it can be {done}.",
            f"{plural(noun)} may be requested once {a(thing)} is {state}.",
        ),
        (
            ("entailment", "", (f"{plural(noun)} can only be started after {a(thing)} is {state}", f"You can {act} your {thing} once it has been {state}",
                                f"I can't {act} your {thing} until it is {state}", f"Your {thing} can't be {done} before it's {state}",
                                f"{plural(noun)} aren't possible while the {thing} hasn't been {state} yet", f"{capital(a(noun))} can only be requested once the {thing} has been {state}",
                                f"If it hasn't been {state} yet, I can't {act} it")),
            ("contradiction", "order", (f"{plural(noun)} can only be started before {a(thing)} is {state}", f"You can {act} your {thing} as long as it hasn't been {state}",
                                        f"I can't {act} your {thing} once it is {state}", f"Your {thing} can be {done} before it's {state}",
                                        f"Once it has been {state}, your {thing} can no longer be {done}", f"{capital(a(noun))} has to be requested before the {thing} is {state}")),
            ("neutral", "other", (f"Your {thing} has been {state}", f"Your {thing} has been {done}", f"{capital(a(noun))} takes a week once the {thing} is {state}")),
        ),
    )  # fmt: skip


def until_a_state(rng: random.Random) -> Rule:
    """What may be done only as long as something has not happened."""
    thing, (act, done, noun) = rng.choice(THINGS), rng.choice(DEEDS)
    state = rng.choice(
        (
            "shipped",
            "processed",
            "submitted",
            "approved",
            "dispatched",
            "started",
            "closed",
            "checked in",
            "invoiced",
        )
    )
    return Rule(
        (
            f"{capital(a(thing))} can only be {done} before it has been {state}.",
            f"Once {a(thing)} is {state}, {plural(noun).lower()} are no longer possible.",
            f"Do not {act} {a(thing)} that has already been {state}.",
            f"{plural(noun)} are accepted until the {thing} is {state}.",
        ),
        (
            ("entailment", "", (f"I can't {act} your {thing} once it is {state}", f"Your {thing} can no longer be {done} after it has been {state}",
                                f"{plural(noun)} must be made before the {thing} is {state}", f"If it has already been {state}, I can't {act} it",
                                f"After it's {state}, no {noun} is possible", f"{capital(a(thing))} that has been {state} cannot be {done}")),
            ("contradiction", "order", (f"{plural(noun)} can only be made after the {thing} is {state}", f"You can still {act} your {thing} once it is {state}",
                                        f"Your {thing} has to be {state} before it can be {done}", f"I can't {act} your {thing} until it is {state}",
                                        f"{plural(noun)} are still possible after the {thing} has been {state}")),
            ("neutral", "other", (f"Your {thing} has already been {state}", f"Your {thing} has been {done}", f"{capital(a(noun))} is free of charge")),
        ),
    )  # fmt: skip


def one_time(rng: random.Random) -> Rule:
    """What may be done a single time, after which nothing more may be changed."""
    thing, ((act, done, noun), (act2, done2, noun2)) = rng.choice(THINGS), rng.sample(DEEDS, k=2)
    parts = rng.choice(("items", "passengers", "changes", "details", "lines", "guests"))
    after = f"no further {noun}s or {noun2}s can be made"
    return Rule(
        (
            f"This action can only be taken once per {thing}: afterwards its status is '{noun} requested' and the agent will not be able to {act} or {act2} it any more.",
            f"The {act} tool can be called once per {thing}, so collect all {parts} in one list before the call. The {thing} can't be {done} or {done2} afterwards.",
            f"{capital(a(thing))} can be {done} a single time. After that it cannot be {done2} or {done} again, so make sure that all {parts} are included.",
        ),
        (
            ("entailment", "", (f"{plural(noun)} can only be done once per {thing}", f"A {noun} can only be submitted once for each {thing}",
                                f"After this, {after}", f"{capital(after)} afterwards", f"Once I {act} it, {after} to your {thing}",
                                f"Please include all {parts} now, as the {thing} can only be {done} once", f"This will prevent further {noun2}s of that {thing}",
                                f"Once it's {done}, your {thing} can no longer be {done2}", f"You won't be able to {act2} this {thing} afterwards",
                                f"The {thing} cannot be {done} or {done2} further", f"This is a one-time {noun}, so tell me all {parts} first")),
            ("contradiction", "broader", (f"You can {act} it again later", f"Further {noun}s are possible afterwards", f"{plural(noun)} can be done as often as you like",
                                          f"You can add more {parts} in a second {noun}", f"After this you can still {act2} your {thing}")),
            ("contradiction", "negation", (f"Your {thing} cannot be {done} at all", f"{plural(noun)} are not possible for {thing}s")),
            ("neutral", "other", (f"Your {thing} has been {done}", f"{plural(noun)} can be done twice a year", f"The {noun} takes effect at once")),
        ),
    )  # fmt: skip


def whole_only(rng: random.Random) -> Rule:
    """What may be done to the whole of a thing and not to its parts, or within one kind; and no need of more."""
    thing, (act, done, noun) = rng.choice(THINGS), rng.choice(DEEDS)
    parts = rng.choice(("items", "passengers", "rooms", "lines", "pages", "products", "sessions"))
    new = rng.choice(
        (
            "place a new order",
            "open a new request",
            "fill in another form",
            "call us again",
            "create a new account",
            "make another payment",
        )
    )
    return Rule(
        (
            f"{capital(a(thing))} is {done} as a whole; single {parts} cannot be {done}. There is no need to {new}.",
            f"It is not possible to {act} some of the {parts} of {a(thing)}, only all of it. The user does not have to {new}.",
        ),
        (
            ("entailment", "", (f"There's no need to {new}", f"No need to {new}", f"You don't need to {new}", f"I can only {act} the entire {thing}, not individual {parts}",
                                f"Individual {parts} can't be {done}", f"Partial {noun}s aren't possible", f"You won't have to {new}")),
            ("contradiction", "negation", (f"You need to {new}", f"You'll have to {new} first", f"I can {act} single {parts} of your {thing}",
                                           f"Partial {noun}s are possible", f"The {thing} can't be {done} as a whole")),
            ("neutral", "other", (f"Your {thing} has been {done}", f"The {noun} is free", f"You need to confirm the {noun}")),
        ),
    )  # fmt: skip


def after_your_word(rng: random.Random) -> Rule:
    """What happens once the user has confirmed."""
    thing, ((_, done, noun), (_, done2, noun2)) = rng.choice(THINGS), rng.sample(DEEDS, k=2)
    who = rng.choice(("the user", "the customer", "the client"))
    state, other = f"{noun} requested", f"{noun2} requested"
    return Rule(
        (
            f"After user confirmation, the status of the {thing} will be changed to '{state}'.",
            f"Explain the {noun} and obtain explicit confirmation (yes/no) from {who}. The {thing}'s status then becomes '{state}'.",
            f"If {who} confirms, the {thing} status will be changed to '{state}' and nothing else is needed.",
        ),
        (
            ("entailment", "", (f"Once I have your approval, the status of your {thing} will be changed to '{state}'", f"After you confirm, your {thing} moves to “{state}”",
                                f"Once confirmed, the status of these {thing}s will be changed to '{state}'", f"With your confirmation the {thing} will be marked as '{state}'",
                                f"Once I have your explicit confirmation, the {thing} status will change to '{state}'", f"After this, the {thing} will be set to '{state}'")),
            ("contradiction", "status", (f"Once you confirm, the status of your {thing} will be changed to '{other}'", f"After you confirm, your {thing} is marked as '{done2}'")),
            ("contradiction", "negation", (f"The status of your {thing} will not change", f"The {thing} is changed to '{state}' before you confirm")),
            ("neutral", "other", (f"The status of your {thing} has been changed to '{state}'", f"Once you confirm, the {thing} is {done} within a day")),
        ),
    )  # fmt: skip


def open_to(rng: random.Random) -> Rule:
    """What an agent or a tool is there for is possible."""
    thing, ((act, done, noun), (act2, _, _)) = rng.choice(THINGS), rng.sample(DEEDS, k=2)
    first, later = rng.choice((("pending", "processed"), ("pending", "shipped"), ("draft", "submitted"), ("open", "closed"), ("booked", "started"),
                               ("reserved", "picked up"), ("active", "expired"), ("queued", "running"), ("unpaid", "invoiced")))  # fmt: skip
    part = rng.choice(PARTS)
    return Rule(
        (
            f"You can help users {act} or {act2} {first} {thing}s.",
            f"{capital(act)} {a(f'{first} {thing}')}. The agent needs to explain the {noun} and ask for explicit confirmation (yes/no) to proceed.",
            f"{capital(a(f'{first} {thing}'))} can be {done}, and so can its {part}.",
            f"For {a(f'{first} {thing}')}, you can take actions to {act} it.",
        ),
        (
            ("entailment", "", (f"It is possible to {act} your {thing} while it is {first}", f"You can still {act} your {first} {thing}",
                                f"You have the option to {act} your {thing} before it is {later}", f"Yes, it's possible to {act} your {first} {thing}",
                                f"As your {thing} is {first}, it can be {done}", f"so you can still {act} it", f"{capital(a(noun))} is possible for {first} {thing}s",
                                f"We can {act} the {thing} as long as it is still {first}")),
            ("contradiction", "negation", (f"It is not possible to {act} {first} {thing}s", f"{capital(a(f'{first} {thing}'))} cannot be {done}",
                                           f"I'm not able to {act} your {first} {thing}")),
            ("neutral", "other", (f"Your {thing} is {first}", f"Your {thing} has been {done}", f"{capital(a(f'{later} {thing}'))} can be {done}")),
        ),
    )  # fmt: skip


FRAMES: tuple[Callable[[random.Random], Rule], ...] = (
    after_a_state, after_a_state, until_a_state, one_time, one_time, whole_only,
    after_your_word, after_your_word, open_to, open_to,
)  # fmt: skip
