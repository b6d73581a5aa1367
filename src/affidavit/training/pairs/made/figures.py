"""Facts about figures: the two records differ in a sign, a unit, an operand, or in which field bears the figure."""

from __future__ import annotations

import random

from affidavit.training.pairs.made.case import Fact
from affidavit.training.pairs.made.saying import (
    amount,
    counted,
    currency,
    other,
    plain,
    plural,
)


def change(rng: random.Random) -> Fact:
    """The same change, up or down."""
    what = rng.choice(("visits", "sales", "revenue", "orders", "the price", "the temperature", "stock", "sign-ups",
                       "output", "traffic", "the score", "demand", "energy use", "the share price"))  # fmt: skip
    size = rng.choice((rng.randint(2, 60), round(rng.uniform(0.5, 20), 1)))
    up = rng.random() < 0.5
    in_percent = rng.random() < 0.5
    noun = what.removeprefix("the ").replace(" ", "_").replace("-", "")
    key = rng.choice((f"{noun}_change", f"{noun}_delta", f"change_in_{noun}", f"{noun}_diff"))
    unit = "%" if in_percent else ""
    key += "_pct" if in_percent else ""
    are = noun in ("visits", "sales", "orders", "signups")
    be, have = ("are", "have") if are else ("is", "has")
    rose = ("{w} rose by {n}", "{w} went up by {n}", "{w} increased by {n}", "{w} {be} up {n}", "{w} {have} gained {n}",
            "{w} {be} {n} higher than before", "there was an increase of {n} in {w}", "{w} climbed {n}")  # fmt: skip
    fell = ("{w} fell by {n}", "{w} went down by {n}", "{w} dropped {n}", "{w} {be} down {n}", "{w} declined by {n}",
            "{w} {be} {n} lower than before", "there was a drop of {n} in {w}", "{w} {have} lost {n}")  # fmt: skip
    claim = rng.choice(rose if up else fell).format(w=what, n=f"{size}{unit}", be=be, have=have)
    claim += rng.choice((".", " at {it}.", " for {it}."))
    signed = size if up else -size
    if rng.random() < 0.3:
        text = "{:+}" + unit
        return Fact("report", {key: text.format(signed)}, {key: text.format(-signed)}, claim)
    return Fact("report", {key: signed}, {key: -signed}, claim)


def balance(rng: random.Random) -> Fact:
    """The same amount owed or in credit, lost or earned."""
    size = amount(rng)
    code, said = currency(rng)
    negative = rng.random() < 0.5
    told = said.format(plain(size))
    owing: tuple[str, ...]
    credit: tuple[str, ...]
    if rng.random() < 0.5:
        key = f"balance_{code}"
        kind = "account"
        owing = ("{it} is {v} in the red.", "{it} is overdrawn by {v}.", "there is a debt of {v} on {it}.",
                 "{its} balance is minus {v}.", "{it} is {v} below zero.")  # fmt: skip
        credit = ("{it} holds {v}.", "there is a credit of {v} on {it}.", "{it} has {v} available.",
                  "{it} is {v} in credit.", "{its} balance is plus {v}.")  # fmt: skip
    else:
        key = f"{rng.choice(('profit', 'net_result', 'net'))}_{code}"
        kind = rng.choice(("branch", "shop", "fund", "project"))
        owing = ("{it} made a loss of {v}.", "{it} lost {v}.", "{it} ended {v} in the red.",
                 "{it} closed with a deficit of {v}.")  # fmt: skip
        credit = ("{it} made a profit of {v}.", "{it} earned {v} net.", "{it} closed {v} in the black.",
                  "{it} ended with a surplus of {v}.")  # fmt: skip
    claim = rng.choice(owing if negative else credit).replace("{v}", told)
    signed = -size if negative else size
    return Fact(kind, {key: signed}, {key: -signed}, claim)


_COUNTED_FOR = ("passenger", "night", "guest", "seat", "unit", "day", "ticket", "room", "licence", "hour", "box")


