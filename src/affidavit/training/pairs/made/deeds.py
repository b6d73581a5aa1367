"""Claims about what was done or looked up: the two runs differ in whether a call was made, for what, and how it ended."""

from __future__ import annotations

import datetime as dt
import random
import string
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from affidavit.training.pairs.made.case import Call, Case, Fields
from affidavit.training.pairs.made.records import number_of
from affidavit.training.pairs.made.saying import (
    clock,
    counted,
    day,
    day_said,
    listed,
    other,
    plural,
)
from affidavit.training.pairs.made.words import CITIES, OBJECTS, PEOPLE

_DRAWS: dict[str, Callable[[random.Random], Any]] = {
    "object": lambda rng: rng.choice(OBJECTS),
    "person": lambda rng: rng.choice(PEOPLE),
    "city": lambda rng: rng.choice(CITIES),
    "day": day,
    "time": lambda rng: dt.time(rng.randint(8, 18), rng.choice((0, 0, 15, 30, 45))),
    "value": lambda rng: rng.randint(5, 200),
    "number": number_of,
    "count": lambda rng: rng.randint(2, 9),
}


@dataclass(frozen=True, slots=True)
class Deed:
    """A tool that does something, a tool that only looks, and how the deed is told.

    ``{day}`` and the like in the arguments are drawn; in a saying they stand as a person says them.
    """

    tool: str
    looks: str
    arguments: dict[str, str]
    sayings: tuple[str, ...]


_DEEDS = (
    Deed("create_event", "find_events", {"title": "{object}", "date": "{day}", "start": "{time}"},
         ("I've scheduled {object} for {day} at {time}.", "{object} is in your calendar for {day}.", "I booked {object} on {day}.",
          "I put {object} into the calendar, at {time}.")),
    Deed("send_email", "search_emails", {"to": "{person}", "subject": "{object}"},
         ("I've sent {person} the mail about {object}.", "{person} has been written to about {object}.", "the mail about {object} has gone out to {person}.",
          "I let {person} know about {object} by mail.")),
    Deed("cancel_order", "get_order", {"order_id": "{number}"},
         ("I've cancelled {number}.", "{number} has been cancelled for you.", "the order {number} won't be shipped any more.", "your order {number} is cancelled now.")),
    Deed("add_item", "get_list", {"list": "{city}", "item": "{object}"}, ("I've added {object} to the list {city}.", "{object} is on the list {city} now.")),
    Deed("update_address", "get_customer", {"customer": "{person}", "city": "{city}"},
         ("I've changed the address of {person} to {city}.", "{person}'s address is now in {city}.", "the new address of {person}, in {city}, has been saved.")),
    Deed("assign_ticket", "get_ticket", {"ticket": "{number}", "assignee": "{person}"},
         ("I've given {number} to {person}.", "{person} has {number} now.", "{number} is assigned to {person} now.")),
    Deed("restart_service", "get_service", {"service": "{object}"}, ("I restarted {object}.", "{object} has been restarted.", "I've started {object} anew.")),
    Deed("refund", "get_payment", {"order": "{number}", "amount_eur": "{value}"},
         ("I've refunded {value} euros for {number}.", "you get {value} euros back for {number}.", "{value} euros have been returned for {number}.")),
    Deed("delete_file", "list_files", {"file": "{object}.txt"}, ("I've deleted {object}.txt.", "{object}.txt is gone.", "{object}.txt has been removed.")),
    Deed("book_table", "find_tables", {"restaurant": "{object}", "date": "{day}", "time": "{time}", "people": "{count}"},
         ("I've booked a table for {count} at {object}.", "you have a table at {object} on {day}.", "a table at {object} is reserved for {time}.",
          "the table for {count} at {object} on {day} at {time} is booked.")),
    Deed("transfer_money", "get_balance", {"recipient": "{person}", "amount_eur": "{value}"},
         ("I've sent {value} euros to {person}.", "{person} has been paid {value} euros.", "{value} euros went to {person}.")),
    Deed("invite_user", "find_user", {"user": "{person}", "workspace": "{object}"},
         ("I've invited {person} to {object}.", "{person} has an invitation to {object}.")),
    Deed("set_reminder", "list_reminders", {"text": "{object}", "date": "{day}"},
         ("I'll remind you of {object} on {day}.", "a reminder of {object} is set for {day}.", "I've set a reminder of {object} for {day}.")),
    Deed("move_appointment", "get_appointment", {"appointment": "{number}", "date": "{day}"},
         ("I've moved {number} to {day}.", "{number} is on {day} now.", "the appointment {number} has been moved to {day}.")),
    Deed("deploy", "get_release", {"service": "{object}", "environment": "{city}"},
         ("I've deployed {object} to {city}.", "{object} is live on {city} now.", "the deployment of {object} to {city} is done.")),
    Deed("rename_folder", "get_folder", {"folder": "{city}", "new_name": "{object}"},
         ("I've renamed the folder {city} to {object}.", "the folder {city} is called {object} now.")),
    Deed("close_ticket", "get_ticket", {"ticket": "{number}"}, ("I closed {number}.", "{number} has been closed.", "{number} is closed now.")),
    Deed("order_product", "get_product", {"product": "{object}", "quantity": "{count}"},
         ("I've ordered {count} of {object}.", "{object} has been ordered for you.", "an order for {count} of {object} has been placed.")),
    Deed("grant_access", "get_access", {"user": "{person}", "resource": "{object}"},
         ("I've given {person} access to {object}.", "{person} can get into {object} now.")),
    Deed("set_temperature", "read_thermostat", {"room": "{object}", "celsius": "{count}"},
         ("I've set {object} to {count} degrees.", "the thermostat in {object} is set to {count} degrees now.")),
)  # fmt: skip

