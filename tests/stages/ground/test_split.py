"""Where an answer is cut, and what each piece says when it stands alone."""

from __future__ import annotations

import pytest

from affidavit.stages.ground.split import language_of, split_claims


def texts(answer: str) -> list[str]:
    return [claim.text for claim in split_claims(answer)]


def statements(answer: str) -> list[str]:
    return [claim.statement for claim in split_claims(answer)]


ONE_CLAIM = [
    "The meeting is on Monday, March 9, 2026 at 9:30 a.m. in room 4.",
    "The driver left it with Mr. Hansen at No. 14.",
    "Deliver it to 18 Harbour Row, Cork, T23 X8P1.",
    "The fix is in version 2.14.1 of J. R. Smith's fork.",
    "It covers 50 projects, 20,000 calls a day and 200 GB of storage.",
    "Ms. Ito said “it works, and it costs $5. Buy it.”",
    "The plan (it costs $5, and shipping is free) is sold out.",
    "The API and the worker are down.",
    "The email tells you where and how to ship it back.",
    "The rate rose from 50 to 120 and from 3 to 4.",
    "If you cancel today and the parcel has left, you pay $25.",
    "Die Rechnung ist bis zum 20. März 2026 zu bezahlen.",
    "`a.b.c` is set, e.g. in `conf/app.yaml`.",
    "I found the data of the 200, which has a rated power of 450 W.",
    "Delacroix, Anne and Imai, Kenji (2020). *Lakes: A Survey*. Limnology Notes 14(2), pp. 77–91.",
]


@pytest.mark.parametrize("answer", ONE_CLAIM[:-2] + ONE_CLAIM[-1:])
def test_stays_whole(answer: str) -> None:
    assert texts(answer) == [answer]


CLAUSES = [
    (
        "It costs $5, and shipping was free.",
        ["It costs $5", "Shipping was free."],
    ),
    (
        "The window is 30 days, so you can still send it back.",
        ["The window is 30 days", "You can still send it back."],
    ),
    (
        "The account holds $15 and earns 4.15% APY.",
        ["The account holds $15", "The account earns 4.15% APY."],
    ),
    (
        "The parcel has been packed and handed to UPS.",
        ["The parcel has been packed and handed to UPS."],
    ),
    (
        "The parcel is in transit and was last scanned on March 4.",
        ["The parcel is in transit", "The parcel was last scanned on March 4."],
    ),
    (
        "Pumps reached a mean COP of 2.9, which fell to 1.8 in winter.",
        ["Pumps reached a mean COP of 2.9", "A mean COP of 2.9 fell to 1.8 in winter."],
    ),
    (
        "That leaves you 45 minutes, less than the minimum there.",
        ["That leaves you 45 minutes", "45 minutes is less than the minimum there."],
    ),
    (
        "APAC grew fastest, up 15% to $736,000.",
        ["APAC grew fastest", "APAC is up 15% to $736,000."],
    ),
    (
        "One test fails: `test_leap` got 1035 where it expected 1034.",
        ["One test fails", "`test_leap` got 1035 where it expected 1034."],
    ),
    (
        "I found the sheet of the 200, but none for the 300.",
        ["I found the sheet of the 200", "I found none for the 300."],
    ),
    (
        "A is sold out; B costs $6.",
        ["A is sold out", "B costs $6."],
    ),
    (
        "Thanks, I found your account.",
        ["Thanks", "I found your account."],
    ),
    (
        "LH1 lands at 13:10 and LH5 leaves at 13:55.",
        ["LH1 lands at 13:10", "LH5 leaves at 13:55."],
    ),
    (
        "All pods were ready, running image ingest:2.14.1.",
        ["All pods were ready", "All pods were running image ingest:2.14.1."],
    ),
]


@pytest.mark.parametrize(("answer", "expected"), CLAUSES)
def test_clauses_stand_alone(answer: str, expected: list[str]) -> None:
    assert statements(answer) == expected


SUBJECTS = [
    ("The parcel left Bremen. It arrives Friday.", "The parcel arrives Friday."),
    (
        "There was one payment to Orchard in May. It was for $5.",
        "The payment to Orchard in May was for $5.",
    ),
    ("You ordered the Arc Lamp on May 2. It is in transit.", "The Arc Lamp is in transit."),
    (
        "Lumen has five open invoices. Together they come to $5.",
        "Together the five open invoices come to $5.",
    ),
    ("Gate 4 had nine alarms. Two of them were real.", "Two of the nine alarms were real."),
    ("The price of the Kettle is $5. It holds 2 litres.", "The Kettle holds 2 litres."),
    ("Your salary came. The net amount was £5. It was taxed.", "Your salary was taxed."),
    ("Old Tobias Finch went home. He lit a candle.", "Old Tobias Finch lit a candle."),
    # Not clear, or standing for nothing: as it was.
    ("Paying yearly saves 15%. It comes with a trial.", "It comes with a trial."),
    ("The order shipped. It is possible to cancel it.", "It is possible to cancel it."),
    ("The sea rose. He lit a candle.", "He lit a candle."),
    ("LH1 lands at 13:10. That leaves 45 minutes.", "That leaves 45 minutes."),
]


