"""What each half of Stage 2 brings: the entailment model alone, the exact checks alone, both.

    python benchmarks/ablation.py [CASES.jsonl …] [--json FILE]

On twin cases (``specs/cases`` unless given): good twins whose answer goes out, bad twins whose answer
is stopped, pairs of which both hold. Stage 1 is left out, so that only the answer is judged.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.table import Table

from affidavit.audit.cases import Case, load_cases
from affidavit.formats import read_run
from affidavit.ledger.ledger import Ledger
from affidavit.models.entailment import load_entailment_model
from affidavit.models.entailment.protocol import EntailmentModel
from affidavit.policy import Policy
from affidavit.stages.ground import ground
from affidavit.trace import RunTrace

CASES = Path(__file__).parents[1] / "specs" / "cases"
ARMS = {
    "entailment alone": (True, False),
    "exact checks alone": (False, True),
    "both": (True, True),
}
"""For each arm whether the model is asked and whether the exact checks are made."""


def main() -> None:
    parser = argparse.ArgumentParser(description="What each half of Stage 2 brings.")
    parser.add_argument("cases", type=Path, nargs="*", help="files of twin cases")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    files = options.cases or [CASES / "cases.jsonl", CASES / "further.jsonl"]
    cases = [case for file in files for case in load_cases(file)]
    model = load_entailment_model("embedded")
    figures = {
        name: measure(cases, model if asked else None, exact)
        for name, (asked, exact) in ARMS.items()
    }
    shown = Table("arm", "good twins out", "bad twins stopped", "pairs right")
    for name, row in figures.items():
        pairs = row["pairs"]
        shown.add_row(name, *(f"{row[key] / pairs:.1%}" for key in ("out", "stopped", "right")))
    Console().print(shown)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def measure(cases: list[Case], model: EntailmentModel | None, exact: bool) -> Counter[str]:
    counts: Counter[str] = Counter()
    right: dict[str, bool] = {}
    for case in cases:
        good = case.twin == "good"
        run, policy = read_run(case.run), Policy.model_validate(case.policy)
        held = goes_out(run, policy, model, exact) == good
        counts["out" if good else "stopped"] += held
        right[case.pair] = right.get(case.pair, True) and held
    counts["pairs"], counts["right"] = len(right), sum(right.values())
    return counts


def goes_out(run: RunTrace, policy: Policy, model: EntailmentModel | None, exact: bool) -> bool:
    """Whether every scored claim reaches the threshold at which an answer is emitted."""
    claims = ground(run.answer, Ledger.of(run), policy, model, exact_checks=exact).claims
    return all(c.score >= policy.emit_threshold for c in claims if c.score is not None)


if __name__ == "__main__":
    main()
