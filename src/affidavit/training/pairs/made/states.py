"""Facts about what something is: the two records differ in a status, a flag, a reason, or an entry of a list."""

from __future__ import annotations

import random
from dataclasses import dataclass

from affidavit.training.pairs.made.case import Fact, Fields
from affidavit.training.pairs.made.saying import counted, day, listed, other
from affidavit.training.pairs.made.words import CITIES, PEOPLE


@dataclass(frozen=True, slots=True)
class State:
    """A status, ways of saying it, and statuses over which none of these ways is true."""

    kinds: tuple[str, ...]
    value: str
    sayings: tuple[str, ...]
    others: tuple[str, ...]


_STATES = (
    State(("order", "parcel"), "shipped", ("{it} is on its way.", "{it} has left the warehouse.", "{it} has been sent off."),
          ("processing", "cancelled", "awaiting_payment")),
    State(("order", "parcel"), "processing", ("{it} hasn't been sent yet.", "{it} is still being prepared.", "{it} has not left the warehouse."),
          ("shipped", "delivered")),
    State(("order", "parcel"), "delivered", ("{it} has arrived.", "{it} has been delivered.", "{it} has reached its recipient."),
          ("in_transit", "returned_to_sender", "lost", "processing")),
    State(("order", "parcel"), "in_transit", ("{it} is still on the road.", "{it} hasn't arrived yet.", "{it} is under way."),
          ("delivered", "cancelled")),
    State(("order", "event", "flight", "lesson"), "cancelled", ("{it} was called off.", "{it} has been cancelled.", "{it} won't go ahead."),
          ("confirmed", "scheduled")),
    State(("event", "flight", "lesson"), "scheduled", ("{it} is going ahead.", "{it} hasn't been cancelled.", "{it} takes place as planned."),
          ("cancelled",)),
    State(("invoice", "fine"), "paid", ("{it} has been settled.", "{it} is paid.", "nothing is owed on {it} any more."),
          ("overdue", "unpaid", "open")),
    State(("invoice", "fine"), "overdue", ("{it} should have been paid by now.", "payment of {it} is late.", "{it} hasn't been paid in time."),
          ("paid",)),
    State(("invoice",), "unpaid", ("{it} has not been paid yet.", "the money for {it} hasn't come in.", "{it} is still to be paid."), ("paid",)),
    State(("request", "application", "claim"), "approved", ("{it} went through.", "{it} was approved.", "{it} got the go-ahead.", "{it} was accepted."),
          ("rejected", "pending", "withdrawn")),
    State(("request", "application", "claim"), "rejected", ("{it} was turned down.", "{it} has been refused.", "{it} didn't go through."),
          ("approved",)),
    State(("request", "application", "claim"), "pending", ("{it} hasn't been decided yet.", "{it} is still waiting for a decision.", "there is no decision on {it} so far."),
          ("approved", "rejected")),
    State(("request", "application"), "withdrawn", ("{it} was taken back.", "{it} is not being pursued any more."), ("pending", "approved")),
    State(("ticket", "incident", "issue"), "open", ("{it} is still open.", "nobody has closed {it} yet.", "{it} is not resolved yet."),
          ("closed", "resolved")),
    State(("ticket", "incident", "issue"), "resolved", ("{it} has been dealt with.", "{it} has been resolved.", "{it} is no longer open."),
          ("open", "in_progress", "new")),
    State(("ticket", "issue", "task"), "in_progress", ("somebody is working on {it}.", "{it} is being worked on.", "work on {it} has begun."),
          ("not_started", "backlog", "new")),
    State(("task", "chore"), "done", ("{it} is finished.", "{it} has been completed.", "nothing is left to do on {it}."),
          ("in_progress", "not_started", "blocked")),
    State(("task", "chore"), "not_started", ("nobody has begun with {it}.", "work on {it} hasn't started.", "{it} is untouched so far."),
          ("in_progress", "done")),
    State(("task",), "blocked", ("{it} is stuck.", "{it} cannot go on at the moment.", "something stands in the way of {it}."),
          ("done", "on_track")),
    State(("product", "item"), "out_of_stock", ("{it} is sold out.", "{it} is not available.", "you can't get {it} at the moment."), ("in_stock",)),
    State(("product", "item"), "in_stock", ("{it} is available.", "you can get {it} right away.", "{it} can be had at once."),
          ("out_of_stock", "discontinued")),
    State(("product",), "discontinued", ("{it} is no longer made.", "{it} has been taken off the range."), ("in_stock", "new")),
    State(("train", "flight", "bus"), "delayed", ("{it} is running late.", "{it} won't be on time.", "there is a delay for {it}."), ("on_time",)),
    State(("train", "flight", "bus"), "on_time", ("{it} is on schedule.", "there is no delay for {it}.", "{it} runs as planned."),
          ("delayed", "cancelled")),
    State(("build", "job", "test", "backup"), "failed", ("{it} did not work.", "{it} ended with an error.", "{it} was not successful."),
          ("succeeded", "passed")),
    State(("build", "job", "test", "backup"), "succeeded", ("{it} worked.", "{it} completed without errors.", "{it} was successful."),
          ("failed", "aborted", "timed_out")),
    State(("build", "job", "backup"), "running", ("{it} is still going.", "{it} hasn't finished yet.", "{it} is in progress."),
          ("finished", "failed", "queued")),
    State(("build", "job"), "queued", ("{it} is waiting to start.", "{it} has not begun yet.", "{it} is in the queue."), ("running", "finished")),
    State(("server", "service"), "down", ("{it} cannot be reached.", "{it} isn't working at the moment.", "{it} is out of service."), ("up", "running")),
    State(("server", "service"), "running", ("{it} is up.", "{it} is working.", "{it} is in operation."), ("stopped", "down", "crashed")),
    State(("account", "user"), "suspended", ("{it} is blocked.", "{it} has been locked.", "{it} can't be used for now."), ("active",)),
    State(("account", "user"), "active", ("{it} is in use.", "{it} is not blocked.", "{it} is enabled."), ("suspended", "closed", "disabled")),
    State(("subscription", "contract"), "terminated", ("{it} has ended.", "{it} has been cancelled.", "{it} is no longer running."), ("active", "running")),
    State(("subscription",), "paused", ("{it} is on hold.", "{it} has been put on hold for now."), ("active", "cancelled")),
    State(("document", "contract"), "signed", ("{it} bears a signature.", "{it} has been signed.", "the signature is there on {it}."),
          ("draft", "awaiting_signature", "unsigned")),
    State(("document", "post"), "draft", ("{it} hasn't been published.", "{it} is still a draft.", "{it} is not final yet."), ("published", "final")),
    State(("document", "post"), "published", ("{it} is out.", "{it} can be read by everyone.", "{it} has been made public."), ("draft", "private")),
    State(("door", "gate", "safe"), "locked", ("{it} cannot be opened without a key.", "{it} is locked.", "{it} is not open."), ("unlocked", "open")),
    State(("room", "table", "seat"), "occupied", ("{it} is taken.", "somebody is using {it}.", "{it} is not free."), ("free", "vacant")),
    State(("room", "table", "seat"), "free", ("{it} can be used.", "nobody is using {it}.", "{it} is available."), ("occupied", "reserved")),
    State(("payment", "transfer"), "declined", ("{it} didn't go through.", "the bank refused {it}.", "{it} was not accepted."),
          ("completed", "authorised")),
    State(("payment", "transfer"), "completed", ("{it} went through.", "{it} has been carried out."), ("declined", "pending", "failed")),
    State(("payment", "deposit"), "refunded", ("{it} was paid back.", "{it} has been returned to the customer.", "the money of {it} went back."),
          ("captured", "charged", "refund_denied")),
    State(("machine", "lift", "printer"), "broken", ("{it} is out of order.", "{it} doesn't work.", "{it} needs to be repaired."), ("working", "ok")),
    State(("machine", "lift", "printer"), "working", ("{it} is in order.", "{it} works.", "{it} has no fault."), ("broken", "faulty")),
    State(("position", "role"), "filled", ("somebody has been found for {it}.", "{it} is no longer vacant."), ("vacant", "open")),
    State(("patient",), "discharged", ("{it} has left the hospital.", "{it} has gone home."), ("admitted", "in_surgery")),
    State(("alarm",), "armed", ("{it} is switched on.", "{it} is set."), ("disarmed", "off")),
    State(("road", "bridge"), "closed", ("{it} can't be used.", "{it} is shut to traffic.", "there is no way across on {it}."), ("open",)),
    State(("road", "bridge"), "open", ("{it} can be used.", "{it} is not closed.", "traffic may pass on {it}."), ("closed", "blocked")),
    State(("loan", "book"), "returned", ("{it} has been given back.", "{it} is back.", "{it} is no longer out on loan."), ("on_loan", "overdue")),
    State(("member", "guest"), "checked_in", ("{it} has arrived.", "{it} has checked in.", "{it} is here."), ("expected", "no_show")),
)  # fmt: skip