_ERRORS = ("timeout", "not found", "permission denied", "no slot free", "already closed", "service unavailable", "limit reached",
           "invalid argument", "insufficient funds", "conflict with another change")  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Told:
    """A deed with its values drawn, its call that went well, and a saying."""

    deed: Deed
    values: Fields
    done: Call
    claim: str
    said: tuple[str, ...]
    """The values that the claim names."""


def _drawn(rng: random.Random) -> _Told:
    deed = rng.choice(_DEEDS)
    names = _placeholders("".join(deed.arguments.values()))
    values = {name: _DRAWS[name](rng) for name in names}
    saying = rng.choice(deed.sayings)
    words = {name: _as_said(rng, value) for name, value in values.items()}
    done = Call(deed.tool, _arguments(deed, values), _done(rng))
    return _Told(deed, values, done, saying.format(**words), _placeholders(saying))


def _placeholders(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for _, name, _, _ in string.Formatter().parse(text) if name))


def _as_said(rng: random.Random, value: Any) -> str:
    if isinstance(value, dt.date):
        return day_said(rng, value)
    if isinstance(value, dt.time):
        return clock(rng, value)
    return counted(rng, value) if isinstance(value, int) else str(value)


def _arguments(deed: Deed, values: Fields) -> Fields:
    def filled(form: str) -> Any:
        alone = form[1:-1]
        if alone in values and isinstance(values[alone], int):
            return values[alone]
        shown = {
            name: f"{v:%H:%M}" if isinstance(v, dt.time) else str(v) for name, v in values.items()
        }
        return form.format(**shown)

    return {key: filled(form) for key, form in deed.arguments.items()}


def _done(rng: random.Random) -> Any:
    return rng.choice(({"ok": True}, {"status": "done"}, "done", {"success": True, "id": f"x{rng.randint(10, 999)}"}, {"result": "success"},
                       {"status": "completed"}, "OK"))  # fmt: skip


def _refused(rng: random.Random, call: Call, error: str) -> Call:
    result, failed = rng.choice((
        (f"error: {error}", True), ({"error": error}, True), ({"ok": False, "message": error}, True),
        ({"ok": False, "error": error}, False), ({"success": False, "reason": error}, False),
    ))  # fmt: skip
    return Call(call.tool, call.arguments, result, failed)


def _looked(rng: random.Random, told: _Told) -> Call:
    first = next(iter(told.done.arguments.items()))
    return Call(
        told.deed.looks,
        dict([first]),
        {"found": True, first[0]: first[1], "status": rng.choice(("ok", "ready", "active"))},
    )


def _elsewhere(rng: random.Random, told: _Told) -> Call:
    """The same deed, with another value for one of those that the claim names."""
    name = rng.choice(told.said)
    values = told.values | {name: other(told.values[name], lambda: _DRAWS[name](rng))}
    return Call(told.deed.tool, _arguments(told.deed, values), told.done.result)


def _deed_case(told: _Told, holds: list[Call], fails: list[Call]) -> Case:
    about = tuple(str(told.values[name]) for name in told.said if name in ("object", "number"))
    return Case(
        tuple(holds), tuple(fails), told.claim, about[:1], keys=frozenset(told.done.arguments)
    )


