"""``affidavit demo``: an agent loop under a guard, with a model that makes things up.

The model is a script. Everything else is what a real agent would run: the guard, the detector, the
embedded entailment model.
"""

from __future__ import annotations

import argparse

from affidavit.cli.demo.screen import Screen
from affidavit.cli.demo.workshop import (
    ASKED_AGAIN,
    QUESTION,
    SYSTEM,
    TOOLS,
    Call,
    Draft,
    WorkshopModel,
    get_repair,
)
from affidavit.cli.terminal import console
from affidavit.detector import Detector
from affidavit.guard import AnswerDecision, Guard
from affidavit.policy import Policy
from affidavit.testing import ScriptedModel
from affidavit.trace import Message, TextPart, ToolCallPart


def run(arguments: argparse.Namespace) -> int:
    out = console()
    screen = Screen(out, pause=0.0 if arguments.fast or not out.is_terminal else 1.2)
    # By default a draft with an invented price would be blocked at once.
    policy = Policy(on_critical="revise")
    detector = Detector(policy, model=ScriptedModel(ASKED_AGAIN * 2))
    guard = Guard(
        detector,
        messages=(
            Message(role="system", parts=(TextPart(text=SYSTEM),)),
            Message(role="user", parts=(TextPart(text=QUESTION),)),
        ),
        tools=TOOLS,
        run_id="demo",
    )
    screen.opening(QUESTION)
    decision = agent_loop(guard, WorkshopModel(), screen)
    screen.closing(decision)
    return 0


def agent_loop(guard: Guard, model: WorkshopModel, screen: Screen) -> AnswerDecision:
    """Let the model call its tool and draft answers until one goes out or is refused."""
    feedback: str | None = None
    calls = 0
    while True:
        match model.next_turn(feedback):
            case Call(ticket):
                calls += 1
                call = ToolCallPart(
                    id=f"call_{calls}", name="get_repair", arguments={"ticket": ticket}
                )
                feedback = _attempt(guard, call, screen)
            case Draft(text):
                screen.draft(text)
                decision = guard.check_answer(text)
                screen.judged(decision)
                if decision.action != "revise":
                    return decision
                feedback = decision.feedback


def _attempt(guard: Guard, call: ToolCallPart, screen: Screen) -> str | None:
    """One tool call under the guard; the feedback if it was rejected."""
    decision = guard.check_call(call)
    screen.call(decision)
    if not decision.run:
        return decision.feedback
    assert isinstance(call.arguments, dict)
    result = get_repair(str(call.arguments["ticket"]))
    guard.record_result(call.id, result)
    screen.result(result)
    return None
