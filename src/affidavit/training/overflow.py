"""A product of 8 bits that shows whether a processor adds such products in 16 bits, which overflow.

    python -m affidavit.training.overflow

writes it to where :mod:`affidavit.models.onnx_runtime` reads it.
"""

from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper

from affidavit.models.onnx_runtime import OVERFLOW, WIDTH
from affidavit.training.export import Graph


def overflow() -> onnx.ModelProto:
    """``x`` [1, WIDTH] times ones: of ones it makes WIDTH. Weights and numbers are the largest that 8 bits hold, and two such
    products more than 16 bits do."""
    graph = Graph("int8")
    graph.linear("sum", "x", np.ones((1, WIDTH), np.float32), np.zeros(1, np.float32))
    x, out = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, wide])
        for name, wide in (("x", WIDTH), ("sum.out", 1))
    )
    made = helper.make_graph(graph.nodes, "overflow", [x], [out], graph.weights)
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(made, opset_imports=opsets, ir_version=10)


if __name__ == "__main__":
    onnx.save(overflow(), OVERFLOW)
