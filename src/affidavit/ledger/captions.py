"""The unit that a caption gives all figures under it: "Key figures (amounts in EUR thousand)".

A report says once, over its tables, what it leaves out of each number: 48,210 are 48.2 million euros.
"""

from __future__ import annotations

import re

_CURRENCY = r"[A-Z]{3}|[$€£¥]|(?:US )?dollars?|euros?|pounds?"
_SCALE = r"thousands?|'?000s?|millions?|billions?|mn|mln|bn|Mio\.?|Mrd\.?|[km]"
_UNIT = re.compile(
    rf"\b(?:in )?(?P<scale>{_SCALE})(?: of)? (?P<code>{_CURRENCY})(?!\w)"
    rf"|(?:\bin |\(|, )(?P<code2>{_CURRENCY})(?: in)? ?(?P<scale2>{_SCALE})(?!\w)"
    r"|(?:\bin |\(|, )(?P<prefix>[TkKM])(?P<code3>EUR|USD|GBP|CHF)\b"
)
_CAPTION = re.compile(r"^[^\n.!?:;|]{0,100}$|\([^()\n]{3,80}\)", re.M)
"""A line that is no sentence, or a remark in brackets."""
_FIGURE = re.compile(r"\d(?<!(?:19|20)\d\d)(?!\d)(?<!000)")
_CODES = {"dollar": "USD", "euro": "EUR", "pound": "GBP"}
_FAR = 4000
"""Characters into a result in which a caption is looked for."""


def captioned(text: str) -> str | None:
    """The unit that a caption gives, as a ``unit`` field would say it: "EUR thousand". None where there is none,
    or several that differ; and in JSON, whose texts stand over no figures."""
    if text.lstrip()[:1] in ("{", "["):
        return None
    found = set()
    for caption in _CAPTION.findall(text[:_FAR]):
        unit = _UNIT.search(caption)
        if unit is not None and not _FIGURE.search(caption[: unit.start()]):
            found.add(_said(unit))
    return found.pop() if len(found) == 1 else None


def _said(unit: re.Match[str]) -> str:
    code = unit["code"] or unit["code2"] or unit["code3"]
    word = code.lower().removeprefix("us ").removesuffix("s")
    scale = unit["scale"] or unit["scale2"] or unit["prefix"]
    return f"{_CODES.get(word, code)} {scale}"
