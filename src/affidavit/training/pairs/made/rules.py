"""Claims about what a document says: the two texts differ in an exception, a condition or a limit."""

from __future__ import annotations

import random
from dataclasses import dataclass

from affidavit.training.pairs.made.case import Call, Case


@dataclass(frozen=True, slots=True)
class _Rule:
    """Two texts on the same matter, and for each what follows from it and not from the other."""

    topic: str
    one: str
    of_one: tuple[str, ...]
    two: str
    of_two: tuple[str, ...]
    numbers: tuple[int, ...] = (7, 14, 30)
    """What ``{n}`` may be."""


_RULES = (
    _Rule("returns", "Items can be sent back within {n} days. Sale items are excluded.",
          ("items on sale can't be sent back.", "you can't return what you bought in the sale."),
          "Items can be sent back within {n} days. This goes for sale items too.",
          ("items on sale can be sent back as well.", "you may return what you bought in the sale.")),
    _Rule("return postage", "The customer pays the return postage unless the item is faulty.",
          ("if the item is in order, you pay the postage of a return yourself.", "sending back a faulty item costs you no postage, any other item does."),
          "We pay the return postage in every case.",
          ("returning an item costs you no postage, whatever the reason.", "even for an item that is in order, the return postage is paid by the shop.")),
    _Rule("cancellation", "Bookings can be cancelled free of charge until {n} hours before arrival. After that the first night is charged.",
          ("up to {n} hours before arrival you can cancel without paying anything.",),
          "Bookings cannot be cancelled free of charge. The first night is charged in any case.",
          ("even an early cancellation costs the first night.", "there is no way to cancel without paying for the first night."), (24, 48, 72)),
    _Rule("pets", "Dogs are welcome in the garden rooms. In all other rooms pets are not allowed.",
          ("in a room that isn't a garden room you can't have a dog.", "you can bring a dog only if you take a garden room."),
          "Dogs are welcome in all rooms but the garden rooms.",
          ("dogs are not allowed in the garden rooms.", "a garden room is the only kind of room in which dogs aren't allowed.")),
    _Rule("home office", "Employees may work from home up to {n} days a week, if their manager agrees.",
          ("to work from home you need your manager's consent.", "without your manager's agreement you can't work from home."),
          "Employees may work from home up to {n} days a week. No agreement is needed.",
          ("you can work from home without asking anybody.", "your manager need not agree to your working from home."), (2, 3, 4)),
    _Rule("expenses", "Meals are reimbursed up to {n} euros a day. Alcohol is not reimbursed.",
          ("a glass of wine with dinner is not paid back.", "drinks with alcohol are at your own expense."),
          "Meals are reimbursed up to {n} euros a day, drinks of any kind included.",
          ("wine with a meal is paid back too.", "alcohol with a meal counts among what is reimbursed."), (20, 30, 45)),
    _Rule("travel", "Trips of more than {n} hours may be booked in first class.",
          ("for a trip of more than {n} hours first class is allowed.", "on long trips, of more than {n} hours, you may go first class."),
          "All trips are to be booked in second class, whatever their length.",
          ("first class is never allowed.", "even for very long trips you have to take second class."), (3, 4, 6)),
    _Rule("warranty", "The warranty covers parts and labour. Batteries are covered for {n} months only.",
          ("for batteries the warranty is limited to {n} months.", "labour is part of the warranty."),
          "The warranty covers parts, but not labour. Batteries are not covered at all.",
          ("you pay for labour yourself under the warranty.", "batteries don't fall under the warranty."), (6, 12)),
    _Rule("library", "Reference books may not be borrowed. They can be read in the reading room.",
          ("reference books have to stay in the library.", "you can't take a reference book home."),
          "All books may be borrowed, reference books for {n} days.",
          ("reference books can be taken home.", "you may keep a reference book for {n} days.")),
    _Rule("parking", "Residents park for free. Visitors pay {n} euros a day.",
          ("as a visitor you pay {n} euros a day for parking.", "parking costs residents nothing."),
          "Visitors park for free. Residents pay {n} euros a day.",
          ("as a resident you pay {n} euros a day for parking.", "parking costs visitors nothing."), (4, 8, 12)),
    _Rule("deliveries", "Orders placed before noon are sent on the same day, all others on the next.",
          ("what you order in the afternoon goes out the next day.", "an order placed in the morning is sent on the same day."),
          "All orders are sent on the second day after they are placed.",
          ("even an order from the morning doesn't go out on the same day.", "it takes until the second day for an order to be sent.")),
    _Rule("passwords", "Passwords must have at least {n} characters and be changed every year.",
          ("you have to change your password once a year.", "a password may not be used for longer than a year."),
          "Passwords must have at least {n} characters. They need not be changed.",
          ("there is no need to change your password.", "you can keep a password for as long as you like."), (10, 12, 14)),
    _Rule("membership", "Students and pensioners get half off the fee. Everybody else pays the full fee.",
          ("as a student you pay half the fee.", "students don't have to pay the full fee."),
          "Pensioners get half off the fee. Students and everybody else pay the full fee.",
          ("students pay the full fee.", "there is no reduction for students.")),
    _Rule("leave", "Unused days of leave can be taken until the end of March of the next year.",
          ("you can still take what is left of your leave in February of the next year.", "leave that you don't take doesn't lapse with the year."),
          "Unused days of leave lapse at the end of the year.",
          ("what you haven't taken of your leave by the end of the year is lost.", "leave cannot be carried over into the next year.")),
    _Rule("backups", "Backups are kept for {n} days and then deleted.",
          ("after {n} days a backup is deleted.", "backups don't stay for longer than {n} days."),
          "Backups are kept without limit of time.",
          ("backups are never deleted.", "there is no limit to how long a backup is kept."), (30, 60, 90)),
    _Rule("guests", "Guests may use the pool only together with a member.",
          ("a guest alone can't use the pool.", "to use the pool, a guest needs a member who comes along."),
          "Guests may use the pool on their own.",
          ("a guest can go to the pool without a member.", "no member has to come along for a guest to use the pool.")),
    _Rule("refunds", "Refunds go to the card that was used for payment. Cash is not paid out.",
          ("you get the money back on the card you paid with.", "a refund isn't paid in cash."),
          "Refunds are paid in cash at the counter. Nothing goes back to the card.",
          ("the money is paid back in cash.", "a refund doesn't go to your card.")),
    _Rule("access", "The lab is open to staff at all hours. Students need a supervisor after six.",
          ("staff may use the lab at night.", "after six students can be in the lab if a supervisor is there."),
          "The lab closes at six for everybody.",
          ("after six nobody can use the lab.", "not even staff may be in the lab in the evening.")),
    _Rule("insurance", "Water damage is insured, flooding is not.",
          ("flooding isn't covered.", "a burst pipe is covered, a flood is not."),
          "Water damage and flooding are both insured.",
          ("flooding is covered.", "damage by a flood falls under the insurance.")),
    _Rule("voting", "A motion passes if more than half of those present agree.",
          ("for a motion to pass, a simple majority of those present is enough.", "whoever isn't present doesn't count when a motion is voted on."),
          "A motion passes if two thirds of all members agree, present or not.",
          ("a simple majority isn't enough for a motion.", "two thirds of all members have to agree for a motion to pass.")),
)  # fmt: skip
_BESIDE = (
    "This page was last changed by the editors.", "Questions are answered at the front desk.", "See the other pages for details.",
    "Please keep your receipt.", "Local holidays may lead to delays.",
)  # fmt: skip


def rule(rng: random.Random) -> Case:
    """What follows from a text, against a text on the same matter from which the opposite follows."""
    one = rng.choice(_RULES)
    number = rng.choice(one.numbers)
    texts = [text.format(n=number) for text in (one.one, one.two)]
    first = rng.random() < 0.5
    claim = rng.choice(one.of_one if first else one.of_two).format(n=number)
    holds, fails = texts if first else texts[::-1]
    around = rng.choice(("", rng.choice(_BESIDE)))
    tool = rng.choice(("search_docs", "get_policy", "read_page", "search_knowledge_base"))
    shaped = rng.choice(("text", "field", "hits"))

    def call(text: str) -> Call:
        whole = f"{text} {around}".strip()
        if shaped == "text":
            return Call(tool, {"query": one.topic}, whole)
        if shaped == "field":
            return Call(tool, {"topic": one.topic}, {"title": one.topic, "text": whole})
        return Call(
            tool, {"query": one.topic}, {"results": [{"title": one.topic, "snippet": whole}]}
        )

    return Case((call(holds),), (call(fails),), claim, keys=frozenset(("text", "snippet")))
