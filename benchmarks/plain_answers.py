"""Plain one-sentence answers over plain results: true ones held back, false ones let through.

    python benchmarks/plain_answers.py [--arms] [--every 1] [--json FILE]

240 runs (``plain_answers.jsonl``: orders, tickets, timetables, tables, minutes, logs), each with five true answers
and three false ones, written by people who had not seen what the checks do. Those of an even number have been read
since, and what they showed was mended; of the others nobody has looked at a single failure. ``--arms`` shows the
entailment model alone and the exact checks alone beside both.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ablation import ARMS, goes_out
from rich.console import Console
from rich.table import Table

from affidavit.formats import read_run
from affidavit.models.entailment import load_entailment_model
from affidavit.models.entailment.protocol import EntailmentModel
from affidavit.policy import Policy
from affidavit.trace import RunTrace

ITEMS = Path(__file__).with_suffix(".jsonl")


def main() -> None:
    parser = argparse.ArgumentParser(description="Plain answers, true and false.")
    parser.add_argument(
        "--arms", action="store_true", help="each half of Stage 2 by itself as well"
    )
    parser.add_argument("--every", type=int, default=1, help="only every so many runs")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    lines = ITEMS.read_text(encoding="utf-8").splitlines()[:: options.every]
    items = [json.loads(line) for line in lines]
    model = load_entailment_model("embedded")
    arms = ARMS if options.arms else {"both": ARMS["both"]}
    figures = {
        name: measure(items, model if asked else None, exact)
        for name, (asked, exact) in arms.items()
    }
    shown = Table("arm", "runs", "true held back", "false let through")
    for name, halves in figures.items():
        for half, n in halves.items():
            if not n:
                continue
            held, let = n["held"] / n["true"], n["let"] / n["false"]
            shown.add_row(
                name, half, f"{held:.1%} of {n['true']:,}", f"{let:.1%} of {n['false']:,}"
            )
    Console().print(shown)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def measure(
    items: list[dict[str, Any]], model: EntailmentModel | None, exact: bool
) -> dict[str, Counter[str]]:
    """How many true answers there are and are held back, and of the false ones go out, by half."""
    counts = {"read": Counter[str](), "unread": Counter[str]()}
    for item in items:
        half = counts["unread" if int(item["id"][-3:]) % 2 else "read"]
        for kind, answer in _answers(item):
            out = goes_out(run_of(item, answer), Policy(), model, exact)
            half[kind] += 1
            half["held"] += kind == "true" and not out
            half["let"] += kind == "false" and out
    return counts


def _answers(item: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield from (("true", answer) for answer in item["true"])
    yield from (("false", answer) for answer, _ in item["false"])


def run_of(item: dict[str, Any], answer: str) -> RunTrace:
    """The run of an item, with this answer at its end."""
    given = [pair for call in item["calls"] for pair in (call.get("arguments") or {}).items()]
    session = "; ".join(f"{k}: {v if isinstance(v, str) else json.dumps(v)}" for k, v in given)
    system = f"You are a helpful assistant. Today is {item['today']}. Session: {session}"
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": system},
        {"role": "user", "content": item["question"]},
    ]
    for n, call in enumerate(item["calls"]):
        asked = {"name": call["tool"], "arguments": json.dumps(call.get("arguments") or {})}
        result = call["result"]
        told = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
        made = {"id": f"c{n}", "type": "function", "function": asked}
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [made]},
            {"role": "tool", "tool_call_id": f"c{n}", "content": told},
        ]
    messages.append({"role": "assistant", "content": answer})
    return read_run({"messages": messages}, run_id=item["id"])


if __name__ == "__main__":
    main()
