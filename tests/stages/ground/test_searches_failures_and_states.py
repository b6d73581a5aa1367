"""Searches that found nothing, calls that failed, deeds and states, each told in other words than the tools'
and each with a twin that is wrong. The model has no opinion, so that the exact checks decide."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from affidavit import Detector, read_run
from affidavit.report import ClaimVerdict
from affidavit.testing import FixedEntailment

Call = tuple[str, dict[str, Any], Any, bool]


@dataclass(frozen=True)
class World:
    """What was asked and what the tools gave: name, arguments, result, whether it is an error."""

    question: str
    calls: tuple[Call, ...]


@dataclass(frozen=True)
class Case:
    """An answer, the words of it that a claim is picked by, and what must become of that claim."""

    world: str
    answer: str
    says: str
    status: str
    decided_by: str | None = None


WORLDS = {
    "museum": World(
        "Do you have the Vessel with Herons by Aiko Tanabe and the Blue Jar by Marek Holub?",
        (
            ("search_collection", {"title": "Vessel with Herons", "artist": "Aiko Tanabe"}, {"objects": [], "total": 0}, False),
            ("search_collection", {"title": "Blue Jar", "artist": "Marek Holub"},
             {"objects": [{"title": "Blue Jar", "artist": "Holub, Marek", "room": "R12"}], "total": 1}, False),
        ),
    ),
    "parts": World(
        "Is there a gasket for the Kestrel 40?",
        (("find_parts", {"query": "gasket Kestrel 40"}, [], False),),
    ),
    "classes": World(
        "When is Pilates for Runners?",
        (
            ("search_classes", {"query": "Pilates for Runners"},
             {"query": "Pilates for Runners", "classes": [
                 {"title": "Pilates Basics", "day": "Monday", "coach": "Ruta Kalnina"},
                 {"title": "Yoga for Runners", "day": "Friday", "coach": "Oskar Lind"},
             ]}, False),
        ),
    ),
}  # fmt: skip

CASES = [
    # a search that found nothing, in the ways there are to say so
    *(
        Case("museum", answer, answer.split()[-3], "supported", "absence")
        for answer in (
            "Vessel with Herons didn't turn up in our collection.",
            "Vessel with Herons isn't in our catalogue.",
            "I couldn't find Vessel with Herons anywhere.",
            "There is no trace of Vessel with Herons here.",
            "My search for Vessel with Herons came up empty, unfortunately.",
            "For Vessel with Herons I drew a blank, sadly.",
            "We don't seem to have Vessel with Herons here.",
            "No luck with Vessel with Herons, I'm afraid.",
            "Nothing came up for Vessel with Herons so far.",
            "The search for Vessel with Herons returned zero results.",
        )
    ),
    # of two searches the one that is meant decides
    Case("museum", "Blue Jar didn't turn up in our collection.", "turn up", "unsupported"),
    Case("museum", "My search for Blue Jar came up empty.", "came up", "unsupported"),
    Case("museum", "Vessel with Herons didn't turn up, so it doesn't look like we own it.", "look like", "supported", "absence"),
    Case("museum", "Blue Jar is in R12, so it doesn't look like we own it.", "look like", "unsupported"),
    *(
        Case("parts", answer, answer.split()[-3], "supported", "absence")
        for answer in (
            "The parts search came back without a single match.",
            "I'm afraid the search drew a blank.",
            "Nothing in our system matches that, sorry.",
            "I found no gasket for that model.",
            "No gasket for the Kestrel 40 turned up.",
        )
    ),
    # a name that nothing found goes by
    Case("classes", "I couldn't find a class called Pilates for Runners.", "find", "supported", "absence"),
    Case("classes", "Pilates for Runners isn't on our schedule.", "schedule", "supported", "absence"),
    Case("classes", "I couldn't find a class called Pilates Basics.", "find", "contradicted"),
]  # fmt: skip


def claims_of(world: World, answer: str) -> tuple[ClaimVerdict, ...]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": world.question}]
    for n, (tool, arguments, result, failed) in enumerate(world.calls):
        use = {"type": "tool_use", "id": f"c{n}", "name": tool, "input": arguments}
        content = result if isinstance(result, str) else json.dumps(result)
        told = {"type": "tool_result", "tool_use_id": f"c{n}", "content": content, "is_error": failed}  # fmt: skip
        messages += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [told]}]
    messages.append({"role": "assistant", "content": answer})
    names = dict.fromkeys(tool for tool, _, _, _ in world.calls)
    tools = [{"name": tool, "input_schema": {"type": "object"}} for tool in names]
    run = read_run({"messages": messages, "tools": tools})
    return Detector(entailment=FixedEntailment()).check(run).claims


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.world}: {case.answer}")
def test_claim(case: Case) -> None:
    at = case.answer.index(case.says)
    claim = next(c for c in claims_of(WORLDS[case.world], case.answer) if c.start <= at < c.end)
    assert claim.status == case.status, claim.explanation
    if case.decided_by:
        assert claim.decided_by == case.decided_by, claim.explanation
