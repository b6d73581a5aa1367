"""How people write: where their sentences end, what opens them, what leads in a list, what trails behind; each
with a counter-example where nothing is cut or exempt."""

from __future__ import annotations

import json
from typing import Any

import pytest

from affidavit import Detector, read_run
from affidavit.report import ClaimVerdict
from affidavit.stages.ground.split import split_claims
from affidavit.stages.ground.split.kinds import EXEMPT
from affidavit.testing import FixedEntailment


def statements(answer: str) -> list[str]:
    return [claim.statement for claim in split_claims(answer)]


def kinds(answer: str) -> list[str]:
    return [claim.kind for claim in split_claims(answer)]


def held(answer: str) -> list[str]:
    """What is held against the answer."""
    return [claim.statement for claim in split_claims(answer) if claim.kind not in EXEMPT]


ENDS = [
    ("The ferry sails at 6:15 PM. You'll board at pier 3.", ["The ferry sails at 6:15 PM.", "You'll board at pier 3."]),
    ("Doors shut at 9 p.m. Bring a ticket.", ["Doors shut at 9 p.m.", "Bring a ticket."]),
    ("The shop sells pens, ink etc. Prices start at $2.", ["The shop sells pens, ink etc.", "Prices start at $2."]),
    ("The bill is from Oakham Dairy Ltd. Payment is due in June.", ["The bill is from Oakham Dairy Ltd.", "Payment is due in June."]),
    ("It goes to 9 Mill Rd. Delivery takes two days.", ["It goes to 9 Mill Rd.", "Delivery takes two days."]),
    ("The median is 367 ms. There was one outlier.", ["The median is 367 ms.", "There was one outlier."]),
    ("The call is at 9 a.m. Eastern on Monday.", ["The call is at 9 a.m. Eastern on Monday."]),
    ("We close at 5 p.m. Friday.", ["We close at 5 p.m. Friday."]),
    ("Oakham Dairy Inc. President J. Roe signed it.", ["Oakham Dairy Inc. President J. Roe signed it."]),
    ("She studied at St. Mary's in 2019.", ["She studied at St. Mary's in 2019."]),
    ("Das Büro ist im 3. Stock.", ["Das Büro ist im 3. Stock."]),
    ("Ms. Ito saw vs. 12 others.", ["Ms. Ito saw vs. 12 others."]),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "expected"), ENDS)
def test_sentences_end(answer: str, expected: list[str]) -> None:
    assert statements(answer) == expected


VERBS = [
    ("Free parking starts at $60, so your stay already qualifies.", ["Free parking starts at $60", "Your stay already qualifies."]),
    ("The bus leaves Oslo at 7:52 and gets to Bergen at 15:38.", ["The bus leaves Oslo at 7:52", "The bus gets to Bergen at 15:38."]),
    ("The fund owes $5, and the trustee employs two clerks.", ["The fund owes $5", "The trustee employs two clerks."]),
    ("The pool closes at 8, and towels cost $3.", ["The pool closes at 8", "Towels cost $3."]),
    ("Tours start at 11 AM and last about 90 minutes.", ["Tours start at 11 AM", "Tours last about 90 minutes."]),
    ("CPU averages 23%, memory hovers around 61%, and disk usage sits at 88%.",
     ["CPU averages 23%", "Memory hovers around 61%", "Disk usage sits at 88%."]),
    ("Sales rose 4%, plus $310 in fees.", ["Sales rose 4%", "Sales rose 4%, plus $310 in fees."]),
    ("The set costs $95, including a $5 deposit.", ["The set costs $95", "The set costs $95, including a $5 deposit."]),
    ("Your next scheduled payment is $5, and it counts.", ["Your next scheduled payment is $5", "Your next scheduled payment counts."]),
    ("The bill was issued on 2 May, is due on 1 June, and can be paid at 3 desks.",
     ["The bill was issued on 2 May", "The bill is due on 1 June", "The bill can be paid at 3 desks."]),
    ("It lacks one thing: the form, which must be new.", ["It lacks one thing: the form", "The form must be new."]),
    ("The gold went to Ana Roth of Kenya, who set a record with 4:01.", ["The gold went to Ana Roth of Kenya", "Ana Roth of Kenya set a record with 4:01."]),
    ("The firm quotes $90 for 4 desks, $12 of it for delivery, which leaves $8 of your $98.",
     ["The firm quotes $90 for 4 desks", "The firm quotes $90 for 4 desks, $12 of it for delivery",
      "The firm quotes $90 for 4 desks, $12 of it for delivery, which leaves $8 of your $98."]),
    ("A seat costs $10, so $40 for four.", ["A seat costs $10", "A seat costs $10, so $40 for four."]),
    ("She won by 17 votes, about 0.16% of the 10,847 cast.", ["She won by 17 votes", "She won by 17 votes, about 0.16% of the 10,847 cast."]),
    ("P-6 is a transfer of $26 by Ana, captured on March 2.", ["P-6 is a transfer of $26 by Ana", "P-6 is captured on March 2."]),
    ("The rent is $40, but 20 are let, due on March 19.", ["The rent is $40", "20 are let", "20 are due on March 19."]),
    ("The fee is $5, so no deposit is due.", ["The fee is $5", "No deposit is due."]),
    ("The order, placed on May 2, costs $5.", ["The order, placed on May 2, costs $5."]),
    ("The dog is on file, entered by Ana in 2019.", ["The dog is on file, entered by Ana in 2019."]),
    # no verbs: plurals, participles, months
    ("It has five monitors with stands and two lamps.", ["It has five monitors with stands and two lamps."]),
    ("There was one find: a jar, rated rare because of its age.", ["There was one find: a jar, rated rare because of its age."]),
    ("The team has 14 wins, 3 draws and 5 defeats.", ["The team has 14 wins, 3 draws and 5 defeats."]),
    ("It is a sofa manufactured in Italy and two chairs.", ["It is a sofa manufactured in Italy and two chairs."]),
    ("If the fee is $5, the total is $9, and pets are free.", ["If the fee is $5, the total is $9", "Pets are free."]),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "expected"), VERBS)
