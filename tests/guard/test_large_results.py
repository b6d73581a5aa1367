"""Results of megabytes: nobody who shares the guard's loop waits until they are read."""

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from affidavit.detector import Detector
from affidavit.guard import Guard
from affidavit.testing import FixedEntailment
from affidavit.trace import Message, TextPart, ToolCallPart, ToolDefinition

ASKED = Message(role="user", parts=(TextPart(text="Where are my orders?"),))
GET_ORDER = ToolDefinition(
    name="get_order",
    input_schema={"type": "object", "properties": {"order_id": {"type": "string"}}},
)
ROWS = [{"order_id": f"ORD-{100_000 + n}", "mail": f"u{n}@shop.example"} for n in range(20_000)]


class Where:
    """A recorder that keeps the threads in which calls are checked."""

    def __init__(self) -> None:
        self.threads: list[int] = []

    def call(self, run_id: str, validation: Any) -> None:
        self.threads.append(threading.get_ident())

    def report(self, report: Any, trace: Any) -> None:
        pass


def guard_of(*recorders: Any) -> Guard:
    detector = Detector(entailment=FixedEntailment(default="entailment"))
    return Guard(detector, messages=[ASKED], tools=[GET_ORDER], recorders=recorders)


def call(order_id: str, call_id: str) -> ToolCallPart:
    return ToolCallPart(id=call_id, name="get_order", arguments={"order_id": order_id})


@pytest.mark.spec("AFF-815")
def test_a_call_is_looked_up_off_the_loop() -> None:
    where = Where()
    guard = guard_of(where)

    async def main() -> list[Any]:
        guard.record_result("c0", json.dumps(ROWS))
        known, unknown = call("ORD-101234", "c1"), call("ORD-999999", "c2")
        return [await guard.acheck_call(one) for one in (known, unknown)]

    known, unknown = asyncio.run(main())
    assert known.run and known.validation.status == "accepted"
    assert not unknown.run and "ORD-" in (unknown.feedback or "")
    assert threading.get_ident() not in where.threads


def test_what_is_entered_while_calls_are_checked_is_known() -> None:
    guard = guard_of()

    def one(n: int) -> str:
        guard.record_result(f"r{n}", json.dumps(ROWS[n * 50 : n * 50 + 50]))
        return guard.check_call(call(f"ORD-{100_000 + n * 50 + 49}", f"c{n}")).validation.status

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(one, range(64))) == {"accepted"}
