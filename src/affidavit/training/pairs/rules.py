"""Rules as a system prompt or a handbook states them, told again by an agent in its own voice.

A rule is made from a frame: a thing, what may be done with it, and what it depends on. The frame
knows how the rule is written, how an agent truly tells it, and how one gets it wrong: the opposite,
another number, no condition, another actor, a duty made of a permission.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

from affidavit.training.pairs import order_rules, process_rules
from affidavit.training.pairs.pair import Pair
from affidavit.training.pairs.rule_parts import (
    ACTS,
    CONDITIONS,
    EVENTS,
    MEMBERS,
    NEEDS,
    PERKS,
    SPECIFIC,
    TASKS,
    THINGS,
    UNITS,
    Rule,
    Texts,
    a,
    capital,
    plural,
)
from affidavit.training.pairs.voice import freely, spoken, vaguely


def rule_pairs(rng: random.Random, count: int) -> Iterator[Pair]:
    """Claims about one rule, over it alone or among up to three others."""
    last = ""
    for _ in range(count):
        rule = rng.choice(_FRAMES)(rng)
        others = [
            rng.choice(rng.choice(_FRAMES)(rng).written) for _ in range(rng.choice([0, 0, 1, 2, 3]))
        ]
        place = rng.randint(0, len(others))
        stated = [*others[:place], rng.choice(rule.written), *others[place:]]
        premise = _laid_out(stated, rng)
        true = next(ways for label, _, ways in rule.claims if label == "entailment")
        for claim in rng.sample(list(true), k=2):
            told = specific(vaguely(freely(claim, rng, 0.35), rng, 0.2), rng)
            yield Pair(premise, spoken(told, rng, 0.3), "entailment", "rules")
        faulty = [claim for claim in rule.claims if claim[0] != "entailment"]
        for label, fault, ways in rng.sample(faulty, k=2):
            told = specific(vaguely(freely(rng.choice(ways), rng, 0.35), rng, 0.2), rng)
            yield Pair(premise, spoken(told, rng, 0.3), label, "rules", fault)
        elsewhere = _laid_out(others, rng) if others else last
        if elsewhere and rng.random() < 0.5:
            yield Pair(
                elsewhere, spoken(rng.choice(true), rng, 0.3), "neutral", "rules", "elsewhere"
            )
        last = premise


def specific(claim: str, rng: random.Random) -> str:
    """What a rule says of an item, an agent says of the kettle."""
    thing = rng.choice(SPECIFIC)
    if rng.random() < 0.7:
        return re.sub(r"\b(the|your|this) (?:item|product|device)\b(?!['’])", rf"\1 {thing}", claim)
    return claim


def _laid_out(rules: Texts, rng: random.Random) -> str:
    marks = rng.choice([(" ", ""), (" ", ""), ("\n", "- "), ("\n", ""), ("\n", "* ")])
    head = rng.choice(["", "", "", "## Rules\n", "Policy: ", "# Guidelines\n", "Terms. "])
    return head + marks[0].join(marks[1] + rule for rule in rules)


def _deadline(rng: random.Random) -> Rule:
    thing, (act, done) = rng.choice(THINGS), rng.choice(ACTS)
    n, unit, event = (
        rng.choice([2, 3, 7, 10, 14, 15, 24, 30, 45, 48, 60, 90]),
        rng.choice(UNITS[:5]),
        rng.choice(EVENTS),
    )
    wrong = rng.choice(
        [x for x in (1, 5, 7, 14, 20, 21, 28, 30, 60, 90, 120) if x > n * 1.3 or x < n * 0.7]
    )
    faulty = f"You have {wrong} {unit} after {event} to {act} your {thing}"
    return Rule(
        (
            f"{plural(thing)} can be {done} within {n} {unit} of {event}.",
            f"A customer may {act} {a(thing)} up to {n} {unit} after {event}.",
            f"{plural(thing)} may only be {done} during the first {n} {unit} after {event}.",
            f"More than {n} {unit} after {event}, {a(thing)} can no longer be {done}.",
            f"The window to {act} {a(thing)} closes {n} {unit} after {event}.",
        ),
        (
            ("entailment", "", (f"You have {n} {unit} after {event} to {act} your {thing}",
                                f"Your {thing} can no longer be {done} once {n} {unit} have passed since {event}",
                                f"After {n} {unit} from {event} it is too late to {act} your {thing}")),
            ("contradiction", "digit", (faulty, f"Your {thing} can be {done} up to {max(wrong, n * 2)} {unit} after {event}")),
            ("contradiction", "broader", (f"You can {act} your {thing} at any time", f"There is no deadline to {act} your {thing}")),
            ("contradiction", "negation", (f"{plural(thing)} cannot be {done} at all", f"Your {thing} can't be {done}, not even right after {event}")),
        ),
    )  # fmt: skip


def _condition(rng: random.Random) -> Rule:
    thing, (act, done) = rng.choice(THINGS), rng.choice(ACTS)
    (cond, yours, opposite), other = rng.sample(CONDITIONS, k=2)
    return Rule(
        (
            f"{capital(a(thing))} can only be {done} if {cond}.",
            f"Only {act} {a(thing)} if {cond}.",
            f"You must not {act} {a(thing)} unless {cond}.",
            f"{plural(thing)} may be {done} only when {cond}.",
            f"Requests to {act} {a(thing)} are denied unless {cond}.",
        ),
        (
            ("entailment", "", (f"I can only {act} your {thing} if {yours}", f"Your {thing} can be {done} only if {yours}",
                                f"Unless {yours}, I can't {act} your {thing}", f"Your {thing} can't be {done} if {opposite}")),
            ("contradiction", "negation", (f"I can {act} your {thing} even if {opposite}",
                                           f"Your {thing} can be {done} although {opposite}",
                                           f"I can only {act} your {thing} if {opposite}")),
            ("contradiction", "broader", (f"I can always {act} your {thing}", f"Your {thing} can be {done} in any case",
                                          f"There are no conditions: your {thing} can be {done}")),
            ("neutral", "condition", (f"I can only {act} your {thing} if {other[1]}", f"Your {thing} can't be {done} if {other[2]}")),
        ),
    )  # fmt: skip


def _once(rng: random.Random) -> Rule:
    thing, (act, done) = rng.choice(THINGS), rng.choice(ACTS)
    return Rule(
        (
            f"Each {thing} can only be {done} once.",
            f"{plural(thing)} may be {done} one single time.",
            f"The tool to {act} {a(thing)} can only be called once per {thing}.",
            f"{capital(a(thing))} that was {done} cannot be {done} again.",
        ),
        (
            ("entailment", "", (f"After this, your {thing} can't be {done} again", f"I can {act} your {thing} only once",
                                f"Once it is {done}, you won't be able to {act} the {thing} a second time")),
            ("contradiction", "broader", (f"You can {act} your {thing} as often as you like", f"Your {thing} can be {done} twice",
                                          f"You can {act} it again later if you need to")),
            ("contradiction", "negation", (f"Your {thing} cannot be {done} at all", f"{plural(thing)} can never be {done}")),
        ),
    )  # fmt: skip


def _final(rng: random.Random) -> Rule:
    thing = rng.choice(THINGS)
    (_, first), (act, second), (third, _) = rng.sample(ACTS, k=3)
    return Rule(
        (
            f"Once {a(thing)} has been {first}, it can no longer be {second}.",
            f"After {a(thing)} is {first}, the agent will not be able to {act} it.",
            f"{capital(a(thing))} that has been {first} may not be {second} any more.",
            f"When {a(thing)} is {first}, its status changes and nobody can {act} it afterwards.",
        ),
        (
            ("entailment", "", (f"After this, the {thing} cannot be {second}", f"Once your {thing} is {first}, I can't {act} it any more",
                                f"Please note that after it is {first} you won't be able to {act} your {thing}")),
            ("contradiction", "negation", (f"Once your {thing} is {first}, you can still {act} it", f"A {first} {thing} can be {second} later",
                                           f"You can {act} your {thing} even after it has been {first}")),
            ("neutral", "other", (f"Once your {thing} is {first}, you can {third} it", f"After this, you cannot {third} your {thing} any more")),
        ),
    )  # fmt: skip


def _prohibited(rng: random.Random) -> Rule:
    (task, yours), (other, _) = rng.sample(TASKS, k=2)
    return Rule(
        (
            f"Agents must not {task}.", f"You should never {task}.", f"Do not {task} under any circumstances.",
            f"It is not permitted to {task}.", f"You are not allowed to {task}.", f"Refuse any request to {task}.",
        ),
        (
            ("entailment", "", (f"I'm not able to {yours}", f"I'm afraid I can't {yours}", f"I am not allowed to {yours}")),
            ("contradiction", "negation", (f"I can {yours}", f"I'd be glad to {yours}", f"I am allowed to {yours}")),
            ("neutral", "other", (f"I'm not able to {other}", f"I can {other}")),
        ),
    )  # fmt: skip


def _needed(rng: random.Random) -> Rule:
    thing, (act, done) = rng.choice(THINGS), rng.choice(ACTS)
    (need, yours), (_, other) = rng.sample(NEEDS, k=2)
    return Rule(
        (
            f"Before you {act} {a(thing)}, you must obtain {need} from the customer.",
            f"To {act} {a(thing)}, {need} is required.",
            f"The user must provide {need} before {a(thing)} is {done}.",
            f"Never {act} {a(thing)} without {need}.",
        ),
        (
            ("entailment", "", (f"I need {yours} before I can {act} your {thing}", f"To {act} your {thing}, I'll need {yours}",
                                f"Without {yours}, I can't {act} your {thing}")),
            ("contradiction", "negation", (f"I don't need {yours} to {act} your {thing}", f"I can {act} your {thing} without {yours}",
                                           f"Nothing more is required to {act} your {thing}")),
            ("neutral", "other", (f"I need {other} before I can {act} your {thing}", f"To {act} your {thing}, I'll need {other}")),
        ),
    )  # fmt: skip


def _permitted(rng: random.Random) -> Rule:
    who, outsider = rng.sample(MEMBERS, k=2)
    perk, other = rng.sample(PERKS, k=2)
    yours = perk.replace("their", "your")
    one = who.removesuffix("s")
    return Rule(
        (f"{capital(who)} may {perk}.", f"{capital(who)} can {perk} if they wish.", f"{capital(who)} are entitled to {perk}."),
        (
            ("entailment", "", (f"As one of our {who}, you can {yours}", f"If you are {a(one)}, you may {yours}",
                                f"{capital(who)} are able to {perk}")),
            ("contradiction", "negation", (f"{capital(who)} cannot {perk}", f"As {a(one)} you are not allowed to {yours}")),
            ("neutral", "duty", (f"{capital(who)} must {perk}", f"As {a(one)} you have to {yours}", f"{capital(who)} are required to {perk}")),
            ("neutral", "broader", (f"Everybody can {yours}", f"All customers may {perk}", f"{capital(outsider)} may {perk}")),
            ("neutral", "other", (f"{capital(who)} may {other}",)),
        ),
    )  # fmt: skip


def _fee(rng: random.Random) -> Rule:
    thing, (act, done) = rng.choice(THINGS), rng.choice(ACTS)
    fee = rng.choice([5, 10, 15, 20, 25, 30, 35, 40, 50, 75, 100, 150])
    wrong = rng.choice([x for x in (5, 12, 20, 25, 45, 60, 80, 100, 200) if x != fee])
    return Rule(
        (
            f"A fee of ${fee} is charged when {a(thing)} is {done}.",
            f"There is a ${fee} fee to {act} {a(thing)}.",
            f"To {act} {a(thing)} costs ${fee}.",
            f"Customers who {act} {a(thing)} pay ${fee}.",
        ),
        (
            ("entailment", "", (f"It costs ${fee} to {act} your {thing}", f"You'll be charged ${fee} if your {thing} is {done}",
                                f"I can {act} your {thing} for a fee of ${fee}", f"It is not free to {act} your {thing}")),
            ("contradiction", "digit", (f"It costs ${wrong} to {act} your {thing}", f"You'll be charged ${wrong} if your {thing} is {done}")),
            ("contradiction", "negation", (f"There is no charge to {act} your {thing}", f"You can {act} your {thing} for free")),
        ),
    )  # fmt: skip


def _limit(rng: random.Random) -> Rule:
    thing, item = (
        rng.choice(THINGS),
        rng.choice(
            "items guests bags passengers devices changes users coupons cards files seats pets".split()
        ),
    )
    n = rng.randint(2, 12)
    more = n + rng.choice([1, 2, 3, 5])
    return Rule(
        (
            f"A maximum of {n} {item} is allowed per {thing}.",
            f"Each {thing} can have at most {n} {item}.",
            f"{plural(thing)} are limited to {n} {item}.",
            f"No more than {n} {item} per {thing}.",
            f"Up to {n} {item} are possible for each {thing}.",
        ),
        (
            ("entailment", "", (f"You can have up to {n} {item} on your {thing}", f"Your {thing} can't have more than {n} {item}",
                                f"{more} {item} would be too many for one {thing}", f"At most {n} {item} are possible per {thing}")),
            ("contradiction", "bound", (f"You need at least {n} {item} on your {thing}" if rng.random() < 0.15
                                        else f"You can have {more} {item} on your {thing}",
                                        f"More than {n} {item} are allowed per {thing}", f"Up to {more} {item} are possible per {thing}")),
            ("contradiction", "broader", (f"There is no limit on {item} for your {thing}", f"You can have as many {item} as you like")),
            ("neutral", "bound", (f"Your {thing} must have at least {n} {item}", f"A minimum of {n} {item} is required per {thing}")),
        ),
    )  # fmt: skip


def _takes(rng: random.Random) -> Rule:
    what = rng.choice(
        [
            "refund",
            "transfer",
            "review",
            "repair",
            "shipment",
            "application",
            "replacement",
            "exchange",
            "verification",
        ]
    )
    low = rng.randint(1, 7)
    high, unit = low + rng.choice([1, 2, 3, 5, 7]), rng.choice(UNITS[:4])
    wrong = high + rng.choice([3, 5, 10])
    return Rule(
        (
            f"{plural(what)} take {low} to {high} {unit}.",
            f"{capital(a(what))} is completed within {low}-{high} {unit}.",
            f"Processing time for a {what}: {low} to {high} {unit}.",
            f"It takes between {low} and {high} {unit} until the {what} is done.",
        ),
        (
            ("entailment", "", (f"Your {what} should take {low} to {high} {unit}", f"The {what} will be done within {high} {unit}",
                                f"Please allow {low}-{high} {unit} for the {what}", f"The {what} takes at most {high} {unit}")),
            ("contradiction", "digit", (f"Your {what} will take {high + 1} to {wrong} {unit}", f"The {what} takes at least {wrong} {unit}")),
            ("contradiction", "immediate", (f"Your {what} is done immediately", f"The {what} is instant")),
        ),
    )  # fmt: skip


def _actor(rng: random.Random) -> Rule:
    thing, (act, done) = rng.choice(THINGS), rng.choice(ACTS)
    who, other = rng.sample(["the account owner", "a manager", "the support team", "the branch", "the supplier",
                             "the customer", "an administrator", "the finance department", "a human agent"], k=2)  # fmt: skip
    return Rule(
        (
            f"Only {who} can {act} {a(thing)}.", f"{plural(thing)} are {done} by {who} and nobody else.",
            f"{capital(a(thing))} may be {done} by {who} only.", f"It is {who} alone who may {act} {a(thing)}.",
        ),
        (
            ("entailment", "", (f"Only {who} can {act} your {thing}", f"Your {thing} has to be {done} by {who}",
                                f"Nobody but {who} may {act} the {thing}")),
            ("contradiction", "actor", (f"{capital(other)} can {act} your {thing}", f"Your {thing} can be {done} by {other}",
                                        f"Anyone can {act} the {thing}")),
            ("contradiction", "negation", (f"{capital(who)} cannot {act} your {thing}",)),
        ),
    )  # fmt: skip


_FRAMES: tuple[Callable[[random.Random], Rule], ...] = (
    _deadline, _condition, _condition, _once, _final, _final, _prohibited, _needed, _permitted, _fee, _limit, _takes, _actor,
    *process_rules.FRAMES,
    *order_rules.FRAMES,
)  # fmt: skip
