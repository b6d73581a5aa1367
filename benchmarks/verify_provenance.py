"""Stage 1 against runs of true calls: how many are rejected, and how many invented entities are found.

    python benchmarks/verify_provenance.py RUNS.jsonl.gz [RUNS.jsonl.gz …] [--seed 0] [--json FILE]

Made for ComplexFuncBench, where each argument is the user's or an earlier response's; recorded
customer-service runs do as well. For recall each entity of each call is replaced, one at a time, by one
that the run does not hold, in three ways: one character changed, all characters drawn again in the
same shape, and the same argument of another run.

Entities here are the identifiers among the arguments, by the benchmark's own list. Not counted are
values that say what to look for or how (queries, dates, counts, sorting, kinds of place), and
coordinates, which a model may know; the last rows add these, with a policy that marks them.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import string
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from affidavit.formats import iter_runs
from affidavit.policy import ArgumentRule, Policy, ToolRule
from affidavit.report import ToolCallValidation
from affidavit.stages.verify import CallVerifier, verify_run
from affidavit.trace import RunTrace, ToolCallPart

ENTITIES = frozenset(
    "fromId toId hotel_id vehicle_id search_key dest_id id slug pick_up_place_id drop_off_place_id "
    "token offerToken order_id user_id item_ids new_item_ids product_id payment_method_id email".split()
)
COORDINATES = frozenset(
    "latitude longitude pick_up_latitude pick_up_longitude drop_off_latitude "
    "drop_off_longitude".split()
)
WAYS = ("one character", "same shape", "another run's")

Leaf = tuple[tuple[str | int, ...], str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    figures = [measure(path, options.seed) for path in options.runs]
    for measured in figures:
        show(measured)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def measure(path: Path, seed: int) -> dict[str, Any]:
    runs = [run for _, run in iter_runs(path) if isinstance(run, RunTrace)]
    marked = Policy(tools={tool: _marked() for tool in _tools(runs)})
    rows = recall(runs, ENTITIES, Policy(), seed)
    rows += recall(runs, COORDINATES, marked, seed, name="coordinates, marked: ")
    return {"runs": path.name, "seed": seed, "true_calls": precision(runs), "invented": rows}


def precision(runs: list[RunTrace]) -> dict[str, Any]:
    """True calls that are rejected, each with its reason, for a reader to judge."""
    calls, findings = 0, []
    for run in runs:
        for call in verify_run(run):
            calls += 1
            if call.errors:
                said = "; ".join(f"{e.path}: {e.message[:120]}" for e in call.errors)
                findings.append(f"{run.run_id}, message {call.message}, {call.tool}: {said}")
    return {"calls": calls, "rejected": len(findings), "findings": findings}


def recall(
    runs: list[RunTrace], entities: frozenset[str], policy: Policy, seed: int, name: str = ""
) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    elsewhere = _values_by_name(runs, entities)
    tried: Counter[str] = Counter()
    found: Counter[str] = Counter()
    missed: dict[str, list[str]] = defaultdict(list)
    for run in runs:
        said = run.model_dump_json()
        for verifier, call in _each_call(run, policy):
            for path, value in _leaves(call.arguments, entities):
                for way in WAYS:
                    other = _invented(way, value, elsewhere[_name(path)], said, rng)
                    if other is None:
                        continue
                    tried[way] += 1
                    faulty = _replaced(call, path, other)
                    if _names(verifier.check(faulty), path):
                        found[way] += 1
                    else:
                        missed[way].append(f"{run.run_id} {call.name} {_name(path)}: {other[:80]}")
    return [
        {"way": name + way, "tried": tried[way], "found": found[way], "missed": missed[way]}
        for way in WAYS
        if tried[way]
    ]


def _each_call(run: RunTrace, policy: Policy) -> Iterator[tuple[CallVerifier, ToolCallPart]]:
    """Each call, with a verifier that has seen what came before it."""
    verifier = CallVerifier(run.tools, policy)
    for message in run.messages:
        for call in message.tool_calls:
            yield verifier, call.model_copy(update={"id": f"faulty-{call.id}"})
        verifier.observe(message)


def _invented(
    way: str, value: str, elsewhere: list[str], said: str, rng: random.Random
) -> str | None:
    """A plausible value that the run does not hold; None where none was drawn in 50 attempts."""
    for _ in range(50):
        if way == "another run's":
            other = rng.choice(elsewhere)
        elif way == "same shape":
            other = "".join(_redrawn(c, rng) for c in value)
        else:
            at = rng.choice([i for i, c in enumerate(value) if c.isalnum()])
            other = value[:at] + _redrawn(value[at], rng) + value[at + 1 :]
        if other != value and other.lower() not in said.lower():
            return other
    return None


def _redrawn(char: str, rng: random.Random) -> str:
    for alphabet in (string.digits, string.ascii_lowercase, string.ascii_uppercase):
        if char in alphabet:
            return rng.choice(alphabet)
    return char


def _leaves(arguments: Any, entities: frozenset[str]) -> Iterator[Leaf]:
    stack: list[tuple[tuple[str | int, ...], Any]] = [((), arguments)]
    while stack:
        path, item = stack.pop()
        if isinstance(item, dict):
            stack.extend(((*path, key), inner) for key, inner in item.items())
        elif isinstance(item, list):
            stack.extend(((*path, i), inner) for i, inner in enumerate(item))
        elif path and _name(path) in entities and any(c.isalnum() for c in str(item)):
            yield path, str(item)


def _name(path: tuple[str | int, ...]) -> str:
    return next((step for step in reversed(path) if isinstance(step, str)), "")


def _replaced(call: ToolCallPart, path: tuple[str | int, ...], value: str) -> ToolCallPart:
    arguments: Any = copy.deepcopy(call.arguments)
    node = arguments
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = value
    return call.model_copy(update={"arguments": arguments})


def _names(validation: ToolCallValidation, path: tuple[str | int, ...]) -> bool:
    """Whether the verdict rejects the argument at ``path``, and not another one."""
    pointer = "".join(f"/{step}" for step in path)
    return any(e.kind == "provenance" and e.path == pointer for e in validation.errors)


def _values_by_name(runs: list[RunTrace], entities: frozenset[str]) -> dict[str, list[str]]:
    values: dict[str, set[str]] = defaultdict(set)
    for run in runs:
        for message in run.messages:
            for call in message.tool_calls:
                for path, value in _leaves(call.arguments, entities):
                    values[_name(path)].add(value)
    return {name: sorted(found) for name, found in values.items()}


def _tools(runs: list[RunTrace]) -> set[str]:
    return {call.name for run in runs for m in run.messages for call in m.tool_calls}


def _marked() -> ToolRule:
    return ToolRule(arguments={name: ArgumentRule(entity=True) for name in COORDINATES})


def show(measured: dict[str, Any]) -> None:
    console = Console()
    true_calls, rows = measured["true_calls"], measured["invented"]
    share = f"{true_calls['rejected'] / max(true_calls['calls'], 1):.2%}"
    counted = f"{true_calls['rejected']} of {true_calls['calls']:,}"
    console.print(f"{measured['runs']}: true calls rejected: {counted} ({share})")
    for finding in true_calls["findings"]:
        console.print(f"  {finding}", markup=False, soft_wrap=True)
    table = Table("invented entity", "tried", "found", "recall")
    for row in rows:
        recalled = row["found"] / row["tried"]
        table.add_row(row["way"], f"{row['tried']:,}", f"{row['found']:,}", f"{recalled:.2%}")
    console.print(table)
    for row in rows:
        for missed in row["missed"][:10]:
            console.print(f"missed, {row['way']}: {missed}", markup=False, soft_wrap=True)


if __name__ == "__main__":
    main()
