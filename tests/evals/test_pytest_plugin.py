"""``assert_grounded`` in somebody's tests."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path

import pytest

from affidavit import Detector, load_run
from affidavit.evals import assert_grounded
from affidavit.evals.grounded import report_on

pytest_plugins = ["pytester"]

EXAMPLES = Path(__file__).parents[2] / "specs" / "examples"
GOOD, BAD = EXAMPLES / "anthropic.json", EXAMPLES / "invented-price.json"

TEST = """
def test_good(assert_grounded):
    report = assert_grounded({good!r})
    assert report.action == "emit"

def test_bad(assert_grounded):
    assert_grounded({bad!r})
"""


@pytest.fixture
def tests(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makepyfile(TEST.format(good=str(GOOD), bad=str(BAD)))
    return pytester


def run(tests: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    # Pytest finds it by itself where the package was installed since it has the plugin.
    known = entry_points(group="pytest11", name="affidavit")
    named = () if known else ("-p", "affidavit.evals.pytest_plugin")
    return tests.runpytest_subprocess(*named, *arguments)


def test_a_failure_shows_the_claim_with_its_evidence(tests: pytest.Pytester) -> None:
    done = run(tests)
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(
        [
            "*run repair-invented-price: the answer must *",
            "*contradicted*The repair costs $74.90.",
            "*get_repair toolu_1*6250*",
        ]
    )
    done.stdout.no_fnmatch_line("*grounded.py:*: AssertionError")


def test_the_policy_comes_from_the_settings_or_the_command(tests: pytest.Pytester) -> None:
    (tests.path / "soft.toml").write_text('on_critical = "revise"\n', encoding="utf-8")
    (tests.path / "off.yaml").write_text('groundedness: "off"\n', encoding="utf-8")
    tests.makeini("[pytest]\naffidavit_policy = soft.toml\n")
    run(tests).stdout.fnmatch_lines(["*the answer must be revised (revise*"])
    run(tests, "--affidavit-policy", "off.yaml").assert_outcomes(passed=2)


@pytest.mark.parametrize("given", ["path", "text", "document", "run", "report"])
def test_it_takes_a_run_however_it_is_held(given: str) -> None:
    import json

    detector = Detector()
    held = {
        "path": GOOD,
        "text": str(GOOD),
        "document": json.loads(GOOD.read_text(encoding="utf-8")),
        "run": load_run(GOOD),
        "report": report_on(GOOD, detector),
    }[given]
    assert assert_grounded(held, detector=detector).run_id == "repair-grounded"


def test_what_may_pass_is_the_callers_choice() -> None:
    report = report_on(BAD)
    assert assert_grounded(report, allow=("emit", report.action)) is report
    with pytest.raises(AssertionError, match="the answer must"):
        assert_grounded(report, allow=("emit",))
