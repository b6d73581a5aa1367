"""Facts about days, hours and spans: the two records differ in a date, in the order of two, or on the other side of today."""

from __future__ import annotations

import datetime as dt
import random

from affidavit.training.pairs.made.case import Fact, Fields
from affidavit.training.pairs.made.saying import clock, counted, day, day_said, other, plural

_STEPS = (-14, -7, -5, -3, -2, -1, 1, 2, 3, 5, 7, 14)


def _span(days: int) -> str:
    return f"{days} {plural(days, 'day')}"


def _moment(rng: random.Random) -> dt.datetime:
    return dt.datetime.combine(
        day(rng), dt.time(rng.randint(7, 19), rng.choice((0, 15, 30, 45, 10, 20, 50)))
    )


def ending(rng: random.Random) -> Fact:
    """When something ends, from its start and its length; the other record has another length."""
    start = _moment(rng)
    lengths = (20, 30, 40, 45, 50, 60, 75, 90, 105, 120, 150, 180)
    length = rng.choice(lengths)
    wrong = other(length, lambda: rng.choice(lengths))
    until = (start + dt.timedelta(minutes=length)).time()
    claim = rng.choice(("{it} ends at {t}.", "{it} runs until {t}.", "you'll be done by {t}.", "{it} is over at {t}.",
                        "{it} finishes at {t}.", "expect {it} to end at {t}."))  # fmt: skip
    key = rng.choice(("duration_minutes", "duration_min", "length_min"))
    begins = rng.choice(("start", "starts_at", "begin"))
    shown = start.isoformat(timespec="minutes")
    kind = rng.choice(("event", "meeting", "lesson", "appointment"))
    return Fact(
        kind,
        {begins: shown, key: length},
        {begins: shown, key: wrong},
        claim.replace("{t}", clock(rng, until)),
    )


def length(rng: random.Random) -> Fact:
    """How long something lasts, from its start and its end; the other record has another end."""
    start = _moment(rng)
    minutes = rng.choice((30, 45, 60, 75, 90, 120, 150, 180, 240))
    wrong = other(minutes, lambda: rng.choice((30, 45, 60, 90, 105, 120, 150, 210, 300)))
    said = {60: "an hour", 90: "an hour and a half", 120: "two hours", 30: "half an hour", 180: "three hours",
            150: "two and a half hours", 240: "four hours"}.get(minutes, f"{minutes} minutes")  # fmt: skip
    said = said if rng.random() < 0.6 else f"{minutes} minutes"
    claim = rng.choice(
        ("{it} lasts {s}.", "{it} takes {s}.", "{it} is {s} long.", "plan {s} for {it}.")
    )
    begin, end = rng.choice(
        (("start", "end"), ("starts_at", "ends_at"), ("from", "to"), ("departure", "arrival"))
    )

    def fields(size: int) -> Fields:
        return {
            begin: f"{start:%Y-%m-%dT%H:%M}",
            end: f"{start + dt.timedelta(minutes=size):%Y-%m-%dT%H:%M}",
        }

    kind = "trip" if begin == "departure" else rng.choice(("event", "meeting", "shift"))
    return Fact(kind, fields(minutes), fields(wrong), claim.replace("{s}", said))


_DATES = {
    "due_date": ("invoice", ("{it} is due on {d}.", "{it} has to be paid by {d}.", "payment of {it} is due {d}.")),
    "eta": ("shipment", ("{it} should arrive on {d}.", "expect {it} on {d}.", "{it} is expected on {d}.")),
    "delivery_date": ("order", ("{it} will be delivered on {d}.", "delivery of {it} is set for {d}.")),
    "expires": ("voucher", ("{it} is valid until {d}.", "{it} runs out on {d}.", "{it} expires on {d}.")),
    "departure": ("tour", ("{it} leaves on {d}.", "{it} sets off on {d}.", "departure of {it} is on {d}.")),
    "deadline": ("task", ("you have until {d} for {it}.", "{its} deadline is {d}.", "{it} must be done by {d}.")),
    "appointment": ("patient", ("the appointment of {it} is on {d}.", "{it} is booked in for {d}.")),
    "released": ("package", ("{it} came out on {d}.", "{it} was released on {d}.")),
    "signed_on": ("contract", ("{it} was signed on {d}.", "the signature under {it} dates from {d}.")),
    "next_inspection": ("machine", ("{it} is to be inspected next on {d}.", "the next inspection of {it} is on {d}.")),
    "renews_on": ("subscription", ("{it} renews on {d}.", "{it} will be renewed on {d}.")),
    "last_login": ("account", ("{it} was last used on {d}.", "the last login to {it} was on {d}.")),
    "birthday": ("contact", ("{its} birthday is on {d}.",)),
    "moved_in": ("tenant", ("{it} moved in on {d}.",)),
}  # fmt: skip


