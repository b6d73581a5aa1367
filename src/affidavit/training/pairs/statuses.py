"""How far a matter has come: status words in records, and what people say of each.

The states of one matter exclude one another, and what has not happened yet is as easily claimed as
what has. So each state is told as itself, as the others, and as what it has not reached.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from affidavit.training.pairs.pair import Pair
from affidavit.training.pairs.sgd import rendered
from affidavit.training.pairs.voice import spoken


@dataclass(frozen=True, slots=True)
class Matter:
    """Things that go through the same states; for each state how it is told, and how denied."""

    things: Sequence[str]
    keys: Sequence[str]
    told: Mapping[str, Sequence[str]]
    """By status word: what is true then; a line that begins with "not " denies another state."""


def m(things: str, keys: str, **told: str) -> Matter:
    return Matter(things.split(), keys.split(), {k: v.split("|") for k, v in told.items()})


MATTERS = (
    m("order shipment package", "status order_status shipping_status",
      pending="{S} is pending|{S} is still pending|{S} has not shipped yet|{S} hasn't been delivered",
      processing="{S} is being processed|{S} is in processing|{S} hasn't shipped yet|{S} has not been delivered yet",
      shipped="{S} has shipped|{S} has been sent out|{S} was shipped|{S} has been dispatched",
      in_transit="{S} is in transit|{S} is on its way|{S} has not been delivered yet",
      delivered="{S} has been delivered|{S} was delivered|{S} has arrived|{S} has already been delivered",
      cancelled="{S} was cancelled|{S} has been cancelled|{S} is cancelled|{S} will not be delivered",
      returned="{S} was returned|{S} has been sent back|{S} has been returned",
      on_hold="{S} is on hold|{S} has been put on hold|{S} has not shipped"),
    m("payment transfer charge transaction", "status payment_status state",
      pending="{S} is pending|{S} is still pending|{S} has not gone through yet|{S} hasn't cleared yet",
      completed="{S} went through|{S} is complete|{S} was completed|{S} was successful",
      failed="{S} failed|{S} did not go through|{S} was not successful|{S} could not be completed",
      declined="{S} was declined|{S} did not go through|{S} has been declined",
      refunded="{S} was refunded|{S} has been refunded|You got the money for {S} back",
      disputed="{S} is disputed|{S} is under dispute|A dispute is open on {S}"),
    m("ticket issue case incident bug request", "status state ticket_status",
      open="{S} is open|{S} is still open|{S} has not been resolved|{S} isn't closed yet",
      in_progress="{S} is in progress|{S} is being worked on|{S} has not been resolved yet",
      resolved="{S} is resolved|{S} has been resolved|{S} was fixed|{S} is no longer open",
      closed="{S} is closed|{S} was closed|{S} is no longer open",
      escalated="{S} was escalated|{S} has been escalated|{S} has been passed on",
      waiting="{S} is waiting|{S} has not been resolved yet"),
    m("account subscription membership plan licence", "status account_status state",
      active="{S} is active|{S} is currently active|{S} has not been suspended|{S} has not expired",
      suspended="{S} is suspended|{S} has been suspended|{S} is not active|{S} isn't active at the moment",
      closed="{S} is closed|{S} was closed|{S} is no longer active",
      expired="{S} has expired|{S} is expired|{S} is no longer active",
      cancelled="{S} was cancelled|{S} has been cancelled|{S} is not active",
      trial="{S} is in its trial|{S} is a trial|{S} is still on trial",
      locked="{S} is locked|{S} has been locked"),
    m("booking reservation appointment", "status booking_status state",
      confirmed="{S} is confirmed|{S} has been confirmed|{S} was confirmed",
      pending="{S} is pending|{S} has not been confirmed yet|{S} is still to be confirmed",
      cancelled="{S} was cancelled|{S} has been cancelled|{S} is cancelled",
      waitlisted="{S} is on the waiting list|{S} is waitlisted|{S} has not been confirmed",
      completed="{S} is over|{S} has been completed|{S} took place",
      no_show="{S} was a no-show|Nobody came for {S}"),
    m("build deployment job run pipeline backup", "status result state conclusion",
      success="{S} succeeded|{S} was successful|{S} passed|{S} finished without errors",
      failed="{S} failed|{S} did not succeed|{S} was not successful|{S} ended in failure",
      running="{S} is running|{S} is still running|{S} has not finished yet|{S} is in progress",
      queued="{S} is queued|{S} is waiting in the queue|{S} has not started yet",
      cancelled="{S} was cancelled|{S} has been cancelled|{S} did not finish",
      rolled_back="{S} was rolled back|{S} has been rolled back"),
    m("application claim loan proposal expense", "status decision state",
      approved="{S} was approved|{S} has been approved|{S} is approved",
      rejected="{S} was rejected|{S} has been turned down|{S} was not approved|{S} was denied",
      under_review="{S} is under review|{S} is being reviewed|{S} has not been decided yet|{S} has not been approved yet",
      submitted="{S} was submitted|{S} has been submitted",
      withdrawn="{S} was withdrawn|{S} has been withdrawn",
      incomplete="{S} is incomplete|{S} is not complete|Something is missing from {S}"),
    m("flight train bus", "status flight_status state",
      on_time="{S} is on time|{S} is running on schedule|{S} is not delayed",
      delayed="{S} is delayed|{S} is running late|{S} is not on time",
      cancelled="{S} was cancelled|{S} has been cancelled|{S} will not depart",
      boarding="{S} is boarding|Boarding for {S} has begun|{S} has not departed yet",
      departed="{S} has departed|{S} has left|{S} has already departed",
      landed="{S} has landed|{S} has arrived"),
    m("product item", "availability stock_status status",
      in_stock="{S} is in stock|{S} is available|You can order {S} now|{S} is not sold out",
      out_of_stock="{S} is out of stock|{S} is not available|{S} is sold out|{S} can't be ordered right now",
      discontinued="{S} is discontinued|{S} has been discontinued|{S} is no longer sold",
      preorder="{S} can be pre-ordered|{S} is up for pre-order|{S} is not out yet"),
    m("server service device host database", "status health state",
      healthy="{S} is healthy|{S} is up|{S} is working normally",
      degraded="{S} is degraded|{S} is running degraded|{S} is not fully healthy",
      down="{S} is down|{S} is not up|{S} is unavailable|{S} isn't running",
      maintenance="{S} is in maintenance|{S} is under maintenance",
      offline="{S} is offline|{S} is not online",
      online="{S} is online|{S} is not offline"),
    m("invoice bill", "status payment_status",
      paid="{S} is paid|{S} has been paid|{S} was settled|Nothing is owed on {S} any more",
      unpaid="{S} is unpaid|{S} has not been paid|{S} is still to be paid",
      overdue="{S} is overdue|{S} is past due|{S} has not been paid",
      void="{S} is void|{S} was voided",
      partially_paid="{S} has been paid in part|{S} is partly paid|{S} is not fully paid"),
    m("task project milestone document", "status state progress",
      done="{S} is done|{S} is finished|{S} has been completed",
      in_progress="{S} is in progress|{S} is under way|{S} is not finished yet|{S} has not been completed yet",
      todo="{S} has not been started|{S} is still to do|Nobody has started {S}",
      blocked="{S} is blocked|{S} cannot go on at the moment|{S} is not done",
      draft="{S} is a draft|{S} is still a draft|{S} has not been published",
      published="{S} is published|{S} has been published|{S} is no longer a draft"),
)  # fmt: skip

# Said of one state, also true in another: no twin is made of these.
_SHARED = {
    ("shipped", "in_transit"), ("shipped", "delivered"), ("shipped", "returned"), ("pending", "on_hold"),
    ("pending", "processing"), ("delivered", "returned"), ("failed", "declined"), ("completed", "refunded"),
    ("completed", "disputed"), ("resolved", "closed"), ("open", "in_progress"), ("open", "waiting"),
    ("open", "escalated"), ("in_progress", "escalated"), ("closed", "cancelled"), ("closed", "expired"),
    ("cancelled", "expired"), ("suspended", "locked"), ("active", "trial"), ("pending", "waitlisted"),
    ("failed", "cancelled"), ("failed", "rolled_back"), ("running", "queued"), ("submitted", "under_review"),
    ("submitted", "approved"), ("submitted", "rejected"), ("submitted", "incomplete"), ("submitted", "withdrawn"),
    ("delayed", "boarding"), ("delayed", "departed"), ("on_time", "boarding"), ("on_time", "departed"),
    ("on_time", "landed"), ("delayed", "landed"), ("delayed", "cancelled"), ("departed", "landed"),
    ("out_of_stock", "discontinued"), ("out_of_stock", "preorder"), ("down", "offline"), ("healthy", "online"),
    ("down", "maintenance"), ("degraded", "online"), ("maintenance", "online"), ("maintenance", "offline"),
    ("degraded", "maintenance"), ("unpaid", "overdue"), ("unpaid", "partially_paid"), ("overdue", "partially_paid"),
    ("todo", "blocked"), ("in_progress", "blocked"), ("in_progress", "draft"), ("todo", "draft"), ("done", "published"),
    ("confirmed", "completed"), ("confirmed", "no_show"), ("in_transit", "on_hold"), ("processing", "on_hold"),
    ("success", "rolled_back"), ("expired", "trial"), ("cancelled", "suspended"), ("expired", "suspended"),
    ("suspended", "closed"), ("refunded", "disputed"), ("pending", "disputed"), ("closed", "escalated"),
    ("resolved", "escalated"), ("waiting", "escalated"), ("in_progress", "waiting"), ("in_stock", "discontinued"),
    ("withdrawn", "cancelled"), ("withdrawn", "rejected"), ("paid", "void"), ("unpaid", "void"), ("overdue", "void"),
    ("healthy", "maintenance"), ("offline", "degraded"), ("online", "down"),
}  # fmt: skip


def status_pairs(rng: random.Random, scenes: int) -> Iterator[Pair]:
    """A state told truly, and another state told of it; the passage without its status."""
    for _ in range(scenes):
        matter = rng.choice(MATTERS)
        thing = rng.choice(list(matter.things))
        state = rng.choice(list(matter.told))
        yield from _told(matter, thing, state, rng)


def _told(matter: Matter, thing: str, state: str, rng: random.Random) -> Iterator[Pair]:
    name = f"{rng.choice('ABCDKLPRTW')}{rng.randint(100, 99999)}"
    subject = rng.choice(
        ["it", f"{thing} {name}", f"the {thing}", f"your {thing}", f"this {thing}"]
    )
    key = rng.choice(list(matter.keys))
    rest = _rest(rng)
    record: dict[str, Any] = {"id": name, key: _written(state, rng)}
    items = list(rest.items())
    order = {"id": name, **dict(items[:1]), key: record[key], **dict(items[1:])}
    root = rng.choice([f"get_{thing}", thing, f"{thing}_status", ""])
    premise = rendered(order, root)

    def say(of: str) -> str:
        return spoken(rng.choice(list(matter.told[of])).replace("{S}", subject), rng)

    for claim in {say(state): None, say(state): None}:
        yield Pair(premise, claim, "entailment", "statuses")
    others = [
        s
        for s in matter.told
        if s != state and (s, state) not in _SHARED and (state, s) not in _SHARED
    ]
    for other in rng.sample(others, k=min(len(others), rng.choice([1, 2]))):
        # "has not been delivered" told of "cancelled" is true as well: only what is said outright.
        outright = [
            t
            for t in matter.told[other]
            if " not " not in t and "n't" not in t and "no longer" not in t
        ]
        text = spoken(rng.choice(outright or [matter.told[other][0]]).replace("{S}", subject), rng)
        yield Pair(premise, text, "contradiction", "statuses", "status")
    if rng.random() < 0.35:
        text = spoken(_denial(matter.told[state][0]).replace("{S}", subject), rng)
        yield Pair(premise, text, "contradiction", "statuses", "negation")
    if others and rng.random() < 0.35:
        text = spoken(_denial(matter.told[rng.choice(others)][0]).replace("{S}", subject), rng)
        yield Pair(premise, text, "entailment", "statuses", "negation")
    if rng.random() < 0.5:
        yield Pair(
            rendered({"id": name, **rest}, root), say(state), "neutral", "statuses", "lacking"
        )


def _denial(told: str) -> str:
    for word in (" is ", " was ", " has ", " can "):
        if word in told:
            return told.replace(word, f"{word}not ", 1)
    return f"It is not true that {told}"


def _written(state: str, rng: random.Random) -> str:
    spaced = state.replace("_", " ")
    return rng.choice([state, state, spaced, state.upper(), spaced.capitalize()])


def _rest(rng: random.Random) -> dict[str, Any]:
    day = f"2025-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
    fields: dict[str, Any] = {
        "created_at": day, "updated": day, "owner": rng.choice(["m.ortiz", "j.chen", "a.novak"]),
        "amount": round(rng.uniform(5, 900), 2), "priority": rng.choice(["low", "normal", "high"]),
        "region": rng.choice(["eu-west", "us-east", "north"]), "attempts": rng.randint(1, 5),
        "notes": None, "reference": f"R-{rng.randint(1000, 9999)}", "gift": rng.random() < 0.5,
    }  # fmt: skip
    return dict(rng.sample(list(fields.items()), k=rng.randint(0, 4)))
