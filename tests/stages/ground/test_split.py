"""Where an answer is cut, and what each piece says when it stands alone."""

from __future__ import annotations

import pytest

from affidavit.stages.ground.split import language_of, split_claims
from affidavit.stages.ground.split.kinds import EXEMPT


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
    "It costs $5, and shipping was free.",
    "LH1 lands at 13:10 and LH5 leaves at 13:55.",
    "We close at 5 p.m. on Friday.",
    "Das Büro ist im 3. Stock.",
]


@pytest.mark.parametrize("answer", ONE_CLAIM)
def test_stays_whole(answer: str) -> None:
    assert texts(answer) == [answer]


PARTED = [
    ("It costs $5. Shipping was free.", ["It costs $5.", "Shipping was free."]),
    ("A is sold out; B costs $6.", ["A is sold out;", "B costs $6."]),
    ("The ferry sails at 6:15 PM. You'll board at pier 3.", ["The ferry sails at 6:15 PM.", "You'll board at pier 3."]),
    ("Doors shut at 9 p.m. Bring a ticket.", ["Doors shut at 9 p.m.", "Bring a ticket."]),
    ("The median is 367 ms. There was one outlier.", ["The median is 367 ms.", "There was one outlier."]),
    ("It was painted by Mr. Dunn. He died young.", ["It was painted by Mr. Dunn.", "He died young."]),
    ('The set lasts 90 minutes. "Low Tide" is the longest piece.',
     ["The set lasts 90 minutes.", '"Low Tide" is the longest piece.']),
    ("The room seats 40. (Standing guests are not counted.) Doors open at 7.",
     ["The room seats 40.", "(Standing guests are not counted.)", "Doors open at 7."]),
    ("Account check\nI found two charges.", ["Account check", "I found two charges."]),
    ("Name: Ann\nCity: Cork", ["Name: Ann", "City: Cork"]),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "expected"), PARTED)
def test_sentences_are_parted(answer: str, expected: list[str]) -> None:
    assert texts(answer) == expected


def test_a_bare_answer_says_yes_to_the_question() -> None:
    [bare] = split_claims("Yes.", question="Is it refundable?")
    assert (bare.text, bare.kind) == ("Yes.", "fact")
    assert bare.statement == "Is it refundable? — Yes."


def test_list_items_carry_their_label_and_heading() -> None:
    answer = "**INC-7: Errors on api**\n\n- Duration: 1 h 30 min\n- Peak rate: 12.5%\n"
    assert statements(answer) == [
        "INC-7: Errors on api",
        "INC-7: Errors on api — Duration: 1 h 30 min",
        "INC-7: Errors on api — Peak rate: 12.5%",
    ]


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
    assert [c.kind in EXEMPT for c in split_claims(answer)] == [True, True, True, False]


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
    numbers = [claim.sentence for claim in split_claims("| a | b |\n|---|---|\n| c | 4 |\n\nBye.")]
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
