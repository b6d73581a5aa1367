"""Values that stand in the evidence in another form, and counts that follow from it: versions written in one with
what they are of, codes of languages and countries, victories, lists without a header, bounds of a search. Each has a
twin that is wrong. The model has no opinion, so that the exact checks decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from affidavit.report import ClaimVerdict

Judged = Callable[..., ClaimVerdict]

GATEWAY = {
    "host": "gw-3",
    "protocols": "SMBv3 SMBv2 TLSv1.3",
    "runtime": "Python3.11",
    "tilt": "6.5 deg",
}
FILMS = {"film": "Nordlys", "audio": ["da", "pt-BR"], "subtitles": "fr-CA, en"}
COURSE = "Course: Rhetoric\nLanguage: French (Canada)\nSeats: 12\n"
REGATTA = {"race": "gaff cutters", "results": [
    {"pos": 1, "skipper": "Wanja Kimani", "nat": "KEN", "time": "3:41:02"},
    {"pos": 2, "skipper": "Ana Lind", "nat": "SWE", "time": "3:41:40"},
    {"pos": 3, "skipper": "Eva Roth", "nat": "GER", "time": "3:42:12"},
    {"pos": 4, "skipper": "Ida Holm", "nat": "NOR", "time": "3:44:50"},
]}  # fmt: skip
SEEDED = [
    {"player": "Kim Ode", "seed": 4, "grid_position": 3},
    {"player": "Lee Park", "seed": 1, "grid_position": 1},
]
INSPECTION = {"ship": "MV Ternen", "findings": [
    {"no": "F1", "deck": "A", "closed": True}, {"no": "F2", "deck": "B", "closed": False}, {"no": "F3", "deck": "B", "closed": False},
], "signoffs": [
    {"by": "Roth", "state": "APPROVED"}, {"by": "Lind", "state": "DECLINED"}, {"by": "Holm", "state": "APPROVED"},
]}  # fmt: skip
DIGS = (
    "b41f9c2 2026-04-22 Jun Takeda       trench 3: second hearth (#812)\n"
    "7be0d15 2026-04-17 Marta Oliveira   trench 1: coin, late (#805)\n"
    "e93c604 2026-03-30 Jun Takeda       trench 3: first hearth (#788)\n"
    "19d7f3b 2026-03-11 Sofie Lund       baseline survey of the field (#771)\n"
)
TRAINING = (
    "Mon 9 Mar   08:00  swimming    Pool 2\nTue 10 Mar  18:00  weights     Gym\n"
    "Wed 11 Mar  rest day\nThu 12 Mar  07:30  intervals   Track\n"
)
PRESS = (
    "[The Quay Gazette, 9 May 1893, p. 2] LAUNCH OF THE HALCYON. On Saturday, the 6th inst., the schooner Halcyon "
    "left the slip at Orrin's yard. Her keel had been laid on the 14th ult."
)
STATION = {
    "polls": {"interval_s": 300},
    "replicas": 5,
    "memory_used": "3.2GiB",
    "memory_limit": "4GiB",
    "disk_used": "410G",
    "disk_total": "500G",
}
PARCELS = {"parcels": [
    {"parcel": "PX-11", "status": "PARTIALLY_SHIPPED", "gift": "N", "ship_to": {"country": "BE"}},
    {"parcel": "PX-12", "status": "AWAITING_PAYMENT", "gift": "Y", "ship_to": {"country": "FR"}},
]}  # fmt: skip
INN = {"inn": "Ternen House", "rating": 4.6, "reviews": 212, "guests": 212}
TRAINS = (
    "08:12  S3       Ostwald      pl. 2   on time\n08:19  RE7      Marienfeld   pl. 5   +6 min\n"
    "08:27  S3       Ostwald      pl. 2   cancelled\n"
)
INVOICES = (
    "INV-201   2026-03-02   Halden Brewery    €1,240.00   paid\nINV-202   2026-03-09   Orrin Yard        €310.50     overdue\n"
    "INV-203   2026-03-16   Halden Brewery    €88.00      open\n"
)
LOANS = {"max_games": 8, "games_on_loan": 5}
CLUB = "§ 4 Leaving\nMembers may leave with four weeks' notice.\n\n§ 7 Guests\nA member may bring one guest a day."


@dataclass(frozen=True)
class Case:
    """What a tool returned, an answer, a word of the claim, and what must become of it."""

    result: Any
    answer: str
    says: str
    status: str
    decided_by: str | None = None
    asked: str = "How does it look?"
    arguments: Any = None


MAIL = {"sender": "the yard", "since": "2026-10-05"}
NONE: dict[str, Any] = {"total": 0, "messages": []}
CASES = [
    # versions written in one with what they are of
    Case(GATEWAY, "The gateway gw-3 speaks TLS 1.3.", "1.3", "supported", "values"),
    Case(GATEWAY, "The gateway gw-3 speaks TLS 1.2.", "1.2", "unsupported", "values"),
    Case(GATEWAY, "The runtime of gw-3 is Python 3.11.", "3.11", "supported", "values"),
    Case(GATEWAY, "The runtime of gw-3 is Python 3.12.", "3.12", "unsupported", "values"),
    Case(GATEWAY, "The tilt of gw-3 is 6.5°.", "6.5", "supported"),
    Case(GATEWAY, "The tilt of gw-3 is 5.6°.", "5.6", "contradicted", "values"),
    # languages of a country
    Case(FILMS, "Nordlys has audio in Brazilian Portuguese.", "Brazilian", "supported", "values"),
    Case(FILMS, "Nordlys has audio in European Portuguese.", "European", "unsupported", "values"),
    Case(FILMS, "Nordlys has subtitles in Canadian French.", "Canadian", "supported", "values"),
    Case(FILMS, "Nordlys has subtitles in Swiss French.", "Swiss", "unsupported", "values"),
    Case(COURSE, "The course is in Canadian French.", "Canadian", "supported", "values"),
    Case(COURSE, "The course is in Belgian French.", "Belgian", "unsupported", "values"),
    # places told as victories and medals
    Case(REGATTA, "The win went to Wanja Kimani of Kenya.", "win", "supported", "values"),
    Case(REGATTA, "The win went to Ana Lind of Sweden.", "win", "contradicted", "values"),
    Case(REGATTA, "Eva Roth took bronze.", "bronze", "supported", "values"),
    Case(REGATTA, "Eva Roth took silver.", "silver", "contradicted", "values"),
    Case(REGATTA, "Ida Holm missed the podium.", "missed", "supported", "values"),
    Case(REGATTA, "Ana Lind missed the podium.", "missed", "contradicted", "values"),
    Case(REGATTA, "Ana Lind of Norway came second.", "Norway", "contradicted", "values"),
    # counts that a name asks for
    Case(INSPECTION, '{"open_findings": 2, "approvals": 2}', "open", "supported", "derived"),
    Case(INSPECTION, '{"open_findings": 2, "approvals": 2}', "approvals", "supported", "derived"),
    Case(INSPECTION, '{"open_findings": 1}', "open", "unsupported", "values"),
    Case(INSPECTION, '{"approvals": 3}', "approvals", "unsupported", "values"),
    Case(INSPECTION, '{"closed_findings": 2}', "closed", "unsupported", "values"),
    Case(DIGS, "Three people, four entries.", "people", "supported", "derived"),
    # lists without a header
    Case(DIGS, "Marta Oliveira noted the coin on 17 April (`7be0d15`, #805).", "coin", "supported", "values"),
    Case(DIGS, "Marta Oliveira noted the coin on 17 April (`7be0d15`, #788).", "coin", "contradicted", "values"),
    Case(TRAINING, "The intervals are on Thursday at 07:30.", "Thursday", "supported", "values"),
    Case(TRAINING, "The intervals are on Tuesday at 07:30.", "Tuesday", "unsupported", "values"),
    Case(TRAINS, "The RE7 to Marienfeld leaves from platform 5.", "platform", "supported", "values"),
    Case(TRAINS, "The RE7 to Marienfeld leaves from platform 2.", "platform", "contradicted", "values"),
    Case(INVOICES, "INV-202 for Orrin Yard over €310.50 is overdue.", "overdue", "supported"),
    Case(INVOICES, "INV-203 of Halden Brewery comes to €310.50.", "comes", "contradicted", "mixtures"),
    Case(INVOICES, "INV-202 has been paid.", "paid", "contradicted", "states"),
    Case(TRAINING, "Nothing is planned for Wednesday.", "Wednesday", "supported", "absence"),
    Case(TRAINING, "Nothing is planned for Thursday.", "Thursday", "contradicted", "absence"),
    # days of the month of writing
    Case(PRESS, "The schooner Halcyon left the slip on 6 May 1893.", "6 May", "supported", "values"),
    Case(PRESS, "The keel of the schooner had been laid on 14 April.", "14 April", "supported", "values"),
    Case(PRESS, "The keel of the schooner had been laid on 14 May.", "14 May", "unsupported", "values"),
    # what a search was bounded by, and nothing else
    Case(NONE, "I found no mail since Monday, 5 October.", "Monday", "supported", "absence", arguments=MAIL),
    Case(NONE, "I found no mail since Tuesday, 6 October.", "Tuesday", "unsupported", "values", arguments=MAIL),
    Case(NONE, "The yard signed the papers on 5 October.", "signed", "unsupported", "values", arguments=MAIL),
    # a measure is no bare number of another field
    Case(STATION, "It polls every five minutes.", "polls", "supported", "values"),
    Case(STATION, "It polls every five seconds.", "polls", "contradicted", None),
    Case(STATION, "3.2 of 4 GiB of memory are used.", "memory", "supported", "values"),
    # yes and no, in part and in full, and the land of another row
    Case(PARCELS, "PX-12 is a gift.", "gift", "supported", None),
    Case(PARCELS, "PX-11 is a gift.", "gift", "contradicted", "flags"),
    Case(PARCELS, "PX-11 is partially shipped.", "shipped", "supported", None),
    Case(PARCELS, "PX-11 is fully shipped.", "shipped", "contradicted", "states"),
    Case(PARCELS, "PX-12 has been paid.", "paid", "contradicted", "states"),
    Case(PARCELS, "PX-12 goes to Belgium.", "Belgium", "contradicted", "values"),
    # the scale of a rating
    Case(INN, "The inn is rated 4.6 out of 5 by 212 guests.", "4.6", "supported", "values"),
    Case(INN, "The inn is rated 4.6 out of 10 by 212 guests.", "4.6", "unsupported", "values"),
    Case(INN, "The inn is rated 4.2 out of 5 by 212 guests.", "4.2", "unsupported", "values"),
    # what is left, in other languages
    Case(LOANS, "Vous avez 5 jeux sur 8 : vous pouvez encore en emprunter 3.", "encore", "supported", "derived"),
    Case(LOANS, "Vous avez 5 jeux sur 8 : vous pouvez encore en emprunter 4.", "encore", "unsupported", "values"),
    Case(LOANS, "Du hast 5 von 8 Spielen, es bleiben noch 3 übrig.", "noch", "supported", "derived"),
    # farewells, and what only begins like one
    Case(LOANS, "Sleep well!", "Sleep", "exempt"),
    Case(LOANS, "Until next time, everyone!", "Until", "exempt"),
    Case(LOANS, "Later, 90 games were sold.", "Later", "unsupported", "values"),
]  # fmt: skip


def claim_of(case: Case, judged: Judged) -> ClaimVerdict:
    calls = [("search_it", case.arguments or {}, case.result)]
    return judged(calls, case.answer, case.says, asked=case.asked)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.answer[-60:])
def test_values_in_other_forms(case: Case, judged: Judged) -> None:
    claim = claim_of(case, judged)
    assert claim.status == case.status, claim.explanation
    if case.decided_by:
        assert claim.decided_by == case.decided_by, claim.explanation


@pytest.mark.parametrize("answer", ["Kim Ode won the final.", "Lee Park did not win the final."])
def test_a_seed_or_a_place_on_the_grid_says_nothing_of_who_won(answer: str, judged: Judged) -> None:
    claim = claim_of(Case(SEEDED, answer, "final", ""), judged)
    assert all(c.verdict != "contradicts" for c in claim.checks), claim.explanation


def test_the_number_of_a_section_proves_nothing_beside_a_small_count(judged: Judged) -> None:
    claim = claim_of(Case(CLUB, "A member may bring two guests a day (§ 7).", "two", ""), judged)
    assert claim.status != "supported" or claim.decided_by != "values"
