"""What the doctor examines: somebody's tools and the agent that uses them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from affidavit.grounding.answer import CitedAnswer
from affidavit.grounding.result import GroundedResult
from affidavit.grounding.trail import SearchTrail
from affidavit.report import HallucinationReport

Tools: TypeAlias = Mapping[str, Callable[..., Any]]


@dataclass(frozen=True, slots=True)
class Reply:
    """What an agent answered, and what else it can show. What it cannot show is not examined."""

    text: str
    stop_reason: str = ""
    """Why the agent ended: the model's stop reason, or the runtime's."""
    trail: SearchTrail | None = None
    report: HallucinationReport | None = None
    result: GroundedResult | None = None
    """What the model got of the search, where that is not what a tool returned."""

    @classmethod
    def of(cls, value: object) -> Reply:
        """A reply from what ``ask`` returned."""
        match value:
            case Reply():
                return value
            case CitedAnswer():
                return cls(value.answer, value.stop_reason, value.trail, value.report, value.result)
            case str():
                return cls(value)
        raise TypeError(
            f"ask must return text, a Reply or a CitedAnswer, not {type(value).__name__}"
        )


class Examinee(Protocol):
    """Tools, an agent, and two questions.

    ``tools`` are the agent's own, by name. ``question`` is one that they answer, and ``expected`` a
    figure or word that the right answer holds. ``missing`` asks the same kind of thing of somebody or
    something that the tools know nothing of: another client's contract.

    ``ask`` has the agent answer a question with the ``tools`` it is given, and no others: the doctor
    hands it the own ones, watched, or the same with nothing behind them. It may be asynchronous, and
    returns text, a :class:`Reply` or a :class:`~affidavit.grounding.answer.CitedAnswer`.
    """

    tools: Tools
    question: str
    expected: str
    missing: str

    def ask(self, question: str, tools: Tools) -> Any: ...