def done(rng: random.Random) -> Case:
    """Done, against refused or only looked at."""
    told = _drawn(rng)
    look = _looked(rng, told)
    bad = _refused(rng, told.done, rng.choice(_ERRORS))
    holds = rng.choice(([told.done], [told.done], [look, told.done], [bad, told.done]))
    fails = rng.choice(([bad], [look], [look, bad], [bad, bad]))
    return _deed_case(told, holds, fails)


def done_to_another(rng: random.Random) -> Case:
    """Done for what the claim names, against the same done for something else, or with another value."""
    told = _drawn(rng)
    wrong = _elsewhere(rng, told)
    holds = rng.choice(([told.done], [told.done, wrong], [wrong, told.done]))
    return replace(_deed_case(told, holds, [wrong]), about=())


def only_queued(rng: random.Random) -> Case:
    """Done, against waiting for somebody or tried without effect."""
    told = _drawn(rng)
    result = rng.choice(({"status": "pending_approval"}, {"dry_run": True, "changes_applied": 0}, {"status": "awaiting_confirmation", "executed": False},
                         {"ok": True, "simulated": True, "applied": False}, {"status": "draft", "submitted": False}))  # fmt: skip
    return _deed_case(told, [told.done], [Call(told.deed.tool, told.done.arguments, result)])


_NOT_DONE = (
    "I couldn't do that: {e}.",
    "that didn't work: {e}.",
    "it was not possible, because of this error: {e}.",
    "I wasn't able to do it ({e}).",
    'the attempt failed with "{e}".',
    "it was refused: {e}.",
    'nothing was changed, as the system answered "{e}".',
)


def not_done(rng: random.Random) -> Case:
    """Refused with an error, against done, or refused for another reason."""
    told = _drawn(rng)
    error = rng.choice(_ERRORS)
    claim = rng.choice(_NOT_DONE).format(e=error)
    bad = _refused(rng, told.done, error)
    worse = _refused(rng, told.done, other(error, lambda: rng.choice(_ERRORS)))
    fails = rng.choice((told.done, told.done, worse))
    return Case((bad,), (fails,), claim, keys=frozenset(told.done.arguments))


def did_not(rng: random.Random) -> Case:
    """That something named could not be done, against done."""
    told = _drawn(rng)
    error = rng.choice(_ERRORS)
    name = next((str(told.values[n]) for n in told.said if n in ("number", "object")), None)
    if name is None:
        return did_not(rng)
    verb = told.deed.tool.replace("_", " ")
    claim = rng.choice((f"the attempt to {verb} failed for {name}.", f"\"{verb}\" did not go through for {name}.",
                        f"I tried to {verb} for {name}, but got an error.", f"for {name}, {verb} was refused."))  # fmt: skip
    bad = _refused(rng, told.done, error)
    return Case((bad,), (told.done,), claim, (name,), keys=frozenset(told.done.arguments))


def several(rng: random.Random) -> Case:
    """The same done for each of several, against one refused or left out."""
    tool, key, verb, both = rng.choice((
        ("send_email", "to", "I've written to {x}.", "I've written to {x}, but not to {y}."),
        ("invite_user", "user", "I've invited {x}.", "I've invited {x}; {y} couldn't be invited."),
        ("send_reminder", "recipient", "{x} have been reminded.", "{x} have been reminded, {y} has not."),
        ("grant_access", "user", "{x} have access now.", "{x} have access now, {y} doesn't."),
    ))  # fmt: skip
    names = rng.sample(PEOPLE, 3)
    answer = _done(rng)
    calls = [Call(tool, {key: name}, answer) for name in names]
    at = rng.randrange(3)
    refused = [
        _refused(rng, call, rng.choice(_ERRORS)) if n == at else call
        for n, call in enumerate(calls)
    ]
    left_out = [call for n, call in enumerate(calls) if n != at]
    if rng.random() < 0.35:
        rest = [name for n, name in enumerate(names) if n != at]
        return Case(
            tuple(refused),
            tuple(calls),
            both.format(x=listed(rest), y=names[at]),
            keys=frozenset((key,)),
        )
    claim = verb.format(x=listed(names))
    if rng.random() < 0.3:
        claim = rng.choice(
            ("all three went through.", "it worked for all three.", "none of the three failed.")
        )
        return Case(tuple(calls), tuple(refused), claim, keys=frozenset((key,)))
    return Case(tuple(calls), tuple(rng.choice((refused, left_out))), claim, keys=frozenset((key,)))


_FOUND = (
    "documents",
    "orders",
    "flights",
    "rooms",
    "tickets",
    "emails",
    "contacts",
    "invoices",
    "matches",
    "events",
)


