"""How often chance proves a computed value: claims held against the evidence of another run.

    python benchmarks/derived_coincidence.py --tools TOOLS.json --system POLICY.md RUNS.jsonl.gz … \\
        [--every 4] [--seed 7] [--json FILE]

Every number that an answer states and its own run's evidence does not spell out is a candidate for
arithmetic. Against its own evidence a derivation should be found where the answer computed; against
that of another run of the same kind, anything found is coincidence.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from retail_answers import answers
from rich.console import Console
from rich.table import Table

from affidavit.cli.audit import read_tools
from affidavit.ledger.ledger import Ledger
from affidavit.policy import Policy
from affidavit.stages.ground.checks.derived import derive
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.contexts import contexts_of
from affidavit.stages.ground.finding import GroundContext
from affidavit.stages.ground.split import split_claims
from affidavit.trace import RunTrace


def main() -> None:
    parser = argparse.ArgumentParser(description="Derived values that chance would prove.")
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--tools", type=Path, required=True)
    parser.add_argument("--system", type=Path, required=True)
    parser.add_argument("--every", type=int, default=4)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    tools, system = read_tools(options.tools), options.system.read_text(encoding="utf-8")
    traces = [t for path in options.runs for t in answers(path, tools, system, options.every)]
    others = list(traces)
    random.Random(options.seed).shuffle(others)
    figures = {
        "own evidence": measure(zip(traces, traces, strict=True)),
        "another run's": measure(zip(traces, others, strict=True)),
    }
    shown = Table("evidence", "values not quoted", "derived", "share")
    for name, row in figures.items():
        tried, derived = row["tried"], row["derived"]
        shown.add_row(name, str(tried), str(derived), f"{derived / max(1, tried):.1%}")
    Console().print(shown)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def measure(pairs: Iterator[tuple[RunTrace, RunTrace]]) -> Counter[str]:
    """How many values are not in the evidence, and for how many of them a derivation is found."""
    counts: Counter[str] = Counter()
    for trace, told in pairs:
        for context, claim in _judged(trace, told):
            for value in claim.values:
                measured = value.number is not None and not value.text.isalpha()
                if measured and not context.search.hits(value, today=context.today):
                    counts["tried"] += 1
                    found = derive(value, claim, context)
                    # What is computed from the answer's own figures, each judged by itself, rests on
                    # no evidence and so coincides with none.
                    counts["derived"] += found is not None and bool(found.spans)
    return counts


def _judged(trace: RunTrace, told: RunTrace) -> Iterator[tuple[GroundContext, Claim]]:
    ledger = Ledger.of(told)
    claims = split_claims(trace.answer, question=trace.question)
    yield from zip(
        contexts_of(claims, trace.answer, trace.question, ledger, Policy()), claims, strict=True
    )


if __name__ == "__main__":
    main()
