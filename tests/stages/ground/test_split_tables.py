"""Tables: a cell is a claim about its row and its column."""

from __future__ import annotations

from affidavit.stages.ground.claim import TableCell
from affidavit.stages.ground.split import split_claims

PLANS = "| Plan | Price | Log retention |\n|---|---:|---|\n| Team | $59 | 30 days |\n| Pro | n/a | — |\n"


def test_each_body_cell_is_a_claim() -> None:
    cells = [claim for claim in split_claims(PLANS) if claim.cell]
    assert [(claim.text, claim.statement, claim.kind) for claim in cells] == [
        ("$59", "Team: Price is $59", "fact"),
        ("30 days", "Team: Log retention is 30 days", "fact"),
        ("n/a", "Pro: Price is n/a", "absence"),
        ("—", "Pro: Log retention is —", "absence"),
    ]


def test_a_cell_knows_its_row() -> None:
    price = next(claim for claim in split_claims(PLANS) if claim.text == "$59")
    assert price.cell == TableCell(
        row="Team",
        column="Price",
        cells={"Plan": "Team", "Price": "$59", "Log retention": "30 days"},
    )


def test_header_and_labels_point() -> None:
    signposts = [claim.text for claim in split_claims(PLANS) if not claim.cell]
    assert signposts == ["Plan", "Price", "Log retention", "Team", "Pro"]
    assert {claim.kind for claim in split_claims(PLANS) if not claim.cell} == {"greeting"}


def test_a_running_number_is_no_label() -> None:
    table = "| # | Hotel | Price |\n|---|---|---|\n| 1 | Luna | $90 |\n| 2 | Sol | $80 |\n"
    cells = [claim.statement for claim in split_claims(table) if claim.cell]
    assert cells == ["Luna: Price is $90", "Sol: Price is $80"]


def test_fields_and_values() -> None:
    table = "| Field | Value |\n|---|---|\n| Order ID | W1 |\n"
    assert [c.statement for c in split_claims(table) if c.cell] == ["Order ID: W1"]


def test_bars_in_code_and_a_missing_rule() -> None:
    table = "| Flag | Use |\n| `a|b` | 3 times |\n"
    assert [c.statement for c in split_claims(table) if c.cell] == ["`a|b`: Use is 3 times"]
