"""What the guard adds after the model's last token: to an answer of ten sentences, streamed or not.

    python benchmarks/streaming.py [--runs 30] [--tokens-per-second 80] [--json FILE]

The answer arrives at the given speed, four characters a token. Streamed, each sentence is checked while
the next is being written, and what is counted is from the last token's arrival to the end of the last
check; not streamed, the whole answer is checked then. No two runs share a value, so that no score comes
from the cache of another run. The aim is a median below 60 ms, streamed, on two cores.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from affidavit import Detector, Guard, Policy
from affidavit.guard import AnswerDecision
from affidavit.trace import Message, TextPart, ToolCallPart, ToolDefinition

AIM_MS = 60
TOOLS = [
    ToolDefinition(
        name=name, input_schema={"type": "object", "properties": {"id": {"type": "string"}}}
    )
    for name in ("get_order", "get_shipment", "search_policy")
]


def results(n: int) -> dict[str, Any]:
    """What the three tools of run ``n`` return."""
    order = {
        "order_id": f"BL-{204000 + n}",
        "status": "shipped",
        "placed_on": f"2026-0{1 + n % 9}-{10 + n % 18}",
        "items": [
            {"name": "Ridge tent", "quantity": 1, "price": 429.00 + n},
            {"name": "Trail stove", "quantity": 2, "price": 58.50 + n},
            {"name": "Camp lamp", "quantity": 3, "price": 19.99 + n},
        ],
        "payment": {"method": "Visa", "last_four": f"{4000 + n}"},
    }
    shipment = {
        "carrier": "UPS",
        "tracking_number": f"1Z84E51703911{10000 + n}",
        "estimated_delivery": f"2026-1{n % 3}-0{1 + n % 9}",
        "last_scan": {"city": "Leipzig", "event": "departed facility"},
    }
    policy = (
        f"Returns are accepted within {30 + n} days of delivery. Opened stoves cannot be returned. "
        f"The customer pays the return postage of ${7 + n}.50 unless the item was damaged on arrival. "
        "Refunds are made to the original payment method within five business days."
    )
    return {"get_order": order, "get_shipment": shipment, "search_policy": policy}


def answer(n: int) -> str:
    """Ten sentences, all of them true: seven an exact check decides, three the model has to read."""
    found = results(n)
    order, shipment = found["get_order"], found["get_shipment"]
    tent, stove, lamp = (item["price"] for item in order["items"])
    sentences = [
        f"Your order {order['order_id']} has shipped.",
        f"The Ridge tent cost ${tent:.2f}.",
        f"The price of the Trail stove is ${stove:.2f}.",
        f"The price of the Camp lamp is ${lamp:.2f}.",
        f"You paid with the Visa card ending in {order['payment']['last_four']}.",
        f"UPS carries it under the tracking number {shipment['tracking_number']}.",
        "The parcel has left the facility in Leipzig.",
        f"You can send items back within {30 + n} days of delivery.",
        "A stove that has been opened cannot be returned.",
        "Refunds go to the original payment method.",
    ]
    # Each kind of sentence comes last in its turn: it is the one that is waited for.
    first = n % len(sentences)
    return " ".join(sentences[first:] + sentences[:first])


def guard_of(detector: Detector, n: int) -> Guard:
    found = results(n)
    text = f"Where is my order BL-{204000 + n}, what did it cost, and can I send it back?"
    asked = Message(role="user", parts=(TextPart(text=text),))
    guard = Guard(detector, messages=[asked], tools=TOOLS)
    for name, result in found.items():
        guard.check_call(ToolCallPart(id=name, name=name, arguments={"id": f"BL-{204000 + n}"}))
        guard.record_result(name, result)
    return guard


def streamed(guard: Guard, text: str, speed: float) -> tuple[AnswerDecision, float, int]:
    """The decision, milliseconds after the last token, and how many pieces went out before it."""
    tokens = [text[i : i + 4] for i in range(0, len(text), 4)]
    draft, early, begun = guard.stream(), 0, time.perf_counter()
    for i, token in enumerate(tokens):
        wait(begun + (i + 1) / speed)
        early += bool(draft.feed(token))
    decision = draft.finish()
    last = begun + len(tokens) / speed
    return decision, (time.perf_counter() - last) * 1000, early


def whole(guard: Guard, text: str, speed: float) -> tuple[AnswerDecision, float, int]:
    wait(time.perf_counter() + len(text) / 4 / speed)
    begun = time.perf_counter()
    decision = guard.check_answer(text)
    return decision, (time.perf_counter() - begun) * 1000, 0


def wait(until: float) -> None:
    time.sleep(max(until - time.perf_counter(), 0))


def summary(times: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(times, n=20, method="inclusive")
    return {"p50": cuts[9], "p95": cuts[18], "max": max(times)}


def main() -> int:
    parser = argparse.ArgumentParser(description="Times what the guard adds after the last token.")
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--tokens-per-second", type=float, default=80)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    detector = Detector(Policy())
    for n in (900, 901):  # loads the model
        guard_of(detector, n).check_answer(answer(n))
    figures: dict[str, Any] = {}
    for way, begin in (("streamed", streamed), ("whole", whole)):
        after, first, pieces, held = [], [], [], 0
        for n in range(arguments.runs):
            number = n + (0 if way == "streamed" else 300)
            decision, milliseconds, early = begin(
                guard_of(detector, number), answer(number), arguments.tokens_per_second
            )
            after.append(milliseconds)
            pieces.append(early)
            held += decision.action != "emit"
            if decision.report.timings.first_sentence is not None:
                first.append(decision.report.timings.first_sentence)
        figures[way] = {"after_last_token_ms": summary(after), "not_emitted": held}
        if first:
            figures[way]["first_sentence_ms"] = summary(first)
            figures[way]["pieces_before_the_end"] = statistics.fmean(pieces)
    print(f"{arguments.runs} answers of 10 sentences, {os.cpu_count()} cores, "
          f"{arguments.tokens_per_second:g} tokens/s; aim: p50 < {AIM_MS} ms streamed")  # fmt: skip
    print(f"{'':10} {'after the last token, ms':>32}   first sentence, ms   not emitted")
    for way, figure in figures.items():
        after_ms, first_ms = figure["after_last_token_ms"], figure.get("first_sentence_ms")
        shown = "  ".join(f"{k} {v:7.1f}" for k, v in after_ms.items())
        early_ms = f"{first_ms['p50']:10.0f}" if first_ms else " " * 10
        print(f"{way:10} {shown}   {early_ms} {figure['not_emitted']:>20}")
    if arguments.json:
        about = {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "cores": os.cpu_count(),
            "runs": arguments.runs,
            "tokens_per_second": arguments.tokens_per_second,
            "aim_ms": AIM_MS,
        }
        text = json.dumps({**about, **figures}, indent=2)
        arguments.json.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
