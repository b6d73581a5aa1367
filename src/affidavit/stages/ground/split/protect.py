"""Text with all that is quoted, bracketed or code made neutral, so that patterns read only the words said."""

from __future__ import annotations

import re

_PAIRS = (
    re.compile(r"\([^()\n]{1,400}\)"),
    re.compile(r"(?<!\w)'[^'\n]{1,80}'(?!\w)"),
    re.compile(
        r"“[^”\n]{1,400}”|„[^“”\n]{1,400}[“”]|«[^»\n]{1,400}»|\"[^\"\n]{1,400}\"|「[^」\n]{1,400}」"
    ),
    re.compile(r"\[[^\]\n]{1,400}\]"),
)
_CODE = re.compile(r"`[^`\n]+`")
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s<>\"”)]+|(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+\w")


def protect(text: str) -> str:
    """``text`` with everything in quotes, brackets, code and URLs as ``x``: nothing splits there."""
    for pattern in (_CODE, _ADDRESS, *_PAIRS):
        text = pattern.sub(_neutral, text)
    return text


def _neutral(m: re.Match[str]) -> str:
    # The full stop of “It is ready.” ends the sentence around it, if what follows begins one.
    inner = re.sub(r"\S", "x", m[0][1:-1])
    # So does that of "(It is ready.)", but not that of "(Jr.)" or "(fees etc.)".
    shortest = 12 if m[0][0] == "(" else 2
    ended = m[0][0] in '“„«"「(' and m[0][-2] == "." and len(inner) > shortest
    return m[0][0] + (inner[:-1] + "." if ended else inner) + m[0][-1]
