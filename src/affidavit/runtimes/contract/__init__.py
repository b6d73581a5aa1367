"""What every runtime adapter keeps, as scenarios that its tests run against the real package.

An adapter's test implements :class:`Driver`: it plays a :class:`Scene` with the real framework under
the adapter and says what came of it. Each scenario of ``SCENARIOS`` is then run with it.
"""

from affidavit.runtimes.contract.scenarios import SCENARIOS, Scenario, check
from affidavit.runtimes.contract.scene import (
    QUESTION,
    SYSTEM,
    TOOL,
    Call,
    Driver,
    ModelTurn,
    Outcome,
    Scene,
    Script,
)

__all__ = [
    "QUESTION",
    "SCENARIOS",
    "SYSTEM",
    "TOOL",
    "Call",
    "Driver",
    "ModelTurn",
    "Outcome",
    "Scenario",
    "Scene",
    "Script",
    "check",
]
