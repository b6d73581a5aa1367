"""Values of another row than what stands beside them, in tables, objects, prose, logs and slips. The model
has no opinion, so that the exact checks decide."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from affidavit import Detector, read_run
from affidavit.report import ClaimVerdict
from affidavit.testing import FixedEntailment

SHIPS: Any = [
    {"ship": "Aurora", "berth": "K4", "due": "06:10", "agent": "Holm & Co"},
    {"ship": "Bittern", "berth": "K7", "due": "07:45", "agent": "Larsen"},
    {"ship": "Cygnet", "berth": "K2", "due": "09:20", "agent": "Oster"},
]
RACE = (
    "| Rk | Rider | Team | Time |\n|---|---|---|---|\n| 1 | Vidal, Noor | Pedal Oslo | 41:07 |\n"
    "| 2 | Berg, Siri | CC Arran | 41:30 |\n| 3 | Okoye, Ama | Velo Sud | 41:52 |\n| 4 | Hale, June | Wheelers | 42:15 |"
)
LEASES = (
    "2026-02-03T10:01:22Z gw-3 lease 10.0.4.17 mac=aa:01 ttl=3600\n2026-02-03T10:04:10Z gw-1 lease 10.0.4.52 mac=aa:02 ttl=3600\n"
    "2026-02-03T10:09:55Z gw-3 lease 10.0.4.60 mac=aa:03 ttl=7200\n2026-02-03T10:15:30Z gw-2 lease 10.0.4.71 mac=aa:04 ttl=3600\n"
)
TICKETS = (
    "QX-1904 2026-05-02 Ida Holm        gate: jammed chain freed (#311)\nQX-1911 2026-05-06 Per Aune        gate: new motor fitted (#318)\n"
    "QX-1923 2026-05-13 Ida Holm        lift: door sensor cleaned (#325)\nQX-1930 2026-05-20 Mona Ek         lift: cable replaced (#329)\n"
)
BILL = (
    "NORTHMOOR WATER        STATEMENT March\nCustomer 50331   R. Beck\n\nStanding charge                     14.20\n"
    "Consumption 38.5 m3                 96.25\nSurcharge                            3.10\n\nNotice period 21 days\nPayment term 14 days\n"
)
SAMPLE: Any = {
    "order": "B-7",
    "steps": [
        {"at": "2026-03-02T08:10", "code": "RECEIVED", "place": "Lab Nord"},
        {"at": "2026-03-03T14:25", "code": "CENTRIFUGED", "place": "Lab Nord"},
        {"at": "2026-03-04T09:40", "code": "REPORT_SENT", "place": "Ward 6"},
    ],
}
PUMPS = (
    "TIME      LEVEL  UNIT          MESSAGE\n06:00:01  INFO   pump-2        started\n06:10:44  WARN   pump-2        pressure low 2.1 bar\n"
    "06:12:30  INFO   valve-9       opened\n06:20:15  WARN   pump-2        pressure low 1.9 bar\n06:31:02  INFO   valve-9       closed\n"
    "06:40:59  INFO   fan-4         started\n"
)
READINGS: Any = {
    "sensor": "S4",
    "readings": [
        {"at": "10:00", "pm10": 38}, {"at": "11:00", "pm10": 44}, {"at": "12:00", "pm10": 52}, {"at": "13:00", "pm10": 31},
    ],
}  # fmt: skip
TRAINS: Any = [
    {"train": "R 20", "departs": "08:10", "arrives": "09:30"},
    {"train": "R 41", "departs": "11:20", "arrives": "12:40"},
    {"train": "R 63", "departs": "12:30", "arrives": "13:55"},
]
WARD = (
    "Name: Ada Quist\nRoom: 214\nDoctor: Dr. Lund\n\nName: Ben Roe\nRoom: 219\nDoctor: Dr. Amari\n\n"
    "Name: Cy Dahl\nRoom: 305\nDoctor: Dr. Lund\n"
)
ROOM: Any = {
    "booking": "HB-2",
    "desk": {"place": "North Hall, counter 3", "at": "2026-04-02T09:00"},
}


@dataclass(frozen=True)
class Case:
    """A result, an answer, a word of the claim, and what must become of it."""

    result: Any
    answer: str
    says: str
    status: str
    decided_by: str | None = None


CASES = (
    Case(SHIPS, "The Bittern comes in at 07:45 at berth K7.", "K7", "supported"),
    Case(SHIPS, "The Bittern comes in at 09:20 at berth K7.", "K7", "contradicted", "values"),
    Case(SHIPS, "The Bittern (agent Oster) takes berth K7.", "Oster", "contradicted", "strays"),
    Case(SHIPS, "Bittern docks at berth K4.", "K4", "contradicted", "strays"),
    Case(SHIPS, "The Bittern follows at 07:45, and the Cygnet at 09:20.", "09:20", "supported"),
    Case(SHIPS, "Berth K2 is free until 09:20, when the Cygnet arrives.", "K2", "supported"),
    Case(SHIPS, "- **07:45, Bittern**: room on deck; it lies at berth K7.", "it lies", "supported"),
    Case(SHIPS, "- **07:45, Bittern**: room on deck; it lies at berth K2.", "it lies", "contradicted", "values"),
    Case(SHIPS, "| Ship | Berth | Due |\n|---|---|---|\n| Bittern | K7 | 07:45 |", "K7", "supported"),
    Case(SHIPS, "| Ship | Berth | Due |\n|---|---|---|\n| Bittern | K2 | 07:45 |", "K2", "contradicted", "strays"),
    Case(SHIPS, '[{"ship": "Bittern", "agent": "Larsen"}]', "Larsen", "supported"),
    Case(SHIPS, '[{"ship": "Bittern", "agent": "Oster"}]', "Oster", "contradicted", "strays"),
    Case(SHIPS, "```csv\nship,berth,due\nAurora,K4,06:10\nBittern,K7,07:45\n```", "K7", "supported"),
    Case(SHIPS, "```csv\nship,berth,due\nAurora,K4,06:10\nBittern,K2,07:45\n```", "K2", "contradicted", "strays"),
    Case(SHIPS, "```\nShip      Berth  Due\nAurora    K4     06:10\nBittern   K2     07:45\n```", "K2", "contradicted", "strays"),
    Case(RACE, "Third place went to Ama Okoye of Velo Sud.", "Okoye", "supported"),
    Case(RACE, "Third place went to Ama Okoye of Wheelers.", "Okoye", "contradicted"),
    Case(RACE, "Ama Okoye finished ahead of June Hale of Wheelers.", "Okoye", "supported"),
    Case(RACE, "| Rank | Rider | Time |\n|---|---|---|\n| 2 | Siri Berg | 41:30 |", "41:30", "supported"),
    Case(RACE, "| Rank | Rider | Team |\n|---|---|---|\n| 2 | Siri Berg | Velo Sud |", "Velo", "contradicted", "strays"),
    Case(LEASES, "At 10:04:10 gw-1 leased 10.0.4.52.", "gw-1", "supported"),
    Case(LEASES, "At 10:04:10 gw-1 leased 10.0.4.60.", "gw-1", "contradicted", "strays"),
    Case(LEASES, "At 10:15:30 gw-1 leased 10.0.4.71 for 3600 s.", "gw-1", "contradicted", "strays"),
    Case(LEASES, "gw-3 leased 10.0.4.17 at 10:01:22, and 10.0.4.60 at 10:09:55.", "gw-3", "supported"),
    Case(TICKETS, "Per Aune fitted a new motor on 6 May (`QX-1911`, #318).", "Aune", "supported"),
    Case(TICKETS, "Per Aune fitted a new motor on 6 May (`QX-1911`, #325).", "Aune", "contradicted"),
    Case(TICKETS, "There are four items.", "four", "supported", "derived"),
    Case(BILL, '{"notice_period_days": 21, "surcharge": 3.10}', "notice", "supported"),
    Case(BILL, '{"notice_period_days": 14, "surcharge": 3.10}', "notice", "contradicted", "values"),
    Case(BILL, '{"payment_term_days": 14, "surcharge": 14.20}', "surcharge", "contradicted", "values"),
    Case(SAMPLE, "It came in on 2 March at 8:10 and was centrifuged the next day at 14:25.", "8:10", "supported"),
    Case(SAMPLE, "It came in on 2 March at 8:10 and was centrifuged on 4 March at 9:40.", "9:40", "contradicted"),
    Case(SAMPLE, "The sample was received on 2 March at 8:10 and the report was sent on 4 March at 9:40.", "report", "supported"),
    Case(PUMPS, "pump-2 warned of low pressure twice, last at 06:20:15.", "last", "supported"),
    Case(PUMPS, "pump-2 warned of low pressure twice, last at 06:10:44.", "last", "contradicted", "extremes"),
    Case(PUMPS, "pump-2 gave a warning at 06:10:44. The pressure is now 1.9 bar.", "now", "supported"),
    Case(PUMPS, "valve-9 opened at 06:31:02.", "opened", "contradicted", "values"),
    Case(READINGS, "There were two readings above 40.", "two", "supported", "tallies"),
    Case(READINGS, "There were three readings above 40.", "three", "contradicted", "tallies"),
    Case(TRAINS, "There are two trains before noon:", "two", "supported", "tallies"),
    Case(TRAINS, "There are three trains before 12:00:", "three", "contradicted", "tallies"),
    Case(TRAINS, "Two trains arriving after 12:00 are left.", "Two", "supported", "tallies"),
    Case(WARD, "Ben Roe, in room 219, is treated by Dr. Amari.", "219", "supported"),
    Case(WARD, "Ben Roe, in room 219, is treated by Dr. Lund.", "219", "contradicted", "strays"),
    Case(WARD, "Dr. Lund sees Ada Quist in 214 and Cy Dahl in 305.", "305", "supported"),
    Case(ROOM, "You pay on April 2 at 9:00 at counter 3 in the North Hall.", "counter", "supported"),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.answer[-60:])
def test_strays(case: Case) -> None:
    claim = claim_of(case)
    assert claim.status == case.status, claim.explanation
    assert claim.status != "supported" or (claim.score or 0) >= 0.85, claim.explanation
    if case.decided_by:
        assert claim.decided_by == case.decided_by, claim.explanation


def claim_of(case: Case) -> ClaimVerdict:
    told = case.result if isinstance(case.result, str) else json.dumps(case.result)
    messages = [
        {"role": "user", "content": "How many are there above 40, before noon or after 12:00?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c0", "name": "list_items", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c0", "content": told}]},
        {"role": "assistant", "content": case.answer},
    ]  # fmt: skip
    report = Detector(entailment=FixedEntailment()).check(read_run({"messages": messages}))
    found = [c for c in report.claims if case.says in c.text and c.status != "exempt"]
    assert found, [c.text for c in report.claims]
    return found[0]
