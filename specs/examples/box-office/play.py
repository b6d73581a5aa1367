"""Plays the run of this folder and writes it down: python specs/examples/box-office/play.py

A scripted agent of a theatre's box office, under a guard. It mistypes a booking, is told, and gets it right; its
first draft is sent back, and its second still says one thing that the evidence contradicts. The model is a
script; the guard, the detector and the entailment model are the real ones.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from affidavit import Detector, Guard, HallucinationReport, Policy
from affidavit.testing import ScriptedModel
from affidavit.trace import Message, RunTrace, TextPart, ToolCallPart, ToolDefinition

HERE = Path(__file__).parent

SYSTEM = "You answer for the box office of the Lantern Theatre. Today is 2026-06-16. Prices are in US dollars."
QUESTION = (
    "Hello! My booking is TH-48213, for Thursday. Could you move it to Saturday evening? I would also like to know what "
    "the tickets cost in all, until when I may exchange them, and whether a wheelchair space is left on Saturday."
)


def _tool(name: str, description: str, **properties: str) -> ToolDefinition:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {key: {"type": kind} for key, kind in properties.items()},
        "required": list(properties),
        "additionalProperties": False,
    }
    return ToolDefinition(name=name, description=description, input_schema=schema)


TOOLS = (
    _tool("get_booking", "Look up a booking by its number.", booking="string"),
    _tool("find_performances", "The performances of a day (YYYY-MM-DD).", date="string"),
    _tool(
        "find_wheelchair_spaces",
        "Free wheelchair spaces of a performance.",
        performance_id="string",
    ),
    _tool(
        "move_booking",
        "Move a booking to another performance.",
        booking="string",
        performance_id="string",
    ),
    _tool("search_house_rules", "Search the house rules.", query="string"),
)

RULES = """Source: house-rules/exchanges

Tickets can be exchanged free of charge until 24 hours before the performance. After that an exchange costs \
$5 a ticket. Tickets of a performance that has begun are not exchanged.
"""

SCRIPT: tuple[tuple[str, dict[str, Any], Any], ...] = (
    ("get_booking", {"booking": "TH-48231"}, None),  # two digits changed places
    (
        "get_booking",
        {"booking": "TH-48213"},
        {
            "booking": "TH-48213",
            "name": "Mira Castellano",
            "play": "The Winter Lighthouse",
            "performance_id": "WL-0618",
            "performance_date": "2026-06-18",
            "seats": ["F7", "F8", "F9"],
            "tickets": [
                {"seat": "F7", "price_cents": 3850},
                {"seat": "F8", "price_cents": 3850},
                {"seat": "F9", "price_cents": 2900},
            ],
        },
    ),
    (
        "find_performances",
        {"date": "2026-06-20"},
        {
            "performances": [
                {"performance_id": "WL-0620M", "date": "2026-06-20", "starts_at": "14:30", "doors_open_at": "14:00", "seats_left": 0},
                {"performance_id": "WL-0620E", "date": "2026-06-20", "starts_at": "19:30", "doors_open_at": "18:45", "seats_left": 41},
            ]
        },
    ),
    ("find_wheelchair_spaces", {"performance_id": "WL-0620E"}, {"performance_id": "WL-0620E", "wheelchair_spaces": []}),
    (
        "move_booking",
        {"booking": "TH-48213", "performance_id": "WL-0620E"},
        {"status": "moved", "booking": "TH-48213", "performance_id": "WL-0620E", "seats": ["H3", "H4", "H5"], "moved_at": "2026-06-16T10:12:08"},
    ),
    ("search_house_rules", {"query": "exchange of tickets"}, RULES),
)  # fmt: skip

DRAFTS = """\
Hello Mira! I have moved booking TH-48213 to the performance on Saturday, June 20, at 19:30. Your new seats are H3, H4 and \
H5. The three tickets cost $112.00 in all. I have also sent the new tickets to you by e-mail.
Hello Mira! I have moved booking TH-48213 to the performance on Saturday, June 20, at 19:30. Your new seats are H3, H4 and \
H5. The three tickets cost $106.00 in all. Tickets can be exchanged free of charge until 24 hours before the performance \
[house-rules/exchanges]. No wheelchair spaces are left that evening. Doors open at 19:00. Enjoy the play!
""".splitlines()

ASKED_AGAIN = """\
Booking TH-48213 is now for Saturday, June 20, at 19:30, seats H3, H4 and H5. The three tickets cost $106.00 in all. They \
can be exchanged free of charge until 24 hours before. No wheelchair spaces are left that evening. Doors open at 18:45.
I moved TH-48213 to June 20 at 19:30. Your seats are H3, H4 and H5. In all the three tickets cost $106.00. Doors open at \
18:45. Tickets can be exchanged free of charge until 24 hours before the performance.
TH-48213 has been moved to Saturday, June 20, 19:30; the new seats are H3, H4 and H5. The tickets cost $106.00 in all. \
Tickets can be exchanged free of charge until 24 hours before the performance [house-rules/exchanges]. Doors open at 18:45.
""".splitlines()


def play() -> tuple[HallucinationReport, RunTrace]:
    """The report on the last draft, and the run."""
    policy = Policy(on_critical="revise", max_revisions=1)
    detector = Detector(policy, model=ScriptedModel(ASKED_AGAIN * len(DRAFTS)))
    said = (
        Message(role="system", parts=(TextPart(text=SYSTEM),)),
        Message(role="user", parts=(TextPart(text=QUESTION),)),
    )
    guard = Guard(detector, messages=said, tools=TOOLS, run_id="box-office-48213", model="scripted")
    for number, (tool, arguments, result) in enumerate(SCRIPT, 1):
        call = ToolCallPart(id=f"call_{number}", name=tool, arguments=arguments)
        if guard.check_call(call).run:
            guard.record_result(call.id, result)
    decisions = [guard.check_answer(draft) for draft in DRAFTS]
    assert [decision.action for decision in decisions] == ["revise", "block"]
    return decisions[-1].report, guard.trace(DRAFTS[-1])


def main() -> None:
    report, trace = play()
    for name, model in (("report", report), ("run", trace)):
        data = json.loads(model.model_dump_json())
        text = json.dumps(data, indent=1, ensure_ascii=False)
        (HERE / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
