"""Facts about who and where: the two records have the same names in exchanged places."""

from __future__ import annotations

import random

from affidavit.training.pairs.made.case import Fact, Fields
from affidavit.training.pairs.made.words import CITIES, PEOPLE

_DEEDS = {
    "requested_by": (
        "{p} requested {it}.",
        "{it} was requested by {p}.",
        "the request for {it} came from {p}.",
    ),
    "approved_by": (
        "{p} approved {it}.",
        "{it} was approved by {p}.",
        "{p} gave the approval for {it}.",
    ),
    "reviewed_by": (
        "{p} reviewed {it}.",
        "{it} was reviewed by {p}.",
        "{p} did the review of {it}.",
    ),
    "created_by": ("{p} created {it}.", "{it} was created by {p}."),
    "signed_by": ("{p} signed {it}.", "{it} bears {p}'s signature.", "it was {p} who signed {it}."),
    "assigned_to": (
        "{it} is assigned to {p}.",
        "{p} is in charge of {it}.",
        "{p} is working on {it}.",
    ),
    "reported_by": (
        "{p} reported {it}.",
        "{it} was reported by {p}.",
        "the report of {it} came from {p}.",
    ),
    "paid_by": ("{p} paid for {it}.", "{it} was paid by {p}."),
    "closed_by": ("{p} closed {it}.", "it was {p} who closed {it}."),
    "deputy": ("{p} is the deputy for {it}.", "the deputy for {it} is {p}."),
    "owner": ("{it} belongs to {p}.", "{p} owns {it}.", "the owner of {it} is {p}."),
    "last_edited_by": ("{p} edited {it} last.", "the last edit of {it} was by {p}."),
    "booked_for": ("{it} is booked for {p}.",),
    "booked_by": ("{p} made the booking of {it}.", "{it} was booked by {p}."),
}
_KINDS = ("request", "document", "ticket", "expense", "contract", "project")


def who(rng: random.Random) -> Fact:
    """Who did or has something, against another person in that place."""
    one, two = rng.sample(sorted(_DEEDS), 2)
    first, second = rng.sample(PEOPLE, 2)
    holds = {one: first, two: second}
    fails = {one: second, two: first}
    claim = rng.choice(_DEEDS[one]).replace("{p}", first)
    if rng.random() < 0.2 and claim.startswith(first):
        claim = claim.replace(first, f"{first}, not {second},", 1)
    elif rng.random() < 0.3:
        third = next(p for p in rng.sample(PEOPLE, 3) if p not in (first, second))
        fails = {one: third, two: first}
    if rng.random() < 0.3:
        short = first.split()[0]
        claim = claim.replace(first, short)
    return Fact(rng.choice(_KINDS), holds, fails, claim)


def from_to(rng: random.Random) -> Fact:
    """From here to there, against the way back."""
    start, end, third = rng.sample(CITIES, 3)
    keys = rng.choice(
        (
            ("from", "to"),
            ("origin", "destination"),
            ("departure_city", "arrival_city"),
            ("pickup", "dropoff"),
        )
    )
    claim = rng.choice(("{it} goes from {a} to {b}.", "{it} leaves {a} for {b}.", "{it} takes you to {b}.", "{it} starts in {a}.",
                        "{it} arrives in {b}.", "with {it} you travel from {a} to {b}.", "{a} is where {it} sets off."))  # fmt: skip
    holds = {keys[0]: start, keys[1]: end}
    fails = {keys[0]: end, keys[1]: start}
    if rng.random() < 0.25:
        claim = rng.choice(
            ("{it} goes from {a} to {b} via {c}.", "on its way from {a} to {b}, {it} passes {c}.")
        )
        holds["via"] = third
        fails = rng.choice((fails | {"via": third}, {keys[0]: start, keys[1]: third, "via": end}))
    claim = claim.replace("{a}", start).replace("{b}", end).replace("{c}", third)
    return Fact(rng.choice(("train", "flight", "transfer", "shipment")), holds, fails, claim)


def sent_by(rng: random.Random) -> Fact:
    """Who wrote, paid or lent to whom, against the other direction."""
    one, two = rng.sample(PEOPLE, 2)
    kind, keys, claims = rng.choice((
        ("email", ("from", "to"), ("{a} wrote {it} to {b}.", "{b} got {it} from {a}.", "{it} was sent by {a} to {b}.", "{it} came from {a}.")),
        ("transfer", ("payer", "payee"), ("{a} paid {b} with {it}.", "{b} received {it} from {a}.", "with {it}, money went from {a} to {b}.")),
        ("loan", ("lender", "borrower"), ("{a} lent {it} to {b}.", "{b} borrowed {it} from {a}.")),
        ("handover", ("handed_over_by", "received_by"), ("{a} handed {it} over to {b}.", "{b} took {it} over from {a}.")),
        ("call", ("caller", "callee"), ("{a} called {b} in {it}.", "{it} was a call from {a} to {b}.")),
        ("review", ("reviewer", "author"), ("{a} reviewed the work of {b} in {it}.", "the author in {it} is {b}, the reviewer {a}.")),
        ("team", ("manager", "assistant"), ("{a} manages {it}.", "{b} is the assistant in {it}.", "{it} is led by {a}.")),
        ("course", ("teacher", "substitute"), ("{a} teaches {it}.", "{b} fills in for {a} at {it}.")),
    ))  # fmt: skip
    claim = rng.choice(claims).replace("{a}", one).replace("{b}", two)
    holds: Fields = {keys[0]: one, keys[1]: two}
    fails: Fields = {keys[0]: two, keys[1]: one}
    if rng.random() < 0.3:
        holds = {key: {"name": name} for key, name in holds.items()}
        fails = {key: {"name": name} for key, name in fails.items()}
    return Fact(kind, holds, fails, claim)


