"""The pytest plugin: ``assert_grounded(run)`` in a test, under the project's own policy.

    def test_the_agent_says_what_its_tools_said(assert_grounded):
        assert_grounded(my_agent("What does repair RJ-3107 cost?"))

The policy is that of ``--affidavit-policy FILE`` or of ``affidavit_policy`` in pytest's settings. Every
pytest of an environment loads this module: nothing heavy is imported before a test asks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from affidavit.detector import Detector
    from affidavit.report import HallucinationReport


def pytest_addoption(parser: pytest.Parser) -> None:
    about = "the policy that assert_grounded judges by: TOML, YAML or JSON"
    group = parser.getgroup("affidavit")
    group.addoption("--affidavit-policy", metavar="FILE", help=about)
    parser.addini("affidavit_policy", about, default="")


@pytest.fixture(scope="session")
def affidavit_detector(pytestconfig: pytest.Config) -> Detector:
    """The detector of this session, its model loaded once. Override it to use another."""
    from affidavit.detector import Detector
    from affidavit.policy import Policy

    given = pytestconfig.getoption("--affidavit-policy")
    named = given or pytestconfig.getini("affidavit_policy")
    if not named:
        return Detector()
    # A path in the settings is one from where they stand, wherever pytest is started.
    file = Path(named) if given else pytestconfig.rootpath / named
    return Detector(Policy.load(file))


@pytest.fixture
def assert_grounded(affidavit_detector: Detector) -> Callable[..., HallucinationReport]:
    """:func:`affidavit.evals.assert_grounded`, with the session's detector."""
    from affidavit.evals.grounded import assert_grounded as assertion

    return partial(assertion, detector=affidavit_detector)
