"""What the user is told where there is nothing to answer from: no model is asked for it."""

from __future__ import annotations

from dataclasses import dataclass

from affidavit.grounding.faults import FaultKind
from affidavit.grounding.result import GroundedResult

_UNAVAILABLE = "I can't look this up at the moment, so I can't answer it. Please try again {later}."
_FAULTS: dict[FaultKind, str] = {
    "authorization": "I have no access to this information, so I can't answer it.",
    "configuration": "This lookup is not available here, so I can't answer it.",
    "bad_request": "The lookup for this did not work, so I can't answer it.",
}


@dataclass(frozen=True, slots=True)
class Refusals:
    """The words of a refusal, for a knowledge base that has nothing and for one that could not be
    asked. ``{later}`` is replaced by when to try again."""

    not_found: str = "I don't have that in my knowledge base."
    technical_error: str | None = None
    """None tells each kind of failure in its own words."""

    def text(self, result: GroundedResult) -> str:
        """What to say of a result that is ``not_found`` or a ``technical_error``."""
        if result.state == "not_found" or result.fault is None:
            return self.not_found
        words = self.technical_error or _FAULTS.get(result.fault, _UNAVAILABLE)
        wait = result.retry_after
        return words.replace("{later}", "later" if wait is None else f"in {wait:g} seconds")
