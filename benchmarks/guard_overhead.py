"""What the guard costs beside the model's own time: per tool call and per answer, through a guarded SDK.

    python benchmarks/guard_overhead.py [--runs 50] [--tokens-per-second 80] [--json FILE]

The agent asks for an order, calls three tools and answers in ten sentences. Its model answers from a
script at once, so that what is measured is the client: the same requests through the plain SDK and
through the guarded one, and the difference. Beside it stands the time that a model would take for the
same tokens at the given speed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anthropic
import streaming

from affidavit import Detector, Policy
from affidavit.runtimes.anthropic import guard_client
from affidavit.runtimes.transport import inner_library

httpx = inner_library(anthropic.Anthropic(api_key="k")._client)
TOOLS: Any = [{"name": tool.name, "input_schema": tool.input_schema} for tool in streaming.TOOLS]


def message(content: list[dict[str, Any]]) -> dict[str, Any]:
    calls = any(block["type"] == "tool_use" for block in content)
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "scripted", "content": content,
        "stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip


def turns(n: int) -> list[dict[str, Any]]:
    """One call a turn, then the answer."""
    order = f"BL-{204000 + n}"
    called = [
        message([{"type": "tool_use", "id": f"{name}-{n}", "name": name, "input": {"id": order}}])
        for name in streaming.results(n)
    ]
    return [*called, message([{"type": "text", "text": streaming.answer(n)}])]


def client(n: int) -> anthropic.Anthropic:
    script = iter(turns(n))
    transport = httpx.MockTransport(lambda _: httpx.Response(200, json=next(script)))
    return anthropic.Anthropic(
        api_key="k", max_retries=0, http_client=httpx.Client(transport=transport)
    )


def run(asking: anthropic.Anthropic, n: int) -> tuple[list[float], float]:
    """Milliseconds of each request that ended in a call, and of the one that ended in the answer."""
    found = streaming.results(n)
    question = f"Where is my order BL-{204000 + n}, what did it cost, and can I send it back?"
    messages: list[Any] = [{"role": "user", "content": question}]
    times = []
    while True:
        begun = time.perf_counter()
        answer: Any = asking.messages.create(
            model="m",
            max_tokens=500,
            tools=TOOLS,
            messages=messages,
        )
        times.append((time.perf_counter() - begun) * 1000)
        if answer.stop_reason != "tool_use":
            return times[:-1], times[-1]
        results = [
            {"type": "tool_result", "tool_use_id": b.id, "content": json.dumps(found[b.name])}
            for b in answer.content
        ]
        said = {"role": "assistant", "content": answer.content}
        messages += [said, {"role": "user", "content": results}]


def measured(make: Callable[[int], anthropic.Anthropic], runs: int) -> dict[str, list[float]]:
    calls: list[float] = []
    answers: list[float] = []
    for n in range(runs):
        of_calls, of_answer = run(make(n), n)
        calls += of_calls
        answers.append(of_answer)
    return {"call": calls, "answer": answers}


def main() -> int:
    parser = argparse.ArgumentParser(description="Times what the guard costs beside the model.")
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--tokens-per-second", type=float, default=80)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    detector = Detector(Policy())
    run(guard_client(client(900), detector), 900)  # loads the model
    plain = measured(client, arguments.runs)
    guarded = measured(lambda n: guard_client(client(n), detector), arguments.runs)
    tokens = {"call": 40, "answer": len(streaming.answer(0)) // 4}
    figures = {}
    for what, times in guarded.items():
        base = statistics.median(plain[what])
        cuts = statistics.quantiles(times, n=20, method="inclusive")
        model = tokens[what] / arguments.tokens_per_second * 1000
        figures[what] = {
            "added_p50_ms": cuts[9] - base,
            "added_p95_ms": cuts[18] - base,
            "model_ms": model,
            "share_of_model": (cuts[9] - base) / model,
        }
    speed = f"{arguments.tokens_per_second:g} tokens/s"
    print(f"{arguments.runs} runs of 3 calls and an answer of 10 sentences, {os.cpu_count()} cores")
    print(f"{'per':8} {'added p50, ms':>14} {'p95, ms':>10}   the model at {speed}, ms   share")
    for what, row in figures.items():
        print(
            f"{what:8} {row['added_p50_ms']:14.1f} {row['added_p95_ms']:10.1f} "
            f"{row['model_ms']:28.0f} {row['share_of_model']:7.1%}"
        )
    if arguments.json:
        about = {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "cores": os.cpu_count(),
            "runs": arguments.runs,
            "tokens_per_second": arguments.tokens_per_second,
        }
        text = json.dumps({**about, **figures}, indent=2)
        arguments.json.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
