"""Where money goes, by what a call was told, what the user chose and how the thing was paid; the model has
no opinion, so that the exact check decides."""

from __future__ import annotations

import json
from typing import Any

import pytest

from affidavit import Detector, read_run
from affidavit.report import ClaimVerdict
from affidavit.testing import FixedEntailment

ORDER = {
    "order_id": "K-301",
    "status": "delivered",
    "items": [{"name": "Kettle", "item_id": "55017"}, {"name": "Tray", "item_id": "55018"}],
    "payment_history": [{"amount": 61.5, "payment_method_id": "paypal_881"}],
}
GUEST = {
    "user_id": "u_12",
    "payment_methods": {
        "paypal_881": {"source": "paypal", "id": "paypal_881"},
        "gift_card_40": {"source": "gift_card", "id": "gift_card_40", "balance": 15},
        "credit_card_7": {"source": "credit_card", "id": "credit_card_7"},
    },
}
RULE = "A refund goes to the original payment method."
TOOLS = ("get_user", "get_order", "return_items")


def claim_of(answer: str, *, user: str, told: str = "", rule: str = "") -> ClaimVerdict:
    """The first claim of an answer, after a return to the payment method ``told`` where one is given."""
    calls: list[tuple[str, dict[str, Any], Any]] = [
        ("get_user", {"user_id": "u_12"}, GUEST),
        ("get_order", {"order_id": "K-301"}, ORDER),
    ]
    if told:
        arguments = {"order_id": "K-301", "item_ids": ["55017"], "payment_method_id": told}
        calls.append(("return_items", arguments, {**ORDER, "status": "return requested"}))
    asked = f"I am u_12, and this is about order K-301, item 55017. {user}"
    messages: list[dict[str, Any]] = [{"role": "user", "content": asked}]
    for n, (tool, arguments, result) in enumerate(calls):
        use = {"type": "tool_use", "id": f"c{n}", "name": tool, "input": arguments}
        content = {"type": "tool_result", "tool_use_id": f"c{n}", "content": json.dumps(result)}
        messages += [
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": [content]},
        ]
    messages.append({"role": "assistant", "content": answer})
    tools = [{"name": tool, "input_schema": {"type": "object"}} for tool in TOOLS]
    run = read_run({"system": rule, "messages": messages, "tools": tools})
    return Detector(entailment=FixedEntailment()).check(run).claims[0]


TO_PAYPAL = "The refund will go back to your PayPal account."
TO_GIFT_CARD = "The refund will go back to your gift card."


@pytest.mark.parametrize(
    ("answer", "user", "told", "rule", "status"),
    [
        (TO_GIFT_CARD, "Return it.", "gift_card_40", "", "supported"),
        (TO_PAYPAL, "Return it.", "gift_card_40", "", "contradicted"),
        (TO_GIFT_CARD, "Return the kettle, to my gift card please.", "", "", "supported"),
        (TO_GIFT_CARD, "Return the kettle, to my gift card or PayPal.", "", "", "unsupported"),
        (TO_PAYPAL, "Return the kettle.", "", RULE, "supported"),
        (TO_GIFT_CARD, "Return the kettle.", "", RULE, "unsupported"),
        (TO_PAYPAL, "Return the kettle.", "", "", "unsupported"),
    ],
    ids=["told", "told otherwise", "chosen", "not yet chosen", "paid so", "not paid so", "no rule"],
)
def test_destination(answer: str, user: str, told: str, rule: str, status: str) -> None:
    claim = claim_of(answer, user=user, told=told, rule=rule)
    assert claim.status == status, claim.explanation
    if status != "unsupported":
        assert claim.decided_by == "destinations"


def test_when_it_goes_there_is_more_than_where() -> None:
    answer = "The refund goes to your gift card once a carrier has scanned it."
    claim = claim_of(answer, user="Return the kettle.", told="gift_card_40")
    assert claim.status == "unsupported", claim.explanation