def date(rng: random.Random) -> Fact:
    """The day of something, against a day near it."""
    key = rng.choice(sorted(_DATES))
    kind, claims = _DATES[key]
    when = day(rng)
    step = rng.choice(_STEPS)
    wrong = when + dt.timedelta(days=step)
    said = (
        f"{when:%A}"
        if rng.random() < 0.15 and step % 7 and key != "birthday"
        else day_said(rng, when)
    )
    if rng.random() < 0.2 and when.day <= 12 and when.day != when.month:
        # The day and the month exchanged, as where 3/4 is read as the third of April.
        wrong = dt.date(when.year, when.day, when.month)
    claim = rng.choice(claims).replace("{d}", said)
    return Fact(kind, {key: when.isoformat()}, {key: wrong.isoformat()}, claim)


def relative(rng: random.Random) -> Fact:
    """So many days from today, against another day."""
    today = day(rng)
    days = rng.randint(1, 14)
    past = rng.random() < 0.35
    when = today + dt.timedelta(days=-days if past else days)
    wrong = other(when, lambda: when + dt.timedelta(days=rng.choice((-4, -3, -2, 2, 3, 4, 7))))
    if rng.random() < 0.15:
        wrong = today + dt.timedelta(days=days if past else -days)
    said = f"{counted(rng, days)} {plural(days, 'day')}"
    words: tuple[str, ...]
    if past:
        words = (
            "{it} was due {x} ago.",
            "{it} has been overdue for {x}.",
            "{its} due date was {x} ago.",
        )
        if days == 1:
            words += ("{it} was due yesterday.",)
    else:
        words = (
            "{it} is due in {x}.",
            "there are {x} left for {it}.",
            "{it} is due {x} from now.",
            "you have {x} left for {it}.",
        )
        if days == 1:
            words += ("{it} is due tomorrow.",)
        if days == 7:
            words += ("{it} is due a week from today.",)
    key = rng.choice(("due", "due_date", "due_on"))
    claim = rng.choice(words).replace("{x}", said)
    return Fact(
        rng.choice(("task", "invoice", "assignment")),
        {key: when.isoformat()},
        {key: wrong.isoformat()},
        claim,
        today,
    )


_PASSED = (
    ("deadline", "task", ("{its} deadline has passed.", "{it} is past its deadline.", "it is too late for {it}."),
     ("{its} deadline hasn't passed yet.", "there is still time for {it}.", "{its} deadline is still ahead.")),
    ("valid_until", "voucher", ("{it} has expired.", "{it} is no longer valid.", "{it} has run out."),
     ("{it} is still valid.", "{it} has not expired.", "{it} can still be used.")),
    ("starts_on", "course", ("{it} has already started.", "{it} is under way already."),
     ("{it} hasn't started yet.", "{it} is yet to begin.", "{it} still lies ahead.")),
    ("warranty_until", "machine", ("{it} is out of warranty.", "the warranty of {it} has ended."),
     ("{it} is still under warranty.", "the warranty of {it} has not ended yet.")),
    ("registration_closes", "event", ("registration for {it} is closed.", "you can no longer register for {it}."),
     ("registration for {it} is still open.", "you can still register for {it}.")),
    ("refundable_until", "booking", ("{it} can no longer be refunded.", "it is too late to get a refund for {it}."),
     ("{it} can still be refunded.", "there is still time to get a refund for {it}.")),
)  # fmt: skip


