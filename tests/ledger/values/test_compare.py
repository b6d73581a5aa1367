"""Whether a claim's value is the evidence's, as people write and round."""

from __future__ import annotations

from datetime import date

import pytest

from affidavit.ledger.values import (
    Value,
    compare,
    lookup_reach,
    lookup_sizes,
    lookup_words,
    parse_values,
)

TODAY = date(2026, 2, 11)

CASES = {
    "same": [
        ("$668.99", "668.99 USD"), ("660", "660.00 USD"), ("$1,187.36", "-$1,187.36"),
        ("1 h 30 min", "5400 seconds"), ("2 years", "24 months"), ("1 week", "7 days"),
        ("12.5%", "12.5 percent"), ("0.5%", "50 basis points"), ("3.2 km", "3200 m"),
        ("#W2378156", "w2378156"), ("BL 204518 and BL-204518", "BL-204518"),
        ("Koca Smreka", "at Koča Smreka"), ("Portable Projectors", "the Portable Projector"),
        ("Monday, March 9", "2026-03-09"), ("9 de abril", "2026-04-09T16:30:00+02:00"),
        ("March 13 at 6:30 PM", "2026-03-13T18:30:00-07:00"),
        ("March 14 at 1:30 AM UTC", "2026-03-13T18:30:00-07:00"),
        ("9:30 AM", "2026-03-05T09:30:12Z"), ("tomorrow", "2026-02-12"),
        ("tomorrow, Thursday, February 12", "2026-02-12"), ("in 2027", "2027-02-19"),
        ("03/09/2026", "2026-09-03"), ("03/09/2026", "2026-03-09"), ("2026-Q1", "March 2026"),
        ("https://A.example/x/", "http://a.example/x"), ("hash.py:22", "src/auth/hash.py:22"),
        ("+1-503-555-0148", "(503) 555-0148"), ("v2.1", "2.1.0"), ("card ending in 4417", "4417"),
        ("in 3 days", "3 days"), ("17 days ago", "2026-01-25"), ("3.6 out of 5", "3.6 and 5"),
        ("at least 60 days", "at least 60 days"), ("68 °F", "20 °C"), ("8 GB", "8192 MiB"),
        ("for Mia", "user mia_garcia_4516"),
        ("3c07b9e", "3c07b9e2d41fa8806b5719e0c2d3f4a59687b1c0"), ("on Fridays", "Fri"),
        ("between 7 and 9 am", "07:00 and 09:00"), ("2–4 pm", "14:00–16:00"),
        ("from 9 to 5 pm", "09:00-17:00"), ("from 10 am to 6.", "10:00 to 18:00"),
        ("von 8 bis 11 Uhr", "8:00 / 11:00"), ("de 9 h à 17 h 30", "9:00, 17:30"),
        ("“The Grey Harbour”", "see Grey Harbour"), ("84000000", "84,000,000 kg"),
        ("June 9, 2026", "Tue Jun 9 14:22:51 2026 +0200"),
        ("400 square metres", "400 m²"), ("3 cubic metres", "3 m³"), ("30 miles per hour", "30 mph"),
        ("5 kilowatt hours", "5 kWh"), ("12 nautical miles", "12 nmi"), ("1,800 revolutions per minute", "1800 rpm"),
        ("8 milligrams per litre", "8 mg/L"), ("6.5°", "6.5 deg"), ("90°", "1.5707963268 rad"),
        ("21 °C", "21 deg C"), ("45 Swiss francs", "CHF 45"), ("120 US dollars", "120.00 USD"),
        ("SMBv3.1", "SMB3.1"), ("runs TLSv1.2", "version 1.2"), ("OAuth2.0", "OAuth-2.0"),
        ("half past eight", "08:30"), ("half past eight", "20:30"), ("a quarter to nine", "08:45"),
        ("twenty past eleven in the morning", "11:20"), ("5:30 in the afternoon", "17:30"),
        ("at ten past four", "16:10"), ("the 2nd quarter of 2026", "Q2 2026"),
        ("2 June at 10:15", "2 June 2026   10:15"),
        ("in Portuguese", "Brazilian Portuguese"),
    ],
    "rounded": [
        ("about 1,200 users", "1,187 users"), ("$669", "$668.99"), ("12.5%", "12.46%"),
        ("around 5 km", "5.2 km"), ("over 200 reviews", "214 reviews"), ("48,000 requests", "48,210 requests"),
        ("$3.9 million", "$3,886,000"), ("less than 5%", "4.7%"),
        ("30 days", "1 month"), ("Python 3.12.2 on v18", "18.17.1"), ("9:35", "09:34:42"),
        ("roughly $5,600", "$5,589.45"), ("5 mi", "8.05 km"),
    ],
    "different": [
        ("3c07b9f", "3c07b9e2d41fa8806b5719e0c2d3f4a59687b1c0"), ("2–4 pm", "02:00-04:00"),
        ("$668.98", "$668.99"), ("$668.99", "€668.99"), ("€100", "€1000"), ("11.5 days", "11 days"),
        ("12 days", "11.5 days"), ("5 stars", "4.7 stars"), ("$1,030", "$1,034"), ("10 people", "14 people"),
        ("7.2 °C", "-7.2 °C"), ("Tuesday, March 9", "2026-03-09"), ("March 14", "2026-03-13"),
        ("March 14 at 6:30 PM", "2026-03-13T18:30:00-07:00"), ("9:30 AM UTC", "2026-03-05T09:30:00+01:00"),
        ("tomorrow", "2026-02-13"), ("in 2026", "2027-02-19"), ("BL-204518", "BL-204519"),
        ("no more than 60 days", "at least 60 days"), ("2.14.1", "2.14.2"), ("card ending in 4417", "card ending in 4471"),
        ("about 1,200 users", "1,400 users"), ("src/auth/hash.py", "src/auth/hash2.py"), ("3 km", "5 km"),
        ("half past eight", "09:30"), ("half past eight in the evening", "08:30"), ("a quarter to nine", "09:15"),
        ("400 square metres", "40 m²"), ("30 miles per hour", "30 km/h"), ("6.5°", "5.6 deg"),
        ("45 Swiss francs", "EUR 45"), ("SMBv3.1", "SMBv3.2"), ("SMBv3.1", "TLSv3.1"),
        ("a@b.example", "c@b.example"), ("1 month", "45 days"), ("10 August 2026", "2026-10-08"),
    ],
    "incomparable": [
        ("March 9", "$9"), ("5 km", "5 kg"), ("$5", "5%"), ("BL-204518", "March 9"),
        ("5 km", "90 minutes"), ("March 9 at 5 PM", "2026-03-09"), ("March 9, 2026", "in March"),
        ("Lena Brandt", "BL-204518"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"), [(c, e, m) for m, pairs in CASES.items() for c, e in pairs]
)
def test_match(claim: str, evidence: str, expected: str) -> None:
    assert compare(last(claim), last(evidence), today=TODAY) == expected


@pytest.mark.parametrize(
    ("claim", "evidence"), [pair for match in ("same", "rounded") for pair in CASES[match]]
)
def test_what_is_the_same_can_be_looked_up(claim: str, evidence: str) -> None:
    assert_found_by_lookup(last(claim), last(evidence))


def assert_found_by_lookup(claim: Value, evidence: Value) -> None:
    if claim.moment and evidence.moment:
        return
    reach = lookup_reach(claim)
    close = any(
        abs(a - b) <= max(a, b) * reach for a in lookup_sizes(claim) for b in lookup_sizes(evidence)
    )
    assert close or lookup_words(claim) & lookup_words(evidence)


def last(text: str) -> Value:
    return parse_values(text)[-1]


def test_without_the_runs_date_tomorrow_stays_open() -> None:
    assert compare(last("tomorrow"), last("2026-02-12")) == "incomparable"


def test_a_weekday_is_held_against_the_year_the_run_is_in() -> None:
    assert compare(last("Monday, March 9"), last("March 9"), today=TODAY) == "same"
    assert compare(last("Tuesday, March 9"), last("March 9"), today=TODAY) == "different"
