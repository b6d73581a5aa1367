"""Witnesses: what each says of a claim, with a twin of which it says otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affidavit.ledger.ledger import Ledger
from affidavit.policy import Policy
from affidavit.stages.ground.ground import cases_of, hear
from affidavit.stages.ground.split import split_claims

Made = Callable[..., Ledger]

CREWS = ("list_crews", {}, {"crews": [
    {"crew": "Ruiz", "truck": "T-4", "hours": 38, "home": "Leiria"},
    {"crew": "Okafor", "truck": "T-9", "hours": 41, "home": "Viseu"},
]})  # fmt: skip
BOOKED = (
    "create_booking",
    {"crew": "Ruiz", "day": "2026-05-04"},
    {"booking": "B-1", "status": "confirmed"},
)
REFUSED = ("create_booking", {"crew": "Ruiz", "day": "2026-05-04"}, RuntimeError("the day is full"))
DRY = ("create_booking", {"crew": "Ruiz", "day": "2026-05-04"}, {"dry_run": True, "booking": None})
FINE = ("create_booking", {"crew": "Ruiz"}, {"error": False, "booking": "B-1"})
FAULT = ("create_booking", {"crew": "Ruiz"}, {"error": "day is full", "booking": None})
ONE_ROW = (
    "create_booking",
    {"crew": "Ruiz"},
    {"booking": "B-1", "log": [{"step": 1, "error": "slow"}]},
)
SET = ("set_status", {"truck": "T-4", "status": "resting"}, {"truck": "T-4"})
STATUS = ("get_status", {"truck": "T-4"}, {"status": "resting"})
ORDERED = {"crews": [{"crew": "Ruiz"}, {"crew": "Okafor"}, {"crew": "Sá"}, {"crew": "Berg"}]}
UNSENT = ("add_crews", ORDERED, RuntimeError("locked"))
SENT = ("add_crews", {}, ORDERED)
NOTHING = ("search_permits", {"town": "Leiria"}, [])
PAPERS = ("search", {"q": "tides"}, [
    {"n": 1, "title": "Harbour tides", "text": "The spring tide rises 3.8 m."},
    {"n": 2, "title": "Estuary tides", "text": "The neap tide rises 1.9 m."},
])  # fmt: skip


def heard(ledger: Ledger, answer: str) -> set[tuple[str, str]]:
    """What the witnesses say of the last claim of an answer, but for the model."""
    cases = cases_of(split_claims(answer, question=ledger.question), ledger, Policy())
    (signals, failure) = hear(cases, None)[-1]
    assert failure is None
    return {(s.witness, s.relation) for s in signals}


@pytest.mark.parametrize(
    ("calls", "answer", "said", "unsaid"),
    [
        ([CREWS], "Okafor worked 41 hours.", ("values", "same"), ("rows", "other_row")),
        ([CREWS], "Okafor worked 38 hours.", ("rows", "other_row"), ("values", "absent")),
        ([CREWS], "Okafor worked 83 hours.", ("values", "absent"), ("values", "same")),
        ([CREWS], "Together they worked 79 hours.", ("formulas", "derived"), ("values", "absent")),
        ([CREWS], "Truck T-7 was out.", ("values", "absent"), ("values", "same")),
        ([CREWS, BOOKED], "I've booked Ruiz for 4 May.", ("calls", "same"), ("calls", "absent")),
        ([CREWS], "I've booked Ruiz for 4 May.", ("calls", "absent"), ("calls", "same")),
        ([CREWS, REFUSED], "I've booked Ruiz for 4 May.", ("calls", "opposed"), ("calls", "same")),
        ([CREWS, DRY], "I've booked Ruiz for 4 May.", ("calls", "opposed"), ("calls", "same")),
        ([FINE], "I've booked Ruiz for 4 May.", ("calls", "same"), ("calls", "opposed")),
        ([FAULT], "I've booked Ruiz for 4 May.", ("calls", "opposed"), ("calls", "same")),
        ([ONE_ROW], "I've booked Ruiz for 4 May.", ("calls", "same"), ("calls", "opposed")),
        ([SET], "I've set truck T-4 to resting.", ("calls", "same"), ("calls", "absent")),
        ([STATUS], "I've set truck T-4 to resting.", ("calls", "absent"), ("calls", "same")),
        ([UNSENT], "There are 4 crews in the order.", ("values", "absent"), ("formulas", "derived")),
        ([SENT], "There are 4 crews in the order.", ("formulas", "derived"), ("values", "absent")),
        ([NOTHING], "No permits were found in Leiria.", ("absence", "same"), ("calls", "absent")),
        ([PAPERS], "The spring tide rises 3.8 m [1].", ("citations", "same"), ("citations", "opposed")),
        ([PAPERS], "The spring tide rises 3.8 m [2].", ("citations", "opposed"), ("citations", "absent")),
        ([PAPERS], "The spring tide rises 3.8 m [5].", ("citations", "absent"), ("citations", "same")),
        ([CREWS], "The helicopter was dispatched overnight.", ("scope", "absent"), ("scope", "same")),
    ],
)  # fmt: skip
def test_what_is_said_of_a_claim(
    ledger: Made, calls: list[Any], answer: str, said: tuple[str, str], unsaid: tuple[str, str]
) -> None:
    found = heard(ledger(*calls), answer)
    assert said in found
    assert unsaid not in found


PROBE = ("read_probe", {}, {"log": "10:12 STOP hoist temp 118C limit 110C"})
LISTED = ("run_models", {}, {"log": "SKIP models/marts/crew_totals.sql"})
BROKEN = ("create_booking", {"crew": "Ruiz"}, RuntimeError("2 of 6 crews are locked by SG-54"))


@pytest.mark.parametrize(
    ("calls", "answer", "is_absent"),
    [
        ([PROBE], "The hoist reached 118 °C.", False),
        ([PROBE], "The hoist reached 181 °C.", True),
        ([BROKEN], "It failed: 2 of the 6 crews are locked.", False),
        ([BROKEN], "It failed: 3 of the 7 crews are locked.", True),
        ([BROKEN], "It failed: they are locked by SG-54.", False),
        ([BROKEN], "It failed: they are locked by SG-5.", True),
        ([LISTED], "The model `crew_totals` was skipped.", False),
        ([LISTED], "The model `wage_bills` was skipped.", True),
    ],
)
def test_what_is_written_in_another_form_or_place_is_not_absent(
    ledger: Made, calls: list[Any], answer: str, is_absent: bool
) -> None:
    assert (("values", "absent") in heard(ledger(*calls), answer)) is is_absent


def test_a_figure_that_is_nowhere_counts_by_how_much_there_is_to_search(ledger: Made) -> None:
    many = ("list_trips", {}, [{"trip": f"T-{n}", "km": 90 + 7 * n} for n in range(30)])

    def strength(*calls: Any) -> float:
        cases = cases_of(split_claims("Okafor worked 8317 hours."), ledger(*calls), Policy())
        return next(s.strength for s in hear(cases, None)[0][0] if s.relation == "absent")

    assert strength(CREWS) > strength(CREWS, many) > 0


def test_what_the_user_believes_is_told_apart_from_what_the_user_is(ledger: Made) -> None:
    charged = ledger(CREWS, asked="I was charged $90, right?")
    assert ("values", "told") in heard(charged, "You were charged $90.")
    owner = ledger(CREWS, asked="I have 12 trucks. Which crews are free?")
    assert ("values", "told") not in heard(owner, "You have 12 trucks.")


def test_exempt_claims_are_heard_by_nobody(ledger: Made) -> None:
    assert heard(ledger(CREWS), "Shall I book truck T-7 for you?") == set()


def test_a_better_home_is_named(ledger: Made) -> None:
    cases = cases_of(split_claims("Okafor worked 38 hours."), ledger(CREWS), Policy())
    (signals, _) = hear(cases, None)[0]
    other = next(s for s in signals if s.relation == "other_row")
    assert "hours of" in other.detail
    assert "is 41" in other.detail
    assert [span.pointer for span in other.spans] == ["/crews/1/hours", "/crews/0/hours"]
