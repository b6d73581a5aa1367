"""A scene: what the user asks, what the model will say, and what came of it."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from affidavit.guard import AnswerChecker, GuardOptions
from affidavit.models.judge.claims import claims_prompt
from affidavit.report import HallucinationReport
from affidavit.trace import ToolDefinition

QUESTION = "What is the total of order BL-204518?"
SYSTEM = "You answer questions about orders. Look every order up before you speak of it."
TOOL = ToolDefinition(
    name="get_order",
    description="Look an order up by its number.",
    input_schema={
        "type": "object",
        "properties": {"order_id": {"type": "string", "description": "The order's number."}},
        "required": ["order_id"],
        "additionalProperties": False,
    },
)
"""The one tool of every scene. :meth:`Outcome.get_order` is what it does."""


@dataclass(frozen=True)
class Call:
    """A call of the tool, as the scripted model makes it."""

    order_id: str
    id: str

    @property
    def name(self) -> str:
        return TOOL.name

    @property
    def arguments(self) -> dict[str, Any]:
        return {"order_id": self.order_id}


@dataclass(frozen=True)
class ModelTurn:
    """One turn of the scripted model: words, calls, or both. ``cut_off`` is one that broke off at the limit of tokens."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    cut_off: bool = False


Judge = Callable[[str], str]
"""What the model answers where it is asked as a judge."""


def says_nothing(request: str) -> str:  # noqa: ARG001
    """A judge that says nothing of any claim, so that the guard decides as it would by itself."""
    return '{"verdicts": []}'


class Script:
    """The model's turns, taken in order. The last is repeated, so that what an adapter does not bound
    goes on until ``LONGEST`` and fails the scenario there."""

    LONGEST = 30

    def __init__(self, turns: Sequence[ModelTurn], judge: Judge = says_nothing) -> None:
        self._turns, self._judge = tuple(turns), judge
        self._taken = 0
        self._lock = threading.Lock()

    def answer(self, request: str, outcome: Outcome) -> ModelTurn:
        """What the model says to ``request``. A question that it is asked as a judge is none of the run's turns."""
        # Signs may be escaped in the request: letters are not.
        if re.split(r"[^\w ]", claims_prompt().template)[0] in request:
            outcome.judged.append(request)
            return ModelTurn(self._judge(request))
        outcome.asked.append(request)
        return self.next()

    def next(self) -> ModelTurn:
        with self._lock:
            at, self._taken = self._taken, self._taken + 1
        assert at < self.LONGEST, "the adapter asks the model again and again"
        turn = self._turns[min(at, len(self._turns) - 1)]
        # Two calls of one run never share an id.
        repeated = at - len(self._turns) + 1
        if repeated <= 0:
            return turn
        calls = tuple(Call(call.order_id, f"{call.id}_{repeated}") for call in turn.calls)
        return ModelTurn(turn.text, calls, turn.cut_off)


@dataclass
class Outcome:
    """What came of a scene. The driver fills it in."""

    shown: list[str] = field(default_factory=list)
    """What the user saw, in the pieces in which it came."""
    ran: list[str] = field(default_factory=list)
    """The order numbers that the tool was really run with."""
    asked: list[str] = field(default_factory=list)
    """What the model was sent, request by request, as any text that holds its words."""
    judged: list[str] = field(default_factory=list)
    """What it was asked as a judge, beside the run."""
    reports: list[HallucinationReport] = field(default_factory=list)

    def get_order(self, order_id: str) -> dict[str, Any]:
        """The tool: every order has a total of its own, so that mixed runs show."""
        self.ran.append(order_id)
        return {"order_id": order_id, "status": "shipped", "total": total_of(order_id)}

    @property
    def seen(self) -> str:
        """All that the user saw."""
        return "".join(self.shown)


def total_of(order_id: str) -> str:
    """The total of an order: ``BL-204518`` cost $45.18."""
    digits = order_id.rpartition("-")[2]
    return f"${int(digits[-4:-2])}.{digits[-2:]}"


@dataclass(frozen=True)
class Scene:
    """What an adapter is to be driven through: one question of the user, up to the answer."""

    turns: Sequence[ModelTurn]
    detector: AnswerChecker
    question: str = QUESTION
    system: str = SYSTEM
    options: GuardOptions = field(default_factory=GuardOptions)
    judge: Judge = says_nothing
    """What the model answers where it is asked as a judge, beside the run."""

    def script(self) -> Script:
        """What its model says, for a driver to play."""
        return Script(self.turns, self.judge)


class Driver(Protocol):
    """Plays scenes with one framework under its adapter.

    ``play`` runs the agent on ``scene.question`` with the tool ``TOOL`` (done by
    ``outcome.get_order``) and a model that says ``scene.turns``, under the adapter made with
    ``scene.detector`` and ``scene.options``, whose ``on_report`` it must not replace. It fills in
    ``outcome`` and may be awaited several times at once.
    """

    async def play(self, scene: Scene, outcome: Outcome) -> None: ...
