"""How statuses and actions look: a sign, a word and a colour, so that none has to carry it alone."""

from __future__ import annotations

from rich.text import Text

CLAIM: dict[str, tuple[str, str]] = {
    "supported": ("✓", "green"),
    "contradicted": ("✗", "bold red"),
    "unsupported": ("✗", "red"),
    "exempt": ("·", "dim"),
    "unchecked": ("?", "yellow"),
}
CALL: dict[str, tuple[str, str]] = {
    "accepted": ("✓", "green"),
    "rejected": ("✗", "red"),
    "unchecked": ("?", "yellow"),
}
ACTION: dict[str, tuple[str, str]] = {
    "emit": ("✓", "bold green"),
    "revise": ("↻", "bold yellow"),
    "block": ("✗", "bold red"),
}

_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def marked(look: tuple[str, str], word: str) -> Text:
    """A sign and its word in their colour; what is appended does not inherit it."""
    sign, style = look
    return Text.assemble((f"{sign} {word}", style))


def superscript(number: int) -> str:
    return str(number).translate(_SUPERSCRIPT)


# What a tool or a model said may hold terminal commands: they are shown, one sign each, never obeyed.
_CONTROLS = {code: 0x2400 + code for code in range(32) if chr(code) not in "\n\t"}
_CONTROLS |= dict.fromkeys(range(0x7F, 0xA0), ord("␡"))


def printable(text: str) -> str:
    """The text with control characters made visible; offsets stay as they are."""
    return text.translate(_CONTROLS)
