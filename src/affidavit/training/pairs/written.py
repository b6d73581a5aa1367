"""Statements written for this project one by one, over results of invented tools and invented requests of
users: ``written.jsonl``.

Templates teach a model their own words. These are in the words of people: what a tool returned or a user
said, and what an assistant may say of it, may not say of it, or makes up. Each is shown its evidence as at run time.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any

from affidavit.ledger.ledger import Ledger
from affidavit.ledger.values import parse_values
from affidavit.policy import Policy
from affidavit.stages.ground.asked_of import with_call
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.contexts import contexts_of
from affidavit.stages.ground.premises import premises
from affidavit.trace import DataPart, Message, RunTrace, TextPart, ToolCallPart, ToolResultPart
from affidavit.training.pairs.pair import Label, Pair
from affidavit.training.pairs.voice import spoken

_LABELS: dict[str, Label] = {
    "entailed": "entailment",
    "open": "neutral",
    "contradicted": "contradiction",
}
_PASSES = 3
"""How often the statements are gone through, each time with other words before them."""

_OTHERS = 1
"""How many other parts of the evidence a statement that does not hold is shown with besides."""


@dataclass(frozen=True, slots=True)
class Item:
    """What calls returned, rules say or a user said, and statements about it with what each is."""

    said: tuple[Message, ...]
    claims: tuple[tuple[Label, str], ...]
    joined: bool
    """Whether the statements need all of it: a rule and the record it is applied to, two results."""


def read_items() -> list[Item]:
    """All items, in the order of the file."""
    lines = (resources.files("affidavit.training") / "written.jsonl").read_text(encoding="utf-8")
    rows = map(json.loads, lines.splitlines())
    return [
        Item(
            tuple(_said(row)),
            tuple((_LABELS[label], text) for label, text in row["claims"]),
            joined="policy" in row or "results" in row,
        )
        for row in rows
    ]


def _said(row: dict[str, Any]) -> Iterator[Message]:
    if "policy" in row:
        yield Message(role="system", parts=(TextPart(text=row["policy"]),))
    if "user" in row:
        yield Message(role="user", parts=(TextPart(text=row["user"]),))
        return
    for number, done in enumerate(row.get("results", [row])):
        call = ToolCallPart(id=str(number), name=done["tool"], arguments=done["args"])
        value = done["result"]
        result = TextPart(text=value) if isinstance(value, str) else DataPart(value=value)
        yield Message(role="assistant", parts=(call,))
        yield Message(role="tool", parts=(ToolResultPart(id=call.id, content=(result,)),))


def written_pairs(rng: random.Random) -> Iterator[Pair]:
    """Every statement over the evidence that a run would show with it; in later passes as it is spoken.

    A statement that does not hold is shown with other parts of the evidence as well: at run time it is
    enough that one of them seems to entail it, one row of a list that "all" is said of.
    """
    made: list[Pair] = []
    for item in read_items():
        for label, text in item.claims:
            fault = "written" if label == "contradiction" else ""
            premise, others = _shown(item, text)
            made.append(Pair(premise, text, label, "written", fault))
            yield made[-1]
            if label != "entailment":
                for other in rng.sample(others, min(_OTHERS, len(others))):
                    made.append(Pair(other, text, "neutral", "written"))
                    yield made[-1]
    for _ in range(1, _PASSES):
        yield from (replace(p, hypothesis=spoken(p.hypothesis, rng, 0.3)) for p in made)


def _shown(item: Item, statement: str) -> tuple[str, list[str]]:
    """The passage that a run would show beside the statement, or the two best, or all of what it needs; and what
    else it would be shown beside."""
    ledger = Ledger.of(RunTrace(run_id="written", messages=item.said, answer=statement))
    claim = Claim(
        statement, 0, len(statement), "fact", statement, False, tuple(parse_values(statement))
    )
    (context,) = contexts_of([claim], statement, "", ledger, Policy())
    found = premises(claim, context)
    if item.joined:
        # In the order they came in, as a rule stands before the record it is shown with.
        best = "\n".join(with_call(p.text, p, statement, context) for p in ledger.passages)
    else:
        two = next((p.text for p in found if len(p.passages) > 1), None)
        alone = found[0].text if found else "\n".join(p.text for p in [*ledger.evidence()][:2])
        best = two or alone
    return best, [text for text in dict.fromkeys(p.text for p in found) if text != best]