def _search(rng: random.Random, kind: str, query: str, size: int) -> Call:
    found = [{"id": number_of(rng), "name": query, "score": rng.randint(1, 9)} for _ in range(size)]
    return Call(f"search_{kind}", {"query": query}, found)


def absent(rng: random.Random) -> Case:
    """Nothing found, against something found, or against an empty search for something else."""
    kind = rng.choice(_FOUND)
    name, elsewhere = rng.sample(OBJECTS, 2)
    claim = rng.choice(("I found no {k} for {n}.", "there are no {k} for {n}.", "nothing came up for {n}.", "no {k} match {n}.",
                        "the search for {n} came back empty.", "{n} has no {k}."))  # fmt: skip
    claim = claim.format(k=kind, n=name)
    empty: Any = rng.choice(([], {"results": []}, {"results": [], "total": 0}, {kind: []}))
    holds = Call(f"search_{kind}", {"query": name}, empty)
    found = _search(rng, kind, name, rng.randint(1, 3))
    if isinstance(empty, dict):
        found = Call(found.tool, found.arguments, {next(iter(empty)): found.result})
    fails = found if rng.random() < 0.75 else Call(holds.tool, {"query": elsewhere}, empty)
    return Case((holds,), (fails,), claim, (name,), keys=frozenset(("query",)))


def found_count(rng: random.Random) -> Case:
    """So many found, against another number, or none."""
    kind = rng.choice(_FOUND)
    noun = {"matches": "match"}.get(kind, kind.removesuffix("s"))
    name = rng.choice(OBJECTS)
    size = rng.randint(1, 5)
    wrong = other(size, lambda: rng.choice((0, size + 1, size - 1, size + 2)))
    wrong = max(wrong, 0)
    said = f"{counted(rng, size)} {noun if size == 1 else kind}"
    claim = rng.choice(
        (
            "I found {s} for {n}.",
            "there {are} {s} for {n}.",
            "the search for {n} gave {s}.",
            "{s} match{es} {n}.",
        )
    )
    claim = claim.format(
        s=said, n=name, are="is" if size == 1 else "are", es="es" if size == 1 else ""
    )
    holds = _search(rng, kind, name, max(size, wrong))
    under = rng.choice((None, "results", kind))

    def shape(count: int) -> Call:
        rows = holds.result[:count]
        return Call(holds.tool, holds.arguments, rows if under is None else {under: rows})

    return Case((shape(size),), (shape(wrong),), claim, (name,), keys=frozenset(("query",)))


def looked_at(rng: random.Random) -> Case:
    """That something was looked up, against the same looked up for another object, or a lookup that failed."""
    kind = rng.choice(
        ("order", "calendar", "invoice", "log", "contract", "forecast", "stock level", "profile")
    )
    name, elsewhere = rng.sample(OBJECTS, 2)
    tool = f"{rng.choice(('get', 'check', 'read'))}_{kind.replace(' ', '_')}"
    claim = rng.choice(
        (
            "I checked the {k} of {n}.",
            "I've looked at the {k} of {n}.",
            "I looked up the {k} of {n}.",
            "I went through the {k} of {n}.",
        )
    )
    claim = claim.format(k=kind, n=name)
    result = {
        "version": rng.randint(1, 9),
        "entries": rng.randint(1, 40),
        "updated": day(rng).isoformat(),
    }
    holds = Call(tool, {"name": name}, {"name": name} | result)
    wrong = Call(tool, {"name": elsewhere}, {"name": elsewhere} | result)
    fails = rng.choice((wrong, _refused(rng, holds, rng.choice(_ERRORS))))
    return Case((holds,), (fails,), claim, (name,), keys=frozenset(result))


def retried(rng: random.Random) -> Case:
    """At the first or at the second attempt, against the other."""
    told = _drawn(rng)
    bad = _refused(rng, told.done, rng.choice(_ERRORS))
    once, twice = [told.done], [bad, told.done]
    claim, is_second = rng.choice((
        ("it worked at the second attempt.", True), ("the first attempt failed, the second went through.", True), ("it needed two attempts.", True),
        ("after one failure it went through.", True), ("it worked at the first attempt.", False), ("it went through right away.", False),
    ))  # fmt: skip
    holds, fails = (
        (twice, rng.choice((once, [bad, bad]))) if is_second else (once, rng.choice((twice, [bad])))
    )
    if "needed two" in claim:
        fails = once
    return Case(tuple(holds), tuple(fails), claim, keys=frozenset(told.done.arguments))