def state(rng: random.Random) -> Fact:
    """A status in other words, against a status that excludes it."""
    one = rng.choice(_STATES)
    key = rng.choice(("status", "state", "status", "current_status"))
    styled = rng.choice((str, str.upper, lambda value: value.replace("_", " "), str))
    claim = rng.choice(one.sayings)
    return Fact(
        rng.choice(one.kinds),
        {key: styled(one.value)},
        {key: styled(rng.choice(one.others))},
        claim,
    )


_CLASSES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("ticket", "priority", ("low", "medium", "high", "urgent")),
    ("incident", "severity", ("minor", "moderate", "critical")),
    ("customer", "tier", ("bronze", "silver", "gold", "platinum")),
    ("file", "visibility", ("private", "public", "internal")),
    ("car", "colour", ("red", "blue", "black", "white", "green")),
    ("car", "fuel", ("electric", "petrol", "diesel", "hybrid")),
    ("room", "size", ("small", "medium", "large")),
    ("product", "condition", ("new", "used", "refurbished")),
    ("build", "outcome", ("green", "red", "yellow")),
    ("contract", "type", ("permanent", "temporary", "freelance")),
    ("dish", "diet", ("vegan", "vegetarian", "halal")),
    ("trail", "difficulty", ("easy", "moderate", "hard")),
    ("machine", "mode", ("manual", "automatic", "idle")),
    ("student", "result", ("passed", "failed", "absent")),
)