def test_verbs_make_clauses(answer: str, expected: list[str]) -> None:
    assert statements(answer) == expected


LANGUAGES = [
    ("A fatura é de 42,10 € e será cobrada a 5 de outubro.", ["A fatura é de 42,10 €", "A fatura será cobrada a 5 de outubro."]),
    ("El tren sale a las 9:30 y llega a las 11:45.", ["El tren sale a las 9:30", "El tren llega a las 11:45."]),
    ("El envío cuesta 5 € y el pedido llega el 7 de mayo.", ["El envío cuesta 5 €", "El pedido llega el 7 de mayo."]),
    ("Le dossier de votre fille coûte 42 € et sera traité le 5 octobre.", ["Le dossier de votre fille coûte 42 €", "Le dossier de votre fille sera traité le 5 octobre."]),
    ("Il pacco della sua amica pesa 3 kg e arriva il 7 maggio.", ["Il pacco della sua amica pesa 3 kg", "Il pacco della sua amica arriva il 7 maggio."]),
    ("Die Miete beträgt 300 € und wird am 5. Oktober abgebucht.", ["Die Miete beträgt 300 €", "Die Miete wird am 5. Oktober abgebucht."]),
    ("De huur is € 300 en wordt op 5 oktober afgeschreven.", ["De huur is € 300", "De huur wordt op 5 oktober afgeschreven."]),
    ("Das Büro ist von 9 bis 12 und von 14 bis 18 Uhr besetzt.", ["Das Büro ist von 9 bis 12 und von 14 bis 18 Uhr besetzt."]),
    ("Les frais sont de 5 € et de 7 € pour deux dossiers.", ["Les frais sont de 5 € et de 7 € pour deux dossiers."]),
    ("Hay un tren que cuesta 5 € y sale a las 9:30.", ["Hay un tren que cuesta 5 € y sale a las 9:30."]),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "expected"), LANGUAGES)
def test_clauses_of_other_languages(answer: str, expected: list[str]) -> None:
    assert statements(answer) == expected


# What opens a sentence, and what is held against the answer.
OPENERS = [
    ("Yes, it does: the lease is extended by a month.", ["The lease is extended by a month."]),
    ("No, it doesn't. The pool shuts at 8.", ["The pool shuts at 8."]),
    ("I'm afraid not: the minimum height is 140 cm.", ["The minimum height is 140 cm."]),
    ("Yes, you can rent it: the minimum age is 21.", ["The minimum age is 21."]),
    ("Unfortunately not. The pool shuts at 8.", ["The pool shuts at 8."]),
    ("Not yet: the parcel is in Bremen.", ["The parcel is in Bremen."]),
    ("Fun fact: the tank holds 5 litres.", ["The tank holds 5 litres."]),
    ("Here's the thing: the key expired on May 3.", ["The key expired on May 3."]),
    ("Bear in mind that the offer ends on 31 March.", ["The offer ends on 31 March."]),
    ("There's also another way in: you can sit the test.", ["You can sit the test."]),
    ("It works like this: you pay $5.", ["You pay $5."]),
    # these say something themselves
    ("Yes, I cancelled it: the room was $5.", ["I cancelled it", "The room was $5."]),
    (
        "There are two exceptions: pets pay $5.",
        ["There are two exceptions: Pets pay $5.", "Pets pay $5."],
    ),
    ("The backup failed: the disk holds 5 GB.", ["The backup failed", "The disk holds 5 GB."]),
    (
        "Errors got worse: the rate rose to 5%.",
        ["Errors got worse: The rate rose to 5%.", "The rate rose to 5%."],
    ),
    ("No, it doesn't. Shall I look elsewhere?", ["No, it doesn't."]),
    ("Final price: $45", ["Final price: $45"]),
]