def passed(rng: random.Random) -> Fact:
    """Before or after today, against the other side of it."""
    today = day(rng)
    key, kind, over, ahead = rng.choice(_PASSED)
    gone = rng.random() < 0.5
    before = today - dt.timedelta(days=rng.randint(2, 60))
    after = today + dt.timedelta(days=rng.randint(2, 60))
    holds, fails = (before, after) if gone else (after, before)
    claim = rng.choice(over if gone else ahead)
    return Fact(kind, {key: holds.isoformat()}, {key: fails.isoformat()}, claim, today)


def hour(rng: random.Random) -> Fact:
    """The time of day, against a time near it or twelve hours away."""
    at = dt.datetime.combine(
        day(rng),
        dt.time(rng.choice((*range(6, 12), *range(13, 22))), rng.choice((0, 15, 30, 45, 5, 40))),
    )
    step = rng.choice((-120, -60, -30, 30, 60, 90, 720, -720))
    wrong = at + dt.timedelta(minutes=step)
    if abs(step) == 720:
        wrong = at.replace(hour=(at.hour + 12) % 24)
    key, kind, claims = rng.choice((
        ("start", "meeting", ("{it} starts at {t}.", "{it} is at {t}.", "{it} begins at {t}.")),
        ("departure", "train", ("{it} leaves at {t}.", "{it} departs at {t}.")),
        ("check_in_from", "hotel", ("you can check in at {it} from {t}.", "check-in at {it} starts at {t}.")),
        ("pickup", "order", ("{it} can be picked up at {t}.", "pickup of {it} is at {t}.")),
        ("backup_at", "server", ("{it} was backed up at {t}.", "the backup of {it} ran at {t}.")),
        ("kick_off", "match", ("{it} kicks off at {t}.",)),
    ))  # fmt: skip
    form = "%H:%M" if rng.random() < 0.4 else "%Y-%m-%dT%H:%M"
    claim = rng.choice(claims).replace("{t}", clock(rng, at.time()))
    return Fact(kind, {key: at.strftime(form)}, {key: wrong.strftime(form)}, claim)


def zone(rng: random.Random) -> Fact:
    """A time told in UTC, against the same clock at another offset."""
    at = dt.datetime.combine(day(rng), dt.time(rng.randint(9, 19), rng.choice((0, 30))))
    offset = rng.choice((1, 2, 3, -3, -4, -5, 5))
    wrong = other(offset, lambda: rng.choice((1, 2, 3, -3, -4, -5, 4)))
    said = clock(rng, (at - dt.timedelta(hours=offset)).time())
    claim = rng.choice(
        ("{it} starts at {t} UTC.", "in UTC, {it} is at {t}.", "{it} is at {t} UTC.")
    )

    def shown(hours: int) -> str:
        return f"{at:%Y-%m-%dT%H:%M}:00{'+' if hours >= 0 else '-'}{abs(hours):02d}:00"

    key = rng.choice(("start", "starts_at", "scheduled_for"))
    return Fact(
        rng.choice(("call", "launch", "webinar")),
        {key: shown(offset)},
        {key: shown(wrong)},
        claim.replace("{t}", said),
    )


_ORDERED = (
    ("request", "submitted", "approved", "it was submitted", "it was approved", "the submission", "the approval"),
    ("order", "ordered_on", "paid_on", "it was ordered", "it was paid", "the ordering", "the payment"),
    ("ticket", "opened", "resolved", "it was opened", "it was resolved", "the opening", "the resolution"),
    ("build", "queued", "finished", "it was queued", "it was finished", "the queueing", "the end"),
    ("case", "reported", "closed", "it was reported", "it was closed", "the report", "the closing"),
    ("parcel", "shipped", "delivered", "it was shipped", "it was delivered", "the shipping", "the delivery"),
    ("document", "drafted", "signed", "it was drafted", "it was signed", "the draft", "the signature"),
)  # fmt: skip