_DESCRIBING = frozenset({"visibility", "colour", "size", "condition", "diet", "difficulty"})
"""Fields whose value is said of the object itself: it is red, but its tier is gold."""


def which_class(rng: random.Random) -> Fact:
    """One of the values of a field, or none of it, against another one of them."""
    kind, key, values = rng.choice(_CLASSES)
    value = rng.choice(values)
    wrong = other(value, lambda: rng.choice(values))
    if (value, wrong) in (("vegetarian", "vegan"), ("vegetarian", "halal"), ("halal", "vegan"), ("vegan", "halal"),
                          ("halal", "vegetarian")):  # fmt: skip
        value, wrong = "vegan", "vegetarian"
    negated = rng.random() < 0.4 and kind != "dish"
    if negated:
        words = [
            "the {k} of {it} is not {v}.",
            "the {k} of {it} is something other than {v}.",
            "{it} doesn't have the {k} {v}.",
        ]
        if key in _DESCRIBING:
            words += ["{it} is not {v}.", "{it} isn't {v}.", "it's not true that {it} is {v}."]
        claim = rng.choice(words)
        return Fact(
            kind, {key: value}, {key: wrong}, claim.replace("{v}", wrong).replace("{k}", key)
        )
    words = ["the {k} of {it} is {v}.", "{it} is listed with {k} {v}.", "the {k} is {v} for {it}."]
    if key in _DESCRIBING:
        words += ["{it} is {v}.", "{it} is {v}.", "{it} counts as {v}."]
    claim = rng.choice(words)
    return Fact(kind, {key: value}, {key: wrong}, claim.replace("{v}", value).replace("{k}", key))


