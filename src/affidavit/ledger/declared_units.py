"""What a run says of all the amounts that a tool gives: that they are in cents, or in thousands.

An amount like 26000 says nothing of it itself. The tool's description may ("Amounts in cents"), the
system prompt may, or a tool of the same family that takes the field: what ``refund_payment`` takes "in
minor units" is what ``get_payment`` gives under the same name. A report has it in a caption.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from affidavit.ledger.captions import captioned
from affidavit.ledger.records import words_of
from affidavit.ledger.values.field_paths import Level
from affidavit.ledger.values.money_of_fields import is_money, is_price
from affidavit.ledger.words import content_stems
from affidavit.trace import ToolDefinition

# "Amounts in cents", "in the smallest currency unit", "prices are in pence"; not "2 cents a minute".
_IN_MINOR = re.compile(
    r"\b(?:in|as)\s(?:(?:integer|whole|the|full|its|their|currency|[A-Z]{3}|euro|US)\s){0,2}"
    r"(?:cents|pence|minor (?:currency )?units?|(?:smallest|lowest) (?:currency |monetary )?units?|centavos|"
    r"céntimos|centimes|rappen|øre|öre|grosze|paise|cêntimos|centesimi)\b|"
    r"\b(?:cents|pence|minor units?)\s?\)|\((?:\w+\s)?(?:cents|pence|minor units?)\b",
    re.I,
)
_ALL_AMOUNTS = re.compile(
    r"\b(?:amounts?|prices?|totals?|money|monetary|sums|balances|fees|currency|figures)\b[^.\n]{0,60}",
    re.I,
)
_VERBS = content_stems(
    "get list find search look lookup create make update set cancel refund check fetch read show delete add "
    "post put send submit book open close issue capture charge pay by for of"
)


def declared_for(
    tool: str | None, text: str, tools: Iterable[ToolDefinition], prompts: Iterable[str]
) -> Level:
    """What holds for every amount of a result of ``tool``, as if it stood beside each in its ``text``."""
    if (unit := captioned(text)) is not None:
        return ((("amounts_in",), unit),)  # what the result says itself
    if tool is None:
        return ()
    if any(_speaks_of_all(prompt) for prompt in prompts):
        return (_EVERY,)
    known = tuple(tools)
    if any(t.name == tool and _IN_MINOR.search(t.description) for t in known):
        return (_EVERY,)
    family = _nouns(tool)
    names = {
        name
        for t in known
        if t.name == tool or _nouns(t.name) & family
        for name in _minor_inputs(t)
    }
    return tuple((("amounts_in", name), "cents") for name in sorted(names))


_EVERY: tuple[tuple[str, ...], str] = (("amounts_in",), "cents")


def _speaks_of_all(text: str) -> bool:
    return any(_IN_MINOR.search(match[0]) for match in _ALL_AMOUNTS.finditer(text))


def _nouns(tool: str) -> frozenset[str]:
    return content_stems(words_of(tool)) - _VERBS


def _minor_inputs(tool: ToolDefinition) -> Iterator[str]:
    """The arguments of a tool that it takes in cents."""
    properties = (tool.input_schema or {}).get("properties")
    if not isinstance(properties, dict):
        return
    for name, schema in properties.items():
        said = schema.get("description") if isinstance(schema, dict) else None
        own = isinstance(said, str) and _IN_MINOR.search(said)
        if (is_money((name,)) or is_price((name,))) and (own or _IN_MINOR.search(tool.description)):
            yield words_of(name)
