"""One key from a person at a terminal, without a return; one sign where a program writes instead."""

from __future__ import annotations

import sys
from typing import TextIO


def read_key(stream: TextIO) -> str:
    """The next key, or the next sign that is no space; empty at the end of the input."""
    if not stream.isatty():
        while (sign := stream.read(1)).isspace():
            pass
        return sign
    if sys.platform == "win32":
        import msvcrt

        return msvcrt.getwch()
    import os
    import termios
    import tty

    descriptor = stream.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        # Not through the stream: what it read ahead would be asked for again.
        return os.read(descriptor, 1).decode("utf-8", "replace")
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