def apart(rng: random.Random) -> Fact:
    """So many days between two dates, against another distance."""
    kind, first, second, began, ended, start, end = rng.choice(_ORDERED)
    one = day(rng)
    days = rng.randint(1, 20)
    wrong = other(days, lambda: days + rng.choice((2, 3, 5, 7, 10)))
    said = f"{counted(rng, days)} {plural(days, 'day')}"
    claim = rng.choice((f"{ended} {said} after {began}.", f"from {start} to {end} of {{it}} took {said}.",
                        f"there were {said} between {start} and {end} of {{it}}.", f"{end} of {{it}} came {said} after {start}."))  # fmt: skip
    if claim.startswith("from"):
        claim = f"from {start} of {{it}} to {end} it took {said}."

    def fields(gap: int) -> Fields:
        return {first: one.isoformat(), second: (one + dt.timedelta(days=gap)).isoformat()}

    return Fact(kind, fields(days), fields(wrong), claim)


def before_after(rng: random.Random) -> Fact:
    """Which of two came first, against the two exchanged."""
    kind, (first, second), (one, two) = rng.choice((
        ("project", ("design_review", "security_review"), ("the design review", "the security review")),
        ("employee", ("training_on", "contract_signed_on"), ("the training", "the signing of the contract")),
        ("order", ("paid_on", "shipped_on"), ("payment", "shipping")),
        ("release", ("tests_finished", "deployed"), ("the end of the tests", "the deployment")),
        ("patient", ("x_ray", "blood_test"), ("the X-ray", "the blood test")),
        ("house", ("roof_renewed", "heating_renewed"), ("the new roof", "the new heating")),
        ("account", ("password_changed", "last_login"), ("the change of password", "the last login")),
    ))  # fmt: skip
    early = day(rng)
    late = early + dt.timedelta(days=rng.randint(1, 40))
    claim = rng.choice((f"at {{it}}, {one} came before {two}.", f"{two} came after {one} for {{it}}.",
                        f"with {{it}}, {one} was earlier than {two}.", f"{one} came first for {{it}}, then {two}."))  # fmt: skip
    return Fact(
        kind,
        {first: early.isoformat(), second: late.isoformat()},
        {first: late.isoformat(), second: early.isoformat()},
        claim,
    )


_PAIRED = (
    ("booking", ("check_in", "check_out"), ("check-in for {it} is on {d}.", "check-out for {it} is on {d}.")),
    ("order", ("ordered_on", "delivered_on"), ("{it} was ordered on {d}.", "{it} was delivered on {d}.")),
    ("trip", ("outbound", "return"), ("the outbound journey of {it} is on {d}.", "the return of {it} is on {d}.")),
    ("course", ("first_day", "last_day"), ("{it} begins on {d}.", "{it} ends on {d}.")),
    ("contract", ("starts", "ends"), ("{it} starts on {d}.", "{it} ends on {d}.")),
    ("rental", ("pick_up", "drop_off"), ("you pick {it} up on {d}.", "you bring {it} back on {d}.")),
    ("leave", ("from", "until"), ("{it} starts on {d}.", "the last day of {it} is {d}.")),
)  # fmt: skip


def which_date(rng: random.Random) -> Fact:
    """A date of one kind, against the same date of the kind beside it."""
    kind, keys, claims = rng.choice(_PAIRED)
    first = day(rng)
    last = first + dt.timedelta(days=rng.randint(2, 20))
    shift = last - first
    side = rng.randrange(2)
    holds = {keys[0]: first.isoformat(), keys[1]: last.isoformat()}
    # The same day in the place of the other, with another day beside it so that the order of the two stays.
    fails = (
        {keys[0]: (first - shift).isoformat(), keys[1]: first.isoformat()}
        if side == 0
        else {keys[0]: last.isoformat(), keys[1]: (last + shift).isoformat()}
    )
    return Fact(kind, holds, fails, claims[side].replace("{d}", day_said(rng, (first, last)[side])))


def nights(rng: random.Random) -> Fact:
    """So many nights or days of a stay, against another end."""
    first = day(rng)
    number = rng.randint(1, 12)
    wrong = other(number, lambda: max(1, number + rng.choice((-2, -1, 1, 2, 3))))
    said = f"{counted(rng, number)} {plural(number, 'night')}"
    claim = rng.choice(("you stay {n} at {it}.", "{it} is for {n}.", "{it} covers {n}.")).replace(
        "{n}", said
    )

    def fields(size: int) -> Fields:
        return {
            "check_in": first.isoformat(),
            "check_out": (first + dt.timedelta(days=size)).isoformat(),
        }

    return Fact("booking", fields(number), fields(wrong), claim)