_FLAGS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "breakfast_included": ("hotel", ("breakfast is included at {it}.", "you don't pay extra for breakfast at {it}."),
                           ("breakfast is not included at {it}.", "breakfast costs extra at {it}.")),
    "pets_allowed": ("hotel", ("pets are welcome at {it}.", "you can bring your dog to {it}."),
                     ("pets are not allowed at {it}.", "you can't bring your dog to {it}.")),
    "refundable": ("ticket", ("you can get your money back for {it}.", "{it} is refundable."),
                   ("{it} can't be refunded.", "{it} is non-refundable.", "there is no money back for {it}.")),
    "verified": ("address", ("{it} has been verified.", "{it} is confirmed as correct."),
                 ("{it} has not been verified.", "nobody has verified {it}.")),
    "auto_renew": ("subscription", ("{it} renews by itself.", "{it} will be extended automatically."),
                   ("{it} does not renew automatically.", "{it} has to be renewed by hand.")),
    "wheelchair_accessible": ("museum", ("{it} is accessible by wheelchair.", "you can get into {it} with a wheelchair."),
                              ("{it} isn't accessible by wheelchair.", "{it} has no access for wheelchairs.")),
    "encrypted": ("disk", ("{it} is encrypted.", "the data on {it} is protected by encryption."),
                  ("{it} is not encrypted.", "the data on {it} lies there in the clear.")),
    "parking": ("restaurant", ("there is parking at {it}.", "you can park at {it}."), ("there is no parking at {it}.", "you can't park at {it}.")),
    "remote_work": ("job", ("{it} can be done from home.", "you don't have to be on site for {it}."),
                    ("{it} can't be done from home.", "you have to be on site for {it}.")),
    "vegan_options": ("restaurant", ("{it} has something for vegans.", "there are vegan dishes at {it}."),
                      ("{it} has nothing for vegans.", "there is no vegan dish at {it}.")),
    "two_factor_enabled": ("account", ("{it} is protected by a second factor.", "two-factor login is on for {it}."),
                           ("two-factor login is off for {it}.", "a password alone is enough to get into {it}.")),
    "requires_signature": ("parcel", ("somebody has to sign for {it}.", "{it} is only handed over against a signature."),
                           ("nobody has to sign for {it}.", "{it} is handed over without a signature.")),
    "deductible": ("expense", ("{it} can be deducted from tax.", "{it} is tax-deductible."), ("{it} can't be deducted from tax.",)),
    "waterproof": ("jacket", ("{it} keeps water out.", "{it} is waterproof."), ("{it} lets water through.", "{it} is not waterproof.")),
    "has_lift": ("building", ("there is a lift in {it}.", "you can take a lift in {it}."), ("{it} has no lift.", "in {it} there are only stairs.")),
    "archived": ("project", ("{it} has been archived.", "{it} is in the archive."), ("{it} has not been archived.", "{it} isn't in the archive.")),
    "read_only": ("folder", ("nothing can be changed in {it}.", "{it} can only be read."), ("{it} can be written to.", "changes are possible in {it}.")),
    "locked": ("file", ("{it} is locked.",), ("{it} is not locked.", "{it} is unlocked.")),
    "maintenance_mode": ("service", ("{it} is in maintenance.", "{it} is under maintenance at the moment."), ("{it} is not in maintenance.",)),
    "is_admin": ("user", ("{it} has admin rights.", "{it} is an administrator."), ("{it} has no admin rights.", "{it} is not an administrator.")),
    "newsletter": ("contact", ("{it} gets the newsletter.", "{it} is subscribed to the newsletter."),
                   ("{it} doesn't get the newsletter.", "{it} is not subscribed to the newsletter.")),
    "gluten_free": ("dish", ("{it} contains no gluten.", "{it} is gluten-free."), ("{it} contains gluten.", "{it} isn't gluten-free.")),
    "insured": ("shipment", ("{it} is insured.", "there is insurance on {it}."), ("{it} is not insured.", "there is no insurance on {it}.")),
    "express": ("delivery", ("{it} goes by express.",), ("{it} doesn't go by express.", "{it} is sent without express.")),
    "indexed": ("page", ("{it} is in the index.", "{it} has been indexed."), ("{it} is not in the index.", "{it} has not been indexed.")),
    "smoking_allowed": ("room", ("smoking is allowed in {it}.", "you may smoke in {it}."), ("smoking is not allowed in {it}.", "{it} is non-smoking.")),
    "deposit_required": ("rental", ("{it} requires a deposit.", "you have to leave a deposit for {it}."),
                         ("no deposit is needed for {it}.", "{it} comes without a deposit.")),
}  # fmt: skip


