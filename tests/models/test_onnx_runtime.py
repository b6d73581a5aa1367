"""Products of 8 bits mean the same on every processor."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest

from affidavit.models.onnx_runtime import OVERFLOW, WIDTH, open_session
from affidavit.training.overflow import overflow


def test_sums_of_the_largest_products_do_not_overflow() -> None:
    """A processor with AVX2 and no VNNI makes 32 of them, unless the runtime is told otherwise."""
    session = open_session(OVERFLOW, 1)
    (found,) = session.run(None, {"x": np.ones((1, WIDTH), np.float32)})
    assert found == pytest.approx(np.array([[WIDTH]]), rel=1e-5)


def test_what_shows_the_overflow_is_what_training_writes(tmp_path: Path) -> None:
    onnx.save(overflow(), tmp_path / "anew.onnx")
    x = np.linspace(-1, 1, WIDTH, dtype=np.float32)[None]
    said = [
        onnxruntime.InferenceSession(str(file)).run(None, {"x": x})[0]
        for file in (OVERFLOW, tmp_path / "anew.onnx")
    ]
    assert said[0] == said[1]
