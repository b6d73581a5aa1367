"""A change of one file, before it is made: shown, made, or found to be made already."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Change:
    """``before`` is None where the file is not there yet; ``hint`` is what is left for the user to do."""

    file: Path
    before: str | None
    after: str
    hint: str

    def make(self) -> None:
        """Write the file, whole or not at all."""
        if self.after == self.before:
            return
        self.file.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.file.with_name(f".{self.file.name}.{os.getpid()}")
        fresh.write_text(self.after, encoding="utf-8")
        if self.before is not None:
            fresh.chmod(self.file.stat().st_mode & 0o777)
        fresh.replace(self.file)

    def told(self, *, dry: bool) -> str:
        """What was done, or would be."""
        if self.after == self.before:
            return f"{self.file}: nothing to change.\n{self.hint}"
        verb = "would be " if dry else ""
        done = f"{verb}{'made' if self.before is None else 'changed'}"
        shown = f"\n{self.after.rstrip()}\n" if dry else "\n"
        return f"{self.file}: {done}.{shown}{self.hint}"
