"""Which numbers behind each activation become far larger than the others: they are left out when these are rounded to 8 bits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

from affidavit.training.base import Array
from affidavit.training.export import Places, activation
from affidavit.training.tune import Encoded

PAIRS = 200
"""Enough: of two lots of so many, one of training and one of dev, the largest number of each layer was the same within 6%, but for
the last two layers, where all are small."""
_FEW = 8
"""Of 1,536 numbers one to three are ten times as large as most. Mean change of a log-odds of entailment against 32 bits, over 500
claims: .103 with 8 apart, .106 with 32, and .105 where blocks of 32 weights had scales of their own, which took three times as
long; evened out instead (SmoothQuant, Xiao et al. 2023) .115, rounded with the others .16."""


def outliers(folder: Path, layers: int, items: Sequence[Encoded]) -> list[Places]:
    """By layer, the places of the numbers behind the activation that became largest over some pairs. ``folder`` holds the
    graph in 32 bits."""
    graph = onnx.load(str(folder / "model.onnx"))
    names = [activation(f"layer.{i}") for i in range(layers)]
    graph.graph.output.extend(
        helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names
    )
    session = onnxruntime.InferenceSession(
        graph.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    largest: list[list[Array]] = [[] for _ in names]
    for item in items:
        ids, types = np.array([item.ids], np.int64), np.array([item.types], np.int64)
        feed = {"input_ids": ids, "token_type_ids": types}
        for found, active in zip(largest, session.run(names, feed), strict=True):
            found.append(np.abs(active[0]).max(axis=0))
    return [np.sort(np.argsort(-np.max(found, axis=0))[:_FEW]) for found in largest]
