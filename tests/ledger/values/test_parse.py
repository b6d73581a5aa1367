"""What is read from running text. A case is a text and its values, written ``kind text = normal``.

Measured things are written with number and unit, moments by their fields, the rest by their key.
"""

from __future__ import annotations

import pytest

from affidavit.ledger.values import Moment, Value, parse_values

CASES = {
    "money": {
        "It was $668.99.": ["money $668.99 = 668.99 $"],
        "1.250,40 € and 1 250,40 EUR": ["money 1.250,40 € = 1250.40 EUR",
                                        "money 1 250,40 EUR = 1250.40 EUR"],
        "CHF 1'250.40 or £12": ["money CHF 1'250.40 = 1250.40 CHF", "money £12 = 12 GBP"],
        "A$30, US$ 20, R$ 1.234,56": ["money A$30 = 30 AUD", "money US$ 20 = 20 USD",
                                      "money R$ 1.234,56 = 1234.56 BRL"],
        "12 dollars and 50 cents": ["money 12 dollars = 12 $", "money 50 cents = 0.50"],
        "raised $4.2bn after $3.8M": ["money $4.2bn = 4200000000 $", "money $3.8M = 3800000 $"],
        "5 Mio. €": ["money 5 Mio. € = 5000000 EUR"],
        "one and a half, -$524.50": ["number one and a half = 1.5", "money -$524.50 = -524.50 $"],
        "from $5-$10": ["money $5 = 5 $", "money $10 = 10 $"],
        "₹1,25,000 and ¥1,500": ["money ₹1,25,000 = 125000 INR", "money ¥1,500 = 1500 ¥"],
    },
    "percent": {
        "up 12.5%, 2 % or 3 percent": ["percent 12.5% = 12.5", "percent 2 % = 2",
                                       "percent 3 percent = 3"],
        "by 50 basis points": ["percent 50 basis points = 0.5"],
        "20–25%": ["percent 20 = 20", "percent 25% = 25"],
        "3,5 Prozent": ["percent 3,5 Prozent = 3.5"],
        "two thirds of it": ["percent two thirds = 66.66666666666666666666666667"],
    },
    "quantities": {
        "2.4 kg, 38 km/h, 450 W": ["quantity 2.4 kg = 2.4 kg",
                                   "quantity 38 km/h = 10.55555555555555555564 m/s",
                                   "quantity 450 W = 450 W"],
        "512Mi of 8 GiB": ["quantity 512Mi = 536870912 B", "quantity 8 GiB = 8589934592 B"],
        "between -7.2 °C and −2.8 °C": ["quantity -7.2 °C = -7.2 °C", "quantity −2.8 °C = -2.8 °C"],
        "72°F, 21 degrees Celsius": ["quantity 72°F = 72 °F", "quantity 21 degrees Celsius = 21 °C"],
        "between 5 and 10 km": ["quantity 5 = 5000 m", "quantity 10 km = 10000 m"],
        "max. flow 3,200 l/h": ["quantity 3,200 l/h = 3200 l/h"],
    },
    "durations": {
        "It took 1 h 30 min.": ["duration 1 h 30 min = 5400 s"],
        "2 hours and 15 minutes": ["duration 2 hours and 15 minutes = 8100 s"],
        "a two-week or 14-day trial": ["duration two-week = 1209600 s", "duration 14-day = 1209600 s"],
        "12 months, 2 years": ["duration 12 months = 12 month", "duration 2 years = 24 month"],
        "half an hour, an hour and a half": ["duration half an hour = 1800 s",
                                             "duration an hour and a half = 5400 s"],
        "innerhalb von 10 Tagen": ["duration 10 Tagen = 864000 s"],
        "2h 15m, 3m 42s": ["duration 2h 15m = 8100 s", "duration 3m 42s = 222 s"],
        "310 ms": ["duration 310 ms = 0.310 s"],
    },
    "numbers": {
        "five nights, 20,000 API calls a day": ["number five = 5 night",
                                                "number 20,000 = 20000 api call", "name API = api"],
        "nine open incidents": ["number nine = 9 open incident"],
        "7–9 people": ["number 7 = 7 person", "number 9 = 9 person"],
        "two hundred and fifty-one units": ["number two hundred and fifty-one = 251 unit"],
        "one of them, the other one, no one": [],
        "Line 18 and page 3": ["number 18 = 18", "number 3 = 3"],
        "sources [1] and [12]": [],
        "1) First\n2) Second": [],
        "1.6 million users": ["number 1.6 million = 1600000 user"],
        "nearly 5k": ["number 5k = 5000"],
        "Zwei Zimmer für drei Nächte": ["number Zwei = 2", "number drei = 3"],
        "12.500 Kunden für die Firma": ["number 12.500 = 12500"],
        "52.1, 4.26": ["number 52.1 = 52.1", "number 4.26 = 4.26"],
    },
    "dates": {
        "on Monday, March 9, 2026": ["moment Monday, March 9, 2026 = 2026-3-9 mon"],
        "9 March 2026 / 20. März 2026": ["moment 9 March 2026 = 2026-3-9",
                                         "moment 20. März 2026 = 2026-3-20"],
        "el jueves 9 de abril a las 16:30": ["moment jueves 9 de abril a las 16:30 = 4-9 thu 16:30"],
        "le 3 mars 2026": ["moment 3 mars 2026 = 2026-3-3"],
        "A-2 of May 28": ["identifier A-2 = a2", "moment May 28 = 5-28"],
        "Room B-12 March 3": ["identifier B-12 = b12", "moment March 3 = 3-3"],
        "the 3rd of May 12 people": ["moment 3rd of May = 5-3", "number 12 = 12 person"],
        "March 5, 2026 at 9:30 AM UTC": ["moment March 5, 2026 at 9:30 AM UTC = 2026-3-5 09:30+0"],
        "Friday, March 13 at 6:30 PM.": ["moment Friday, March 13 at 6:30 PM = 3-13 fri 18:30"],
        "2026-03-13T18:30:00-07:00": ["moment 2026-03-13T18:30:00-07:00 = 2026-3-13 18:30:00-420"],
        "2026-03-03 14:12": ["moment 2026-03-03 14:12 = 2026-3-3 14:12"],
        "sent Fri 4/17, due by 25/12": ["moment Fri 4/17 = 4-17 fri", "moment 25/12 = 12-25"],
        "it sat 3/4 of the day": ["number 3 = 3", "number 4 = 4"],
        "done by 3/9": ["moment 3/9 = 3-9 swappable"],
        "3/4 of it after 1/2": ["number 3 = 3", "number 4 = 4", "number 1 = 1", "number 2 = 2"],
        "on 03/09/2026": ["moment 03/09/2026 = 2026-3-9 swappable"],
        "on 20.03.2026": ["moment 20.03.2026 = 2026-3-20"],
        "from June 27 to July 2": ["moment June 27 = 6-27", "moment July 2 = 7-2"],
        "from 10 to 13 July 2026": ["moment 10 = 2026-7-10", "moment 13 July 2026 = 2026-7-13"],
        "May 5-7, 2026": ["moment May 5 = 2026-5-5", "moment 7, 2026 = 2026-5-7"],
        "in February 2026": ["moment February 2026 = 2026-2"],
        "your February salary": ["moment February = 2"],
        "You may march on.": [],
        "tomorrow, Thursday, February 12": ["moment tomorrow, Thursday, February 12 = 2-12 thu day+1"],
        "in 2027, Q1 2026, 2025-Q4": ["moment 2027 = 2027", "moment Q1 2026 = 2026 Q1",
                                      "moment 2025-Q4 = 2025 Q4"],
        "on May 14:": ["moment May 14 = 5-14"],
        "4. Set up a return": [],
    },
    "times": {
        "from 7:30 to 10:00": ["moment 7:30 = 07:30", "moment 10:00 = 10:00"],
        "6 pm, 5:00 p.m. EST": ["moment 6 pm = 18:00", "moment 5:00 p.m. EST = 17:00-300"],
        "um 16.30 Uhr": ["moment 16.30 Uhr = 16:30"],
        "à 16h30 ou à 14 h 30": ["moment 16h30 = 16:30", "moment 14 h 30 = 14:30"],
        "at 03:17:42 UTC": ["moment 03:17:42 UTC = 03:17:42+0"],
        "kl. 14.00": ["moment 14.00 = 14:00"],
        "at noon": ["moment noon = 12:00"],
    },
    "identifiers": {
        "order BL-204518 (#W2378156)": ["identifier BL-204518 = bl204518",
                                        "identifier #W2378156 = w2378156"],
        "acc_chk_01, E2077, 1Z84E5170391127745": ["identifier acc_chk_01 = accchk01",
            "identifier E2077 = e2077", "identifier 1Z84E5170391127745 = 1z84e5170391127745"],
        "item 8069050545": ["identifier 8069050545 = 8069050545"],
        "commit 4f2c9ab": ["identifier 4f2c9ab = 4f2c9ab"],
        "your Visa card ending in 4417": ["name Visa = visa", "identifier 4417 = *4417"],
        "order no. 8841-20, pp. 77–91": ["identifier 8841-20 = 884120", "number 77 = 77",
                                         "number 91 = 91"],
        "confirmation code is QXTMAB": ["identifier QXTMAB = qxtmab"],
        "agronomy-2025-11 and 2026-W09": ["identifier agronomy-2025-11 = agronomy202511",
                                          "identifier 2026-W09 = 2026w09"],
        "doi 10.5281/ln.2020.1402": ["identifier 10.5281/ln.2020.1402 = 105281ln20201402"],
        "chalk 5.3.0, v2.1": ["version 5.3.0 = 5.3.0", "version v2.1 = 2.1"],
        "image ingest:2.14.1": ["version 2.14.1 = 2.14.1"],
    },
    "addresses": {
        "join at https://meet.example/j/88213370.": [
            "url https://meet.example/j/88213370 = meet.example/j/88213370"],
        "write to Dana.W@brisk-mail.example": [
            "email Dana.W@brisk-mail.example = dana.w@brisk-mail.example"],
        "call +1-503-555-0148 or (503) 555-0148": ["phone +1-503-555-0148 = 15035550148",
                                                   "phone (503) 555-0148 = 5035550148"],
        "see src/auth/hash.py:22 and /etc/hosts": ["path src/auth/hash.py = src/auth/hash.py",
            "number 22 = 22", "path /etc/hosts = /etc/hosts"],
        "pick a size/color/material": [],
        "either and/or both, 38 m/s": ["quantity 38 m/s = 38 m/s"],
        "ask @rmenon": ["handle @rmenon = @rmenon"],
    },
    "East Asian text": {
        "ご注文番号JP-4412の合計は¥12,800です。3月9日14時30分に届きます。": [
            "identifier JP-4412 = jp4412", "money ¥12,800 = 12800 ¥",
            "moment 3月9日14時30分 = 3-9 14:30"],
        "您的订单CN-7781总计1,299.00元，将于2026年3月9日送达，共3个月": ["identifier CN-7781 = cn7781",
            "money 1,299.00元 = 1299 CNY", "moment 2026年3月9日 = 2026-3-9",
            "duration 3个月 = 3 month"],
    },
    "quoted": {
        "saved as “The Voice at Skerry Point”.": [
            "quoted The Voice at Skerry Point = the voice at skerry point"],
        "`src/a.py` calls `legacy_hash` with `math.ceil`": ["path src/a.py = src/a.py",
            "identifier legacy_hash = legacyhash", "quoted math.ceil = math ceil"],
        "he said “a refund within 5 days”": ["duration 5 days = 432000 s"],
        "Reply “yes” to confirm": [],
    },
    "names": {
        "a cabin, Koča Smreka, near Bled": ["name Koča Smreka = koca smreka", "name Bled = bled"],
        "two TAP Air Portugal seats": ["number two = 2", "name TAP Air Portugal = tap air portugal"],
        "for the Kestrel 3-Person Tent": ["name Kestrel 3-Person Tent = kestrel 3 person tent"],
        "at the Bank of America in New York": ["name Bank = bank", "name America = america",
                                               "name New York = new york"],
        "by Ludwig van Beethoven": ["name Ludwig van Beethoven = ludwig van beethoven"],
        "en el Hotel Miramar de Valencia": ["name Hotel Miramar = hotel miramar",
                                            "name Valencia = valencia"],
        "his BMI 24.3": ["name BMI = bmi", "number 24.3 = 24.3"],
        "Delivery is free. Both arrived.": [],
        "the AquaJet 300 in room 204": ["name AquaJet 300 = aquajet 300", "number 204 = 204"],
        "ask for Lena Brandt's ticket": ["name Lena Brandt = lena brandt"],
        "- Order Total: free": [],
        "changing Address Line 2": ["number 2 = 2"],
        "b) Cancel it, or (c) Proceed": [],
        "1) Pending Order #W3295833": ["identifier #W3295833 = w3295833"],
        r"Done:\n\nPlease reply to Elif": ["name Elif = elif"],
        "Your Rainy Day account": ["name Rainy Day = rainy day"],
        "Ihre Rechnung ist mit der Karte bezahlt": [],
        "Das Hotel Miralago ist für Sie gebucht": ["name Hotel Miralago = hotel miralago"],
        "Yes, I've told Elif.": ["name Elif = elif"],
        "CPU and SSO by UPS": ["name CPU = cpu", "name SSO = sso", "name UPS = ups"],
        "read Rosa Field's Grey Harbour": ["name Rosa Field = rosa field", "name Grey Harbour = grey harbour"],
        "the Breeze 40 costs more": ["name Breeze 40 = breeze 40"],
        "Booked Hotel Miramar": ["name Hotel Miramar = hotel miramar"],
        "Across 40 is none": ["number 40 = 40"],
    },
}  # fmt: skip