def per_unit(rng: random.Random) -> Fact:
    """A price for each, against the same amount for all of them, or the price of all for each."""
    code, said, thing, price, number = _priced(rng)
    each, many, whole = _price_keys(rng, thing, code)
    claim = rng.choice(("it's {p} per {t}.", "each {t} costs {p}.", "you pay {p} for one {t}.", "the price per {t} is {p}.",
                        "{it} costs {p} per {t}.", "for {it} you pay {p} for each {t}.", "{p} per {t} is what {it} costs.",
                        "one {t} comes to {p}."))  # fmt: skip
    claim = claim.replace("{p}", said.format(plain(price))).replace("{t}", thing)
    total = round(price * number, 2)
    holds = {each: price, many: number} if rng.random() < 0.6 else {whole: total, many: number}
    fails = rng.choice(({whole: price, many: number}, {each: total, many: number}))
    return Fact(rng.choice(("offer", "booking", "quote")), holds, fails, claim)


def whole_price(rng: random.Random) -> Fact:
    """What all of them cost, against the same amount for each, or another number of them."""
    code, said, thing, price, number = _priced(rng)
    each, many, whole = _price_keys(rng, thing, code)
    total = round(price * number, 2)
    claim = rng.choice(("it comes to {v} in total.", "{v} for all {n} {t}.", "{it} costs {v} altogether.",
                        "together that's {v} for {n} {t}.", "the total for {n} {t} is {v}.", "{it} adds up to {v}.",
                        "in all you pay {v} for {it}."))  # fmt: skip
    claim = claim.replace("{v}", said.format(plain(total))).replace("{n}", counted(rng, number))
    claim = claim.replace("{t}", f"{thing}es" if thing == "box" else f"{thing}s")
    holds = {each: price, many: number} if rng.random() < 0.7 else {whole: total, many: number}
    fails = rng.choice(
        ({whole: price, many: number}, {each: total, many: number}, {each: price, many: number + 1})
    )
    return Fact(rng.choice(("offer", "booking", "quote")), holds, fails, claim)


def _priced(rng: random.Random) -> tuple[str, str, str, float, int]:
    code, said = currency(rng)
    return code, said, rng.choice(_COUNTED_FOR), amount(rng, 3, 200), rng.randint(2, 9)


def _price_keys(rng: random.Random, thing: str, code: str) -> tuple[str, str, str]:
    many = f"{thing}es" if thing == "box" else f"{thing}s"
    each = rng.choice((f"price_per_{thing}_{code}", f"{code}_per_{thing}", f"rate_per_{thing}_{code}"))
    whole = rng.choice((f"total_{code}", f"total_price_{code}", f"amount_{code}_all_{many}"))
    return each, rng.choice((many, f"number_of_{many}")), whole


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


