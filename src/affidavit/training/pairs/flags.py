"""Yes-or-no fields: records with several flags, and what people say of each.

A flag is the hardest field for a small model: its words stand in the passage whether the claim is
true or not, and one word far from them decides. So each claim comes with its denial, over the flag
as it is and turned, beside other flags that say the opposite.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from affidavit.training.pairs.pair import Label, Pair
from affidavit.training.pairs.sgd import rendered
from affidavit.training.pairs.voice import spoken

ADJECTIVES = (
    "refundable waterproof active verified eligible taxable recyclable furnished renewable fragile "
    "transferable exchangeable returnable cancellable encrypted archived public private insured "
    "licensed available unlocked editable shared discounted perishable exempt certified accredited "
    "confidential urgent mandatory optional deductible negotiable accessible wireless rechargeable "
    "washable organic vegan seasonal remote billable reimbursable approved expired locked signed "
    "deprecated healthy replicated compressed indexed cached pinned muted subscribed enrolled insulated "
    "heated smoke-free soundproof stackable foldable dishwasher-safe oven-safe pet-friendly "
    "family-friendly wheelchair-accessible gluten-free tax-free customisable non-stick in-stock "
    "prepaid overdue non-smoking temporary permanent reversible compatible bookable tamper-proof"
).split()
NOUNS = (
    "wifi,parking,breakfast,a pool,a gym,a warranty,a deposit,insurance,a balcony,air conditioning,"
    "room service,laundry service,live music,outdoor seating,a kitchen,an elevator,free shipping,"
    "a receipt,a passport,a visa,an ID,approval,a signature,two-factor authentication,a backup,"
    "a meal,checked baggage,a power outlet,a charger,a remote control,batteries,assembly,"
    "an appointment,a reservation,a prescription,a referral,a membership,a discount,gift wrapping,"
    "express delivery,a tracking number,tax,a service fee,a cleaning fee,support,training,"
    "a trial period,overdraft protection,paperless billing,roaming,a sim card,a camera,bluetooth,"
    "gps,a headphone jack,a heated seat,a sunroof,child seats,wheelchair access,a lounge,seat selection"
).split(",")
PERMITTED = (
    "pets,smoking,cancellations,refunds,returns,exchanges,upgrades,transfers,guests,children,walk-ins,"
    "late checkout,early check-in,credit cards,gift cards,cash,photography,parties,alcohol,food,"
    "partial payments,name changes,remote work,group bookings,international shipping,backorders,"
    "overtime,carry-over,comments,downloads,edits,sharing,re-entry,bicycles,drones,camping"
).split(",")
SWITCHES = (
    "notifications,autopay,auto-renewal,dark mode,logging,monitoring,alerts,backups,encryption,"
    "two-step verification,location sharing,data saver,parental controls,debug mode,maintenance mode,"
    "email reminders,direct deposit,single sign-on,rate limiting,auto-scaling,read-only mode,"
    "fraud protection,travel notice,overdraft,contactless payment,call forwarding,voicemail,caching"
).split(",")
THINGS = (
    "order item room ticket account plan device apartment flight card policy booking product server "
    "course event vehicle package subscription listing hotel restaurant printer contract claim "
    "invoice build patient job table project file shipment membership loan meeting release"
).split()


@dataclass(frozen=True, slots=True)
class Said:
    """How a flag's key may be named, and what is said of it when it holds and when it does not."""

    keys: Sequence[str]
    yes: Sequence[str]
    no: Sequence[str]


def flag(rng: random.Random) -> Said:
    """One of some hundreds of flags."""
    makers = (_adjective, _noun, _permitted, _switch, _required)
    return rng.choices(makers, [5, 5, 3, 3, 2])[0](rng)


def _adjective(rng: random.Random) -> Said:
    word = rng.choice(ADJECTIVES)
    key = word.replace("-", "_")
    return Said(
        (key, f"is_{key}", f"is_{key}", f"{key}_flag"),
        (f"{{S}} is {word}", f"{{S}} is {word}", f"{{S}} is marked as {word}",
         f"{{S}} counts as {word}", f"{{S}}'s {word}"),
        (f"{{S}} is not {word}", f"{{S}} isn't {word}", f"{{S}} is not marked as {word}",
         f"Unfortunately, {{S}} is not {word}", f"{{S}} does not count as {word}"),
    )  # fmt: skip


def _noun(rng: random.Random) -> Said:
    noun = rng.choice(NOUNS)
    bare = noun.removeprefix("an ").removeprefix("a ")
    key = _key(bare)
    return Said(
        (f"has_{key}", f"{key}_included", key, f"includes_{key}", f"{key}_available", f"with_{key}"),
        (f"{{S}} comes with {noun}", f"{{S}} includes {noun}", f"{{S}} has {noun}",
         f"{_capital(noun)} is included with {{S}}", f"You get {noun} with {{S}}"),
        (f"{{S}} does not come with {noun}", f"{{S}} doesn't include {noun}",
         f"{_capital(noun)} is not included with {{S}}", f"{{S}} has no {bare}",
         f"You don't get {noun} with {{S}}", f"There's no {bare} with {{S}}"),
    )  # fmt: skip