WEEKDAYS = "mon tue wed thu fri sat sun".split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(t, e, id=f"{group}: {t[:40]}")
        for group, c in CASES.items()
        for t, e in c.items()
    ],
)
def test_values_of_a_text(text: str, expected: list[str]) -> None:
    assert [f"{v.kind} {v.text} = {normal(v)}".rstrip() for v in parse_values(text)] == expected


def normal(value: Value) -> str:
    if value.moment is not None:
        return spell(value.moment)
    if value.number is None:
        return value.key
    number = (
        value.number.quantize(1)
        if value.number == value.number.to_integral_value()
        else (value.number)
    )
    shown = str(number) if value.unit in ("$", "EUR", "BRL", "CHF", "") else f"{number:f}"
    shown = shown if value.kind != "percent" else f"{number.normalize():f}"
    return f"{shown} {value.unit}".rstrip()


def spell(m: Moment) -> str:
    date = "-".join(str(n) for n in (m.year, m.month, m.day) if n is not None)
    clock = ""
    if m.clock is not None:
        clock = m.clock.strftime("%H:%M:%S" if m.seconds_given else "%H:%M")
        clock += "" if m.offset is None else f"{m.offset:+d}"
    parts = [
        date,
        f"Q{m.quarter}" if m.quarter else "",
        WEEKDAYS[m.weekday] if m.weekday is not None else "",
        clock,
        f"day{m.relative_days:+d}" if m.relative_days is not None else "",
        "swappable" if m.swappable else "",
    ]
    return " ".join(part for part in parts if part)


HEDGES = {
    "about 1,200 users": ("approx", ""),
    "~5 km": ("approx", ""),
    "nearly $200": ("approx", "max"),
    "at least 60 days": ("", "min"),
    "a minimum of 5 seats": ("", "min"),
    "rates from €164": ("", "min"),
    "20 or more": ("", "min"),
    "up to 50 projects": ("", "max"),
    "no more than 60 days": ("", "max"),
    "within 30 days": ("", "max"),
    "mindestens 2 Personen": ("", "min"),
    "bis zu 5 km": ("", "max"),
    "over 24 hours": ("", ""),
    "exactly 5 km": ("", ""),
}


@pytest.mark.parametrize(("text", "hedge"), HEDGES.items())
def test_hedges_and_bounds(text: str, hedge: tuple[str, str]) -> None:
    (value,) = parse_values(text)
    assert ("approx" if value.approx else "", value.bound) == hedge


def test_an_ambiguous_mark_keeps_both_readings() -> None:
    (value,) = parse_values("1.250")
    assert {str(value.number), str(value.other)} == {"1.250", "1250"}