_CONVERSIONS = (
    # field, kind of object, how many of its units make one of those said, drawn from, claims
    ("weight_kg", "truck", 1000, (1_100, 30_000, 100), ("{it} weighs {x} tonnes.", "{its} weight is {x} t.")),
    ("weight_g", "parcel", 1000, (300, 9_000, 100), ("{it} weighs {x} kg.", "{its} weight is {x} kilos.")),
    ("duration_minutes", "film", 60, (60, 600, 30), ("{it} takes {x} hours.", "{it} lasts {x} hours.", "{it} is {x} hours long.")),
    ("duration_seconds", "recording", 60, (120, 3_600, 60), ("{it} takes {x} minutes.", "{it} runs for {x} minutes.")),
    ("distance_m", "hotel", 1000, (1_100, 40_000, 100), ("{it} is {x} km away.", "{it} lies {x} kilometres from here.")),
    ("price_cents", "product", 100, (300, 90_000, 1), ("{it} costs ${x}.", "you pay ${x} for {it}.")),
    ("amount_pence", "ticket", 100, (300, 90_000, 1), ("{it} costs £{x}.", "{it} comes to £{x}.")),
    ("volume_ml", "bottle", 1000, (300, 9_000, 100), ("{it} holds {x} litres.", "{its} volume is {x} l.")),
    ("size_mb", "file", 1000, (1_200, 90_000, 100), ("{it} takes up {x} GB.", "{it} is {x} GB in size.")),
    ("length_cm", "table", 100, (110, 2_000, 10), ("{it} is {x} metres long.", "{it} measures {x} m.")),
    ("length_mm", "part", 10, (15, 900, 5), ("{it} is {x} cm long.", "{it} measures {x} centimetres.")),
    ("age_months", "horse", 12, (24, 180, 12), ("{it} is {x} years old.",)),
    ("term_weeks", "course", 1 / 7, (2, 12, 1), ("{it} runs for {x} days.", "{it} lasts {x} days.")),
    ("warranty_months", "machine", 12, (12, 120, 12), ("{its} warranty lasts {x} years.", "{it} comes with {x} years of warranty.")),
    ("uptime_hours", "server", 24, (48, 960, 24), ("{it} has been up for {x} days.",)),
    ("latency_ms", "service", 1000, (1_100, 20_000, 100), ("{it} answers in {x} seconds.", "{its} latency is {x} s.")),
)  # fmt: skip


