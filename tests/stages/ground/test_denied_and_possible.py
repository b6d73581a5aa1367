"""Denials in other words, what is possible and what has happened, what is left open, and deeds told otherwise
than tools are called: each with a twin that must come out the other way. The model agrees with everything, as a
small one does with what is nearly the evidence, or has no opinion where the exact checks are to decide."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from affidavit import Detector, read_run
from affidavit.models.entailment import Entailment
from affidavit.report import ClaimVerdict
from affidavit.testing import FixedEntailment

Call = tuple[str, dict[str, Any], Any, bool]

CAMP = (
    "Open fires are prohibited. Generators are ruled out. The boat hire is suspended this season. No deposit is taken. "
    "You need not send the form back. The lake path has yet to reopen. Tents are not hired out separately."
)
BULLETIN = (
    "The dyke may give way at Hollin. The roof of the barn could collapse under the snow. The ferry is likely to be "
    "cancelled on Sunday. In March a valve failed at the mill. A valve might fail at the pumping station."
)
JOBLOG = (
    "2026-03-02T01:00:00Z job snapshot-db: started\n2026-03-02T01:12:10Z job snapshot-db: completed (12m10s)\n"
    "2026-03-02T01:12:11Z job sync-offsite: skipped (disk full)\n2026-03-02T01:12:12Z job prune-old: failed rc=2\n"
)
KETTLE = (
    "<article><h1>Heron H2 kettle</h1><ul><li>Capacity: 1.7 l</li><li>Cord with plug, 75 cm</li></ul>"
    "<p>In the box: kettle, filter, base</p></article>"
)
BYLAWS = (
    "[MS-14] Bylaws of the rowing club. Guests may use the sauna on Fridays.\n\n"
    "[MS-15] Bylaws of the tennis club. The courts are closed on Mondays. Shoes with studs are forbidden."
)
BAYS = {
    "bays": [
        {"name": "Bay A", "height_limit": "1.9 m", "weight_limit": "4 t"},
        {"name": "Bay B", "height_limit": "2.4 m", "weight_limit": "9 t"},
    ]
}
LIFT = "Lift rules: crates up to 60 x 50 x 40 cm may go in the small lift. Poles up to 2.5 m long go in the tower lift."
PARCEL = {"parcel": "PX-7781", "weight_kg": 4.2, "service": "standard", "sender": "Bloom"}
VANS = {
    "vans": [
        {"name": "Dory", "max_payload": "900 kg"},
        {"name": "Skua", "max_payload": "1,300 kg"},
    ]
}
PLANTS: tuple[Call, ...] = (
    ("list_plants", {}, {"plants": [{"id": "p1", "name": "fig"}, {"id": "p2", "name": "palm"}, {"id": "p3", "name": "fern"}]}, False),
    ("water_plant", {"id": "p1"}, {"ok": True}, False),
    ("water_plant", {"id": "p2"}, {"ok": True}, False),
)  # fmt: skip
ROOMS: tuple[Call, ...] = (
    ("list_rooms", {}, {"rooms": [{"id": "r1", "name": "Ash room"}, {"id": "r2", "name": "Birch room"}]}, False),
    ("move_rehearsal", {"room": "r2"}, {"ok": True}, False),
)  # fmt: skip
NOTICES: tuple[Call, ...] = (
    ("search_notices", {"query": "Velo helmet serial VH20418"}, {"results": [
        {"notice": "N-12", "product": "Velo Kids helmet", "serials": ["VH20377", "VH20391"], "reason": "strap may open"},
    ]}, False),
)  # fmt: skip


def alerts(failed: bool) -> tuple[Call, ...]:
    """A call that switches messages off, and what came of it."""
    result: Any = "503: gateway timed out" if failed else {"member": "88121", "enabled": False}
    return (("set_sms_alerts", {"member": "88121", "enabled": False}, result, failed),)


def read(result: Any) -> tuple[Call, ...]:
    return (("read_it", {}, result, False),)


@dataclass(frozen=True)
class Case:
    """The calls that the run holds, an answer, a word of the claim, and what must become of it."""

    calls: tuple[Call, ...]
    answer: str
    says: str
    status: str
    decided_by: str | None = None


CASES = [
    # what a clause denies, affirmed; what it denies, denied
    Case(read(CAMP), "A deposit is taken.", "deposit", "contradicted", "denied"),
    Case(read(CAMP), "You have to send the form back.", "form", "contradicted", "denied"),
    Case(read(CAMP), "You can send the form back.", "form", "unsupported"),
    Case(read(CAMP), "Tents are hired out separately.", "Tents", "contradicted", "denied"),
    Case(read(CAMP), "Tents are hired out.", "Tents", "unsupported"),
    Case(read(CAMP), "Open fires are allowed.", "fires", "contradicted", "denied"),
    Case(read(CAMP), "Open fires aren't allowed.", "fires", "supported", "denied"),
    Case(read(CAMP), "You can't hire boats this season.", "boats", "supported", "denied"),
    Case(read(CAMP), "You can hire boats this season.", "boats", "contradicted", "denied"),
    # what may come about, told as having come about
    Case(read(BULLETIN), "The dyke has given way at Hollin.", "dyke", "contradicted", "possible"),
    Case(read(BULLETIN), "The barn's roof collapsed under the snow.", "roof", "contradicted", "possible"),
    Case(read(BULLETIN), "The ferry was cancelled on Sunday.", "ferry", "contradicted", "possible"),
    Case(read(BULLETIN), "A valve failed at the pumping station.", "valve", "contradicted", "possible"),
    Case(read(BULLETIN), "A valve failed at the mill in March.", "valve", "supported"),
    # a line of a log gives a state
    Case(read(JOBLOG), "The offsite sync still ran after that and completed.", "sync", "contradicted", "states"),
    Case(read(JOBLOG), "The offsite sync was skipped.", "sync", "supported", "states"),
    Case(read(JOBLOG), "The snapshot of the db completed.", "snapshot", "supported", "states"),
    # what results leave open
    Case(read(KETTLE), "How long the filter lasts isn't stated.", "filter", "supported", "absence"),
    Case(read(KETTLE), "The page doesn't say how much the filter costs.", "filter", "supported", "absence"),
    Case(read(KETTLE), "Whether it can be washed isn't mentioned.", "washed", "supported", "absence"),
    Case(read(KETTLE), "How long the cord is isn't stated.", "cord", "unsupported"),
    Case(read(PARCEL), "How heavy the parcel is isn't recorded.", "heavy", "contradicted", "absence"),
    Case(read(PARCEL), "How much it cost isn't recorded.", "cost", "supported", "absence"),
    # what a field allows, of the row that is named
    Case(read(VANS), "Your 1,100 kg are within the payload that the Skua allows.", "kg", "supported", "comparisons"),
    Case(read(VANS), "Your 1,100 kg are within the payload that the Dory allows.", "kg", "contradicted", "comparisons"),
    Case(read(VANS), "Your 1,100 kg don't exceed the maximum payload of the Skua.", "kg", "supported", "comparisons"),
    Case(read(VANS), "Your 1,100 kg don't exceed the maximum payload of the Dory.", "kg", "contradicted", "comparisons"),
    # what the user has against the most that is allowed
    Case(read(BAYS), "Your truck is low enough for Bay B.", "truck", "supported", "enough"),
    Case(read(BAYS), "Your truck is low enough for Bay A.", "truck", "contradicted", "enough"),
    Case(read(BAYS), "Your truck isn't too tall for Bay A.", "truck", "contradicted", "enough"),
    Case(read(LIFT), "Your crate is small enough for the lift.", "crate", "contradicted", "enough"),
    Case(read(LIFT), "Your pole is short enough.", "pole", "supported", "enough"),
    Case(read(LIFT), "Your pole is strong enough.", "pole", "unsupported"),
    # one thing left out
    Case(PLANTS, "I've watered the fig and the palm.", "watered", "supported", "actions"),
    Case(PLANTS, "I've watered the fig and the fern.", "watered", "contradicted", "actions"),
    Case(PLANTS, "I've watered the fern.", "watered", "contradicted", "actions"),
    Case(ROOMS, "I've moved the rehearsal from the Ash room to the Birch room.", "moved", "supported", "actions"),
    Case(ROOMS, "I've moved the rehearsal next to the Ash room, into the Birch room.", "moved", "supported", "actions"),
    # verbs with particles, and a tool that sets
    Case(alerts(False), "I've taken you off the SMS alerts.", "taken", "supported", "actions"),
    Case(alerts(True), "I've taken you off the SMS alerts.", "taken", "contradicted", "actions"),
    Case(alerts(True), "I've opted you out of the SMS alerts.", "opted", "contradicted", "actions"),
    Case(alerts(True), "You've been signed off the SMS alerts.", "signed", "contradicted", "actions"),
    Case(alerts(False), "I've switched your SMS alerts off.", "switched", "supported", "actions"),
    Case(alerts(False), "I've signed you up for the SMS alerts.", "signed", "contradicted", "actions"),
    # a code that only the question names
    Case(NOTICES, "Your helmet VH20418 is affected.", "VH20418", "unsupported", "documents"),
    Case(NOTICES, "Your helmet VH20418 isn't among the serials.", "VH20418", "supported", "absence"),
    Case(NOTICES, "Your helmet's serial is VH20418.", "VH20418", "supported"),
    # a part of a text by the code it is marked with
    Case(read(BYLAWS), "Shoes with studs are forbidden on the courts [MS-15].", "studs", "supported"),
    Case(read(BYLAWS), "Shoes with studs are forbidden on the courts [MS-14].", "studs", "contradicted", "citations"),
    # what others need is no offer
    Case(read("Appeals: two witnesses, in writing, by 3 June 2026."), "If you want to appeal, they need two witnesses by 3 June 2026.", "3 June", "supported"),
]  # fmt: skip


def claim_of(case: Case, model: FixedEntailment | None = None) -> ClaimVerdict:
    asked = (
        "My number is 88121, my helmet VH20418, my load 1,100 kg. My truck is 2.1 m high. "
        "My crate is 58 x 45 x 41 cm, and I have a pole of 2.4 m. What about it?"
    )
    messages: list[dict[str, Any]] = [{"role": "user", "content": asked}]
    for n, (name, arguments, result, failed) in enumerate(case.calls):
        text = result if isinstance(result, str) else json.dumps(result)
        messages += [
            {"role": "assistant", "content": [{"type": "tool_use", "id": f"c{n}", "name": name, "input": arguments}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"c{n}", "content": text, "is_error": failed}]},
        ]  # fmt: skip
    messages.append({"role": "assistant", "content": case.answer})
    report = Detector(entailment=model or FixedEntailment()).check(read_run({"messages": messages}))
    return next(claim for claim in report.claims if case.says in claim.text)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.answer)
def test_denied_and_possible(case: Case) -> None:
    claim = claim_of(case)
    assert claim.status == case.status, claim.explanation
    if case.decided_by:
        assert claim.decided_by == case.decided_by, claim.explanation


MAY = [
    "The dyke may have given way at Hollin.",
    "The roof of the barn could collapse under the snow.",
    "The ferry will probably be cancelled on Sunday.",
    "If the barn's roof collapsed under the snow, call the owner.",
]


@pytest.mark.parametrize("answer", MAY)
def test_what_is_left_possible_is_not_told_as_done(answer: str) -> None:
    claim = claim_of(Case(read(BULLETIN), answer, answer[:8], "supported"))
    assert all(check.verdict != "contradicts" for check in claim.checks if check.name == "possible")


AGREED = [
    # borne out by what forbids, withholds or has yet to do it, and by nothing else
    Case(read(CAMP), "You mustn't run a generator.", "generator", "supported"),
    Case(read(CAMP), "The lake path hasn't reopened.", "path", "supported"),
    Case(read(CAMP), "There's no shop.", "shop", "unsupported"),
    Case(read("Ferry notes: dogs travel free. Bikes pay."), "Dogs don't travel free.", "Dogs", "contradicted"),
    Case(read("The minutes: the vote was postponed."), "There was no vote.", "vote", "supported"),
    Case(read("The paper of 3 May: no lives were lost."), "Nobody was killed.", "killed", "supported"),
    Case(read("The gate must be repaired by 30 June 2026. Cracks were not found."), "It has to be repaired no later than 30 June 2026.", "30 June", "supported"),
    Case(read("Mon 2 Nov   19:00  choir   Hall\nTue 3 Nov   19:00  band   Hall\nFri 6 Nov   no practice\n"), "Nothing is planned for Friday.", "planned", "supported"),
    Case(read("Answers: 300 like it, 90 do not."), "More people like it than not.", "people", "supported"),
]  # fmt: skip


@pytest.mark.parametrize("case", AGREED, ids=lambda case: case.answer)
def test_a_denial_that_the_model_finds_entailed(case: Case) -> None:
    model = FixedEntailment(
        rule=lambda _, said: _unless_turned(said, case.answer), default="neutral"
    )
    claim = claim_of(case, model)
    assert claim.status == case.status, claim.explanation


def _unless_turned(said: str, answer: str) -> Entailment | None:
    """The model entails the claim, and not its opposite."""
    return Entailment(0.85, 0.1, 0.05) if said in answer else None


WEIGHED = "Counter 3: the trunk weighs 4 kg more than the fare allows. The rucksack weighs 2 kg."


@pytest.mark.parametrize(
    ("conclusion", "status"),
    [("So it can't come along.", "supported"), ("So it can come along.", "unsupported")],
)
def test_what_falls_outside_rules_out(conclusion: str, status: str) -> None:
    told = "The trunk weighs 4 kg more than the fare allows."
    claim = claim_of(Case(read(WEIGHED), f"{told} {conclusion}", conclusion, status))
    assert claim.status == status, claim.explanation


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("After that, the seat can't be changed or refunded anymore.", "supported"),
        # the rule denies it on a condition alone
        ("A booked table can't be moved or shared anymore.", "contradicted"),
        # the rule denies another thing
        ("After that, the seat can't be changed or upgraded anymore.", "contradicted"),
    ],
)
def test_a_denial_in_the_words_of_a_rule_is_believed_of_a_model_that_reads_over_not(
    answer: str, status: str
) -> None:
    rules = (
        "Checking in is done once. We will then not be able to change or refund the seat. "
        "A booked table cannot be moved or shared unless the hall agrees."
    )
    messages = [{"role": "user", "content": "Please check me in."}, {"role": "assistant", "content": answer}]  # fmt: skip
    run = read_run({"system": rules, "messages": messages})
    report = Detector(entailment=FixedEntailment(default="entailment")).check(run)
    assert [c.status for c in report.claims if c.status != "exempt"] == [status]