def flag(rng: random.Random) -> Fact:
    """Yes or no in other words, against the opposite."""
    key = rng.choice(sorted(_FLAGS))
    kind, yes, no = _FLAGS[key]
    value = rng.random() < 0.5
    shown = rng.choice(
        (lambda v: v, lambda v: v, lambda v: "yes" if v else "no", lambda v: "Y" if v else "N", int)
    )
    claim = rng.choice(yes if value else no)
    return Fact(kind, {key: shown(value)}, {key: shown(not value)}, claim)


_YET = (
    ("paid", "order", "been paid"), ("reviewed", "document", "been reviewed"), ("signed", "contract", "been signed"),
    ("answered", "message", "been answered"), ("synced", "calendar", "been synced"), ("backed_up", "server", "been backed up"),
    ("checked", "machine", "been checked"), ("published", "article", "been published"), ("delivered", "parcel", "been delivered"),
    ("vaccinated", "patient", "been vaccinated"), ("graded", "exam", "been graded"), ("migrated", "database", "been migrated"),
    ("refilled", "prescription", "been refilled"), ("onboarded", "customer", "been onboarded"), ("invoiced", "project", "been invoiced"),
)  # fmt: skip


def yet(rng: random.Random) -> Fact:
    """Already done or not yet, against the opposite; told by a flag, or by a date that is there or not."""
    key, kind, done = rng.choice(_YET)
    is_done = rng.random() < 0.5
    words = (f"{{it}} has already {done}.", f"{{it}} has {done}.", f"{{it}} has {done} by now.") if is_done else (
        f"{{it}} hasn't {done} yet.", f"{{it}} has not {done} so far.", f"{{it}} still has to {done.replace('been', 'be')}.",
        f"{{it}} hasn't {done}.")  # fmt: skip
    claim = rng.choice(words)
    if rng.random() < 0.4:
        on = day(rng).isoformat()
        holds: Fields = {f"{key}_at": on if is_done else None}
        fails: Fields = {f"{key}_at": None if is_done else on}
        return Fact(kind, holds, fails, claim)
    return Fact(kind, {key: is_done}, {key: not is_done}, claim)


_REASONS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("flight", "delayed", ("a strike", "bad weather", "a missing crew", "a technical fault")),
    ("parcel", "held", ("an address mismatch", "unpaid duty", "a damaged label")),
    ("payment", "blocked", ("an expired card", "a wrong security code", "suspected fraud")),
    ("application", "rejected", ("a missing signature", "too low an income", "an outdated form")),
    ("course", "cancelled", ("too few sign-ups", "illness of the teacher", "a burst pipe")),
    ("server", "down", ("a full disk", "a failed update", "a power cut", "an expired certificate")),
    ("train", "late", ("works on the line", "a broken switch", "an animal on the track")),
    ("build", "red", ("a failing test", "a missing dependency", "a syntax error")),
    ("refund", "refused", ("a missing receipt", "the end of the return period", "signs of use")),
    ("shop", "closed", ("stocktaking", "a holiday", "renovation")),
    ("road", "blocked", ("an accident", "a fallen tree", "flooding")),
)  # fmt: skip


def cause(rng: random.Random) -> Fact:
    """Why something is so, against another reason or none given."""
    kind, status, reasons = rng.choice(_REASONS)
    reason = rng.choice(reasons)
    wrong = rng.choice((other(reason, lambda: rng.choice(reasons)), None))
    claim = rng.choice(("{it} is {s} because of {c}.", "the reason why {it} is {s} is {c}.", "{it} is {s} owing to {c}.",
                        "{c} is why {it} is {s}.", "it is due to {c} that {it} is {s}.", "{c} led to {it} being {s}."))  # fmt: skip
    claim = claim.replace("{s}", status).replace("{c}", reason)
    key = rng.choice(("reason", "cause", "status_reason", "remark"))
    holds = {"status": status, key: reason}
    fails: Fields = {"status": status, key: wrong}
    if wrong is None and rng.random() < 0.5:
        fails = {"status": status}
    return Fact(kind, holds, fails, claim)