def counted_deeds(rng: random.Random) -> Case:
    """How many went through, against one more or fewer."""
    tool, key, verb = rng.choice((
        ("send_email", "to", "{n} sent"), ("create_task", "title", "{n} created"), ("delete_file", "file", "{n} deleted"),
        ("upload_photo", "photo", "{n} uploaded"), ("import_record", "record", "{n} imported"),
    ))  # fmt: skip
    noun = tool.split("_")[1]
    size = rng.randint(2, 5)
    names = rng.sample(OBJECTS, size + 1)
    answer = _done(rng)
    calls = [Call(tool, {key: name}, answer) for name in names]
    failed = _refused(rng, calls[-1], rng.choice(_ERRORS))
    holds = rng.choice((calls[:size], [*calls[:size], failed]))
    fails = rng.choice((calls, calls[: size - 1], [*calls[: size - 1], failed]))
    have = "have been"
    said = f"{counted(rng, size)} {plural(size, noun)} {have}"
    return Case(tuple(holds), tuple(fails), f"{verb.format(n=said)}.", keys=frozenset((key,)))


def batch(rng: random.Random) -> Case:
    """How much of a batch went through, against another share of it."""
    tool, what, done, undone = rng.choice((
        ("import_contacts", "contacts", "imported", "failed"), ("send_newsletter", "mails", "sent", "bounced"), ("migrate_files", "files", "moved", "skipped"),
        ("update_prices", "prices", "updated", "rejected"), ("sync_calendars", "calendars", "synced", "failed"), ("charge_cards", "cards", "charged", "declined"),
    ))  # fmt: skip
    bad = rng.randint(1, 9)
    good = rng.randint(bad + 2, 90)
    whole = good + bad
    claim, right, wrong = rng.choice((
        (f"{good} {what} were {done}.", (good, bad), (bad, good)),
        (f"{counted(rng, bad)} {what if bad > 1 else what[:-1]} {'were' if bad > 1 else 'was'} not {done}.", (good, bad), rng.choice(((whole, 0), (good - 1, bad + 1)))),
        (f"all {whole} {what} were {done}.", (whole, 0), (good, bad)),
        (f"not all {what} were {done}.", (good, bad), (whole, 0)),
        (f"{good} of {whole} {what} were {done}.", (good, bad), rng.choice(((bad, good), (good - 1, bad + 1), (whole, 0)))),
        (f"none of the {what} {'was' if undone == 'failed' else 'were'} {undone}.".replace("was failed", "failed"), (whole, 0), (good, bad)),
        (f"most of the {what} were {done}.", (good, bad), (bad, good)),
    ))  # fmt: skip

    def call(counts: tuple[int, int]) -> Call:
        return Call(tool, {"count": whole}, {done: counts[0], undone: counts[1]})

    return Case((call(right),), (call(wrong),), claim, keys=frozenset((done, undone)))


def after_change(rng: random.Random) -> Case:
    """What something was and what it was set to, against a change refused, or to something else."""
    what, unit = rng.choice(
        (
            ("price", "€{}"),
            ("limit", "{}"),
            ("temperature", "{}°C"),
            ("quantity", "{}"),
            ("salary", "€{}"),
            ("volume", "{}%"),
            ("timeout", "{} seconds"),
        )
    )
    name = rng.choice(OBJECTS)
    old, new, third = rng.sample(range(5, 95), 3)
    verb = "raised" if new > old else "lowered"
    claim, rests_on_old = rng.choice((
        (f"I {verb} the {what} of {name} from {unit.format(old)} to {unit.format(new)}.", True),
        (f"the {what} of {name} was {unit.format(old)} and is {unit.format(new)} now.", True),
        (f"the {what} of {name} is {unit.format(new)} now.", False),
        (f"I've set the {what} of {name} to {unit.format(new)}.", False),
        (f"the {what} of {name} has been {verb} by {abs(new - old)}.", True),
    ))  # fmt: skip
    answer = _done(rng)

    def calls(before: int, after: int, *, refused: bool = False) -> tuple[Call, ...]:
        set_it = Call(f"set_{what}", {"name": name, what: after}, answer)
        if refused:
            set_it = _refused(rng, set_it, rng.choice(_ERRORS))
        return (Call(f"get_{what}", {"name": name}, {"name": name, what: before}), set_it)

    wrong = [calls(old, new, refused=True), calls(old, third)]
    if rests_on_old:
        wrong += [calls(third, new), calls(new, old)]
    return Case(calls(old, new), rng.choice(wrong), claim, (name,), keys=frozenset((what,)))
