"""Facts about figures: the two records differ in a sign, a unit, an operand, or in which field bears the figure."""

from __future__ import annotations

import random
from collections.abc import Callable

from affidavit.training.pairs.made.case import Fact
from affidavit.training.pairs.made.saying import counted, other, plural


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
    wrong = other(
        value,
        lambda: rng.choice((value + 1, value - 1, value + 10, int(str(value)[::-1]), value * 2)),
    )
    many = "children" if noun == "child" else plural(value, noun)
    claim = rng.choice((told, told, f"the number of {many} of {{it}} is {counted(rng, value)}."))
    return Fact(
        kind, {key: value}, {key: wrong}, claim.replace("{n}", f"{counted(rng, value)} {many}")
    )


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


_SHARES = {
    10: "a tenth",
    20: "a fifth",
    25: "a quarter",
    50: "half",
    75: "three quarters",
    40: "two fifths",
    80: "four fifths",
}


def share(rng: random.Random) -> Fact:
    """So large a part of a whole, against another part, or the rest of it."""
    whole_key, part_key, of, done = rng.choice(_PARTS)
    whole = rng.choice((40, 80, 100, 200, 400, 1000, 60, 120))
    percent = rng.choice(
        [p for p in (5, 10, 20, 25, 30, 40, 60, 70, 75, 80, 50, 90) if whole * p % 100 == 0]
    )
    part = whole * percent // 100
    near = (whole - part, whole * rng.choice((15, 33, 45, 55, 95)) // 100, part // 2 + 1)
    wrong = other(part, lambda: rng.choice(near))
    said = _SHARES[percent] if percent in _SHARES and rng.random() < 0.5 else f"{percent}%"
    told = [
        f"{said} {of} {done}.",
        f"{said} {of} {done} at {{it}}.",
        f"at {{it}}, {said} {of} {done}.",
        f"{part:,} of {whole:,} {of.split()[-1]} {done}.",
    ]
    claim = rng.choice(told[:3] if whole_key in ("budget", "invited") else told)
    if percent != 50 and rng.random() < 0.15:
        claim = f"{'most' if percent > 50 else 'less than half'} {of} {done}."
        wrong = whole - part
    return Fact(
        "report", {whole_key: whole, part_key: part}, {whole_key: whole, part_key: wrong}, claim
    )


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
    wrong = rng.choice(
        (
            {old: after, new: before},
            {old: before, new: 2 * before - after},
            {old: before, new: after + before // 4},
        )
    )
    verbs: tuple[str, ...]
    verbs = ("{w} rose by {p}%", "{w} grew {p}%", "{w} went up {p}%", "{w} increased by {p} percent") if up else (
        "{w} fell by {p}%", "{w} shrank {p}%", "{w} went down {p}%", "{w} decreased by {p} percent")  # fmt: skip
    claim = rng.choice(verbs).format(w=what, p=percent) + rng.choice(
        (".", " at {it}.", " for {it}.")
    )
    if rng.random() < 0.3:
        verbs = ("{w} rose from {a} to {b}", "{w} went up from {a} to {b}") if up else (
            "{w} fell from {a} to {b}", "{w} went down from {a} to {b}")  # fmt: skip
        claim = rng.choice(verbs).format(w=what, a=f"{before:,}", b=f"{after:,}") + rng.choice(
            (".", " at {it}.")
        )
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
    earlier, later = rng.choice(
        (("previous", "current"), ("last_year", "this_year"), ("start", "end"))
    )
    old, new = f"{what}_{earlier}", f"{what}_{later}"
    up = rng.random() < 0.6
    holds = {old: base, new: base * factor} if up else {old: base * factor, new: base}
    fails = rng.choice(
        ({old: holds[new], new: holds[old]}, {old: holds[old], new: holds[new] + base // 2})
    )
    claim = rng.choice(words_up if up else words_down).format(w=what, be="is") + rng.choice(
        (".", " at {it}.")
    )
    return Fact("report", holds, fails, claim)


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
    values = rng.sample(range(3, 95), len(keys))
    holds = dict(zip(keys, values, strict=True))
    one, two = rng.sample(keys, 2)
    fails = holds | {one: holds[two], two: holds[one]}
    claim = rng.choice(claims).replace("{k}", one).replace("{v}", said.format(holds[one]))
    return Fact(kind, holds, fails, claim)


_FIELDS = (
    # field, drawn from, claims
    ("rent_eur", (300, 1_800, 10), ("the rent is €{v}.", "{it} is let for €{v}.", "you pay €{v} in rent for {it}.")),
    ("deposit_eur", (50, 2_400, 10), ("the deposit is €{v}.", "a deposit of €{v} is due for {it}.")),
    ("cleaning_fee_eur", (15, 180, 5), ("cleaning costs €{v}.", "the cleaning fee of {it} is €{v}.")),
    ("floor_area_sqm", (18, 240, 1), ("{it} has {v} square metres.", "the floor area is {v} m².")),
    ("walk_to_station_minutes", (3, 45, 1), ("the station is a {v}-minute walk away.", "it takes {v} minutes on foot to the station.")),
    ("lease_months", (3, 60, 1), ("the lease runs for {v} months.", "{it} is leased for {v} months.")),
    ("maximum_guests", (2, 40, 1), ("at most {v} guests are allowed.", "{it} takes up to {v} guests.")),
    ("minimum_nights", (2, 14, 1), ("you have to stay at least {v} nights.", "the shortest stay is {v} nights.")),
    ("load_limit_kg", (40, 900, 10), ("{it} bears up to {v} kg.", "the load limit is {v} kg.")),
    ("empty_weight_kg", (20, 900, 5), ("{it} weighs {v} kg empty.", "its empty weight is {v} kg.")),
    ("inspection_interval_weeks", (2, 52, 1), ("{it} is inspected every {v} weeks.", "inspections are {v} weeks apart.")),
    ("parking_spaces", (2, 90, 1), ("there are {v} parking spaces.", "{it} has {v} parking spaces.")),
    ("late_return_usd", (10, 400, 5), ("returning late costs ${v}.", "a late return of {it} is charged at ${v}.")),
    ("tank_litres", (20, 400, 5), ("the tank holds {v} litres.", "{its} tank takes {v} litres.")),
    ("range_km", (80, 900, 10), ("{it} gets {v} km far.", "the range is {v} km.")),
    ("driver_age", (18, 30, 1), ("drivers must be {v} or older.", "the minimum age of a driver is {v}.")),
)  # fmt: skip


def fits_otherwise(rng: random.Random) -> Fact:
    """A figure of a field that says it, against one that the field denies while another figure, or a formula of others,
    happens to come to it: a lease of 12 months, where it is 24 and 3 guests stay 4 nights."""
    (key, drawn, claims), *others = rng.sample(_FIELDS, rng.randint(3, 5))
    value = rng.randrange(*drawn)
    fields = {name: rng.randrange(*bounds) for name, bounds, _ in others}
    one, two = rng.sample(sorted(fields), 2)
    factors = [n for n in range(2, value) if value % n == 0]
    match rng.choice(("same", "product", "sum", "difference")):
        case "product" if factors:
            fields[one] = rng.choice(factors)
            fields[two] = value // fields[one]
        case "sum" if value > 3:
            fields[one] = rng.randint(1, value - 1)
            fields[two] = value - fields[one]
        case "difference":
            fields[one] = fields[two] + value
        case _:
            fields[one] = value
    wrong = other(value, lambda: rng.choice((rng.randrange(*drawn), value * 2, max(value // 2, 1))))
    keys = rng.sample([key, *fields], len(fields) + 1)
    holds = {name: fields.get(name, value) for name in keys}
    kind = rng.choice(("flat", "van", "hall", "boat", "cabin"))
    return Fact(kind, holds, holds | {key: wrong}, rng.choice(claims).replace("{v}", f"{value:,}"))


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
    claim = (
        rng.choice(up if above else down)
        .replace("{v}", str(value))
        .replace("{u}", plural(value, "piece"))
    )
    return Fact(rng.choice(("station", "site")), {key: signed}, {key: -signed}, claim)


_FOREIGN: tuple[tuple[str, str, range, Callable[[int], float], str, tuple[str, ...]], ...] = (
    # field, kind of object, drawn from, what it comes to in the unit said, field in that unit, claims
    ("temperature_f", "oven", range(104, 410, 9), lambda v: (v - 32) / 1.8, "temperature_c",
     ("{it} is at about {x}°C.", "{it} has about {x} degrees Celsius.")),
    ("distance_miles", "route", range(5, 120), lambda v: v * 1.609, "distance_km",
     ("{it} is about {x} km long.", "{it} covers about {x} kilometres.")),
    ("weight_lb", "parcel", range(6, 90), lambda v: v * 0.4536, "weight_kg", ("{it} weighs about {x} kg.", "{it} comes to about {x} kilos.")),
    ("height_ft", "tower", range(30, 600), lambda v: v * 0.3048, "height_m", ("{it} is about {x} metres high.",)),
    ("screen_in", "monitor", range(12, 65), lambda v: v * 2.54, "screen_cm", ("the screen of {it} measures about {x} cm.",)),
)  # fmt: skip


def foreign_unit(rng: random.Random) -> Fact:
    """A figure converted to another system of units, against the figure kept as it was."""
    key, kind, values, converted, metric, claims = rng.choice(_FOREIGN)
    value = rng.choice(values)
    claim = rng.choice(claims)
    if rng.random() < 0.3:
        # Given in the unit said, against the same figure in the other.
        return Fact(kind, {metric: value}, {key: value}, claim.replace("{x}", str(value)))
    said = round(converted(value))
    wrong = rng.choice(({metric: value}, {key: value * 2}, {key: said}))
    return Fact(kind, {key: value}, wrong, claim.replace("{x}", str(said)))