_ON_FILE = (
    ("phone", "contact", "phone number", "+44 20 7946 0{}"),
    ("email", "contact", "email address", "info{}@example.org"),
    ("tax_id", "company", "tax number", "DE8114{}"),
    ("emergency_contact", "employee", "emergency contact", "Dana Levi, ext. {}"),
    ("return_date", "loan", "return date", "2026-08-1{}"),
    ("licence_key", "device", "licence key", "QX-{}-71"),
    ("allergies", "patient", "allergy", "nuts ({})"),
    ("iban", "supplier", "bank account", "NL20INGB000{}"),
    ("promo_code", "order", "promo code", "SAVE{}"),
    ("manager", "team", "manager", "Tom Becker (#{})"),
)  # fmt: skip


def on_file(rng: random.Random) -> Fact:
    """That a field is filled or empty, against the opposite."""
    key, kind, noun, form = rng.choice(_ON_FILE)
    given = form.format(rng.randint(1, 9) if key == "return_date" else rng.randint(100, 999))
    empty = rng.choice((None, "", None))
    a = "an" if noun[0] in "aeiou" else "a"
    filled = rng.random() < 0.5
    claim = rng.choice((f"there is {a} {noun} on file for {{it}}.", f"{a} {noun} is recorded for {{it}}.", f"{{it}} has {a} {noun}.") if filled else
                       (f"no {noun} is on file for {{it}}.", f"there is no {noun} for {{it}}.", f"{{it}} has no {noun}.",
                        f"I don't see {a} {noun} for {{it}}."))  # fmt: skip
    holds, fails = (given, empty) if filled else (empty, given)
    return Fact(kind, {key: holds}, {key: fails}, claim)


_FEATURES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("hotel", "amenities", ("a pool", "a sauna", "a gym", "a garden", "a terrace", "a bar")),
    ("camera", "features", ("autofocus", "Wi-Fi", "a flash", "a touch screen", "GPS")),
    ("plan", "includes", ("support", "backups", "a domain", "analytics", "exports")),
    ("employee", "languages", ("Dutch", "Polish", "Spanish", "German", "Greek")),
    ("dish", "allergens", ("nuts", "milk", "eggs", "soy", "fish")),
    ("tour", "stops", ("the castle", "the market", "the harbour", "the cathedral", "the zoo")),
    ("laptop", "ports", ("HDMI", "USB-C", "Ethernet", "a card reader")),
    ("kit", "contents", ("a hammer", "a level", "pliers", "a saw", "a tape measure")),
)  # fmt: skip


_HAVING = {
    "employee": ("speaks", "speak"),
    "dish": ("contains", "contain"),
    "kit": ("contains", "contain"),
    "plan": ("includes", "include"),
    "tour": ("stops at", "stop at"),
}
"""How it is said that an object has what its list names; "has" and "have" where nothing else is said."""


def entries(rng: random.Random) -> Fact:
    """What is on a list and what is not, against a list that differs in one entry."""
    kind, key, pool = rng.choice(_FEATURES)
    names = rng.sample(pool, len(pool))
    size = rng.randint(2, len(pool) - 1)
    inside, outside = names[:size], names[size:]
    without, beyond = rng.choice(inside), rng.choice(outside)
    less = [name for name in inside if name != without]
    more = rng.sample([*inside, beyond], size + 1)
    has, have = _HAVING.get(kind, ("has", "have"))
    told = [
        (f"{{it}} {has} {without}.", less),
        (f"{{it}} doesn't {have} {beyond}.", more),
        (f"{{it}} {has} {without}, but not {beyond}.", rng.choice((less, more))),
        (f"{{it}} {has} {listed(inside)} and nothing else.", more),
    ]
    if less:
        pair = rng.sample([without, rng.choice(less)], 2)
        told.append((f"{{it}} {has} {listed(pair)}.", less))
        told.append((f"{{it}} {has} both {listed(pair)}.", less))
    if key != "includes":
        told.append((f"{without} is among the {key} of {{it}}.", less))
        told.append((f"{{it}} lists {counted(rng, size)} {key}.", rng.choice((less, more))))
    claim, fails = rng.choice(told)
    return Fact(kind, {key: inside}, {key: fails}, claim)


