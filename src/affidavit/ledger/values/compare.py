"""Whether two values are the same, as people write and round them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from affidavit.ledger.values.compare_amounts import compare_amounts
from affidavit.ledger.values.compare_moments import compare_moments
from affidavit.ledger.values.compare_words import compare_words
from affidavit.ledger.values.match import Match
from affidavit.ledger.values.value import AMOUNTS, Moment, Value


def compare(claim: Value, evidence: Value, *, today: date | None = None) -> Match:
    """How a claim's value stands to one of the evidence. Not symmetric: the claim may be rounder.

    ``today`` is the run's date, for "tomorrow" and for dates without a year.
    """
    amounts = (claim.kind in AMOUNTS, evidence.kind in AMOUNTS)
    moments = (claim.kind == "moment", evidence.kind == "moment")
    if all(amounts):
        return compare_amounts(claim, evidence)
    if all(moments):
        assert claim.moment is not None
        assert evidence.moment is not None
        return compare_moments(claim.moment, evidence.moment, today=today)
    if any(moments) and any(amounts):
        return _year(claim, evidence)
    if any(moments):
        same = claim.text.casefold() == evidence.text.casefold()
        return "same" if same else "incomparable"
    if any(amounts):
        return _digits(claim, evidence)
    return compare_words(claim, evidence)


def _year(claim: Value, evidence: Value) -> Match:
    """2020 as a number and as a year are one; any other number and date are not."""
    if {claim.kind, evidence.kind} == {"moment", "duration"}:
        # "A time of 4:02" for 4:02.88: read as a time of day, for want of the fraction.
        if evidence.text.startswith(f"{claim.text}.") and ":" in claim.text:
            return "rounded"
        if (span := _as_span(claim, evidence)) is not None:
            return span
        return _in_days(claim, evidence)
    number, moment = (claim, evidence.moment) if evidence.moment else (evidence, claim.moment)
    if number.kind == "number" and moment is not None and moment.year is not None:
        only_year = moment == Moment(year=moment.year)
        if only_year:
            return "same" if number.number == moment.year else "different"
    return "incomparable"


def _as_span(claim: Value, evidence: Value) -> Match | None:
    """ "1 hour 45 minutes 30 seconds" and the 1:45:30 of a race, which reads like a time of day."""
    at, span = evidence.moment, claim
    if at is None or at.clock is None or not at.seconds_given or at.month or at.weekday is not None:
        return None
    seconds = at.clock.hour * 3600 + at.clock.minute * 60 + at.clock.second
    return "same" if span.unit == "s" and span.number == seconds else None


def _in_days(claim: Value, evidence: Value) -> Match:
    """ "In 3 days" and ``delivery_days: 3``."""
    moment, span = (claim.moment, evidence) if claim.moment else (evidence.moment, claim)
    if moment is None or moment.relative_days is None or span.unit != "s":
        return "incomparable"
    if moment != Moment(relative_days=moment.relative_days) or abs(moment.relative_days) < 2:
        return "incomparable"
    return "same" if span.number == abs(moment.relative_days) * 86400 else "incomparable"


def _digits(claim: Value, evidence: Value) -> Match:
    """A number against a code or a version: "card 4417" and ``last4: "4417"``."""
    number, code = (claim, evidence) if claim.kind in AMOUNTS else (evidence, claim)
    if code.kind not in ("identifier", "version", "phone", "name", "quoted"):
        return "incomparable"
    written = number.text.replace(",", "").replace("#", "").strip()
    key = code.key.removeprefix("*")
    if written == key or written.casefold() == code.text.casefold():
        return "same"
    # A long number without marks looks like a code: 1044000 and "1,044,000 kg" or "1,044 t".
    if code.kind == "identifier" and key.isdecimal() and len(key) <= 15 and key[0] != "0":
        if Decimal(key) in (number.number, number.face):
            return "same"
    if code.kind == "version" and claim is number and key.startswith(written + "."):
        return "rounded"
    return "incomparable"
