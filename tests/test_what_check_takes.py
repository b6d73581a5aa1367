"""`Detector.check` takes a run however one holds it, and says what it cannot take."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from affidavit import Detector, load_run
from affidavit.errors import TraceError
from affidavit.testing import FixedEntailment

BAD = Path(__file__).parents[1] / "specs" / "examples" / "invented-price.json"


@pytest.fixture
def detector() -> Detector:
    return Detector(entailment=FixedEntailment(default="entailment"))


def test_a_document_is_judged_as_the_run_it_holds(detector: Detector) -> None:
    doc = json.loads(BAD.read_text(encoding="utf-8"))
    given, loaded = detector.check(doc), detector.check(load_run(BAD))
    assert given.run_id == loaded.run_id
    assert [claim.status for claim in given.claims] == [claim.status for claim in loaded.claims]


@pytest.mark.parametrize("given", ["run.json", BAD, None, [{}]])
def test_anything_else_says_what_to_call(detector: Detector, given: Any) -> None:
    with pytest.raises(TraceError, match="load_run reads a file"):
        detector.check(given)


def test_a_document_that_is_no_run_says_what_is_missing(detector: Detector) -> None:
    with pytest.raises(TraceError, match="not a run of a known format"):
        detector.check({"question": "What does it cost?"})


@pytest.mark.parametrize("policy", ["policy.toml", {"prior": 0.9}])
def test_a_detector_says_how_a_policy_is_made(policy: Any) -> None:
    with pytest.raises(TypeError, match=r"Policy\.load"):
        Detector(policy)


def test_a_model_and_a_checker_may_be_named() -> None:
    detector = Detector(
        model="openai:some@http://localhost:1/v1", checkers="remote:http://localhost:1"
    )
    assert detector.model is not None
    assert detector.model.name == "openai:some"
    assert len(detector.checkers) == 1