def rights(rng: random.Random) -> Fact:
    """What somebody may do and not do, against one of the rights turned."""
    names = rng.sample(("read", "edit", "delete", "share", "export"), 3)
    values = {name: rng.random() < 0.5 for name in names}
    one, two = names[0], names[1]
    values[one], values[two] = True, False
    turned = values | rng.choice(({one: False}, {two: True}, {one: False, two: True}))
    claim = rng.choice((f"{{it}} may {one} but not {two}.", f"{{it}} can {one}, yet cannot {two}.",
                        f"{{it}} isn't allowed to {two}, only to {one}." if not values[names[2]] and not turned[names[2]] else f"{{it}} may {one}, not {two}."))  # fmt: skip
    key = rng.choice(("permissions", "can", "rights"))
    return Fact(rng.choice(("user", "role", "group")), {key: values}, {key: turned}, claim)


def steps(rng: random.Random) -> Fact:
    """How far a process has come, against one step more or less."""
    kind, names = rng.choice((
        ("application", ("document check", "interview", "reference check", "offer")),
        ("repair", ("diagnosis", "ordering of parts", "fitting", "test run")),
        ("release", ("code freeze", "testing", "approval", "rollout")),
        ("move", ("packing", "transport", "unpacking")),
        ("claim", ("intake", "assessment", "decision", "payout")),
    ))  # fmt: skip
    reached = rng.randint(1, len(names) - 1)
    wrong = reached + rng.choice((-1, 1))
    done, doing = names[reached - 1], names[reached]

    def fields(count: int) -> Fields:
        return {"steps": [{"step": name, "done": n < count} for n, name in enumerate(names)]}

    claim, valid = rng.choice((
        (f"the {done} of {{it}} is done, the {doing} is not.", True),
        (f"the next step for {{it}} is the {doing}.", True),
        (f"{{it}} still lacks the {doing}.", wrong > reached),
        (f"{{it}} has the {done} behind it.", wrong < reached),
        (f"{reached} of {len(names)} steps of {{it}} are done." if reached > 1 else f"one of the {len(names)} steps of {{it}} is done.", True),
    ))  # fmt: skip
    if not valid:
        claim = f"the next step for {{it}} is the {doing}."
    return Fact(kind, fields(reached), fields(wrong), claim)


def became(rng: random.Random) -> Fact:
    """What something was and what it is now, against the two exchanged."""
    kind, key, values = rng.choice((
        *_CLASSES[:4],
        ("subscription", "plan", ("Basic", "Team", "Pro")),
        ("employee", "department", ("Sales", "Support", "Finance", "Logistics")),
        ("product", "supplier", ("Norvik", "Halden", "Astra")),
        ("task", "column", ("Backlog", "Doing", "Review", "Done")),
    ))  # fmt: skip
    old, new = rng.sample(values, 2)
    before, after = rng.choice(
        ((f"previous_{key}", key), (f"old_{key}", f"new_{key}"), (f"{key}_before", f"{key}_after"))
    )
    claim = rng.choice((f"the {key} of {{it}} went from {old} to {new}.", f"the {key} of {{it}} is now {new}.",
                        f"the {key} of {{it}} used to be {old}.", f"{{it}} was changed from {old} to {new}.",
                        f"the {key} of {{it}} is {new}, no longer {old}.", f"before, the {key} of {{it}} was {old}."))  # fmt: skip
    return Fact(kind, {before: old, after: new}, {before: new, after: old}, claim)


