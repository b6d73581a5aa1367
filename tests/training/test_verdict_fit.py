"""The verdict's claims, gathered by processes, and the weights that are fitted to them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from affidavit.models.entailment.onnx import EMBEDDED
from affidavit.stages.ground.verdict.features import FEATURES
from affidavit.training.verdict import (
    CAP,
    Source,
    fit,
    gather,
    is_fitted_on,
    run_examples,
)

LOG = {
    "kiln": "K2",
    "fires": [{"day": "Monday", "peak_c": 1240}, {"day": "Friday", "peak_c": 1180}],
}
ROW: dict[str, Any] = {
    "id": "kiln", "domain": "pottery studio", "system": "You keep the kiln log.",
    "tools": [{"name": "read_log", "description": "The log", "input_schema": {"type": "object"}}],
    "messages": [
        {"role": "user", "content": "How hot was K2?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t0", "name": "read_log", "input": {}}]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t0", "content": json.dumps(LOG)}]},
    ],
    "answer": "On Monday it peaked at 1240 °C. On Friday it stayed at 1180 °C.",
    "false": [{"kind": "row", "edits": [{"old": "peaked at 1240", "new": "peaked at 1180"}],
               "evidence": [{"call": "t0", "old": '"peak_c": 1240', "new": '"peak_c": 1180'}]}],
}  # fmt: skip


def test_claims_are_gathered_with_labels_and_signals_in_the_order_of_the_rows() -> None:
    sources: list[Source] = [(run_examples, ROW), (run_examples, {**ROW, "domain": "glass works"})]
    found = gather(sources, EMBEDDED, jobs=2)
    assert [one.subject for one in found[:5]] == ["pottery studio"] * 5
    assert [(one.answer, one.label) for one in found[:5]] == [
        ("kiln#true", True), ("kiln#true", True), ("kiln#false0", False),
        ("kiln#patched0", True), ("kiln#wrong0", False),
    ]  # fmt: skip
    assert len(found) == 10
    assert all(any(s.witness == "entailment" for s in one.signals) for one in found)


def test_weights_keep_their_directions_and_their_cap() -> None:
    rng = np.random.default_rng(2)
    values = rng.random((400, len(FEATURES)))
    labels = values.mean(axis=1) < 0.5  # what speaks for a claim comes with false ones
    _, found = fit(values, labels, np.ones(400))
    for (_, direction, _), weight in zip(FEATURES.values(), found, strict=True):
        assert 0 <= weight * direction <= CAP


@pytest.mark.parametrize(("name", "kept"), [("pump-2", True), ("pump-3", False)])
def test_plain_runs_of_odd_numbers_are_kept_for_measuring(name: str, kept: bool) -> None:
    assert is_fitted_on({"id": name}) is kept
