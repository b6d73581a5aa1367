"""Links: each value of a statement joined to the places that say it, or to what it follows from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.ledger.ledger import Ledger
from affidavit.stages.ground.linking import Link, evidence_of, linked_answer, links_of, premise_of
from affidavit.trace import DataPart, Message, RunTrace, ToolCallPart, ToolResultPart

Made = Callable[..., Ledger]

QUOTE = ("get_quote", {"id": "Q-7"}, {
    "id": "Q-7", "lines": [
        {"item": "adult menu", "qty": 84, "unit_eur": "62.00", "course": "dinner"},
        {"item": "child menu", "qty": 11, "unit_eur": "28.00", "course": "dinner"},
        {"item": "open bar", "qty": 84, "unit_eur": "19.50", "course": "drinks"},
    ],
    "total_eur": "7154.00", "deposit_pct": 30, "event_date": "2026-09-12", "balance_due": "2026-08-29",
})  # fmt: skip
OLD = (
    "get_quote",
    {"id": "Q-3"},
    {"id": "Q-3", "total_eur": "7913.00", "event_date": "2026-09-12"},
)


def listing(rows: int) -> Ledger:
    call = ToolCallPart(id="1", name="list_warehouses", arguments={})
    table = [
        {"id": f"WH-{n}", "town": f"town {n % 5}", "rent_eur": 200 + 3 * n} for n in range(rows)
    ]
    result = ToolResultPart(id="1", content=(DataPart(value={"warehouses": table}),))
    messages = (Message(role="assistant", parts=(call,)), Message(role="tool", parts=(result,)))
    return Ledger.of(RunTrace(run_id="r", messages=messages, answer=""))


def link(ledger: Ledger, statement: str, said: str) -> Link:
    found = links_of(statement, evidence_of(ledger)).links
    return next(one for one in found if said in one.value.text)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("The quote comes to €7,154.00.", "7,154"),
        ("The quote comes to about €7,150.", "7,150"),
        ("The balance is due on 29 August.", "29 August"),
        ("The deposit is 30%.", "30%"),
        ("84 adults are counted.", "84"),
    ],
)
def test_what_the_evidence_says_is_found(ledger: Made, statement: str, said: str) -> None:
    assert link(ledger(QUOTE), statement, said).is_found


@pytest.mark.spec("AFF-310")
@pytest.mark.parametrize(
    ("statement", "said", "formula"),
    [
        ("The deposit of 30% is €2,146.20.", "2,146.20", "7154.00 (total eur) × 30%"),
        ("95 guests eat.", "95", "84 + 11"),
        ("It is due two weeks before the party, on 29 August.", "two weeks", "14 days"),
        ("The adult menus cost €5,208.", "5,208", "× "),
        ("There are three lines.", "three", "count of 3 rows"),
        ("Two of the lines are dinner.", "Two", "course is dinner"),
        ("It is €759 less than the older quote's €7,913.", "759", "−"),
    ],
)
def test_what_follows_is_worked_out(ledger: Made, statement: str, said: str, formula: str) -> None:
    one = link(ledger(QUOTE, OLD), statement, said)
    assert not one.is_found
    assert one.formula is not None
    assert formula in one.formula.text
    assert one.formula.strength > 0.3


LEASE = ("get_lease", {}, {
    "rent_eur": 850, "seats": 12, "desks": 7, "weekly_earnings": 310, "notice_days": 60, "penalty_percent_per_day": 0.5, "deposit_percent": 25,
})  # fmt: skip


@pytest.mark.spec("AFF-310")
@pytest.mark.parametrize(
    ("statement", "said", "formula"),
    [
        ("The notice period is 30 days.", "30 days", None),
        ("The notice period is 0.3 days.", "0.3 days", None),
        ("The notice period is 15 days.", "15 days", None),
        ("The penalty is $30.", "$30", None),
        (
            "After 60 days the penalty comes to 30%.",
            "30%",
            "0.5 (penalty percent per day) × 60 days",
        ),
        ("The penalty is €4.25 a day.", "4.25", "850 (rent eur) × 0.5 (penalty percent per day)"),
        ("The deposit is €212.50.", "212.50", "850 (rent eur) × 25 (deposit percent)"),
        ("The deposit is €21,250.", "21,250", None),
        ("The rent is €720.", "720", None),
        ("The rent is €84.", "84", None),
        ("There are 84 places.", "84", "12 (seats) × 7 (desks)"),
        ("Twelve weeks bring €3,720.", "3,720", "12 (seats) × 310 (weekly earnings)"),
        ("A year of it is €10,200.", "10,200", "850 (rent eur) × 12 (seats)"),
    ],
)
def test_what_is_multiplied_measures_what_is_said(
    ledger: Made, statement: str, said: str, formula: str | None
) -> None:
    one = link(ledger(LEASE), statement, said)
    assert not one.is_found
    assert (one.formula and one.formula.text) == formula


STAY = {"price_eur": 120, "nights": 3, "battery_hours": 20, "charge_hours": 2, "rooms": [{"extra_eur": 24}, {"extra_eur": 38}]}  # fmt: skip


@pytest.mark.spec("AFF-303", "AFF-310")
@pytest.mark.parametrize(
    ("asked", "statement", "said", "is_worked_out"),
    [
        ("How is it?", "It costs €360.", "360", False),
        ("How is it?", "It costs €360 for the 3 nights.", "360", True),
        ("What do 3 nights cost?", "It costs €360.", "360", True),
        ("How is it?", "Altogether it costs €360.", "360", True),
        ("How is it?", "The battery lasts 40 hours.", "40 hours", False),
        ("How is it?", "With 2 hours of charging the battery lasts 40 hours.", "40 hours", True),
        ("How is it?", "The battery lasts 10 hours.", "10 hours", False),
        ("How is it?", "The extras cost €62.", "62", True),
    ],
)
def test_what_only_repeats_a_field_is_not_worked_out_from_it(
    ledger: Made, asked: str, statement: str, said: str, is_worked_out: bool
) -> None:
    one = link(ledger(("get_stay", {}, STAY), asked=asked), statement, said)
    assert (one.formula is not None) is is_worked_out


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("The quote comes to €7,451.00.", "7,451"),
        ("The deposit of 30% is €2,641.20.", "2,641.20"),
        ("The balance is due on 3 August.", "3 August"),
    ],
)
def test_what_is_nowhere_is_not_found(ledger: Made, statement: str, said: str) -> None:
    one = link(ledger(QUOTE, OLD), statement, said)
    assert not one.is_found
    assert one.formula is None


def test_what_only_the_user_says_is_told_apart(ledger: Made) -> None:
    one = link(
        ledger(QUOTE, asked="I was quoted €6,000, right?"), "You were quoted €6,000.", "6,000"
    )
    assert one.said
    assert not one.is_found


def test_a_failed_call_bears_nothing_out(ledger: Made) -> None:
    done = ("book_table", {"guests": 6}, {"ok": True})
    failed = ("book_table", {"guests": 6}, RuntimeError("no table for that evening"))
    statement = "The table for 6 guests is booked."
    assert link(ledger(done), statement, "6").is_found
    assert not link(ledger(failed), statement, "6").is_found


@pytest.mark.parametrize(
    ("statement", "said", "found"),
    [
        ("The stop lasted 47 minutes.", "47 minutes", True),
        ("The stop lasted 74 minutes.", "74 minutes", False),
        ("It began at 12:12 local time.", "12:12", True),
        ("It began at 12:21 local time.", "12:21", False),
        ("The permit runs for 18 months from 18 November 2025, until May 2027.", "May 2027", True),
        (
            "The permit runs for 18 months from 18 November 2025, until July 2027.",
            "July 2027",
            False,
        ),
    ],
)
def test_times_are_reckoned(ledger: Made, statement: str, said: str, found: bool) -> None:
    log = ("read_log", {}, {
        "stopped_at": "2026-05-04T10:12:00Z", "started_at": "2026-05-04T10:59:00Z",
        "permit_from": "2025-11-18", "permit_term": "18 months",
    })  # fmt: skip
    one = link(ledger(log), statement, said)
    assert one.is_found or (one.formula is not None) is found


def test_a_statement_may_use_what_those_before_it_worked_out(ledger: Made) -> None:
    rule = (
        "read_terms",
        {},
        "The menu costs €46 a guest. Each missing guest costs 40% of the menu price. There are 119 guests.",
    )
    said = [
        "Each missing guest costs €18.40.",
        "At 110 guests nine are missing.",
        "So you pay €165.60.",
    ]
    found = linked_answer(said, evidence_of(ledger(rule, asked="What if only 110 come?")))
    amount = next(one for one in found[2].links if "165.60" in one.value.text)
    assert amount.formula is not None
    assert "18.40" in amount.formula.text
    alone = links_of(said[2], evidence_of(ledger(rule)))
    assert alone.links[0].formula is None


def test_equal_values_bear_one_letter_in_both_texts(ledger: Made) -> None:
    evidence = evidence_of(ledger(QUOTE))
    shown = premise_of(links_of("The deposit of 30% is €2,146.20, not €99.", evidence), evidence)
    assert shown.hypothesis == "The deposit of α 30% is β €2,146.20, not ∅ €99."
    assert "deposit pct: α 30" in shown.text
    assert shown.text.endswith("β €2,146.20 = 7154.00 (total eur) × 30%")
    plain = premise_of(links_of("The deposit is 30%.", evidence), evidence, marks=False)
    assert plain.hypothesis == "The deposit is 30%."
    assert "α" not in plain.text


def test_what_stands_before_a_claim_is_shown_and_brings_its_lines(ledger: Made) -> None:
    stays = [{"room": n, "view": "garden" if n % 2 else "street"} for n in range(60)]
    evidence = evidence_of(
        ledger(("list_rooms", {}, stays), ("get_note", {}, "Spa: by the harbour."))
    )
    linked = links_of("So it was late.", evidence)
    alone = premise_of(linked, evidence)
    behind = premise_of(linked, evidence, before="The spa is by the harbour.")
    assert behind.hypothesis == "The spa is by the harbour. » So it was late."
    assert alone.hypothesis == "So it was late."
    assert "Spa: by the harbour." in behind.text


def test_calls_and_their_outcomes_are_shown(ledger: Made) -> None:
    evidence = evidence_of(
        ledger(
            ("send_mail", {"to": "ada"}, RuntimeError("mailbox full")),
            ("find_user", {"name": "ada"}, []),
        )
    )
    shown = premise_of(links_of("I've mailed Ada.", evidence), evidence)
    assert "call send mail | to: ada | outcome: failed: mailbox full" in shown.text
    assert "call find user | name: ada | outcome: nothing found" in shown.text


@settings(deadline=None, max_examples=20)
@given(st.integers(1, 400))
def test_a_premise_keeps_to_its_room(rows: int) -> None:
    evidence = evidence_of(listing(rows))
    shown = premise_of(links_of("Warehouse WH-7 costs €203.", evidence), evidence, pieces=150)
    assert rows < 8 or any("id: WH-7;" in line.text for line in shown.lines)
    assert len(shown.text) < 1600


def test_evidence_is_indexed_once(ledger: Made) -> None:
    made: Any = ledger(QUOTE)
    assert evidence_of(made) is evidence_of(made.copy())
