"""Runs that say the same and are not the same: one question, one call, one result, and each user's own limit.

What tells them apart stands in the system prompt alone, so an adapter that takes runs for each other by
what they hold lets one user's figure go out on another's evidence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from affidavit.evidence import RunEvidence
from affidavit.policy import Policy
from affidavit.report import Attempt, HallucinationReport
from affidavit.runtimes.contract.scene import Call, ModelTurn
from affidavit.testing import claim_verdict, report_of
from affidavit.trace import RunTrace

QUESTION = "What is my credit limit, and where is order BL-204518?"
LOOKS_UP = ModelTurn(calls=(Call("BL-204518", "call_1"),))
INVENTS = ModelTurn(calls=(Call("BL-999999", "call_0"),))
_LIMIT = re.compile(r"\$9\d{3}\b")


def limit_of(user: int) -> str:
    """The credit limit of a user, who alone has it."""
    return f"${9000 + user}"


def system_of(user: int) -> str:
    """The system prompt of a user's run."""
    return f"You answer questions about orders. The customer's credit limit is {limit_of(user)}."


def answer_of(user: int) -> str:
    """What is true of a user's limit, and of nobody else's."""
    return f"Your credit limit is {limit_of(user)}."


class OwnEvidence:
    """A detector that lets an answer out if the limits in it stand in the messages of its run.

    ``mixed`` are the limits of runs that hold those of several users, and ``calls`` the ids of the calls
    that each run holds, by its limit.
    """

    def __init__(self) -> None:
        self.policy = Policy(on_critical="revise")
        self.mixed: list[set[str]] = []
        self.calls: dict[str, set[str]] = {}

    async def acheck(
        self,
        trace: RunTrace,
        *,
        revisions_used: int = 0,
        attempts: Sequence[Attempt] = (),
        evidence: RunEvidence | None = None,  # noqa: ARG002
        probes: bool = True,  # noqa: ARG002
    ) -> HallucinationReport:
        """The report on a run: its one claim is all of the answer."""
        held = set(_LIMIT.findall("".join(m.model_dump_json() for m in trace.messages)))
        if len(held) > 1:
            self.mixed.append(held)
        for limit in held:
            ids = {call.id for message in trace.messages for call in message.tool_calls}
            self.calls.setdefault(limit, set()).update(ids)
        borne_out = set(_LIMIT.findall(trace.answer)) <= held
        left = revisions_used < self.policy.max_revisions
        return report_of(
            claim_verdict(trace.answer, 0.95 if borne_out else 0.1),
            run_id=trace.run_id,
            action="emit" if borne_out else "revise" if left else "block",
            attempts=tuple(attempts),
        )