def up_to_date(rng: random.Random) -> Fact:
    """Whether the newest version is in use, and which one is, against the versions exchanged or equal."""
    major = rng.randint(1, 9)
    old, new = (
        f"{major}.{rng.randint(0, 4)}.{rng.randint(0, 9)}",
        f"{major}.{rng.randint(5, 9)}.{rng.randint(0, 9)}",
    )
    installed, latest = rng.choice(
        (("installed_version", "latest_version"), ("current", "newest"), ("running", "available"))
    )
    kind = rng.choice(("app", "package", "firmware", "plugin"))
    behind, level = {installed: old, latest: new}, {installed: new, latest: new}
    claim, holds, fails = rng.choice((
        ("{it} is up to date.", level, behind),
        ("there is no newer version of {it}.", level, behind),
        ("{it} is out of date.", behind, level),
        ("there is an update for {it}.", behind, level),
        (f"{{it}} runs version {old}.", behind, level),
        (f"{{it}} can be updated from {old} to {new}.", behind, {installed: new, latest: old}),
        (f"{{it}} has not been updated to {new} yet.", behind, level),
    ))  # fmt: skip
    return Fact(kind, holds, fails, claim)


def same(rng: random.Random) -> Fact:
    """That two fields say the same or not, against the opposite."""
    kind, keys, pool, equal, unequal = rng.choice((
        ("rental", ("pick_up_place", "return_place"), CITIES, ("{it} is returned where it was picked up.", "pick-up and return of {it} are in the same place."),
         ("{it} is returned in another place than it was picked up.", "pick-up and return of {it} are in different places.")),
        ("order", ("billing_name", "shipping_name"), PEOPLE, ("bill and goods of {it} go to the same person.",), ("bill and goods of {it} go to different people.",)),
        ("expense", ("submitted_by", "approved_by"), PEOPLE, ("{it} was approved by the person who submitted it.", "{it} was submitted and approved by the same person."),
         ("{it} was approved by somebody else than the person who submitted it.",)),
        ("server", ("primary_region", "backup_region"), CITIES, ("{it} keeps its backup in the same region.", "primary and backup of {it} are in one region."),
         ("{it} keeps its backup in another region.",)),
        ("meeting", ("organiser", "chair"), PEOPLE, ("whoever organises {it} also chairs it.",), ("{it} is chaired by somebody else than its organiser.",)),
    ))  # fmt: skip
    one, two = rng.sample(pool, 2)
    alike, unlike = dict.fromkeys(keys, one), dict(zip(keys, (one, two), strict=True))
    if rng.random() < 0.5:
        return Fact(kind, alike, unlike, rng.choice(equal))
    return Fact(kind, unlike, alike, rng.choice(unequal))


_NOTHING = (
    ("price_eur", "event", ("{it} is free.", "{it} costs nothing."), ("{it} is not free.", "{it} costs something.")),
    ("errors", "build", ("{it} had no errors.", "{it} went through without a single error."), ("{it} had errors.", "{it} didn't go through without errors.")),
    ("delay_minutes", "train", ("{it} has no delay.", "{it} is not late at all."), ("{it} is late.", "{it} has a delay.")),
    ("stock", "product", ("{it} is out of stock.", "there are none left of {it}."), ("{it} is in stock.", "there are still some left of {it}.")),
    ("debt_eur", "account", ("{it} has no debts.", "nothing is owed on {it}."), ("{it} has debts.", "something is still owed on {it}.")),
    ("unread", "mailbox", ("there is nothing unread in {it}.", "everything in {it} has been read."), ("there is unread mail in {it}.", "not everything in {it} has been read.")),
    ("open_invoices", "supplier", ("{it} has no open invoices.", "no invoice of {it} is open."), ("{it} has open invoices.", "not all invoices of {it} are settled.")),
)  # fmt: skip


def nothing(rng: random.Random) -> Fact:
    """None at all or some, told without the figure, against the other."""
    key, kind, none, some = rng.choice(_NOTHING)
    count = rng.randint(2, 40)
    if rng.random() < 0.5:
        return Fact(kind, {key: 0}, {key: count}, rng.choice(none))
    return Fact(kind, {key: count}, {key: 0}, rng.choice(some))
