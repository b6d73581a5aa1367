"""One guard of a framework serves many users at once, who all ask the same; and none sees another's."""

import asyncio
import runpy
from pathlib import Path
from typing import Any

import pytest

from affidavit.runtimes.contract.scenarios import look_alike_runs_do_not_mix

HERE = Path(__file__).parent
AT_ONCE = 200
# What puts the guard into each framework, by the package that it is tested with. A guarded agent of
# smolagents is one conversation by itself.
GUARDS = {
    "langchain": "GuardMiddleware",
    "pydantic_ai": "GuardCapability",
    "strands": "GuardPlugin",
    "agent_framework": "GuardMiddleware",
    "google_adk": "GuardPlugin",
    "openai_agents": "GuardedProvider",
}
PACKAGES = {"google_adk": "google.adk", "openai_agents": "agents"}


def one_for_all(make: Any) -> Any:
    """``make``, whose guards are one: the first."""
    made: list[Any] = []

    def shared(detector: Any, *args: Any, **options: Any) -> Any:
        if not made:
            made.append(make(detector, *args, **options))
        if not args:
            return made[0]
        # It wraps a provider, and each run here brings a model of its own.
        own = make(detector, *args, **options)
        own._exchanges = made[0]._exchanges
        return own

    return shared


@pytest.mark.parametrize("framework", GUARDS)
def test_many_look_alikes_under_one_guard(framework: str) -> None:
    pytest.importorskip(PACKAGES.get(framework, framework))
    drivers = runpy.run_path(str(HERE / f"test_{framework}.py"))["DRIVERS"]
    driver = next(iter(drivers.values()))
    used = driver.play.__globals__
    used[GUARDS[framework]] = one_for_all(used[GUARDS[framework]])
    asyncio.run(look_alike_runs_do_not_mix(driver(), at_once=AT_ONCE))