def _permitted(rng: random.Random) -> Said:
    what = rng.choice(PERMITTED)
    key = _key(what)
    return Said(
        (f"{key}_allowed", f"allows_{key}", f"accepts_{key}", f"{key}_permitted", f"allow_{key}"),
        (f"{{S}} allows {what}", f"{_capital(what)} are allowed for {{S}}" if what.endswith("s")
         else f"{_capital(what)} is allowed for {{S}}", f"{{S}} accepts {what}",
         f"{{S}} permits {what}"),
        (f"{{S}} does not allow {what}", f"{{S}} doesn't accept {what}",
         f"No {what} for {{S}}", f"{_capital(what)} are not permitted for {{S}}"
         if what.endswith("s") else f"{_capital(what)} is not permitted for {{S}}"),
    )  # fmt: skip


def _switch(rng: random.Random) -> Said:
    what = rng.choice(SWITCHES)
    key = _key(what)
    verb = "are" if what.endswith("s") else "is"
    return Said(
        (f"{key}_enabled", f"{key}_on", key, f"enable_{key}", f"{key}_active"),
        (f"{_capital(what)} {verb} enabled on {{S}}", f"{_capital(what)} {verb} turned on for {{S}}",
         f"{{S}} has {what} switched on", f"{_capital(what)} {verb} on for {{S}}"),
        (f"{_capital(what)} {verb} disabled on {{S}}", f"{_capital(what)} {verb} turned off for {{S}}",
         f"{{S}} has {what} switched off", f"{_capital(what)} {verb} not enabled for {{S}}"),
    )  # fmt: skip


def _required(rng: random.Random) -> Said:
    noun = rng.choice(NOUNS)
    bare = noun.removeprefix("an ").removeprefix("a ")
    key = _key(bare)
    return Said(
        (f"{key}_required", f"requires_{key}", f"needs_{key}", f"{key}_mandatory"),
        (f"{{S}} requires {noun}", f"{_capital(noun)} is required for {{S}}",
         f"You need {noun} for {{S}}", f"{_capital(noun)} is needed for {{S}}"),
        (f"{{S}} does not require {noun}", f"{_capital(noun)} is not required for {{S}}",
         f"You don't need {noun} for {{S}}", f"No {bare} is needed for {{S}}"),
    )  # fmt: skip


def flag_pairs(rng: random.Random, scenes: int) -> Iterator[Pair]:
    """Claims and denials over records of one to five flags, some among other fields."""
    for _ in range(scenes):
        thing = rng.choice(THINGS)
        keyed = {
            rng.choice(said.keys): said for said in (flag(rng) for _ in range(rng.randint(1, 5)))
        }
        held = {key: rng.random() < 0.5 for key in keyed}
        name, root = _named(thing, rng), rng.choice([f"get_{thing}", f"{thing}s", thing, ""])
        for key, said in rng.sample(list(keyed.items()), k=min(2, len(keyed))):
            subject = rng.choice([name, f"{thing} {name}", f"the {thing}", f"your {thing}", "it"])
            yield from _of_one(Told(thing, name, root, held, key, said, subject), rng)


@dataclass(frozen=True, slots=True)
class Told:
    """One flag of a record, about to be told of."""

    thing: str
    name: str
    root: str
    held: Mapping[str, bool]
    key: str
    said: Said
    subject: str

    def claim(self, holds: bool, rng: random.Random) -> str:
        text = rng.choice(list(self.said.yes if holds else self.said.no))
        return spoken(text.replace("{S}", self.subject), rng)


def _of_one(t: Told, rng: random.Random) -> Iterator[Pair]:
    truth = t.held[t.key]
    premise = _premise(t, t.held, rng)
    yield Pair(premise, t.claim(truth, rng), "entailment", "flags")
    yield Pair(premise, t.claim(not truth, rng), "contradiction", "flags", "flag")
    if rng.random() < 0.5:
        turned = {**t.held, t.key: not truth}
        label: Label = rng.choice(["entailment", "contradiction"])
        claim = t.claim(turned[t.key] == (label == "entailment"), rng)
        fault = "flag" if label == "contradiction" else ""
        yield Pair(_premise(t, turned, rng), claim, label, "flags", fault)
    others = {key: value for key, value in t.held.items() if key != t.key}
    if others and rng.random() < 0.5:
        claim = t.claim(rng.random() < 0.6, rng)
        yield Pair(_premise(t, others, rng), claim, "neutral", "flags", "lacking")


_WORDS = ((False, True), ("no", "yes"), ("N", "Y"), ("false", "true"), (0, 1), ("off", "on"))


def _premise(t: Told, held: Mapping[str, bool], rng: random.Random) -> str:
    no, yes = rng.choices(_WORDS, [12, 2, 1, 2, 1, 1])[0]
    record: dict[str, Any] = {"name" if rng.random() < 0.3 else "id": t.name}
    extra: dict[str, Any] = {"price": round(rng.uniform(5, 900), 2), "updated": f"2025-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}",
             "quantity": rng.randint(1, 40), "rating": rng.randint(10, 50) / 10}  # fmt: skip
    fields: dict[str, Any] = {key: yes if value else no for key, value in held.items()}
    fields |= dict(rng.sample(list(extra.items()), k=rng.choice([0, 0, 1, 2])))
    order = rng.sample(list(fields), k=len(fields))
    record |= {key: fields[key] for key in order}
    return rendered(rng.choice([record, record, {t.thing: record}, [record]]), t.root)


def _named(thing: str, rng: random.Random) -> str:
    letters = "".join(rng.choices("ABCDEFGHKLMNPRSTWX", k=rng.choice([1, 2, 3])))
    return rng.choice(
        [f"{letters}-{rng.randint(10, 9999)}", f"{thing[0].upper()}{rng.randint(100, 99999)}"]
    )


def _key(words: str) -> str:
    return words.replace("-", "_").replace(" ", "_")


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
