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