def conversion(rng: random.Random) -> Fact:
    """A figure in another unit, against one that comes to something else in it."""
    key, kind, size, (low, high, step), claims = rng.choice(_CONVERSIONS)
    value = rng.randrange(low, high, step)
    if size == 12:
        value = max(value, 24)
    wrong = rng.choice((value * 10, value + rng.choice((2, 3, 5)) * step))
    said = value / size
    shown = f"{said:,.2f}" if size == 100 and "length" not in key else f"{said:g}"
    claim = rng.choice(claims).replace("{x}", shown)
    if rng.random() < 0.3:
        # As it is given, where the other record gives the same figure in the unit it would be said in.
        claim = rng.choice(claims).replace("{x}", shown)
        named, unit = key.rsplit("_", 1)
        larger = {"kg": "t", "g": "kg", "m": "km", "ml": "l", "mb": "gb", "cm": "m", "ms": "s", "minutes": "hours",
                  "seconds": "minutes"}.get(unit)  # fmt: skip
        if larger is not None:
            return Fact(kind, {key: value}, {f"{named}_{larger}": value}, claim)
    return Fact(kind, {key: value}, {key: wrong}, claim)


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
    claim = rng.choice(("{it} had {s}.", "there were {s} at {it}.", "{s} were counted for {it}.", "{it} has {s}."))
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
    claim = claim.replace("{a}", str(low)).replace("{b}", str(high)).replace("{k}", key.replace("_", " "))
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
        fails = rng.choice((near // 2 + off, near * 2 - off, near + near // 3 + off, near * 10 + off))
        words = ("about {n} {k}", "around {n} {k}", "roughly {n} {k}", "approximately {n} {k}", "some {n} {k}")
    elif style == "under":
        holds, fails = near - off, near + off
        words = ("just under {n} {k}", "nearly {n} {k}", "almost {n} {k}", "a little less than {n} {k}")
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
    said = rng.choice(("{:g}k", "{:g} thousand") if thousand else ("{:g} million", "{:g}m")).format(tenths / 10)
    turned = int(str(tenths)[::-1])
    wrong = other(value, lambda: rng.choice((value * 10, value // 10, turned * (value // tenths), value + value // 4)))
    claim = rng.choice(("{it} has {n} {k}.", "{it} counts {n} {k}.", "there are {n} {k} at {it}."))
    return Fact(kind, {key: value}, {key: wrong}, claim.replace("{n}", said).replace("{k}", key.replace("_", " ")))


_EXACT = (
    ("rooms", "room", "house", 12, "{it} has {n}."),
    ("floors", "floor", "building", 12, "{it} has {n}."),
    ("seats", "seat", "bus", 90, "there are {n} in {it}."),
    ("doors", "door", "car", 6, "{it} has {n}."),
    ("beds", "bed", "flat", 12, "there are {n} in {it}."),
    ("chapters", "chapter", "book", 40, "{it} is made up of {n}."),
    ("licences", "licence", "contract", 300, "{it} covers {n}."),
    ("attempts", "attempt", "test", 12, "{it} took {n}."),
    ("stops", "stop", "train", 12, "{it} makes {n}."),
    ("items", "item", "basket", 30, "there are {n} in {it}."),
    ("children", "child", "booking", 6, "{it} is for {n}, besides the adults."),
    ("open_positions", "open position", "department", 12, "{it} has {n}."),
    ("spare_keys", "spare key", "flat", 5, "{it} comes with {n}."),
    ("revisions", "revision", "document", 20, "{it} went through {n}."),
    ("players", "player", "team", 30, "{it} has {n}."),
    ("sessions", "session", "course", 24, "{it} consists of {n}."),
)


def exact(rng: random.Random) -> Fact:
    """A figure as it is given, in words or digits, against one near it."""
    key, noun, kind, top, told = rng.choice(_EXACT)
    value = rng.randint(2, top)
    wrong = other(value, lambda: rng.choice((value + 1, value - 1, value + 10, int(str(value)[::-1]), value * 2)))
    many = "children" if noun == "child" else plural(value, noun)
    claim = rng.choice((told, told, f"the number of {many} of {{it}} is {counted(rng, value)}."))
    return Fact(kind, {key: value}, {key: wrong}, claim.replace("{n}", f"{counted(rng, value)} {many}"))


_PARTS = (
    ("sent", "opened", "of the mails", "were opened"),
    ("calls", "answered", "of the calls", "were answered"),
    ("tests", "passed", "of the tests", "passed"),
    ("orders", "returned", "of the orders", "were returned"),
    ("seats", "sold", "of the seats", "are sold"),
    ("requests", "failed", "of the requests", "failed"),
    ("invited", "accepted", "of those invited", "accepted"),
    ("applications", "approved", "of the applications", "were approved"),
    ("budget", "spent", "of the budget", "has been spent"),
    ("lessons", "completed", "of the lessons", "are completed"),
    ("flights", "delayed", "of the flights", "were delayed"),
)  # fmt: skip
_SHARES = {10: "a tenth", 20: "a fifth", 25: "a quarter", 50: "half", 75: "three quarters", 40: "two fifths", 80: "four fifths"}


def share(rng: random.Random) -> Fact:
    """So large a part of a whole, against another part, or the rest of it."""
    whole_key, part_key, of, done = rng.choice(_PARTS)
    whole = rng.choice((40, 80, 100, 200, 400, 1000, 60, 120))
    percent = rng.choice([p for p in (5, 10, 20, 25, 30, 40, 60, 70, 75, 80, 50, 90) if whole * p % 100 == 0])
    part = whole * percent // 100
    wrong = other(part, lambda: rng.choice((whole - part, whole * rng.choice((15, 33, 45, 55, 95)) // 100, part // 2 + 1)))
    said = _SHARES[percent] if percent in _SHARES and rng.random() < 0.5 else f"{percent}%"
    claim = rng.choice((f"{said} {of} {done}.", f"{said} {of} {done} at {{it}}.", f"at {{it}}, {said} {of} {done}."))
    if rng.random() < 0.2:
        claim = rng.choice((f"{part} {of} {done}, out of {whole}.", f"{part} out of {whole} {of.removeprefix('of the ')} {done}."
                            if of.startswith("of the ") else f"{said} {of} {done}."))  # fmt: skip
    if rng.random() < 0.15 and percent != 50:
        most = percent > 50
        claim = f"{'most' if most else 'fewer than half'} {of} {done}." if most or whole_key != "budget" else claim
        wrong = whole - part
    return Fact("report", {whole_key: whole, part_key: part}, {whole_key: whole, part_key: wrong}, claim)


def growth(rng: random.Random) -> Fact:
    """A change in per cent between two fields, against the two exchanged, or another change."""
    percent = rng.choice((5, 10, 20, 25, 40, 50, 60, 75, 80, 15))
    before = rng.randint(1, 30) * 100
    up = rng.random() < 0.5
    after = before * (100 + (percent if up else -percent)) // 100
    what = rng.choice(("revenue", "orders", "visits", "members", "costs", "emissions", "output"))
    earlier, later = rng.choice((("previous", "current"), ("last_month", "this_month"), ("2024", "2025"), ("q1", "q2"),
                                 ("before", "after"), ("last_year", "this_year")))  # fmt: skip
    old, new = f"{what}_{earlier}", f"{what}_{later}"
    wrong = rng.choice(({old: after, new: before}, {old: before, new: 2 * before - after}, {old: before, new: after + before // 4}))
    verbs: tuple[str, ...]
    verbs = ("{w} rose by {p}%", "{w} grew {p}%", "{w} went up {p}%", "{w} increased by {p} percent") if up else (
        "{w} fell by {p}%", "{w} shrank {p}%", "{w} went down {p}%", "{w} decreased by {p} percent")  # fmt: skip
    claim = rng.choice(verbs).format(w=what, p=percent) + rng.choice((".", " at {it}.", " for {it}."))
    if rng.random() < 0.3:
        verbs = ("{w} rose from {a} to {b}", "{w} went up from {a} to {b}") if up else (
            "{w} fell from {a} to {b}", "{w} went down from {a} to {b}")  # fmt: skip
        claim = rng.choice(verbs).format(w=what, a=f"{before:,}", b=f"{after:,}") + rng.choice((".", " at {it}."))
    return Fact("report", {old: before, new: after}, wrong, claim)


def multiple(rng: random.Random) -> Fact:
    """Twice or half as many, against another multiple, or the two exchanged."""
    factor, words_up, words_down = rng.choice((
        (2, ("{w} doubled", "{w} {be} twice what it was before"), ("{w} halved", "{w} {be} half of what it was before")),
        (3, ("{w} tripled", "{w} {be} three times what it was before"), ("{w} fell to a third",)),
        (4, ("{w} quadrupled",), ("{w} fell to a quarter",)),
    ))  # fmt: skip
    what = rng.choice(("turnover", "traffic", "membership", "production", "consumption"))
    base = rng.randint(11, 300)
    earlier, later = rng.choice((("previous", "current"), ("last_year", "this_year"), ("start", "end")))
    old, new = f"{what}_{earlier}", f"{what}_{later}"
    up = rng.random() < 0.6
    holds = {old: base, new: base * factor} if up else {old: base * factor, new: base}
    fails = rng.choice(({old: holds[new], new: holds[old]}, {old: holds[old], new: holds[new] + base // 2}))
    claim = rng.choice(words_up if up else words_down).format(w=what, be="is") + rng.choice((".", " at {it}."))
    return Fact("report", holds, fails, claim)


def rate(rng: random.Random) -> Fact:
    """A price for a period, against the same price for another period."""
    code, said = currency(rng)
    price = amount(rng, 3, 90)
    small, large, number = rng.choice((("month", "year", 12), ("day", "week", 7), ("week", "year", 52)))
    whole = round(price * number, 2)
    small_key, large_key = (f"{rng.choice(('price', 'fee', 'rent'))}_per_{p}_{code}" for p in (small, large))
    kind = rng.choice(("plan", "subscription", "lease", "rental"))
    words = ("{it} costs {v} per {t}.", "you pay {v} per {t} for {it}.", "it's {v} per {t}.", "the price is {v} per {t}.",
             "{it} comes to {v} every {t}.")  # fmt: skip
    claim = rng.choice(words)
    style = rng.choice(("same", "up", "same"))
    if style == "up":
        claim = claim.replace("{v}", said.format(plain(whole))).replace("{t}", large)
        wrong = rng.choice(({large_key: price}, {small_key: whole}, {small_key: round(price + 1, 2)}))
        return Fact(kind, {small_key: price}, wrong, claim)
    period, key, wrong_key = rng.choice(((small, small_key, large_key), (large, large_key, small_key)))
    claim = claim.replace("{v}", said.format(plain(price))).replace("{t}", period)
    return Fact(kind, {key: price}, {wrong_key: price}, claim)


def unconverted(rng: random.Random) -> Fact:
    """An amount in one currency, against the same figure in another."""
    size = amount(rng)
    code, said = currency(rng)
    wrong = other(code, lambda: currency(rng)[0])
    key = rng.choice(("amount", "price", "total", "fee"))
    claim = rng.choice(("the {k} of {it} is {v}.", "{it} comes to {v}.", "for {it} it's {v}.", "{its} {k} is {v}."))
    claim = claim.replace("{k}", key).replace("{v}", said.format(plain(size)))
    kind = rng.choice(("invoice", "offer", "booking"))
    if rng.random() < 0.4:
        return Fact(kind, {key: {"value": size, "currency": code.upper()}}, {key: {"value": size, "currency": wrong.upper()}}, claim)
    return Fact(kind, {key: size, "currency": code.upper()}, {key: size, "currency": wrong.upper()}, claim)


_TOGETHER = (
    ("invoice", ("subtotal", "tax", "shipping", "discount"), "€{}", ("the {k} is {v}.", "{it} has {v} of {k}.")),
    ("forecast", ("day", "night"), "{}°C", ("the {k} temperature is {v} in {it}.", "by {k} it is {v} in {it}.")),
    ("payslip", ("gross", "net", "tax"), "€{}", ("the {k} amount is {v}.", "{its} {k} amount comes to {v}.")),
    ("room", ("width", "length", "height"), "{} m", ("the {k} of {it} is {v}.", "{its} {k} is {v}.")),
    ("event", ("capacity", "registered", "waiting"), "{}", ("the figure for {k} is {v} at {it}.", "{it} shows {v} for {k}.")),
    ("server", ("cpu", "memory", "disk"), "{}%", ("{k} is at {v} on {it}.", "{k} usage of {it} is {v}.")),
    ("stock", ("open", "close", "high", "low"), "${}", ("the {k} was {v} for {it}.", "{its} {k} was {v}.")),
    ("recipe", ("sugar", "salt", "fat", "protein"), "{} g", ("{it} contains {v} of {k}.", "there are {v} of {k} in {it}.")),
    ("portfolio", ("shares", "bonds", "cash"), "{}%", ("{k} make up {v} of {it}.", "{it} is {v} {k}.")),
    ("exam", ("reading", "writing", "listening", "speaking"), "{} points", ("{v} were reached in {k}.", "{k} brought {v} on {it}.")),
)  # fmt: skip


def which_figure(rng: random.Random) -> Fact:
    """A figure of one field, against the same figure in the field beside it."""
    kind, keys, said, claims = rng.choice(_TOGETHER)
    keys = tuple(rng.sample(keys, len(keys)))
    values = rng.sample(range(3, 95), len(keys))
    holds = dict(zip(keys, values, strict=True))
    one, two = rng.sample(keys, 2)
    fails = holds | {one: holds[two], two: holds[one]}
    claim = rng.choice(claims).replace("{k}", one).replace("{v}", said.format(holds[one]))
    return Fact(kind, holds, fails, claim)


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
        words = ("{it} is over {n}.", "{it} exceeded the {n}.") if above else ("{it} is below {n}.", "{it} stayed within the {n}.")
        wrong = aim - gap if above else aim + gap
    else:
        wrong = rng.choice((aim - gap if above else aim + gap, got + 20))
    claim = rng.choice(words).replace("{d}", unit.format(gap)).replace("{n}", noun)
    return Fact("project", {planned: aim, actual: got}, {planned: aim, actual: wrong}, claim)


def discount(rng: random.Random) -> Fact:
    """What is paid after a discount, against another discount; a share off, against an amount off."""
    price = rng.randint(2, 40) * 20
    percent = rng.choice((5, 10, 20, 25, 30, 40))
    off = price * percent // 100
    style = rng.choice(("pay", "save", "percent"))
    if style == "percent":
        claim = rng.choice(("there is {p}% off {it}.", "{it} is reduced by {p}%.", "{it} comes with a {p}% discount."))
        fails = {"price_eur": price, "discount_eur": percent}
        if off == percent:
            fails = {"price_eur": price, "discount_pct": percent + 5}
    else:
        claim = rng.choice(("after the discount {it} costs €{a}.", "with the discount you pay €{a} for {it}.")
                           if style == "pay" else ("you save €{o} on {it}.", "the discount takes €{o} off {it}."))  # fmt: skip
        fails = {"price_eur": price, "discount_pct": other(percent, lambda: rng.choice((5, 10, 15, 20, 25, 30, 40, 50)))}
    claim = claim.replace("{p}", str(percent)).replace("{a}", f"{price - off:,}").replace("{o}", f"{off:,}")
    return Fact("offer", {"price_eur": price, "discount_pct": percent}, fails, claim)


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
    kind = rng.choice(("course", "tour")) if key in ("age", "people") else "ride" if key == "height_cm" else "sensor"
    if rng.random() < 0.5:
        return Fact(kind, inside, outside, rng.choice(claims_in).replace("{x}", str(value)))
    return Fact(kind, outside, inside, rng.choice(claims_out).replace("{x}", str(value)))


def per_each(rng: random.Random) -> Fact:
    """What comes to each, a quotient of two fields, against another."""
    number = rng.randint(2, 9)
    each = rng.randint(3, 60)
    total_key, count_key, kind, claims = rng.choice((
        ("total_pages", "days", "book", ("that is {e} pages a day for {it}.", "you would have to read {e} pages a day of {it}.")),
        ("distance_km", "stages", "tour", ("each stage of {it} is {e} km on average.", "{it} averages {e} km a stage.")),
        ("bill_eur", "guests", "dinner", ("split evenly, each guest pays €{e} for {it}.", "{it} comes to €{e} a head.")),
        ("tickets_solved", "agents", "team", ("each agent of {it} solved {e} tickets on average.",)),
        ("litres", "tanks", "depot", ("every tank of {it} gets {e} litres when they are split evenly.",)),
        ("words", "paragraphs", "text", ("a paragraph of {it} has {e} words on average.",)),
    ))  # fmt: skip
    holds = {total_key: number * each, count_key: number}
    wrong = rng.choice(({total_key: number * each, count_key: number + 1}, {total_key: number * (each + 2), count_key: number}))
    return Fact(kind, holds, wrong, rng.choice(claims).replace("{e}", str(each)))


def signed_level(rng: random.Random) -> Fact:
    """Above or below zero, sea level or the average: the sign alone."""
    key, up, down = rng.choice((
        ("temperature_c", ("it is {v} degrees above zero at {it}.", "{it} has plus {v} degrees."),
         ("it is {v} degrees below zero at {it}.", "{it} has minus {v} degrees.", "{it} has {v} degrees of frost.")),
        ("elevation_m", ("{it} lies {v} m above sea level.",), ("{it} lies {v} m below sea level.",)),
        ("versus_average_pct", ("{it} is {v}% above average.", "{it} does {v}% better than the average."),
         ("{it} is {v}% below average.", "{it} does {v}% worse than the average.")),
        ("stock_difference", ("there are {v} {u} too many at {it}.",), ("{v} {u} are missing at {it}.",)),
    ))  # fmt: skip
    value = rng.randint(2, 40)
    above = rng.random() < 0.5
    signed = value if above else -value
    claim = rng.choice(up if above else down).replace("{v}", str(value)).replace("{u}", plural(value, "piece"))
    return Fact(rng.choice(("station", "site")), {key: signed}, {key: -signed}, claim)