def opening_hours(rng: random.Random) -> Fact:
    """The hours of one day of the week, against those of another; closed against open."""
    opens = rng.randint(7, 10)
    week, saturday = (
        f"{opens:02d}:00-{rng.randint(17, 20)}:00",
        f"{opens + 1:02d}:00-{rng.randint(12, 15)}:00",
    )
    closed = rng.choice(("closed", None, "closed"))
    holds: Fields = {"hours": {"mon_fri": week, "sat": saturday, "sun": closed}}
    swapped: Fields = {"hours": {"mon_fri": saturday, "sat": week, "sun": closed}}
    sunday: Fields = {"hours": {"mon_fri": week, "sat": closed, "sun": saturday}}

    def until(hours: str) -> str:
        return clock(rng, dt.time(int(hours[6:8])))

    claim, fails = rng.choice((
        (f"on Saturdays {{it}} is open until {until(saturday)}.", swapped),
        (f"{{it}} closes at {until(saturday)} on Saturdays.", swapped),
        (f"during the week {{it}} is open until {until(week)}.", swapped),
        (f"from Monday to Friday {{it}} closes at {until(week)}.", swapped),
        ("{it} is closed on Sundays.", sunday),
        ("on Sundays {it} doesn't open.", sunday),
        ("{it} is open on Saturdays.", sunday),
        ("{it} is open on Saturdays, but not on Sundays.", sunday),
    ))  # fmt: skip
    return Fact(rng.choice(("shop", "library", "branch", "museum")), holds, fails, claim)


def moved_date(rng: random.Random) -> Fact:
    """Put off or brought forward, and from when to when, against the other way round."""
    old = day(rng)
    new = old + dt.timedelta(days=rng.choice((-10, -5, -3, -2, 2, 3, 5, 7, 14)))
    keys = rng.choice(
        (("old_date", "new_date"), ("original_date", "date"), ("scheduled", "rescheduled_to"))
    )
    later = new > old
    words = [
        "{it} was moved from {a} to {b}.",
        "{it} is now on {b} instead of {a}.",
        "{it} has been shifted from {a} to {b}.",
    ]
    words += (["{it} was put off.", "{it} was postponed to {b}.", "{it} takes place {n} later than planned."] if later else
              ["{it} was brought forward.", "{it} was brought forward to {b}.", "{it} takes place {n} earlier than planned."])  # fmt: skip
    claim = rng.choice(words).replace("{n}", _span(abs((new - old).days)))
    claim = claim.replace("{a}", day_said(rng, old)).replace("{b}", day_said(rng, new))
    holds = {keys[0]: old.isoformat(), keys[1]: new.isoformat()}
    return Fact(
        rng.choice(("meeting", "exam", "concert")),
        holds,
        {keys[0]: new.isoformat(), keys[1]: old.isoformat()},
        claim,
    )


def late(rng: random.Random) -> Fact:
    """Minutes late or early, against the two times exchanged, or another delay."""
    planned = _moment(rng)
    minutes = rng.choice((5, 8, 12, 20, 25, 35, 40, 55))
    behind = rng.random() < 0.6
    actual = planned + dt.timedelta(minutes=minutes if behind else -minutes)
    wrong_by = rng.choice((minutes + 10, -minutes)) * (1 if behind else -1)
    wrong = planned + dt.timedelta(minutes=wrong_by)
    words: tuple[str, ...]
    if behind:
        words = (
            "{it} left {m} minutes late.",
            "{it} is running {m} minutes late.",
            "{it} has a delay of {m} minutes.",
        )
    else:
        words = ("{it} left {m} minutes early.", "{it} is {m} minutes ahead of schedule.")
    keys = rng.choice(
        (
            ("scheduled", "actual"),
            ("planned_departure", "actual_departure"),
            ("timetable", "real_time"),
        )
    )
    form = rng.choice(("%H:%M", "%Y-%m-%dT%H:%M"))
    holds = {keys[0]: planned.strftime(form), keys[1]: actual.strftime(form)}
    fails = {keys[0]: planned.strftime(form), keys[1]: wrong.strftime(form)}
    return Fact(
        rng.choice(("train", "flight", "bus")),
        holds,
        fails,
        rng.choice(words).replace("{m}", str(minutes)),
    )


