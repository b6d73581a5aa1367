"""The executable specification: every case, with the embedded model."""

from __future__ import annotations

from pathlib import Path

import pytest

from affidavit.audit.cases import load_cases
from affidavit.audit.conformance import Conformance, run_cases

CASES = Path(__file__).parents[1] / "specs" / "cases"
FILES = ("cases.jsonl", "further.jsonl", "more.jsonl")


@pytest.mark.spec("AFF-901")
def test_no_case_fails_but_those_listed_and_no_listed_one_passes() -> None:
    listed = (CASES / "known_failures.txt").read_text(encoding="utf-8").split()
    cases = [case for name in FILES for case in load_cases(CASES / name)]
    failing = set(Conformance(cases=tuple(run_cases(cases))).failed_ids)
    assert sorted(failing - set(listed)) == [], "these cases used to come out right"
    assert sorted(set(listed) - failing) == [], "these come out right now: take them off the list"
    assert listed == sorted(set(listed))
    assert set(listed) <= {case.id for case in cases}
