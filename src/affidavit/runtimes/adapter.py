"""What an adapter says of itself: the table of adapters in the README is drawn from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

NO_OWN_JUDGE = dict.fromkeys(
    (
        "its_own_model_judges_a_critical_claim_in_doubt",
        "what_its_own_model_refutes_does_not_go_out",
        "its_own_model_changes_nothing_where_it_fails_as_a_judge",
    ),
    "its hooks hold no model to ask; a judge that the policy names is asked",
)
"""For adapters that are never handed the model."""


@dataclass(frozen=True)
class Adapter:
    """One runtime adapter. Everything the contract asks holds, but for what ``cannot`` names."""

    name: str
    """What it is for, as its users call it."""
    package: str
    """The package on PyPI, or the command."""
    versions: str
    """The versions that the contract was run with."""
    use: str
    """The line that puts the guard in."""
    cannot: Mapping[str, str] = field(default_factory=dict)
    """Scenarios of the contract that this runtime cannot keep, each with the reason."""
    notes: tuple[str, ...] = ()
    """What else a user should know."""

    def keeps(self, scenarios: Mapping[str, object]) -> list[str]:
        """The scenarios that its test runs: all but those it says it cannot keep."""
        unknown = set(self.cannot) - set(scenarios)
        if unknown:
            raise ValueError(f"{self.name}: no scenario {', '.join(sorted(unknown))}")
        return [name for name in scenarios if name not in self.cannot]
