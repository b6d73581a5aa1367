"""Facts about limits and about how near a figure is: the two records lie on different sides."""

from __future__ import annotations

import random

from affidavit.training.pairs.made.case import Fact
from affidavit.training.pairs.made.saying import other

_COUNTS = (
    ("visitors", "museum"),
    ("members", "club"),
    ("attendees", "conference"),
    ("employees", "company"),
    ("units_sold", "product"),
    ("downloads", "app"),
    ("subscribers", "channel"),
    ("votes", "proposal"),
    ("bookings", "hotel"),
    ("complaints", "branch"),
    ("deliveries", "depot"),
    ("pages", "report"),
    ("students", "school"),
    ("followers", "profile"),
    ("calls", "hotline"),
)
"""What is counted in large numbers, and of what."""


def bound(rng: random.Random) -> Fact:
    """More or fewer than so many, against a count on the other side of it."""
    key, kind = rng.choice(_COUNTS)
    said = key.replace("_", " ")
    limit = rng.choice((rng.randint(2, 90) * 10, rng.randint(11, 900)))
    above = limit + rng.randint(1, limit // 3 + 2)
    below = limit - rng.randint(1, limit // 3 + 1)
    sides = {
        "above": ("more than {l} {k}", "over {l} {k}", "upwards of {l} {k}", "at least {m} {k}", "no fewer than {m} {k}"),
        "below": ("fewer than {l} {k}", "under {l} {k}", "less than {l} {k}", "at most {b} {k}", "no more than {b} {k}"),
    }  # fmt: skip
    side = rng.choice(("above", "below"))
    said = rng.choice(sides[side]).format(l=limit, k=said, m=limit + 1, b=limit - 1)
    if side == "above":
        at_least = "at least" in said or "no fewer" in said
        holds, fails = (above if not at_least else max(above, limit + 1)), below
    else:
        holds, fails = below, above
    claim = rng.choice(
        ("{it} had {s}.", "there were {s} at {it}.", "{s} were counted for {it}.", "{it} has {s}.")
    )
    return Fact(kind, {key: holds}, {key: fails}, claim.replace("{s}", said))


def between(rng: random.Random) -> Fact:
    """Between two figures, against one outside."""
    key, kind = rng.choice(_COUNTS)
    low = rng.randint(2, 60) * 10
    high = low + rng.choice((20, 50, 100))
    inside = rng.randint(low + 1, high - 1)
    outside = rng.choice((low - rng.randint(3, max(4, low // 2)), high + rng.randint(3, 90)))
    claim = rng.choice(("{it} has between {a} and {b} {k}.", "{its} {k} number between {a} and {b}.",
                        "there were somewhere from {a} to {b} {k} at {it}."))  # fmt: skip
    claim = (
        claim.replace("{a}", str(low))
        .replace("{b}", str(high))
        .replace("{k}", key.replace("_", " "))
    )
    return Fact(kind, {key: inside}, {key: outside}, claim)


def rounded(rng: random.Random) -> Fact:
    """About so many, against clearly more or fewer; just under or over it, against the other side."""
    key, kind = rng.choice(_COUNTS)
    step = rng.choice((100, 500, 1000))
    near = rng.randint(2, 30) * step
    off = rng.randint(1, max(2, step // 20))
    style = rng.choice(("about", "under", "over"))
    words: tuple[str, ...]
    if style == "about":
        holds = near + rng.choice((-off, off))
        fails = rng.choice(
            (near // 2 + off, near * 2 - off, near + near // 3 + off, near * 10 + off)
        )
        words = (
            "about {n} {k}",
            "around {n} {k}",
            "roughly {n} {k}",
            "approximately {n} {k}",
            "some {n} {k}",
        )
    elif style == "under":
        holds, fails = near - off, near + off
        words = (
            "just under {n} {k}",
            "nearly {n} {k}",
            "almost {n} {k}",
            "a little less than {n} {k}",
        )
    else:
        holds, fails = near + off, near - off
        words = ("just over {n} {k}", "a little more than {n} {k}", "slightly above {n} {k}")
    said = f"{near // 1000}k" if near % 1000 == 0 and rng.random() < 0.3 else f"{near:,}"
    claim = rng.choice(("{it} had {s}.", "{it} has {s}.", "there were {s} at {it}."))
    claim = claim.replace("{s}", rng.choice(words).format(n=said, k=key.replace("_", " ")))
    return Fact(kind, {key: holds}, {key: fails}, claim)


def thousands(rng: random.Random) -> Fact:
    """A large figure said in thousands or millions, against one ten times as large or small, or with its digits turned."""
    key, kind = rng.choice(_COUNTS)
    tenths = rng.randint(11, 999)
    thousand = rng.random() < 0.6
    value = tenths * (100 if thousand else 100_000)
    said = rng.choice(("{:g}k", "{:g} thousand") if thousand else ("{:g} million", "{:g}m")).format(
        tenths / 10
    )
    turned = int(str(tenths)[::-1])
    wrong = other(
        value,
        lambda: rng.choice(
            (value * 10, value // 10, turned * (value // tenths), value + value // 4)
        ),
    )
    claim = rng.choice(("{it} has {n} {k}.", "{it} counts {n} {k}.", "there are {n} {k} at {it}."))
    return Fact(
        kind,
        {key: value},
        {key: wrong},
        claim.replace("{n}", said).replace("{k}", key.replace("_", " ")),
    )


def remaining(rng: random.Random) -> Fact:
    """What is left, against as much used, or another amount used."""
    limit = rng.randint(20, 500)
    used = rng.randint(5, limit - 5)
    unit, said = rng.choice((("gb", "GB"), ("hours", "hours"), ("days", "days"), ("credits", "credits"),
                             ("litres", "litres"), ("seats", "seats"), ("points", "points"), ("kwh", "kWh")))  # fmt: skip
    used_key = rng.choice((f"used_{unit}", f"{unit}_used", f"{unit}_taken"))
    limit_key = rng.choice((f"limit_{unit}", f"{unit}_total", f"max_{unit}"))
    claim = rng.choice(("there are {x} {u} left.", "{x} {u} remain on {it}.", "{it} still has {x} {u} available.",
                        "that leaves {x} {u}.", "you can still use {x} {u} on {it}.",
                        "{x} of the {l} {u} haven't been used."))  # fmt: skip
    claim = claim.replace("{x}", str(limit - used)).replace("{u}", said).replace("{l}", str(limit))
    near = [step for step in (-10, 10, 7, -3, 4) if 0 < used + step < limit]
    wrong = rng.choice((used + rng.choice(near), limit - used))
    return Fact(
        rng.choice(("quota", "plan", "allowance", "pass")),
        {used_key: used, limit_key: limit},
        {used_key: wrong, limit_key: limit},
        claim,
    )


def against_plan(rng: random.Random) -> Fact:
    """Over or under what was planned, against the two figures exchanged, or another distance."""
    planned, actual, unit = rng.choice((("budget_eur", "spent_eur", "€{}"), ("planned_hours", "actual_hours", "{} hours"),
                                        ("target_units", "produced_units", "{} units"), ("quota", "sold", "{}")))  # fmt: skip
    aim = rng.randint(4, 90) * 10
    gap = rng.randint(1, 3) * 10 + rng.choice((0, 5))
    above = rng.random() < 0.5
    got = aim + gap if above else aim - gap
    noun = planned.split("_")[0].replace("planned", "plan")
    words: tuple[str, ...]
    words = ("{it} is {d} over {n}.", "{it} came out {d} above {n}.", "{it} went {d} beyond the {n}.") if above else (
        "{it} is {d} under {n}.", "{it} came out {d} below {n}.", "{it} stayed {d} under the {n}.")  # fmt: skip
    if rng.random() < 0.35:
        words = (
            ("{it} is over {n}.", "{it} exceeded the {n}.")
            if above
            else ("{it} is below {n}.", "{it} stayed within the {n}.")
        )
        wrong = aim - gap if above else aim + gap
    else:
        wrong = rng.choice((aim - gap if above else aim + gap, got + 20))
    claim = rng.choice(words).replace("{d}", unit.format(gap)).replace("{n}", noun)
    return Fact("project", {planned: aim, actual: got}, {planned: aim, actual: wrong}, claim)


_LIMITS = (
    ("max_upload_mb", "service", "up to {v} MB can be uploaded to {it}.", "{it} takes files of at most {v} MB."),
    ("max_guests", "flat", "up to {v} guests can stay at {it}.", "{it} is for no more than {v} guests."),
    ("min_order_eur", "shop", "the minimum order at {it} is €{v}.", "you have to order for at least €{v} at {it}."),
    ("min_age", "tour", "you must be at least {v} for {it}.", "{it} is open from the age of {v}."),
    ("max_weight_kg", "lift", "{it} carries at most {v} kg.", "the weight limit of {it} is {v} kg."),
    ("max_length_minutes", "call", "{it} may take {v} minutes at most.", "more than {v} minutes are not allowed for {it}."),
    ("notice_days", "visit", "{it} has to be announced {v} days ahead.", "{it} needs {v} days of notice."),
    ("return_days", "product", "{it} can be returned within {v} days.", "you have {v} days to send {it} back."),
    ("max_requests_per_minute", "endpoint", "{it} allows {v} requests a minute.", "more than {v} requests a minute are refused by {it}."),
    ("min_stay_nights", "hotel", "you have to stay at least {v} nights at {it}.", "the shortest stay at {it} is {v} nights."),
)  # fmt: skip


def limit(rng: random.Random) -> Fact:
    """A limit, against another one."""
    key, kind, *claims = rng.choice(_LIMITS)
    value = rng.choice((rng.randint(2, 20), rng.randint(2, 20) * 5))
    wrong = other(value, lambda: rng.choice((value + 5, value * 2, max(1, value - 3), value + 1)))
    claim = rng.choice(claims).replace("{v}", str(value))
    return Fact(kind, {key: value}, {key: wrong}, claim)


def within(rng: random.Random) -> Fact:
    """Somebody or something that fits within limits, against limits that leave it out."""
    key, claims_in, claims_out, low, high = rng.choice((
        ("age", ("somebody of {x} can take part in {it}.", "at {x} you are the right age for {it}."),
         ("somebody of {x} can't take part in {it}.", "{it} is not for somebody aged {x}."), 5, 60),
        ("people", ("{it} is suitable for a group of {x}.", "a group of {x} can book {it}."),
         ("a group of {x} can't book {it}.", "{it} doesn't take a group of {x}."), 3, 40),
        ("height_cm", ("at {x} cm you may ride {it}.",), ("at {x} cm you may not ride {it}.",), 110, 195),
        ("ph", ("a pH of {x} is within the range of {it}.",), ("a pH of {x} is outside the range of {it}.",), 3, 9),
    ))  # fmt: skip
    value = rng.randint(low, high)
    gap = max(2, (high - low) // 10)
    inside = {f"min_{key}": value - rng.randint(1, gap), f"max_{key}": value + rng.randint(1, gap)}
    outside = rng.choice((
        {f"min_{key}": value + 1 + rng.randint(0, gap), f"max_{key}": value + 3 + 2 * gap},
        {f"min_{key}": value - 3 - gap, f"max_{key}": value - 1 - rng.randint(0, gap)},
    ))  # fmt: skip
    outside = {name: max(0, bound) for name, bound in outside.items()}
    kind = (
        rng.choice(("course", "tour"))
        if key in ("age", "people")
        else "ride"
        if key == "height_cm"
        else "sensor"
    )
    if rng.random() < 0.5:
        return Fact(kind, inside, outside, rng.choice(claims_in).replace("{x}", str(value)))
    return Fact(kind, outside, inside, rng.choice(claims_out).replace("{x}", str(value)))


def capacity(rng: random.Random) -> Fact:
    """Full or not, and how many places are left, against another number of bookings."""
    places = rng.randint(8, 120)
    taken_key, places_key = rng.choice(
        (("booked", "capacity"), ("registered", "places"), ("seats_taken", "seats_total"))
    )
    kind = rng.choice(("course", "tour", "flight", "workshop"))
    left = rng.randint(1, places // 2)
    full, some = (
        {taken_key: places, places_key: places},
        {taken_key: places - left, places_key: places},
    )
    if rng.random() < 0.5:
        claim = rng.choice(
            ("{it} is fully booked.", "there is no place left on {it}.", "{it} is full.")
        )
        return Fact(kind, full, some, claim)
    claim = rng.choice(
        (
            "there are still places on {it}.",
            "{it} isn't full yet.",
            "you can still get a place on {it}.",
        )
    )
    return Fact(kind, some, full, claim)


def reaches(rng: random.Random) -> Fact:
    """Whether a requirement is met, against a value on the other side of it."""
    kind, needed, given, met, missed = rng.choice((
        ("order", "free_shipping_from_eur", "order_value_eur", ("{it} ships free of charge.", "{it} reaches the amount for free shipping."),
         ("{it} doesn't ship free of charge.", "{it} stays below the amount for free shipping.")),
        ("exam", "pass_mark", "points", ("{it} was passed.", "the points are enough to pass {it}."), ("{it} was not passed.", "the points are too few to pass {it}.")),
        ("poll", "quorum", "votes_cast", ("{it} reached the quorum.", "enough votes were cast in {it}."), ("{it} missed the quorum.", "too few votes were cast in {it}.")),
        ("fundraiser", "goal_eur", "raised_eur", ("{it} has reached its goal.", "the goal of {it} is met."), ("{it} hasn't reached its goal yet.", "the goal of {it} is not met so far.")),
        ("course", "minimum_participants", "registered", ("enough people have registered for {it}.", "{it} has the participants it needs."),
         ("too few people have registered for {it}.", "{it} lacks participants.")),
        ("sensor", "alarm_below", "reading", ("{it} is not below its alarm level.", "{it} gives no cause for an alarm."), ("{it} has fallen below its alarm level.", "the reading of {it} calls for an alarm.")),
    ))  # fmt: skip
    bar = rng.randint(3, 60) * (5 if "eur" in needed else 1) + 4
    above, below = bar + rng.randint(1, 9), bar - rng.randint(1, min(bar - 1, 9))
    enough = rng.random() < 0.5
    holds, fails = (above, below) if enough else (below, above)
    return Fact(
        kind,
        {needed: bar, given: holds},
        {needed: bar, given: fails},
        rng.choice(met if enough else missed),
    )


def majority(rng: random.Random) -> Fact:
    """How a vote ended, against the votes exchanged."""
    high = rng.randint(6, 90)
    low = rng.randint(1, high - 2)
    won = rng.random() < 0.5
    words: tuple[str, ...]
    words = ("{it} found a majority.", "more voted for {it} than against it.", "{it} was carried by {h} to {l}.", "{it} won by {d} votes.") if won else (
        "{it} found no majority.", "more voted against {it} than for it.", "{it} was rejected by {h} to {l}.", "{it} lost by {d} votes.")  # fmt: skip
    claim = (
        rng.choice(words)
        .replace("{h}", str(high))
        .replace("{l}", str(low))
        .replace("{d}", str(high - low))
    )
    for_key, against_key = rng.choice(
        (("votes_for", "votes_against"), ("yes", "no"), ("in_favour", "opposed"))
    )
    holds, fails = {for_key: high, against_key: low}, {for_key: low, against_key: high}
    return Fact(
        rng.choice(("motion", "proposal")), holds if won else fails, fails if won else holds, claim
    )
