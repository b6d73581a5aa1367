"""The SDK adapters with the majors before, which other packages still resolve to; built on httpx."""

import runpy
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest

from affidavit.runtimes.contract import SCENARIOS, check

HERE = Path(__file__).parent
DRIVERS: dict[str, Any] = {
    f"{sdk}-{name}": driver
    for sdk in ("anthropic", "openai")
    for name, driver in runpy.run_path(str(HERE.parent / f"test_{sdk}.py"))["DRIVERS"].items()
}
SHOWS_EARLY = "what_is_verified_is_shown_before_the_answer_is_complete"
CASES = [
    (driver, scenario)
    for driver in DRIVERS
    for scenario in SCENARIOS
    if scenario != SHOWS_EARLY or "Stream" in driver
]


def test_these_are_the_majors_before() -> None:
    assert anthropic.__version__.startswith("0.")
    assert openai.__version__.startswith("2.")


@pytest.mark.parametrize(("driver", "scenario"), CASES)
def test_contract(driver: str, scenario: str) -> None:
    check(scenario, DRIVERS[driver]())