@pytest.mark.parametrize(("answer", "expected"), OPENERS)
def test_openers_leave_the_weight_to_what_follows(answer: str, expected: list[str]) -> None:
    assert held(answer) == expected


def test_a_bare_answer_answers_the_question() -> None:
    [bare] = split_claims("Yes, it does.", question="Does it fit?")
    assert (bare.kind, bare.statement) == ("fact", "Does it fit? — Yes, it does.")


TOPICS = [
    ("The show is in May. Doors open at 6, and it starts at 7.", "The show starts at 7."),
    ("The inn is in Lisbon. Its phone number is 5. It asks for a card.", "The inn asks for a card."),
    ("The flat is on floor 2. It's heated by gas.", "The flat is heated by gas."),
    ("The key is old. It's expired.", "The key has expired."),
    ("The book is rare. It doesn't look like we hold one.", "It doesn't look like we hold one."),
    ("Two transfers are open; they total $340", "The two transfers total $340"),
    ("On Sunday you can dine late; it's served outside.", "It's served outside."),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "last"), TOPICS)
def test_what_it_stands_for(answer: str, last: str) -> None:
    assert statements(answer)[-1] == last


SAID = {
    "offer": [
        "Shall I put that one aside for you?", "Should I set it to $5?", "Just say the word if you'd like another.",
        "Drop me a line anytime.", "Give me a shout if it breaks.",
    ],
    "greeting": [
        "How lovely of you to help out!", "What a great plan!", "That's so kind of you.", "Congrats on the new job!",
        "Fingers crossed.", "Here to help anytime.", "Much appreciated!", "No need to thank me.", "Enjoy!", "Stay warm!",
        "Happy baking!", "See you there!", "Have fun!", "That's it!", "Nice work, everyone!", "That must have been frustrating.",
    ],
    "opinion": [
        "It will probably fail again under the same load.", "Someone will have to renew it before then.",
        "I'd keep an eye on it.", "I'd pack layers either way.", "As always, this isn't financial advice.", "It could well take longer.",
    ],
    "plan": ["I've ignored that instruction.", "I have not acted on it.", "I wanted to check with you first."],
    "action": ["I put that one aside for you.", "I've set it to $5."],
    "fact": [
        "Congrats, your loan went through.", "Oh no, the parcel got lost.", "You will probably qualify.", "I'd sent the form to Ana.",
        "It will probably arrive on Friday.", "The refund will probably be approved.", "You will have to renew it by June 3.",
        "How it works is told in the manual, which says 5 bar.", "That's kind of slow: it took 5 s.", "What a plan costs is $5.",
        "I've ignored the 3 rows at the end.",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "answer"), [(k, text) for k, texts in SAID.items() for text in texts])  # fmt: skip
def test_kind(kind: str, answer: str) -> None:
    assert kinds(answer)[0] == kind


LISTS = [
    (
        "For case C-881 we still need two things from you:\n- Both keys, by March 31\n- The report, by March 20",
        3,
    ),
    ("To enrol you, the registrar needs from you:\n- A transcript, by May 3\n- $45", 3),
    ("I'll need from you:\n- your order number\n- your zip code", 0),
    (
        "To look up order #A-12, we need a few details from you:\n- The last 4 digits of your card\n- Your town",
        0,
    ),
    ("I need two documents from you:\n- The signed form, by June 1\n- Your passport", 1),
]


@pytest.mark.parametrize(("answer", "count"), LISTS)
def test_what_is_required_is_a_fact_and_what_the_agent_asks_is_none(
    answer: str, count: int
) -> None:
    assert len(held(answer)) == count


PERMIT = {
    "permit": "P-4410",
    "holder": "Aino Laine",
    "missing": [
        {"document": "site plan", "due": "2026-05-20"},
        {"document": "boundary survey", "due": "2026-05-31"},
    ],
}
ABOUT_THE_PERMIT = "For permit P-4410 we still need two documents from you:\n- The site plan, by May 20\n- The boundary survey, by "


def test_a_list_of_what_is_required_is_checked() -> None:
    right, wrong = (last_claim_of_the_list(day) for day in ("May 31", "May 20"))
    assert right.status == "supported"
    assert right.score is not None and wrong.score is not None
    assert right.score > wrong.score
    assert any(check.verdict == "contradicts" for check in wrong.checks)


def last_claim_of_the_list(day: str) -> ClaimVerdict:
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "What is missing for my permit?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "get_permit", "input": {"permit": "P-4410"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": json.dumps(PERMIT)}]},
        {"role": "assistant", "content": ABOUT_THE_PERMIT + day},
    ]  # fmt: skip
    tools = [{"name": "get_permit", "input_schema": {"type": "object"}}]
    run = read_run({"messages": messages, "tools": tools})
    return Detector(entailment=FixedEntailment()).check(run).claims[-1]
