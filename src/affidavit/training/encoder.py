"""The sentence encoder that ships with the package: all-MiniLM-L6-v2, its weights rounded to 4 bits.

    python -m affidavit.training.encoder BASE [--out DIR]

Nothing is trained. BASE is the folder of the published model (``model.safetensors``,
``tokenizer.json``). Each block of 32 weights keeps a scale and a zero point of its own, chosen among
clipped ranges for the least squared error; mean pooling and scaling to unit length are part of the
graph. ``benchmarks/retrieval.py --base BASE`` says what the rounding costs.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper

from affidavit.training.base import Array
from affidavit.training.export import (
    Graph,
    Places,
    Precision,
    embeddings,
    inputs,
    layer,
    load_state,
)

NAME, VERSION = "all-minilm-l6-v2-int4", "1"
LAYERS, HEADS = 6, 12
WINDOW = 256
"""Word pieces read at once, the two marks included: what the base model was published with."""

_CLIPS = np.linspace(0.7, 1.0, 24)
"""Shares of a block's range that the 15 steps may span; a clipped outlier can cost less than coarse
steps for all."""

_OPSET = 21
"""The first with 4-bit tensors."""
BLOCK = 32
"""Weights that share one scale: along the input of each output."""
_INTEGERS = 4
"""``accuracy_level`` of ``MatMulNBits`` that computes with integers of 8 bits."""

Bytes: TypeAlias = NDArray[np.uint8]


class CompactGraph(Graph):
    """A graph whose matrices and word table take 4 bits a weight."""

    def linear(
        self, name: str, x: str, weight: Array, bias: Array, *, apart: Places | None = None
    ) -> str:
        del apart  # a block of few weights has a scale of its own
        if self.precision == "fp32":
            return super().linear(name, x, weight, bias)
        steps, scales, zeros = rounded(weight)
        by = [
            self.weight(f"{name}.q", packed(steps)),
            self.weight(f"{name}.scale", scales.reshape(-1)),
            self.weight(f"{name}.zero", packed(zeros).reshape(-1)),
        ]
        product = self.op(
            "MatMulNBits", f"{name}.mm", [x, *by],
            K=weight.shape[1], N=weight.shape[0], bits=4, block_size=BLOCK,
            accuracy_level=_INTEGERS,
        )  # fmt: skip
        return self.op("Add", f"{name}.out", [product, self.weight(f"{name}.bias", bias)])

    def embedding(self, name: str, ids: str, table: Array) -> str:
        if self.precision == "fp32":
            return super().embedding(name, ids, table)
        steps, scales, zeros = rounded(table)
        by = [
            self._nibbles(f"{name}.q", steps.reshape(table.shape)),
            ids,
            self.weight(f"{name}.scale", scales.astype(np.float16)),
            self._nibbles(f"{name}.zero", zeros),
        ]
        row = helper.make_node(
            "GatherBlockQuantized", by, [f"{name}.half"],
            domain="com.microsoft", gather_axis=0, quantize_axis=1, block_size=BLOCK,
        )  # fmt: skip
        self.nodes.append(row)
        return self.op("Cast", f"{name}.row", [f"{name}.half"], to=TensorProto.FLOAT)

    def _nibbles(self, name: str, values: Bytes) -> str:
        raw = packed(values).tobytes()
        self.weights.append(
            helper.make_tensor(name, TensorProto.UINT4, values.shape, raw, raw=True)
        )
        return name


def rounded(weight: Array) -> tuple[Bytes, Array, Bytes]:
    """Weights [out, in] as steps 0..15 [out, blocks, BLOCK], with scales and zero points [out, blocks]."""
    blocks = weight.reshape(weight.shape[0], -1, BLOCK)
    low = np.minimum(blocks.min(axis=2, keepdims=True), 0)
    high = np.maximum(blocks.max(axis=2, keepdims=True), 0)
    best = _steps(blocks, low, high, 1.0)
    for clip in _CLIPS[:-1]:
        other = _steps(blocks, low, high, float(clip))
        better = other[3] < best[3]
        best = tuple(np.where(better, new, old) for new, old in zip(other, best, strict=True))
    steps, scale, zero, _ = best
    return steps.astype(np.uint8), scale[..., 0].astype(np.float32), zero[..., 0].astype(np.uint8)


def _steps(blocks: Array, low: Array, high: Array, clip: float) -> tuple[Array, ...]:
    scale = np.maximum((high - low) * np.float32(clip / 15), np.float32(1e-9))
    zero = np.clip(np.round(-low * clip / scale), 0, 15)
    steps = np.clip(np.round(blocks / scale) + zero, 0, 15)
    loss = (((steps - zero) * scale - blocks) ** 2).sum(axis=2, keepdims=True)
    return steps, scale, zero, loss


def packed(values: Bytes) -> Bytes:
    """Two 4-bit numbers a byte along the last axis, the first in the low half."""
    both: Bytes = values[..., 0::2] | (values[..., 1::2] << np.uint8(4))
    return both


def encoder_graph(state: Mapping[str, Array], precision: Precision) -> onnx.ModelProto:
    """Word pieces in, one unit vector [batch, width] out."""
    g = CompactGraph(precision)
    x = embeddings(g, state, WINDOW)
    bias = _mask_bias(g)
    for i in range(LAYERS):
        x = layer(g, state, f"bert.encoder.layer.{i}", x, bias, HEADS)
    _pool(g, x)
    width = state["bert.embeddings.word_embeddings.weight"].shape[1]
    output = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", width])
    read = inputs("input_ids", "token_type_ids", "attention_mask")
    graph = helper.make_graph(g.nodes, "encoder", read, [output], g.weights)
    opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def _mask_bias(g: Graph) -> str:
    """0 where a word piece is, a large negative number where padding is: [batch, 1, 1, length]."""
    axes = g.weight("mask.axes", np.array([1, 2], np.int64))
    mask = g.op("Cast", "mask.float", ["attention_mask"], to=TensorProto.FLOAT)
    wide = g.op("Unsqueeze", "mask.wide", [mask, axes])
    away = g.op("Sub", "mask.away", [wide, g.weight("mask.one", np.array(1, np.float32))])
    return g.op("Mul", "mask.bias", [away, g.weight("mask.far", np.array(1e9, np.float32))])


def _pool(g: Graph, x: str) -> None:
    """The mean over the word pieces that are there, at unit length."""
    wide = g.weight("pool.wide", np.array([2], np.int64))
    along = g.weight("pool.along", np.array([1], np.int64))
    mask = g.op("Unsqueeze", "pool.mask", ["mask.float", wide])
    there = g.op("Mul", "pool.there", [x, mask])
    total = g.op("ReduceSum", "pool.total", [there, along], keepdims=0)
    # The count would divide every number of a row alike, so unit length makes it unnecessary.
    g.op("LpNormalization", "embedding", [total], axis=-1, p=2)


def base_state(base: Path) -> dict[str, Array]:
    """The published weights, under the names that the graph asks for."""
    state = load_state(base / "model.safetensors")
    return {name if name.startswith("bert.") else f"bert.{name}": w for name, w in state.items()}


def write(base: Path, out: Path, precision: Precision = "int4") -> None:
    """Weights, tokenizer and ``config.json``: what ``models.embedding`` reads."""
    model = encoder_graph(base_state(base), precision)
    out.mkdir(parents=True, exist_ok=True)
    raw = model.SerializeToString()
    (out / "model.onnx").write_bytes(raw)
    tokenizer = json.loads((base / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer |= {"truncation": None, "padding": None}
    (out / "tokenizer.json").write_text(
        json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":")), encoding="utf-8"
    )
    config = {
        "name": NAME if precision == "int4" else NAME.removesuffix("-int4"),
        "version": VERSION,
        "sha256": sha256(raw).hexdigest(),
        "dimensions": model.graph.output[0].type.tensor_type.shape.dim[1].dim_value,
        "window": WINDOW,
    }
    (out / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    from affidavit.models.embedding.onnx import EMBEDDED

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("base", type=Path, help="the folder of the published model")
    parser.add_argument("--out", type=Path, default=EMBEDDED, help="where the files go")
    parser.add_argument("--fp32", action="store_true", help="round nothing, for comparison")
    options = parser.parse_args()
    write(options.base, options.out, "fp32" if options.fp32 else "int4")


if __name__ == "__main__":
    main()
