"""Where this package keeps what is to outlast a process, and is nobody's output."""

from __future__ import annotations

import os
from pathlib import Path


def state_folder() -> Path:
    """``$AFFIDAVIT_STATE``, else the user's folder for such things. It need not be there yet."""
    if own := os.environ.get("AFFIDAVIT_STATE"):
        return Path(own)
    base = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".local" / "state") / "affidavit"