def in_force(rng: random.Random) -> Fact:
    """Whether today lies within a period, against a period before or after it."""
    today = day(rng)
    inside = (
        today - dt.timedelta(days=rng.randint(3, 60)),
        today + dt.timedelta(days=rng.randint(3, 60)),
    )
    later = (
        today + dt.timedelta(days=rng.randint(3, 20)),
        today + dt.timedelta(days=rng.randint(30, 90)),
    )
    gone = (
        today - dt.timedelta(days=rng.randint(30, 90)),
        today - dt.timedelta(days=rng.randint(3, 20)),
    )
    period, words = rng.choice((
        (inside, ("{it} is valid today.", "{it} is in force at the moment.", "{it} applies right now.")),
        (later, ("{it} isn't in force yet.", "{it} doesn't apply yet.")),
        (gone, ("{it} no longer applies.", "{it} is not in force any more.")),
    ))  # fmt: skip
    wrong = rng.choice([one for one in (inside, later, gone) if one is not period])
    keys = rng.choice((("valid_from", "valid_until"), ("effective", "expires"), ("from", "to")))

    def fields(span: tuple[dt.date, dt.date]) -> Fields:
        return {keys[0]: span[0].isoformat(), keys[1]: span[1].isoformat()}

    kind = rng.choice(("policy", "offer", "permit", "tariff"))
    return Fact(kind, fields(period), fields(wrong), rng.choice(words), today)


def since(rng: random.Random) -> Fact:
    """How many years something has been so, from a year and today's date, against another year."""
    today = day(rng)
    years = rng.randint(2, 15)
    begun = today.replace(year=today.year - years) - dt.timedelta(days=rng.randint(5, 120))
    wrong = begun.replace(day=min(begun.day, 28), year=begun.year + rng.choice((-5, -3, -2, 2, 3)))
    if wrong > today:
        wrong = wrong.replace(year=begun.year - 4)
    key, kind, claims = rng.choice((
        ("member_since", "member", ("{it} has been a member for {n} years.", "{it} joined {n} years ago.")),
        ("founded", "company", ("{it} was founded {n} years ago.", "{it} has existed for {n} years.")),
        ("hired_on", "employee", ("{it} has worked here for {n} years.", "{it} was hired {n} years ago.")),
        ("installed_on", "machine", ("{it} has been running for {n} years.", "{it} was installed {n} years ago.")),
    ))  # fmt: skip
    claim = rng.choice(claims).replace("{n}", counted(rng, years))
    return Fact(kind, {key: begun.isoformat()}, {key: wrong.isoformat()}, claim, today)


def every(rng: random.Random) -> Fact:
    """How often, against another rhythm."""
    rhythms = {
        "daily": ("every day", "once a day"), "weekly": ("every week", "once a week"), "monthly": ("every month", "once a month"),
        "hourly": ("every hour", "once an hour"), "yearly": ("once a year", "every year"),
        "every_two_weeks": ("every other week", "every fortnight"), "quarterly": ("four times a year", "every three months"),
    }  # fmt: skip
    key, kind, claims = rng.choice((
        ("backup", "server", ("{it} is backed up {r}.", "backups of {it} run {r}.")),
        ("billing", "subscription", ("{it} is billed {r}.", "you are charged for {it} {r}.")),
        ("frequency", "report", ("{it} is sent {r}.", "{it} comes out {r}.")),
        ("schedule", "cleaning", ("{it} takes place {r}.", "{it} is done {r}.")),
        ("repeats", "meeting", ("{it} takes place {r}.", "{it} repeats {r}.")),
    ))  # fmt: skip
    rhythm = rng.choice(sorted(rhythms))
    wrong = other(rhythm, lambda: rng.choice(sorted(rhythms)))
    claim = rng.choice(claims).replace("{r}", rng.choice(rhythms[rhythm]))
    return Fact(kind, {key: rhythm}, {key: wrong}, claim)
