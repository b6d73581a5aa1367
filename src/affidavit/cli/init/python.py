"""The few lines for a framework of Python, as a module that the agent's code imports."""

from __future__ import annotations

from pathlib import Path

from affidavit.cli.init.change import Change
from affidavit.cli.init.snippets import named, source, used

MODULE = "affidavit_guard.py"


def change(folder: Path, names: list[str]) -> Change:
    """The module to be made. One that is there is its owner's, and stays as it is."""
    file = folder / MODULE
    before = file.read_text(encoding="utf-8") if file.exists() else None
    uses = "\n".join(f"    {used(name, names)}" for name in names)
    imported = ", ".join(["detector", *(named(name, names) for name in names)])
    hint = f"Where the agent is made:\n    from affidavit_guard import {imported}\n{uses}"
    return Change(file, before, before if before is not None else source(names), hint)
