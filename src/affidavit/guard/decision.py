"""What the guard tells a runtime to do."""

from __future__ import annotations

from dataclasses import dataclass

from affidavit.report import Action, HallucinationReport, ToolCallValidation


@dataclass(frozen=True, slots=True)
class CallDecision:
    """Whether to run a tool, and what to tell the model where not.

    ``give_up`` says that the retries are used up: the feedback tells the model to go on without the
    call. ``stop`` says that it has tried again even so: the runtime should end the run with
    :meth:`Guard.agive_up`.
    """

    run: bool
    validation: ToolCallValidation
    feedback: str = ""
    give_up: bool = False
    stop: bool = False


@dataclass(frozen=True, slots=True)
class AnswerDecision:
    """What to do with an answer: send ``text`` to the user, or ``feedback`` back to the model.

    Where the answer was streamed, the user has seen a part already and ``rest`` is what is still to be
    shown; otherwise it is the same as ``text``. In shadow mode ``action`` is always emit and
    ``report.action`` is what it would have been.
    """

    action: Action
    report: HallucinationReport
    text: str | None = None
    feedback: str | None = None
    deletes_only: bool = False
    rest: str = ""
