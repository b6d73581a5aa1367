"""The mark on an answer that did not go out as the model first gave it, for the client to see."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from affidavit.runtimes.wire import Json

HEADER = "x-affidavit-action"
"""``revise``: what goes out was put right first; ``block``: a refusal stands in the answer's place. A
stream's header tells what was known when its first words went out."""

REVISIONS_HEADER = "x-affidavit-revisions"
FIELD = "affidavit"
"""The same in the body: of a stream, in its last event."""


@dataclass
class Mark:
    """What has become of one request so far."""

    blocked: bool = False
    revisions: int = 0
    """Drafts of the answer that were sent back."""
    rejected_turns: int = 0
    """Turns that were sent back because of a call in them."""
    run_id: str = field(default="", compare=False)

    @property
    def action(self) -> Literal["emit", "revise", "block"]:
        if self.blocked:
            return "block"
        return "revise" if self.revisions or self.rejected_turns else "emit"

    def headers(self) -> dict[str, str]:
        if self.action == "emit":
            return {}
        return {HEADER: self.action, REVISIONS_HEADER: str(self.revisions)}

    def on(self, body: Json) -> Json:
        """``body`` with the mark; as it is where nothing was held back."""
        if self.action == "emit":
            return body
        told = {
            "action": self.action,
            "revisions": self.revisions,
            "rejected_turns": self.rejected_turns,
            "run_id": self.run_id,
        }
        return {**body, FIELD: told}