def played(rng: random.Random) -> Fact:
    """Who won and how, against the goals exchanged."""
    home, away = rng.sample(CITIES, 2)
    high = rng.randint(1, 6)
    low = rng.randint(0, high - 1)
    at_home = rng.random() < 0.5
    winner, loser = (home, away) if at_home else (away, home)
    nested = rng.random() < 0.4

    def fields(first: int, second: int) -> Fields:
        if nested:
            return {"home": {"team": home, "goals": first}, "away": {"team": away, "goals": second}}
        return {"home": home, "away": away, "home_goals": first, "away_goals": second}

    holds = fields(high, low) if at_home else fields(low, high)
    fails = rng.choice((fields(low, high) if at_home else fields(high, low), fields(high, high)))
    claim = rng.choice(("{w} beat {l}.", "{w} won {h}-{o} against {l}.", "{l} lost to {w}.", "{l} lost {o}-{h} to {w}.",
                        "{w} won.", "{it} was won by {w}.", "{w} scored {h} against {l}.", "the winner of {it} is {w}."))  # fmt: skip
    claim = (
        claim.replace("{w}", winner)
        .replace("{l}", loser)
        .replace("{h}", str(high))
        .replace("{o}", str(low))
    )
    if "scored" in claim:
        fails = fields(low, high) if at_home else fields(high, low)
    return Fact("match", holds, fails, claim)


def addresses(rng: random.Random) -> Fact:
    """Which of two places it is, against the two exchanged."""
    one, two = rng.sample(CITIES, 2)
    kind, keys, claims = rng.choice((
        ("customer", ("billing", "shipping"), ("the bill for {it} goes to {a}.", "goods for {it} are sent to {b}.", "{its} billing address is in {a}.",
                                               "{its} shipping address is in {b}.")),
        ("employee", ("home", "office"), ("{it} lives in {a}.", "{it} works in {b}.", "the office of {it} is in {b}.")),
        ("company", ("headquarters", "warehouse"), ("{it} has its headquarters in {a}.", "the warehouse of {it} is in {b}.")),
        ("contact", ("old_address", "new_address"), ("{it} has moved from {a} to {b}.", "{it} now lives in {b}.", "{it} used to live in {a}.")),
        ("event", ("venue", "rain_venue"), ("{it} is held in {a} when it is dry.", "if it rains, {it} moves to {b}.")),
        ("company", ("founded_in", "listed_in"), ("{it} was founded in {a}.", "{it} is listed in {b}.")),
    ))  # fmt: skip
    claim = rng.choice(claims).replace("{a}", one).replace("{b}", two)
    holds: Fields = {keys[0]: one, keys[1]: two}
    fails: Fields = {keys[0]: two, keys[1]: one}
    if rng.random() < 0.4:
        street = f"{rng.randint(1, 90)} Main Street"
        holds = {key: {"street": street, "city": city} for key, city in holds.items()}
        fails = {key: {"street": street, "city": city} for key, city in fails.items()}
    return Fact(kind, holds, fails, claim)


def relation(rng: random.Random) -> Fact:
    """Who leads whom or came after whom, against the two exchanged."""
    one, two, three = rng.sample(PEOPLE, 3)
    keys, claims = rng.choice((
        (("manager", "reports"), ("{b} reports to {a} at {it}.", "{a} is {b}'s manager at {it}.", "{a} manages {b} at {it}.")),
        (("predecessor", "successor"), ("{b} took over from {a} at {it}.", "{a} came before {b} at {it}.", "{a} was followed by {b} at {it}.")),
        (("mentor", "mentee"), ("{a} mentors {b} at {it}.", "{b} is mentored by {a} at {it}.")),
        (("winner", "runner_up"), ("{a} won {it} ahead of {b}.", "{b} came second at {it}, behind {a}.", "{a} finished ahead of {b} at {it}.")),
        (("chair", "vice_chair"), ("{a} chairs {it}, and {b} stands in.", "the chair of {it} is {a}.", "the vice chair of {it} is {b}.")),
    ))  # fmt: skip
    claim = rng.choice(claims).replace("{a}", one).replace("{b}", two)
    wrong = rng.choice(({keys[0]: two, keys[1]: one}, {keys[0]: three, keys[1]: one}))
    return Fact(
        rng.choice(("club", "department", "project")), {keys[0]: one, keys[1]: two}, wrong, claim
    )
