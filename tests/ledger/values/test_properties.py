"""What holds for any text: spans recover it, do not overlap, and every value equals itself."""

from __future__ import annotations

import subprocess
import sys
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal

from hypothesis import example, given
from hypothesis import strategies as st

from affidavit.ledger.values import (
    Value,
    compare,
    fold,
    lookup_reach,
    lookup_sizes,
    lookup_words,
    parse_values,
    read_cell,
)
from affidavit.ledger.walk import records_of

WORDS = st.sampled_from(
    "the about $ € 5 1,200 12.5 % km h 30 min March 9 2026 Monday at 6:30 PM UTC BL-204518 # 4417 "
    "“ ” ` src/a.py https://a.example/x +1-503-555-0148 ending in Koča Smreka one two hundred and "
    "1.250,40 -7.2 °C Mi to – - ( ) . , : [1] v2.1.0 tomorrow für der Nächte le 3 mars 16h30 Q1 "
    "half an hour thirds cents USD kr R$ GB/s ½ ٣ １２ İ ß".split()
)
PROSE = st.lists(WORDS, max_size=14).map(" ".join)
TEXTS = st.text(max_size=80) | PROSE | st.lists(WORDS, max_size=8).map("".join)


@given(TEXTS)
@example("99999999999999999999999999999999999 km and 1e400 and 9:99 and 31 February 2026")
@example("٣٠ مارس ٢٠٢٦ at ٦:٣٠ pm")
def test_spans_recover_their_text_and_do_not_overlap(text: str) -> None:
    at = 0
    for value in parse_values(text):
        assert value.start >= at
        assert text[value.start : value.end] == value.text != ""
        at = value.end


@given(TEXTS)
def test_every_value_is_the_same_as_itself(text: str) -> None:
    for value in parse_values(text):
        assert compare(value, value) == "same"
        assert compare(value, value, today=date(2026, 3, 5)) == "same" or value.moment


@given(PROSE, PROSE)
def test_comparing_never_raises(a: str, b: str) -> None:
    for claim in parse_values(a):
        for evidence in parse_values(b):
            assert compare(claim, evidence, today=date(2026, 3, 5))


@given(PROSE, PROSE)
def test_what_matches_can_be_looked_up(a: str, b: str) -> None:
    for claim in parse_values(a):
        for evidence in parse_values(b):
            if claim.moment and evidence.moment:
                continue
            if compare(claim, evidence, today=date(2026, 3, 5)) in ("same", "rounded"):
                sizes = lookup_sizes(claim), lookup_sizes(evidence)
                reach = lookup_reach(claim)
                close = any(abs(x - y) <= max(x, y) * reach for x in sizes[0] for y in sizes[1])
                assert close or lookup_words(claim) & lookup_words(evidence)


@given(TEXTS)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


MONEY = st.decimals(Decimal("0.01"), Decimal("9999999.99"), places=2)


@given(MONEY)
def test_amounts_survive_the_marks_of_either_convention(amount: Decimal) -> None:
    english = f"{amount:,.2f}"
    continental = english.translate(str.maketrans(",.", ".,"))
    for written in (
        f"€{english}", f"{english} EUR", f"EUR {english}", f"{continental} €",
        f"{continental.replace('.', ' ')} €", f"{english.replace(',', chr(0x2019))} EUR",
        f"{continental.replace('.', chr(0x202F))} €",
    ):  # fmt: skip
        (value,) = parse_values(written)
        assert (value.kind, value.number, value.unit) == ("money", amount, "EUR"), written


@given(st.integers(0, 9_999_999))
def test_cents_meet_their_amount(cents: int) -> None:
    (record,) = records_of({"total_cents": cents, "currency": "USD"})
    readings = read_cell(record.cells[0], record)
    (claim,) = parse_values(f"${Decimal(cents) / 100:,.2f}")
    assert "same" in {compare(claim, reading) for reading in readings}


MOMENTS = st.datetimes(datetime(1990, 1, 1), datetime(2099, 12, 31))  # noqa: DTZ001


@given(MOMENTS, st.sampled_from([-420, 0, 60, 330]))
def test_dates_survive_their_spellings(at: datetime, offset: int) -> None:
    at = at.replace(second=0, microsecond=0, tzinfo=timezone(timedelta(minutes=offset)))
    (evidence,) = parse_values(at.isoformat())
    for spelled in (
        f"{at:%A, %B} {at.day}, {at.year} at {at:%I:%M %p}",
        f"{at.day} {at:%B %Y} at {at:%H:%M}",
        f"{at:%B} {at.day}, {at.year}",
        f"{at:%Y-%m-%d %H:%M}",
    ):
        (claim,) = parse_values(spelled)
        assert compare(claim, evidence) == "same", spelled


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from("total_cents t_min unit units at date currency rate first_name "
                                      "last_name duration_min phone year x".split()), inner, max_size=4),
    max_leaves=12,
))  # fmt: skip
def test_any_field_can_be_read(data: object) -> None:
    for record in records_of(data):
        for cell in record.cells:
            for value in read_cell(cell, record):
                assert cell.text[value.start : value.end] == value.text
                assert compare(value, value) == "same"


def test_importing_is_light() -> None:
    heavy = "babel", "phonenumbers", "dateutil"
    code = f"import sys, affidavit.ledger.values; print([m for m in {heavy} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_values_are_hashable_and_plain() -> None:
    assert len({Value("number", "5", 0, 1), Value("number", "5", 0, 1)}) == 1
