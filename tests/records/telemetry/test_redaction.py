"""Personal data is found, and what only looks like it is left."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.records.telemetry import redact

PERSONAL = {
    "Write to Ida.Holm+shop@mail.example.co.uk today.": "Write to [e-mail] today.",
    "Call +49 30 1234567 or (415) 555-2671.": "Call [phone] or [phone].",
    "Phone: 030 1234567": "Phone: [phone]",
    "Card 4111 1111 1111 1111, exp 12/29": "Card [card], exp 12/29",
    "card 378282246310005.": "card [card].",
    "IBAN DE89 3704 0044 0532 0130 00": "IBAN [bank account]",
    "GB82WEST12345698765432 is mine": "[bank account] is mine",
    "SSN 123-45-6789": "SSN [ssn]",
    "from 192.168.0.17 and 2001:db8:85a3::8a2e:370:7334": "from [ip] and [ip]",
    '{"email": "a@b.io", "card": "5555-5555-5555-4444"}': '{"email": "[e-mail]", "card": "[card]"}',
}
NOT_PERSONAL = [
    "Order 4111111111111112 costs $24.50.",  # fails the check digit of a card
    "Version 1.2.3, ticket RJ-3107, 2026-11-21 at 12:38:50.",
    "It is 1,250,000 km away; 45% of 12.5 kg.",
    "DE89370400440532013001 fails its check digits.",
    "999.999.999.999 is no address.",
    "SKU 000-12-3456",
    "",
]


@pytest.mark.spec("AFF-1303")
@pytest.mark.parametrize("text", PERSONAL)
def test_personal_data_is_replaced_by_what_it_was(text: str) -> None:
    assert redact(text) == PERSONAL[text]


@pytest.mark.parametrize("text", NOT_PERSONAL)
def test_what_only_looks_like_it_is_left(text: str) -> None:
    assert redact(text) == text


@given(
    before=st.text(max_size=30),
    after=st.text(max_size=30),
    datum=st.sampled_from(["ida@example.com", "4111 1111 1111 1111", "+49 30 1234567"]),
)
@settings(max_examples=200)
def test_it_is_found_wherever_it_stands(before: str, after: str, datum: str) -> None:
    assert datum not in redact(f"{before} {datum} {after}")


@given(st.text(max_size=200))
@settings(max_examples=200)
def test_any_text_can_be_redacted_and_a_second_time_changes_nothing(text: str) -> None:
    once = redact(text)
    assert redact(once) == once
