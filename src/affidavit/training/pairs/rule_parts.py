"""What rules are about: things, what is done with them, and what that depends on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from affidavit.training.pairs.pair import Label

Texts = Sequence[str]


@dataclass(frozen=True, slots=True)
class Rule:
    """What a rule says, and claims about it: ``(label, fault, ways to say it)``."""

    written: Texts
    claims: Sequence[tuple[Label, str, Texts]]


THINGS = (
    "order booking reservation subscription ticket delivery claim payment appointment account policy "
    "contract membership transfer invoice loan card plan request listing shipment prescription "
    "enrolment deposit rental application project report room session quote domain permit item item item product device"
).split()
ACTS = (
    ("cancel", "cancelled"), ("change", "changed"), ("modify", "modified"), ("return", "returned"),
    ("refund", "refunded"), ("exchange", "exchanged"), ("renew", "renewed"), ("extend", "extended"),
    ("transfer", "transferred"), ("upgrade", "upgraded"), ("pause", "paused"), ("close", "closed"),
    ("reopen", "reopened"), ("reschedule", "rescheduled"), ("approve", "approved"), ("delete", "deleted"),
    ("export", "exported"), ("share", "shared"), ("resend", "resent"), ("dispute", "disputed"),
    ("correct", "corrected"), ("withdraw", "withdrawn"), ("split", "split"), ("downgrade", "downgraded"),
)  # fmt: skip
DEEDS = (
    ("cancel", "cancelled", "cancellation"), ("change", "changed", "change"), ("return", "returned", "return"),
    ("modify", "modified", "modification"), ("exchange", "exchanged", "exchange"), ("renew", "renewed", "renewal"),
    ("extend", "extended", "extension"), ("transfer", "transferred", "transfer"), ("upgrade", "upgraded", "upgrade"),
    ("refund", "refunded", "refund"), ("close", "closed", "closure"),
    ("withdraw", "withdrawn", "withdrawal"), ("approve", "approved", "approval"), ("correct", "corrected", "correction"),
)  # fmt: skip
STATES = (
    ("pending", "processed", "delivered", "cancelled"), ("open", "in review", "closed", "escalated"),
    ("draft", "submitted", "approved", "rejected"), ("booked", "checked in", "completed", "no-show"),
    ("active", "paused", "expired", "suspended"), ("unpaid", "paid", "refunded", "overdue"),
    ("queued", "running", "finished", "failed"), ("reserved", "picked up", "returned", "lost"),
)  # fmt: skip
EVENTS = ("delivery", "purchase", "the booking", "sign-up", "approval", "the due date", "activation", "check-in",
          "the statement date", "the first payment", "arrival", "the request", "confirmation")  # fmt: skip
CONDITIONS = (
    ("its status is 'pending'", "it is still pending", "it has already been processed"),
    ("it has been delivered", "it has been delivered", "it is still on its way"),
    ("the customer has been verified", "I have verified who you are", "nobody has checked who you are"),
    ("it was paid by credit card", "you paid by credit card", "you paid in cash"),
    ("a manager approves it", "a manager approves it", "no manager has seen it"),
    ("the original packaging is kept", "you have kept the original packaging", "the packaging is gone"),
    ("no payment is overdue", "none of your payments is overdue", "a payment is overdue"),
    ("the user provides a receipt", "you have the receipt", "you don't have the receipt"),
    ("travel insurance was bought", "you bought travel insurance", "you have no travel insurance"),
    ("the balance is zero", "your balance is zero", "there is still a balance"),
    ("it is in its first year", "it is in its first year", "it is more than a year old"),
    ("the user is an account owner", "you own the account", "you are only a guest on the account"),
    ("it was made in business class", "it is in business class", "it is in economy"),
    ("all signatures are there", "all signatures are there", "a signature is missing"),
    ("it has not been used", "it hasn't been used", "it has been used"),
    ("the airline cancelled the flight", "the airline cancelled your flight", "you simply changed your mind"),
    ("the request is made in writing", "you ask for it in writing", "you ask by phone"),
)  # fmt: skip
UNITS = ("days", "hours", "business days", "weeks", "months", "minutes", "years")
MEMBERS = ("gold members", "premium customers", "account owners", "students", "employees", "business customers",
           "patients", "residents", "registered users", "administrators", "subscribers", "first-time buyers")  # fmt: skip
PERKS = (
    "bring one guest for free", "use the lounge", "get free shipping", "request a paper statement",
    "borrow up to three books", "work from abroad", "choose a seat in advance", "export their data",
    "invite other users", "park on site", "skip the deposit", "order replacement parts",
    "book a room after hours", "ask for a second opinion", "claim travel costs", "defer one payment",
)  # fmt: skip
TASKS = (
    ("give legal advice", "give you legal advice"), ("share another customer's data", "share another customer's data with you"),
    ("waive the fee", "waive the fee for you"), ("promise a delivery date", "promise you a delivery date"),
    ("change the shipping method", "change the shipping method for you"), ("book for third parties", "book for other people"),
    ("recommend a product", "recommend a product to you"), ("reset a password by phone", "reset your password by phone"),
    ("combine two discounts", "combine two discounts for you"), ("read out card numbers", "read out your card number"),
    ("prescribe medication", "prescribe you any medication"), ("restart the server", "restart the server for you"),
    ("split a payment over two cards", "split the payment over two cards for you"),
    ("add an item to an order", "add an item to your order"), ("ship to a PO box", "ship to your PO box"),
)  # fmt: skip
NEEDS = (
    ("an email address", "your email address"), ("the date of birth", "your date of birth"), ("the order number", "your order number"),
    ("a photo of the damage", "a photo of the damage"), ("the booking reference", "your booking reference"),
    ("the last four digits of the card", "the last four digits of your card"), ("the zip code", "your zip code"),
    ("a reason", "your reason"), ("a signed form", "a signed form"), ("a proof of address", "a proof of address"),
    ("the serial number", "the serial number"), ("explicit confirmation", "your explicit confirmation"),
)  # fmt: skip


SPECIFIC = (
    "blue kettle", "desk fan", "robot mower", "garden hose", "e-bike", "camping tent", "walnut shelf", "rain coat", "road bike helmet",
    "noise-cancelling headset", "espresso maker", "wool scarf", "chess board", "board game", "drone", "keyboard tray", "baby monitor",
    "yoga block", "T-shirt", "ski goggles", "flash drive", "steam iron", "bed frame", "floor lamp", "coffee grinder", "snow shovel",
    "trail shoes", "projector", "wall clock", "cordless vacuum", "guitar case", "USB hub", "fitness watch", "picnic set",
)  # fmt: skip
"""Things that rules call items: "the kettle" for "the item"."""


def a(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeio" else f"a {noun}"


def plural(noun: str) -> str:
    word = noun[:-1] + "ies" if noun.endswith("y") and noun[-2] not in "aeiou" else noun + "s"
    return capital(word)


def capital(text: str) -> str:
    return text[0].upper() + text[1:]