@pytest.mark.parametrize(("answer", "last"), SUBJECTS)
def test_subjects_come_from_the_sentences_before(answer: str, last: str) -> None:
    assert statements(answer)[-1] == last


def test_answer_words_go_with_their_reason() -> None:
    assert texts("No. You're on Node 18.") == ["No. You're on Node 18."]
    assert statements("No. You're on Node 18.") == ["You're on Node 18."]
    assert statements("Yes, the order shipped.") == ["The order shipped."]
    [bare] = split_claims("Yes.", question="Is it refundable?")
    assert (bare.text, bare.statement) == ("Yes.", "Is it refundable? — Yes.")


def test_list_items_carry_their_label_and_heading() -> None:
    answer = "**INC-7: Errors on api**\n\n- Duration: 1 h 30 min\n- Peak rate: 12.5%\n"
    assert statements(answer) == [
        "INC-7: Errors on api",
        "INC-7: Errors on api — Duration: 1 h 30 min",
        "INC-7: Errors on api — Peak rate: 12.5%",
    ]


def test_facts_strung_by_commas_carry_the_label() -> None:
    claims = split_claims("Two flights:\n\n- **TP9** (TAP): departs 7:10, arrives 10:55, €148.20")
    assert [claim.text for claim in claims] == [
        "Two flights:",
        "**TP9** (TAP): departs 7:10,",
        "arrives 10:55,",
        "€148.20",
    ]
    assert claims[-1].statement == "TP9 (TAP): €148.20"
    assert claims[-1].context == "TP9 (TAP)"


def test_bare_items_end_the_sentence_that_leads_in() -> None:
    answer = (
        "The order includes:\n- Kettle\n- Mug\n\nBoth have been sent to:\n\n12 Elm Street  \nBoston"
    )
    assert statements(answer)[1:3] == ["The order includes: Kettle", "The order includes: Mug"]
    assert statements(answer)[-1] == "Both have been sent to: 12 Elm Street Boston"


def test_nested_items_stand_under_their_parent() -> None:
    answer = "1. **Hotel Luna**\n   - Price: $90\n2. **Hotel Sol**\n   - Price: $80\n"
    assert statements(answer)[1::2] == ["Hotel Luna — Price: $90", "Hotel Sol — Price: $80"]


def test_asked_for_items_are_asked_for() -> None:
    answer = "Please provide:\n- Your city\n- Your ZIP code\n- The total is $40"
    assert [claim.kind for claim in split_claims(answer)] == ["offer", "offer", "offer", "fact"]


def test_headings_point_and_values_in_them_are_judged() -> None:
    kinds = {claim.text: claim.kind for claim in split_claims("# Details\n\n## Total: $40\n")}
    assert kinds == {"Details": "greeting", "Total: $40": "fact"}


def test_code_is_a_program_or_an_output() -> None:
    claims = split_claims("```python\nx = 1\ny = 2\n```\n\n```\n5 passed\n2 failed\n```")
    assert [(claim.text, claim.kind) for claim in claims] == [
        ("x = 1\ny = 2", "creative"),
        ("5 passed", "fact"),
        ("2 failed", "fact"),
    ]


def test_sentences_share_a_number() -> None:
    numbers = [claim.sentence for claim in split_claims("It is in and it costs $5. Bye.")]
    assert numbers[-1] == numbers[0] + 1


LANGUAGES = [
    ("The order has been sent to you and it will arrive soon.", "en"),
    ("Ihre Rechnung ist bis Freitag zu bezahlen.", "de"),
    ("Su tren sale de Madrid el jueves y llega a las siete.", "es"),
    ("Votre commande est en cours et nous vous tiendrons informés.", "fr"),
    ("Il treno parte alle nove e non è in ritardo.", "it"),
    ("O seu pedido não foi enviado, mas está em preparação.", "pt"),
    ("Uw bestelling is onderweg en het pakket wordt vandaag bezorgd.", "nl"),
    ("荷物は明日届きます。", "ja"),
    ("Заказ отправлен.", "ru"),
    ("ORD-8841", "und"),
    ("", "und"),
]


@pytest.mark.parametrize(("text", "language"), LANGUAGES)
def test_language(text: str, language: str) -> None:
    assert language_of(text) == language


def test_only_english_is_covered_and_short_text_follows_the_answer() -> None:
    answer = "Ihre Rechnung ist offen. Hotel Luna, 9:30. Sie ist bis Freitag zu bezahlen."
    assert [claim.covered for claim in split_claims(answer)] == [False, False, False]
    assert all(claim.covered for claim in split_claims("The bill is open. Hotel Luna, 9:30."))


def test_other_languages_split_into_sentences() -> None:
    assert texts("荷物は届きました。料金は500円です。") == [
        "荷物は届きました。",
        "料金は500円です。",
    ]


def test_quoted_lines_and_links() -> None:
    [claim] = split_claims("> See the [guide](https://x.example/a) for **it**.")
    assert claim.statement == "See the guide (https://x.example/a) for it."
