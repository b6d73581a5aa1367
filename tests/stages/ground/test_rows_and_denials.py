"""Values of another row than the rest, and denials: each with a twin that is right. The model has no
opinion unless a case says so, so that the exact checks decide."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from affidavit import Detector, read_run
from affidavit.report import ClaimVerdict
from affidavit.testing import FixedEntailment

BOATS = {
    "hire_id": "#H4410",
    "status": "pending",
    "address": {"street": "12 Quay Road", "town": "Oban", "region": "AB", "postcode": "34410"},
    "boats": [
        {"name": "Kayak", "boat_id": "880114", "price": 53.4, "fit": {"length": "14 ft", "hull": "plastic", "color": "red"}},
        {"name": "Canoe", "boat_id": "880227", "price": 61.9, "fit": {"length": "16 ft", "hull": "cedar", "color": "green"}},
    ],
    "payment": [{"amount": 115.3, "method": "card_7120"}],
}  # fmt: skip
OTHER = {
    "hire_id": "#H5521",
    "status": "returned",
    "address": {"street": "3 Mill Lane", "town": "Ayr", "region": "SA", "postcode": "55219"},
    "boats": [
        {"name": "Dinghy", "boat_id": "880339", "price": 88.1, "fit": {"length": "11 ft", "hull": "grp", "color": "blue"}},
    ],
    "payment": [{"amount": 88.1, "method": "card_7120"}],
    "refund_items": None,
    "back_rest": None,
}  # fmt: skip
RULES = (
    "Returns of deposits\nA deposit is paid back to the card within 5 to 7 working days. "
    "Only pending hires can be changed. A hire can not be changed twice."
)


@dataclass(frozen=True)
class Case:
    """An answer, the words of it that a claim is picked by, and what must become of that claim."""

    name: str
    answer: str
    says: str
    status: str
    decided_by: str | None = None


CASES = [
    # what one breath says is of one row
    Case("one row", "The kayak (14 ft, plastic, red) costs $53.40.", "14 ft", "supported"),
    Case("another's length", "The kayak (11 ft, plastic, red) costs $53.40.", "11 ft", "contradicted", "mixtures"),
    Case("another's price", "Kayak, price: $88.10, 14 ft, plastic", "$88.10", "contradicted"),
    Case("two rows in one breath", "The kayak (14 ft) is $53.40 and the canoe (16 ft) is $61.90.", "14 ft", "supported"),
    Case("another's postcode", "It is at 12 Quay Road, Oban, AB 55219.", "55219", "contradicted"),
    Case("its own postcode", "It is at 12 Quay Road, Oban, AB 34410.", "34410", "supported"),
    # a list of fields is one breath
    Case("fields", "- Name: Canoe\n- Length: 16 ft\n- Hull: cedar\n- Price: $61.90", "$61.90", "supported"),
    Case("a field of another", "- Name: Canoe\n- Length: 11 ft\n- Hull: cedar\n- Price: $61.90", "11 ft", "contradicted", "mixtures"),
    Case("a number of another", "- **Boat ID**: 880339\n- **Length**: 16 ft\n- **Hull**: cedar", "880339", "contradicted", "mixtures"),
    # a number beside a name
    Case("its number", "I have looked at the canoe (boat ID: 880227).", "880227", "supported"),
    Case("another's number", "I have looked at the canoe (boat ID: 880114).", "880114", "contradicted", "attributes"),
    # what was spoken of last
    Case("that hire", "Hire #H4410 is pending. The total of that hire is $115.30.", "$115.30", "supported"),
    Case("not that hire", "Hire #H4410 is pending. The total of that hire is $88.10.", "$88.10", "contradicted"),
    Case("the same sentence", "The status of hire #H4410 is pending, and a total of $88.10 was charged to card_7120.", "$88.10", "contradicted"),
    # what is said not to be
    Case("is not its state", "The status of hire #H4410 is not “pending”.", "not", "contradicted"),
    Case("is not its price", "The price of the canoe (16 ft, cedar) is not $61.90.", "$61.90", "contradicted"),
    # ends of a range, and times that are no other numbers
    Case("range", "A deposit is paid back to the card within 5 to 7 working days.", "5 to 7", "supported"),
    Case("range moved", "A deposit is paid back to the card within 7 to 9 working days.", "7", "contradicted"),
    Case("range stretched", "A deposit is paid back to the card within 5-16 working days.", "16", "unsupported"),
    # absences in the most general of words
    Case("no boats at all", "I could not find any boats in the records.", "boats", "contradicted", "absence"),
    Case("nulls are of their own words", "A deposit can not go back to the card.", "back", "unsupported"),
]  # fmt: skip


def claim_of(answer: str, says: str) -> ClaimVerdict:
    results = {"get_hire_a": BOATS, "get_hire_b": OTHER, "get_rules": RULES}
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "Please look up #H4410 and #H5521."}
    ]
    for n, (name, result) in enumerate(results.items()):
        tool = name.removesuffix("_a").removesuffix("_b")
        use = {"type": "tool_use", "id": f"c{n}", "name": tool, "input": {}}
        content = result if isinstance(result, str) else json.dumps(result)
        told = {"type": "tool_result", "tool_use_id": f"c{n}", "content": content}
        messages += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [told]}]
    messages.append({"role": "assistant", "content": answer})
    report = Detector(entailment=FixedEntailment()).check(read_run({"messages": messages}))
    at = answer.index(says)
    return next(c for c in report.claims if c.start <= at < c.end)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_claim(case: Case) -> None:
    claim = claim_of(case.answer, case.says)
    assert claim.status == case.status, claim.explanation
    if case.decided_by:
        assert claim.decided_by == case.decided_by, claim.explanation
