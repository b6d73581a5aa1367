"""Stage 1 on recorded customer-service runs: how many calls are rejected, and each provenance rejection.

    python benchmarks/verify_retail.py TOOLS.json RUNS.jsonl.gz [RUNS.jsonl.gz …] [--json FILE]

TOOLS.json lists the declared tools; each line of a RUNS file is one run in any format that
``affidavit.formats`` reads. Whether a rejection is right is for a reader to say: all are printed.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from affidavit.errors import TraceError
from affidavit.formats import iter_runs
from affidavit.stages.verify import verify_run
from affidavit.stages.verify.declarations import tool_definition
from affidavit.trace import ToolDefinition


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("tools", type=Path)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    declared = json.loads(options.tools.read_text(encoding="utf-8"))
    tools = tuple(tool_definition(tool) for tool in declared)
    rows = [measure(path, tools) for path in options.runs]
    console = Console()
    console.print(table(rows))
    for row in rows:
        for finding in row["provenance_rejections"]:
            console.print(f"{row['runs']}: {finding}", markup=False, soft_wrap=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def measure(path: Path, tools: tuple[ToolDefinition, ...]) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    findings: list[str] = []
    for line, run in iter_runs(path, tools=tools):
        if isinstance(run, TraceError):
            findings.append(f"line {line} could not be read: {run}")
            continue
        for call in verify_run(run):
            counts["calls"] += 1
            counts["entities"] += len(call.provenance)
            kinds = {error.kind for error in call.errors}
            counts["rejected"] += bool(kinds)
            counts["provenance"] += "provenance" in kinds
            counts["schema"] += bool(kinds - {"provenance", "repeated_call"})
            where = f"{run.run_id}, message {call.message}, {call.tool}"
            findings += [f"{where}: {e.message}" for e in call.errors if e.kind == "provenance"]
    return {"runs": path.name, **counts, "provenance_rejections": findings}


def table(rows: list[dict[str, Any]]) -> Table:
    shown = Table("runs", "calls", "entities", "rejected", "for schema", "for provenance")
    for row in rows:
        shares = [row[key] / max(row["calls"], 1) for key in ("rejected", "schema", "provenance")]
        shown.add_row(
            row["runs"],
            f"{row['calls']:,}",
            f"{row['entities']:,}",
            *(f"{share:.2%}" for share in shares),
        )
    return shown


if __name__ == "__main__":
    main()
