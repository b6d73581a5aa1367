"""The table of adapters: what each keeps of the contract, and what its runtime cannot do.

python -m affidavit.runtimes.table > src/affidavit/runtimes/ADAPTERS.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping

from affidavit.runtimes import adapters
from affidavit.runtimes.adapter import Adapter
from affidavit.runtimes.contract import SCENARIOS

_HEAD = """# Runtime adapters

Each is run under one contract, with the real package at the version given. What the contract asks:

"""
_COLUMNS = "| runtime | run with | the line that puts the guard in | holds | cannot, and what else to know |\n"


def table(rows: Iterable[Adapter], scenarios: Mapping[str, object]) -> str:
    """Markdown: the scenarios, then one row an adapter."""
    asked = "".join(f"- {_words(name)}\n" for name in scenarios)
    lines = "".join(_row(adapter, scenarios) for adapter in rows)
    return f"{_HEAD}{asked}\n{_COLUMNS}|---|---|---|---|---|\n{lines}"


def _row(adapter: Adapter, scenarios: Mapping[str, object]) -> str:
    kept = adapter.keeps(scenarios)
    holds = "all" if len(kept) == len(scenarios) else f"{len(kept)} of {len(scenarios)}"
    reasons: dict[str, list[str]] = {}
    for name, why in adapter.cannot.items():
        reasons.setdefault(why, []).append(_words(name))
    lacks = [f"not: {', '.join(names)} ({why})" for why, names in reasons.items()]
    known = "; ".join([*lacks, *(note.rstrip(".") for note in adapter.notes)])
    cells = (
        adapter.name, f"{adapter.package} {adapter.versions}", f"`{adapter.use}`", holds, known,
    )  # fmt: skip
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"


def _words(scenario: str) -> str:
    return scenario.replace("_", " ")


if __name__ == "__main__":
    sys.stdout.write(table(adapters(), SCENARIOS))
