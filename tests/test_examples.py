"""The example run still plays as its report and the pictures of it show."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from affidavit import HallucinationReport, RunTrace

BOX = Path(__file__).parents[1] / "specs" / "examples" / "box-office"


def test_the_box_office_plays_as_it_was_written_down() -> None:
    spec = importlib.util.spec_from_file_location("play", BOX / "play.py")
    assert spec and spec.loader
    play = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(play)
    report, trace = play.play()
    kept = HallucinationReport.model_validate_json((BOX / "report.json").read_text("utf-8"))
    assert trace == RunTrace.model_validate_json((BOX / "run.json").read_text("utf-8"))
    for one in (report, kept):
        assert (one.action, [call.status for call in one.tool_call_validations][:2]) == (
            "block",
            ["rejected", "accepted"],
        )
        # Whether the move is borne out two results say together, which the model reads now one way, now the other.
        hello, _, *borne_out, doors, enjoy = one.claims
        assert {claim.status for claim in borne_out} == {"supported"}
        assert doors.status == "unsupported"
        assert doors.score == min(claim.score for claim in one.claims if claim.score is not None)
        assert hello.status == enjoy.status == "exempt"
        assert [probe.claim for probe in one.consistency_probes if probe.diverges] == [
            "Doors open at 19:00."
        ]
        (draft,) = one.attempts
        assert "$112.00" in draft.feedback
