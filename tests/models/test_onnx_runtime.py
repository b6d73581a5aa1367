"""Products of 8 bits mean the same on every processor."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from affidavit.models.onnx_runtime import open_session
from affidavit.training.export import Graph

_WIDTH = 64


@pytest.mark.parametrize("number", [1.0, -1.0])
def test_sums_of_the_largest_products_do_not_overflow(tmp_path: Path, number: float) -> None:
    """Two such products are more than 16 bits hold, in which a processor without VNNI adds them unless told otherwise."""
    graph = Graph("int8")
    weight = np.full((8, _WIDTH), number, np.float32)
    graph.linear("largest", "x", weight, np.zeros(8, np.float32))
    x, out = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, None])
        for name in ("x", "largest.out")
    )
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)]
    made = helper.make_graph(graph.nodes, "product", [x], [out], graph.weights)
    onnx.save(helper.make_model(made, opset_imports=opsets, ir_version=10), tmp_path / "m.onnx")
    session = open_session(tmp_path / "m.onnx", 1)
    (found,) = session.run(["largest.out"], {"x": np.ones((1, _WIDTH), np.float32)})
    assert found == pytest.approx(np.full((1, 8), number * _WIDTH), rel=1e-5)
