"""Facts about money: the two records differ in what an amount is for, in its sign or in its currency."""

from __future__ import annotations

import random

from affidavit.training.pairs.made.case import Fact
from affidavit.training.pairs.made.saying import amount, counted, currency, other, plain


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


_COUNTED_FOR = (
    "passenger",
    "night",
    "guest",
    "seat",
    "unit",
    "day",
    "ticket",
    "room",
    "licence",
    "hour",
    "box",
)


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
    each = rng.choice(
        (f"price_per_{thing}_{code}", f"{code}_per_{thing}", f"rate_per_{thing}_{code}")
    )
    whole = rng.choice((f"total_{code}", f"total_price_{code}", f"amount_{code}_all_{many}"))
    return each, rng.choice((many, f"number_of_{many}")), whole


def rate(rng: random.Random) -> Fact:
    """A price for a period, against the same price for another period."""
    code, said = currency(rng)
    price = amount(rng, 3, 90)
    small, large, number = rng.choice(
        (("month", "year", 12), ("day", "week", 7), ("week", "year", 52))
    )
    whole = round(price * number, 2)
    small_key, large_key = (
        f"{rng.choice(('price', 'fee', 'rent'))}_per_{p}_{code}" for p in (small, large)
    )
    kind = rng.choice(("plan", "subscription", "lease", "rental"))
    words = ("{it} costs {v} per {t}.", "you pay {v} per {t} for {it}.", "it's {v} per {t}.", "the price is {v} per {t}.",
             "{it} comes to {v} every {t}.")  # fmt: skip
    claim = rng.choice(words)
    style = rng.choice(("same", "up", "same"))
    if style == "up":
        claim = claim.replace("{v}", said.format(plain(whole))).replace("{t}", large)
        wrong = rng.choice(
            ({large_key: price}, {small_key: whole}, {small_key: round(price + 1, 2)})
        )
        return Fact(kind, {small_key: price}, wrong, claim)
    period, key, wrong_key = rng.choice(
        ((small, small_key, large_key), (large, large_key, small_key))
    )
    claim = claim.replace("{v}", said.format(plain(price))).replace("{t}", period)
    return Fact(kind, {key: price}, {wrong_key: price}, claim)


def unconverted(rng: random.Random) -> Fact:
    """An amount in one currency, against the same figure in another."""
    size = amount(rng)
    code, said = currency(rng)
    wrong = other(code, lambda: currency(rng)[0])
    key = rng.choice(("amount", "price", "total", "fee"))
    claim = rng.choice(
        ("the {k} of {it} is {v}.", "{it} comes to {v}.", "for {it} it's {v}.", "{its} {k} is {v}.")
    )
    claim = claim.replace("{k}", key).replace("{v}", said.format(plain(size)))
    kind = rng.choice(("invoice", "offer", "booking"))
    if rng.random() < 0.4:
        return Fact(
            kind,
            {key: {"value": size, "currency": code.upper()}},
            {key: {"value": size, "currency": wrong.upper()}},
            claim,
        )
    return Fact(
        kind, {key: size, "currency": code.upper()}, {key: size, "currency": wrong.upper()}, claim
    )


def discount(rng: random.Random) -> Fact:
    """What is paid after a discount, against another discount; a share off, against an amount off."""
    price = rng.randint(2, 40) * 20
    percent = rng.choice((5, 10, 20, 25, 30, 40))
    off = price * percent // 100
    style = rng.choice(("pay", "save", "percent"))
    if style == "percent":
        claim = rng.choice(
            (
                "there is {p}% off {it}.",
                "{it} is reduced by {p}%.",
                "{it} comes with a {p}% discount.",
            )
        )
        fails = {"price_eur": price, "discount_eur": percent}
        if off == percent:
            fails = {"price_eur": price, "discount_pct": percent + 5}
    else:
        claim = rng.choice(("after the discount {it} costs €{a}.", "with the discount you pay €{a} for {it}.")
                           if style == "pay" else ("you save €{o} on {it}.", "the discount takes €{o} off {it}."))  # fmt: skip
        fails = {
            "price_eur": price,
            "discount_pct": other(percent, lambda: rng.choice((5, 10, 15, 20, 25, 30, 40, 50))),
        }
    claim = (
        claim.replace("{p}", str(percent))
        .replace("{a}", f"{price - off:,}")
        .replace("{o}", f"{off:,}")
    )
    return Fact("offer", {"price_eur": price, "discount_pct": percent}, fails, claim)


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
    wrong = rng.choice(
        (
            {total_key: number * each, count_key: number + 1},
            {total_key: number * (each + 2), count_key: number},
        )
    )
    return Fact(kind, holds, wrong, rng.choice(claims).replace("{e}", str(each)))
