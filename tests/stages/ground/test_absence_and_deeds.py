"""What is not there, what was left alone and what was done, each with a twin that is wrong. The model has
no opinion, so that the exact checks decide."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from affidavit import Detector, read_run
from affidavit.report import ClaimVerdict
from affidavit.testing import FixedEntailment

MEMBER = {"member_id": "m_7701", "name": "Ines Roth", "loans": ["L1004", "L2008"]}
LOAN_1 = {
    "loan_id": "L1004",
    "status": "overdue",
    "due_date": "2026-03-02",
    "items": [
        {"title": "Dune", "copy_id": "C55110", "binding": "paperback"},
        {"title": "Emma", "copy_id": "C55221", "binding": "hardback"},
        {"title": "Sea Atlas", "copy_id": "C55332", "binding": "hardback"},
    ],
}
LOAN_2 = {
    "loan_id": "L2008",
    "status": "active",
    "due_date": "2026-03-20",
    "items": [{"title": "Walden", "copy_id": "C66110"}],
}
COPIES = {
    "title": "Walden",
    "copies": [
        {"copy_id": "C66110", "print": "large print", "binding": "paperback", "available": False, "deposit": 12.5},
        {"copy_id": "C66221", "print": "small print", "binding": "paperback", "available": True, "deposit": 8.0},
        {"copy_id": "C66332", "print": "small print", "binding": "hardback", "available": True, "deposit": 15.0},
    ],
}  # fmt: skip
RENEWED = {"loan_id": "L2008", "status": "renewed", "due_date": "2026-04-17"}
RULES = "There is no fee for a renewal. Loans can be renewed once."
TOOLS = ("find_member_by_card", "get_loan", "list_copies", "renew_loan", "cancel_hold")


@dataclass(frozen=True)
class Case:
    """An answer, the words of it that a claim is picked by, and what must become of that claim."""

    name: str
    answer: str
    says: str
    status: str
    decided_by: str | None = None


CASES = [
    # over the state of every row that was read
    Case("none in a state", "There are no reserved loans.", "reserved", "supported", "none_in_state"),
    Case("one in that state", "There are no overdue loans.", "overdue", "contradicted", "none_in_state"),
    Case("one of two states", "I see no reserved or overdue loans.", "overdue", "contradicted", "none_in_state"),
    Case("the state it was in before", "There are no active loans.", "active", "supported", "none_in_state"),
    Case("a rule of that state", "No reserved loans can be renewed.", "reserved", "unsupported"),
    # over the marks of every row of a list
    Case("none such", "No large print copies are available.", "large", "supported", "none_such"),
    Case("there is such", "No small print copies are available.", "small", "unsupported"),
    Case("none of something else", "No refunds are available for large print.", "refunds", "unsupported"),
    Case("none on that side", "None available under $8 at the moment.", "under", "supported", "none_such"),
    Case("some on that side", "None available under $10 at the moment.", "under", "unsupported"),
    # what a list of lacking things names
    Case("no such field", "What I don't see in our system:\n- Shelf mark\n- Fine so far", "Shelf", "supported", "absence"),
    Case("a field called so", "What I don't see in our system:\n- Due date\n- Fine so far", "Due", "unsupported"),
    Case("not given", "Copy C66110 is a paperback. Colour: not specified for this copy.", "Colour", "supported", "absence"),
    Case("given after all", "Copy C66110 is a paperback. Print: not specified for this copy.", "Print", "contradicted"),
    Case("no list of what is lacking", "Prints of Walden:\n- Braille: out of stock\n- Small: in stock", "Braille", "unsupported"),
    # a lookup that says itself that there is none
    Case("not found", "I'm still not finding a member under card 40021.", "not finding", "supported", "absence"),
    # what no call changed
    Case("nothing else", "Loan L2008 is renewed. No other changes were made.", "No other", "supported", "unchanged"),
    Case("in few words", "Loan L2008 is renewed. No other changes to your loans.", "No other", "supported", "unchanged"),
    Case("nothing there is no change", "There are no items.", "no items", "contradicted", "absence"),
    Case("this one stays", "Loan L1004 remains unchanged.", "unchanged", "supported", "unchanged"),
    Case("that one did not", "Loan L2008 remains unchanged.", "unchanged", "contradicted", "unchanged"),
    Case("the rest stays", "I've renewed loan L2008, and your other loans remain as they are.", "remain", "supported", "unchanged"),
    # deeds as nouns
    Case("submitted", "The renewal request was submitted.", "submitted", "supported", "actions"),
    Case("never submitted", "The cancellation request was submitted.", "submitted", "contradicted", "actions"),
    Case("in progress", "Your renewal is being processed.", "being", "supported", "actions"),
    Case("all of them", "All your renewals are now complete.", "complete", "supported", "actions"),
    Case("none of them", "Both cancellations are now complete.", "complete", "contradicted", "actions"),
    Case("by a code", '{"status": "renewal_submitted", "loan_id": "L2008"}', "renewal_submitted", "supported", "actions"),
    Case("by a wrong code", '{"status": "cancellation_submitted", "loan_id": "L2008"}', "cancellation_submitted", "contradicted", "actions"),
    Case("verified", '{"verified": true, "loan_id": "L2008"}', "verified", "supported", "actions"),
    Case("completed", "Renewal completed.", "Renewal", "supported", "actions"),
    # nothing but what one row has
    Case("one row's marks", "Copies of Walden:\n- small print, hardback\n- large print, paperback", "small", "supported", "mixtures"),
    # what is promised to nobody, and what no tool does
    Case("no promise", "I cannot guarantee that a copy comes back in time.", "guarantee", "supported"),
    Case("no tool does it", "I can't print labels and cannot expedite it.", "expedite", "supported", "limits"),
    Case("nobody's limit but its own", "The library lends in town but cannot ship to Norway.", "Norway", "unsupported"),
    Case("no system does it", "Our system doesn't support lending e-books.", "lending", "supported", "limits"),
    Case("some tool does it", "Renewing a loan isn't supported.", "Renewing", "unsupported"),
    Case("none does it to that", "Cancelling a loan isn't supported.", "Cancelling", "supported", "limits"),
    Case("a rule that nobody made", "Loans cannot be transferred to another member.", "transferred", "unsupported"),
    # what records are silent about
    Case("a field that is not there", "No shelf number is recorded for this copy.", "shelf", "supported", "absence"),
    Case("a field that is", "No due date is recorded for loan L1004.", "due date", "unsupported"),
    Case("a silent system", "The system did not flag any delays.", "delays", "supported", "absence"),
    # two sides of a change
    Case("each side its own", '{"changes": [{"from_copy_id": "C66110", "to_copy_id": "C66221", "to_deposit": 8.0}]}', '"to_deposit', "supported", "values"),
    Case("the other side's", '{"changes": [{"from_copy_id": "C66110", "to_copy_id": "C66221", "to_deposit": 12.5}]}', '"to_deposit', "contradicted", "values"),
    # states told by true, and success of no deed in particular
    Case("true to its state", '{"loan_id": "L1004", "overdue": true}', '"overdue', "supported", "flags"),
    Case("another's state", '{"loan_id": "L2008", "overdue": true}', '"overdue', "unsupported"),
    Case("went well", '{"result": "success", "loan_id": "L2008"}', "success", "supported", "actions"),
    Case("an operation", '{"actions": [{"type": "renew_loan", "loan_id": "L2008"}]}', "renew_loan", "supported"),
    Case("no such operation", '{"actions": [{"type": "cancel_hold", "loan_id": "L2008"}]}', "cancel_hold", "contradicted", "actions"),
    # sums of things named together
    Case("added up", "Copy C66110 + copy C66221: $20.50", "$20.50", "supported", "derived"),
    Case("added up wrongly", "Copy C66110 + copy C66221: $21.50", "$21.50", "unsupported"),
    # parts of one list, of which the claim names the first
    Case("parts", "Loan L1004 includes Dune, Emma, plus a Sea Atlas.", "Dune", "supported", "parts"),
    Case("as many", "Loan L1004 includes Dune, two hardbacks.", "hardbacks", "supported", "parts"),
    Case("fewer", "Loan L1004 includes Dune, three hardbacks.", "hardbacks", "unsupported"),
    Case("parts of another", "Loan L1004 includes Dune and Walden.", "Dune", "contradicted", "parts"),
    # what the rows of a list may be
    Case("choices", "Bindings: paperback, hardback", "paperback", "supported", "choices"),
    Case("no such choice", "Prints: large print, small print, braille", "large", "unsupported", "choices"),
    # what a superlative ranges over
    Case("of those", "The lowest deposit that is available is $8.00.", "$8.00", "supported"),
    Case("not of those", "The highest deposit that is available is $12.50.", "$12.50", "contradicted"),
    # a sentence of the rules, contracted
    Case("contracted", "There's no fee for a renewal.", "fee", "supported", "quotes"),
    # a state that is in no table, in its own word
    Case("its own word", "Loan L2008 is renewed now.", "renewed", "supported"),
    # of several rows of one field, the one that is named
    Case("its flag, labelled", "Copy C66110: large print, available: no.", "available", "supported", "flags"),
    Case("another's, labelled", "Copy C66221: small print, available: no.", "available", "contradicted", "flags"),
    Case("its flag", "Copy C66110 is not available.", "not available", "supported", "flags"),
    Case("another's flag", "Copy C66221 is not available.", "not available", "contradicted", "flags"),
    # what a datum tells with which one it is
    Case("which one", '{"loan": "active loan (L2008)"}', "active loan", "supported"),
    Case("which one, wrongly", '{"loan": "active loan (L9009)"}', "active loan", "contradicted"),
]  # fmt: skip
EXEMPT = [
    "Nothing will be changed until you confirm.",
    "I won't touch your other loans unless you ask.",
    "Per your instruction, I will skip any copies that aren't available.",
    "Could you do one of these: 1) confirm your card, 2) share your email, or 3) tell me your town?",
    "If the deposit exceeds $20.00, may I use your card on file?",
    '{"status": "awaiting_confirmation"}',
    "It should look like L0000.",
    "With your confirmation, submit the renewal.",
    '{"topic": "Renewal of a loan"}',
    "I'll look up the loan, and then find copies for you.",
    "I'll set the hold to: large print, paperback.",
    "Please provide:\n- Your card number used for the loan.\n- Town:",
    "To look it up, I need your card. Optional but helpful:\n- The title you borrowed, or the town it was sent to.",
    "You agree to pay the deposit on pick-up.",
    "I don't need anything else from you.",
    "Take your time.",
    "Just message me here.",
]


def claims_of(answer: str) -> tuple[ClaimVerdict, ...]:
    calls: list[tuple[str, dict[str, str], Any, bool]] = [
        ("find_member_by_card", {"card": "40021"}, "Error: Member not found", True),
        ("find_member_by_card", {"card": "40012"}, MEMBER, False),
        ("get_loan", {"loan_id": "L1004"}, LOAN_1, False),
        ("get_loan", {"loan_id": "L2008"}, LOAN_2, False),
        ("list_copies", {"title": "Walden"}, COPIES, False),
        ("renew_loan", {"loan_id": "L2008"}, RENEWED, False),
    ]
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "Please renew Walden. My card is 40021, or perhaps 40012."}
    ]
    for n, (tool, arguments, result, failed) in enumerate(calls):
        use = {"type": "tool_use", "id": f"c{n}", "name": tool, "input": arguments}
        content = result if isinstance(result, str) else json.dumps(result)
        told = {
            "type": "tool_result",
            "tool_use_id": f"c{n}",
            "content": content,
            "is_error": failed,
        }
        messages += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [told]}]
    messages.append({"role": "assistant", "content": answer})
    tools = [{"name": tool, "input_schema": {"type": "object"}} for tool in TOOLS]
    run = read_run({"system": RULES, "messages": messages, "tools": tools})
    return Detector(entailment=FixedEntailment()).check(run).claims


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_claim(case: Case) -> None:
    at = case.answer.index(case.says)
    claim = next(c for c in claims_of(case.answer) if c.start <= at < c.end)
    assert claim.status == case.status, claim.explanation
    if case.decided_by:
        assert claim.decided_by == case.decided_by, claim.explanation


@pytest.mark.parametrize("answer", EXEMPT)
def test_plans_bounds_and_requests_claim_nothing(answer: str) -> None:
    assert {claim.status for claim in claims_of(answer)} == {"exempt"}
